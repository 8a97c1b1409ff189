"""One Kafka, one Redis and one stack for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.brokers import KafkaBroker, RedisServer, kafka_broker, redis_server
from tests.support.stack import Stack, stack


@pytest.fixture(scope="session")
def kafka() -> Iterator[KafkaBroker]:
    with kafka_broker(restartable=True) as broker:
        yield broker


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    with redis_server(restartable=True) as server:
        yield server


@pytest.fixture(scope="session")
def live(kafka: KafkaBroker, redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with stack(tmp_path_factory.mktemp("stack"), kafka, redis) as running:
        yield running
