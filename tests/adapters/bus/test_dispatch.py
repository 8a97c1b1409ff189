"""The dispatcher: order, bounds, and the watermark that decides what may be committed."""

from __future__ import annotations

import asyncio
from collections import defaultdict

import pytest
from aiokafka.errors import KafkaError
from stavka.bus import group
from stavka.bus.dispatch import CommandsMissed, Dispatcher

from tests.adapters.bus.reading import DEADLINE, eventually


class Gates:
    """A handler whose calls end when the test says so."""

    def __init__(self) -> None:
        self.started: list[bytes] = []
        self.ended: list[bytes] = []
        self.gates: dict[bytes, asyncio.Event] = defaultdict(asyncio.Event)

    async def __call__(self, partition: int, value: bytes) -> None:
        self.started.append(value)
        await self.gates[value].wait()
        self.ended.append(value)

    async def open(self, *values: bytes) -> None:
        """Let these calls end; returns when they have."""
        for value in values:
            self.gates[value].set()

        async def all_ended() -> bool:
            return set(values) <= set(self.ended)

        await eventually(all_ended)
        await asyncio.sleep(0)


async def offer(dispatcher: Dispatcher, *commands: tuple[int, str]) -> None:
    """Offer to partition 3: (offset, match), the value being the offset."""
    for offset, match in commands:
        await dispatcher.offer(dispatcher.generation, 3, offset, match.encode(), b"%d" % offset)
    await asyncio.sleep(0)


async def test_the_watermark_stops_before_the_first_that_is_not_done() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler)
    dispatcher.assign({3: 10})
    await offer(dispatcher, (10, "a"), (11, "b"), (12, "c"), (13, "d"))
    await handler.open(b"11", b"12")
    assert dispatcher.committable() == {}
    await handler.open(b"10")
    assert dispatcher.committable() == {3: 13}
    dispatcher.committed({3: 13})
    assert dispatcher.committable() == {}
    await handler.open(b"13")
    assert dispatcher.committable() == {3: 14}


async def test_order_within_a_match_concurrency_across() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler)
    dispatcher.assign({3: 0})
    await offer(dispatcher, (0, "a"), (1, "a"), (2, "b"), (3, "a"))
    assert handler.started == [b"0", b"2"]
    await handler.open(b"1", b"0")
    await handler.open(b"2", b"3")
    assert handler.ended == [b"0", b"1", b"2", b"3"]


async def test_what_ends_after_the_partition_is_gone_counts_for_nothing() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler)
    dispatcher.assign({3: 0})
    await offer(dispatcher, (0, "a"), (1, "a"), (2, "b"))
    dispatcher.revoke()
    dispatcher.assign({3: 0})
    await handler.open(b"0", b"2")
    assert dispatcher.committable() == {}
    assert handler.started == [b"0", b"2"], "a queued command of the old holding is not begun"


async def test_a_redelivered_command_waits_for_the_running_one_of_its_match() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler)
    dispatcher.assign({3: 0})
    await offer(dispatcher, (0, "a"))
    dispatcher.revoke()
    dispatcher.assign({3: 0})
    await offer(dispatcher, (0, "a"), (1, "b"))
    assert handler.started == [b"0", b"1"]
    await handler.open(b"0", b"1")
    async with asyncio.timeout(DEADLINE):
        await dispatcher.drain(DEADLINE)
    assert handler.started == [b"0", b"1", b"0"]
    assert dispatcher.committable() == {3: 2}


async def test_commands_of_another_generation_or_partition_are_ignored() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler)
    old = dispatcher.generation
    dispatcher.revoke()
    dispatcher.assign({3: 0})
    await dispatcher.offer(old, 3, 0, b"a", b"stale")
    await dispatcher.offer(dispatcher.generation, 4, 0, b"a", b"not held")
    await offer(dispatcher, (0, "a"), (0, "a"))
    assert handler.started == [b"0"]
    assert not dispatcher.failure.done()
    dispatcher.failure.cancel()


async def test_nothing_is_taken_while_partitions_change_hands() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler)
    dispatcher.assign({3: 0})
    dispatcher.revoke()
    offering = asyncio.create_task(offer(dispatcher, (7, "a")))
    await asyncio.sleep(0)
    assert not offering.done()
    dispatcher.assign({3: 7})
    await offering
    assert handler.started == [b"7"]


async def test_a_missed_command_is_a_failure() -> None:
    dispatcher = Dispatcher(Gates())
    dispatcher.assign({3: 5})
    await offer(dispatcher, (6, "a"))
    with pytest.raises(CommandsMissed):
        await dispatcher.failure
    assert dispatcher.committable() == {}


async def test_a_handler_that_raises_is_a_failure_and_its_command_is_not_done() -> None:
    async def broken(partition: int, value: bytes) -> None:
        raise ZeroDivisionError(value)

    dispatcher = Dispatcher(broken)
    dispatcher.assign({3: 0})
    await offer(dispatcher, (0, "a"))
    with pytest.raises(ZeroDivisionError):
        await dispatcher.failure
    assert dispatcher.committable() == {}


async def test_bounds() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler, max_pending=5, max_running=2)
    dispatcher.assign({3: 0})
    offering = asyncio.create_task(offer(dispatcher, *((offset, f"m{offset}") for offset in range(8))))

    async def two_run() -> bool:
        return len(handler.started) == 2

    await eventually(two_run)
    assert not offering.done()
    for offset in range(8):
        handler.gates[b"%d" % offset].set()
    async with asyncio.timeout(DEADLINE):
        await offering
        await dispatcher.drain(DEADLINE)
    assert dispatcher.committable() == {3: 8}


async def test_a_stream_that_stands_still_before_the_end_of_the_log_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "STALL_SECONDS", 0.05)
    handler = Gates()
    dispatcher = Dispatcher(handler, max_pending=2)
    dispatcher.assign({3: 0, 4: 0})
    answers: list[dict[int, int] | KafkaError] = [{3: 0, 4: 0}, {3: 1}, KafkaError("away"), {3: 1}]
    asked = 0

    async def ends() -> dict[int, int]:
        nonlocal asked
        asked += 1
        answer = answers[min(asked, len(answers)) - 1]
        if isinstance(answer, KafkaError):
            raise answer
        return answer

    async with asyncio.timeout(DEADLINE):
        with pytest.raises(group.SessionLost, match="3"):
            await group.watch_for_stall(dispatcher, ends)
    assert asked == 5, "up to date, behind, no answer, behind, still behind"
    await offer(dispatcher, (0, "a"))
    assert dispatcher.behind({3: 1, 4: 0}) == {}
    assert dispatcher.behind({3: 2, 4: 1, 5: 9}) == {3: 1, 4: 0}
    await offer(dispatcher, (1, "b"))
    assert dispatcher.behind({3: 9}) == {}, "a full dispatcher takes nothing, which is no fault of the consumer"
    await handler.open(b"0", b"1")


async def test_the_end_waits_for_running_handlers_and_cancels_late_ones() -> None:
    handler = Gates()
    dispatcher = Dispatcher(handler)
    dispatcher.assign({3: 0})
    await offer(dispatcher, (0, "a"), (1, "b"))
    handler.gates[b"0"].set()
    await dispatcher.drain(0.1)
    assert handler.ended == [b"0"]
    assert dispatcher.committable() == {3: 1}
