"""The log and the command bus on Kafka, with aiokafka by manual assignment: no group, no offsets kept by the broker.

Every follower has its own consumer, which is made anew from the next offset whenever it breaks; while the broker is
away a follower waits. A hole in the offsets is fetched again and never passed over.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final, Self

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import ConsumerStoppedError, KafkaError, OffsetOutOfRangeError

from stavka.bus.errors import check_record
from stavka.bus.producer import SEND_SECONDS, STOP_SECONDS, Producer, retry_delay
from stavka.bus.topics import broker_name, require_sound_topics
from stavka.match.ports import Entry, LogUnavailable

READER: Final[dict[str, Any]] = {
    "group_id": None,
    "enable_auto_commit": False,
    "auto_offset_reset": "none",
    "isolation_level": "read_uncommitted",
    "fetch_min_bytes": 1,
    "fetch_max_wait_ms": 500,
    "max_partition_fetch_bytes": 1_048_576,
    "fetch_max_bytes": 16_777_216,
    "check_crcs": True,
    "request_timeout_ms": 10_000,
    "retry_backoff_ms": 50,
    "connections_max_idle_ms": 540_000,
}
PATIENCE_SECONDS = 120.0
REFETCHES = 5

logger = logging.getLogger(__name__)


class KafkaLog:
    """`Log` on broker topics named by `broker_name`. Make it with `open`."""

    def __init__(self, bootstrap: str, producer: Producer, rest_s: float = 0.0) -> None:
        self._bootstrap = bootstrap
        self._producer = producer
        self._rest_s = rest_s
        self._appended = asyncio.Event()
        self._consumers: set[AIOKafkaConsumer] = set()
        self._asking: AIOKafkaConsumer | None = None
        self._asking_lock = asyncio.Lock()
        self._highwaters: dict[TopicPartition, int] = {}
        self._closed = False

    @classmethod
    async def open(
        cls,
        bootstrap: str,
        *,
        idempotent: bool = True,
        gate: bool = True,
        patience_s: float = PATIENCE_SECONDS,
        append_s: float = SEND_SECONDS,
        rest_s: float = 0.0,
    ) -> Self:
        """Wait for the broker, run the start-up gate, connect.

        Args:
            bootstrap: "host:port[,host:port]".
            idempotent: False only for a stand-in broker that has no producer ids.
            gate: False only for a stand-in broker that cannot describe its topics.
            patience_s: how long a broker that does not answer is waited for.
            append_s: deadline of one append.
            rest_s: least time between two fetches of a follower, so that a busy log costs fewer of them. A record that
                comes after a pause is seen at once all the same, and so is what this log has appended itself.

        Raises:
            TopicRefused: a topic would not keep history.
            LogUnavailable: no broker within `patience_s`.
        """
        producer = Producer(bootstrap, idempotent=idempotent, send_s=append_s)
        try:
            async with asyncio.timeout(patience_s):
                await producer.start()
                if gate:
                    await _pass_gate(bootstrap)
        except TimeoutError as error:
            await producer.close()
            raise LogUnavailable(f"no broker at {bootstrap} within {patience_s:g} s") from error
        except BaseException:
            await producer.close()
            raise
        return cls(bootstrap, producer, rest_s)

    async def append(self, topic: str, partition: int, value: bytes) -> None:
        check_record(partition, value)
        await self._producer.send(broker_name(topic), partition, value)
        self._appended.set()

    async def end(self, topic: str, partition: int) -> int:
        place = TopicPartition(broker_name(topic), partition)
        return (await self._ends([place]))[place]

    async def follow(self, topic: str, start: Mapping[int, int]) -> AsyncGenerator[Sequence[Entry]]:
        upcoming = {TopicPartition(broker_name(topic), partition): offset for partition, offset in start.items()}
        for place in upcoming:
            self._highwaters.pop(place, None)
        attempt = 0
        while True:
            consumer = AIOKafkaConsumer(bootstrap_servers=self._bootstrap, **READER)
            self._consumers.add(consumer)
            try:
                self._require_open()
                await consumer.start()
                consumer.assign(list(upcoming))
                for place, offset in upcoming.items():
                    consumer.seek(place, offset)
                holes: dict[TopicPartition, int] = {}
                while True:
                    fetched = await consumer.getmany(timeout_ms=1000)
                    self._note_highwaters(consumer, fetched)
                    chunk: list[Entry] = []
                    for place, records in fetched.items():
                        entries = continuing(place.partition, upcoming[place], records)
                        upcoming[place] += len(entries)
                        chunk.extend(entries)
                        if records[-1].offset < upcoming[place]:
                            holes.pop(place, None)
                            continue
                        holes[place] = holes.get(place, 0) + 1
                        consumer.seek(place, upcoming[place])
                    if chunk:
                        attempt = 0
                        yield chunk
                        await self._rest()
                    for place, times in holes.items():
                        if times > REFETCHES:
                            raise LogUnavailable(f"{place.topic}/{place.partition} lacks record {upcoming[place]}")
            except OffsetOutOfRangeError as error:
                raise LogUnavailable(f"{broker_name(topic)}: {error!r}") from error
            except (KafkaError, ConsumerStoppedError, OSError, RuntimeError) as error:
                self._require_open()
                logger.warning("following %s anew after %r", broker_name(topic), error)
            finally:
                self._consumers.discard(consumer)
                await _stop(consumer)
            await asyncio.sleep(retry_delay(attempt))
            attempt += 1

    async def close(self) -> None:
        """Disconnect; followers end with LogUnavailable. Twice is harmless."""
        self._closed = True
        for consumer in [*self._consumers, *([self._asking] if self._asking is not None else [])]:
            await _stop(consumer)
        await self._producer.close()

    async def _ends(self, places: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
        """End offsets: what the broker says now, and never less than what it said in a fetch response."""
        self._require_open()
        try:
            async with asyncio.timeout(SEND_SECONDS):
                async with self._asking_lock:
                    if self._asking is None:
                        consumer = AIOKafkaConsumer(bootstrap_servers=self._bootstrap, **READER)
                        try:
                            await consumer.start()
                        except BaseException:
                            await _stop(consumer)
                            raise
                        self._asking = consumer
                ends: dict[TopicPartition, int] = await self._asking.end_offsets(places)
        except (KafkaError, OSError, TimeoutError) as error:
            raise LogUnavailable(f"{self._bootstrap}: {error!r}") from error
        return {place: max(end, self._highwaters.get(place, 0)) for place, end in ends.items()}

    async def _rest(self) -> None:
        """Let records gather at the broker, unless an append of our own waits to be seen."""
        if not self._rest_s:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._rest_s):
                await self._appended.wait()
        self._appended.clear()

    def _note_highwaters(self, consumer: AIOKafkaConsumer, fetched: Mapping[TopicPartition, object]) -> None:
        for place in fetched:
            self._highwaters[place] = max(self._highwaters.get(place, 0), consumer.highwater(place) or 0)

    def _require_open(self) -> None:
        if self._closed:
            raise LogUnavailable("the log is closed")


class KafkaCommandBus:
    """`CommandBus` on the command topics; the record's key is the match. Make it with `open`."""

    def __init__(self, producer: Producer) -> None:
        self._producer = producer

    @classmethod
    async def open(
        cls,
        bootstrap: str,
        *,
        idempotent: bool = True,
        patience_s: float = PATIENCE_SECONDS,
        send_s: float = SEND_SECONDS,
    ) -> Self:
        """Wait for the broker at most `patience_s`; LogUnavailable after that."""
        producer = Producer(bootstrap, idempotent=idempotent, send_s=send_s)
        try:
            async with asyncio.timeout(patience_s):
                await producer.start()
        except TimeoutError as error:
            await producer.close()
            raise LogUnavailable(f"no broker at {bootstrap} within {patience_s:g} s") from error
        return cls(producer)

    async def send(self, topic: str, partition: int, match_id: str, value: bytes) -> None:
        check_record(partition, value)
        await self._producer.send(broker_name(f"commands.{topic}"), partition, value, match_id.encode())

    async def close(self) -> None:
        await self._producer.close()


def continuing(partition: int, expected: int, records: Sequence[Any]) -> list[Entry]:
    """The records that follow without a hole from offset `expected` on; what comes before it is dropped.

    Args:
        records: with `.offset` and `.value`, offsets ascending.
    """
    entries: list[Entry] = []
    for record in records:
        if record.offset == expected + len(entries):
            entries.append(Entry(partition, record.offset, record.value or b""))
        elif record.offset > expected + len(entries):
            break
    return entries


async def _pass_gate(bootstrap: str) -> None:
    attempt = 0
    while True:
        try:
            return await require_sound_topics(bootstrap)
        except LogUnavailable as error:
            logger.warning("the start-up gate gets no answer: %s", error)
            await asyncio.sleep(retry_delay(attempt))
            attempt += 1


async def _stop(consumer: AIOKafkaConsumer) -> None:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await consumer.stop()
    except (KafkaError, OSError, TimeoutError) as error:
        logger.info("a consumer stopped with %r", error)
