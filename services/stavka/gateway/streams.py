"""Server streams: history, live watching, export. Each holds a page of records at most, however slow its reader is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Final

from stavka.kernel.visibility import Viewer
from stavka.views.errors import MatchQuarantined, StoreUnavailable, VersionNotYet
from stavka.views.reader import Idle, MatchReader, Step
from stavka.views.store import Head
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from . import answers
from .directory import Directory
from .edge import Call
from .limits import Limits
from .permissions import require_match, viewer_asked

SLOW: Final = 1.0  # seconds that a reader takes for one message before it is asked how far it has fallen back
AGAIN: Final = 0.25  # seconds between tries while the projections are away


class Streams:
    """ListHistory and Watch. `stopping` ends every watch with a typed end."""

    def __init__(self, reader: MatchReader, directory: Directory, limits: Limits) -> None:
        self.stopping = asyncio.Event()
        self._reader = reader
        self._directory = directory
        self._limits = limits

    async def list_history(
        self, call: Call, request: pb.ListHistoryRequest
    ) -> AsyncGenerator[pb.ListHistoryResponse, None]:
        viewer, head = await self._begin(call, request.match_id, request.viewer, request.from_version)
        left = request.limit or -1
        steps = self._reader.follow(request.match_id, request.from_version, viewer, None, head.version, call.turn)
        async with aclosing(steps):
            async for step in steps:
                if isinstance(step, Step):
                    yield pb.ListHistoryResponse(record=answers.history_record(step.view(viewer)))
                    left -= 1
                if left == 0:
                    return

    async def watch(self, call: Call, request: pb.WatchRequest) -> AsyncGenerator[pb.WatchResponse, None]:
        viewer, head = await self._begin(call, request.match_id, request.viewer, request.from_version)
        yield _heartbeat(head.version, head.head)
        clock = asyncio.get_running_loop().time
        at, at_head, live = request.from_version, b"", request.from_version == head.version
        async with self._until_stopped() as stop:
            while True:
                try:
                    known = max(at, head.version)
                    async with aclosing(self._follow(call, request.match_id, at, viewer, stop, known)) as steps:
                        async for step in steps:
                            before = clock()
                            if isinstance(step, Step):
                                at, at_head = step.version, step.head
                                yield pb.WatchResponse(record=answers.history_record(step.view(viewer)))
                            else:
                                yield _heartbeat(step.version, step.head)
                            live = live or at >= head.version
                            if live and clock() - before > SLOW:
                                shown = await self._reader.visible(request.match_id, viewer, known)
                                if shown.version - at > self._limits.lag:
                                    yield _end(pb.WATCH_END_REASON_RESYNC, shown.version, shown.head)
                                    return
                    reason = pb.WATCH_END_REASON_SERVER_STOPPING if stop.done() else pb.WATCH_END_REASON_MATCH_ENDED
                    yield _end(reason, at, at_head or head.head)
                    return
                except MatchQuarantined:
                    yield _end(pb.WATCH_END_REASON_QUARANTINED, at, at_head)
                    return
                except StoreUnavailable:
                    await asyncio.wait({stop}, timeout=AGAIN)

    async def _begin(self, call: Call, match_id: str, name: str, from_version: int) -> tuple[Viewer, Head]:
        """The permitted eyes and what they see now. Raises VersionNotYet when that is less than `from_version`."""
        require_match(call.caller, match_id)
        match = await self._directory.match(match_id)
        if from_version > self._directory.version(match_id):
            match = await self._directory.fresh(match_id)  # another gateway may have shown it already
        viewer = viewer_asked(call.caller, match, name)
        head = await self._reader.visible(match_id, viewer, self._directory.version(match_id))
        if from_version > head.version:
            raise VersionNotYet(match_id, from_version, head.version)
        return viewer, head

    async def _follow(
        self, call: Call, match_id: str, after: int, viewer: Viewer, stop: asyncio.Task[bool], known: int
    ) -> AsyncGenerator[Step | Idle, None]:
        """The reader's steps until the match has ended or `stop` is done."""
        steps = self._reader.follow(match_id, after, viewer, self._limits.heartbeat_seconds, known, call.turn)
        async with aclosing(steps):
            while not stop.done():
                coming = asyncio.ensure_future(anext(steps, None))
                try:
                    await asyncio.wait({coming, stop}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    if not coming.done():
                        coming.cancel()
                        await asyncio.gather(coming, return_exceptions=True)
                step = None if coming.cancelled() else coming.result()
                if step is None:
                    return
                yield step

    @asynccontextmanager
    async def _until_stopped(self) -> AsyncIterator[asyncio.Task[bool]]:
        """A task that is done when the server stops."""
        task = asyncio.create_task(self.stopping.wait())
        try:
            yield task
        finally:
            task.cancel()


def _heartbeat(version: int, head: bytes) -> pb.WatchResponse:
    return pb.WatchResponse(heartbeat=pb.Heartbeat(version=version, head=head))


def _end(reason: pb.WatchEndReason, version: int, head: bytes) -> pb.WatchResponse:
    return pb.WatchResponse(end=pb.WatchEnd(reason=reason, version=version, head=head))
