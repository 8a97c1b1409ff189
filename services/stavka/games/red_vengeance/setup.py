"""Setting up [RV 3.0 to RV 3.4, RV 7.1, RV 11.33, RV 14.0].

    begin(setup) -> events            the table before the first decision
    table(scenario, options)          where every piece and every hex's control starts, as one event

With option setup=historical (the default) everything stands ready and June 1944 begins. With setup=players the minor
units with printed hexes and the pieces kept off the map are in place, and the rest is placed piece by piece: Axis foot,
Allies, Axis armor. UseHistoricalSetup places the rest of a step as history had it, if that is still legal.

A placement is legal if the step can still be finished by the book after it: every Axis start line hex gets a unit of
those in hand [RV 3.4], every facing Allied hex a Soviet or Polish unit [RV 3.3], every Romanian a hex in Romania.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import BIT, STACKING_LIMIT, counted, side_of, units_at
from stavka.games.red_vengeance.entry import confine
from stavka.games.red_vengeance.events import MatchBegun, PhaseBegun, PiecePlaced, TableSet
from stavka.games.red_vengeance.ground import (
    COMMANDERS,
    COUNTRY,
    DATA,
    GRID,
    LAND,
    MAP,
    PIECES,
    UNITS,
    is_commander,
)
from stavka.games.red_vengeance.options import OPTIONS
from stavka.games.red_vengeance.position import read_position
from stavka.games.red_vengeance.production import TRUCKS
from stavka.games.red_vengeance.sequence import SEQUENCE, SETUP, advance, decision, phase_of
from stavka.games.red_vengeance.state import AXIS, HAND, OFF, TRACK, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft, Event
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Choice, Command, Decision, Setup, check_options
from stavka.kernel.visibility import Public

RULESET: Final = 1
FRAMES: Final = frozenset(phase.kind for phase in SETUP)

AXIS_LINE: Final = MAP.marked("axis_line")
ALLIED_LINE: Final = MAP.marked("allied_line")
FACING: Final = tuple(code for code in ALLIED_LINE if BIT[code] & GRID.expand(GRID.mask(AXIS_LINE)))
"""Allied start line hexes next to an Axis one: each must hold a Soviet or Polish unit [RV 3.3]."""
COVERING: Final = frozenset({"soviet", "polish"})


@dataclass(frozen=True, slots=True)
class PlaceUnit:
    """Set up one unit or commander [RV 3.2, RV 3.3, RV 3.4]."""

    piece: Public[str]
    hex: Public[str]


@dataclass(frozen=True, slots=True)
class UseHistoricalSetup:
    """Place all that is left of this step as history had it [RV 3.0]."""


# The first events


def begin(setup: Setup) -> Sequence[Event]:
    """Raises MalformedCommand for an unknown scenario, option or position."""
    if setup.ruleset != RULESET:
        raise MalformedCommand("UNKNOWN_RULESET", ruleset=setup.ruleset)
    if setup.scenario not in DATA.scenarios:
        raise MalformedCommand("UNKNOWN_SCENARIO", scenario=setup.scenario)
    options = check_options(OPTIONS, setup.options)
    begun = MatchBegun(setup.ruleset, setup.scenario, options)
    if setup.position:
        return (begun, read_position(setup.position, begun))
    first = SETUP[0] if options["setup"] == "players" else SEQUENCE[1]
    turn = 0 if options["setup"] == "players" else 1
    return (begun, table(setup.scenario, options), PhaseBegun(turn, first.kind, first.topic, first.side))


def table(scenario: str, options: dict[str, str]) -> TableSet:
    """[RV 3.1] [RV 7.1] The start: track, boxes, printed hexes, control, and the historical set-up if it is used."""
    datum = DATA.scenarios[scenario]
    at, steps, due = {}, {}, {}
    for piece in PIECES:
        arrival = COMMANDERS[piece].arrival if is_commander(piece) else UNITS[piece].arrival
        mark = _mark(piece)
        if mark in BIT:
            at[piece] = mark
        elif mark:
            at[piece] = HAND if options["setup"] == "players" else datum.setup[piece]
        elif isinstance(arrival, int):
            at[piece], due[piece] = TRACK, arrival
        else:
            at[piece] = OFF
        if piece in UNITS:
            steps[piece] = UNITS[piece].steps if mark else 0
    control: dict[str, str] = {
        h.id: (AXIS if h.control == "both" else h.control) for h in MAP.hexes if BIT[h.id] & LAND
    }
    confined = tuple(
        unit for unit, d in UNITS.items() if d.nation == "hungarian" and BIT.get(at[unit], 0) & COUNTRY["hungary"]
    )
    minors = {"romania": AXIS, "bulgaria": AXIS, "hungary": AXIS}
    trucks = TRUCKS if options["additional_trucks"] == "on" else 0
    return TableSet(at, steps, due, control, minors, confined, datum.naval_box, trucks, options["arctic_peace"] == "on")


def _mark(piece: str) -> str:
    """Set-up mark or printed hex of a counter; "" for one that starts off the map."""
    return COMMANDERS[piece].setup if is_commander(piece) else UNITS[piece].setup


# Automatic progress and options


def react(draft: Draft[State]) -> None:
    """A step is over when its hand is empty."""
    if not in_hand(draft.state):
        advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    frame = state.frames[-1]
    if not in_hand(state):
        return ()
    rule = next(phase.rule for phase in SETUP if phase.kind == frame.kind)
    commands = (PlaceUnit, UseHistoricalSetup)
    return (decision(state, frame.seat, "setup", rule, commands, "Set up your pieces."),)


def legal(state: State) -> tuple[Choice, ...]:
    open_ = decisions(state)
    if not open_:
        return ()
    options: list[Command] = [
        PlaceUnit(piece, code) for piece in in_hand(state) for code in GRID.codes(_open_hexes(state, piece))
    ]
    if _history_fits(state):
        options.append(UseHistoricalSetup())
    return (Choice(open_[0], tuple(options)),)


def in_hand(state: State) -> list[str]:
    """Pieces that the present step still has to place."""
    return [piece for piece in PIECES if state.at[piece] == HAND and _step_of(piece) == phase_of(state)]


def _step_of(piece: str) -> str:
    if is_commander(piece) or UNITS[piece].side != AXIS:
        return "setup_allied"
    return "setup_armor" if UNITS[piece].branch == "armor" else "setup_infantry"


# [RV 3.2] [RV 3.3] [RV 3.4] where a piece may go


def _open_hexes(state: State, piece: str) -> int:
    """Hexes in which the piece may be set up now."""
    mark = _mark(piece)
    ground = GRID.mask(MAP.marked(mark))  # type: ignore[arg-type]
    if is_commander(piece):
        return ground
    unit = UNITS[piece]
    if unit.nation == "romanian":
        ground &= COUNTRY["romania"]
    ground &= ~_full(state, GRID.codes(ground))
    if mark == "axis_line":
        return sum(BIT[c] for c in GRID.codes(ground) if _axis_can_finish(state, piece, c))
    if mark == "allied_line" and unit.nation in COVERING:
        return ground & _needing(state, piece)
    return ground


def _full(state: State, codes: Sequence[str]) -> int:
    return sum(BIT[code] for code in codes if counted(units_at(state, code)) >= STACKING_LIMIT)


def _needing(state: State, piece: str) -> int:
    """[RV 3.3] All hexes, or the bare facing ones alone when every covering unit in hand is needed there."""
    bare = [c for c in FACING if not any(UNITS[u].nation in COVERING for u in units_at(state, c))]
    hand = sum(p in UNITS and UNITS[p].nation in COVERING for p in in_hand(state))
    return GRID.mask(bare) if hand <= len(bare) else -1


def _axis_can_finish(state: State, piece: str, code: str) -> bool:
    """[RV 3.2] [RV 3.4] Whether the Axis line can still be manned, and every Romanian placed, after this placement."""
    waiting = [u for u in UNITS if state.at[u] == HAND and UNITS[u].setup == "axis_line" and u != piece]
    romanians = sum(UNITS[u].nation == "romanian" for u in waiting)
    bare, bare_home, room, room_home = 0, 0, 0, 0
    for line in AXIS_LINE:
        there = counted(units_at(state, line)) + (line == code)
        home = bool(BIT[line] & COUNTRY["romania"])
        bare += not there
        bare_home += home and not there
        room += STACKING_LIMIT - there
        room_home += home * (STACKING_LIMIT - there)
    others = len(waiting) - romanians
    needed = (bare - bare_home) + max(0, bare_home - romanians)
    return others >= needed and room >= len(waiting) and room_home >= romanians


# Commands


def _place(draft: Draft[State], seat: str, command: PlaceUnit) -> None:
    state, piece = draft.state, command.piece
    if piece not in PIECES:
        raise MalformedCommand("UNKNOWN_UNIT", unit=piece)
    rule = decisions(state)[0].rule
    if piece not in in_hand(state):
        raise IllegalAction(rule, "NOT_IN_HAND", piece=piece)
    if not GRID.bit(command.hex) & _open_hexes(state, piece):
        raise IllegalAction(rule, "NOT_A_SETUP_HEX", piece=piece, hex=command.hex)
    _put(draft, piece, command.hex)


def _put(draft: Draft[State], piece: str, code: str) -> None:
    steps = UNITS[piece].steps if piece in UNITS else 0
    draft.emit(PiecePlaced(piece, "", code, steps))
    if piece in UNITS:
        confine(draft, piece, code)  # [RV 11.33]


def _history_fits(state: State) -> bool:
    """Whether the historical hexes of the rest keep to stacking and cover what must be covered."""
    trial = state.copy()
    history = DATA.scenarios[state.scenario].setup
    for piece in in_hand(state):
        trial.at[piece] = history[piece]
    trial._board = None
    lines = AXIS_LINE if side_of(state, in_hand(state)[0]) == AXIS else ALLIED_LINE
    marked = (*lines, *MAP.marked("german_y"), *MAP.marked("partisan"))
    if any(counted(units_at(trial, code)) > STACKING_LIMIT for code in marked):
        return False
    if lines is ALLIED_LINE:
        return all(any(UNITS[u].nation in COVERING for u in units_at(trial, code)) for code in FACING)
    bare = sum(not units_at(trial, code) for code in AXIS_LINE)
    return bare <= sum(place == HAND and p in UNITS and UNITS[p].side == AXIS for p, place in trial.at.items())


def _history(draft: Draft[State], seat: str, command: UseHistoricalSetup) -> None:
    if not _history_fits(draft.state):
        raise IllegalAction(decisions(draft.state)[0].rule, "HISTORY_DOES_NOT_FIT")
    for piece in in_hand(draft.state):
        _put(draft, piece, DATA.scenarios[draft.state.scenario].setup[piece])


COMMANDS: Final = {PlaceUnit: Handler(FRAMES, _place), UseHistoricalSetup: Handler(FRAMES, _history)}
