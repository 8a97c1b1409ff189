"""Projections in Redis: what is written and what is not, and matches that are archived."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis
from stavka.kernel.visibility import SPECTATOR
from stavka.match.fold import GENESIS, leaf_hash
from stavka.views import redis_keys
from stavka.views.errors import StoreUnavailable
from stavka.views.reader import MatchReader
from stavka.views.redis import RedisStore
from stavka.views.store import Query, Saved, Update

from tests.adapters.views.writing import MATCH, OTHER, update
from tests.views.ambush import SEALING, History, TurnBegun


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
