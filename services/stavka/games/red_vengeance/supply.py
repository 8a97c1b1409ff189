"""Supply [RV 5.0 to RV 5.5], with its exceptions for nations [RV 11.41, RV 11.43] and seas [RV 12.21, RV 12.22].

    out_of_supply(state, side)        the side's units without supply by the present position, as the rules would judge now
    is_in_supply(state, unit)         the same for one unit
    sources(state, unit)              where its supply line must lead, and by which rule
    passable(state, side)             hexes that a line of the side may run through
    SupplySource(hexes, rule, what)   `at_sea`: the line ends in a port and is sea supply

Marked status (`State.oos`) is renewed in the side's Command Phase and halves movement; battles ask again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import BIT, board_of, side_of, side_units
from stavka.games.red_vengeance.control import yugoslav_control
from stavka.games.red_vengeance.events import SeaSupplyGiven, SupplyDetermined
from stavka.games.red_vengeance.ground import (
    BALTIC_COAST,
    BALTIC_PORTS,
    BLACK_SEA_COAST,
    CITY_HEX,
    EAST_EDGE,
    GRID,
    LAND,
    SEA_BOXES,
    UNITS,
    WEST_EDGE,
    YUGOSLAVIA,
)
from stavka.games.red_vengeance.sequence import advance, decision, phasing
from stavka.games.red_vengeance.state import ALLIED, AXIS, State, other
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Decision
from stavka.kernel.supply import trace
from stavka.kernel.visibility import Public

CAPITALS: Final = {"romanian": "Bucharest", "bulgarian": "Sofia", "hungarian": "Budapest"}
"""Cities to which the minor Axis nations trace, on either side [RV 5.4]."""
_PORT_BITS: Final = tuple((code, BIT[code]) for code in GRID.codes(BALTIC_PORTS))


@dataclass(frozen=True, slots=True)
class SupplySource:
    """Hexes to which a line may lead. `at_sea`: it goes on over the Baltic [RV 5.1]."""

    hexes: int
    rule: str
    what: str
    at_sea: bool = False


@dataclass(frozen=True, slots=True)
class ChooseSeaSupply:
    """Name the one unit that the sea supplies this turn [RV 12.21, RV 12.22]."""

    unit: Public[str]


# [RV 5.0] [RV 5.1] lines and sources


def passable(state: State, side: str) -> int:
    """No enemy unit, and no enemy ZOC unless a friendly unit is there [RV 5.1]."""
    board = board_of(state)
    enemy = other(side)
    return LAND & ~board.units[enemy] & (~board.zoc[enemy] | board.units[side])


def sources(state: State, unit: str) -> tuple[SupplySource, ...]:
    """Everything that could supply this unit, whether a line to it exists or not. Raises KeyError for unknown ids."""
    return _sources(state, UNITS[unit].nation, side_of(state, unit))


def _sources(state: State, nation: str, side: str) -> tuple[SupplySource, ...]:
    capital = CAPITALS.get(nation)
    if capital is not None:
        return (SupplySource(GRID.bit(CITY_HEX[capital]), "RV 5.4", capital),)
    if side == AXIS:
        land = SupplySource(WEST_EDGE, "RV 5.1", "west edge")
        if not _box_supply(state):
            return (land,)
        ports = sum(bit for code, bit in _PORT_BITS if state.control[code] == AXIS)
        return land, SupplySource(ports, "RV 5.1", "Baltic port", at_sea=True)
    if nation == "polish" and CITY_HEX["Warsaw"] in state.visited:
        return (SupplySource(GRID.bit(CITY_HEX["Warsaw"]), "RV 5.3", "Warsaw"),)
    if nation == "yugoslav":
        held = yugoslav_control(state, ALLIED)
        return (SupplySource(held, "RV 11.41", "Allied hexes of Yugoslavia"),)
    return (SupplySource(EAST_EDGE, "RV 5.1", "east edge"),)


def _box_supply(state: State) -> int:
    """Axis units supplied by sea: -1 all, else the number [RV 12.22]."""
    return SEA_BOXES[state.sea].supply


# [RV 5.2] who is out of supply


def out_of_supply(state: State, side: str) -> frozenset[str]:
    """Units of the side on the map that no supply reaches now [RV 5.2, RV 8.45]."""
    memo = board_of(state).memo
    key = ("oos", side, state.sea_supplied, state.shore_supplied)
    found: frozenset[str] | None = memo.get(key)
    if found is None:
        helped = state.sea_supplied if side == AXIS else state.shore_supplied
        found = memo[key] = frozenset(unit for unit in _wanting(state, side) if not _is_helped(state, unit, helped))
    return found


def is_in_supply(state: State, unit: str) -> bool:
    return unit not in out_of_supply(state, side_of(state, unit))


def _wanting(state: State, side: str) -> list[str]:
    """Units without supply when nobody is picked for the one unit that a sea may supply."""
    board = board_of(state)
    ground = passable(state, side)
    missing: dict[str, int] = {}
    for nation, units in board.nations.items():
        if units and board.sides[nation] == side:
            missing[nation] = _cut_off(state, nation, units, ground)
    if not any(missing.values()):
        return []
    return [u for u in side_units(state, side) if BIT[state.at[u]] & missing[UNITS[u].nation]]


def _cut_off(state: State, nation: str, units: int, ground: int) -> int:
    """Those hexes of a nation's units from which no line leads to a source."""
    if nation == "yugoslav":
        units &= ~YUGOSLAVIA  # [RV 11.41], which goes beyond [RV 5.5]
        if not units:
            return 0
    side = board_of(state).sides[nation]
    shared = side == AXIS and _box_supply(state) < 0
    if shared:
        units &= ~BALTIC_COAST  # [RV 12.22]
    for source in _sources(state, nation, side):
        if units and (shared or not source.at_sea):
            units &= ~_flood(source.hexes, ground, units)
    return units


