"""Running an intake in tests, here or in a child process that can be killed."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from stavka.bus.aiokafka_intake import AiokafkaIntake
from stavka.bus.faust_intake import FaustIntake
from stavka.match.ports import PARTITIONS, Intake

from tests.adapters.bus.reading import eventually

SESSION_SECONDS = 6.0
JOIN_DEADLINE = 60.0

CHILD = """
import asyncio, sys
from tests.adapters.bus.intakes import make

async def main(kind, bootstrap, topic, stuck):
    async def handle(partition, value):
        print("begun", partition, value.decode(), flush=True)
        if value.decode().endswith(stuck):
            await asyncio.Event().wait()
        print("done", partition, value.decode(), flush=True)

    async def on_assigned(partitions):
        print("assigned", len(partitions), flush=True)

    await make(kind, bootstrap).run(topic, handle, on_assigned)

asyncio.run(main(*sys.argv[1:]))
"""


def make(kind: str, bootstrap: str) -> Intake:
    """The intake called `faust` or `aiokafka`, noticing a dead member after SESSION_SECONDS."""
    if kind == "faust":
        return FaustIntake(bootstrap, session_s=SESSION_SECONDS)
    return AiokafkaIntake(bootstrap, session_s=SESSION_SECONDS)


@dataclass
class Recorder:
    """A handler that remembers; a call whose value is in `held` ends when its event is set."""

    tag: str
    begun: list[tuple[int, str]] = field(default_factory=list)
    done: list[tuple[int, str]] = field(default_factory=list)
    owned: list[frozenset[int]] = field(default_factory=list)
    held: defaultdict[str, asyncio.Event] = field(default_factory=lambda: defaultdict(asyncio.Event))
    hold: frozenset[str] = frozenset()

    async def handle(self, partition: int, value: bytes) -> None:
        assert self.owned, "commands before the partitions were handed over"
        tag, text = value.decode().split("/")
        if tag != self.tag:
            return  # left over from another test
        assert partition in self.owned[-1]
        self.begun.append((partition, text))
        if text in self.hold:
            await self.held[text].wait()
        self.done.append((partition, text))

    async def on_assigned(self, partitions: frozenset[int]) -> None:
        self.owned.append(partitions)

    async def until_owned(self, count: int) -> None:
        async def owns() -> bool:
            return bool(self.owned) and len(self.owned[-1]) == count

        await eventually(owns, JOIN_DEADLINE)

    async def until_done(self, *texts: str) -> None:
        async def all_done() -> bool:
            return set(texts) <= {text for _, text in self.done}

        await eventually(all_done, JOIN_DEADLINE)

    async def until_begun(self, *texts: str) -> None:
        async def all_begun() -> bool:
            return set(texts) <= {text for _, text in self.begun}

        await eventually(all_begun, JOIN_DEADLINE)


@asynccontextmanager
async def running(
    intake: Intake, topic: str, recorder: Recorder, owned: int = PARTITIONS
) -> AsyncIterator[asyncio.Task[None]]:
    """The intake, from having its partitions to its orderly end."""
    task = asyncio.create_task(intake.run(topic, recorder.handle, recorder.on_assigned))
    try:
        owning = asyncio.create_task(recorder.until_owned(owned))
        await asyncio.wait({task, owning}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            owning.cancel()
            task.result()
        await owning
        yield task
    finally:
        await intake.close()
        async with asyncio.timeout(JOIN_DEADLINE):
            await task


@asynccontextmanager
async def child(kind: str, bootstrap: str, topic: str, stuck: str) -> AsyncIterator[Process]:
    """An intake in a process of its own; it never finishes a command whose text ends with `stuck`. Killed at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CHILD, kind, bootstrap, topic, stuck, stdout=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def said(process: Process, line: str) -> None:
    """Wait until the child has printed `line`."""
    assert process.stdout is not None
    async with asyncio.timeout(JOIN_DEADLINE):
        while True:
            got = (await process.stdout.readline()).decode()
            assert got, "the child ended"
            if got.strip() == line:
                return
