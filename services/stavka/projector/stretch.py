"""A stretch of the log that has an end: for folds and rebuilds that must finish."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing

from stavka.match.ports import EVENTS, Entry, Log


async def stretch(log: Log, start: Mapping[int, int], ends: Mapping[int, int]) -> AsyncGenerator[Sequence[Entry]]:
    """Chunks of the events topic from `start` (partition -> offset, 0 when absent) up to `ends`, exclusive."""
    at = {p: start.get(p, 0) for p in ends if start.get(p, 0) < ends[p]}
    if not at:
        return
    async with aclosing(closable(log.follow(EVENTS, dict(at)))) as chunks:
        async for chunk in chunks:
            wanted = [entry for entry in chunk if entry.offset < ends[entry.partition]]
            for entry in wanted:
                at[entry.partition] = entry.offset + 1
            if wanted:
                yield wanted
            if all(at[partition] >= ends[partition] for partition in at):
                return


async def closable(chunks: AsyncIterator[Sequence[Entry]]) -> AsyncGenerator[Sequence[Entry]]:
    """What `Log.follow` gives, as a generator that closes it."""
    try:
        async for chunk in chunks:
            yield chunk
    finally:
        close = getattr(chunks, "aclose", None)
        if close is not None:
            await close()
