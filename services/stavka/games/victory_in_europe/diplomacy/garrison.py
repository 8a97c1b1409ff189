"""A neutral country is attacked [VE 10.3]."""

from __future__ import annotations

from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft


def attacked(draft: Draft[State], side: str, country: str) -> None:
    """Called after WarDeclared by `side` against `country`."""
