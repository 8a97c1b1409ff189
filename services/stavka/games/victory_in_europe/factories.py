"""Factories on the move in the Move Phase [VE 11.32].

MoveFactory                    the command; a whole marker goes
move_factory(draft, seat, command)
factory_moves(state, seat)     what a seat may do
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc, board_of, friendly_land, seat_of
from stavka.games.victory_in_europe.cards import commands_left, event_of, spend, used
from stavka.games.victory_in_europe.events import EffectUsed, FactoryMoved
from stavka.games.victory_in_europe.ground import BIT, MAP
from stavka.games.victory_in_europe.reach import (
    URALS,
    clear_seas,
    flood_seas,
    land_component,
    seas_of,
    shores_of,
    sight_of,
    urals_open,
)
from stavka.games.victory_in_europe.routes import start_mask
from stavka.games.victory_in_europe.state import SIDES, State
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.visibility import Public

_CITIES: Final = ground.GRID.mask(area.id for area in MAP.areas.values() if area.major_city)
URALS_MARKERS: Final = 2  # [VE 11.31]


@dataclass(frozen=True, slots=True)
class MoveFactory:
    """Shift the factory marker of `steps` steps to another city."""

    origin: Public[str]
    target: Public[str]
    steps: Public[int]


def move_factory(draft: Draft[State], seat: str, command: MoveFactory) -> None:
    """[VE 11.32] One strategic move a step, to a major city with room that was friendly when the phase began [VE 4.7]."""
    state = draft.state
    if command not in factory_moves(state, seat, affordable=False):
        raise IllegalAction("VE 11.32", "CANNOT_MOVE_FACTORY", origin=command.origin, target=command.target)
    side = board_of(state).blocs[state.control[command.origin]]
    free = _free_steps(state, side, command.origin)
    for _ in range(min(free, command.steps)):
        draft.emit(EffectUsed(seat_of(state, side), "factory"))
    spend(draft, side, max(0, command.steps - free), "factory")
    draft.emit(FactoryMoved(command.origin, command.target, command.steps))


def _free_steps(state: State, side: str, origin: str) -> int:
    """[VE 3.3] Factory steps that an event still moves without commands."""
    seat = seat_of(state, side)
    event = event_of(state, seat)
    if event is None or event.kind != "factory_moves" or state.control[origin] not in event.nations:
        return 0
    return max(0, event.amount - used(state, seat, "factory"))


def factory_moves(state: State, seat: str, affordable: bool = True) -> Iterator[MoveFactory]:
    for origin, markers in sorted(state.factories.items()):
        power = state.control[origin]
        side = bloc(state, power)
        if side not in SIDES or seat_of(state, side) != seat or power not in state.at_war or origin in state.clashes:
            continue
        if not BIT[origin] & friendly_land(state, side):
            continue
        budget = commands_left(state, side) + _free_steps(state, side, origin)
        for steps in Counter(markers) - Counter(state.shifted.get(origin, ())):
            if affordable and steps > budget:
                continue
            for target in _factory_targets(state, side, power, origin, steps):
                yield MoveFactory(origin, target, steps)


def _factory_targets(state: State, side: str, power: str, origin: str, steps: int) -> Iterator[str]:
    sight = sight_of(state, side)
    reached = land_component(sight.friendly, origin)
    reached |= shores_of(flood_seas(seas_of(origin), clear_seas(sight), sight.shut))
    goals = reached & sight.friendly & start_mask(state, side)  # [VE 4.7]
    for area in ground.GRID.codes(goals & _CITIES & ~BIT[origin]):
        place = MAP.areas[area]
        if state.control[area] != power or steps > place.factory_max:
            continue
        if area == URALS and not urals_open(state):
            continue
        if len(state.factories.get(area, ())) < (2 if area == URALS else 1):
            yield area
