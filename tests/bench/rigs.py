"""What is asked of the games' rules: questions with the states that they are asked of.

Cold means that nothing is remembered but the board, which the fold leaves behind; in play means that the same question
was asked one move before, as a client does who shows what may be done next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from stavka.games.red_vengeance import GAME as RED_VENGEANCE
from stavka.games.red_vengeance import board as rv_board
from stavka.games.red_vengeance import movement, supply
from stavka.games.red_vengeance.combat import retreat
from stavka.games.red_vengeance.combat.battle import Battle
from stavka.games.red_vengeance.combat.losses import living
from stavka.games.red_vengeance.ground import UNITS
from stavka.games.red_vengeance.state import SIDES
from stavka.games.victory_in_europe import GAME as VICTORY_IN_EUROPE
from stavka.games.victory_in_europe import board as ve_board
from stavka.games.victory_in_europe import reach, routes
from stavka.games.victory_in_europe import supply as ve_supply
from stavka.games.victory_in_europe.battle import turns, ways
from stavka.games.victory_in_europe.state import SIDES as BLOCS
from stavka.kernel.game import Game

from tests.support.battery import Step

PHASES: Final = 24  # beginnings of phases that are looked at, at most
MOVES: Final = 150  # moves within phases that are looked at, at most


@dataclass(frozen=True, slots=True)
class Question:
    """`prepare(subject)` makes the rules forget what they must not remember and returns what is timed."""

    what: str
    subjects: Callable[[Sequence[Step]], Iterable[Any]]
    prepare: Callable[[Any], Callable[[], Any]]


@dataclass(frozen=True, slots=True)
class Rig:
    """A game, its function from a state to its board, the modules that keep searches, the kinds of its full move phase."""

    game: Game
    board_of: Callable[[Any], Any]
    searches: tuple[ModuleType, ...]
    phase: str

    def cold(self, state: Any) -> Any:
        fresh = self.unread(state)
        for module in self.searches:
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear") and kept.cache_info().maxsize is not None:
                    kept.cache_clear()
        return fresh

    def unread(self, state: Any) -> Any:
        """A copy of which nothing has been asked yet."""
        fresh = state.copy()
        self.board_of(fresh).memo.clear()
        return fresh

    def beginnings(self, steps: Sequence[Step]) -> list[Any]:
        """States at the beginning of full move phases: nobody has moved yet."""
        found, last = [], ""
        for step in steps[1:]:
            frame = step.before.frames[-1]
            key = f"{step.before.turn} {frame.kind} {frame.seat}"
            if frame.kind == self.phase and key != last and self.game.decisions(step.before):
                found.append(step.before)
            last = key
        return found[:PHASES]

    def moves(self, steps: Sequence[Step]) -> list[tuple[Any, Any]]:
        """States before and after a move that leaves the same seat to go on."""
        pairs = [
            (step.before, step.after) for step in steps[1:]
            if step.command is not None and step.before.frames[-1].kind == step.after.frames[-1].kind == self.phase
            and step.before.frames[-1].seat == step.after.frames[-1].seat
        ]  # fmt: skip
        return pairs[:: max(1, len(pairs) // MOVES)]

    def legal_cold(self, state: Any) -> Callable[[], Any]:
        fresh = self.cold(state)
        seat = fresh.frames[-1].seat
        return lambda: self.game.legal(fresh, seat)

    def legal_in_play(self, pair: tuple[Any, Any]) -> Callable[[], Any]:
        before, fresh = self.unread(pair[0]), self.unread(pair[1])
        seat = fresh.frames[-1].seat
        self.game.legal(before, seat)
        return lambda: self.game.legal(fresh, seat)

    def questions(self) -> Iterator[Question]:
        yield Question("legal, a full movement phase, cold", self.beginnings, self.legal_cold)
        yield Question("legal, in play", self.moves, self.legal_in_play)


RV: Final = Rig(RED_VENGEANCE, rv_board.board_of, (movement,), "movement")
VE: Final = Rig(VICTORY_IN_EUROPE, ve_board.board_of, (reach, routes), "move")


def _supply(state: Any) -> Callable[[], Any]:
    fresh = RV.cold(state)
    return lambda: [supply.out_of_supply(fresh, side) for side in SIDES]


def _movers(steps: Sequence[Step]) -> list[tuple[Any, str]]:
    """Units at the beginning of a phase, every fourth."""
    return [
        (state, unit)
        for state in RV.beginnings(steps)
        for unit in rv_board.side_units(state, state.frames[-1].seat)[::4] if unit in UNITS
    ]  # fmt: skip


def _moves_of_one(subject: tuple[Any, str]) -> Callable[[], Any]:
    state, unit = subject
    fresh = RV.cold(state)
    return lambda: movement.destinations(fresh, unit, movement.MOVE)


def _retreats(steps: Sequence[Step]) -> list[tuple[Any, str]]:
    """Units that have to go back, with the state in which their owner is asked."""
    found = []
    for step in steps:
        battle: Battle | None = step.before.battle if step.number else None
        if battle is not None and step.before.frames[-1].kind == "battle" and step.before.frames[-1].step == "retreat":
            found += [(step.before, unit) for unit in living(step.before, battle.leaving)]
    return found


def _retreat(subject: tuple[Any, str]) -> Callable[[], Any]:
    state, unit = subject
    fresh = RV.cold(state)
    return lambda: retreat.withdrawal(fresh, unit)


def _supply_of_all(state: Any) -> Callable[[], Any]:
    fresh = VE.cold(state)
    return lambda: [ve_supply.unsupplied(fresh, side) for side in BLOCS]


def _supply_in_play(pair: tuple[Any, Any]) -> Callable[[], Any]:
    before, fresh = VE.unread(pair[0]), VE.unread(pair[1])
    for side in BLOCS:
        ve_supply.unsupplied(before, side)
    return lambda: [ve_supply.unsupplied(fresh, side) for side in BLOCS]


def _ways_out(steps: Sequence[Step]) -> list[tuple[Any, str]]:
    """Blocks whose battle turn it is, with the state in which their owner is asked."""
    asked = [s.before for s in steps[1:] if s.command is not None and s.before.frames[-1].kind == "battle"]
    found = []
    for state in asked[:: max(1, len(asked) // MOVES)]:
        turn = turns.turn_of(state)
        found += [(state, block) for block in turn.blocks] if turn is not None else []
    return found


def _way_out(subject: tuple[Any, str]) -> Callable[[], Any]:
    state, block = subject
    fresh = VE.cold(state)
    return lambda: ways.retreats(fresh, block)


RIGS: Final[Mapping[str, Sequence[Question]]] = {
    RED_VENGEANCE.id: (
        *RV.questions(),
        Question("supply of both sides", RV.beginnings, _supply),
        Question("all moves of one unit", _movers, _moves_of_one),
        Question("one retreat search", _retreats, _retreat),
    ),
    VICTORY_IN_EUROPE.id: (
        *VE.questions(),
        Question("supply of all units, cold", VE.beginnings, _supply_of_all),
        Question("supply of all units, in play", VE.moves, _supply_in_play),
        Question("one retreat search", _ways_out, _way_out),
    ),
}
