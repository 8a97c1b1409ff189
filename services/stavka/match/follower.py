"""Follows the log: the one place of a process where records become matches, outcomes and news.

A `Follower` reads the events and refusals of its partitions, in order, into a `Book`, wakes whoever waits for an
outcome, and tells its listeners about every accepted record. Nothing is known to a process before it passes here.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass
from typing import Final

import structlog
from google.protobuf.message import DecodeError
from prometheus_client import Counter

from stavka.wire.gen.stavka.log.v1 import log_pb2

from .fold import Book, MatchFold, Verdict, command_key, partition_of
from .ports import EVENTS, REFUSALS, Log, LogUnavailable
from .refused import RefusedCommands
from .refusing import is_notice

RECENT_REFUSALS: Final = 10_000  # a process has these at hand; older ones are read back from the log
RECORDS: Final = Counter("stavka_records_total", "Records of the events topic by verdict of the fold", ["verdict"])

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Accepted:
    """News of one accepted record. `fold` is live: its version may have moved on by the time it is looked at."""

    fold: MatchFold
    record: log_pb2.Record
    raw: bytes
    events: list[object]
    version: int
    head: bytes
    offset: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The one answer to a command: accepted as `version` (with the head after it), or refused."""

    version: int
    head: bytes
    refusal: log_pb2.Refusal | None = None


Listener = Callable[[Accepted], None]
StuckListener = Callable[[MatchFold], None]


