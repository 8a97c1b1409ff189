"""The walk through a match's records: each is checked against what the records before it left.

With the key of an ended match, or while nothing has been hidden, every record is decided again. From the first sealed
record of a running match on, the game's own decisions wait for the key; what the runtime writes (seats, script, end) is
open, and is judged still; so is a command of the runtime, which needs no table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from google.protobuf.message import DecodeError

from stavka.kernel.errors import CorruptHistory, StavkaError
from stavka.match import lobby
from stavka.match.fold import ENVELOPE, GENESIS, leaf_hash
from stavka.match.lobby import MatchCreated, MatchEnded, MatchKeys, MatchState, ScriptRead
from stavka.match.referee import codec_of
from stavka.match.rolls import Cause, RecordedRoll, command_digest
from stavka.match.rulebooks import PREFIX, decide_match, evolve, find_game, react_match
from stavka.match.sight import hides_anything
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, key_commitment

from .report import Report, WrongRecord, require
from .rolls import RollAuditor, key_of, named_digest


@dataclass(frozen=True, slots=True)
class Waiting:
    """A command or an event of which a part waits for the key."""

    type: str


class Auditor:
    """Walks the records of one match. `seal_key` is what its end discloses, if anything; it is not believed yet."""

    def __init__(self, match_id: str, seal_key: bytes | None, report: Report) -> None:
        self.head = GENESIS
        self._match_id = match_id
        self._seal_key = seal_key
        self._report = report
        self._state = MatchState(match_id)
        self._rolls = RollAuditor(report)
        self._blind = False  # the table is not known: something before, or in this record, waits for the key
        self._version = 0

    def fault(self, raw: bytes) -> StavkaError | None:
        """What is wrong with the next record; None when it holds."""
        try:
            self._check(raw)
        except StavkaError as error:
            return error
        except Exception as error:  # noqa: BLE001 (a forger chooses what the checks are given)
            return WrongRecord("BROKEN_RECORD", f"it cannot be checked: {type(error).__name__}: {error}")
        return None

    def _check(self, raw: bytes) -> None:
        record = self._chained(raw)
        self._check_envelope(record)
        command = self._opened(record, record.command) if record.HasField("command") else None
        events = [self._opened(record, payload) for payload in record.events]
        if any(isinstance(event, MatchEnded) for event in events):
            require(self._seal_key is not None, "WRONG_SEAL_KEY", "it discloses no key that record 1 committed to")
        if self._waits(record, command, events):
            self._report.sealed += 1
            self._blind = True
        rolls = self._rolls.check(record, self._cause(record, command), self._sealer(record), self._state)
        self._check_events(record, command, events, rolls)
        for event in events:
            self._take(event)
        self.head = leaf_hash(raw)
        self._version += 1

    def _chained(self, raw: bytes) -> log_pb2.Record:
        try:
            record = log_pb2.Record.FromString(raw)
        except DecodeError as error:
            raise WrongRecord("NOT_A_RECORD", "the bytes are no record") from error
        require(record.envelope_version == ENVELOPE, "BAD_ENVELOPE", f"envelope version {record.envelope_version}")
        require(record.match_id == self._match_id, "WRONG_MATCH", f"belongs to match {record.match_id}")
        require(record.base_version == self._version, "WRONG_VERSION", f"builds on version {record.base_version}")
        require(record.base_hash == self.head, "CHAIN_BROKEN", "does not build on the record before it")
        return record

    def _check_envelope(self, record: log_pb2.Record) -> None:
        """What a referee writes beside the decision: the ruleset, and who sent the command, if anybody did."""
        state = self._state
        require(state.ended is None, "AFTER_THE_END", "the match has ended before this record")
        expected = f"{state.game}/{state.ruleset}" if state.game else ""
        require(
            record.ruleset == expected,
            "WRONG_RULESET",
            f"decided under {record.ruleset or 'no ruleset'}, the match is {expected or 'not created yet'}",
        )
        if record.HasField("command"):
            require(record.command_id != "", "NO_COMMAND_ID", "a command stands here without its id")
        else:
            require(
                not (record.command_id or record.seat or record.player),
                "NOT_AUTOMATIC",
                f"an automatic step names a sender: seat {record.seat!r}, player {record.player!r}",
            )
            require(len(record.events) > 0, "EMPTY_STEP", "an automatic step in which nothing happens")

    def _opened(self, record: log_pb2.Record, payload: log_pb2.Payload) -> object:
        """The command or event of a payload, or that it waits for the key. Raises CorruptHistory: bad shape or seal."""
        try:
            return codec_of(self._state).decode(payload, self._sealer(record))
        except CorruptHistory as error:
            if error.reason != "SEALED":
                raise
            return Waiting(payload.type)

    def _waits(self, record: log_pb2.Record, command: object, events: Sequence[object]) -> bool:
        """Whether the record cannot be decided again before the key is out."""
        if any(isinstance(value, Waiting) for value in (command, *events)):
            return True
        shuffles = self._seal_key is None and any(roll.sealed for roll in record.rolls)
        return shuffles and hides_anything(self._state.game)

    def _cause(self, record: log_pb2.Record, command: object) -> Cause:
        """What the record's rolls are bound to; for a sealed command what they say themselves."""
        if not record.HasField("command"):
            return Cause(self._match_id, self._state.entropy, "batch", record.base_hash)
        if isinstance(command, Waiting):
            return Cause(self._match_id, self._state.entropy, "command", named_digest(record))
        digest = command_digest(
            self._match_id, record.command_id, record.seat, record.command.type, command, self._seal_key or b""
        )
        return Cause(self._match_id, self._state.entropy, "command", digest)

    def _check_events(
        self, record: log_pb2.Record, command: object, events: list[object], rolls: Sequence[log_pb2.Roll]
    ) -> None:
        if self._blind and not record.command.type.startswith(PREFIX):
            due = self._due_in_part(record, events)
        else:
            recorded = RecordedRoll(rolls)
            due = self._due(record, command, recorded, self._keys(events))
            require(recorded.used == len(rolls), "ROLL_UNUSED", "the record holds rolls that the rules do not ask for")
            due = _hidden_as(events, due)
        scripted = sum(len(roll.results) for roll in rolls if roll.kind == "scripted")
        due = [*due, ScriptRead(scripted)] if scripted else due
        if events != due:
            raise WrongRecord("WRONG_EVENTS", _difference(events, due))

    def _due(self, record: log_pb2.Record, command: object, roll: RecordedRoll, keys: MatchKeys) -> list[object]:
        """The events that the rules give for this record's command, or for an automatic step."""
        try:
            if not record.HasField("command"):
                self._report.automatic += 1
                return react_match(self._state, roll, keys)
            self._report.decisions += 1
            return decide_match(self._state, record.seat, record.player, "", command, roll, keys)
        except CorruptHistory:
            raise
        except StavkaError as error:
            raise WrongRecord("ILLEGAL_DECISION", f"the rules refuse it: {error.reason}: {error}") from error

    def _due_in_part(self, record: log_pb2.Record, events: Sequence[object]) -> list[object]:
        """The events that are due when the table is not known: any of the game's, and none of the runtime's.

        Only those who hold a seat give commands, and nothing happens before play has begun.
        """
        require(self._state.playing, "ILLEGAL_DECISION", "play has not begun")
        if record.HasField("command"):
            holds = self._state.holds(record.player, record.seat)
            require(holds, "ILLEGAL_DECISION", f"player {record.player!r} does not hold seat {record.seat!r}")
        return [event for event in events if not isinstance(event, lobby.EVENTS)]

    def _take(self, event: object) -> None:
        """Take a checked event in: report, keys, state."""
        match event:
            case MatchCreated():
                if event.ruleset not in getattr(find_game(event.game), "rulesets", ()):
                    raise WrongRecord("UNKNOWN_RULESET", f"this build does not know {event.game}/{event.ruleset}")
                self._rolls.key = key_of(event)
                if self._seal_key is not None and key_commitment(self._seal_key) != event.seal_commitment:
                    self._seal_key = None  # it opens nothing; the record that discloses it is wrong
                self._report.game, self._report.ruleset = event.game, f"{event.game}/{event.ruleset}"
                self._report.key_id = event.key_id
            case MatchEnded():
                self._report.ended, self._report.winner, self._report.points = True, event.winner, dict(event.points)
        if not self._blind:
            self._state = evolve(self._state, event)
        elif isinstance(event, lobby.EVENTS):
            self._state = lobby.evolve(self._state, event)

    def _sealer(self, record: log_pb2.Record) -> Sealer | None:
        return Sealer(self._seal_key, record.proposal_id) if self._seal_key is not None else None

    def _keys(self, events: Sequence[object]) -> MatchKeys:
        """What the referee knew besides the table: from the first event, and the seal key from the end."""
        named = next((event for event in events if isinstance(event, MatchCreated)), self._state)
        return MatchKeys(
            named.key_id, named.public_key, self._seal_key.hex() if self._seal_key else "", named.seal_commitment
        )


def _hidden_as(events: Sequence[object], due: Sequence[object]) -> list[object]:
    """The events that are due, and of one that waits for the key in the record no more than its type."""
    pairs = zip_longest(events[: len(due)], due)
    return [Waiting(type(want).__name__) if isinstance(have, Waiting) else want for have, want in pairs]


def _difference(recorded: list[object], due: list[object]) -> str:
    for number, (have, want) in enumerate(zip(recorded, due, strict=False)):
        if have != want:
            return f"event {number} is {have}, the rules give {want}"
    return f"{len(recorded)} events stand in the record, the rules give {len(due)}"
