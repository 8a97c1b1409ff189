"""The fold: which records of a partition count, and what they make of each match.

Acceptance looks at the frozen envelope alone (version and hash), never at payload, clock, configuration or code
version, so every reader of a partition accepts the same records for ever. Applying the payload is a second layer: a
record that was accepted but cannot be applied by this build quarantines its match in this reader and nothing else.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from google.protobuf.message import DecodeError

from stavka.kernel.errors import CorruptHistory, StavkaError
from stavka.kernel.visibility import SPECTATOR
from stavka.kernel.visibility import seat as viewer_of
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, match_key

from .lobby import MatchCreated, MatchEnded, MatchState
from .rulebooks import PREFIX, evolve, lobby_codec, rulebook
from .sight import hides_anything, reads

ENVELOPE: Final = 1
BARRIER: Final = 0
GENESIS: Final = bytes(32)
ENDED_TABLES: Final = 64  # ended matches whose table a process keeps


class Verdict(Enum):
    """What the fold says of a record. Only ACCEPTED changes anything."""

    ACCEPTED = "accepted"
    IGNORED = "ignored"  # a barrier, another envelope version, or bytes that are no record
    STALE = "stale"  # duplicate, zombie or lost race: normal
    FORK = "fork"  # right version, wrong hash: never normal
    FUTURE = "future"  # a version that has not come: never normal


def leaf_hash(raw: bytes) -> bytes:
    """RFC 9162 leaf hash of the raw record: the head after it."""
    return hashlib.sha256(b"\x00" + raw).digest()


def command_key(player: str, seat: str, command_id: str) -> int:
    """64-bit key of a command: ids are unique for each player and seat."""
    return int.from_bytes(hashlib.sha256(f"{player}\n{seat}\n{command_id}".encode()).digest()[:8], "big")


def number_of(keys: bytearray, wanted: bytes) -> int | None:
    """Which of the 8-byte keys that stand one behind the other is `wanted`, from 0; None when none is."""
    place = keys.find(wanted)
    while place % 8 and place > 0:
        place = keys.find(wanted, place + 1)
    return place // 8 if place >= 0 else None


def parse(raw: bytes) -> log_pb2.Record | None:
    """The record, or None when the bytes are none or its envelope is of another version."""
    try:
        record = log_pb2.Record.FromString(raw)
    except DecodeError:
        return None
    return record


@dataclass(slots=True)
class MatchFold:
    """One match as a reader knows it. `state` is None when this reader folds envelopes only, or in quarantine.

    `quarantine` says why this build cannot apply a record; `stuck` why automatic progress broke at this very version.
    """

    match_id: str
    version: int = 0
    head: bytes = GENESIS
    state: MatchState | None = None
    quarantine: str = ""
    stuck: str = ""
    keys: bytearray = field(default_factory=bytearray)  # 8 bytes a command: searched at memory speed, never scanned
    answers: array[int] = field(default_factory=lambda: array("L"))
    touched_ms: int = 0
    read: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # seat, "" the public -> what exists for it last

    @property
    def trouble(self) -> str:
        """Why the match stands still; "" when it does not."""
        return self.quarantine or self.stuck

    def known_to(self, seat: str) -> tuple[int, bytes]:
        """Version and head that a seat may know of: the match's own, unless what came last is hidden from it."""
        return self.read.get(seat, (self.version, self.head))

    def version_of(self, key: int) -> int | None:
        """The version that a command brought about, or None when it has not been accepted."""
        number = number_of(self.keys, key.to_bytes(8, "big"))
        return None if number is None else self.answers[number]


def judge(fold: MatchFold, record: log_pb2.Record) -> Verdict:
    """Acceptance, by the envelope alone."""
    if record.envelope_version != ENVELOPE:
        return Verdict.IGNORED
    if record.base_version == fold.version:
        return Verdict.ACCEPTED if record.base_hash == fold.head else Verdict.FORK
    return Verdict.STALE if record.base_version < fold.version else Verdict.FUTURE


