"""The projector: follows the log and keeps the projections equal to it.

Start, a lost Redis, a gap and a foreign history are one and the same work, `settle`: fold the log to its end, compare
with what the store held before that, forget what is not of this log, write what is missing. In between every chunk of
the log becomes one pipelined write, versions in order; the next chunk is read meanwhile and no further, so a slow store
slows the reading and fills no memory. Several projectors may work on the same partitions.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Final, TypeVar

import structlog
from prometheus_client import Counter

from stavka.match.fold import Book, Verdict, partition_of
from stavka.match.ports import EVENTS, Entry, Log, LogUnavailable
from stavka.views.errors import StoreUnavailable
from stavka.views.store import ENDED, ProjectionSink, Saved, StoredHead, Update

from .fold import Projection
from .stretch import closable, stretch

T = TypeVar("T")

RETRY: Final = 0.25  # seconds between tries while log or store are away
LOOK: Final = 1.0  # seconds between looks whether the store still holds what was written
UPDATES: Final = Counter(
    "stavka_projection_updates_total", "Updates written to the projections, by outcome", ["outcome"]
)
REBUILT: Final = Counter("stavka_projection_rebuilt_total", "Matches rebuilt from the log")

logger = structlog.get_logger(__name__)


class Projector:
    """Projects `partitions` of `log` into `sink`."""

    def __init__(self, log: Log, sink: ProjectionSink, sealing_key: bytes, partitions: Iterable[int]) -> None:
        self.projection = Projection(sealing_key)
        self._log = log
        self._sink = sink
        self._next = dict.fromkeys(partitions, 0)
        self._epoch = ""
        self._doubt = True

    async def run(self, settled: asyncio.Event | None = None) -> None:
        """Project for ever. `settled` is set each time the store has become equal to the log."""
        while True:
            try:
                await self.settle()
                if settled is not None:
                    settled.set()
                async with aclosing(closable(self._log.follow(EVENTS, dict(self._next)))) as chunks:
                    await self._live(chunks)
            except LogUnavailable as error:
                logger.warning("the log is away", error=str(error))
                await asyncio.sleep(RETRY)

    async def settle(self) -> None:
        """Make the store equal to the log as it stands now. Raises LogUnavailable; waits for the store."""
        self._epoch = await self._patient(self._sink.epoch)
        stored = await self._patient(self._sink.heads)
        ends = {partition: await self._log.end(EVENTS, partition) for partition in self._next}
        async for chunk in stretch(self._log, self._next, ends):
            for entry in chunk:
                self._next[entry.partition] = entry.offset + 1
            self.projection.fold(chunk)
            await asyncio.sleep(0)
        self._doubt = False
        archived = {match_id for match_id, head in stored.items() if head.archived}
        missing = await self._compare({m: head for m, head in stored.items() if partition_of(m) in self._next})
        while missing:
            archived -= set(missing)
            logger.info("rebuilding matches", count=len(missing))
            REBUILT.inc(len(missing))
            missing = await self._rewrite(missing)
        ended = [m for m in self.projection.book.matches if self.projection.is_ended(m)]
        for match_id in ended:
            if match_id not in archived:
                await self._archive(match_id)
        self.projection.let_go(ended)

    async def _live(self, chunks: AsyncGenerator[Sequence[Entry]]) -> None:
        """Write what comes; return when the store has to be settled again."""
        clock = asyncio.get_running_loop().time
        upcoming = asyncio.ensure_future(anext(chunks))
        looked = clock()
        try:
            while not self._doubt:
                done, _ = await asyncio.wait({upcoming}, timeout=LOOK)
                if clock() >= looked + LOOK:
                    if await self._patient(self._sink.epoch) != self._epoch:
                        self._doubt = True
                    looked = clock()
                if not done or self._doubt:
                    continue
                chunk = upcoming.result()
                upcoming = asyncio.ensure_future(anext(chunks))
                for entry in chunk:
                    self._next[entry.partition] = entry.offset + 1
                await self._write(self.projection.take(chunk))
        finally:
            upcoming.cancel()
            await asyncio.gather(upcoming, return_exceptions=True)

    async def _write(self, updates: Sequence[Update]) -> None:
        if not updates:
            return
        outcomes = await self._save(updates)
        broken = [u.match_id for u, o in zip(updates, outcomes, strict=True) if o in (Saved.GAP, Saved.FORK)]
        if broken:
            logger.warning("projections differ from the log", matches=broken[:10], count=len(broken))
            self._doubt = True
        ended = [u.match_id for u in updates if u.entry is not None and u.entry.status == ENDED]
        for match_id in ended:
            if match_id not in broken:
                await self._archive(match_id)
        self.projection.let_go(ended)

    async def _compare(self, stored: Mapping[str, StoredHead]) -> dict[str, int]:
        """Delete what is not of this log; return match -> version that the store has, where some are missing."""
        folds = self.projection.book.matches
        foreign = [
            match_id for match_id, head in stored.items()
            if match_id not in folds
            or head.version > folds[match_id].version
            or (head.version == folds[match_id].version and (head.head != folds[match_id].head or not head.listed))
        ]  # fmt: skip
        await self._delete({match_id: stored[match_id].head for match_id in foreign})
        have = {m: 0 if m not in stored or m in set(foreign) else stored[m].version for m in folds}
        return {match_id: version for match_id, version in have.items() if version < folds[match_id].version}

    async def _rewrite(self, missing: Mapping[str, int]) -> dict[str, int]:
        """Read the log again and write the missing versions; return what has to be written from its beginning."""
        broken: set[str] = set()
        partitions = {partition_of(match_id) for match_id in missing}
        envelopes = Book(None)
        async for chunk in stretch(self._log, {}, {p: self._next[p] for p in partitions}):
            updates: dict[str, list[bytes]] = {}
            before: dict[str, tuple[int, bytes]] = {}
            for entry in chunk:
                verdict, record, _ = envelopes.take(entry.partition, entry.value)
                if verdict is not Verdict.ACCEPTED or record is None:
                    continue
                if record.match_id not in missing or record.base_version < missing[record.match_id]:
                    continue
                updates.setdefault(record.match_id, []).append(entry.value)
                before.setdefault(record.match_id, (record.base_version, record.base_hash))
            news = [
                self._part(match_id, *before[match_id], tuple(raws), envelopes.matches[match_id].head)
                for match_id, raws in updates.items() if match_id not in broken
            ]  # fmt: skip
            for update, outcome in zip(news, await self._save(news) if news else (), strict=True):
                if outcome in (Saved.GAP, Saved.FORK):
                    broken.add(update.match_id)
        await self._delete(dict.fromkeys(broken, None))
        return dict.fromkeys(broken, 0)

    def _part(self, match_id: str, base: int, base_head: bytes, records: tuple[bytes, ...], head: bytes) -> Update:
        """An update of a rebuild: entry and position come with the last of its records, not before."""
        is_last = base + len(records) == self.projection.book.matches[match_id].version
        entry = self.projection.entry(match_id) if is_last else None
        blob = self.projection.position(match_id) if is_last else b""
        return Update(match_id, base, base_head, records, head, entry, blob)

    async def _save(self, updates: Sequence[Update]) -> Sequence[Saved]:
        outcomes = await self._patient(lambda: self._sink.save(updates))
        for outcome in outcomes:
            UPDATES.labels(outcome.value).inc()
        return outcomes

    async def _archive(self, match_id: str) -> None:
        await self._patient(lambda: self._sink.archive(match_id))

    async def _delete(self, matches: Mapping[str, bytes | None]) -> None:
        if matches:
            logger.warning("forgetting projections that are not of this log", count=len(matches))
            await self._patient(lambda: self._sink.delete(matches))

    async def _patient(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The store's answer, however long it takes. After a pause the store is doubted: it may have lost something."""
        while True:
            try:
                return await ask()
            except StoreUnavailable as error:
                logger.warning("the projections are away", error=str(error))
                self._doubt = True
                await asyncio.sleep(RETRY)
