"""Faults of faust-streaming 0.15.3 that decided how the intake uses it (ADR 0010).

Each test says what Faust should do. When one of them passes, an upgrade has cured that fault: look at the ADR again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import faust
import pytest
from faust.types import TP

PLACE = TP("commands", 0)


class Message:
    """What Faust keeps account of."""

    acked, tp, topic, key, value = False, PLACE, PLACE.topic, None, b""

    def __init__(self, offset: int) -> None:
        self.offset = offset


@pytest.fixture
async def consumer() -> AsyncIterator[Any]:
    """A Faust consumer that is connected to nothing, keeping account of one partition."""
    app = faust.App("hazards", broker="kafka://127.0.0.1:1", web_enabled=False)
    app.topics.acking_topics.add(PLACE.topic)
    made = cast(Any, app)._new_consumer()
    yield made
    made._thread.thread_loop.close()


async def _ignore(message: object) -> None:
    return None


def acknowledge(consumer: Any, *offsets: int) -> None:
    for offset in offsets:
        assert consumer.ack(Message(offset))


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="F1: the committed offset is already the next one; the test is off by one",
)
async def test_one_unacknowledged_message_holds_the_commit(consumer: Any) -> None:
    consumer._committed_offset[PLACE] = 5
    acknowledge(consumer, *range(6, 20))
    assert consumer._new_offset(PLACE) is None


@pytest.mark.xfail(
    strict=True, raises=AssertionError, reason="F2: a gap in the offsets is taken to include the message after it"
)
async def test_a_message_after_a_gap_holds_the_commit(consumer: Any) -> None:
    """Offsets 11 and 12 do not exist; 13 is in flight, 14 is acknowledged."""
    consumer._committed_offset[PLACE] = 11
    consumer._read_offset[PLACE] = 10
    fetcher = SimpleNamespace(_stopped=asyncio.Event())

    async def getmany(timeout: float) -> AsyncIterator[tuple[TP, Any]]:
        for offset in (13, 14):
            yield PLACE, Message(offset)
        fetcher._stopped.set()

    consumer.getmany = getmany
    consumer.callback = _ignore
    await consumer._drain_messages(fetcher)
    acknowledge(consumer, 14)
    assert consumer._new_offset(PLACE) in (None, 13)


@pytest.mark.xfail(
    strict=True, reason="F3: with nothing committed yet, the first acknowledged offset is taken as the start"
)
async def test_messages_in_flight_hold_the_first_commit(consumer: Any) -> None:
    consumer._committed_offset[PLACE] = None
    acknowledge(consumer, 3, 4)
    assert consumer._new_offset(PLACE) is None


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="F5: the settings exist, and nothing reads them")
@pytest.mark.parametrize("setting", ["stream_ack_exceptions", "stream_ack_cancelled_tasks"])
def test_the_settings_of_acknowledgement_are_read(setting: str) -> None:
    package = Path(faust.__file__).parent
    readers = [
        path
        for path in package.rglob("*.py")
        if "settings" not in path.parts and f"conf.{setting}" in path.read_text("utf-8")
    ]
    assert readers


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="F8: the event that says nobody fetches is set for ever")
async def test_a_running_fetch_shows(consumer: Any) -> None:
    shown: list[bool] = []

    async def getmany(active_partitions: object, timeout: float) -> dict[Any, Any]:
        shown.append(not consumer.not_waiting_next_records.is_set())
        return {}

    consumer._reset_state()
    consumer._active_partitions = {PLACE}
    consumer._getmany = getmany
    await consumer._wait_next_records(0.0)
    assert shown == [True]
