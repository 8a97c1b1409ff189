"""A refusal is the answer to its command for ever, however many others came after it, on every log."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from stavka.bus.memory import MemoryLog
from stavka.bus.sqlite import SqliteLog
from stavka.match import follower as following
from stavka.match import lobby
from stavka.match.fold import command_key
from stavka.match.follower import Follower
from stavka.match.ports import REFUSALS, Entry, Log, LogUnavailable
from stavka.match.refused import RefusedCommands

from tests.support.runtime import Runtime, installed, runtime
from tests.support.skirmish import game

MATCH = "07-01J000000000000000000000AB"


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(following, "RECENT_REFUSALS", 3)
    with installed(game()):
        yield


@pytest.fixture(params=["memory", "sqlite"])
async def table(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Runtime]:
    log: Log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path)
    async with runtime(log, tmp_path) as live:
        yield live
    await log.close()


async def refuse(table: Runtime, number: int) -> None:
    create = lobby.CreateMatch(f"chess-{number}", "")
    await table.submit(MATCH, create, player="anna", prefix="match.", command_id=f"c{number}")


async def test_an_old_refusal_is_read_back_and_never_judged_again(table: Runtime) -> None:
    for number in range(20):
        await refuse(table, number)
    key = command_key("anna", "", "c0")
    assert table.follower.is_answered(MATCH, key)
    assert table.follower.outcome_of(MATCH, key) is None
    found = await table.follower.recall(MATCH, key)
    assert found is not None and found.refusal is not None
    assert (found.refusal.command_id, "chess-0" in found.refusal.message) == ("c0", True)
    again = await table.follower.recall(MATCH, command_key("anna", "", "c19"))
    assert again is not None and again.refusal is not None and again.refusal.command_id == "c19"
    assert await table.follower.recall(MATCH, command_key("anna", "", "c20")) is None
    with pytest.raises(AssertionError):  # the answer is not at hand; it is not judged either
        await table.submit(
            MATCH, lobby.CreateMatch("skirmish", "plain"), player="anna", prefix="match.", command_id="c0"
        )
    assert await table.log.end(REFUSALS, 7) == 20
    assert not table.follower.book.matches


async def test_a_process_that_starts_later_knows_them_all(table: Runtime) -> None:
    for number in range(20):
        await refuse(table, number)
    later = Follower(table.log, None)
    later.start([7])
    await later.caught_up([7])
    for number in (0, 7, 19):
        found = await later.recall(MATCH, command_key("anna", "", f"c{number}"))
        assert found is not None and found.refusal is not None and found.refusal.command_id == f"c{number}"
    await later.close()


async def test_a_log_that_is_away_is_no_answer(table: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        await refuse(table, number)

    async def away(topic: str, start: Mapping[int, int]) -> AsyncIterator[Sequence[Entry]]:
        raise LogUnavailable("gone")
        yield ()

    monkeypatch.setattr(table.log, "follow", away)
    with pytest.raises(LogUnavailable):
        await table.follower.recall(MATCH, command_key("anna", "", "c0"))


def test_offsets_are_found_among_very_many() -> None:
    known, chance = RefusedCommands(), random.Random(1)
    kept = {(f"07-{n % 97}", chance.getrandbits(64)): n for n in range(60_000)}
    assert all(known.add(*command, offset) for command, offset in kept.items())
    assert not any(known.add(*command, 0) for command in list(kept)[:100])
    assert all(known.offset_of(*command) == offset for command, offset in kept.items())
    assert known.offset_of("08-1", 1) is None
