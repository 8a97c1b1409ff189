"""The ceiling: two hops through an aiokafka process on the same broker, nothing judged, nothing shown.

    a client produces to `bench.in`; the middle process follows it and produces each record to `bench.out`; the client
    follows that and times the round trip

Settings are the log's own (idempotent, acks=all, linger 0, explicit partitions), records have 300 bytes.

    python -m tests.bench.raw BOOTSTRAP                          the middle
    python -m tests.bench.raw BOOTSTRAP < order.json > ms.json   the client, when an order is given
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code
from stavka.match.ports import PARTITIONS

from .offered import quantile

INTO: Final = "bench.in"
OUT: Final = "bench.out"
SIZE: Final = 300
READY: Final = 60.0  # seconds until the first record has come back


@dataclass
class RawOrder:
    """`slots` round trips at once, each beginning when the last one of its slot is back, or due evenly at `rate` a second
    (then a slot's time counts from when it was due). Of `warm` + `seconds` the first are not counted."""

    slots: int
    warm: float
    seconds: float
    rate: float = 0.0


@dataclass(frozen=True, slots=True)
class RawLoad:
    """Times in ms."""

    slots: int
    offered: str
    rate: float
    a_second: float
    p50: float
    p99: float


@dataclass
class _Client:
    order: RawOrder
    producer: AIOKafkaProducer
    back: dict[bytes, asyncio.Future[None]] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)

    async def listen(self, consumer: AIOKafkaConsumer) -> None:
        while True:
            for records in (await consumer.getmany(timeout_ms=1000)).values():
                for record in records:
                    waiting = self.back.pop(record.value[:16], None)
                    if waiting is not None and not waiting.done():
                        waiting.set_result(None)

    async def trip(self, partition: int, timeout: float = 30.0) -> None:
        key = uuid.uuid4().bytes
        back = self.back[key] = asyncio.get_running_loop().create_future()
        await self.producer.send(INTO, key + bytes(SIZE - len(key)), partition=partition)
        await asyncio.wait_for(back, timeout)

    async def until_answered(self) -> None:
        """The middle follows from its start on; what was sent before is not answered."""
        deadline = asyncio.get_running_loop().time() + READY
        while True:
            try:
                return await self.trip(0, 1.0)
            except TimeoutError:
                if asyncio.get_running_loop().time() > deadline:
                    raise

    async def slot(self, number: int, start: float) -> None:
        clock = asyncio.get_running_loop().time
        begin, end = start + self.order.warm, start + self.order.warm + self.order.seconds
        step = self.order.slots / self.order.rate if self.order.rate else 0.0
        due = start + step * number / self.order.slots
        while True:
            if step:
                await asyncio.sleep(max(0.0, due - clock()))
            since = due if step else clock()
            if clock() >= end:
                return
            await self.trip(number % PARTITIONS)
            if begin <= clock() < end:
                self.times.append((clock() - since) * 1000)
            due += step


def _producer(bootstrap: str) -> AIOKafkaProducer:
    return AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all", enable_idempotence=True, linger_ms=0)


async def _consumer(bootstrap: str, topic: str) -> AIOKafkaConsumer:
    """At the end of every partition of the topic."""
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, group_id=None, fetch_max_wait_ms=500)
    await consumer.start()
    places = [TopicPartition(topic, partition) for partition in range(PARTITIONS)]
    consumer.assign(places)
    for place, offset in (await consumer.end_offsets(places)).items():
        consumer.seek(place, offset)
    return consumer


async def measure(bootstrap: str, order: RawOrder) -> list[float]:
    """The counted round trips, in ms."""
    producer, consumer = _producer(bootstrap), await _consumer(bootstrap, OUT)
    client = _Client(order, producer)
    listening = asyncio.create_task(client.listen(consumer))
    try:
        await producer.start()
        await client.until_answered()
        start = asyncio.get_running_loop().time()
        await asyncio.gather(*(client.slot(number, start) for number in range(order.slots)))
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await consumer.stop()
        await producer.stop()
    return client.times


async def middle(bootstrap: str) -> None:
    producer, consumer = _producer(bootstrap), await _consumer(bootstrap, INTO)
    try:
        await producer.start()
        while True:
            for place, records in (await consumer.getmany(timeout_ms=1000)).items():
                for record in records:
                    await producer.send(OUT, record.value, partition=place.partition)
    finally:
        await consumer.stop()
        await producer.stop()


async def make_topics(bootstrap: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        answer = await admin.create_topics([NewTopic(topic, PARTITIONS, 1) for topic in (INTO, OUT)])
        for _, code, *_ in answer.topic_errors:
            if code not in (0, TopicAlreadyExistsError.errno):
                raise for_code(code)
    finally:
        await admin.close()


@contextmanager
def two_hops(bootstrap: str) -> Iterator[str]:
    """The middle runs while the block does; yields the bootstrap address for `run`."""
    asyncio.run(make_topics(bootstrap))
    child = subprocess.Popen([sys.executable, "-m", "tests.bench.raw", bootstrap], stdin=subprocess.DEVNULL)
    try:
        yield bootstrap
    finally:
        child.terminate()
        child.wait()


def run(bootstrap: str, order: RawOrder) -> RawLoad:
    """One measurement, by a client in a process of its own. Raises CalledProcessError."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.raw", bootstrap],
        input=json.dumps(asdict(order)).encode(), stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    times: list[Any] = sorted(json.loads(ran.stdout))
    return RawLoad(
        order.slots, "open" if order.rate else "closed", order.rate, len(times) / order.seconds, quantile(times, 0.5),
        quantile(times, 0.99),
    )  # fmt: skip


def main() -> None:
    (bootstrap,) = sys.argv[1:]
    order = sys.stdin.buffer.read()
    if order:
        json.dump(asyncio.run(measure(bootstrap, msgspec.json.decode(order, type=RawOrder))), sys.stdout)
    else:
        asyncio.run(middle(bootstrap))


if __name__ == "__main__":
    main()
