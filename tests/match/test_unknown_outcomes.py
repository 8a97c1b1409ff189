"""A log whose appends fail in every way they can: written and acknowledged, written and denied, lost, doubled."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from stavka.bus.memory import MemoryLog
from stavka.match import lobby, referee
from stavka.match.ports import EVENTS, Entry, LogUnavailable
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.support.runtime import Runtime, installed, runtime
from tests.support.skirmish import ChooseCard, game

MATCH = "07-01J000000000000000000000AB"


class TroubledLog:
    """A MemoryLog whose appends do what the dice say, and always claim the truth about nothing."""

    def __init__(self, seed: int) -> None:
        self._log = MemoryLog()
        self._chance = random.Random(seed)
        self.trouble = 0

    async def append(self, topic: str, partition: int, value: bytes) -> None:
        act = self._chance.choice(("fine", "denied", "lost", "doubled", "silent"))
        self.trouble += act != "fine"
        if act in ("fine", "denied", "doubled"):
            await self._log.append(topic, partition, value)
        if act == "doubled":
            await self._log.append(topic, partition, value)
        if act in ("denied", "lost"):
            raise LogUnavailable(act)

    async def end(self, topic: str, partition: int) -> int:
        return await self._log.end(topic, partition)

    def follow(self, topic: str, start: Mapping[int, int]) -> AsyncIterator[Sequence[Entry]]:
        return self._log.follow(topic, start)

    async def close(self) -> None:
        await self._log.close()


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(referee, "OUTCOME_WAIT", 0.02)
    monkeypatch.setattr(referee, "LOG_RETRY", 0.001)
    with installed(game()):
        yield


async def act(table: Runtime, command: object, seat: str, topic: str, prefix: str = "") -> None:
    outcome = await table.submit(MATCH, command, seat, player=seat or "organiser", topic=topic, prefix=prefix)
    assert outcome.refusal is None


@pytest.mark.parametrize("seed", range(8))
async def test_a_match_is_played_to_its_end_and_nothing_is_lost_or_doubled(seed: int, tmp_path: Path) -> None:
    log = TroubledLog(seed)
    async with runtime(log, tmp_path) as table:
        await act(table, lobby.CreateMatch("skirmish", "plain"), "", "diplomacy", "match.")
        for seat in ("north", "south"):
            await act(table, lobby.TakeSeat("ab" * 8), seat, "diplomacy", "match.")
        await table.until(MATCH, 4)
        for number in range(3):
            for seat in ("north", "south"):
                state = table.follower.book.fold_of(MATCH).state
                assert state is not None
                await act(table, ChooseCard(state.table.camps[seat].hand[0], seat), seat, "cards")
            await table.until(MATCH, 7 + 3 * number)
        fold = table.follower.book.fold_of(MATCH)
        assert fold.version == 13 and fold.state is not None and fold.state.ended is not None
        assert log.trouble > 0
        accepted = await accepted_records(table)
        commands = [record.command_id for record in accepted if record.command_id]
        assert len(commands) == len(set(commands)) == 9


async def accepted_records(table: Runtime) -> list[log_pb2.Record]:
    found: list[log_pb2.Record] = []
    end = await table.log.end(EVENTS, 7)
    async for chunk in table.log.follow(EVENTS, {7: 0}):
        for entry in chunk:
            record = log_pb2.Record.FromString(entry.value)
            if record.envelope_version == 1 and record.base_version == len(found):
                found.append(record)
        if chunk[-1].offset + 1 >= end:
            return found
    raise AssertionError("the log ended")
