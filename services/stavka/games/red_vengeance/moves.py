"""The Movement and Exploitation Movement Phases as players act in them [RV 6.0 to RV 6.6].

Strategic moves come first [RV 6.5]: they are open until anything has moved otherwise. Each piece moves once; a unit that
sails may move by land before it, after it, or both (`sea.py`). The phase ends by EndMovement, or by itself when no piece
can move any more. Stacking is judged then (`stacking.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from stavka.games.red_vengeance import sea, supply
from stavka.games.red_vengeance.board import BIT, MINORS, board_of, enterable, is_ss, side_of, units_at
from stavka.games.red_vengeance.control import oil_fields
from stavka.games.red_vengeance.entry import DIETRICH, arrive
from stavka.games.red_vengeance.events import CommanderMoved, UnitMoved
from stavka.games.red_vengeance.ground import BALTIC_PORTS, COMMANDERS, GRID, LAND, PIECES, UNITS, YUGOSLAVIA
from stavka.games.red_vengeance.movement import (
    EXPLOITATION,
    MOVE,
    STRATEGIC,
    destinations,
    escort,
    is_in_enemy_zoc,
    move_rules,
    reachable,
    yugoslavia_is_full,
)
from stavka.games.red_vengeance.sequence import advance, decision, phasing, year_of
from stavka.games.red_vengeance.state import ALLIED, AXIS, State, is_on_map, other
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Choice, Command, Decision
from stavka.kernel.movement import PathCost, StepRefusal
from stavka.kernel.visibility import Public

MAX_STRATEGIC_ALLIED: Final = {1944: 2, 1945: 1}  # units a turn [RV 6.5]

FRAMES: Final = frozenset({"movement", "exploitation_movement"})
BEYOND: Final = {"free_fields": ["path"], "path": "any path that the rules allow to the hex of a listed move"}
"""What the options of a movement phase leave out: they name hexes, and leave the path to the referee."""


@dataclass(frozen=True, slots=True)
class MoveUnit:
    """Move a unit or commander to a hex: by the cheapest path, or by `path` (start and end included) [RV 6.2, RV 6.6]."""

    unit: Public[str]
    to: Public[str]
    path: Public[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class MoveStrategically:
    """Move a unit by rail or highway, at three times its allowance [RV 6.5]."""

    unit: Public[str]
    to: Public[str]
    path: Public[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class EndMovement:
    """No more moves in this phase [RV 6.0]."""


def mode_of(state: State) -> str:
    """Kind of ordinary movement in the present phase."""
    return MOVE if state.frames[-1].kind == "movement" else EXPLOITATION


def strategic_limit(state: State, side: str) -> int:
    """Strategic moves that the side may make this turn [RV 6.5]."""
    return MAX_STRATEGIC_ALLIED[year_of(state.turn)] if side == ALLIED else len(oil_fields(state, side))


# Who may move


def own_piece(state: State, seat: str, piece: str) -> None:
    """Refuse unless the piece is the seat's and on the map."""
    if piece not in PIECES:
        raise MalformedCommand("UNKNOWN_UNIT", unit=piece)
    if side_of(state, piece) != seat:
        raise IllegalAction("RV 6.0", "NOT_YOUR_UNIT", unit=piece)
    if not is_on_map(state.at[piece]):
        raise IllegalAction("RV 6.0", "NOT_ON_MAP", unit=piece, box=state.at[piece])


def _has_halted(state: State, piece: str) -> bool:
    """Whether a unit that came ashore in enemy ZOC has had to stop there [RV 6.42]."""
    return bool(move_rules(state, piece, mode_of(state)).stop & BIT[state.at[piece]])


def _may_move(state: State, piece: str) -> bool:
    """Whether the piece has a move left, reachable hexes aside."""
    if piece in state.spent:
        return piece == state.ashore and not _has_halted(state, piece)
    return True


def _may_move_strategically(state: State, piece: str) -> bool:
    return (
        piece in UNITS
        and piece not in state.spent
        and supply.is_in_supply(state, piece)
        and not is_in_enemy_zoc(state, piece)
    )


def _strategic_is_open(state: State) -> bool:
    frame = state.frames[-1]
    return frame.kind == "movement" and not frame.step and state.strategic < strategic_limit(state, frame.seat)


# Automatic progress and options


def react(draft: Draft[State]) -> None:
    """End the phase when nothing can move any more."""
    if next(_options(draft.state), None) is None:
        advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    return () if next(_options(state), None) is None else (_open(state),)


