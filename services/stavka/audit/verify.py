"""Verification of a match's records: what a stranger can check, alone, offline.

For every record, in order: the chain (version, hash), the seal (when the match has ended), every roll (signature by
the match's key over the canonical input, and its expansion), the legality (the committed command decided again, or
the automatic step made again, under the record's ruleset, with the recorded rolls, gives exactly the recorded
events), and at the end the score. The first wrong record is named; nothing after it is looked at. Whatever goes wrong
while a record is checked makes it the wrong one: no record of an honest referee breaks a verifier.

While a match with hidden information goes on, sealed decisions cannot be opened: chain and open rolls are checked,
and the report says how many records wait for the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from google.protobuf.message import DecodeError
from msgspec import DecodeError as DecodeJsonError

from stavka.kernel.dice import expand_dice, expand_shuffle
from stavka.kernel.errors import CorruptHistory, StavkaError
from stavka.match import lobby
from stavka.match.fold import ENVELOPE, GENESIS, decode_events, leaf_hash
from stavka.match.keys import public_key_id
from stavka.match.lobby import MatchCreated, MatchEnded, MatchKeys, MatchState, ScriptRead
from stavka.match.referee import codec_of
from stavka.match.rolls import Cause, RecordedRoll, command_digest, fits, open_roll, seed_of
from stavka.match.rulebooks import PREFIX, decide_match, evolve, find_game, react_match
from stavka.wire.codec import Codec, from_json
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, is_sealed, key_commitment

from .export import Export, Header

Progress = Callable[[int, int], None]


class WrongRecord(StavkaError):
    """A record is not what an honest referee would have written."""


@dataclass
class Report:
    """What was checked. `ok` means that every record holds; `wrong` names the first that does not."""

    match_id: str
    versions: int = 0
    head: str = ""
    key_id: str = ""
    game: str = ""
    ruleset: str = ""
    decisions: int = 0
    automatic: int = 0
    rolls: int = 0
    sealed: int = 0
    ended: bool = False
    winner: str = ""
    points: dict[str, int] = field(default_factory=dict)
    wrong: Mapping[str, object] | None = None

    @property
    def ok(self) -> bool:
        return self.wrong is None


def verify_export(export: Export, progress: Progress | None = None) -> Report:
    """Check what could be read of a file; a line that could not is its record's fault."""
    header = export.header or Header("", 0, b"")
    if export.broken is None:
        return verify(header.match_id, export.records, header.head, progress, versions=header.versions)
    report = verify(header.match_id, export.records, None, progress) if export.records else Report(header.match_id)
    if report.wrong is None:
        version = 0 if export.header is None else len(export.records) + 1
        report.wrong = {"version": version, "reason": export.broken.reason, "message": str(export.broken)}
    return report


def verify(
    match_id: str,
    records: Sequence[bytes],
    head: bytes | None = None,
    progress: Progress | None = None,
    *,
    versions: int | None = None,
) -> Report:
    """Check the raw records 1..n of a match. `head` and `versions` are what the source says the last ones are, if it
    says so."""
    report = Report(match_id)
    auditor = _Auditor(match_id, _seal_key(records), report)
    for number, raw in enumerate(records, start=1):
        wrong = auditor.fault(raw)
        if wrong is not None:
            report.wrong = {"version": number, "reason": wrong.reason, "message": str(wrong)}
            return report
        report.versions, report.head = number, auditor.head.hex()
        if progress is not None:
            progress(number, len(records))
    if not records:
        report.wrong = {"version": 0, "reason": "NO_RECORDS", "message": "there is nothing to verify"}
    elif head is not None and head != auditor.head:
        message = (
            f"the head after version {len(records)} is {auditor.head.hex()}, not {head.hex()}: records are missing"
        )
        report.wrong = {"version": len(records), "reason": "HEAD_MISMATCH", "message": message}
    elif versions is not None and versions != len(records):
        message = f"there are {len(records)} records, not {versions}"
        report.wrong = {"version": len(records), "reason": "VERSIONS_MISMATCH", "message": message}
    return report


