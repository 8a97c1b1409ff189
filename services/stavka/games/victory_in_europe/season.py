"""Years and winters [VE 3.1] [VE 3.4].

turn_of(state)              the calendar's entry of the present turn
winter_at(state, place)     whether it is winter in an area or sea [VE 3.4]
is_frozen(state, sea)       [VE 3.43]
rivers_frozen(state)        [VE 3.44]
"""

from __future__ import annotations

from functools import cache
from typing import Final

from stavka.games.victory_in_europe.ground import GRID, MAP
from stavka.games.victory_in_europe.load import calendar
from stavka.games.victory_in_europe.state import State
from stavka.games.victory_in_europe.structures import Turn

_TURNS: Final = calendar().turns
FREEZING: Final = GRID.mask(MAP.freezing_seas)


def turn_of(state: State) -> Turn:
    """Year, season and winter of the present turn; of the first one before play."""
    return _TURNS[max(state.turn, 1) - 1]


def winter_at(state: State, place: str) -> bool:
    """Winter everywhere on a year's first turn, in Russia and Finland on its last one [VE 3.4] [VE 13 Finland].

    Seas have no homeland: the year's last turn is no winter there, though some freeze.
    """
    winter = turn_of(state).winter
    return winter == "all" or (winter == "russia" and MAP.areas[place].late_winter)


def is_frozen(state: State, sea: str) -> bool:
    """Whether a sea is closed by ice: three of them are in both winter turns [VE 3.43]."""
    return turn_of(state).winter != "none" and sea in MAP.freezing_seas


def rivers_frozen(state: State) -> bool:
    """Whether Russian rivers are frozen [VE 3.44]."""
    return turn_of(state).winter != "none"


@cache
def winter_places(winter: str) -> int:
    """Set of the places of a winter: "all", "russia" (with Finland) or "none" [VE 3.4]."""
    if winter == "all":
        return GRID.all
    return GRID.mask(a.id for a in MAP.areas.values() if a.late_winter) if winter == "russia" else 0
