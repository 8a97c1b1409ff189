"""What follows when a unit has come into a hex, by movement, retreat or advance; and some of it when one is placed there.

    arrive(draft, unit, path)      judge every hex that the unit has entered, in order (the first of `path` is its start)
    capture(draft, code, side)     remove enemy commanders from a hex that a unit of the side has entered [RV 6.1]
    confine(draft, unit, code)     keep a Hungarian that is in Hungary there for good [RV 11.33]
    rejoin_dietrich(draft)         put Dietrich with the nearest SS unit when he has lost his own [RV 11.24]

Lone enemy commanders are captured [RV 6.1]; Allied units set off what hangs on places: fortresses and levies [RV 9.1,
RV 11.8], Constanta and Ploesti [RV 11.31], Hitler [RV 11.27], the Warsaw rising [RV 11.7], surrenders [RV 11.32].
"""

from __future__ import annotations

from typing import Final

from stavka.games.red_vengeance import minors
from stavka.games.red_vengeance.board import BIT, commanders_at, is_ss, side_of, units_at
from stavka.games.red_vengeance.events import (
    CommanderPlaced,
    CommanderRemoved,
    HitlerDied,
    PlaceFirstEntered,
    UnitConfined,
)
from stavka.games.red_vengeance.ground import CITIES, CITY_HEX, COUNTRY, FORTRESSES, GRID, UNITS
from stavka.games.red_vengeance.state import ALLIED, State, is_on_map
from stavka.kernel.draft import Draft
from stavka.kernel.frames import FramePushed

RISING_DISTANCE: Final = 2  # hexes from Warsaw [RV 11.7]
RISERS: Final = frozenset({"soviet", "polish"})
"""Nations whose arrival sets off the rising."""

NOTABLE: Final = CITIES | FORTRESSES
NEAR_WARSAW: Final = GRID.within(GRID.bit(CITY_HEX["Warsaw"]), RISING_DISTANCE)
DIETRICH: Final = "dietrich"


def arrive(draft: Draft[State], unit: str, path: tuple[str, ...]) -> None:
    """Everything that the entry of `path[1:]` brings about. The unit itself has been moved already."""
    side = side_of(draft.state, unit)
    for code in path[1:]:
        capture(draft, code, side)
        if side == ALLIED:
            _allied_entry(draft, unit, code)
        else:
            confine(draft, unit, code)


def capture(draft: Draft[State], code: str, side: str) -> None:
    """[RV 6.1] A commander alone in a hex that an enemy unit enters, or is placed in, is removed."""
    for commander in commanders_at(draft.state, code):
        if side_of(draft.state, commander) != side:
            draft.emit(CommanderRemoved(commander, "captured"))


def _allied_entry(draft: Draft[State], unit: str, code: str) -> None:
    state = draft.state
    if BIT[code] & NOTABLE and code not in state.visited:
        draft.emit(PlaceFirstEntered(code))
        minors.city_first_controlled(draft, code)
    if code == CITY_HEX["Berlin"] and draft.state.hitler_alive:
        draft.emit(HitlerDied("entered", 0))
    if BIT[code] & NEAR_WARSAW and UNITS[unit].nation in RISERS and not _has_risen(draft.state):
        draft.emit(FramePushed("uprising", "combat", ALLIED))
    if UNITS[unit].nation == "soviet":
        minors.check_surrenders(draft, code)


def _has_risen(state: State) -> bool:
    return state.fight.risen or any(frame.kind == "uprising" for frame in state.frames)


def confine(draft: Draft[State], unit: str, code: str) -> None:
    """[RV 11.33] A Hungarian unit once in Hungary is always in Hungary."""
    hungarian = UNITS[unit].nation == "hungarian"
    if hungarian and BIT[code] & COUNTRY["hungary"] and unit not in draft.state.confined:
        draft.emit(UnitConfined(unit))


# [RV 11.24]


def rejoin_dietrich(draft: Draft[State]) -> None:
    """Move Dietrich to the nearest SS unit if none is with him; without any on the map he stays where he is.

    Of equally near hexes the first in reading order.
    """
    state = draft.state
    place = state.at.get(DIETRICH, "")
    if not is_on_map(place) or any(is_ss(unit) for unit in units_at(state, place)):
        return
    stacks = [state.at[unit] for unit in UNITS if is_ss(unit) and is_on_map(state.at[unit])]
    if stacks:
        draft.emit(CommanderPlaced(DIETRICH, min(stacks, key=lambda code: (GRID.distance(place, code), code))))
