"""The games as the runtime uses them: each with its codec, and the decisions of lobby and game as one.

`decide_match` and `react_match` are the only places where a command or automatic progress becomes events; the
audit takes a decision again through the very same functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from stavka.games import GAMES
from stavka.kernel.dice import Roll
from stavka.kernel.errors import CorruptHistory, IllegalAction, MalformedCommand, StaleCommand
from stavka.kernel.frames import top
from stavka.kernel.game import Decision, Game, Result
from stavka.kernel.visibility import require_classified
from stavka.wire.codec import Codec, names
from stavka.wire.upcast import UPCASTS

from . import lobby
from .lobby import MatchEnded, MatchKeys, MatchState

PREFIX: Final = lobby.LOBBY + "."


@dataclass(frozen=True)
class Rulebook:
    """One game and the codec of everything that its matches store."""

    game: Game
    codec: Codec


@cache
def rulebook(game_id: str) -> Rulebook:
    """Raises CorruptHistory for an unknown game: callers that take ids from clients look into GAMES first."""
    if game_id not in GAMES:
        raise CorruptHistory("UNKNOWN_GAME", f"no game {game_id!r} is known here")
    game = GAMES[game_id]()
    require_classified([type(game.state())])
    runtime = names((*lobby.COMMANDS, *lobby.EVENTS), PREFIX)
    return Rulebook(game, Codec({**runtime, **names((*game.commands, *game.events))}, UPCASTS.get(game_id)))


@cache
def lobby_codec() -> Codec:
    """Codec of the runtime's own types: enough for a match whose game is not known yet."""
    return Codec(names((*lobby.COMMANDS, *lobby.EVENTS), PREFIX))


def find_game(game_id: str) -> Game | None:
    """The game of this id, or None."""
    return rulebook(game_id).game if game_id in GAMES else None


def topic_of(game_id: str, command_type: str) -> str:
    """The topic that decides a command. Raises MalformedCommand for an unknown one."""
    if command_type.startswith(PREFIX):
        return lobby.TOPIC
    for cls, topic in rulebook(game_id).game.commands.items():
        if cls.__name__ == command_type:
            return topic
    raise MalformedCommand("UNKNOWN_COMMAND", f"there is no command {command_type!r}", command=command_type)


def owner(state: MatchState) -> str:
    """The topic that makes automatic progress now; "" when nothing can."""
    if not state.playing or state.table is None:
        return ""
    return top(state.table.frames).topic


def evolve(state: MatchState, event: object) -> MatchState:
    """Apply one stored event, of the runtime or of the game, in place."""
    if isinstance(event, lobby.EVENTS):
        lobby.evolve(state, event)
        if isinstance(event, lobby.PlayBegun):
            state.table = rulebook(state.game).game.state()
        return state
    state.table = rulebook(state.game).game.evolve(state.table, event)
    return state


def open_decisions(state: MatchState, seat: str | None = None) -> tuple[Decision, ...]:
    """Open decisions of one seat, or of all: the game's, or the lobby's while seats are free."""
    if state.is_open:
        free = tuple(
            Decision(f"seat.{s}", s, "take_seat", "", (PREFIX + "TakeSeat",), f"take seat {s}")
            for s in state.seats if s not in state.entropy
        )  # fmt: skip
        return tuple(d for d in free if seat in (None, d.seat))
    if not state.playing:
        return ()
    found = rulebook(state.game).game.decisions(state.table)
    return found if seat is None else tuple(d for d in found if d.seat == seat)


def decide_match(
    state: MatchState, seat: str, player: str, decision_id: str, command: object, roll: Roll, keys: MatchKeys
) -> list[object]:
    """Events of a command. Raises IllegalAction, MalformedCommand or StaleCommand; then nothing has changed."""
    if isinstance(command, lobby.CreateMatch):
        return [lobby.create(state, command, find_game, keys)]
    if not state.game:
        raise MalformedCommand("UNKNOWN_MATCH", f"there is no match {state.match_id}")
    if state.ended is not None:
        raise IllegalAction("", "MATCH_ENDED", "the match has ended")
    if isinstance(command, lobby.TakeSeat):
        taken = lobby.take_seat(state, command, seat, player)
        full = set(state.entropy) | {seat} == set(state.seats)
        begin = [lobby.PlayBegun(), *rulebook(state.game).game.begin(state.setup())] if full else []
        return [taken, *begin]
    if not state.holds(player, seat):
        raise IllegalAction("", "NOT_YOUR_SEAT", f"you do not hold seat {seat!r}", seat=seat)
    if isinstance(command, lobby.Resign):
        resigned, result = lobby.resign(state, seat)
        return [resigned, *([_ended(result, keys)] if result else [])]
    if not state.playing:
        raise IllegalAction("", "SEATS_FREE", "play begins when every seat is taken")
    if decision_id and all(d.id != decision_id for d in open_decisions(state, seat)):
        raise StaleCommand("DECISION_CLOSED", f"decision {decision_id} is not open", decision=decision_id)
    events = list(rulebook(state.game).game.decide(state.table, seat, command, roll))
    return _closed(state, events, keys)


def react_match(state: MatchState, roll: Roll, keys: MatchKeys) -> list[object]:
    """Events of automatic progress; empty when a seat must act."""
    if not state.playing:
        return []
    events = list(rulebook(state.game).game.react(state.table, roll))
    return _closed(state, events, keys) if events else []


def _closed(state: MatchState, events: list[object], keys: MatchKeys) -> list[object]:
    """The events, with MatchEnded behind them when they end the match."""
    game = rulebook(state.game).game
    table: Any = state.table.copy()
    for event in events:
        table = game.evolve(table, event)
    result = game.result(table)
    return events if result is None else [*events, _ended(result, keys)]


def _ended(result: Result, keys: MatchKeys) -> MatchEnded:
    return MatchEnded(result.winner, dict(result.points), result.reasons, keys.seal_key)
