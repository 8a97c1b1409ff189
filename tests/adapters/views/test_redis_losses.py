"""Projections in Redis when the log, the Redis, a message or a reader is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress

import pytest
from redis.asyncio import Redis
from stavka.bus.memory import MemoryLog
from stavka.kernel.visibility import ARBITER
from stavka.match.ports import PARTITIONS, LogUnavailable
from stavka.match.ports import Entry as LogEntry
from stavka.projector import differences
from stavka.views import redis_keys
from stavka.views.errors import StoreUnavailable
from stavka.views.reader import MatchReader
from stavka.views.redis import RedisStore
from stavka.views.store import Saved

from tests.adapters.views.conftest import projecting
from tests.adapters.views.writing import MATCH, OTHER, eventually, update, write
from tests.support.brokers import RedisServer, redis_server
from tests.views.ambush import SEALING, History


class FlakyLog(MemoryLog):
    """Goes away `times` times, each time after the first chunk."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def follow(self, topic: str, start: Mapping[int, int]) -> AsyncGenerator[Sequence[LogEntry]]:
        async with aclosing(super().follow(topic, start)) as chunks:
            async for chunk in chunks:
                yield chunk
                if self.times:
                    self.times -= 1
                    raise LogUnavailable("away")


class TestLosses:
    async def test_a_log_that_goes_away_is_followed_from_where_it_was(self, store: RedisStore) -> None:
        log = FlakyLog(3)
        history = History(MATCH).seated()
        await write(log, history)
        async with projecting(log, store):
            for version in range(4, 12):
                await write(log, history.turns(1), start=version - 1)
                assert await store.changed(MATCH, version - 1, 20)
            assert log.times == 0
            assert await differences(log, store, SEALING, range(PARTITIONS)) == []
        await log.close()

    @pytest.fixture
    def server(self, redis_: RedisServer) -> Iterator[RedisServer]:
        """A Redis of the test's own, to be killed."""
        with redis_server() as own:
            if own.node is None:
                pytest.fail("a Redis in a container cannot be killed and restarted on its port")
            yield own

    async def test_everything_lost_while_nothing_happens_comes_back(
        self, log: MemoryLog, store: RedisStore, client: Redis
    ) -> None:
        await write(log, History(MATCH).seated().turns(20), History(OTHER).seated().ended())
        async with projecting(log, store):
            await client.flushall()

            async def back() -> bool:
                return len(await store.heads()) == 2

            await eventually(back)
            assert await differences(log, store, SEALING, range(PARTITIONS)) == []

    async def test_a_killed_redis_is_rebuilt_and_the_waiting_go_on(self, log: MemoryLog, server: RedisServer) -> None:
        assert server.node is not None
        store = RedisStore(server.url)
        history = History(MATCH).seated().turns(20)
        await write(log, history)
        async with projecting(log, store):
            reader = MatchReader(store, SEALING)
            assert (await reader.state(MATCH)).version == 23
            server.node.kill()
            with pytest.raises(StoreUnavailable):
                await reader.state(MATCH)
            with pytest.raises(StoreUnavailable):
                await store.changed(MATCH, 23, 20)
            await write(log, history.turns(1), start=23)
            server.node.start()

            async def back() -> bool:
                with suppress(StoreUnavailable):
                    found = await store.head(MATCH)
                    return found is not None and found.version == 24
                return False

            await eventually(back)
            assert await differences(log, store, SEALING, range(PARTITIONS)) == []
            waiting = asyncio.create_task(store.changed(MATCH, 24, 20))
            await write(log, history.turns(1), start=24)
            assert await waiting
        await store.close()

    async def test_what_was_seen_before_the_loss_is_away_not_unknown(
        self, log: MemoryLog, store: RedisStore, client: Redis
    ) -> None:
        """A reader that has shown a version, and a stream that has come to it, never say that there is no such match."""
        history = History(MATCH).seated().turns(6)
        await write(log, history)
        last = len(history.raws)
        async with projecting(log, store):
            reader = MatchReader(store, SEALING)
            async with aclosing(reader.follow(MATCH, 0, ARBITER, 0.05, last)) as steps:
                for _ in range(last):
                    await anext(steps)
        await client.flushall()
        with pytest.raises(StoreUnavailable):
            await reader.state(MATCH, last, last, wait=0.01)
        async with aclosing(reader.follow(MATCH, last, ARBITER, 0.05, last)) as steps:
            with pytest.raises(StoreUnavailable):
                await anext(steps)

    async def test_a_stream_that_runs_when_everything_is_lost_ends_as_away(
        self, log: MemoryLog, store: RedisStore, client: Redis
    ) -> None:
        history = History(MATCH).seated().turns(6)
        await write(log, history)
        async with projecting(log, store):
            reader = MatchReader(store, SEALING)
            await reader.head(MATCH, len(history.raws), wait=20.0)
        async with aclosing(reader.follow(MATCH, 0, ARBITER, 0.05)) as steps:
            await anext(steps)
            await client.flushall()
            with pytest.raises(StoreUnavailable):
                async for _ in steps:
                    pass

    async def test_a_restart_is_noticed_even_if_the_word_survived(self, server: RedisServer) -> None:
        assert server.node is not None
        store = RedisStore(server.url)
        before = await store.epoch()
        assert await store.epoch() == before
        word = before.split("/")[1]
        server.node.kill()
        server.node.start()
        async with Redis.from_url(server.url) as client:
            await client.set(redis_keys.EPOCH, word)
        after = await store.epoch()
        assert after.split("/")[1] == word
        assert after != before
        await store.close()

    async def test_a_wake_up_that_is_lost_costs_time_only(self, store: RedisStore, client: Redis) -> None:
        history = History(MATCH).seated().turns(2)
        await store.save([update(history, 0, 3)])
        waiting = asyncio.create_task(store.changed(MATCH, 4, 20))

        async def subscribed() -> bool:
            return await client.pubsub_numpat() == 1

        await eventually(subscribed)
        await client.client_kill_filter(_type="pubsub")
        await store.save([update(history, 3, 5)])
        assert await waiting
        waiting = asyncio.create_task(store.changed(MATCH, 5, 20))
        await eventually(subscribed)
        await client.hset(redis_keys.state_key(MATCH), "v", 6)
        assert await waiting

    async def test_a_full_redis_is_away_and_keeps_what_it_has(self, store: RedisStore, client: Redis) -> None:
        history = History(MATCH).seated().turns(2)
        await store.save([update(history, 0, 3)])
        await client.config_set("maxmemory", "1")
        try:
            with pytest.raises(StoreUnavailable):
                await store.save([update(history, 3, 5)])
        finally:
            await client.config_set("maxmemory", "0")
        assert list(await store.records(MATCH, 0, 9)) == history.raws[:3]
        assert await store.save([update(history, 3, 5)]) == [Saved.SAVED]

    async def test_a_cancelled_reader_leaves_the_answers_of_others_alone(self, store: RedisStore) -> None:
        histories = [History(f"{n:02d}-01J{n:023d}").seated().turns(n) for n in range(20)]
        await store.save([update(h, 0, len(h.raws)) for h in histories])

        async def read(history: History) -> None:
            assert list(await store.records(history.match_id, 0, 99)) == history.raws

        for round_ in range(30):
            tasks = [asyncio.create_task(read(history)) for history in histories]
            for _ in range(round_ % 6):
                await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(o is None or isinstance(o, asyncio.CancelledError) for o in outcomes)
            assert outcomes[1::2] == [None] * 10