def _open(state: State) -> Decision:
    mode = mode_of(state)
    rule = "RV 6.0" if mode == MOVE else "RV 6.6"
    prompt = "Move a unit, or end the movement." if mode == MOVE else "Move a unit with exploitation points, or end."
    commands = (MoveUnit, MoveStrategically, sea.SailUnit, EndMovement) if mode == MOVE else _EXPLOITATION_COMMANDS
    return decision(state, phasing(state), mode, rule, commands, prompt)


_EXPLOITATION_COMMANDS: Final = (MoveUnit, sea.SailUnit, EndMovement)


def legal(state: State) -> tuple[Choice, ...]:
    options: list[Command] = []
    for group in _options(state):
        options += group
    if not options:
        return ()
    if not _dietrich_must_move(state):
        options.append(EndMovement())
    return (Choice(_open(state), tuple(options), complete=False, domain=BEYOND),)


def _options(state: State) -> Iterator[Sequence[Command]]:
    """What may be moved where, piece by piece; no group is empty."""
    side, mode = phasing(state), mode_of(state)
    board = board_of(state)
    pieces = board.pieces(side)
    may_sail = side == AXIS and bool(board.units[AXIS] & BALTIC_PORTS)
    for piece in pieces:
        if piece not in state.spent or _may_move(state, piece):
            spaces = destinations(state, piece, mode)
            if spaces:
                yield _moves(MoveUnit, piece, spaces)
        if may_sail and (ports := sea.harbors(state, piece, mode)):
            yield [sea.SailUnit(piece, port) for port in ports]
    if _strategic_is_open(state):
        for piece in pieces:
            if _may_move_strategically(state, piece):
                spaces = destinations(state, piece, STRATEGIC)
                if spaces:
                    yield _moves(MoveStrategically, piece, spaces)


@lru_cache(maxsize=1024)
def _moves(command: type[MoveUnit | MoveStrategically], piece: str, spaces: int) -> tuple[Command, ...]:
    """A move of the piece to each of the hexes. Kept, since most are listed again after another piece has moved."""
    return tuple(command(piece, code) for code in GRID.codes(spaces))


# [RV 6.0] [RV 6.2] [RV 6.6] moving


def _move(draft: Draft[State], seat: str, command: MoveUnit) -> None:
    state, piece = draft.state, command.unit
    own_piece(state, seat, piece)
    mode = mode_of(state)
    if not _may_move(state, piece):
        raise IllegalAction("RV 6.2", "HAS_MOVED", unit=piece)
    cost = _account(state, piece, mode, command.to, command.path)
    if piece in COMMANDERS:
        draft.emit(CommanderMoved(piece, cost.path, cost.total))
        return
    draft.emit(UnitMoved(piece, seat, cost.path, cost.total, mode))
    arrive(draft, piece, cost.path)


# [RV 6.5] strategic movement


def _move_strategically(draft: Draft[State], seat: str, command: MoveStrategically) -> None:
    state, piece = draft.state, command.unit
    own_piece(state, seat, piece)
    if piece in COMMANDERS:
        raise IllegalAction("RV 6.5", "COMMANDERS_HAVE_NO_STRATEGIC_MOVE", unit=piece)
    if state.frames[-1].step:
        raise IllegalAction("RV 4.0", "STRATEGIC_MOVES_COME_FIRST", unit=piece)
    limit = strategic_limit(state, seat)
    if state.strategic >= limit:
        raise IllegalAction("RV 6.5", "STRATEGIC_LIMIT", limit=limit)
    if piece in state.spent:
        raise IllegalAction("RV 6.2", "HAS_MOVED", unit=piece)
    if not supply.is_in_supply(state, piece):
        raise IllegalAction("RV 6.5", "OUT_OF_SUPPLY", unit=piece)
    if is_in_enemy_zoc(state, piece):
        raise IllegalAction("RV 6.5", "STARTS_IN_ENEMY_ZOC", unit=piece, hex=state.at[piece])
    cost = _account(state, piece, STRATEGIC, command.to, command.path)
    draft.emit(UnitMoved(piece, seat, cost.path, cost.total, STRATEGIC))
    arrive(draft, piece, cost.path)


# Judging a path