def advance(fold: MatchFold, record: log_pb2.Record, raw: bytes, sealing_key: bytes | None) -> list[object]:
    """Take an accepted record in: chain, command id, and (with a sealing key) the state. Returns its events.

    A record that cannot be applied puts the match into quarantine; version and head move on all the same, because
    every other reader's do.
    """
    fold.version += 1
    fold.head = leaf_hash(raw)
    fold.stuck = ""
    fold.touched_ms = record.decided_at_ms
    if record.command_id:
        fold.keys += command_key(record.player, record.seat, record.command_id).to_bytes(8, "big")
        fold.answers.append(fold.version)
    if sealing_key is None or fold.quarantine:
        return []
    try:
        events = decode_events(record, fold.state, Sealer(match_key(sealing_key, fold.match_id)))
        state = fold.state or MatchState(fold.match_id)
        for event in events:
            state = evolve(state, event)
        fold.state = state
        if state.playing and hides_anything(state.game):
            _note_readers(fold, state, record, events, sealing_key)
        elif fold.read:
            fold.read = {}
        return events
    except Exception as error:  # noqa: BLE001 (whatever this build cannot apply must not stop the other matches)
        reason = error.reason if isinstance(error, StavkaError) else type(error).__name__
        fold.quarantine = f"version {fold.version}: {reason}: {error}"
        fold.state = None
        return []


def _note_readers(
    fold: MatchFold, state: MatchState, record: log_pb2.Record, events: list[object], sealing_key: bytes
) -> None:
    """Keep for which seats, and whether for the public, the record exists."""
    command = None
    if record.HasField("command"):
        command = rulebook(state.game).codec.decode(record.command, Sealer(match_key(sealing_key, fold.match_id)))
    for seat in (*state.seats, ""):
        if reads(record, events, command, viewer_of(seat) if seat else SPECTATOR):
            fold.read[seat] = (fold.version, fold.head)


def decode_events(record: log_pb2.Record, state: MatchState | None, sealer: Sealer | None) -> list[object]:
    """The events of a record. `state` is the match before it (None before its first). Raises CorruptHistory."""
    events: list[object] = []
    game = state.game if state is not None else ""
    for payload in record.events:
        if payload.type.startswith(PREFIX):
            event = lobby_codec().decode(payload, sealer)
            if isinstance(event, MatchCreated):
                game = event.game
        elif game:
            event = rulebook(game).codec.decode(payload, sealer)
        else:
            raise CorruptHistory("NO_GAME", "a game's event stands before the match was created")
        events.append(event)
    return events


class Book:
    """All matches of the partitions that a reader follows.

    `sealing_key` None folds envelopes only (version, head, command ids): what a reader needs that judges no rule.
    """

    def __init__(self, sealing_key: bytes | None) -> None:
        self.matches: dict[str, MatchFold] = {}
        self._sealing_key = sealing_key
        self._ended: deque[MatchFold] = deque()

    def fold_of(self, match_id: str) -> MatchFold:
        """The match's fold; a new, empty one for a match that has no record yet (it is not kept)."""
        return self.matches.get(match_id) or MatchFold(match_id)

    def take(self, partition: int, raw: bytes) -> tuple[Verdict, log_pb2.Record | None, list[object]]:
        """Fold one record of `partition`: the verdict, the record when it is one, and the events it applied."""
        record = parse(raw)
        if record is None or record.envelope_version != ENVELOPE or partition_of(record.match_id) != partition:
            return Verdict.IGNORED, record, []
        fold = self.fold_of(record.match_id)
        verdict = judge(fold, record)
        if verdict is not Verdict.ACCEPTED:
            return verdict, record, []
        self.matches[record.match_id] = fold
        events = advance(fold, record, raw, self._sealing_key)
        if any(isinstance(event, MatchEnded) for event in events):
            self._put_away(fold)
        return verdict, record, events

    def _put_away(self, fold: MatchFold) -> None:
        """Keep the tables of the last ended matches only: nobody plays on them, and readers can fold them again."""
        self._ended.append(fold)
        if len(self._ended) > ENDED_TABLES:
            oldest = self._ended.popleft().state
            if oldest is not None:
                oldest.table = None

    def forget(self, partitions: frozenset[int]) -> None:
        """Drop the matches of partitions that are no longer followed."""
        for match_id in [m for m in self.matches if partition_of(m) in partitions]:
            del self.matches[match_id]


def partition_of(match_id: str) -> int:
    """The partition that a match id names ("pp-ulid"); -1 for anything else."""
    head, dash, rest = match_id.partition("-")
    return int(head) if dash and rest and len(head) == 2 and head.isascii() and head.isdigit() else -1
