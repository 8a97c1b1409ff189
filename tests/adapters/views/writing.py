"""Histories written to a log, and to a store update by update."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from stavka.bus.memory import MemoryLog
from stavka.match.fold import GENESIS, leaf_hash, partition_of
from stavka.match.ports import EVENTS
from stavka.views.store import Entry, Update

from tests.views.ambush import SIDES, History

MATCH = "07-01J00000000000000000000000"
OTHER = "11-01J00000000000000000000001"


async def write(log: MemoryLog, *histories: History, start: int = 0) -> None:
    for history in histories:
        for raw in history.raws[start:]:
            await log.append(EVENTS, partition_of(history.match_id), raw)


async def eventually(holds: Callable[[], Awaitable[bool]], deadline: float = 20.0) -> None:
    async with asyncio.timeout(deadline):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.01)


def entry(match_id: str, version: int, status: str = "playing") -> Entry:
    return Entry(match_id, "ambush", 1, "plain", status, SIDES, {"north": "ada"}, False, 0, "", 1_000, 2_000, version)


def update(history: History, base: int, version: int, *, blob: bytes = b"") -> Update:
    """The update that leads `history` from version `base` to `version`."""
    heads = [GENESIS, *(leaf_hash(raw) for raw in history.raws)]
    raws = tuple(history.raws[base:version])
    return Update(history.match_id, base, heads[base], raws, heads[version], entry(history.match_id, version), blob)
