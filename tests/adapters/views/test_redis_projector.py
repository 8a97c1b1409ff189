"""Projectors of a Redis: several of them, gaps, strangers, and the proof that a rebuild is the fold."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis
from stavka.bus.memory import MemoryLog
from stavka.match import fold
from stavka.match.ports import EVENTS, PARTITIONS
from stavka.projector import differences, rebuild
from stavka.views import redis_keys
from stavka.views.reader import MatchReader
from stavka.views.redis import RedisStore

from tests.adapters.views.conftest import projecting
from tests.adapters.views.writing import MATCH, OTHER, entry, eventually, update, write
from tests.views.ambush import SEALING, BlockPlaced, History, TurnBegun


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

    async def test_the_end_of_a_match_can_be_seen_after_a_cold_start(
        self, log: MemoryLog, store: RedisStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also of a match whose table the projector has put away while it read the log."""
        monkeypatch.setattr(fold, "ENDED_TABLES", 1)
        made = [History(f"{n:02d}-01J{n:023d}").seated().turns(40).ended() for n in range(3)]
        await write(log, *made)
        async with projecting(log, store):
            pass
        for history in made:
            found = await MatchReader(store, SEALING).state(history.match_id)
            assert found.state.table is not None and found.state.table.turn == 40

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
