"""From a stream of commands to handlers: in order within a match, concurrent across matches, bounded; and what is done.

An offset may be committed only when every command of its partition up to there is done, in whatever order the
handlers returned. That watermark belongs to one holding of the partition: what a handler finishes after the partition
was taken away counts for nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from stavka.match.ports import Handler

MAX_PENDING = 4096
MAX_RUNNING = 256

logger = logging.getLogger(__name__)


class CommandsMissed(Exception):
    """The stream went on behind a command that it never delivered: read it again from the committed offset."""


@dataclass(slots=True)
class _Holding:
    """One partition between its assignment and its revocation. Offsets: `done` <= `upcoming`."""

    partition: int
    upcoming: int
    done: int
    committed: int
    held: bool = True
    ahead: set[int] = field(default_factory=set)

    def finish(self, offset: int) -> None:
        self.ahead.add(offset)
        while self.done in self.ahead:
            self.ahead.discard(self.done)
            self.done += 1


@dataclass(slots=True)
class _Command:
    holding: _Holding
    offset: int
    value: bytes


class Dispatcher:
    """Runs `handle` for what is offered. One event loop.

    Attributes:
        generation: number of revocations; what was read in another generation is not taken.
        failure: fails when a handler raised (it must not) or commands were missed; nothing else ends it.
    """

    def __init__(self, handle: Handler, *, max_pending: int = MAX_PENDING, max_running: int = MAX_RUNNING) -> None:
        self.generation = 0
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._handle = handle
        self._room = asyncio.Semaphore(max_pending)
        self._turns = asyncio.Semaphore(max_running)
        self._settled = asyncio.Event()
        self._holdings: dict[int, _Holding] = {}
        self._matches: dict[bytes, deque[_Command]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def revoke(self) -> None:
        """Nothing is held any more: queued commands are dropped, running ones finish for nobody."""
        self.generation += 1
        self._settled.clear()
        for holding in self._holdings.values():
            holding.held = False
        self._holdings = {}

    def assign(self, starts: Mapping[int, int]) -> None:
        """Hold these partitions, from now on and from these offsets."""
        self._holdings = {part: _Holding(part, start, start, start) for part, start in starts.items()}
        self._settled.set()

    async def offer(self, generation: int, partition: int, offset: int, key: bytes, value: bytes) -> None:
        """Queue a command read in `generation`; waits while partitions change hands and while there is no room.

        A command of another generation, of a partition not held, or delivered already, is ignored. A hole before
        it fails `failure` with CommandsMissed.
        """
        await self._settled.wait()
        await self._room.acquire()
        holding = self._holdings.get(partition)
        if generation != self.generation or holding is None or offset < holding.upcoming:
            self._room.release()
            return
        if offset > holding.upcoming:
            self._room.release()
            self._fail(CommandsMissed(f"partition {partition}: {offset} came, {holding.upcoming} did not"))
            return
        holding.upcoming += 1
        command = _Command(holding, offset, value)
        waiting = self._matches.get(key)
        if waiting is not None:
            waiting.append(command)
            return
        self._matches[key] = deque((command,))
        task = asyncio.get_running_loop().create_task(self._work(key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def committable(self) -> dict[int, int]:
        """Partition -> offset to commit, of those where it is higher than the last one committed."""
        return {part: each.done for part, each in self._holdings.items() if each.done > each.committed}

    def committed(self, offsets: Mapping[int, int]) -> None:
        """Take note that the broker has these."""
        for partition, offset in offsets.items():
            holding = self._holdings.get(partition)
            if holding is not None:
                holding.committed = max(holding.committed, offset)

    def behind(self, ends: Mapping[int, int]) -> dict[int, int]:
        """Partition -> next offset expected, of those held that have more in the log; empty while there is no room.

        Args:
            ends: partition -> offset behind its last command in the log.
        """
        if self._room.locked():
            return {}
        return {part: each.upcoming for part, each in self._holdings.items() if ends.get(part, 0) > each.upcoming}

    async def drain(self, seconds: float) -> None:
        """Let running handlers return for at most `seconds`, then cancel them. Take nothing more before this."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    @contextmanager
    def failing(self, what: str) -> Iterator[None]:
        """Turn an exception of the block into `failure`, so that whoever runs the intake gets it."""
        try:
            yield
        except Exception as error:
            logger.exception(what)
            self._fail(error)

    async def _work(self, key: bytes) -> None:
        """Handle the commands of one match until none waits."""
        waiting = self._matches[key]
        try:
            with self.failing("the handler of commands raised"):
                while waiting:
                    command = waiting[0]
                    if command.holding.held:
                        async with self._turns:
                            await self._handle(command.holding.partition, command.value)
                        command.holding.finish(command.offset)
                    waiting.popleft()
                    self._room.release()
        finally:
            del self._matches[key]

    def _fail(self, error: Exception) -> None:
        if not self.failure.done():
            self.failure.set_exception(error)
