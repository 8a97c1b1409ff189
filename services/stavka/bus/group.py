"""What both Kafka intakes share: the group's name, where a partition starts, how a session is begun again."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from stavka.bus.dispatch import CommandsMissed, Dispatcher
from stavka.bus.producer import retry_delay
from stavka.match.ports import Intake, LogUnavailable

COMMIT_SECONDS: Final = 1.0
COMMIT_TIMEOUT_SECONDS: Final = 2.0  # also the longest that a commit holds up a rebalance
STOP_SECONDS: Final = 5.0
SESSION_SECONDS: Final = 15
HEARTBEAT_SECONDS: Final = 3
REBALANCE_SECONDS: Final = 20
POLL_SECONDS: Final = 300
STEADY_SECONDS: Final = 30.0
STALL_SECONDS = 15.0

logger = logging.getLogger(__name__)

OnAssigned = Callable[[frozenset[int]], Awaitable[None]]


class SessionLost(Exception):
    """The consumer broke; a new one goes on from the committed offsets."""


async def keep_running(session: Callable[[], Awaitable[None]], closing: asyncio.Event) -> None:
    """Run sessions one after the other until `closing`: a broker that is away is waited for.

    Raises:
        Whatever a handler or `on_assigned` raised.
    """
    attempt = 0
    while not closing.is_set():
        began = time.monotonic()
        try:
            await session()
        except (KafkaError, LogUnavailable, CommandsMissed, SessionLost, OSError) as error:
            logger.warning("the intake begins anew after %r", error)
        attempt = 0 if time.monotonic() - began > STEADY_SECONDS else attempt + 1
        try:
            async with asyncio.timeout(retry_delay(attempt)):
                await closing.wait()
        except TimeoutError:
            continue


def group_name(topic: str) -> str:
    """Consumer group of the processes that own a topic."""
    return f"stavka.{topic}"


async def watch_for_stall(dispatcher: Dispatcher, ends: Callable[[], Awaitable[Mapping[int, int]]]) -> None:
    """Look every STALL_SECONDS whether commands wait in the log that the consumer does not deliver.

    Consumers have been seen to stop without an error; nobody else would notice.

    Args:
        ends: asks the broker; partition -> offset behind its last command.

    Raises:
        SessionLost: a partition with more in the log has not moved from one look to the next.
    """
    before: Mapping[int, int] = {}
    while True:
        await asyncio.sleep(STALL_SECONDS)
        try:
            async with asyncio.timeout(STALL_SECONDS):
                behind = dispatcher.behind(await ends())
        except (KafkaError, TimeoutError) as error:
            logger.info("no end offsets: %r", error)
            behind = {}
        stalled = [part for part, offset in behind.items() if before.get(part) == offset]
        if stalled:
            raise SessionLost(f"nothing delivered of partitions {stalled} for {STALL_SECONDS:g} s")
        before = behind


async def committed_offsets(
    bootstrap: str, group: str, places: Collection[TopicPartition], earliest: Mapping[TopicPartition, int]
) -> dict[TopicPartition, int]:
    """Where the group goes on: its committed offset, or the earliest one kept where that is later or there is none.

    Raises:
        LogUnavailable: the broker does not answer.
    """
    if not places:
        return {}
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    try:
        await admin.start()
        stored = await admin.list_consumer_group_offsets(group, partitions=list(places))
    except (KafkaError, OSError) as error:
        raise LogUnavailable(f"{bootstrap}: {error!r}") from error
    finally:
        await admin.close()
    return {place: max(stored[place].offset if place in stored else 0, earliest.get(place, 0), 0) for place in places}


def make_intake(bootstrap: str, *, instance: str | None = None) -> Intake:
    """The intake that STAVKA_INTAKE names: `faust` (default) or `aiokafka`.

    Args:
        instance: name of this process among its kind, the same after each restart (static membership), or None.

    Raises:
        ValueError: another name.
    """
    chosen = os.environ.get("STAVKA_INTAKE", "faust")
    if chosen == "faust":
        from stavka.bus.faust_intake import FaustIntake

        return FaustIntake(bootstrap, instance=instance)
    if chosen == "aiokafka":
        from stavka.bus.aiokafka_intake import AiokafkaIntake

        return AiokafkaIntake(bootstrap, instance=instance)
    raise ValueError(f"STAVKA_INTAKE={chosen}: it is faust or aiokafka")
