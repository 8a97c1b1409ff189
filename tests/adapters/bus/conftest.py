"""One broker of each kind a session, and the logs to run the contract over."""

from __future__ import annotations

import gc
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from stavka.bus.kafka import KafkaLog
from stavka.bus.memory import MemoryLog
from stavka.bus.sqlite import SqliteLog
from stavka.match.ports import Log

from tests.support.brokers import KafkaBroker, NoRealBroker, kafka_broker, mock_broker

OpenLog = Callable[[], Awaitable[Log]]


@pytest.fixture(scope="session")
def real_kafka() -> Iterator[KafkaBroker]:
    """Apache Kafka that can be killed; tests that ask for it are marked `stack`."""
    with kafka_broker(restartable=True) as broker:
        if not broker.is_real:
            raise NoRealBroker(broker.why)
        yield broker


@pytest.fixture(scope="session")
def shared_mock() -> Iterator[KafkaBroker]:
    with mock_broker() as broker:
        yield broker


@pytest.fixture(autouse=True)
def closed_connections(request: pytest.FixtureRequest) -> Iterator[None]:
    """A client of aiokafka that is closed while it connects leaves that connection to the garbage collector."""
    yield
    if {"real_kafka", "shared_mock", "mock_kafka"} & set(request.fixturenames):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


@pytest.fixture
def mock_kafka() -> Iterator[KafkaBroker]:
    """A mock cluster of its own, for a test that breaks it."""
    with mock_broker() as broker:
        yield broker


@pytest.fixture(
    params=[
        "memory",
        "sqlite",
        pytest.param("mock", marks=pytest.mark.xdist_group("mock-kafka")),
        pytest.param("kafka", marks=[pytest.mark.stack, pytest.mark.xdist_group("kafka")]),
    ]
)
def open_log(request: pytest.FixtureRequest, tmp_path: Path) -> OpenLog:
    """Opens a log; on the brokers it holds what earlier tests appended."""

    async def memory() -> Log:
        return MemoryLog()

    async def sqlite() -> Log:
        return SqliteLog(tmp_path)

    if request.param == "memory":
        return memory
    if request.param == "sqlite":
        return sqlite
    mock = request.param == "mock"
    broker: KafkaBroker = request.getfixturevalue("shared_mock" if mock else "real_kafka")
    return lambda: KafkaLog.open(broker.bootstrap, gate=not mock)


@pytest.fixture
async def log(open_log: OpenLog) -> AsyncIterator[Log]:
    opened = await open_log()
    yield opened
    await opened.close()
