"""The log file of an embedded Stavka: its schema, its start-up check, its lock.

One row a record; `crc` is CRC-32 of `rec`, so that a rotten record is found before anybody folds it.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import zlib
from pathlib import Path
from typing import IO

from stavka.bus.errors import DamagedLog, DataDirLocked, StartRefused

FILE_NAME = "log.sqlite3"
LOCK_NAME = "lock"
APPLICATION_ID = 0x53544156  # "STAV"
SCHEMA_VERSION = 1
SCHEMA = """
create table if not exists log (
    topic text not null,
    part integer not null,
    off integer not null,
    crc integer not null,
    rec blob not null,
    primary key (topic, part, off)
) without rowid
"""

Key = tuple[str, int]


def lock_directory(data: Path) -> IO[str]:
    """Create `data` if need be and take its lock; closing the returned file gives the lock back.

    Raises:
        DataDirLocked: a live process holds it.
        StartRefused: the directory cannot be made or written.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
        handle = (data / LOCK_NAME).open("a+", encoding="ascii")
    except OSError as error:
        raise StartRefused(f"{data} cannot hold a log: {error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.seek(0)
        holder = handle.read().strip() or "unknown"
        handle.close()
        raise DataDirLocked(f"{data} is in use by process {holder}; one process per data directory") from error
    try:
        handle.truncate(0)
        handle.write(f"{os.getpid()}\n")
        handle.flush()
    except OSError:
        # A full disk must not keep the log from being read: the lock holds, only the holder's name is missing.
        handle.truncate(0)
    return handle


def connect(path: Path) -> sqlite3.Connection:
    """A connection in the one mode that the log uses: WAL, an fsync a commit, explicit transactions."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=full")
    connection.execute("pragma wal_autocheckpoint=1000")
    return connection


def read_ends(connection: sqlite3.Connection) -> dict[Key, int]:
    """Offset that the next record of each partition gets, read from the file."""
    ends: dict[Key, int] = {}
    key: Key | None = ("", -1)
    while key is not None:
        row = connection.execute(
            "select topic, part from log where (topic, part) > (?, ?) order by topic, part limit 1", key
        ).fetchone()
        key = None if row is None else (row[0], row[1])
        if key is not None:
            (last,) = connection.execute("select max(off) from log where topic = ? and part = ?", key).fetchone()
            ends[key] = last + 1
    return ends


def checked_ends(path: Path) -> dict[Key, int]:
    """Create the file or read it whole: pages, checksums, contiguous offsets.

    Returns:
        (topic, partition) -> offset of the next record.

    Raises:
        DamagedLog: naming the file and the first thing wrong with it.
    """
    try:
        connection = connect(path)
        try:
            _require_ours(connection, path)
            for (verdict,) in connection.execute("pragma quick_check(1)"):
                if verdict != "ok":
                    raise DamagedLog(f"{path} is damaged: {verdict}; restore it from a backup")
            ends: dict[Key, int] = {}
            rows = connection.execute("select topic, part, off, crc, rec from log order by topic, part, off")
            for topic, part, off, crc, rec in rows:
                expected = ends.get((topic, part), 0)
                if off != expected:
                    raise DamagedLog(f"{path} is damaged: {topic}/{part} lacks record {expected}")
                if zlib.crc32(rec) != crc:
                    raise DamagedLog(f"{path} is damaged: record {off} of {topic}/{part} has changed")
                ends[topic, part] = off + 1
            return ends
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise DamagedLog(f"{path} cannot be used as a log: {error}") from error


def _require_ours(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("pragma application_id").fetchone()
    (version,) = connection.execute("pragma user_version").fetchone()
    (tables,) = connection.execute("select count(*) from sqlite_master").fetchone()
    if tables == 0:
        connection.execute("begin immediate")
        connection.execute(SCHEMA)
        connection.execute(f"pragma application_id={APPLICATION_ID}")
        connection.execute(f"pragma user_version={SCHEMA_VERSION}")
        connection.execute("commit")
    elif application != APPLICATION_ID or version != SCHEMA_VERSION:
        raise DamagedLog(f"{path} is no log of this version: {application:#x}/{version}")
