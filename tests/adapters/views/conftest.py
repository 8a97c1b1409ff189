"""A match log with its projections in a real Redis; for the contract suite embedded as well, behind one face."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from redis.asyncio import Redis
from stavka.bus.memory import MemoryLog
from stavka.bus.sqlite import SqliteLog
from stavka.match.fold import partition_of
from stavka.match.follower import Follower
from stavka.match.ports import EVENTS, PARTITIONS, Log
from stavka.projector import serve
from stavka.views.embedded import EmbeddedStore
from stavka.views.reader import MatchReader
from stavka.views.redis import RedisStore
from stavka.views.store import ProjectionStore

from tests.support.brokers import RedisServer, redis_server
from tests.support.runtime import installed
from tests.views.ambush import SEALING, History, game


@pytest.fixture(autouse=True, scope="module")
def ambush() -> Iterator[None]:
    with installed(game()):
        yield


@pytest.fixture(scope="session")
def redis_() -> Iterator[RedisServer]:
    with ExitStack() as stack:
        with warnings.catch_warnings():
            # Looking for a container engine may leave a socket to the garbage collector.
            warnings.simplefilter("ignore", ResourceWarning)
            server = stack.enter_context(redis_server())
            gc.collect()
        yield server


@pytest.fixture
async def url(redis_: RedisServer) -> str:
    """An empty Redis."""
    async with Redis.from_url(redis_.url) as client:
        await client.flushall()
    return redis_.url


@pytest.fixture
async def store(url: str) -> AsyncIterator[RedisStore]:
    made = RedisStore(url)
    yield made
    await made.close()


@pytest.fixture
async def client(url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(url) as made:
        yield made


@pytest.fixture
async def log() -> AsyncIterator[MemoryLog]:
    made = MemoryLog()
    yield made
    await made.close()


@dataclass
class Setting:
    """A log, and the projections of it."""

    kind: str
    log: MemoryLog | SqliteLog
    store: ProjectionStore
    reader: MatchReader
    _written: dict[str, int] = field(default_factory=dict)

    async def write(self, *histories: History) -> None:
        """Append what the histories have that was not appended yet, and wait until it can be read."""
        await self.append(*histories)
        for history in histories:
            await self.reader.head(history.match_id, len(history.raws), wait=20.0)

    async def append(self, *histories: History) -> None:
        for history in histories:
            start = self._written.get(history.match_id, 0)
            await self.put(history.match_id, history.raws[start:])
            self._written[history.match_id] = len(history.raws)

    async def put(self, match_id: str, raws: Sequence[bytes]) -> None:
        await asyncio.gather(*(self.log.append(EVENTS, partition_of(match_id), raw) for raw in raws))


@asynccontextmanager
async def projecting(log: Log, store: RedisStore, *, count: int = 1) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Projectors at work, settled."""
    settled = [asyncio.Event() for _ in range(count)]
    tasks = [asyncio.create_task(serve(log, store, SEALING, settled=event)) for event in settled]
    try:
        async with asyncio.timeout(20):
            for event in settled:
                await event.wait()
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture(params=["memory", "sqlite", "redis"])
async def setting(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Setting]:
    async with AsyncExitStack() as stack:
        log = SqliteLog(tmp_path) if request.param == "sqlite" else MemoryLog()
        stack.push_async_callback(log.close)
        store: ProjectionStore
        if request.param != "redis":
            follower = Follower(log, SEALING)
            stack.push_async_callback(follower.close)
            store = EmbeddedStore(follower, log)
            follower.start(range(PARTITIONS))
        else:
            server: RedisServer = request.getfixturevalue("redis_")
            async with Redis.from_url(server.url) as client:
                await client.flushall()
            store = RedisStore(server.url)
            stack.push_async_callback(store.close)
            await stack.enter_async_context(projecting(log, store))
        yield Setting(request.param, log, store, MatchReader(store, SEALING))
