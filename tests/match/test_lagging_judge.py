"""A referee whose reader is behind: it never refuses what is legal on a position that its asker has seen already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from stavka.bus.memory import MemoryLog
from stavka.match import lobby
from stavka.match.ports import Entry

from tests.support.runtime import Runtime, runtime
from tests.support.skirmish import ChooseCard

MATCH = "07-01J000000000000000000000AC"


class SlowLog:
    """The same log for a reader that gets nothing while `flows` is cleared; `asked` is set when it asks for the end."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log
        self.flows = asyncio.Event()
        self.flows.set()
        self.asked = asyncio.Event()

    async def append(self, topic: str, partition: int, value: bytes) -> None:
        await self._log.append(topic, partition, value)

    async def end(self, topic: str, partition: int) -> int:
        self.asked.set()
        return await self._log.end(topic, partition)

    async def follow(self, topic: str, start: Mapping[int, int]) -> AsyncIterator[Sequence[Entry]]:
        async for chunk in self._log.follow(topic, start):
            await self.flows.wait()
            yield chunk

    async def close(self) -> None:
        await self._log.close()


async def seated(table: Runtime) -> int:
    """A match in which both seats are taken and the first round has begun; its version."""
    await table.submit(MATCH, lobby.CreateMatch("skirmish", "plain"), player="organizer", prefix="match.")
    for seat in ("north", "south"):
        await table.submit(MATCH, lobby.TakeSeat("ab" * 8), seat, prefix="match.")
    await table.until(MATCH, 4)
    return 4


@asynccontextmanager
async def lagging(folder: Path) -> AsyncIterator[tuple[Runtime, Runtime, SlowLog, int]]:
    """A quick table, one behind it on a slow log that has just stopped, that log, and the version that both have seen."""
    log = MemoryLog()
    slow = SlowLog(log)
    async with runtime(log, folder) as quick, runtime(slow, folder) as behind:
        version = await seated(quick)
        await behind.until(MATCH, version)
        slow.flows.clear()
        slow.asked.clear()
        yield quick, behind, slow, version


def first_card(table: Runtime, seat: str) -> ChooseCard:
    state = table.follower.book.fold_of(MATCH).state
    assert state is not None
    return ChooseCard(state.table.camps[seat].hand[0], seat)


async def test_a_command_that_is_ahead_of_its_judge_is_judged_when_he_has_caught_up(tmp_path: Path) -> None:
    async with lagging(tmp_path) as (quick, behind, slow, version):
        command = first_card(behind, "south")
        await quick.submit(MATCH, first_card(quick, "north"), "north", topic="cards")
        late = asyncio.create_task(
            behind.submit(MATCH, command, "south", topic="cards", command_id="south", expected=version + 1)
        )
        await asyncio.wait_for(slow.asked.wait(), 10)
        assert not late.done()
        slow.flows.set()
        outcome = await asyncio.wait_for(late, 10)
        assert outcome.refusal is None and outcome.version == version + 2


async def test_what_is_wrong_on_the_newest_position_is_refused_there(tmp_path: Path) -> None:
    async with lagging(tmp_path) as (quick, behind, slow, version):
        chosen = first_card(quick, "north")
        await quick.submit(MATCH, chosen, "north", topic="cards")
        again = asyncio.create_task(
            behind.submit(MATCH, chosen, "north", topic="cards", command_id="again", expected=version - 1)
        )
        await asyncio.wait_for(slow.asked.wait(), 10)
        slow.flows.set()
        outcome = await asyncio.wait_for(again, 10)
        assert outcome.refusal is not None and outcome.refusal.reason == "STALE_VERSION"
        assert outcome.refusal.version == version + 1
