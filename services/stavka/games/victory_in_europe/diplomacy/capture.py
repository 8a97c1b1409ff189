"""What follows at once from the capture of a place [VE 13 Italy] [VE 10.3] [VE 13 Poland].

`control` imports this module: it must import neither it nor anything that moves blocks.
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.board import bloc
from stavka.games.victory_in_europe.diplomacy.events import MinorAssailed
from stavka.games.victory_in_europe.events import PowerEntered
from stavka.games.victory_in_europe.ground import COUNTRIES, MAP
from stavka.games.victory_in_europe.state import AXIS, State
from stavka.kernel.draft import Draft

PRIZES: Final = frozenset(COUNTRIES[power].capital for power in ("britain", "france", "soviet_union"))
"""Capitals whose fall brings Italy into the war [VE 13 Italy]."""


def area_taken(draft: Draft[State], area: str, country: str) -> None:
    """Called after `country` has taken control of `area`."""
    state = draft.state
    minor = MAP.areas[area].country
    if minor in state.attacked or (minor == "poland" and bloc(state, country) == AXIS):
        draft.emit(MinorAssailed(minor, state.turn))
    waiting = "italy" not in state.at_war and "italy" not in state.fallen
    if waiting and area in PRIZES and bloc(state, country) == AXIS:
        draft.emit(PowerEntered("italy", state.turn))
