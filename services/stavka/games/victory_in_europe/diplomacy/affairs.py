"""What diplomacy remembers from turn to turn [VE 10.0] [VE 13.0]."""

from __future__ import annotations

from dataclasses import dataclass

from stavka.kernel.visibility import Public


@dataclass(frozen=True, slots=True)
class Affairs:
    """Lasts for the match; the chapter's own events change it."""

    phase: Public[int] = 0
