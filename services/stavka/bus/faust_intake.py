"""Command intake as a faust-streaming agent: the only module of Stavka that knows Faust.

Faust fetches, balances partitions within the group and delivers. It does not decide offsets: the topic is declared
with `acks=False`, so none of its bookkeeping of acknowledged events, gaps and commits is ever used. The agent hands
each event to a Dispatcher and returns; the Dispatcher's watermark is committed through Faust's consumer every second,
when partitions are taken away, and at the end. ADR 0010 says which of Faust's hazards this avoids and how.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from pathlib import Path
from typing import Any, cast

import faust
from aiokafka import TopicPartition
from faust.transport.consumer import Consumer
from faust.types import TP, EventT, StreamT

from stavka.bus.dispatch import Dispatcher
from stavka.bus.group import (
    COMMIT_SECONDS,
    COMMIT_TIMEOUT_SECONDS,
    HEARTBEAT_SECONDS,
    POLL_SECONDS,
    REBALANCE_SECONDS,
    SESSION_SECONDS,
    STOP_SECONDS,
    OnAssigned,
    SessionLost,
    committed_offsets,
    group_name,
    keep_running,
    watch_for_stall,
)
from stavka.bus.topics import broker_name
from stavka.match.ports import PARTITIONS, Handler

logger = logging.getLogger(__name__)


class FaustIntake:
    """`Intake` on the command topics. One `run` for each topic that this process owns."""

    def __init__(self, bootstrap: str, *, instance: str | None = None, session_s: float = SESSION_SECONDS) -> None:
        self._bootstrap = bootstrap
        self._instance = instance
        self._session_s = session_s
        self._closing = asyncio.Event()

    async def run(self, topic: str, handle: Handler, on_assigned: OnAssigned) -> None:
        """Deliver until `close`. Waits for a broker that is away; raises what a handler or `on_assigned` raised."""
        await keep_running(lambda: self._session(topic, handle, on_assigned), self._closing)

    async def close(self) -> None:
        """Let running handlers return, commit, leave the group (`run` returns then). Twice is harmless."""
        self._closing.set()

    async def _session(self, topic: str, handle: Handler, on_assigned: OnAssigned) -> None:
        with tempfile.TemporaryDirectory(prefix="stavka-faust-") as scratch:
            dispatcher = Dispatcher(handle)
            app = self._app(topic, Path(scratch))
            agent = _Agent(app, broker_name(f"commands.{topic}"), self._bootstrap, dispatcher, on_assigned)
            tasks: list[asyncio.Task[Any]] = []
            try:
                await app.start()
                tasks = [
                    asyncio.create_task(app.wait_until_stopped()),
                    asyncio.create_task(agent.commit_regularly()),
                    asyncio.create_task(watch_for_stall(dispatcher, agent.ends)),
                    asyncio.create_task(self._closing.wait()),
                ]
                done, _ = await asyncio.wait({*tasks, dispatcher.failure}, return_when=asyncio.FIRST_COMPLETED)
                for each in done:
                    await each
                if not self._closing.is_set():
                    raise SessionLost("the Faust application ended") from app.crash_reason
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                dispatcher.failure.cancel()
                await dispatcher.drain(STOP_SECONDS)
                await agent.commit()
                await _stop(app)

    def _app(self, topic: str, scratch: Path) -> faust.App:
        return faust.App(
            group_name(topic),
            broker=f"kafka://{self._bootstrap.replace(',', ';')}",
            datadir=scratch,
            processing_guarantee="at_least_once",
            topic_allow_declare=False,
            topic_disable_leader=True,
            table_standby_replicas=1,
            stream_wait_empty=False,
            stream_buffer_maxsize=256,
            broker_max_poll_records=200,
            broker_session_timeout=self._session_s,
            broker_heartbeat_interval=min(HEARTBEAT_SECONDS, self._session_s / 3),
            broker_rebalance_timeout=REBALANCE_SECONDS,
            broker_max_poll_interval=POLL_SECONDS,
            consumer_group_instance_id=self._instance,
            producer_acks=-1,
            web_enabled=False,
        )


class _Agent:
    """The agent of one Faust application and the commits of what it handed over."""

    def __init__(
        self, app: faust.App, topic: str, bootstrap: str, dispatcher: Dispatcher, on_assigned: OnAssigned
    ) -> None:
        self._app = app
        self._topic = topic
        self._bootstrap = bootstrap
        self._dispatcher = dispatcher
        self._on_assigned = on_assigned
        channel = app.topic(
            topic,
            key_type=bytes,
            value_type=bytes,
            key_serializer="raw",
            value_serializer="raw",
            partitions=PARTITIONS,
            acks=False,
        )
        app.agent(channel, name="intake")(self._take)
        app.on_partitions_revoked.connect(cast(Any, self._revoked))
        app.on_partitions_assigned.connect(cast(Any, self._assigned))

    async def commit_regularly(self) -> None:
        while True:
            await asyncio.sleep(COMMIT_SECONDS)
            await self.commit()

    async def commit(self) -> None:
        """Commit the watermark. A failure costs repeated deliveries only: the next commit covers it."""
        offsets = self._dispatcher.committable()
        if not offsets:
            return
        try:
            async with asyncio.timeout(COMMIT_TIMEOUT_SECONDS):
                # Faust's public commit goes by its own acknowledgements, which this topic has none of.
                consumer = cast(Consumer, self._app.consumer)
                stored = await consumer._commit({TP(self._topic, part): off for part, off in offsets.items()})
        except TimeoutError as error:
            logger.info("offsets of %s not committed: %r", self._topic, error)
            return
        if stored:
            self._dispatcher.committed(offsets)

    async def ends(self) -> dict[int, int]:
        """Partition -> offset behind its last command, as the broker says."""
        ends = await self._app.consumer.highwaters(*self._app.consumer.assignment())
        return {place.partition: offset for place, offset in ends.items() if place.topic == self._topic}

    async def _take(self, stream: StreamT[bytes]) -> None:
        event: EventT[bytes]
        async for event in stream.events():
            message = event.message
            if message.generation_id == self._app.consumer_generation_id:
                await self._dispatcher.offer(
                    self._dispatcher.generation,
                    message.partition,
                    message.offset,
                    message.key or b"",
                    message.value or b"",
                )

    async def _revoked(self, _app: Any, *_: Any, **__: Any) -> None:
        await self.commit()
        self._dispatcher.revoke()

    async def _assigned(self, _app: Any, assigned: set[TP], **__: Any) -> None:
        ours = [TopicPartition(each.topic, each.partition) for each in assigned if each.topic == self._topic]
        with self._dispatcher.failing("partitions could not be taken"):  # Faust would crash and lose the reason
            kept = await self._app.consumer.earliest_offsets(*(TP(*place) for place in ours)) if ours else {}
            earliest = {TopicPartition(*place): offset for place, offset in kept.items()}
            starts = await committed_offsets(self._bootstrap, self._app.conf.id, ours, earliest)
            await self._on_assigned(frozenset(place.partition for place in ours))
            self._dispatcher.assign({place.partition: start for place, start in starts.items()})


async def _stop(app: faust.App) -> None:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await app.stop()
    except TimeoutError:
        logger.warning("Faust did not stop within %g s; its consumer is left to the session timeout", STOP_SECONDS)