def _flood(sources: int, ground: int, wanted: int) -> int:
    """Like the kernel's trace, but it stops as soon as all that is wanted is reached."""
    front = reached = sources & ground
    while front and wanted & ~reached:
        front = GRID.expand(front) & ground & ~reached
        reached |= front
    return reached


def _is_helped(state: State, unit: str, helped: str) -> bool:
    return unit == helped and unit in helpable(state, side_of(state, unit))


def helpable(state: State, side: str) -> list[str]:
    """Units out of supply by land which the sea could keep in supply, where it may do so for one only.

    The Axis on Light Surface: units on the Baltic coast or with a line to a Baltic port. The Allies: units on the Black
    Sea coast [RV 12.21].
    """
    if side == ALLIED:
        reached = BLACK_SEA_COAST
    elif _box_supply(state) == 1:
        ports = next((s.hexes for s in _sources(state, "german", AXIS) if s.at_sea), 0)
        reached = BALTIC_COAST | trace(GRID, ports, passable(state, AXIS))
    else:
        return []
    units = [unit for unit in _wanting(state, side) if reached & BIT[state.at[unit]]]
    if side == AXIS:
        shore = BALTIC_COAST
        return [u for u in units if UNITS[u].nation not in CAPITALS or shore & BIT[state.at[u]]]
    return units


# The Command Phase's supply segment [RV 4.0]

FRAMES: Final = frozenset({"supply"})


def react(draft: Draft[State]) -> None:
    """Give sea supply where there is no choice, then mark who is in and out of supply."""
    state = draft.state
    side = phasing(state)
    if state.frames[-1].step == "":
        candidates = helpable(state, side)
        if len(candidates) > 1:
            return
        chosen = candidates[0] if candidates else ""
        if chosen != (state.sea_supplied if side == AXIS else state.shore_supplied):
            draft.emit(SeaSupplyGiven(side, chosen))
        draft.emit(FrameStepped("judge"))
        return
    now = out_of_supply(state, side)
    marked = frozenset(unit for unit in state.oos if side_of(state, unit) == side)
    if now != marked:
        draft.emit(SupplyDetermined(side, tuple(sorted(now - marked)), tuple(sorted(marked - now))))
    advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    if state.frames[-1].step != "" or len(helpable(state, phasing(state))) < 2:
        return ()
    rule = "RV 12.22" if phasing(state) == AXIS else "RV 12.21"
    prompt = "Name the one unit that the sea keeps in supply."
    return (decision(state, phasing(state), "sea_supply", rule, (ChooseSeaSupply,), prompt),)


def legal(state: State) -> tuple[Choice, ...]:
    return tuple(
        Choice(open_, tuple(ChooseSeaSupply(unit) for unit in helpable(state, open_.seat)))
        for open_ in decisions(state)
    )


def _choose(draft: Draft[State], seat: str, command: ChooseSeaSupply) -> None:
    if command.unit not in UNITS:
        raise MalformedCommand("UNKNOWN_UNIT", unit=command.unit)
    if command.unit not in helpable(draft.state, seat):
        rule = "RV 12.22" if seat == AXIS else "RV 12.21"
        raise IllegalAction(rule, "NOT_SUPPLIED_BY_SEA", unit=command.unit)
    draft.emit(SeaSupplyGiven(seat, command.unit))
    draft.emit(FrameStepped("judge"))


COMMANDS: Final = {ChooseSeaSupply: Handler(FRAMES, _choose)}
