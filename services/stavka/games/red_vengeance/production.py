"""Replacements [RV 10.0 to RV 10.3, RV 11.4], with the points of the optional rules [RV 14.2, RV 14.3, RV 14.4].

    payments(state, unit)                kinds of point that may pay for a unit now, of those that are left
    restorable(state, side)              reduced units that may be flipped [RV 10.11]
    rebuild_hexes(state, unit)           where a removed unit may come back [RV 10.11, RV 11.41]

Points of a turn are spent in the Command Phase or lost. Trucks are points of RV 14.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import BIT, has_room, is_reduced, side_of, side_units
from stavka.games.red_vengeance.control import controls, oil_fields
from stavka.games.red_vengeance.entry import capture
from stavka.games.red_vengeance.events import (
    ExtraReplacementsTaken,
    ReplacementsReceived,
    UnitRebuilt,
    UnitRestored,
)
from stavka.games.red_vengeance.ground import DATA, EAST_EDGE, GRID, MAP, UNITS
from stavka.games.red_vengeance.sequence import advance, decision, phasing
from stavka.games.red_vengeance.state import ALLIED, AXIS, DEAD, State, is_on_map
from stavka.games.red_vengeance.supply import is_in_supply
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Command, Decision
from stavka.kernel.visibility import Public

ARCTIC_POINTS: Final = 3  # infantry RP, once [RV 14.2]
GARRISON_POINTS: Final = 4  # infantry RP [RV 14.4]
TRUCKS: Final = 5  # armor RP for the whole game, one a turn [RV 14.3]
AXIS_MINORS: Final = frozenset({"hungarian", "romanian", "bulgarian"})

FRAMES: Final = frozenset({"replacements"})


@dataclass(frozen=True, slots=True)
class RestoreUnit:
    """Flip a reduced unit to full strength for one point: `pay` is armor, infantry or trucks [RV 10.1]."""

    unit: Public[str]
    pay: Public[str]


@dataclass(frozen=True, slots=True)
class RebuildUnit:
    """Bring a removed unit back with one step for one point: `pay` is armor or infantry [RV 10.1]."""

    unit: Public[str]
    hex: Public[str]
    pay: Public[str]


@dataclass(frozen=True, slots=True)
class TakeArcticPoints:
    """Take the three infantry points of Arctic Peace this turn [RV 14.2]."""


@dataclass(frozen=True, slots=True)
class EndReplacements:
    """Spend no more points; what is left is lost [RV 10.0]."""


# [RV 10.2] [RV 10.3] points received


def react(draft: Draft[State]) -> None:
    """Receive the points, then end the phase once nothing can be bought."""
    state = draft.state
    if state.frames[-1].step == "":
        _receive(draft)
        draft.emit(FrameStepped("spend"))
    elif not _is_open(state):
        advance(draft)


def _is_open(state: State) -> bool:
    """Whether there is anything to spend points on, or points to take."""
    if state.frames[-1].step == "":
        return False
    return (state.arctic and phasing(state) == ALLIED) or next(_purchases(state), None) is not None


def _receive(draft: Draft[State]) -> None:
    state = draft.state
    side, turn = phasing(state), state.turn
    row = next(r for r in DATA.replacements if r.side == side and r.first_turn <= turn <= r.last_turn)
    armor = row.armor + row.per_oil_field * len(oil_fields(state, side))
    draft.emit(ReplacementsReceived(side, armor, row.infantry))
    if side == AXIS and state.garrison:
        draft.emit(ExtraReplacementsTaken(side, GARRISON_POINTS, "greece"))


# Options


def decisions(state: State) -> tuple[Decision, ...]:
    if not _is_open(state):
        return ()
    commands = (RestoreUnit, RebuildUnit, TakeArcticPoints, EndReplacements)
    prompt = "Spend replacement points, or end."
    return (decision(state, phasing(state), "replacements", "RV 10.1", commands, prompt),)


def legal(state: State) -> tuple[Choice, ...]:
    return tuple(Choice(open_, (*_purchases(state), *_closing(state))) for open_ in decisions(state))


def _closing(state: State) -> tuple[Command, ...]:
    arctic = (TakeArcticPoints(),) if state.arctic and phasing(state) == ALLIED else ()
    return (*arctic, EndReplacements())


def _purchases(state: State) -> Iterator[Command]:
    side = phasing(state)
    for unit in restorable(state, side):
        for pay in payments(state, unit):
            yield RestoreUnit(unit, pay)
        if _trucks_may(state, unit):
            yield RestoreUnit(unit, "trucks")
    for unit in rebuildable(state, side):
        kinds = payments(state, unit)
        if kinds:
            for code in rebuild_hexes(state, unit):
                for pay in kinds:
                    yield RebuildUnit(unit, code, pay)


# [RV 10.13] [RV 11.3] [RV 11.4] which points


def accepted_points(state: State, unit: str) -> tuple[str, ...]:
    """Kinds of RP that a unit may be paid with.

    Armor takes armor points only, the others either kind [RV 10.13]; Yugoslavs armor, Poles infantry [RV 11.4]; minor
    Axis nations none before they change sides [RV 11.3, RV 11.34].
    """
    datum = UNITS[unit]
    if datum.nation in AXIS_MINORS and side_of(state, unit) == AXIS:
        return ()
    if datum.nation == "yugoslav" or datum.branch == "armor":
        return ("armor",)
    return ("infantry",) if datum.nation == "polish" else ("infantry", "armor")


def payments(state: State, unit: str) -> tuple[str, ...]:
    return tuple(kind for kind in accepted_points(state, unit) if state.replacements.get(kind, 0) > 0)


def _trucks_may(state: State, unit: str) -> bool:
    """[RV 14.3] One point a turn, for Allied armor."""
    is_armor = UNITS[unit].branch == "armor" and side_of(state, unit) == ALLIED
    return is_armor and state.trucks > 0 and not state.truck_used


# [RV 10.1] [RV 10.11] [RV 10.12] restoring


def restorable(state: State, side: str) -> list[str]:
    """Reduced units in supply; enemy ZOC does not matter. Not those rebuilt in this phase [RV 10.12]."""
    return [
        u for u in side_units(state, side) if is_reduced(state, u) and u not in state.rebuilt and is_in_supply(state, u)
    ]


def _restore(draft: Draft[State], seat: str, command: RestoreUnit) -> None:
    state, unit = draft.state, command.unit
    _own_unit(state, seat, unit)
    if not is_on_map(state.at[unit]) or not is_reduced(state, unit):
        raise IllegalAction("RV 10.1", "NOT_REDUCED", unit=unit)
    if unit in state.rebuilt:
        raise IllegalAction("RV 10.12", "REBUILT_THIS_TURN", unit=unit)
    if not is_in_supply(state, unit):
        raise IllegalAction("RV 10.11", "OUT_OF_SUPPLY", unit=unit)
    if command.pay == "trucks":
        if not _trucks_may(state, unit):
            raise IllegalAction("RV 14.3", "NO_TRUCKS", unit=unit)
    else:
        _can_pay(state, unit, command.pay)
    draft.emit(UnitRestored(unit, UNITS[unit].steps, command.pay))


# [RV 10.1] [RV 10.11] [RV 10.14] rebuilding


def rebuildable(state: State, side: str) -> list[str]:
    """Removed units that may come back: not those lost for good [RV 10.14]."""
    return [u for u in UNITS if state.at[u] == DEAD and side_of(state, u) == side]


def rebuild_hexes(state: State, unit: str) -> tuple[str, ...]:
    """Friendly hexes with room for the unit. It may come into enemy ZOC."""
    side = side_of(state, unit)
    if UNITS[unit].nation == "yugoslav":
        candidates = yugoslav_arrival(state)
    elif side == AXIS:
        candidates = DATA.rebuilt.axis
    else:
        candidates = GRID.codes(EAST_EDGE)
    return tuple(code for code in candidates if controls(state, side, code) and has_room(state, unit, code))


def yugoslav_arrival(state: State) -> tuple[str, ...]:
    """Belgrade if it is Allied, else the hexes where the Yugoslavs are set up [RV 10.4, RV 11.41]."""
    belgrade = DATA.reinforcements["yugoslav"]
    if all(controls(state, ALLIED, code) for code in belgrade):
        return belgrade
    return MAP.marked("partisan")


def _rebuild(draft: Draft[State], seat: str, command: RebuildUnit) -> None:
    state, unit = draft.state, command.unit
    _own_unit(state, seat, unit)
    if state.at[unit] != DEAD:
        raise IllegalAction("RV 10.14" if not is_on_map(state.at[unit]) else "RV 10.1", "NOT_REBUILDABLE", unit=unit)
    _can_pay(state, unit, command.pay)
    if command.hex not in BIT:
        raise MalformedCommand("UNKNOWN_SPACE", space=command.hex)
    if command.hex not in rebuild_hexes(state, unit):
        raise IllegalAction("RV 10.11", "NOT_AN_ARRIVAL_HEX", unit=unit, hex=command.hex)
    draft.emit(UnitRebuilt(unit, seat, command.hex, 1, command.pay))
    capture(draft, command.hex, seat)


def _own_unit(state: State, seat: str, unit: str) -> None:
    if unit not in UNITS:
        raise MalformedCommand("UNKNOWN_UNIT", unit=unit)
    if side_of(state, unit) != seat:
        raise IllegalAction("RV 10.1", "NOT_YOUR_UNIT", unit=unit)


def _can_pay(state: State, unit: str, pay: str) -> None:
    accepted = accepted_points(state, unit)
    if pay not in accepted:
        raise IllegalAction(
            "RV 10.13" if accepted else "RV 11.3", "WRONG_POINTS", unit=unit, pay=pay, accepted=accepted
        )
    if pay not in payments(state, unit):
        raise IllegalAction("RV 10.1", "NO_POINTS_LEFT", unit=unit, pay=pay)


# [RV 14.2] and the end of the phase


def _take_arctic(draft: Draft[State], seat: str, command: TakeArcticPoints) -> None:
    if not draft.state.arctic or seat != ALLIED:
        raise IllegalAction("RV 14.2", "NO_ARCTIC_POINTS")
    draft.emit(ExtraReplacementsTaken(seat, ARCTIC_POINTS, "arctic"))


def _end(draft: Draft[State], seat: str, command: EndReplacements) -> None:
    advance(draft)


COMMANDS: Final = {
    RestoreUnit: Handler(FRAMES, _restore),
    RebuildUnit: Handler(FRAMES, _rebuild),
    TakeArcticPoints: Handler(FRAMES, _take_arctic),
    EndReplacements: Handler(FRAMES, _end),
}
