"""Command intake with aiokafka's own consumer group: the smaller and faster of the two (ADR 0010).

`getmany` feeds a Dispatcher; its watermark is committed every second, when partitions are taken away, and at the end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.errors import ConsumerStoppedError, IllegalStateError, KafkaError

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
from stavka.match.ports import Handler, LogUnavailable

SETTINGS: Final[dict[str, Any]] = {
    "enable_auto_commit": False,
    "auto_offset_reset": "earliest",
    "session_timeout_ms": SESSION_SECONDS * 1000,
    "heartbeat_interval_ms": HEARTBEAT_SECONDS * 1000,
    "rebalance_timeout_ms": REBALANCE_SECONDS * 1000,
    "max_poll_interval_ms": POLL_SECONDS * 1000,
    "max_poll_records": 500,
    "fetch_max_wait_ms": 100,
    "partition_assignment_strategy": [RangePartitionAssignor],
    "retry_backoff_ms": 50,
    "connections_max_idle_ms": 540_000,
}

logger = logging.getLogger(__name__)


class AiokafkaIntake:
    """`Intake` on the command topics. One `run` for each topic that this process owns."""

    def __init__(self, bootstrap: str, *, instance: str | None = None, session_s: float = SESSION_SECONDS) -> None:
        self._bootstrap = bootstrap
        self._instance = instance
        self._session_ms = int(session_s * 1000)
        self._closing = asyncio.Event()

    async def run(self, topic: str, handle: Handler, on_assigned: OnAssigned) -> None:
        """Deliver until `close`. Waits for a broker that is away; raises what a handler or `on_assigned` raised."""
        await keep_running(lambda: self._session(topic, handle, on_assigned), self._closing)

    async def close(self) -> None:
        """Let running handlers return, commit, leave the group (`run` returns then). Twice is harmless."""
        self._closing.set()

    async def _session(self, topic: str, handle: Handler, on_assigned: OnAssigned) -> None:
        dispatcher = Dispatcher(handle)
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self._bootstrap,
            group_id=group_name(topic),
            group_instance_id=self._instance,
            **{**SETTINGS, "session_timeout_ms": self._session_ms},
        )
        name = broker_name(f"commands.{topic}")
        listener = _Listener(self._bootstrap, group_name(topic), name, consumer, dispatcher, on_assigned)
        consumer.subscribe([name], listener=listener)
        tasks: list[asyncio.Task[Any]] = []
        try:
            await consumer.start()
            tasks = [
                asyncio.create_task(_feed(consumer, dispatcher)),
                asyncio.create_task(_commit_regularly(listener)),
                asyncio.create_task(watch_for_stall(dispatcher, lambda: _ends(consumer))),
                asyncio.create_task(self._closing.wait()),
            ]
            done, _ = await asyncio.wait({*tasks, dispatcher.failure}, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                await each
        except ConsumerStoppedError as error:
            raise SessionLost("the consumer stopped") from error
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            dispatcher.failure.cancel()
            await dispatcher.drain(STOP_SECONDS)
            await listener.commit()
            await _stop(consumer)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka is untyped
    """Hands partitions to the dispatcher and takes them away again."""

    def __init__(
        self,
        bootstrap: str,
        group: str,
        topic: str,
        consumer: AIOKafkaConsumer,
        dispatcher: Dispatcher,
        on_assigned: OnAssigned,
    ) -> None:
        self._bootstrap = bootstrap
        self._group = group
        self._consumer = consumer
        self._dispatcher = dispatcher
        self._on_assigned = on_assigned
        self._topic = topic

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        await self.commit()
        self._dispatcher.revoke()

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        places = list(assigned)
        with self._dispatcher.failing("partitions could not be taken"):  # aiokafka would deliver all the same
            earliest = await self._consumer.beginning_offsets(places) if places else {}
            starts = await committed_offsets(self._bootstrap, self._group, places, earliest)
            for place, start in starts.items():
                self._consumer.seek(place, start)
            await self._on_assigned(frozenset(place.partition for place in places))
            self._dispatcher.assign({place.partition: start for place, start in starts.items()})

    async def commit(self) -> None:
        """Commit the watermark. A failure costs repeated deliveries only: the next commit covers it."""
        offsets = self._dispatcher.committable()
        if not offsets:
            return
        try:
            async with asyncio.timeout(COMMIT_TIMEOUT_SECONDS):
                await self._consumer.commit({TopicPartition(self._topic, part): off for part, off in offsets.items()})
        except (KafkaError, IllegalStateError, TimeoutError) as error:
            logger.info("offsets of %s not committed: %r", self._group, error)
        else:
            self._dispatcher.committed(offsets)


async def _feed(consumer: AIOKafkaConsumer, dispatcher: Dispatcher) -> None:
    while True:
        fetched = await consumer.getmany(timeout_ms=1000)
        generation = dispatcher.generation
        for place, records in fetched.items():
            for record in records:
                await dispatcher.offer(
                    generation, place.partition, record.offset, record.key or b"", record.value or b""
                )


async def _ends(consumer: AIOKafkaConsumer) -> dict[int, int]:
    ends = await consumer.end_offsets(list(consumer.assignment()))
    return {place.partition: offset for place, offset in ends.items()}


async def _commit_regularly(listener: _Listener) -> None:
    while True:
        await asyncio.sleep(COMMIT_SECONDS)
        await listener.commit()


async def _stop(consumer: AIOKafkaConsumer) -> None:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await consumer.stop()
    except (KafkaError, LogUnavailable, OSError, TimeoutError) as error:
        logger.info("the consumer stopped with %r", error)