class Follower:
    """Folds the partitions it is given. Call `start` for partitions, `caught_up` before deciding on them."""

    def __init__(self, log: Log, sealing_key: bytes | None) -> None:
        self.log = log
        self.book = Book(sealing_key)
        self.listeners: list[Listener] = []
        self.stuck_listeners: list[StuckListener] = []
        self._positions: dict[tuple[str, int], int] = {}
        self._tasks: dict[int, list[asyncio.Task[None]]] = {}
        self._moved = asyncio.Condition()
        self._outcomes: dict[tuple[str, int], list[asyncio.Future[Outcome]]] = {}
        self._proposals: dict[str, asyncio.Future[Verdict]] = {}
        self._refused = RefusedCommands()
        self._recent: OrderedDict[tuple[str, int], log_pb2.Refusal] = OrderedDict()
        self._notices: dict[str, log_pb2.Refusal] = {}
        self._reading_back = asyncio.Lock()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def start(self, partitions: Iterable[int]) -> None:
        """Follow these partitions, from their beginning, besides those followed already."""
        new = sorted(set(partitions) - set(self._tasks))
        if not new:
            return
        tasks = [asyncio.create_task(self._follow(topic, new), name=f"follow {topic}") for topic in (EVENTS, REFUSALS)]
        for partition in new:
            self._tasks[partition] = tasks

    async def caught_up(self, partitions: Iterable[int]) -> None:
        """Wait until everything that stood in the log when this was called has been folded."""
        for partition in partitions:
            for topic in (EVENTS, REFUSALS):
                end = await self.log.end(topic, partition)
                async with self._moved:
                    while self._positions.get((topic, partition), 0) < end:
                        await self._moved.wait()

    def is_answered(self, match_id: str, key: int) -> bool:
        """Whether a command has been accepted or refused."""
        accepted = self.book.fold_of(match_id).version_of(key) is not None
        return accepted or self._refused.offset_of(match_id, key) is not None

    def outcome_of(self, match_id: str, key: int) -> Outcome | None:
        """The answer to a command, if it has one and it is at hand: all but old refusals are (`recall` reads those).

        Acceptance beats a refusal that a second judge wrote.
        """
        fold = self.book.fold_of(match_id)
        version = fold.version_of(key)
        if version is not None:
            return Outcome(version, b"")  # (whether the head is still the same tells whether somebody acted in secret)
        refusal = self._recent.get((match_id, key))
        return Outcome(refusal.version, refusal.head, refusal) if refusal else None

    async def recall(self, match_id: str, key: int) -> Outcome | None:
        """The answer to a command, however old; None when it has none. Raises LogUnavailable."""
        known = self.outcome_of(match_id, key)
        offset = self._refused.offset_of(match_id, key)
        if known is not None or offset is None:
            return known
        async with self._reading_back:
            raw = await self._read_back(partition_of(match_id), offset)
        refusal = log_pb2.Refusal.FromString(raw)
        return Outcome(refusal.version, refusal.head, refusal)

    async def _read_back(self, partition: int, offset: int) -> bytes:
        chunks = self.log.follow(REFUSALS, {partition: offset})
        try:
            async for chunk in chunks:
                return chunk[0].value
        finally:
            if isinstance(chunks, AsyncGenerator):
                await chunks.aclose()
        raise LogUnavailable(f"{REFUSALS}/{partition} ended before record {offset}")

    def outcome(self, match_id: str, key: int) -> asyncio.Future[Outcome]:
        """A future of the answer to a command; of an old refusal that is not at hand it never comes (`recall`)."""
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        known = self.outcome_of(match_id, key)
        if known is not None:
            future.set_result(known)
            return future
        waiting = self._outcomes.setdefault((match_id, key), [])
        waiting.append(future)
        future.add_done_callback(lambda done: self._drop(match_id, key, done))
        return future

    def verdict(self, proposal_id: str) -> asyncio.Future[Verdict]:
        """A future of what the fold says when this proposal passes by. Cancel it to stop waiting."""
        future: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self._proposals[proposal_id] = future
        future.add_done_callback(lambda _: self._proposals.pop(proposal_id, None))
        return future

    async def close(self) -> None:
        tasks = {task for group in self._tasks.values() for task in group}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, topic: str, partitions: list[int]) -> None:
        take = self._event if topic == EVENTS else self._refusal
        try:
            async for chunk in self.log.follow(topic, dict.fromkeys(partitions, 0)):
                for entry in chunk:
                    take(entry.partition, entry.offset, entry.value)
                    self._positions[topic, entry.partition] = entry.offset + 1
                async with self._moved:
                    self._moved.notify_all()
                await asyncio.sleep(0)
        except Exception as error:
            logger.exception("follower failed", topic=topic)
            if not self.failed.done():
                self.failed.set_exception(error)

    def _event(self, partition: int, offset: int, raw: bytes) -> None:
        verdict, record, events = self.book.take(partition, raw)
        RECORDS.labels(verdict.value).inc()
        if record is None:
            logger.warning("not a record", partition=partition, offset=offset, size=len(raw))
            return
        if verdict in (Verdict.FORK, Verdict.FUTURE):
            logger.error(
                "bogus record", verdict=verdict.value, match_id=record.match_id, writer=record.writer, offset=offset
            )
        if verdict is Verdict.ACCEPTED:
            fold = self.book.fold_of(record.match_id)
            self._heed_notice(fold)
            if fold.quarantine:
                logger.error("match in quarantine", match_id=fold.match_id, reason=fold.quarantine)
            if record.command_id:
                key = command_key(record.player, record.seat, record.command_id)
                self._resolve(record.match_id, key, Outcome(fold.version, fold.head))
            news = Accepted(fold, record, raw, events, fold.version, fold.head, offset)
            for listener in self.listeners:
                listener(news)
        future = self._proposals.get(record.proposal_id)
        if future is not None and not future.done():
            future.set_result(verdict)

    def _refusal(self, partition: int, offset: int, raw: bytes) -> None:
        try:
            refusal = log_pb2.Refusal.FromString(raw)
        except DecodeError:
            logger.warning("not a refusal", partition=partition, offset=offset, size=len(raw))
            return
        if partition_of(refusal.match_id) != partition:
            return
        if is_notice(refusal):
            self._notices[refusal.match_id] = refusal
            self._heed_notice(self.book.fold_of(refusal.match_id))
            return
        key = command_key(refusal.player, refusal.seat, refusal.command_id)
        if not self._refused.add(refusal.match_id, key, offset):
            return
        self._recent[refusal.match_id, key] = refusal
        if len(self._recent) > RECENT_REFUSALS:
            self._recent.popitem(last=False)
        self._resolve(refusal.match_id, key, Outcome(refusal.version, refusal.head, refusal))

    def _heed_notice(self, fold: MatchFold) -> None:
        """Take over a notice that the match stands still, at the very version and head that it was written of."""
        notice = self._notices.get(fold.match_id)
        if notice is None or notice.version > fold.version:
            return
        del self._notices[fold.match_id]
        if notice.version == fold.version and notice.head == fold.head:
            fold.stuck = notice.message
            logger.error("match stands still", match_id=fold.match_id, reason=fold.stuck)
            for listener in self.stuck_listeners:
                listener(fold)

    def _resolve(self, match_id: str, key: int, outcome: Outcome) -> None:
        for future in self._outcomes.pop((match_id, key), []):
            if not future.done():
                future.set_result(outcome)

    def _drop(self, match_id: str, key: int, future: asyncio.Future[Outcome]) -> None:
        waiting = self._outcomes.get((match_id, key))
        if waiting is not None and future in waiting:
            waiting.remove(future)
            if not waiting:
                del self._outcomes[match_id, key]
