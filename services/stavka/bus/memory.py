"""A log in memory: unit tests and bots. Same contract as the durable ones, gone with the process."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing

from stavka.bus.errors import check_record
from stavka.bus.tail import CHUNK_ENTRIES, Tail
from stavka.match.ports import Entry, LogUnavailable


class MemoryLog:
    """`Log` on lists. One event loop only."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, int], list[bytes]] = {}
        self._closed = False
        self._tail = Tail(self._read)

    async def append(self, topic: str, partition: int, value: bytes) -> None:
        check_record(partition, value)
        self._require_open()
        records = self._records.setdefault((topic, partition), [])
        records.append(value)
        self._tail.publish(topic, [Entry(partition, len(records) - 1, value)])

    async def end(self, topic: str, partition: int) -> int:
        self._require_open()
        return len(self._records.get((topic, partition), ()))

    async def follow(self, topic: str, start: Mapping[int, int]) -> AsyncGenerator[Sequence[Entry]]:
        self._require_open()
        for partition, offset in start.items():
            require_reached(topic, partition, offset, len(self._records.get((topic, partition), ())))
        async with aclosing(self._tail.follow(topic, start)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def read(self, topic: str, partition: int, offsets: Sequence[int]) -> list[Entry]:
        """The entries at these offsets, in their order. Raises LogUnavailable, also for one that is not there."""
        self._require_open()
        records = self._records.get((topic, partition), ())
        if any(offset >= len(records) for offset in offsets):
            raise LogUnavailable(f"{topic}/{partition} ends at {len(records)}")
        return [Entry(partition, offset, records[offset]) for offset in offsets]

    async def close(self) -> None:
        self._closed = True
        self._tail.fail(LogUnavailable("the log is closed"))

    async def _read(self, topic: str, partition: int, offset: int) -> list[Entry]:
        records = self._records.get((topic, partition), ())[offset : offset + CHUNK_ENTRIES]
        return [Entry(partition, number, value) for number, value in enumerate(records, start=offset)]

    def _require_open(self) -> None:
        if self._closed:
            raise LogUnavailable("the log is closed")


def require_reached(topic: str, partition: int, offset: int, end: int) -> None:
    """Refuse to follow from beyond the end: whoever asks for it has seen records that this log does not hold.

    Raises:
        LogUnavailable: `offset` is greater than `end`.
    """
    if offset > end:
        raise LogUnavailable(f"{topic}/{partition} ends at {end}; a reader wants to go on at {offset}")
