"""The contract of `Intake` and `CommandBus`: in process, on Faust and on aiokafka."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from stavka.bus.dispatch import Dispatcher
from stavka.bus.errors import RecordRefused
from stavka.bus.group import make_intake
from stavka.bus.kafka import KafkaCommandBus
from stavka.bus.local import LocalBus
from stavka.match.ports import PARTITIONS, CommandBus, Intake, LogUnavailable

from tests.adapters.bus.intakes import JOIN_DEADLINE, Recorder, child, make, running, said
from tests.support.brokers import KafkaBroker

pytestmark = pytest.mark.timeout(300)  # the first to ask for Apache Kafka waits for its start

TOPIC_OF = {"faust": "supply", "aiokafka": "combat"}
CRASH_TOPIC_OF = {"faust": "diplomacy", "aiokafka": "cards"}


@dataclass
class Place:
    """Where commands come from: a way to make intakes of one kind, and the topic that is theirs in these tests."""

    kind: str
    topic: str
    intake: Callable[[], Intake]
    bus: Callable[[], object]


ON_KAFKA = [
    pytest.param((kind, broker), id=f"{kind}-{broker}", marks=marks)
    for broker, marks in (("mock", []), ("kafka", [pytest.mark.stack, pytest.mark.xdist_group("kafka")]))
    for kind in ("faust", "aiokafka")
]


def broker_of(request: pytest.FixtureRequest) -> tuple[str, KafkaBroker]:
    kind, broker = request.param
    found: KafkaBroker = request.getfixturevalue("mock_kafka" if broker == "mock" else "real_kafka")
    return kind, found


@pytest.fixture(params=[pytest.param(("local", "none"), id="local"), *ON_KAFKA])
def place(request: pytest.FixtureRequest) -> Place:
    if request.param[0] == "local":
        bus = LocalBus()
        return Place("local", "combat", lambda: bus, lambda: bus)
    kind, broker = broker_of(request)
    return Place(kind, TOPIC_OF[kind], lambda: make(kind, broker.bootstrap), lambda: broker.bootstrap)


@pytest.fixture(params=ON_KAFKA)
def on_kafka(request: pytest.FixtureRequest) -> tuple[str, KafkaBroker]:
    return broker_of(request)


@pytest.fixture(params=[each for each in ON_KAFKA if each.marks])
def on_real_kafka(request: pytest.FixtureRequest) -> tuple[str, KafkaBroker]:
    """Only Apache Kafka takes commits while its group is rebalanced; the mock refuses them until it is over."""
    return broker_of(request)


@pytest.fixture
async def bus(place: Place) -> AsyncIterator[CommandBus]:
    found = place.bus()
    if isinstance(found, LocalBus):
        yield found
    else:
        opened = await KafkaCommandBus.open(str(found))
        yield opened
        await opened.close()


@pytest.fixture
async def kafka_bus(on_kafka: tuple[str, KafkaBroker]) -> AsyncIterator[KafkaCommandBus]:
    opened = await KafkaCommandBus.open(on_kafka[1].bootstrap, send_s=60.0)
    yield opened
    await opened.close()


def fresh(*, hold: tuple[str, ...] = ()) -> Recorder:
    return Recorder(os.urandom(4).hex(), hold=frozenset(hold))


async def send(bus: CommandBus, topic: str, recorder: Recorder, partition: int, match: str, *texts: str) -> None:
    for text in texts:
        await bus.send(topic, partition, match, f"{recorder.tag}/{text}".encode())


class TestDelivery:
    async def test_order_within_a_match_and_none_lost(self, place: Place, bus: CommandBus) -> None:
        recorder = fresh()
        async with running(place.intake(), place.topic, recorder):
            await asyncio.gather(
                *(
                    send(bus, place.topic, recorder, match % 7, f"m{match}", *(f"{match}.{n}" for n in range(20)))
                    for match in range(20)
                )
            )
            await recorder.until_done(*(f"{match}.19" for match in range(20)))
        for match in range(20):
            mine = [(part, text) for part, text in recorder.done if text.startswith(f"{match}.")]
            assert mine == [(match % 7, f"{match}.{number}") for number in range(20)]

    async def test_a_slow_match_does_not_hold_up_the_others(self, place: Place, bus: CommandBus) -> None:
        recorder = fresh(hold=("slow",))
        async with running(place.intake(), place.topic, recorder):
            await send(bus, place.topic, recorder, 5, "one", "slow", "after")
            await send(bus, place.topic, recorder, 5, "two", "quick")
            await recorder.until_done("quick")
            assert (5, "after") not in recorder.begun
            recorder.held["slow"].set()
            await recorder.until_done("after")
        assert [text for _, text in recorder.done] == ["quick", "slow", "after"]

    async def test_all_partitions_are_owned_before_the_first_command(self, place: Place, bus: CommandBus) -> None:
        recorder = fresh()
        async with running(place.intake(), place.topic, recorder):
            assert recorder.owned[-1] == frozenset(range(PARTITIONS))
            for partition in (0, PARTITIONS - 1):
                await send(bus, place.topic, recorder, partition, "m", str(partition))
            await recorder.until_done("0", str(PARTITIONS - 1))

    async def test_a_handler_that_raises_ends_the_intake(self, place: Place, bus: CommandBus) -> None:
        recorder = fresh()

        async def broken(partition: int, value: bytes) -> None:
            if value == f"{recorder.tag}/bad".encode():
                raise ZeroDivisionError

        intake = place.intake()
        task = asyncio.create_task(intake.run(place.topic, broken, recorder.on_assigned))
        await recorder.until_owned(PARTITIONS)
        await send(bus, place.topic, recorder, 1, "m", "bad")
        with pytest.raises(ZeroDivisionError):
            async with asyncio.timeout(JOIN_DEADLINE):
                await task
        if place.kind != "local":  # the command was not done, so it comes again; let it pass for the next test
            again = place.intake()
            async with running(again, place.topic, recorder):
                await recorder.until_done("bad")

    async def test_an_owner_that_cannot_take_its_partitions_ends_the_intake(self, place: Place) -> None:
        async def unable(partitions: frozenset[int]) -> None:
            raise ZeroDivisionError

        async with asyncio.timeout(JOIN_DEADLINE):
            with pytest.raises(ZeroDivisionError):
                await place.intake().run(place.topic, fresh().handle, unable)

    @pytest.mark.parametrize(("partition", "size"), [(PARTITIONS, 1), (0, 600_000)])
    async def test_a_command_that_no_log_takes_is_refused(
        self, place: Place, bus: CommandBus, partition: int, size: int
    ) -> None:
        with pytest.raises(RecordRefused):
            await bus.send(place.topic, partition, "m", bytes(size))


class TestCommit:
    """A command's offset is committed after its handler returned, and after those before it."""

    async def test_an_unfinished_command_comes_again_and_finished_ones_before_it_do_not(
        self, on_kafka: tuple[str, KafkaBroker], kafka_bus: KafkaCommandBus
    ) -> None:
        kind, broker = on_kafka
        topic, recorder = TOPIC_OF[kind], fresh(hold=("stuck",))
        async with running(make(kind, broker.bootstrap), topic, recorder):
            await send(kafka_bus, topic, recorder, 9, "a", "first")
            await send(kafka_bus, topic, recorder, 9, "b", "stuck")
            await send(kafka_bus, topic, recorder, 9, "c", "last")
            await recorder.until_done("first", "last")
        assert (9, "stuck") not in recorder.done
        second = Recorder(recorder.tag)
        async with running(make(kind, broker.bootstrap), topic, second):
            await second.until_done("stuck", "last")
        assert [text for _, text in second.done] == ["stuck", "last"]
        third = Recorder(recorder.tag)
        async with running(make(kind, broker.bootstrap), topic, third):
            await send(kafka_bus, topic, third, 9, "d", "new")
            await third.until_done("new")
        assert third.done == [(9, "new")], "all before it was committed at the orderly end"

    async def test_a_killed_process_loses_no_command_without_an_outcome(
        self, on_kafka: tuple[str, KafkaBroker], kafka_bus: KafkaCommandBus
    ) -> None:
        """Handled out of order: the one that hangs is the first of many, which end before the kill."""
        kind, broker = on_kafka
        topic, recorder = CRASH_TOPIC_OF[kind], fresh()
        async with child(kind, broker.bootstrap, topic, "stuck") as process:
            await said(process, f"assigned {PARTITIONS}")
            await send(kafka_bus, topic, recorder, 9, "a", "stuck")
            for number in range(30):
                await send(kafka_bus, topic, recorder, 9, f"m{number}", str(number))
            await said(process, f"done 9 {recorder.tag}/29")
            # One commit interval and more: a wrong watermark is on the broker before the kill.
            await send(kafka_bus, topic, recorder, 10, "z", "probe")
            await said(process, f"done 10 {recorder.tag}/probe")
            await asyncio.sleep(2.0)
            process.kill()
        async with running(make(kind, broker.bootstrap), topic, recorder):
            await recorder.until_done("stuck", *(str(number) for number in range(30)))
        assert "probe" not in {text for _, text in recorder.done}, "what was done and committed does not come again"


