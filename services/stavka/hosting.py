"""What every process needs to live: logging, metrics, stop signals, the system's clock and entropy, the Kafka side.

Composition only. The domain processes differ in one word, their topic, so their composition is here; gateway and
projector compose themselves in their packages, the embedded server in `stavka.embedded`.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
import signal
import sys
import time
from collections.abc import Awaitable, Coroutine, Iterable
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

import prometheus_client
import structlog
import uvloop

from stavka.bus.group import make_intake
from stavka.bus.kafka import KafkaLog
from stavka.games import GAMES
from stavka.match import keys
from stavka.match.custody import quarantine_foreign
from stavka.match.follower import Follower
from stavka.match.referee import Referee
from stavka.match.rulebooks import rulebook
from stavka.settings import Settings

COLLECT: Final = (10_000, 20, 50)  # rarer than Python's own: matches are many long-lived objects without cycles
REST_SECONDS: Final = 0.01  # of a domain process between two looks at a log that it does not wait for

T = TypeVar("T")

logger = structlog.get_logger(__name__)


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


class SystemEntropy:
    def token_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


def set_up(settings: Settings) -> None:
    """Logs as JSON lines on standard error, metrics on their port when one is given, every rulebook loaded and checked."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(message)s")
    logging.getLogger("aiokafka").setLevel(
        logging.CRITICAL
    )  # 20 lines a second while a broker is away; ours says it once
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    if settings.metrics_port is not None:
        prometheus_client.start_http_server(settings.metrics_port)
    for game in GAMES:
        rulebook(game)
    settle()


def settle() -> None:
    """Take what is loaded out of the garbage collector's sight, and have it look less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


def run_loop(main: Coroutine[Any, Any, None]) -> None:
    """Run a process to its end on uvloop's event loop; that of the thread in which Faust fetches is one too."""
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main)


def stop_event() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set; SIGUSR2 prints where the tasks wait."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    loop.add_signal_handler(signal.SIGUSR2, _print_tasks)
    return stop


def _print_tasks() -> None:
    """Where every task of the loop waits, on standard error: `kill -USR2` on a process that seems stuck."""
    for task in asyncio.all_tasks():
        task.print_stack(limit=12)


class StoppedEarly(Exception):
    """Told to stop while a process was still waiting for what it needs."""


async def unless_stopped(stop: asyncio.Event, opening: Coroutine[Any, Any, T]) -> T:
    """The result of `opening`, such as a connection to a broker that may be away for long.

    Raises StoppedEarly when `stop` is set before; `opening` is cancelled then.
    """
    task, stopping = asyncio.create_task(opening), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise StoppedEarly
    finally:
        for each in (task, stopping):
            each.cancel()
        await asyncio.gather(task, stopping, return_exceptions=True)


async def until_stopped(stop: asyncio.Event, work: Iterable[Awaitable[None]]) -> None:
    """Run until `stop` is set; raise the first failure of any work."""
    tasks = [asyncio.ensure_future(item) for item in work]
    stopping = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait([*tasks, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (*tasks, stopping):
            task.cancel()
        await asyncio.gather(*tasks, stopping, return_exceptions=True)


async def run_domain(topic: str, settings: Settings) -> None:
    """One domain process on Kafka: intake of its commands, a follower of the same partitions, a referee."""
    set_up(settings)
    stop = stop_event()
    keyring = keys.load(settings.keys)
    try:
        log = await unless_stopped(stop, KafkaLog.open(settings.kafka, rest_s=REST_SECONDS))
    except StoppedEarly:
        return
    follower = Follower(log, keyring.sealing)
    follower.listeners.append(quarantine_foreign(keyring))
    writer = f"{topic}/{settings.instance}"
    referee = Referee(topic, follower, keyring, SystemClock(), SystemEntropy(), writer, WeakValueDictionary())
    intake = make_intake(settings.kafka, instance=f"{topic}-{settings.instance}")
    logger.info("process started", process=topic, instance=settings.instance)
    try:
        await until_stopped(stop, [intake.run(topic, referee.handle, referee.gate), follower.failed])
    finally:
        await intake.close()
        await referee.close()
        await follower.close()
        await log.close()
        logger.info("process stopped", process=topic)
