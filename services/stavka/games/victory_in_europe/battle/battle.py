"""What the combat phase remembers: the battle being fought, and what this turn has used up [VE 5.0].

Battle      the battle on top of the frames
Fights      everything else of the combat phase that lasts beyond one battle
"""

from __future__ import annotations

from dataclasses import dataclass

from stavka.kernel.visibility import Public


@dataclass(frozen=True, slots=True)
class Battle:
    """The battle being fought in `area`."""

    area: Public[str]


@dataclass(frozen=True, slots=True)
class Fights:
    """What is remembered between battles of one combat phase; made new by each PhaseBegun."""

    fought: Public[tuple[str, ...]] = ()
