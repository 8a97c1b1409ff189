"""Projections of an embedded process: the follower's own folds, and raw records read back from the log on demand.

Kept for each match: its fold (the follower's), and the offsets of its accepted records, 8 bytes each. Make the store
before the follower is started, or it misses records.
"""

from __future__ import annotations

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, Protocol

from stavka.match.fold import MatchFold, partition_of
from stavka.match.follower import Accepted, Follower
from stavka.match.ports import EVENTS, LogUnavailable
from stavka.match.ports import Entry as LogEntry

from . import position
from .errors import StoreUnavailable
from .index import Entries, page_of
from .store import ENDED, Entry, Head, Page, Position, Query

RECENT_BYTES: Final = 8 * 1_048_576
"""Of the newest records, over all matches, kept in memory: those that watchers are about to ask for."""


class RandomAccess(Protocol):
    """What an embedded log can do besides `Log`."""

    async def read(self, topic: str, partition: int, offsets: Sequence[int]) -> Sequence[LogEntry]:
        """The entries at these offsets, in their order. Raises LogUnavailable."""


class EmbeddedStore:
    """`ProjectionStore` over the follower of the same process and loop."""

    def __init__(self, follower: Follower, log: RandomAccess) -> None:
        self._book = follower.book
        self._log = log
        self._entries = Entries()
        self._offsets: dict[str, array[int]] = {}
        self._waiting: dict[str, list[tuple[int, asyncio.Future[None]]]] = {}
        self._recent: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._recent_bytes = 0
        follower.listeners.append(self._on_accepted)
        follower.stuck_listeners.append(self._on_stuck)

    def live(self, match_id: str) -> MatchFold | None:
        """The fold itself. It moves on: read it without awaiting, never change it."""
        return self._book.matches.get(match_id)

    async def head(self, match_id: str) -> Head | None:
        fold = self.live(match_id)
        if fold is None:
            return None
        if fold.state is not None:
            ended, delay = fold.state.ended is not None, fold.state.spectator_delay
            return Head(fold.version, fold.head, ended, delay, fold.trouble)
        entry = self._entries.of(fold)
        return Head(fold.version, fold.head, entry.status == ENDED, entry.spectator_delay, fold.trouble)

    async def entry(self, match_id: str) -> Entry | None:
        fold = self.live(match_id)
        return None if fold is None else self._entries.of(fold)

    async def position(self, match_id: str) -> Position | None:
        fold = self.live(match_id)
        if fold is None:
            return None
        if fold.state is None or fold.state.is_put_away:
            return Position(0, b"")
        return Position(fold.version, position.encode(fold.state))

    async def records(self, match_id: str, after: int, limit: int) -> Sequence[bytes]:
        offsets = self._offsets.get(match_id, array("Q"))[after : after + limit]
        if not offsets:
            return ()
        recent = [self._recent.get((match_id, version)) for version in range(after + 1, after + len(offsets) + 1)]
        if None not in recent:
            return [raw for raw in recent if raw is not None]
        try:
            entries = await self._log.read(EVENTS, partition_of(match_id), offsets)
        except LogUnavailable as error:
            raise StoreUnavailable(str(error)) from error
        return [entry.value for entry in entries]

    async def find(self, query: Query) -> Page:
        return page_of((self._entries.of(fold) for fold in self._book.matches.values()), query)

    async def changed(self, match_id: str, after: int, timeout: float) -> bool:
        fold = self.live(match_id)
        if fold is not None and fold.version > after:
            return True
        waiter: tuple[int, asyncio.Future[None]] = (after, asyncio.get_running_loop().create_future())
        waiting = self._waiting.setdefault(match_id, [])
        waiting.append(waiter)
        try:
            async with asyncio.timeout(timeout):
                await waiter[1]
        except TimeoutError:
            return False
        finally:
            waiting.remove(waiter)
            if not waiting and self._waiting.get(match_id) is waiting:
                del self._waiting[match_id]
        return True

    async def close(self) -> None:
        """Nothing is held."""

    def _on_accepted(self, news: Accepted) -> None:
        match_id = news.record.match_id
        self._entries.note(news.fold, news.record.decided_at_ms, news.events)
        self._offsets.setdefault(match_id, array("Q")).append(news.offset)
        self._recent[match_id, news.version] = news.raw
        self._recent_bytes += len(news.raw)
        while self._recent_bytes > RECENT_BYTES:
            self._recent_bytes -= len(self._recent.popitem(last=False)[1])
        for after, future in self._waiting.get(match_id, ()):
            if news.version > after and not future.done():
                future.set_result(None)

    def _on_stuck(self, fold: MatchFold) -> None:
        for _, future in self._waiting.get(fold.match_id, ()):
            if not future.done():
                future.set_result(None)
