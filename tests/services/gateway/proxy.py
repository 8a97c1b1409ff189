"""A TCP proxy that can freeze: the connection stays open and carries nothing any more, as when a cable is pulled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Proxy:
    upstream: int
    port: int = 0
    running: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    def freeze(self) -> None:
        self.running.clear()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        self.writers += [writer, up_writer]
        for source, target in ((reader, up_writer), (up_reader, writer)):
            task = asyncio.create_task(self.pump(source, target))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                await self.running.wait()
                target.write(data)
                await target.drain()
        except ConnectionError:
            return


@asynccontextmanager
async def proxy(upstream: int) -> AsyncIterator[Proxy]:
    between = Proxy(upstream)
    between.running.set()
    server = await asyncio.start_server(between.accept, "127.0.0.1", 0)
    between.port = server.sockets[0].getsockname()[1]
    try:
        yield between
    finally:
        server.close()
        for task in between.tasks:
            task.cancel()
        await asyncio.gather(*between.tasks, return_exceptions=True)
        for writer in between.writers:
            writer.close()