class TestMembers:
    async def test_two_members_share_and_one_takes_over(self, on_real_kafka: tuple[str, KafkaBroker]) -> None:
        kind, broker = on_real_kafka
        topic, one = TOPIC_OF[kind], fresh()
        two = Recorder(one.tag)
        bus = await KafkaCommandBus.open(broker.bootstrap)

        async def send_all(round_: str) -> list[str]:
            texts = [f"{round_}-{partition}" for partition in range(PARTITIONS)]
            await asyncio.gather(*(send(bus, topic, one, part, f"m{part}", text) for part, text in enumerate(texts)))
            return texts

        async with running(make(kind, broker.bootstrap), topic, one):
            await one.until_done(*await send_all("alone"))
            async with running(make(kind, broker.bootstrap), topic, two, owned=PARTITIONS // 2):
                await one.until_owned(PARTITIONS // 2)
                assert one.owned[-1] | two.owned[-1] == frozenset(range(PARTITIONS))
                texts = await send_all("shared")
                for partition, text in enumerate(texts):
                    await (one if partition in one.owned[-1] else two).until_done(text)
            await one.until_owned(PARTITIONS)
            await one.until_done(*await send_all("taken over"))
        everything = [text for _, text in one.done + two.done]
        assert set(everything) == {f"{r}-{p}" for r in ("alone", "shared", "taken over") for p in range(PARTITIONS)}
        await bus.close()

    async def test_a_consumer_that_stops_without_an_error_is_replaced(
        self, on_kafka: tuple[str, KafkaBroker], kafka_bus: KafkaCommandBus, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kind, broker = on_kafka
        topic, recorder = TOPIC_OF[kind], fresh()
        monkeypatch.setattr("stavka.bus.group.STALL_SECONDS", 1.0)
        offer, stuck = Dispatcher.offer, [True]

        async def sticking(self: Dispatcher, *command: Any) -> None:
            if stuck:
                stuck.clear()
                await asyncio.Event().wait()
            await offer(self, *command)

        monkeypatch.setattr(Dispatcher, "offer", sticking)
        async with running(make(kind, broker.bootstrap), topic, recorder):
            await send(kafka_bus, topic, recorder, 3, "m", "one", "two")
            await recorder.until_done("one", "two")
        assert not stuck
        assert recorder.done == [(3, "one"), (3, "two")]

    async def test_an_absent_broker_is_waited_for(
        self, on_kafka: tuple[str, KafkaBroker], kafka_bus: KafkaCommandBus
    ) -> None:
        kind, broker = on_kafka
        topic, recorder = TOPIC_OF[kind], fresh()
        async with running(make(kind, broker.bootstrap), topic, recorder):
            await send(kafka_bus, topic, recorder, 3, "m", "before")
            await recorder.until_done("before")
            await asyncio.to_thread(broker.kill)
            await asyncio.to_thread(broker.start)
            await send(kafka_bus, topic, recorder, 3, "m", "after")
            await recorder.until_done("after")


class TestLocal:
    async def test_a_full_queue_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("stavka.bus.local.SEND_SECONDS", 0.05)
        bus, recorder = LocalBus(max_queued=2), fresh()
        await send(bus, "combat", recorder, 0, "m", "0", "1")
        with pytest.raises(LogUnavailable):
            await send(bus, "combat", recorder, 0, "m", "2")
        await send(bus, "supply", recorder, 0, "m", "another topic")
        async with running(bus, "combat", recorder):
            await recorder.until_done("0", "1")
        with pytest.raises(LogUnavailable):
            await send(bus, "combat", recorder, 0, "m", "late")


class TestChoice:
    @pytest.mark.parametrize(("name", "kind"), [("faust", "FaustIntake"), ("aiokafka", "AiokafkaIntake")])
    async def test_by_name(self, monkeypatch: pytest.MonkeyPatch, name: str, kind: str) -> None:
        monkeypatch.setenv("STAVKA_INTAKE", name)
        assert type(make_intake("127.0.0.1:1")).__name__ == kind

    async def test_another_name_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("STAVKA_INTAKE", "kafka")
        with pytest.raises(ValueError, match="STAVKA_INTAKE"):
            make_intake("127.0.0.1:1")