def _account(state: State, piece: str, mode: str, to: str, path: tuple[str, ...]) -> PathCost:
    """The legal path to `to` with its costs, the cheapest one unless `path` is given. Raises IllegalAction."""
    found = reachable(state, piece, mode)
    bit = GRID.bit(to)
    if not path:
        if not found.spaces & bit:
            barred = found.rules.forbidden & bit
            step = StepRefusal.FORBIDDEN_SPACE if barred else StepRefusal.ALLOWANCE_EXCEEDED
            rule, reason = _why_not(state, piece, to, step)
            raise IllegalAction(rule, reason, unit=piece, to=to, allowance=found.rules.allowance)
        path = found.path(to)
    cost = found.cost_of(path)
    if cost.failure is not None:
        rule, reason = _why_not(state, piece, cost.failure.target, cost.failure.reason)
        raise IllegalAction(rule, reason, unit=piece, step=cost.failure.step, hex=cost.failure.target)
    if path[-1] != to or len(path) < 2:
        raise IllegalAction("RV 6.2", "PATH_ENDS_ELSEWHERE", unit=piece, to=to)
    if not escort(state, piece, mode) & bit:
        raise IllegalAction("RV 11.24", "DIETRICH_STAYS_WITH_SS", unit=piece, to=to)
    return cost


_STEP_RULES: Final = {
    StepRefusal.WRONG_START: "RV 6.2",
    StepRefusal.NOT_ADJACENT: "RV 6.2",
    StepRefusal.IMPASSABLE_TERRAIN: "RV 6.0",
    StepRefusal.MUST_STOP: "RV 6.42",
    StepRefusal.ZOC_TO_ZOC: "RV 6.42",
    StepRefusal.ALLOWANCE_EXCEEDED: "RV 6.22",
}
_BOUND_RULES: Final = {
    "romanian": "RV 11.31",
    "bulgarian": "RV 11.32",
    "hungarian": "RV 11.33",
    "yugoslav": "RV 11.41",
    "soviet": "RV 11.42",
}


def _why_not(state: State, piece: str, target: str, reason: StepRefusal) -> tuple[str, str]:
    """Rule and reason for a hex that the piece cannot enter, as near to the point as possible."""
    bit, board, enemy = GRID.bit(target), board_of(state), other(side_of(state, piece))
    if not bit & LAND:
        return "RV 6.0", "IMPASSABLE_TERRAIN"
    if bit & board.units[enemy]:
        return "RV 6.0", "ENEMY_UNIT_IN_HEX"
    if piece in COMMANDERS:
        return ("RV 6.1", "ENEMY_COMMANDER_IN_HEX") if bit & board.commanders[enemy] else (_STEP_RULES[reason], reason)
    nation = UNITS[piece].nation
    bounds = "RV 11.42" if nation in MINORS and side_of(state, piece) == ALLIED else _BOUND_RULES.get(nation, "RV 6.0")
    if not bit & enterable(state, piece) or reason is StepRefusal.IMPASSABLE_HEXSIDE:
        return bounds, "OUT_OF_BOUNDS"
    if reason is StepRefusal.FORBIDDEN_SPACE:
        crowded = nation == "soviet" and bit & YUGOSLAVIA and yugoslavia_is_full(state, BIT[state.at[piece]])
        return ("RV 11.42", "TWO_SOVIETS_IN_YUGOSLAVIA") if crowded else ("RV 6.5", "ENEMY_ZOC")
    if reason is StepRefusal.ZOC_TO_ZOC and UNITS[piece].branch == "armor":
        return "RV 13.0", reason
    return _STEP_RULES[reason], reason


# Ending


def _dietrich_must_move(state: State) -> bool:
    """Whether Dietrich is without SS and can still reach some [RV 11.24]."""
    place = state.at[DIETRICH]
    if place not in BIT or side_of(state, DIETRICH) != phasing(state) or DIETRICH in state.spent:
        return False
    if any(is_ss(unit) for unit in units_at(state, place)):
        return False
    return bool(destinations(state, DIETRICH, mode_of(state)))


def _end(draft: Draft[State], seat: str, command: EndMovement) -> None:
    if _dietrich_must_move(draft.state):
        raise IllegalAction("RV 11.24", "DIETRICH_STAYS_WITH_SS", unit=DIETRICH)
    advance(draft)


COMMANDS: Final = {
    MoveUnit: Handler(FRAMES, _move),
    MoveStrategically: Handler(frozenset({"movement"}), _move_strategically),
    EndMovement: Handler(FRAMES, _end),
}
