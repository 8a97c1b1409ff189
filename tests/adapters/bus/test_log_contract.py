"""The contract of `Log`, over memory, SQLite, the mock cluster and Apache Kafka."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any, cast

import pytest
from stavka.bus.errors import RecordRefused
from stavka.match.ports import EVENTS, MAX_RECORD_BYTES, PARTITIONS, REFUSALS, Entry, Log, LogUnavailable

from tests.adapters.bus.reading import DEADLINE, read

pytestmark = pytest.mark.timeout(300)  # the first to ask for Apache Kafka waits for its start


async def test_records_come_back_in_order_and_whole(log: Log) -> None:
    begin = await log.end(EVENTS, 7)
    values = [b"%d" % number for number in range(100)] + [b"", bytes(range(256))]
    for value in values:
        await log.append(EVENTS, 7, value)
    assert await log.end(EVENTS, 7) == begin + len(values)
    entries = await read(log, EVENTS, {7: begin}, len(values))
    assert entries == [Entry(7, begin + number, value) for number, value in enumerate(values)]


async def test_an_empty_partition_ends_at_its_beginning(log: Log) -> None:
    end = await log.end(REFUSALS, 10)
    assert end == 0
    await log.append(REFUSALS, 11, b"another partition")
    assert await log.end(REFUSALS, 10) == 0


async def test_topics_are_apart(log: Log) -> None:
    events, refusals = await log.end(EVENTS, 9), await log.end(REFUSALS, 9)
    await log.append(REFUSALS, 9, b"no")
    await log.append(EVENTS, 9, b"yes")
    assert [entry.value for entry in await read(log, EVENTS, {9: events}, 1)] == [b"yes"]
    assert [entry.value for entry in await read(log, REFUSALS, {9: refusals}, 1)] == [b"no"]


async def test_reading_begins_anywhere(log: Log) -> None:
    begin = await log.end(EVENTS, 8)
    for number in range(20):
        await log.append(EVENTS, 8, b"%d" % number)
    entries = await read(log, EVENTS, {8: begin + 13}, 7)
    assert [entry.value for entry in entries] == [b"%d" % number for number in range(13, 20)]


async def test_concurrent_appends_leave_no_hole(log: Log) -> None:
    begin = {partition: await log.end(EVENTS, partition) for partition in range(8, 12)}

    async def write(writer: int) -> None:
        for number in range(50):
            await log.append(EVENTS, 8 + number % 4, b"%d-%d" % (writer, number))

    await asyncio.gather(*(write(writer) for writer in range(20)))
    entries = await read(log, EVENTS, begin, 1000)
    for partition, offset in begin.items():
        assert [entry.offset - offset for entry in entries if entry.partition == partition] == list(
            range(sum(entry.partition == partition for entry in entries))
        )
    assert len({entry.value for entry in entries}) == 1000
    for writer in range(20):  # a writer that waits for each append sees its records in its own order
        mine = [entry.value for entry in entries if entry.partition == 10 and entry.value.startswith(b"%d-" % writer)]
        assert mine == sorted(mine, key=lambda value: int(value.split(b"-")[1]))


async def test_a_follower_is_live(log: Log) -> None:
    begin = await log.end(EVENTS, 5)
    seen: asyncio.Queue[Entry] = asyncio.Queue()

    async def follow() -> None:
        async for chunk in log.follow(EVENTS, {5: begin}):
            for entry in chunk:
                seen.put_nowait(entry)

    following = asyncio.create_task(follow())
    async with asyncio.timeout(DEADLINE):
        for number in range(50):
            await log.append(EVENTS, 5, b"%d" % number)
            assert (await seen.get()).offset == begin + number
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)


async def test_followers_do_not_disturb_each_other(log: Log) -> None:
    begin = await log.end(EVENTS, 6)
    readers = [asyncio.create_task(read(log, EVENTS, {6: begin}, 200)) for _ in range(3)]
    for number in range(100):
        await log.append(EVENTS, 6, b"%d" % number)
    readers += [asyncio.create_task(read(log, EVENTS, {6: begin}, 200)) for _ in range(3)]
    for number in range(100, 200):
        await log.append(EVENTS, 6, b"%d" % number)
    results = await asyncio.gather(*readers)
    assert all(result == results[0] for result in results)
    assert [entry.value for entry in results[0]] == [b"%d" % number for number in range(200)]


async def test_all_partitions_at_once(log: Log) -> None:
    begin = {partition: await log.end(EVENTS, partition) for partition in range(PARTITIONS)}
    await asyncio.gather(*(log.append(EVENTS, partition, b"%d" % partition) for partition in range(PARTITIONS)))
    entries = await read(log, EVENTS, begin, PARTITIONS)
    assert {(entry.partition, entry.value) for entry in entries} == {
        (partition, b"%d" % partition) for partition in range(PARTITIONS)
    }


async def test_big_records(log: Log) -> None:
    begin = await log.end(EVENTS, 0)
    values = [bytes([number]) * MAX_RECORD_BYTES for number in range(6)]
    await asyncio.gather(*(log.append(EVENTS, 0, value) for value in values))
    entries = await read(log, EVENTS, {0: begin}, len(values))
    assert sorted(entry.value for entry in entries) == values


@pytest.mark.parametrize(("partition", "value"), [(3, b"x" * (MAX_RECORD_BYTES + 1)), (PARTITIONS, b"x"), (-1, b"x")])
async def test_a_record_that_no_log_takes_changes_nothing(log: Log, partition: int, value: bytes) -> None:
    before = await log.end(EVENTS, 3)
    with pytest.raises(RecordRefused):
        await log.append(EVENTS, partition, value)
    await log.append(EVENTS, 3, b"next")
    assert await log.end(EVENTS, 3) == before + 1


async def test_a_reader_that_has_seen_more_than_the_log_holds_is_told(log: Log) -> None:
    end = await log.end(EVENTS, 2)
    with pytest.raises(LogUnavailable):
        await read(log, EVENTS, {2: end + 1}, 1)


async def test_a_closed_iterator_stops_and_another_starts(log: Log) -> None:
    begin = await log.end(EVENTS, 1)
    await log.append(EVENTS, 1, b"first")
    chunks = cast(Any, log.follow(EVENTS, {1: begin}))
    async with asyncio.timeout(DEADLINE), aclosing(chunks):
        assert [entry.value for entry in await anext(chunks)] == [b"first"]
    with pytest.raises(StopAsyncIteration):
        await anext(chunks)
    assert [entry.value for entry in await read(log, EVENTS, {1: begin}, 1)] == [b"first"]


async def test_closing_ends_the_followers_and_refuses_the_rest(log: Log) -> None:
    begin = await log.end(EVENTS, 4)
    following = asyncio.create_task(read(log, EVENTS, {4: begin}, 1))
    await log.append(REFUSALS, 4, b"the follower has had its turn")
    await log.close()
    async with asyncio.timeout(DEADLINE):
        with pytest.raises(LogUnavailable):
            await following
    with pytest.raises(LogUnavailable):
        await log.append(EVENTS, 4, b"late")
    with pytest.raises(LogUnavailable):
        await log.end(EVENTS, 4)
    await log.close()


async def test_following_no_partition_yields_nothing_until_the_close(log: Log) -> None:
    following = asyncio.create_task(read(log, EVENTS, {}, 1))
    await log.append(EVENTS, 11, b"not for it")
    assert not following.done()
    await log.close()
    async with asyncio.timeout(DEADLINE):
        with pytest.raises(LogUnavailable):
            await following


async def test_a_cancelled_append_breaks_nothing(log: Log) -> None:
    begin = await log.end(EVENTS, 10)
    appending = asyncio.create_task(log.append(EVENTS, 10, b"given up"))
    await asyncio.sleep(0)
    appending.cancel()
    await asyncio.gather(appending, return_exceptions=True)
    await log.append(EVENTS, 10, b"after")
    end = await log.end(EVENTS, 10)
    entries = await read(log, EVENTS, {10: begin}, end - begin)
    assert entries[-1].value == b"after"
    assert [entry.value for entry in entries[:-1]] in ([], [b"given up"])
