"""The desk where commands are handed in: one command, one outcome, retried as often as anybody likes.

A command is looked up first (a retry is answered at once and nothing is sent), then checked for what no referee need
judge (match, name, fields, size), sent to the process that owns its topic, and answered when the follower has seen
its outcome in the log. Nothing is remembered here: another gateway gives the same answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

import grpc

from stavka.kernel.errors import MalformedCommand
from stavka.match.fold import command_key
from stavka.match.follower import Follower, Outcome
from stavka.match.ports import MAX_RECORD_BYTES, PARTITIONS, Clock, CommandBus, LogUnavailable
from stavka.match.rulebooks import PREFIX, lobby_codec, rulebook, topic_of
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2

from .identity import PLAYER, Caller
from .limits import Meter
from .permissions import OFFICIALS
from .refusals import OutcomeUnknown, Refused

COMMAND_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
MATCH_ID: Final = re.compile(r"[0-9]{2}-[0-9A-HJKMNP-TV-Z]{26}")
MAX_COMMAND_BYTES: Final = MAX_RECORD_BYTES // 2  # a record holds the command and what came of it
MAX_DECISION_ID: Final = 256  # bytes
MAX_NAME: Final = 64  # bytes
MAX_NAMES: Final = 128  # of one kind in a request
MARGIN: Final = 0.1  # seconds before the client's deadline at which the outcome is called unknown
CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Desk:
    """Takes commands in. One event loop, that of the follower."""

    def __init__(self, follower: Follower, bus: CommandBus, clock: Clock, meter: Meter) -> None:
        self._follower = follower
        self._bus = bus
        self._clock = clock
        self._meter = meter
        self._topics: dict[tuple[str, str], str] = {}

    async def submit(
        self, caller: Caller, match_id: str, seat: str, command_id: str, game: str, name: str,
        arguments: Mapping[str, Any], remaining: float | None, *, expected: int | None = None, decision_id: str = "",
    ) -> Outcome:  # fmt: skip
        """Hand a command in and return its acceptance.

        Args:
            game: of the match; empty for the command that creates it.
            remaining: seconds until the client's deadline; None when it set none.

        Raises:
            MalformedCommand: what this desk can see is wrong.
            Refused: the durable answer of the referee.
            OutcomeUnknown: nothing was heard in time, or the log is away.
            TooMuch: too many commands wait.
        """
        require_command_id(command_id)
        key = command_key(caller.player, seat, command_id)
        if self._follower.is_answered(match_id, key):
            return await self._first_answer(match_id, key, command_id, remaining)
        require_decision_id(decision_id)
        topic, payload = self._checked(game, name, arguments)
        command = log_pb2.Command(
            match_id=match_id, command_id=command_id, player=caller.player, seat=seat, command=payload,
            decision_id=decision_id, received_at_ms=self._clock.now_ms(), privileged=caller.role in OFFICIALS,
        )  # fmt: skip
        if expected is not None:
            command.expected_version = expected
        with self._meter.command(match_id):
            outcome = self._follower.outcome(match_id, key)
            try:
                seconds = _patience(remaining, self._meter.limits.outcome_seconds)
                async with asyncio.timeout(seconds):
                    await self._bus.send(topic, int(match_id[:2]), match_id, command.SerializeToString())
                    return _accepted(await outcome)
            except TimeoutError as error:
                message = f"no outcome within {seconds:.1f} s; ask again with the same command_id"
                raise OutcomeUnknown(command_id, message, grpc.StatusCode.DEADLINE_EXCEEDED) from error
            except LogUnavailable as error:
                message = "the log did not answer; ask again with the same command_id"
                raise OutcomeUnknown(command_id, message, grpc.StatusCode.UNAVAILABLE) from error
            finally:
                outcome.cancel()

    async def _first_answer(self, match_id: str, key: int, command_id: str, remaining: float | None) -> Outcome:
        """The answer that stands in the log. Raises as `submit`."""
        known = self._follower.outcome_of(match_id, key)
        if known is None:
            with self._meter.command(match_id):
                try:
                    async with asyncio.timeout(_patience(remaining, self._meter.limits.outcome_seconds)):
                        known = await self._follower.recall(match_id, key)
                except (TimeoutError, LogUnavailable) as error:
                    message = "the log did not answer; ask again with the same command_id"
                    raise OutcomeUnknown(command_id, message, grpc.StatusCode.UNAVAILABLE) from error
        if known is None:
            raise OutcomeUnknown(command_id, "ask again with the same command_id", grpc.StatusCode.UNAVAILABLE)
        return _accepted(known)

    def _checked(self, game: str, name: str, arguments: Mapping[str, Any]) -> tuple[str, log_pb2.Payload]:
        """Topic and payload of a command, when its name and fields are those of a command."""
        topic = self._topics.get((game, name))
        if topic is None:
            topic = self._topics[game, name] = topic_of(game, name)
        if not game:
            require_creation(arguments)
        codec = rulebook(game).codec if game else lobby_codec()
        data = to_json(codec.command(name, arguments))
        if len(data) > MAX_COMMAND_BYTES:
            raise MalformedCommand(
                "COMMAND_TOO_LARGE", f"a command has at most {MAX_COMMAND_BYTES} bytes, not {len(data)}"
            )
        return topic, log_pb2.Payload(type=name, schema=1, data=data)


def require_command_id(command_id: str) -> None:
    """Raises MalformedCommand(BAD_COMMAND_ID)."""
    if not COMMAND_ID.fullmatch(command_id):
        raise MalformedCommand("BAD_COMMAND_ID", "a command_id is 1 to 64 of A-Z a-z 0-9 . _ : -", field="command_id")


def require_decision_id(decision_id: str) -> None:
    """Raises MalformedCommand(BAD_ARGUMENT)."""
    if len(decision_id.encode()) > MAX_DECISION_ID:
        raise MalformedCommand(
            "BAD_ARGUMENT", f"a decision_id has at most {MAX_DECISION_ID} bytes", field="decision_id"
        )


def require_creation(arguments: Mapping[str, Any]) -> None:
    """Refuse names that no game, scenario, option, seat or player has. Raises MalformedCommand(BAD_ARGUMENT)."""
    options, players = arguments["options"], arguments["players"]
    names = {
        "game": (arguments["game"],), "scenario": (arguments["scenario"],),
        "options": (*options, *options.values()), "players": tuple(players),
    }  # fmt: skip
    for field, found in names.items():
        if len(found) > MAX_NAMES or any(len(name.encode()) > MAX_NAME for name in found):
            raise MalformedCommand("BAD_ARGUMENT", f"{field}: a name has at most {MAX_NAME} bytes", field=field)
    for player in players.values():
        if player and not PLAYER.fullmatch(player):
            raise MalformedCommand(
                "BAD_ARGUMENT", "a player's name is 1 to 64 of A-Z a-z 0-9 . _ @ + -, the first a letter or a digit",
                field="players",
            )  # fmt: skip


def require_game_command(name: str) -> None:
    """Refuse names of the runtime: they have calls of their own. Raises MalformedCommand(UNKNOWN_COMMAND)."""
    if not name or name.startswith(PREFIX):
        raise MalformedCommand(
            "UNKNOWN_COMMAND", f"there is no command {name!r} at the table", field="command", command=name
        )


def new_match_id(player: str, command_id: str) -> str:
    """The id of the match that a player's CreateMatch makes, the same for every retry: "pp-" and a ULID's 26 letters."""
    digest = hashlib.sha256(f"stavka-match/1\n{player}\n{command_id}".encode()).digest()
    number = int.from_bytes(digest[:16], "big")
    letters = "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
    return f"{int.from_bytes(digest[16:20], 'big') % PARTITIONS:02d}-{letters}"


def _patience(remaining: float | None, longest: float) -> float:
    """How long to wait, so that the answer "unknown" still arrives before the client gives up."""
    if remaining is None:
        return longest
    return min(longest, max(remaining - MARGIN, remaining * 0.8))


def _accepted(outcome: Outcome) -> Outcome:
    if outcome.refusal is not None:
        raise Refused(outcome.refusal)
    return outcome
