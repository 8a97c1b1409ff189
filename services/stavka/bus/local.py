"""Command bus and intake of an embedded Stavka: a queue a topic, in this process, on one event loop.

A queued command is lost with the process, like one on its way over a network: whoever sent it sends it again under
the same command id, and the match's history answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from stavka.bus.dispatch import Dispatcher
from stavka.bus.errors import check_record
from stavka.match.ports import PARTITIONS, TOPICS, Handler, LogUnavailable

MAX_QUEUED = 1024
SEND_SECONDS = 10.0
STOP_SECONDS = 2.0

_Queued = tuple[int, bytes, bytes]


class LocalBus:
    """`CommandBus` and `Intake` at once. Every topic has at most one running intake."""

    def __init__(self, *, max_queued: int = MAX_QUEUED) -> None:
        self._queues: dict[str, asyncio.Queue[_Queued]] = {topic: asyncio.Queue(max_queued) for topic in TOPICS}
        self._closing = asyncio.Event()

    async def send(self, topic: str, partition: int, match_id: str, value: bytes) -> None:
        """Queue a command; waits while MAX_QUEUED wait, and raises LogUnavailable after SEND_SECONDS of that."""
        check_record(partition, value)
        if self._closing.is_set():
            raise LogUnavailable("the command bus is closed")
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._queues[topic].put((partition, match_id.encode(), value))
        except TimeoutError as error:
            raise LogUnavailable(f"{topic} took no command for {SEND_SECONDS:g} s") from error

    async def run(self, topic: str, handle: Handler, on_assigned: Callable[[frozenset[int]], Awaitable[None]]) -> None:
        """Deliver until `close`; an exception of a handler ends it."""
        await on_assigned(frozenset(range(PARTITIONS)))
        dispatcher = Dispatcher(handle)
        dispatcher.assign(dict.fromkeys(range(PARTITIONS), 0))
        feeding = asyncio.create_task(_feed(self._queues[topic], dispatcher))
        closing = asyncio.create_task(self._closing.wait())
        try:
            ends: set[asyncio.Future[Any]] = {feeding, closing, dispatcher.failure}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if dispatcher.failure.done():
                dispatcher.failure.result()
        finally:
            for task in (feeding, closing):
                task.cancel()
            await asyncio.gather(feeding, closing, return_exceptions=True)
            dispatcher.failure.cancel()
            await dispatcher.drain(STOP_SECONDS)

    async def close(self) -> None:
        """Stop delivering; running handlers get STOP_SECONDS. Twice is harmless."""
        self._closing.set()


async def _feed(queue: asyncio.Queue[_Queued], dispatcher: Dispatcher) -> None:
    offsets = [0] * PARTITIONS
    while True:
        partition, key, value = await queue.get()
        await dispatcher.offer(dispatcher.generation, partition, offsets[partition], key, value)
        offsets[partition] += 1
