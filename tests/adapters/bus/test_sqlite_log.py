"""What only the embedded log can get wrong: the disk, the file, the directory."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import threading
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from stavka.bus import sqlite, tail
from stavka.bus.errors import DamagedLog, DataDirLocked, StartRefused
from stavka.bus.sqlite import SqliteLog
from stavka.bus.sqlite_file import FILE_NAME, LOCK_NAME, connect
from stavka.match.ports import EVENTS, LogUnavailable

from tests.adapters.bus.reading import DEADLINE, eventually, read

APPENDER = """
import asyncio, sys
from pathlib import Path
from stavka.bus.sqlite import SqliteLog

async def main():
    log = SqliteLog(Path(sys.argv[1]))
    async def write(writer):
        number = 0
        while True:
            await log.append("events", writer, b"%d" % number)
            sys.stdout.write(f"{writer} {number}\\n")
            sys.stdout.flush()
            number += 1
    await asyncio.gather(*(write(writer) for writer in range(8)))

asyncio.run(main())
"""


async def test_a_restart_keeps_every_record(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path)
    for number in range(50):
        await log.append(EVENTS, number % 5, b"%d" % number)
    await log.close()
    again = SqliteLog(tmp_path)
    assert [await again.end(EVENTS, partition) for partition in range(5)] == [10] * 5
    entries = await read(again, EVENTS, dict.fromkeys(range(5), 0), 50)
    assert sorted(int(entry.value) for entry in entries) == list(range(50))
    await again.append(EVENTS, 0, b"50")
    assert await again.end(EVENTS, 0) == 11
    await again.close()


async def test_a_killed_process_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", APPENDER, str(tmp_path), stdout=PIPE)
    assert child.stdout is not None
    answered = [(await child.stdout.readline()).split() for _ in range(400)]
    child.kill()
    rest, _ = await child.communicate()
    answered += [line.split() for line in rest.splitlines(keepends=True) if line.endswith(b"\n")]
    log = SqliteLog(tmp_path)
    ends = {partition: await log.end(EVENTS, partition) for partition in range(8)}
    for writer, number in answered:
        assert int(number) < ends[int(writer)]
    entries = await read(log, EVENTS, dict.fromkeys(range(8), 0), sum(ends.values()))
    assert all(int(entry.value) == entry.offset for entry in entries)
    await log.close()


async def test_a_full_disk_is_unavailable_and_recovers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [64]

    def limited(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        connection.execute(f"pragma max_page_count={pages[0]}")
        return connection

    monkeypatch.setattr(sqlite, "connect", limited)
    log = SqliteLog(tmp_path)
    follower = asyncio.create_task(read(log, EVENTS, {1: 0}, 200))
    kept: list[bytes] = []
    with pytest.raises(LogUnavailable, match=FILE_NAME):
        for number in range(200):
            value = b"%d" % number + bytes(4096)
            await log.append(EVENTS, 1, value)
            kept.append(value)
    assert 10 < len(kept) < 200
    with pytest.raises(LogUnavailable):
        await log.append(EVENTS, 1, bytes(4096))
    assert await log.end(EVENTS, 1) == len(kept)
    pages[0] = 100_000
    while len(kept) < 200:
        value = b"%d" % len(kept) + bytes(4096)
        await log.append(EVENTS, 1, value)
        kept.append(value)
    assert [entry.value for entry in await follower] == kept
    await log.close()
    again = SqliteLog(tmp_path)
    assert [entry.value for entry in await read(again, EVENTS, {1: 0}, 200)] == kept
    await again.close()


async def test_a_group_that_fails_fails_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of one commit stand or fall together; after a failure the file decides what the offsets are."""
    log = SqliteLog(tmp_path)
    insert, entered, let_go = sqlite._insert, threading.Event(), threading.Event()
    failures = [False, True]

    def unreliable(connection: sqlite3.Connection, rows: list[sqlite._Row]) -> None:
        entered.set()
        assert let_go.wait(DEADLINE)
        insert(connection, rows)
        if failures and failures.pop(0):
            raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite, "_insert", unreliable)
    first = asyncio.create_task(log.append(EVENTS, 0, b"first"))
    await asyncio.to_thread(entered.wait, DEADLINE)
    group = [asyncio.create_task(log.append(EVENTS, 0, b"%d" % number)) for number in range(5)]
    await asyncio.sleep(0)
    let_go.set()
    await first
    results = await asyncio.gather(*group, return_exceptions=True)
    assert [type(result) for result in results] == [LogUnavailable] * 5
    await log.append(EVENTS, 0, b"last")
    # The failed commit had reached the disk: unknown means that it may have, and then it is there once.
    values = [entry.value for entry in await read(log, EVENTS, {0: 0}, 7)]
    assert values == [b"first", b"0", b"1", b"2", b"3", b"4", b"last"]
    await log.close()


