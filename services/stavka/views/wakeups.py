"""Wake-ups by Redis Pub/Sub: hints that a match has moved, worth nothing but the waiting they save.

A message may be lost at any time (a lost connection, a restart). So whoever waits looks at the version after he has
registered, and again now and then; and a new subscription wakes everybody.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final

import structlog
from redis.exceptions import RedisError

from .redis_keys import WAKE_PATTERN, match_of_channel

RECONNECT: Final = 0.25  # seconds

logger = structlog.get_logger(__name__)


class Wakeups:
    """One subscription for all matches. `pubsub` makes a fresh one on a connection without read timeout."""

    def __init__(self, pubsub: Callable[[], Any]) -> None:
        self._pubsub = pubsub
        self._waiting: dict[str, set[asyncio.Future[int]]] = {}
        self._task: asyncio.Task[None] | None = None
        self.subscribed = False

    def register(self, match_id: str) -> asyncio.Future[int]:
        """A future of the next hint: a version, or 0 for "look yourself". Cancel it to stop waiting."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="redis wake-ups")
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(match_id, set()).add(future)
        future.add_done_callback(lambda done: self._drop(match_id, done))
        return future

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            pubsub = self._pubsub()
            try:
                await pubsub.psubscribe(WAKE_PATTERN)
                async for message in pubsub.listen():
                    if message["type"] == "psubscribe":
                        self.subscribed = True
                        self._wake_all()
                    elif message["type"] == "pmessage":
                        self._wake(match_of_channel(message["channel"]), int(message["data"]))
            except (RedisError, OSError) as error:
                logger.warning("wake-ups lost", error=str(error))
            finally:
                self.subscribed = False
                with contextlib.suppress(RedisError, OSError):
                    await pubsub.aclose()
            await asyncio.sleep(RECONNECT)

    def _wake(self, match_id: str, version: int) -> None:
        for future in list(self._waiting.get(match_id, ())):
            if not future.done():
                future.set_result(version)

    def _wake_all(self) -> None:
        for match_id in list(self._waiting):
            self._wake(match_id, 0)

    def _drop(self, match_id: str, future: asyncio.Future[int]) -> None:
        waiting = self._waiting.get(match_id)
        if waiting is not None:
            waiting.discard(future)
            if not waiting:
                del self._waiting[match_id]
