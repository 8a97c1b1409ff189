"""What only the broker's log can get wrong: outages, unknown outcomes, holes, topics that lose history."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import aclosing
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError
from stavka.bus.errors import StartRefused, TopicRefused
from stavka.bus.kafka import READER, KafkaCommandBus, KafkaLog, continuing
from stavka.bus.topics import broker_name, ensure_topics, load_topics, require_sound_topics
from stavka.match.ports import EVENTS, PARTITIONS, REFUSALS, Entry, LogUnavailable

from tests.adapters.bus.reading import DEADLINE, eventually, read
from tests.support.brokers import TOPICS_TOML, KafkaBroker
from tests.support.mock_kafka import PRODUCE, MockKafka

pytestmark = pytest.mark.timeout(300)  # the first to ask for Apache Kafka waits for its start

NOT_LEADER = 6
REQUEST_TIMED_OUT = 7
NOT_ENOUGH_REPLICAS = 19
TOPIC_AUTHORIZATION_FAILED = 29
OUT_OF_ORDER_SEQUENCE = 45


async def mock_log(broker: KafkaBroker, append_s: float = 10.0) -> KafkaLog:
    return await KafkaLog.open(broker.bootstrap, gate=False, append_s=append_s)


def mock_of(broker: KafkaBroker) -> MockKafka:
    assert isinstance(broker.node, MockKafka)
    return broker.node


class TestOutcomes:
    """Every error of an append is *unknown*, and the log works on after it."""

    @pytest.mark.parametrize("code", [NOT_LEADER, REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS])
    async def test_what_can_be_retried_is(self, mock_kafka: KafkaBroker, code: int) -> None:
        log = await mock_log(mock_kafka)
        mock_of(mock_kafka).push_errors(PRODUCE, code, code)
        await log.append(EVENTS, 3, b"kept")
        assert [entry.value for entry in await read(log, EVENTS, {3: 0}, 1)] == [b"kept"]
        await log.close()

    @pytest.mark.parametrize("code", [OUT_OF_ORDER_SEQUENCE, TOPIC_AUTHORIZATION_FAILED])
    async def test_a_broken_producer_is_replaced(self, mock_kafka: KafkaBroker, code: int) -> None:
        log = await mock_log(mock_kafka)
        await log.append(EVENTS, 3, b"before")
        mock_of(mock_kafka).push_errors(PRODUCE, code)
        with pytest.raises(LogUnavailable):
            await log.append(EVENTS, 3, b"unknown")
        await asyncio.gather(*(log.append(EVENTS, number, b"after") for number in range(10)))
        assert [entry.value for entry in await read(log, EVENTS, {3: 0}, 2)] == [b"before", b"after"]
        await log.close()

    async def test_a_late_answer_is_unknown_and_the_record_is_there(self, mock_kafka: KafkaBroker) -> None:
        log = await mock_log(mock_kafka, append_s=0.5)
        await log.append(EVENTS, 3, b"before")
        mock_of(mock_kafka).set_rtt(1500)
        with pytest.raises(LogUnavailable):
            await log.append(EVENTS, 3, b"written")
        mock_of(mock_kafka).set_rtt(0)
        assert [entry.value for entry in await read(log, EVENTS, {3: 0}, 2)] == [b"before", b"written"]
        await log.close()

    async def test_an_absent_broker_is_unavailable_for_every_question(self, mock_kafka: KafkaBroker) -> None:
        log = await mock_log(mock_kafka, append_s=0.3)
        await log.append(EVENTS, 3, b"before")
        follower = asyncio.create_task(read(log, EVENTS, {3: 0}, 2))
        mock_kafka.kill()
        for _ in range(3):
            with pytest.raises(LogUnavailable):
                await log.append(EVENTS, 3, b"lost or late")
        assert not follower.done()
        mock_kafka.start()
        await eventually(lambda: _appended(log))
        await follower
        await log.close()

    async def test_no_broker_at_the_start_is_waited_for_and_then_told(self, mock_kafka: KafkaBroker) -> None:
        mock_kafka.kill()
        with pytest.raises(LogUnavailable, match="no broker"):
            await KafkaLog.open(mock_kafka.bootstrap, gate=False, patience_s=0.5)
        opening = asyncio.create_task(mock_log(mock_kafka))
        await asyncio.sleep(0)
        mock_kafka.start()
        log = await opening
        await log.append(EVENTS, 0, b"x")
        await log.close()


async def _appended(log: KafkaLog) -> bool:
    try:
        await log.append(EVENTS, 3, b"after")
    except LogUnavailable:
        return False
    return True


class TestRest:
    """A log that rests between two fetches lets records of others gather, and never keeps its own waiting."""

    REST = 3.0

    async def test_what_comes_while_it_rests_is_yielded_together(self, mock_kafka: KafkaBroker) -> None:
        busy, resting = await self._two(mock_kafka)
        async with aclosing(resting.follow(EVENTS, {3: 0})) as chunks:
            await busy.append(EVENTS, 3, b"0")
            assert [entry.value for entry in await anext(chunks)] == [b"0"]
            coming = asyncio.ensure_future(anext(chunks))
            for number in b"123":
                await busy.append(EVENTS, 3, bytes([number]))
            done, _ = await asyncio.wait({coming}, timeout=0.5)
            assert not done
            got = list(await asyncio.wait_for(coming, DEADLINE))
            while len(got) < 3:
                got += await asyncio.wait_for(anext(chunks), DEADLINE)
        assert [entry.value for entry in got] == [b"1", b"2", b"3"]
        for log in (busy, resting):
            await log.close()

    async def test_what_it_appends_itself_is_seen_at_once(self, mock_kafka: KafkaBroker) -> None:
        clock = asyncio.get_running_loop().time
        busy, resting = await self._two(mock_kafka)
        async with aclosing(resting.follow(EVENTS, {3: 0})) as chunks:
            await busy.append(EVENTS, 3, b"0")
            await anext(chunks)
            coming = asyncio.ensure_future(anext(chunks))
            await asyncio.sleep(0.05)
            since = clock()
            await resting.append(EVENTS, 3, b"own")
            assert [entry.value for entry in await asyncio.wait_for(coming, DEADLINE)] == [b"own"]
            assert clock() - since < self.REST / 2
        for log in (busy, resting):
            await log.close()

    async def _two(self, broker: KafkaBroker) -> tuple[KafkaLog, KafkaLog]:
        return await mock_log(broker), await KafkaLog.open(broker.bootstrap, gate=False, rest_s=self.REST)


class TestHoles:
    """A reader never passes over an offset."""

    def test_only_what_continues_is_taken(self) -> None:
        def records(*offsets: int) -> list[Any]:
            return [SimpleNamespace(offset=offset, value=b"%d" % offset) for offset in offsets]

        def taken(expected: int, *offsets: int) -> list[int]:
            return [entry.offset for entry in continuing(4, expected, records(*offsets))]

        assert taken(5, 5, 6, 7) == [5, 6, 7]
        assert taken(5, 3, 4, 5, 6) == [5, 6]
        assert taken(5, 5, 7, 8) == [5]
        assert taken(5, 6, 7) == []
        assert taken(5, 3, 4) == []
        assert continuing(4, 0, [SimpleNamespace(offset=0, value=None)]) == [Entry(4, 0, b"")]

    @pytest.mark.parametrize(("skips", "cured"), [(1, True), (3, True), (100, False)])
    async def test_a_skipped_record_is_fetched_again(
        self, mock_kafka: KafkaBroker, monkeypatch: pytest.MonkeyPatch, skips: int, cured: bool
    ) -> None:
        log = await mock_log(mock_kafka)
        for number in range(10):
            await log.append(EVENTS, 3, b"%d" % number)
        left = [skips]

        class Skipping(AIOKafkaConsumer):  # type: ignore[misc]  # aiokafka is untyped
            async def getmany(self, *places: Any, **options: Any) -> Mapping[Any, Any]:
                fetched: dict[Any, list[Any]] = dict(await super().getmany(*places, **options))
                for place, records in fetched.items():
                    if left[0] and any(record.offset == 4 for record in records):
                        left[0] -= 1
                        fetched[place] = [record for record in records if record.offset != 4]
                return {place: records for place, records in fetched.items() if records}

        monkeypatch.setattr("stavka.bus.kafka.AIOKafkaConsumer", Skipping)
        if cured:
            entries = await read(log, EVENTS, {3: 0}, 10)
            assert [entry.offset for entry in entries] == list(range(10))
        else:
            with pytest.raises(LogUnavailable, match="lacks record 4"):
                await read(log, EVENTS, {3: 0}, 10)
        await log.close()

    async def test_a_broken_consumer_is_made_anew(
        self, mock_kafka: KafkaBroker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log = await mock_log(mock_kafka)
        await log.append(EVENTS, 3, b"0")
        breaks = [RuntimeError("the transport is closed"), KafkaError("corrupt")]

        class Breaking(AIOKafkaConsumer):  # type: ignore[misc]  # aiokafka is untyped
            async def getmany(self, *places: Any, **options: Any) -> Any:
                fetched = await super().getmany(*places, **options)
                if fetched and breaks:
                    raise breaks.pop()
                return fetched

        monkeypatch.setattr("stavka.bus.kafka.AIOKafkaConsumer", Breaking)
        entries = await read(log, EVENTS, {3: 0}, 1)
        assert [entry.offset for entry in entries] == [0]
        assert not breaks
        await log.close()


class TestCommands:
    async def test_a_command_is_stored_under_its_match(self, mock_kafka: KafkaBroker) -> None:
        bus = await KafkaCommandBus.open(mock_kafka.bootstrap)
        await bus.send("combat", 7, "07-abc", b"command")
        await bus.close()
        consumer = AIOKafkaConsumer(bootstrap_servers=mock_kafka.bootstrap, **READER)
        place = TopicPartition("stavka.commands.combat.v1", 7)
        await consumer.start()
        consumer.assign([place])
        consumer.seek(place, 0)
        async with asyncio.timeout(DEADLINE):
            record = await consumer.getone()
        assert (record.key, record.value) == (b"07-abc", b"command")
        await consumer.stop()
        with pytest.raises(LogUnavailable):
            await bus.send("combat", 7, "07-abc", b"late")


class TestTopicsFile:
    def test_ours_has_every_topic_of_the_ports(self) -> None:
        assert load_topics(TOPICS_TOML).topics[EVENTS].config["retention.ms"] == "-1"

    @pytest.mark.parametrize(
        ("old", "new", "named"),
        [
            ('name = "stavka.events.v1"', 'name = "events"', "topics.events.name"),
            ("partitions = 12", "partitions = 24", "topics.events.partitions"),
            ("[topics.refusals]", "[topics.others]", "topics.refusals"),
            ("replication = 3", "replication = 0", "replication"),
            ("replication = 3", "replicas = 3", "replicas"),
            ("[defaults]", "[defaults", "topics.toml"),
        ],
    )
    def test_a_wrong_one_is_refused(self, tmp_path: Any, old: str, new: str, named: str) -> None:
        path = tmp_path / "topics.toml"
        path.write_text(TOPICS_TOML.read_text("utf-8").replace(old, new), "utf-8")
        with pytest.raises(StartRefused, match=named):
            load_topics(path)


@pytest.mark.stack
@pytest.mark.xdist_group("kafka")
class TestRealBroker:
    """Apache Kafka: what the mock cannot show."""

    async def test_kill_and_restart_loses_nothing_acknowledged(self, real_kafka: KafkaBroker) -> None:
        log = await KafkaLog.open(real_kafka.bootstrap)
        begin = {partition: await log.end(EVENTS, partition) for partition in range(8)}
        acknowledged: list[bytes] = []
        tag, stop = os.urandom(4).hex().encode(), asyncio.Event()

        async def write(writer: int) -> None:
            number = 0
            while not stop.is_set():
                value = b"%s-%d-%d" % (tag, writer, number)
                try:
                    await log.append(EVENTS, writer, value)
                    acknowledged.append(value)
                except LogUnavailable:
                    continue  # unknown: it may be there or not
                finally:
                    number += 1

        async def many(count: int) -> None:
            goal = len(acknowledged) + count

            async def reached() -> bool:
                return len(acknowledged) >= goal

            await eventually(reached, 60.0)

        seen: dict[bytes, int] = {}

        async def follow() -> None:
            async for chunk in log.follow(EVENTS, begin):
                for entry in chunk:
                    seen[entry.value] = seen.get(entry.value, 0) + 1

        following = asyncio.create_task(follow())
        writers = [asyncio.create_task(write(writer)) for writer in range(8)]
        await many(200)
        await asyncio.to_thread(real_kafka.kill)
        await asyncio.to_thread(real_kafka.start)
        await many(200)
        stop.set()
        await asyncio.gather(*writers)

        async def all_seen() -> bool:
            return set(acknowledged) <= set(seen)

        await eventually(all_seen, 60.0)
        assert max(seen.values()) == 1, "the idempotent producer's retries are stored once"
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        await log.close()

    async def test_the_end_offset_is_never_behind_an_acknowledged_append(self, real_kafka: KafkaBroker) -> None:
        log = await KafkaLog.open(real_kafka.bootstrap)
        begin = await log.end(EVENTS, 5)
        for number in range(100):
            await log.append(EVENTS, 5, b"x")
            assert await log.end(EVENTS, 5) == begin + number + 1
        await log.close()

    async def test_topics_are_created_once_and_pass_the_gate(self, real_kafka: KafkaBroker) -> None:
        assert await ensure_topics(real_kafka.bootstrap, TOPICS_TOML, replication=1) == []
        await require_sound_topics(real_kafka.bootstrap)

    @pytest.mark.parametrize("topic", [EVENTS, REFUSALS])
    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("cleanup.policy", "compact"),
            ("cleanup.policy", "compact,delete"),
            ("retention.ms", "604800000"),
            ("retention.bytes", "1073741824"),
            ("max.message.bytes", "100000"),
        ],
    )
    async def test_a_topic_that_would_lose_records_is_refused(
        self, real_kafka: KafkaBroker, topic: str, key: str, value: str
    ) -> None:
        sound = dict(load_topics(TOPICS_TOML).topics[topic].config)
        await _configure(real_kafka.bootstrap, broker_name(topic), {**sound, key: value})
        try:

            async def refused() -> bool:
                with pytest.raises(TopicRefused, match=broker_name(topic)):
                    await KafkaLog.open(real_kafka.bootstrap)
                return True

            await eventually(refused)
        finally:
            await _configure(real_kafka.bootstrap, broker_name(topic), sound)

    @pytest.mark.parametrize("partitions", [None, PARTITIONS - 1, PARTITIONS + 1])
    async def test_another_number_of_partitions_is_refused(
        self, real_kafka: KafkaBroker, monkeypatch: pytest.MonkeyPatch, partitions: int | None
    ) -> None:
        """Also none at all: a topic that does not exist."""
        name = f"gate.{partitions}.{os.urandom(4).hex()}"
        if partitions is not None:
            config = dict(load_topics(TOPICS_TOML).topics[EVENTS].config)
            admin = AIOKafkaAdminClient(bootstrap_servers=real_kafka.bootstrap)
            await admin.start()
            await admin.create_topics([NewTopic(name, partitions, 1, topic_configs=config)])
            await admin.close()
        monkeypatch.setattr("stavka.bus.topics.broker_name", lambda topic: name)
        with pytest.raises(TopicRefused, match=name):
            await KafkaLog.open(real_kafka.bootstrap)


async def _configure(bootstrap: str, topic: str, config: Mapping[str, str]) -> None:
    """Set a topic's configuration and wait until the broker shows it."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, dict(config))])

    async def shown() -> bool:
        answers = await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
        entries = {entry[0]: entry[1] for entry in answers[0].resources[0][4]}
        return all(entries[key] == value for key, value in config.items())

    await eventually(shown)
    await admin.close()
