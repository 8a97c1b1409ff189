"""What follows from the capture of a place [VE 13 Italy] [VE 13 France]."""

from __future__ import annotations

from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft


def area_taken(draft: Draft[State], area: str, country: str) -> None:
    """Called after `country` has taken control of `area`."""
