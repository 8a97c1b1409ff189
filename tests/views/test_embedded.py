"""What is particular to the embedded projections: little memory, and records read back from the log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from stavka.bus.memory import MemoryLog
from stavka.match.follower import Follower
from stavka.match.ports import EVENTS, PARTITIONS, Entry
from stavka.views import embedded
from stavka.views.embedded import EmbeddedStore
from stavka.views.errors import StoreUnavailable
from stavka.views.reader import MatchReader

from tests.views.ambush import SEALING, History, TurnBegun

MATCH = "07-01J00000000000000000000000"


class CountingLog(MemoryLog):
    def __init__(self) -> None:
        super().__init__()
        self.read_back = 0

    async def read(self, topic: str, partition: int, offsets: Sequence[int]) -> list[Entry]:
        self.read_back += len(offsets)
        return await super().read(topic, partition, offsets)


class TestEmbedded:
    async def test_new_records_come_from_memory_and_old_ones_from_the_log(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(embedded, "RECENT_BYTES", 20_000)
        log = CountingLog()
        follower = Follower(log, SEALING)
        store = EmbeddedStore(follower, log)
        follower.start(range(PARTITIONS))
        history = History(MATCH).seated()
        for _ in range(20):
            history.add([TurnBegun(n) for n in range(60)])
        for raw in history.raws:
            await log.append(EVENTS, 7, raw)
        assert await store.changed(MATCH, len(history.raws) - 1, 20)
        assert list(await store.records(MATCH, 20, 9)) == history.raws[20:]
        assert log.read_back == 0
        assert list(await store.records(MATCH, 0, 9)) == history.raws[:9]
        assert log.read_back == 9
        await follower.close()
        await log.close()
        with pytest.raises(StoreUnavailable):
            await store.records(MATCH, 0, 9)

    async def test_the_followers_own_state_is_never_given_out(self) -> None:
        log = MemoryLog()
        follower = Follower(log, SEALING)
        reader = MatchReader(EmbeddedStore(follower, log), SEALING)
        follower.start(range(PARTITIONS))
        history = History(MATCH).seated()
        for raw in history.raws:
            await log.append(EVENTS, 7, raw)
        found = await reader.state(MATCH, min_version=3, wait=20)
        own = follower.book.matches[MATCH].state
        assert own is not None
        assert found.state is not own
        assert found.state.table is not own.table
        assert (await reader.state(MATCH)).state is found.state
        await follower.close()
        await log.close()

    async def test_waiting_that_is_cancelled_leaves_nothing_behind(self) -> None:
        log = MemoryLog()
        store = EmbeddedStore(Follower(log, SEALING), log)
        waiting = [asyncio.create_task(store.changed(MATCH, 0, 20)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert await store.changed(MATCH, 0, 0.0) is False
        await log.close()
