"""Reading a log in tests: so many entries, or fail at a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, cast

from stavka.match.ports import Entry, Log

DEADLINE = 30.0


async def read(log: Log, topic: str, start: Mapping[int, int], count: int) -> list[Entry]:
    """The next `count` entries, in the order they were yielded; fails after DEADLINE seconds."""
    got: list[Entry] = []
    async with asyncio.timeout(DEADLINE), aclosing(cast(Any, log.follow(topic, start))) as chunks:
        async for chunk in chunks:
            assert chunk, "a chunk is never empty"
            got.extend(chunk)
            if len(got) >= count:
                break
    assert len(got) == count
    return got


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = DEADLINE) -> None:
    """Wait until the condition holds, asking every 20 ms; fails after `seconds`."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)
