"""Broker topics: their names, their creation, and the gate that refuses a topic which would not keep history.

    python -m stavka.bus.topics deploy/topics.toml --bootstrap HOST:PORT [--replication N]

creates what is missing and then runs the gate.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, for_code
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from stavka.bus.errors import StartRefused, TopicRefused
from stavka.match.ports import EVENTS, MAX_RECORD_BYTES, PARTITIONS, REFUSALS, TOPICS, LogUnavailable

ENVELOPE_BYTES = 1024  # record batch overhead, with room
FOR_EVER = "-1"
CREATE_SECONDS = 60.0


def broker_name(topic: str) -> str:
    """Broker topic of a port topic: events -> stavka.events.v1, commands.combat -> stavka.commands.combat.v1."""
    return f"stavka.{topic}.v1"


class _Topic(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    partitions: int = Field(ge=1)
    config: Mapping[str, str] = {}


class _Defaults(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    replication: int = Field(ge=1)
    config: Mapping[str, str] = {}


class TopicsFile(BaseModel):
    """deploy/topics.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    defaults: _Defaults
    topics: Mapping[str, _Topic]


def load_topics(path: Path) -> TopicsFile:
    """Read a topics file.

    Raises:
        StartRefused: naming the file, the key and the reason; also when a topic of the ports is missing or is
            called otherwise than the processes call it.
    """
    try:
        file = TopicsFile.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise StartRefused(f"{path}: {error}") from error
    for topic in (EVENTS, REFUSALS, *(f"commands.{name}" for name in TOPICS)):
        if topic not in file.topics:
            raise StartRefused(f"{path}: topics.{topic} is missing")
        if file.topics[topic].name != broker_name(topic):
            raise StartRefused(f"{path}: topics.{topic}.name is not {broker_name(topic)}")
        if file.topics[topic].partitions != PARTITIONS:
            raise StartRefused(f"{path}: topics.{topic}.partitions is not {PARTITIONS}")
    return file


async def ensure_topics(bootstrap: str, topics_toml: Path, *, replication: int | None = None) -> list[str]:
    """Create the topics of the file that the broker lacks; those it has are left as they are.

    Args:
        bootstrap: "host:port[,host:port]".
        topics_toml: deploy/topics.toml.
        replication: instead of the file's number; min.insync.replicas is lowered to it when it is less.

    Returns:
        Broker names of the topics created now; all their partitions are usable.

    Raises:
        StartRefused: the file is wrong, or the broker refuses a topic.
        LogUnavailable: the broker does not answer.
    """
    file = load_topics(topics_toml)
    factor = file.defaults.replication if replication is None else replication
    wanted = []
    for topic in file.topics.values():
        config = {**file.defaults.config, **topic.config}
        config["min.insync.replicas"] = str(min(factor, int(config.get("min.insync.replicas", "1"))))
        wanted.append(NewTopic(topic.name, topic.partitions, factor, topic_configs=config))
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    try:
        await admin.start()
        answer = await admin.create_topics(wanted)
    except (KafkaError, OSError) as error:
        raise LogUnavailable(f"{bootstrap}: {error!r}") from error
    finally:
        await admin.close()
    created = []
    for name, code, *message in answer.topic_errors:
        error_type = for_code(code)
        if code == 0:
            created.append(name)
        elif error_type is not TopicAlreadyExistsError:
            raise StartRefused(f"{bootstrap} refuses topic {name}: {error_type.__name__} {message}")
    await _wait_usable(bootstrap, [topic for topic in wanted if topic.name in created])
    return created


async def _wait_usable(bootstrap: str, topics: Sequence[NewTopic]) -> None:
    """Wait until each partition has a leader that answers: a broker creates hundreds of them in seconds, not at once."""
    places = [TopicPartition(topic.name, partition) for topic in topics for partition in range(topic.num_partitions)]
    if not places:
        return
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, request_timeout_ms=int(CREATE_SECONDS * 1000))
    try:
        async with asyncio.timeout(CREATE_SECONDS):
            await consumer.start()
            await consumer.end_offsets(places)
    except (KafkaError, OSError, TimeoutError) as error:
        raise LogUnavailable(f"{bootstrap}: the new topics are not usable: {error!r}") from error
    finally:
        await consumer.stop()


async def require_sound_topics(bootstrap: str) -> None:
    """The start-up gate: the events and refusals topics keep every record for ever, in PARTITIONS partitions.

    Raises:
        TopicRefused: naming the topic and the setting.
        LogUnavailable: the broker does not answer.
    """
    names = [broker_name(EVENTS), broker_name(REFUSALS)]
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    try:
        await admin.start()
        described = await admin.describe_topics(names)
        configs = await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name) for name in names])
    except (KafkaError, OSError) as error:
        raise LogUnavailable(f"{bootstrap}: {error!r}") from error
    finally:
        await admin.close()
    partitions = {topic["topic"]: len(topic["partitions"]) for topic in described if topic["error_code"] == 0}
    settings: dict[str, dict[str, str]] = {}
    for response in configs:
        for code, _, _, name, entries in response.resources:
            if code == 0:
                settings[name] = {entry[0]: entry[1] for entry in entries}
    for name in names:
        _require_sound(name, partitions.get(name, 0), settings.get(name, {}))


def _require_sound(name: str, partitions: int, config: Mapping[str, str]) -> None:
    if partitions == 0 or not config:
        raise TopicRefused(f"topic {name} does not exist; create it with `python -m stavka.bus.topics`")
    if partitions != PARTITIONS:
        raise TopicRefused(f"topic {name} has {partitions} partitions, not {PARTITIONS}")
    if config.get("cleanup.policy") != "delete":
        raise TopicRefused(f"topic {name} is compacted: cleanup.policy={config.get('cleanup.policy')}")
    for key in ("retention.ms", "retention.bytes"):
        if config.get(key) != FOR_EVER:
            raise TopicRefused(f"topic {name} would lose records: {key}={config.get(key)}, not {FOR_EVER}")
    if int(config.get("max.message.bytes", "0")) < MAX_RECORD_BYTES + ENVELOPE_BYTES:
        raise TopicRefused(f"topic {name} takes no big records: max.message.bytes={config.get('max.message.bytes')}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m stavka.bus.topics")
    parser.add_argument("file", type=Path)
    parser.add_argument("--bootstrap", default=os.environ.get("STAVKA_KAFKA", "127.0.0.1:9092"))
    parser.add_argument("--replication", type=int, default=None)
    chosen = parser.parse_args(arguments)

    async def run() -> list[str]:
        created = await ensure_topics(chosen.bootstrap, chosen.file, replication=chosen.replication)
        await require_sound_topics(chosen.bootstrap)
        return created

    try:
        created = asyncio.run(run())
    except (StartRefused, LogUnavailable) as error:
        print(f"topics: {error}", file=sys.stderr)
        return 1
    print(f"{len(created)} created; all sound")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
