"""Projections in Redis: the guard, several projectors, whatever gets lost, and the proof that a rebuild is the fold."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress

import pytest
from redis.asyncio import Redis
from stavka.bus.memory import MemoryLog
from stavka.kernel.visibility import ARBITER, SPECTATOR
from stavka.match.fold import GENESIS, leaf_hash, partition_of
from stavka.match.ports import EVENTS, PARTITIONS, LogUnavailable
from stavka.match.ports import Entry as LogEntry
from stavka.projector import differences, rebuild
from stavka.views import redis_keys
from stavka.views.errors import StoreUnavailable
from stavka.views.reader import MatchReader
from stavka.views.redis import RedisStore
from stavka.views.store import Entry, Query, Saved, Update

from tests.adapters.views.conftest import projecting
from tests.support.brokers import RedisServer, redis_server
from tests.views.ambush import SEALING, SIDES, BlockPlaced, History, TurnBegun

MATCH = "07-01J00000000000000000000000"
OTHER = "11-01J00000000000000000000001"


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


async def write(log: MemoryLog, *histories: History, start: int = 0) -> None:
    for history in histories:
        for raw in history.raws[start:]:
            await log.append(EVENTS, partition_of(history.match_id), raw)


async def eventually(holds: Callable[[], Awaitable[bool]], deadline: float = 20.0) -> None:
    async with asyncio.timeout(deadline):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.01)


def entry(match_id: str, version: int, status: str = "playing") -> Entry:
    return Entry(match_id, "ambush", 1, "plain", status, SIDES, {"north": "ada"}, False, 0, "", 1_000, 2_000, version)


def update(history: History, base: int, version: int, *, blob: bytes = b"") -> Update:
    """The update that leads `history` from version `base` to `version`."""
    heads = [GENESIS, *(leaf_hash(raw) for raw in history.raws)]
    raws = tuple(history.raws[base:version])
    return Update(history.match_id, base, heads[base], raws, heads[version], entry(history.match_id, version), blob)


class TestGuard:
    """Eventing: an update is written if it continues what is there, and only then."""

    async def test_versions_are_written_in_order_and_once(self, store: RedisStore) -> None:
        history = History(MATCH).seated().turns(6)
        assert await store.save([update(history, 0, 2)]) == [Saved.SAVED]
        assert await store.save([update(history, 0, 2)]) == [Saved.OLD]
        assert await store.save([update(history, 0, 1)]) == [Saved.OLD]
        assert await store.save([update(history, 3, 4)]) == [Saved.GAP]
        assert await store.save([update(history, 2, 4)]) == [Saved.SAVED]
        assert list(await store.records(MATCH, 0, 99)) == history.raws[:4]

    async def test_updates_that_overlap_add_what_is_new(self, store: RedisStore) -> None:
        history = History(MATCH).seated().turns(6)
        await store.save([update(history, 0, 4)])
        assert await store.save([update(history, 1, 7)]) == [Saved.SAVED]
        assert list(await store.records(MATCH, 0, 99)) == history.raws[:7]
        found = await store.head(MATCH)
        assert found is not None and found.head == leaf_hash(history.raws[6])

    async def test_another_history_is_not_mixed_in(self, store: RedisStore) -> None:
        history = History(MATCH).seated().turns(6)
        rival = History(MATCH).seated()
        rival.add([TurnBegun(50)])
        rival.turns(6)
        await store.save([update(history, 0, 5)])
        assert await store.save([update(rival, 4, 6)]) == [Saved.FORK]
        assert await store.save([update(rival, 0, 7)]) == [Saved.FORK]
        assert await store.save([update(rival, 0, 5)]) == [Saved.FORK]
        assert list(await store.records(MATCH, 0, 99)) == history.raws[:5]

    async def test_one_batch_writes_many_matches_each_by_itself(self, store: RedisStore) -> None:
        one, two = History(MATCH).seated(), History(OTHER).seated()
        assert await store.save([update(one, 0, 2), update(two, 1, 3)]) == [Saved.SAVED, Saved.GAP]
        assert await store.head(OTHER) is None

    async def test_scripts_that_redis_forgot_are_sent_again(self, store: RedisStore, client: Redis) -> None:
        history = History(MATCH).seated()
        await store.save([update(history, 0, 1)])
        await client.script_flush()
        assert await store.save([update(history, 1, 3)]) == [Saved.SAVED]

    async def test_the_position_stays_until_a_newer_one_comes(self, store: RedisStore) -> None:
        history = History(MATCH).seated().turns(3)
        await store.save([update(history, 0, 2, blob=b"two")])
        await store.save([update(history, 2, 4)])
        kept = await store.position(MATCH)
        assert kept is not None and (kept.version, kept.blob) == (2, b"two")

    async def test_deleting_can_ask_for_the_head_that_it_means(self, store: RedisStore) -> None:
        history = History(MATCH).seated()
        await store.save([update(history, 0, 2)])
        await store.delete({MATCH: history.head})
        assert await store.head(MATCH) is not None
        await store.delete({MATCH: leaf_hash(history.raws[1])})
        assert await store.head(MATCH) is None
        assert (await store.find(Query())).entries == ()
        assert await store.heads() == {}

    async def test_a_match_that_is_being_rebuilt_is_away_not_unknown(self, store: RedisStore) -> None:
        history = History(MATCH, spectator_delay=2).seated()
        part = update(history, 0, 2)
        await store.save([Update(MATCH, 0, GENESIS, part.records, part.head, None)])
        with pytest.raises(StoreUnavailable):
            await MatchReader(store, SEALING).visible(MATCH, SPECTATOR)


class TestArchive:
    async def test_an_archived_match_reads_as_before_and_takes_less(self, store: RedisStore, client: Redis) -> None:
        history = History(MATCH).seated().turns(400).ended()
        count = len(history.raws)
        await store.save([update(history, 0, count)])
        before = await client.memory_usage(redis_keys.keys_of(MATCH)[1])
        await store.archive(MATCH)
        assert await client.exists(redis_keys.keys_of(MATCH)[1]) == 0
        assert await client.memory_usage(redis_keys.keys_of(MATCH)[2]) < before / 3
        assert list(await store.records(MATCH, 0, 9999)) == history.raws
        assert list(await store.records(MATCH, 200, 7)) == history.raws[200:207]
        assert (await store.heads())[MATCH].archived

    async def test_whatever_comes_after_the_end_is_still_kept(self, store: RedisStore) -> None:
        history = History(MATCH).seated().ended()
        await store.save([update(history, 0, 4)])
        await store.archive(MATCH)
        history.turns(2)
        assert await store.save([update(history, 4, 6)]) == [Saved.SAVED]
        assert list(await store.records(MATCH, 0, 99)) == history.raws
        assert list(await store.records(MATCH, 3, 2)) == history.raws[3:5]
        assert not (await store.heads())[MATCH].archived
        await store.archive(MATCH)
        assert list(await store.records(MATCH, 0, 99)) == history.raws


class TestProjector:
    async def test_a_store_that_is_right_is_left_alone(self, log: MemoryLog, store: RedisStore, client: Redis) -> None:
        await write(log, History(MATCH).seated().turns(40), History(OTHER).seated().ended())
        async with projecting(log, store):
            assert await differences(log, store, SEALING, range(PARTITIONS)) == []
        before = await client.info("commandstats")
        async with projecting(log, store):
            pass
        after = await client.info("commandstats")
        assert after["cmdstat_xadd"]["calls"] == before["cmdstat_xadd"]["calls"]

    async def test_a_rebuild_equals_the_fold(self, log: MemoryLog, store: RedisStore) -> None:
        made = [History(f"{n % 12:02d}-01J{n:023d}").seated().turns(n) for n in range(60)]
        made[4].ended()
        made[5].add([BlockPlaced("south", "marsh", "b1", "tank", 3)])
        made[6].add_unreadable()
        await write(log, *made)
        assert await rebuild(log, store, SEALING, range(PARTITIONS)) == []
        assert len(await store.heads()) == 60
        assert list(await store.records(made[4].match_id, 0, 99)) == made[4].raws

    async def test_the_proof_notices_whatever_is_wrong(self, log: MemoryLog, store: RedisStore, client: Redis) -> None:
        made = [History(f"{n:02d}-01J{n:023d}").seated().turns(20) for n in range(5)]
        await write(log, *made)
        async with projecting(log, store):
            pass
        await client.xtrim(redis_keys.keys_of(made[0].match_id)[1], maxlen=5, approximate=False)
        await client.hset(redis_keys.state_key(made[1].match_id), "bv", 20)
        await client.hset(
            redis_keys.state_key(made[2].match_id), "e", redis_keys.dump_entry(entry(made[2].match_id, 23))
        )
        await client.delete(redis_keys.state_key(made[3].match_id))
        found = await differences(log, store, SEALING, range(PARTITIONS))
        assert [line.split(":")[0] for line in found] == [history.match_id for history in made[:4]]

    async def test_projectors_side_by_side_are_harmless(self, log: MemoryLog, store: RedisStore, url: str) -> None:
        made = [History(f"{n % 12:02d}-01J{n:023d}").seated() for n in range(20)]
        second = RedisStore(url)
        async with projecting(log, store, count=2), projecting(log, second):
            for turn in range(30):
                for history in made:
                    if turn == 29:
                        history.ended()
                    else:
                        history.turns(1)
                await write(log, *made, start=0 if turn == 0 else len(made[0].raws) - 1)

            async def all_there() -> bool:
                heads = await store.heads()
                return all(m.match_id in heads and heads[m.match_id].version == len(m.raws) for m in made)

            await eventually(all_there)
            assert await differences(log, store, SEALING, range(PARTITIONS)) == []
        await second.close()

    async def test_a_gap_is_filled_from_the_log(self, log: MemoryLog, store: RedisStore) -> None:
        history = History(MATCH).seated().turns(5)
        await write(log, history)
        async with projecting(log, store):
            await store.delete({MATCH: None})
            await write(log, history.turns(1), start=8)

            async def filled() -> bool:
                return (await store.heads()).get(MATCH) is not None and not await differences(
                    log, store, SEALING, range(PARTITIONS)
                )

            await eventually(filled)

    async def test_what_is_not_of_this_log_is_forgotten(self, log: MemoryLog, store: RedisStore) -> None:
        ours = History(MATCH).seated().turns(5)
        forked = History(MATCH).seated()
        forked.add([TurnBegun(50)])
        ahead = History(OTHER).seated().turns(9)
        stranger = History("08-01J00000000000000000000009").seated()
        await store.save([update(forked, 0, 4), update(ahead, 0, 9), update(stranger, 0, 3)])
        await write(log, ours)
        for raw in ahead.raws[:5]:
            await log.append(EVENTS, 11, raw)
        async with projecting(log, store):
            assert await differences(log, store, SEALING, range(PARTITIONS)) == []
            assert set(await store.heads()) == {MATCH, OTHER}

    async def test_a_share_of_the_partitions_is_all_that_it_touches(self, log: MemoryLog, store: RedisStore) -> None:
        mine, others = History(MATCH).seated(), History(OTHER).seated()
        await store.save([update(others, 0, 3)])
        await write(log, mine)
        assert await rebuild(log, store, SEALING, [7]) == []
        assert set(await store.heads()) == {MATCH, OTHER}

    async def test_one_match_can_be_rebuilt_on_demand(self, log: MemoryLog, store: RedisStore, client: Redis) -> None:
        history = History(MATCH).seated().turns(5)
        await write(log, history)
        async with projecting(log, store):
            await client.hset(redis_keys.state_key(MATCH), "b", b"rotten")
            await store.rebuild(MATCH)

            async def right() -> bool:
                return not await differences(log, store, SEALING, range(PARTITIONS))

            await eventually(right)


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
