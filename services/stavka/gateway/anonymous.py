"""Health and reflection, which answer without a token: all their open streams together have a few places.

Without a bound somebody who has no token could hold every call of the server open.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha._async import ReflectionServicer

from .edge import Context, refuse
from .limits import Limits
from .refusals import TooMuch


class Places:
    """Places of streams without a token. `open` counts those taken."""

    def __init__(self, limits: Limits) -> None:
        self.open = 0
        self._limits = limits

    @asynccontextmanager
    async def taken(self, name: str, context: Context) -> AsyncIterator[None]:
        """One stream, for `anonymous_seconds` at most. Ends the call with TOO_MANY_STREAMS or STREAM_TOO_OLD."""
        if self.open >= self._limits.anonymous_streams:
            crowd = TooMuch("TOO_MANY_STREAMS", f"{self.open} streams without a token are open", 1_000)
            await refuse(name, context, crowd)
        self.open += 1
        try:
            async with asyncio.timeout(self._limits.anonymous_seconds):
                yield
        except TimeoutError:
            await refuse(
                name, context, TooMuch("STREAM_TOO_OLD", "this stream has been open for long; begin again", 250)
            )
        finally:
            self.open -= 1


class Health(HealthServicer):  # type: ignore[misc]
    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places

    async def Watch(self, request: Any, context: Context) -> None:
        async with self._places.taken("grpc.health.v1.Health/Watch", context):
            await super().Watch(request, context)


class Reflection(ReflectionServicer):  # type: ignore[misc]
    def __init__(self, names: tuple[str, ...], places: Places) -> None:
        super().__init__(names)
        self._places = places

    async def ServerReflectionInfo(self, requests: AsyncIterable[Any], context: Context) -> AsyncIterator[Any]:
        name = "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
        async with self._places.taken(name, context):
            async for answer in super().ServerReflectionInfo(requests, context):
                yield answer
