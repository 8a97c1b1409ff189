"""The heart of every domain process: judge commands of one topic, propose, and report outcomes only from the log.

A referee proposes on observed state, one proposal in flight per match. It never believes an append: the fold tells
whether the proposal was accepted, lost (then it decides again on the new state) or is unknown (then a barrier record
settles it). After every accepted record of a match whose top frame it owns it makes automatic progress.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Final

import structlog
from google.protobuf.message import DecodeError
from prometheus_client import Counter

from stavka.kernel.errors import CorruptHistory, MalformedCommand, StaleCommand, StavkaError
from stavka.wire.codec import Codec, from_json
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, key_commitment, match_key

from .fold import BARRIER, ENVELOPE, MatchFold, Verdict, command_key, partition_of
from .follower import Accepted, Follower
from .keys import Keyring, Signer
from .lobby import MatchKeys, MatchState, ScriptRead
from .ports import EVENTS, MAX_RECORD_BYTES, REFUSALS, Clock, Entropy, LogUnavailable
from .refusing import dump_of, is_misshapen, notice_of, refusal_of
from .rolls import Cause, SignedRoll, command_digest, seal_roll
from .rulebooks import decide_match, lobby_codec, owner, react_match, rulebook

OUTCOME_WAIT: Final = 2.0  # seconds before an unseen proposal is settled by a barrier
LOG_RETRY: Final = 0.25  # seconds between tries while the log is away
BACKOFF: Final = 0.002  # seconds of jitter for each lost race
BACKOFF_CAP: Final = 0.016
PROPOSALS: Final = Counter("stavka_proposals_total", "Proposals by topic and what became of them", ["topic", "outcome"])

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision that is not in the log yet."""

    events: list[object]
    rolls: list[log_pb2.Roll]
    command: object | None = None


