"""Live tail of an embedded log: followers that read what is stored first and what is appended then.

A follower gets each committed entry handed over in memory. When it is too slow, or when the store had to be
reopened, it forgets what it was handed and reads the store again; so it never holds more than BUFFER_BYTES and
never misses or repeats an entry. Everything here runs on the follower's event loop.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence

from stavka.match.ports import Entry, LogUnavailable

BUFFER_BYTES = 8 * 1_048_576
CHUNK_ENTRIES = 1024

Read = Callable[[str, int, int], Coroutine[None, None, Sequence[Entry]]]
"""(topic, partition, offset) -> stored entries from that offset on, ascending; empty at the end."""


class _Follower:
    def __init__(self, topic: str, start: Mapping[int, int]) -> None:
        self.topic = topic
        self.next = dict(start)
        self.wake = asyncio.Event()
        self.handed: deque[Entry] = deque()
        self.handed_bytes = 0
        self.behind = set(self.next)
        self.failure: LogUnavailable | None = None

    def hand(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if entry.partition in self.behind or entry.partition not in self.next:
                continue
            self.handed.append(entry)
            self.handed_bytes += len(entry.value)
        if self.handed_bytes > BUFFER_BYTES:
            self.reread()
        self.wake.set()

    def reread(self) -> None:
        self.handed.clear()
        self.handed_bytes = 0
        self.behind = set(self.next)
        self.wake.set()

    def fail(self, failure: LogUnavailable) -> None:
        self.failure = failure
        self.wake.set()

    def take(self) -> list[Entry]:
        """Entries that continue what was yielded; a partition with a hole is marked as behind."""
        chunk: list[Entry] = []
        while self.handed and len(chunk) < CHUNK_ENTRIES:
            entry = self.handed.popleft()
            self.handed_bytes -= len(entry.value)
            expected = self.next[entry.partition]
            if entry.offset > expected:
                self.behind.add(entry.partition)
            elif entry.offset == expected and entry.partition not in self.behind:
                self.next[entry.partition] = expected + 1
                chunk.append(entry)
        return chunk


class Tail:
    """The followers of one embedded log."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._followers: dict[str, set[_Follower]] = {}

    def publish(self, topic: str, entries: Sequence[Entry]) -> None:
        """Hand committed entries, in the order of their commit, to the followers of the topic."""
        for follower in self._followers.get(topic, ()):
            follower.hand(entries)

    def reread(self) -> None:
        """Make every follower read the store again from where it stands."""
        for followers in self._followers.values():
            for follower in followers:
                follower.reread()

    def fail(self, failure: LogUnavailable) -> None:
        """End every follower with `failure`."""
        for followers in self._followers.values():
            for follower in followers:
                follower.fail(failure)

    async def follow(self, topic: str, start: Mapping[int, int]) -> AsyncGenerator[Sequence[Entry]]:
        """As `Log.follow`. A failed read of the store ends the iterator with LogUnavailable."""
        follower = _Follower(topic, start)
        self._followers.setdefault(topic, set()).add(follower)
        try:
            while True:
                if follower.failure is not None:
                    raise follower.failure
                follower.wake.clear()
                while follower.behind:
                    partition = min(follower.behind)
                    offset = follower.next[partition]
                    stored = await self._read(topic, partition, offset)
                    if not stored:
                        # An entry committed while we read was not handed over: look once more, now handed.
                        follower.behind.discard(partition)
                        stored = await self._read(topic, partition, offset)
                    if stored:
                        if stored[0].offset != offset:
                            raise LogUnavailable(f"{topic}/{partition}: {stored[0].offset} follows {offset - 1}")
                        follower.next[partition] = stored[-1].offset + 1
                        yield stored
                while chunk := follower.take():
                    yield chunk
                if not follower.behind and not follower.handed:
                    await follower.wake.wait()
        finally:
            self._followers[topic].discard(follower)
