"""Reinforcements and withdrawal [RV 10.4, RV 10.5, RV 11.24, RV 12.22], and the winter offensive of RV 14.6.

    arrival_hexes(state, piece)       where a piece that is due may be placed now
    withdrawable(state)               units of which the Axis player must withdraw one in November

A phase first settles the November withdrawal (or, under the option, the five pieces of the offensive), then places what is
due, piece by piece. What finds no place waits for a later turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from stavka.games.red_vengeance import minors
from stavka.games.red_vengeance.board import BIT, has_room, is_ss, side_of, side_units
from stavka.games.red_vengeance.control import controls
from stavka.games.red_vengeance.entry import DIETRICH, capture, rejoin_dietrich
from stavka.games.red_vengeance.events import (
    BulgePlaced,
    PiecePlaced,
    ReinforcementScheduled,
)
from stavka.games.red_vengeance.ground import COMMANDERS, DATA, GRID, PIECES, PORTS, UNITS
from stavka.games.red_vengeance.movement import ss_hexes
from stavka.games.red_vengeance.production import yugoslav_arrival
from stavka.games.red_vengeance.sequence import advance, decision, phasing
from stavka.games.red_vengeance.state import ALLIED, AXIS, DEAD, TRACK, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Command, Decision
from stavka.kernel.visibility import Public

NOVEMBER: Final = 6  # turn of the withdrawal [RV 10.5] and of the winter offensive [RV 14.6]
RETURN_TURN: Final = 9  # February 1945 [RV 10.5]
WITHDRAWN: Final = "ger-ii-ss-pz"
BULGE_NAMED: Final = ("ger-i-ss-pz", DIETRICH)  # [RV 14.6]
BULGE_REMOVED: Final = {"infantry": 2, "armor": 1}  # units from among the removed ones [RV 14.6]

FRAMES: Final = frozenset({"reinforcements"})


@dataclass(frozen=True, slots=True)
class WithdrawUnit:
    """Take an armor unit off the map until February [RV 10.5]."""

    unit: Public[str]


@dataclass(frozen=True, slots=True)
class PlaceReinforcement:
    """Put a piece that is due on the map [RV 10.4]."""

    piece: Public[str]
    hex: Public[str]


@dataclass(frozen=True, slots=True)
class PlaceBulgeUnit:
    """Put a piece of the winter offensive into a hex with Axis units [RV 14.6]."""

    piece: Public[str]
    hex: Public[str]


# The phase: "" -> withdraw or bulge (Axis, November) -> place


def react(draft: Draft[State]) -> None:
    """Do what leaves no choice; a single option is taken at once."""
    state = draft.state
    step = state.frames[-1].step
    if step == "":
        draft.emit(FrameStepped(_first_step(state)))
        return
    options = list(islice(_options(state), 2))
    if len(options) > 1:
        return
    if options:
        COMMANDS[type(options[0])].run(draft, phasing(state), options[0])
    elif step == "place":
        advance(draft)
    else:
        draft.emit(FrameStepped("place"))


def _first_step(state: State) -> str:
    if phasing(state) != AXIS or state.turn != NOVEMBER:
        return "place"
    return "bulge" if state.options.get("eastern_bulge") == "on" else "withdraw"


def decisions(state: State) -> tuple[Decision, ...]:
    kind = state.frames[-1].step
    if kind not in _DECISIONS or len(list(islice(_options(state), 2))) < 2:
        return ()
    rule, command, prompt = _DECISIONS[kind]
    return (decision(state, phasing(state), kind, rule, (command,), prompt),)


_DECISIONS: Final[dict[str, tuple[str, type, str]]] = {
    "withdraw": ("RV 10.5", WithdrawUnit, "Choose the armor unit that leaves until February."),
    "bulge": ("RV 14.6", PlaceBulgeUnit, "Place the forces of the winter offensive."),
    "place": ("RV 10.4", PlaceReinforcement, "Place a reinforcement."),
}


def legal(state: State) -> tuple[Choice, ...]:
    return tuple(Choice(open_, tuple(_options(state))) for open_ in decisions(state))


def _options(state: State) -> Iterator[Command]:
    step = state.frames[-1].step
    if step == "withdraw":
        yield from (WithdrawUnit(unit) for unit in withdrawable(state))
    elif step == "bulge":
        yield from (PlaceBulgeUnit(p, code) for p in bulge_pieces(state) for code in _bulge_hexes(state, p))
    else:
        yield from (PlaceReinforcement(p, code) for p in due(state) for code in arrival_hexes(state, p))


# [RV 10.4] arrivals


def due(state: State) -> list[str]:
    """Pieces of the phasing side on the track whose turn has come."""
    side = phasing(state)
    return [p for p in PIECES if state.at[p] == TRACK and state.due[p] <= state.turn and side_of(state, p) == side]


def arrival_hexes(state: State, piece: str) -> tuple[str, ...]:
    """Friendly hexes with room where the piece may arrive.

    Axis pieces: five German cities; Dietrich only with SS in one of them [RV 11.24]. Allied units: four cities; Yugoslavs
    in Belgrade or their own hexes; marines in any Allied port [RV 12.22].
    """
    side = side_of(state, piece)
    if piece in COMMANDERS:
        codes = DATA.reinforcements[side]
        return tuple(code for code in codes if controls(state, side, code) and BIT[code] & ss_hexes(state))
    datum = UNITS[piece]
    if datum.nation == "yugoslav":
        codes = yugoslav_arrival(state)
    elif side == ALLIED and datum.branch == "marine":
        codes = GRID.codes(PORTS)
    else:
        codes = DATA.reinforcements[side]
    return tuple(code for code in codes if controls(state, side, code) and has_room(state, piece, code))


def _place(draft: Draft[State], seat: str, command: PlaceReinforcement) -> None:
    state, piece = draft.state, command.piece
    _known(piece, command.hex)
    if state.frames[-1].step != "place" or piece not in due(state):
        raise IllegalAction("RV 10.4", "NOT_DUE", piece=piece)
    if command.hex not in arrival_hexes(state, piece):
        raise IllegalAction("RV 10.4", "NOT_AN_ARRIVAL_HEX", piece=piece, hex=command.hex)
    _put(draft, piece, command.hex)


def _put(draft: Draft[State], piece: str, code: str) -> None:
    unit = UNITS.get(piece)
    if unit is None:
        draft.emit(PiecePlaced(piece, "", code, 0))
    else:
        side = side_of(draft.state, piece)
        draft.emit(PiecePlaced(piece, side, code, unit.steps))
        capture(draft, code, side)
        if unit.nation == "soviet":
            minors.check_surrenders(draft)  # [RV 11.32]


def _known(piece: str, code: str) -> None:
    if piece not in PIECES:
        raise MalformedCommand("UNKNOWN_UNIT", unit=piece)
    if code not in BIT:
        raise MalformedCommand("UNKNOWN_SPACE", space=code)


# [RV 10.5] withdrawal


def withdrawable(state: State) -> list[str]:
    """II SS Panzer if it is on the map; else any SS armor; else any German armor. One goes, if there is one."""
    armor = [u for u in side_units(state, AXIS) if UNITS[u].branch == "armor"]
    if WITHDRAWN in armor:
        return [WITHDRAWN]
    return [u for u in armor if is_ss(u)] or armor


def _withdraw(draft: Draft[State], seat: str, command: WithdrawUnit) -> None:
    state, unit = draft.state, command.unit
    if unit not in UNITS:
        raise MalformedCommand("UNKNOWN_UNIT", unit=unit)
    if state.frames[-1].step != "withdraw" or unit not in withdrawable(state):
        raise IllegalAction("RV 10.5", "NOT_WITHDRAWABLE", unit=unit)
    draft.emit(ReinforcementScheduled(unit, RETURN_TURN))
    rejoin_dietrich(draft)
    draft.emit(FrameStepped("place"))


# [RV 14.6] the winter offensive


def bulge_pieces(state: State) -> list[str]:
    """Pieces that are still to be placed: the two named ones, two infantry and one armor unit of those removed.

    The removed ones are German, the Axis player's choice, and come at full strength; fewer if fewer were removed.
    """
    placed = state.bulge
    named = [p for p in BULGE_NAMED if p not in placed and state.at[p] in (TRACK, DEAD)]
    if DIETRICH in named and not ss_hexes(state) and len(named) > 1:
        named.remove(DIETRICH)
    removed = []
    for branch, number in BULGE_REMOVED.items():
        taken = sum(p in UNITS and UNITS[p].branch == branch and p not in BULGE_NAMED for p in placed)
        if taken < number:
            removed += [
                u for u, d in UNITS.items() if d.nation == "german" and d.branch == branch and state.at[u] == DEAD
            ]
    return named + [unit for unit in removed if unit not in named]


def _bulge_hexes(state: State, piece: str) -> tuple[str, ...]:
    """Hexes with Axis units, whatever they hold already; with SS for Dietrich [RV 11.24]."""
    if piece == DIETRICH:
        return GRID.codes(ss_hexes(state))
    return tuple(dict.fromkeys(state.at[unit] for unit in side_units(state, AXIS)))


def _place_bulge(draft: Draft[State], seat: str, command: PlaceBulgeUnit) -> None:
    state, piece = draft.state, command.piece
    _known(piece, command.hex)
    if state.frames[-1].step != "bulge" or piece not in bulge_pieces(state):
        raise IllegalAction("RV 14.6", "NOT_IN_THE_OFFENSIVE", piece=piece)
    if command.hex not in _bulge_hexes(state, piece):
        raise IllegalAction("RV 14.6", "NO_AXIS_UNIT_THERE", piece=piece, hex=command.hex)
    _put(draft, piece, command.hex)
    draft.emit(BulgePlaced((*state.bulge, piece)))


COMMANDS: Final = {
    WithdrawUnit: Handler(FRAMES, _withdraw),
    PlaceReinforcement: Handler(FRAMES, _place),
    PlaceBulgeUnit: Handler(FRAMES, _place_bulge),
}