class Referee:
    """Judges the commands of `topic`. `handle` is the intake's handler, `gate` its on_assigned.

    `locks`, shared by the referees of a process, should hold its values weakly: a match needs its lock only while one
    of them is at work on it.
    """

    def __init__(
        self,
        topic: str,
        follower: Follower,
        keyring: Keyring,
        clock: Clock,
        entropy: Entropy,
        writer: str,
        locks: MutableMapping[str, asyncio.Lock],
    ) -> None:
        self.topic = topic
        self._follower = follower
        self._keyring = keyring
        self._clock = clock
        self._entropy = entropy
        self._writer = writer
        self._locks = locks
        self._owned: frozenset[int] = frozenset()
        self._progress: set[asyncio.Task[None]] = set()
        follower.listeners.append(self._on_accepted)

    async def gate(self, partitions: frozenset[int]) -> None:
        """Take over partitions: fold them to their end, then go on with every match that waits for this topic."""
        self._owned = frozenset()
        self._follower.start(partitions)
        await self._follower.caught_up(partitions)
        self._owned = partitions
        for fold in list(self._follower.book.matches.values()):
            self._progress_later(fold)

    async def handle(self, partition: int, raw: bytes) -> None:
        """Judge one command; return when its outcome stands in the log. Never raises (but for cancellation)."""
        try:
            command = log_pb2.Command.FromString(raw)
        except DecodeError:
            logger.warning("not a command", topic=self.topic, partition=partition, size=len(raw))
            return
        if partition_of(command.match_id) != partition or is_misshapen(command):
            logger.warning("misplaced command", topic=self.topic, partition=partition, match_id=command.match_id[:64])
            return
        key = command_key(command.player, command.seat, command.command_id)
        async with self._lock(command.match_id):
            try:
                attempt = 0
                while not self._follower.is_answered(command.match_id, key):
                    if attempt:
                        await asyncio.sleep(min(BACKOFF * attempt, BACKOFF_CAP) * random.random())
                    attempt += 1
                    await self._judge(command, partition)
            except Exception as bug:  # noqa: BLE001 (logged there; one command must not end the process)
                await self._refuse_broken(command, partition, bug)

    async def close(self) -> None:
        for task in self._progress:
            task.cancel()
        await asyncio.gather(*self._progress, return_exceptions=True)

    async def _judge(self, command: log_pb2.Command, partition: int) -> None:
        """One attempt at a command: propose its events, or write its refusal.

        The log checks what an acceptance builds on, but nothing checks a refusal: it is written only if the match still
        stands where it was judged when all that is in the log has been folded. Whoever sent the command may have seen
        more than this process had, and then it is judged again.
        """
        fold = self._follower.book.fold_of(command.match_id)
        version = fold.version
        try:
            if fold.trouble:
                raise CorruptHistory("QUARANTINED", "this match is in quarantine; an administrator has been told")
            known, _ = _known_to_sender(fold, command)
            if command.HasField("expected_version") and command.expected_version != known:
                raise StaleCommand("STALE_VERSION", f"the match is at version {known}", current=known)
            record = self._record(fold, self._decide(fold, command), command)
        except StavkaError as error:
            refusal = error
        except Exception as bug:  # noqa: BLE001 (logged there)
            refusal = self._incident(command, bug)
        else:
            await self._propose(record, partition)
            return
        await self._catch_up(partition)
        now = self._follower.book.fold_of(command.match_id)
        if now.version == version:
            await self._refuse(command, now, refusal, partition)

    def _incident(self, command: log_pb2.Command, bug: Exception) -> StavkaError:
        """What the sender of a command is told of a bug that it met; the log entry of the same number says the rest."""
        incident = self._entropy.token_bytes(4).hex()
        logger.error(
            "a command broke the referee", incident=incident, topic=self.topic, match_id=command.match_id,
            command_id=command.command_id, exc_info=bug,
        )  # fmt: skip
        return StavkaError("INTERNAL", f"something went wrong here; incident {incident}", incident=incident)

    async def _refuse_broken(self, command: log_pb2.Command, partition: int, bug: Exception) -> None:
        """Refuse a command whose judgement ended in a bug, without judging any more."""
        refusal = self._incident(command, bug)
        try:
            await self._refuse(command, self._follower.book.fold_of(command.match_id), refusal, partition)
        except Exception:  # (nothing is left to tell the sender by; the next commands must not wait for this one)
            logger.exception("a command is left without an outcome", incident=refusal.details["incident"])

    async def _catch_up(self, partition: int) -> None:
        """Fold everything that stands in the log by now; wait for a log that is away."""
        while True:
            try:
                return await self._follower.caught_up((partition,))
            except LogUnavailable as error:
                logger.warning("the log is away", topic=self.topic, partition=partition, error=str(error))
                await asyncio.sleep(LOG_RETRY)

    def _decide(self, fold: MatchFold, command: log_pb2.Command) -> Decided:
        state = fold.state or MatchState(fold.match_id)
        codec = codec_of(state)
        value = codec.command(command.command.type, from_json(command.command.data) if command.command.data else {})
        key = match_key(self._keyring.sealing, fold.match_id)
        digest = command_digest(fold.match_id, command.command_id, command.seat, command.command.type, value, key)
        roll = SignedRoll(
            self._signer(state),
            Cause(fold.match_id, state.entropy, "command", digest),
            state.script[state.script_used :],
        )
        events = decide_match(
            state, command.seat, command.player, command.decision_id, value, roll, self._keys(fold.match_id, state)
        )
        return _with_script(events, roll, value)

    def _signer(self, state: MatchState) -> Signer:
        return self._keyring.signer(state.key_id or self._keyring.current)

    def _keys(self, match_id: str, state: MatchState) -> MatchKeys:
        signer, key = self._signer(state), match_key(self._keyring.sealing, match_id)
        return MatchKeys(signer.key_id, signer.public_pem, key.hex(), key_commitment(key))

    def _record(self, fold: MatchFold, decided: Decided, command: log_pb2.Command | None) -> log_pb2.Record:
        """The record of a decision. Raises MalformedCommand(COMMAND_TOO_LARGE) when it is more than the log takes."""
        state = fold.state or MatchState(fold.match_id)
        now_ms = self._clock.now_ms()
        proposal_id = self._attempt(fold, command.command_id if command is not None else "", now_ms)
        sealer = Sealer(match_key(self._keyring.sealing, fold.match_id), proposal_id)
        codec = codec_of(state)
        record = log_pb2.Record(
            envelope_version=ENVELOPE,
            match_id=fold.match_id,
            base_version=fold.version,
            base_hash=fold.head,
            proposal_id=proposal_id,
            topic=self.topic,
            writer=self._writer,
            ruleset=f"{state.game}/{state.ruleset}" if state.game else "",
            decided_at_ms=now_ms,
            events=[codec.encode(event, sealer, f"event {n}") for n, event in enumerate(decided.events)],
            rolls=[seal_roll(roll, sealer, n) for n, roll in enumerate(decided.rolls)],
        )
        if command is not None:
            record.command_id, record.seat, record.player = command.command_id, command.seat, command.player
            record.command.CopyFrom(codec.encode(decided.command, sealer, "command"))
        if record.ByteSize() > MAX_RECORD_BYTES:
            raise MalformedCommand("COMMAND_TOO_LARGE", "what comes of this command does not fit a record of the log")
        return record

    async def _propose(self, record: log_pb2.Record, partition: int) -> Verdict:
        """Append a decision's record and wait for the fold's verdict on it."""
        verdict = await self._settle(record, partition)
        PROPOSALS.labels(self.topic, verdict.value).inc()
        return verdict

    def _attempt(self, fold: MatchFold, command_id: str, now_ms: int) -> str:
        """Id of an attempt: no two differ in what they propose and share it, and a replayed run has the same ones."""
        attempt = f"{self._writer}\n{fold.match_id}\n{fold.head.hex()}\n{command_id}\n{now_ms}"
        return hashlib.sha256(attempt.encode()).hexdigest()[:32]

    async def _settle(self, record: log_pb2.Record, partition: int) -> Verdict:
        """Append until the log has told what became of the proposal. Only the log knows."""
        raw = record.SerializeToString()
        verdict = self._follower.verdict(record.proposal_id)
        while not verdict.done():
            await self._append(EVENTS, partition, raw)
            done, _ = await asyncio.wait([verdict], timeout=OUTCOME_WAIT)
            if not done:
                await self._pass_barrier(record.match_id, partition, verdict)
        return verdict.result()

    async def _pass_barrier(self, match_id: str, partition: int, verdict: asyncio.Future[Verdict]) -> None:
        """Wait until `verdict` is known or a record written later has passed by: then the proposal is not there."""
        barrier = log_pb2.Record(
            envelope_version=BARRIER, match_id=match_id, proposal_id=self._entropy.token_bytes(16).hex()
        )
        passed = self._follower.verdict(barrier.proposal_id)
        while not passed.done() and not verdict.done():
            await self._append(EVENTS, partition, barrier.SerializeToString())
            await asyncio.wait([verdict, passed], timeout=OUTCOME_WAIT, return_when=asyncio.FIRST_COMPLETED)
        passed.cancel()

    async def _refuse(self, command: log_pb2.Command, fold: MatchFold, error: StavkaError, partition: int) -> None:
        refusal = refusal_of(command, *_known_to_sender(fold, command), error)
        key = command_key(command.player, command.seat, command.command_id)
        outcome = self._follower.outcome(command.match_id, key)
        while not self._follower.is_answered(command.match_id, key):
            await self._append(REFUSALS, partition, refusal.SerializeToString())
            await asyncio.wait([outcome], timeout=OUTCOME_WAIT)
        outcome.cancel()
        PROPOSALS.labels(self.topic, "refused").inc()

    async def _append(self, topic: str, partition: int, raw: bytes) -> None:
        """Append; an unavailable log means unknown, and the caller looks at the log anyway."""
        try:
            await self._follower.log.append(topic, partition, raw)
        except LogUnavailable as error:
            logger.warning("append unknown", topic=topic, partition=partition, error=str(error))
            await asyncio.sleep(LOG_RETRY)

    def _on_accepted(self, news: Accepted) -> None:
        self._progress_later(news.fold)

    def _progress_later(self, fold: MatchFold) -> None:
        if fold.state is None or owner(fold.state) != self.topic or partition_of(fold.match_id) not in self._owned:
            return
        task = asyncio.create_task(self._make_progress(fold), name=f"progress {fold.match_id}")
        self._progress.add(task)
        task.add_done_callback(self._progress.discard)

    async def _make_progress(self, fold: MatchFold) -> None:
        """Propose automatic progress until a seat must act or another topic owns the top frame."""
        async with self._lock(fold.match_id):
            try:
                while (record := self._progress_of(fold)) is not None:
                    await self._propose(record, partition_of(fold.match_id))
            except Exception as bug:  # noqa: BLE001 (logged there; all other matches go on)
                await self._quarantine(fold, bug)

    def _progress_of(self, fold: MatchFold) -> log_pb2.Record | None:
        """The record of the automatic progress that this process has to make now, if there is any."""
        state = fold.state
        if state is None or owner(state) != self.topic:
            return None
        roll = SignedRoll(
            self._signer(state),
            Cause(fold.match_id, state.entropy, "batch", fold.head),
            state.script[state.script_used :],
        )
        decided = _with_script(react_match(state, roll, self._keys(fold.match_id, state)), roll)
        return self._record(fold, decided, None) if decided.events else None

    async def _quarantine(self, fold: MatchFold, bug: Exception) -> None:
        """Tell every process that the match stands still at this version, and leave a dump of it in the server's log."""
        version, head = fold.version, fold.head
        incident = self._entropy.token_bytes(4).hex()
        logger.error(
            "match in quarantine", incident=incident, topic=self.topic, match_id=fold.match_id, version=version,
            head=head.hex(), dump=dump_of(fold), exc_info=bug,
        )  # fmt: skip
        notice = notice_of(
            fold.match_id, version, head, f"automatic progress broke ({type(bug).__name__}); incident {incident}"
        )
        try:
            while fold.version == version and not fold.stuck:
                await self._append(REFUSALS, partition_of(fold.match_id), notice.SerializeToString())
                await self._catch_up(partition_of(fold.match_id))
        except Exception:  # (the match stands still all the same; a task has nobody to raise to)
            logger.exception("nobody else knows of a quarantine", incident=incident, match_id=fold.match_id)

    def _lock(self, match_id: str) -> asyncio.Lock:
        return self._locks.setdefault(match_id, asyncio.Lock())


def _known_to_sender(fold: MatchFold, command: log_pb2.Command) -> tuple[int, bytes]:
    """Version and head that a refusal may tell: those of the sender's own seat; 0 and nothing without it."""
    if fold.state is None or not fold.state.holds(command.player, command.seat):
        return 0, b""
    return fold.known_to(command.seat)


def codec_of(state: MatchState) -> Codec:
    """The codec for a match's commands and events: its game's, or the runtime's own before it is created."""
    return rulebook(state.game).codec if state.game else lobby_codec()


def _with_script(events: list[object], roll: SignedRoll, command: object | None = None) -> Decided:
    return Decided([*events, ScriptRead(roll.scripted)] if roll.scripted else events, roll.proofs, command)