class _Auditor:
    """Walks the records of one match."""

    def __init__(self, match_id: str, seal_key: bytes | None, report: Report) -> None:
        self.head = GENESIS
        self._match_id = match_id
        self._seal_key = seal_key
        self._report = report
        self._state: MatchState | None = MatchState(match_id)
        self._public_key: rsa.RSAPublicKey | None = None
        self._created: MatchCreated | None = None
        self._entropy: dict[str, str] = {}
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
        if self._seal_key is None and _is_hidden(record):
            self._report.sealed += 1
            self._state = None  # what follows a sealed record cannot be decided again until the key is out
        rolls = self._check_rolls(record)
        if self._state is not None:
            self._decide_again(record, rolls)
        else:
            self._follow_open(record)
        self.head = leaf_hash(raw)
        self._version += 1

    def _chained(self, raw: bytes) -> log_pb2.Record:
        try:
            record = log_pb2.Record.FromString(raw)
        except DecodeError as error:
            raise WrongRecord("NOT_A_RECORD", "the bytes are no record") from error
        _require(record.envelope_version == ENVELOPE, "BAD_ENVELOPE", f"envelope version {record.envelope_version}")
        _require(record.match_id == self._match_id, "WRONG_MATCH", f"belongs to match {record.match_id}")
        _require(record.base_version == self._version, "WRONG_VERSION", f"builds on version {record.base_version}")
        _require(record.base_hash == self.head, "CHAIN_BROKEN", "does not build on the record before it")
        return record

    def _check_envelope(self, record: log_pb2.Record) -> None:
        """What a referee writes beside the decision: the ruleset, and who sent the command, if anybody did."""
        created = self._created
        expected = f"{created.game}/{created.ruleset}" if created is not None else ""
        _require(
            record.ruleset == expected,
            "WRONG_RULESET",
            f"decided under {record.ruleset or 'no ruleset'}, the match is {expected or 'not created yet'}",
        )
        if record.HasField("command"):
            _require(record.command_id != "", "NO_COMMAND_ID", "a command stands here without its id")
        else:
            _require(
                not (record.command_id or record.seat or record.player),
                "NOT_AUTOMATIC",
                f"an automatic step names a sender: seat {record.seat!r}, player {record.player!r}",
            )

    def _check_rolls(self, record: log_pb2.Record) -> list[log_pb2.Roll]:
        """Open and check every roll: input, signature, expansion."""
        found: list[log_pb2.Roll] = []
        scripted = 0
        cause = self._cause(record)
        for ordinal, stored in enumerate(record.rolls):
            if stored.sealed and self._seal_key is None:
                continue
            roll = open_roll(stored, Sealer(self._seal_key, record.proposal_id)) if self._seal_key else stored
            if roll.kind == "scripted":
                self._check_scripted(roll, scripted)
                scripted += len(roll.results)
            elif cause is not None:
                self._check_signed(roll, cause, ordinal)
            self._report.rolls += 1
            found.append(roll)
        return found

    def _check_scripted(self, roll: log_pb2.Roll, before: int) -> None:
        created = self._created
        _require(
            created is not None and created.analysis, "SCRIPTED_ROLL", "only an analysis match may script its rolls"
        )
        if created is not None and self._state is not None:
            start = self._state.script_used + before
            due = created.script[start : start + roll.count]
            _require(
                tuple(roll.results) == due and fits(due, roll.sides),
                "SCRIPTED_ROLL",
                f"the script says {due} for {roll.purpose!r}",
            )

    def _check_signed(self, roll: log_pb2.Roll, cause: Cause, ordinal: int) -> None:
        want = f"dice {roll.count} {roll.sides}" if roll.kind == "dice" else f"shuffle {roll.count}"
        _require(
            roll.input == cause.roll_input(ordinal, roll.purpose, want),
            "WRONG_ROLL_INPUT",
            f"roll {ordinal}: the signed input is not this roll's",
        )
        if self._public_key is None:
            raise WrongRecord("NO_KEY", "a roll stands before the match named its key")
        try:
            self._public_key.verify(roll.signature, roll.input, padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature as error:
            raise WrongRecord(
                "BAD_SIGNATURE", f"roll {ordinal} ({roll.purpose}): the signature does not fit"
            ) from error
        seed = seed_of(roll.signature)
        due = expand_dice(seed, roll.count, roll.sides) if roll.kind == "dice" else expand_shuffle(seed, roll.count)
        _require(
            tuple(roll.results) == tuple(due),
            "WRONG_ROLL",
            f"roll {ordinal} ({roll.purpose}): the signature gives {due}",
        )

    def _cause(self, record: log_pb2.Record) -> Cause | None:
        """What the record's rolls are bound to; None when the command is sealed and the key not out."""
        if not record.HasField("command"):
            return Cause(self._match_id, self._entropy, "batch", record.base_hash)
        if self._seal_key is None and _payload_hidden(record.command):
            return None
        command = self._codec().decode(record.command, self._sealer(record))
        digest = command_digest(
            self._match_id, record.command_id, record.seat, record.command.type, command, self._seal_key or b""
        )
        return Cause(self._match_id, self._entropy, "command", digest)

    def _decide_again(self, record: log_pb2.Record, rolls: list[log_pb2.Roll]) -> None:
        if self._state is None:
            raise AssertionError("only an open state is decided again")
        state: MatchState = self._state
        events = decode_events(record, state, self._sealer(record))
        recorded = RecordedRoll(rolls)
        due = self._due(record, state, recorded, self._keys(events))
        scripted = sum(len(roll.results) for roll in rolls if roll.kind == "scripted")
        due = [*due, ScriptRead(scripted)] if scripted else due
        _require(recorded.used == len(rolls), "ROLL_UNUSED", "the record holds rolls that the rules do not ask for")
        if events != due:
            raise WrongRecord("WRONG_EVENTS", _difference(events, due))
        for event in events:
            self._note(event)
            state = evolve(state, event)
        self._state = state

    def _due(self, record: log_pb2.Record, state: MatchState, roll: RecordedRoll, keys: MatchKeys) -> list[object]:
        """The events that the rules give for this record's command, or for an automatic step."""
        try:
            if not record.HasField("command"):
                self._report.automatic += 1
                return react_match(state, roll, keys)
            self._report.decisions += 1
            command = self._codec().decode(record.command, self._sealer(record))
            return decide_match(state, record.seat, record.player, "", command, roll, keys)
        except CorruptHistory:
            raise
        except StavkaError as error:
            raise WrongRecord("ILLEGAL_DECISION", f"the rules refuse it: {error.reason}: {error}") from error

    def _follow_open(self, record: log_pb2.Record) -> None:
        """Beyond a sealed record: everything open must be of a known shape; only the runtime's own is taken in."""
        codec = self._codec()
        for payload in record.events:
            if not _payload_hidden(payload):
                event = codec.decode(payload)
                if payload.type.startswith(PREFIX):
                    self._note(event)

    def _note(self, event: object) -> None:
        match event:
            case MatchCreated():
                key = _public_key(event)
                if find_game(event.game) is None or event.ruleset not in getattr(find_game(event.game), "rulesets", ()):
                    raise WrongRecord("UNKNOWN_RULESET", f"this build does not know {event.game}/{event.ruleset}")
                if self._seal_key is not None and key_commitment(self._seal_key) != event.seal_commitment:
                    raise WrongRecord("WRONG_SEAL_KEY", "the key disclosed at the end is not the one committed to")
                self._public_key, self._created = key, event
                self._report.game, self._report.ruleset = event.game, f"{event.game}/{event.ruleset}"
                self._report.key_id = event.key_id
            case lobby.SeatTaken() if self._created is not None:
                taken = {**self._entropy, event.seat: event.entropy}
                self._entropy = {seat: taken[seat] for seat in self._created.seats if seat in taken}
            case MatchEnded():
                self._report.ended, self._report.winner, self._report.points = True, event.winner, dict(event.points)

    def _codec(self) -> Codec:
        return codec_of(self._state or MatchState("", game=self._created.game if self._created else ""))

    def _sealer(self, record: log_pb2.Record) -> Sealer | None:
        return Sealer(self._seal_key, record.proposal_id) if self._seal_key else None

    def _keys(self, events: Sequence[object]) -> MatchKeys:
        """What the referee knew besides the table: from the first event, and the seal key from the last."""
        created = next((e for e in events if isinstance(e, MatchCreated)), self._created)
        named = (created.key_id, created.public_key) if created else ("", "")
        return MatchKeys(
            *named, self._seal_key.hex() if self._seal_key else "", created.seal_commitment if created else ""
        )


def _public_key(created: MatchCreated) -> rsa.RSAPublicKey:
    """The key that the match's first event names. Raises WrongRecord."""
    try:
        key = serialization.load_pem_public_key(created.public_key.encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise WrongRecord("NO_KEY", "the match's public key is no key in PEM") from error
    if not isinstance(key, rsa.RSAPublicKey):
        raise WrongRecord("NO_KEY", "the match's key is no RSA key")
    _require(
        public_key_id(key) == created.key_id,
        "WRONG_KEY_ID",
        f"the match's key has the id {public_key_id(key)}, not {created.key_id}",
    )
    return key


def _seal_key(records: Sequence[bytes]) -> bytes | None:
    """The match key that the last record discloses, when the match has ended."""
    for raw in records[-1:]:
        try:
            record = log_pb2.Record.FromString(raw)
        except DecodeError:
            return None
        for payload in record.events:
            if payload.type == PREFIX + MatchEnded.__name__:
                try:
                    return bytes.fromhex(_fields(payload)["seal_key"])
                except (ValueError, KeyError, TypeError):
                    return None
    return None


def _is_hidden(record: log_pb2.Record) -> bool:
    return _payload_hidden(record.command) or any(_payload_hidden(p) for p in record.events)


def _payload_hidden(payload: log_pb2.Payload) -> bool:
    return b'"$sealed"' in payload.data and any(is_sealed(value) for value in _fields(payload).values())


def _fields(payload: log_pb2.Payload) -> dict[str, Any]:
    """The plain data of a payload; none when they are no JSON object, which whoever decodes it will find."""
    try:
        value = from_json(payload.data)
    except DecodeJsonError:
        return {}
    return value if isinstance(value, dict) else {}


def _difference(recorded: list[object], due: list[object]) -> str:
    for number, (have, want) in enumerate(zip(recorded, due, strict=False)):
        if have != want:
            return f"event {number} is {have}, the rules give {want}"
    return f"{len(recorded)} events stand in the record, the rules give {len(due)}"


def _require(holds: bool, reason: str, message: str) -> None:
    if not holds:
        raise WrongRecord(reason, message)
