"""What diplomacy remembers from turn to turn [VE 10.0] [VE 13.0]."""

from __future__ import annotations

from dataclasses import dataclass, field

from stavka.kernel.visibility import Public


@dataclass(frozen=True, slots=True)
class Affairs:
    """Lasts for the match; the chapter's own events change it.

    patrons    minor won by a diplomatic roll -> major power that won it
    defended   minor that has survived an attack -> side whose next roll for it gets the bonus [VE 10.2]
    spent      minors whose bonus has been used: it serves once
    rebuff     turn and country of the last failed roll of a Player 1 [VE 10.2]
    assailed   minor -> last turn in which an attacker took one of its areas [VE 10.3]
    """

    patrons: Public[dict[str, str]] = field(default_factory=dict)
    defended: Public[dict[str, str]] = field(default_factory=dict)
    spent: Public[frozenset[str]] = frozenset()
    rebuff: Public[tuple[int, str]] = (0, "")
    assailed: Public[dict[str, int]] = field(default_factory=dict)
