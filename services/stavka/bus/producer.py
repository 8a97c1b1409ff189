"""A Kafka producer that is replaced when it is broken and whose errors mean *unknown*.

aiokafka's idempotent producer retries for ever and is dead after any error it cannot retry: later records get
OutOfOrderSequenceNumber until somebody makes a new one. So every append has its own deadline here, and every error
of a record replaces the producer.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, KafkaTimeoutError

from stavka.match.ports import LogUnavailable

SETTINGS: Final[dict[str, Any]] = {
    "acks": "all",
    "linger_ms": 0,
    "max_batch_size": 262_144,
    "max_request_size": 1_048_576,
    "compression_type": None,
    "request_timeout_ms": 10_000,
    "retry_backoff_ms": 50,
    "metadata_max_age_ms": 60_000,
    "connections_max_idle_ms": 540_000,
}
SEND_SECONDS = 10.0
STOP_SECONDS = 2.0
RETRY_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)

logger = logging.getLogger(__name__)


def retry_delay(attempt: int) -> float:
    """Seconds to wait after the failed attempt number `attempt` (from 0): rising to 2 s."""
    return RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)]


class Producer:
    """One producer of this process. Start it, send from one event loop, close it."""

    def __init__(self, bootstrap: str, *, idempotent: bool = True, send_s: float = SEND_SECONDS) -> None:
        self._bootstrap = bootstrap
        self._settings = {**SETTINGS, "enable_idempotence": idempotent}
        self._send_s = send_s
        self._current: AIOKafkaProducer | None = None
        self._ready = asyncio.Event()
        self._replacing: asyncio.Task[None] | None = None
        self._closed = False

    async def start(self) -> None:
        """Connect; wait for the broker as long as it takes (the caller sets the deadline)."""
        self._current = await self._connect()
        self._ready.set()

    async def send(self, topic: str, partition: int, value: bytes, key: bytes | None = None) -> None:
        """Return when the broker has stored the record.

        Raises:
            LogUnavailable: it may be stored, now or later, or not.
        """
        try:
            async with asyncio.timeout(self._send_s):
                await self._send(topic, partition, value, key)
        except TimeoutError as error:
            raise LogUnavailable(f"{topic}/{partition}: no answer in {self._send_s:g} s") from error

    async def close(self) -> None:
        """Flush for at most STOP_SECONDS and disconnect."""
        self._closed = True
        self._ready.set()
        if self._replacing is not None:
            self._replacing.cancel()
            await asyncio.gather(self._replacing, return_exceptions=True)
        if self._current is not None:
            await _dispose(self._current)
            self._current = None

    async def _send(self, topic: str, partition: int, value: bytes, key: bytes | None) -> None:
        while True:
            await self._ready.wait()
            producer = self._current
            if self._closed or producer is None:
                raise LogUnavailable("the producer is closed")
            try:
                stored = await producer.send(topic, value=value, key=key, partition=partition)
            except KafkaTimeoutError as error:
                raise LogUnavailable(f"{topic}/{partition}: {error!r}") from error
            except KafkaError as error:
                self._replace(producer, error)  # it took nothing: the next one may
                continue
            try:
                await asyncio.shield(stored)
            except KafkaError as error:
                self._replace(producer, error)
                raise LogUnavailable(f"{topic}/{partition}: {error!r}") from error
            return

    def _replace(self, broken: AIOKafkaProducer, error: KafkaError) -> None:
        if self._current is not broken or self._closed:
            return
        logger.warning("replacing the producer after %r", error)
        self._current = None
        self._ready.clear()
        self._replacing = asyncio.get_running_loop().create_task(self._succeed(broken))

    async def _succeed(self, broken: AIOKafkaProducer) -> None:
        await _dispose(broken)
        self._current = await self._connect()
        self._ready.set()

    async def _connect(self) -> AIOKafkaProducer:
        attempt = 0
        while True:
            producer = AIOKafkaProducer(bootstrap_servers=self._bootstrap, **self._settings)
            try:
                await producer.start()
                return producer
            except (KafkaError, OSError) as error:
                logger.warning("%s does not answer: %r", self._bootstrap, error)
                await _dispose(producer)
                await asyncio.sleep(retry_delay(attempt))
                attempt += 1
            except BaseException:
                await _dispose(producer)
                raise


async def _dispose(producer: AIOKafkaProducer) -> None:
    """Stop a producer without waiting for a broker that is away: its own flush would wait for ever."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await producer.stop()
    except TimeoutError:
        sending = producer._sender.sender_task
        await producer.client.close()
        if sending is not None:
            sending.cancel()
            await asyncio.wait({sending}, timeout=STOP_SECONDS)
    except KafkaError as error:
        logger.info("a broken producer stopped with %r", error)