async def test_no_failure_leaves_an_append_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(connection: sqlite3.Connection, rows: list[sqlite._Row]) -> None:
        raise MemoryError

    log = SqliteLog(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(sqlite, "_insert", broken)
        async with asyncio.timeout(DEADLINE):
            with pytest.raises(LogUnavailable):
                await log.append(EVENTS, 0, b"x")
    await log.append(EVENTS, 0, b"y")
    assert [entry.value for entry in await read(log, EVENTS, {0: 0}, 1)] == [b"y"]
    await log.close()


async def test_a_slow_follower_reads_the_file_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail, "BUFFER_BYTES", 10_000)
    log = SqliteLog(tmp_path)
    chunks = log.follow(EVENTS, {0: 0})
    await log.append(EVENTS, 0, bytes(1000))
    seen = len(await anext(chunks))
    await asyncio.gather(*(log.append(EVENTS, 0, bytes(1000)) for _ in range(99)))
    offsets = [0]
    async with asyncio.timeout(DEADLINE):
        while seen < 100:
            chunk = await anext(chunks)
            offsets += [entry.offset for entry in chunk]
            seen += len(chunk)
    assert offsets == list(range(100))
    await chunks.aclose()
    await log.close()


def _damage(tmp_path: Path, edit: str) -> None:
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(edit)
    connection.commit()
    connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()


async def _filled(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path)
    for number in range(200):
        await log.append(EVENTS, 3, b"%03d" % number * 50)
    await log.close()


@pytest.mark.parametrize(
    "edit",
    [
        "delete from log where off = 17",
        "update log set rec = zeroblob(150) where off = 18",
        "delete from log where off = 0",
        "pragma user_version = 99",
    ],
)
async def test_a_changed_history_is_refused_at_start(tmp_path: Path, edit: str) -> None:
    await _filled(tmp_path)
    _damage(tmp_path, edit)
    with pytest.raises(DamagedLog, match=str(tmp_path / FILE_NAME)):
        SqliteLog(tmp_path)


async def test_damaged_pages_are_refused_at_start_and_the_directory_is_free_again(tmp_path: Path) -> None:
    await _filled(tmp_path)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[8192:12288] = os.urandom(4096)
    path.write_bytes(damaged)
    with pytest.raises(DamagedLog, match=str(path)):
        SqliteLog(tmp_path)
    path.write_bytes(whole)
    log = SqliteLog(tmp_path)
    assert await log.end(EVENTS, 3) == 200
    await log.close()


@pytest.mark.parametrize("content", [b"this is no database" * 400, b"SQLite format 3\0"])
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(DamagedLog, match=FILE_NAME):
        SqliteLog(tmp_path)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("create table theirs (x)")
    connection.close()
    with pytest.raises(DamagedLog, match="no log"):
        SqliteLog(tmp_path)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    assert connection.execute("select name from sqlite_master").fetchall() == [("theirs",)]
    connection.close()


async def test_damage_while_running_ends_the_reader_not_the_writer(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path)
    for number in range(10):
        await log.append(EVENTS, 3, b"%d" % number)
    other = sqlite3.connect(tmp_path / FILE_NAME)
    other.execute("update log set rec = x'00' where off = 4")
    other.commit()
    other.close()
    with pytest.raises(LogUnavailable, match="record 4"):
        await read(log, EVENTS, {3: 0}, 10)
    await log.append(EVENTS, 3, b"10")
    assert await log.end(EVENTS, 3) == 11
    await log.close()


async def test_a_second_process_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", APPENDER, str(tmp_path), stdout=PIPE)
    assert child.stdout is not None
    assert await child.stdout.readline()
    with pytest.raises(DataDirLocked, match=str(child.pid)):
        SqliteLog(tmp_path)
    child.kill()
    await child.communicate()
    log = SqliteLog(tmp_path)
    assert (tmp_path / LOCK_NAME).read_text().strip() == str(os.getpid())
    with pytest.raises(DataDirLocked):
        SqliteLog(tmp_path)
    await log.close()
    await SqliteLog(tmp_path).close()


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StartRefused, match="file"):
        SqliteLog(tmp_path / "file" / "data")


async def test_what_was_appended_before_the_close_is_kept(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path)
    appends = [asyncio.create_task(log.append(EVENTS, 0, b"%d" % number)) for number in range(100)]
    await asyncio.sleep(0)
    await log.close()
    await asyncio.gather(*appends)
    again = SqliteLog(tmp_path)
    assert await again.end(EVENTS, 0) == 100
    await again.close()


async def test_appends_that_wait_share_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    insert = sqlite._insert

    def counting(connection: sqlite3.Connection, rows: list[sqlite._Row]) -> None:
        sizes.append(len(rows))
        insert(connection, rows)

    monkeypatch.setattr(sqlite, "_insert", counting)
    log = SqliteLog(tmp_path)
    await asyncio.gather(*(log.append(EVENTS, 0, b"x") for _ in range(2000)))
    assert sum(sizes) == 2000
    assert max(sizes) <= sqlite.GROUP_RECORDS
    assert len(sizes) < 200

    async def ended() -> bool:
        return await log.end(EVENTS, 0) == 2000

    await eventually(ended)
    await log.close()
