"""The log of an embedded Stavka: one SQLite file, one writing thread, group commit, live tail in process.

An append costs two thread hops and one fsync; appends that arrive during an fsync share the next one. The log
never waits to fill a group. A failed commit (full disk, input/output error) fails its whole group with
LogUnavailable and reopens the file, so the next append finds whatever the disk really holds.
"""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import sqlite3
import threading
import zlib
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from pathlib import Path
from typing import NamedTuple

from stavka.bus.errors import check_record
from stavka.bus.memory import require_reached
from stavka.bus.sqlite_file import FILE_NAME, checked_ends, connect, lock_directory, read_ends
from stavka.bus.tail import CHUNK_ENTRIES, Tail
from stavka.match.ports import Entry, LogUnavailable

GROUP_RECORDS = 512
GROUP_BYTES = 16 * 1_048_576
READ_BYTES = 4 * 1_048_576
INSERT = "insert into log values (?, ?, ?, ?, ?)"

logger = logging.getLogger(__name__)


_Row = tuple[str, int, int, int, bytes]


class _Pending(NamedTuple):
    topic: str
    partition: int
    value: bytes
    done: asyncio.Future[None]


class SqliteLog:
    """`Log` in `data`/log.sqlite3. Construct it anywhere, use it on one event loop.

    Raises (constructor):
        DataDirLocked: another process works there.
        DamagedLog: the file is not a whole log of this version.
    """

    def __init__(self, data: Path) -> None:
        self._path = data / FILE_NAME
        self._lock = lock_directory(data)
        try:
            self._ends = checked_ends(self._path)
        except BaseException:
            self._lock.close()
            raise
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._queue: queue.SimpleQueue[_Pending | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_groups, name="stavka-log", daemon=True)
        self._writer.start()
        self._reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="stavka-log-read")
        self._reading: sqlite3.Connection | None = None
        self._tail = Tail(self._read)

    async def append(self, topic: str, partition: int, value: bytes) -> None:
        check_record(partition, value)
        loop = self._require_open()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Pending(topic, partition, value, done))
        await done

    async def end(self, topic: str, partition: int) -> int:
        self._require_open()
        return self._ends.get((topic, partition), 0)

    async def follow(self, topic: str, start: Mapping[int, int]) -> AsyncGenerator[Sequence[Entry]]:
        self._require_open()
        for partition, offset in start.items():
            require_reached(topic, partition, offset, self._ends.get((topic, partition), 0))
        async with aclosing(self._tail.follow(topic, start)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        """Commit what was appended before, end the followers, give the directory back. Twice is harmless."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join)
        self._tail.fail(LogUnavailable(f"{self._path} is closed"))
        await asyncio.get_running_loop().run_in_executor(self._reader, self._close_reading)
        self._reader.shutdown()
        self._lock.close()

    def _require_open(self) -> asyncio.AbstractEventLoop:
        if self._closed:
            raise LogUnavailable(f"{self._path} is closed")
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop

    # The writing thread.

    def _write_groups(self) -> None:
        connection: sqlite3.Connection | None = None
        last = False
        while not last:
            group, last = self._next_group()
            if not group:
                continue
            failure: Exception | None = None
            committed: dict[str, list[Entry]] = {}
            try:
                if connection is None:
                    connection = connect(self._path)
                    self._ends = read_ends(connection)
                committed = self._commit(connection, group)
            except sqlite3.Error as error:
                logger.warning("append to %s failed: %s", self._path, error)
                failure = error
            except Exception as error:  # whatever it is, this thread goes on and nobody waits for ever
                logger.exception("append to %s failed", self._path)
                failure = error
            if failure is not None and connection is not None:
                connection.close()
                connection = None
            self._report(group, committed, failure)
        if connection is not None:
            connection.close()

    def _next_group(self) -> tuple[list[_Pending], bool]:
        """Wait for one append, then take all that wait; (appends, whether the log closes after them)."""
        first = self._queue.get()
        if first is None:
            return [], True
        group, size = [first], len(first.value)
        while len(group) < GROUP_RECORDS and size < GROUP_BYTES:
            try:
                pending = self._queue.get_nowait()
            except queue.Empty:
                return group, False
            if pending is None:
                return group, True
            group.append(pending)
            size += len(pending.value)
        return group, False

    def _commit(self, connection: sqlite3.Connection, group: Sequence[_Pending]) -> dict[str, list[Entry]]:
        ends: dict[tuple[str, int], int] = {}
        entries: dict[str, list[Entry]] = {}
        rows: list[_Row] = []
        for topic, partition, value, _ in group:
            offset = ends.get((topic, partition))
            if offset is None:
                offset = self._ends.get((topic, partition), 0)
            ends[topic, partition] = offset + 1
            entries.setdefault(topic, []).append(Entry(partition, offset, value))
            rows.append((topic, partition, offset, zlib.crc32(value), value))
        _insert(connection, rows)
        self._ends.update(ends)
        return entries

    def _report(
        self, group: Sequence[_Pending], committed: Mapping[str, Sequence[Entry]], failure: Exception | None
    ) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._settle, group, committed, failure)
        except RuntimeError:
            # The loop was closed under us: nobody waits any more, and what is committed stays committed.
            logger.warning("%s: the event loop ended before %d appends were answered", self._path, len(group))

    # The event loop.

    def _settle(
        self, group: Sequence[_Pending], committed: Mapping[str, Sequence[Entry]], failure: Exception | None
    ) -> None:
        for topic, entries in committed.items():
            self._tail.publish(topic, entries)
        if failure is not None:
            self._tail.reread()
        for pending in group:
            if pending.done.done():
                continue
            if failure is None:
                pending.done.set_result(None)
            else:
                pending.done.set_exception(LogUnavailable(f"{self._path}: {failure}"))

    async def read(self, topic: str, partition: int, offsets: Sequence[int]) -> list[Entry]:
        """The entries at these offsets (ascending), in their order. Raises LogUnavailable, also for one that is not there."""
        loop = self._require_open()
        return await loop.run_in_executor(self._reader, self._read_scattered, topic, partition, list(offsets))

    async def _read(self, topic: str, partition: int, offset: int) -> Sequence[Entry]:
        if offset >= self._ends.get((topic, partition), 0):
            return ()
        loop = self._require_open()
        return await loop.run_in_executor(self._reader, self._read_stored, topic, partition, offset)

    # The reading thread.

    def _read_stored(self, topic: str, partition: int, offset: int) -> list[Entry]:
        entries: list[Entry] = []
        size = 0
        for entry in self._select("off >= ? order by off limit ?", topic, partition, (offset, CHUNK_ENTRIES)):
            entries.append(entry)
            size += len(entry.value)
            if size >= READ_BYTES:
                break
        return entries

    def _read_scattered(self, topic: str, partition: int, offsets: list[int]) -> list[Entry]:
        condition = "off in (select value from json_each(?)) order by off"
        entries = list(self._select(condition, topic, partition, (json.dumps(offsets),)))
        if len(entries) != len(offsets):
            raise LogUnavailable(
                f"{self._path}: {topic}/{partition} lacks {len(offsets) - len(entries)} records asked for"
            )
        return entries

    def _select(self, condition: str, topic: str, partition: int, values: tuple[object, ...]) -> Iterator[Entry]:
        """The rows of a partition that meet `condition`, each checked against its checksum. Raises LogUnavailable."""
        try:
            if self._reading is None:
                self._reading = connect(self._path)
            query = f"select off, crc, rec from log where topic = ? and part = ? and {condition}"
            with closing(self._reading.execute(query, (topic, partition, *values))) as rows:
                for off, crc, rec in rows:
                    if zlib.crc32(rec) != crc:
                        raise LogUnavailable(
                            f"{self._path} is damaged: record {off} of {topic}/{partition} has changed"
                        )
                    yield Entry(partition, off, rec)
        except sqlite3.Error as error:
            self._close_reading()
            raise LogUnavailable(f"{self._path}: {error}") from error

    def _close_reading(self) -> None:
        if self._reading is not None:
            self._reading.close()
            self._reading = None


def _insert(connection: sqlite3.Connection, rows: Sequence[_Row]) -> None:
    """Insert and commit `rows` at once."""
    if len(rows) == 1:
        connection.execute(INSERT, rows[0])  # commits by itself: two turns at the interpreter less
        return
    connection.execute("begin immediate")
    connection.executemany(INSERT, rows)
    connection.execute("commit")
