"""What is put under load: `stavka serve` in a child process, and the whole stack; both with their metrics on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil
from redis import Redis
from stavka.bus.topics import ensure_topics
from stavka.embedded import token_key
from stavka.gateway.identity import Role, TokenKey, issue
from stavka.settings import Settings

from deploy.local.kafka import LocalKafka, free_ports, run_aside
from tests.support.brokers import TOPICS_TOML, KafkaBroker, kafka_broker, redis_server, why_no_containers
from tests.support.stack import DOMAINS, stack

PROPOSALS: Final = re.compile(r'^stavka_proposals_total\{outcome="(\w+)",topic="\w+"\} (\S+)$', re.MULTILINE)
STOP_SECONDS: Final = 60.0


@dataclass
class Server:
    """`processes` name -> process id, brokers included where they are ours; `metrics` ports of those that judge."""

    where: str
    address: str
    token_key: TokenKey
    processes: Mapping[str, int]
    metrics: tuple[int, ...]
    kafka: str = ""
    folder: Path = field(default_factory=Path)

    def token(self, player: str, role: Role = Role.PLAYER) -> str:
        return issue(self.token_key, role, now_ms=time.time_ns() // 1_000_000, seconds=86_400, player=player)

    def proposals(self) -> Counter[str]:
        """What became of all proposals so far: accepted, stale, refused."""
        found: Counter[str] = Counter()
        for port in self.metrics:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
                for outcome, count in PROPOSALS.findall(answer.read().decode()):
                    found[outcome] += int(float(count))
        return found

    def cpu_seconds(self) -> dict[str, float]:
        """Processor time that each process has used so far, in user and system mode."""
        times = {name: psutil.Process(pid).cpu_times() for name, pid in self.processes.items()}
        return {name: used.user + used.system for name, used in times.items()}

    def resident_mb(self) -> dict[str, float]:
        """Resident memory of each process, in MB of 10**6 bytes."""
        return {name: psutil.Process(pid).memory_info().rss / 1e6 for name, pid in self.processes.items()}


@contextmanager
def embedded_server(profile: Path | None = None) -> Iterator[Server]:
    """`stavka serve` on a fresh folder. With `profile` under a profiler, which writes that file when it stops."""
    with tempfile.TemporaryDirectory(prefix="stavka-bench-") as scratch:
        data = Path(scratch) / "data"
        (metrics,) = free_ports(1)
        environment = os.environ | {"STAVKA_METRICS": str(metrics), "STAVKA_KEYS": str(data / "keys")}
        runner = ["tests.bench.profiled", str(profile)] if profile else ["stavka"]
        with (Path(scratch) / "serve.log").open("wb") as log:
            running = subprocess.Popen(
                [sys.executable, "-m", *runner, "serve", "--port", "0", "--data", str(data)],
                env=environment, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        try:
            assert running.stdout is not None
            first = running.stdout.readline()
            address = re.search(r"serves on (\S+?),", first)
            assert address is not None, (Path(scratch) / "serve.log").read_text("utf-8", "replace")[-2000:]
            key = token_key(Settings(data=data, keys=data / "keys"))
            yield Server("embedded", address[1], key, {"serve": running.pid}, (metrics,), folder=Path(scratch))
        finally:
            running.send_signal(signal.SIGTERM)
            try:
                running.communicate(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                running.kill()
                running.communicate()


@contextmanager
def stack_server() -> Iterator[Server]:
    """Seven processes over Kafka and Redis."""
    with (
        tempfile.TemporaryDirectory(prefix="stavka-bench-") as scratch,
        _kafka() as kafka,
        redis_server() as redis,
        stack(Path(scratch), kafka, redis) as running,
    ):
        processes = {name: process.pid for name, process in running.running.items()}
        if isinstance(kafka.node, LocalKafka) and kafka.node.pid:
            processes["kafka"] = kafka.node.pid
        if redis.kind == "local":
            with Redis.from_url(redis.url) as client:
                processes["redis"] = client.info("server")["process_id"]
        metrics = tuple(running.metrics[name] for name in DOMAINS)
        yield Server("stack", running.address, running.token_key, processes, metrics, kafka.bootstrap, Path(scratch))


@contextmanager
def _kafka() -> Iterator[KafkaBroker]:
    """A broker as it would be run to be fast: all of the compiler, where the tests take half for a quick start."""
    if why_no_containers() is None:
        with kafka_broker() as broker:
            yield broker
        return
    with tempfile.TemporaryDirectory(prefix="stavka-kafka-", ignore_cleanup_errors=True) as data:
        node = LocalKafka(Path(data), java_options=())
        try:
            node.start()
            run_aside(ensure_topics(node.bootstrap, TOPICS_TOML, replication=1))
            yield KafkaBroker("local", "the benchmark's own", node.bootstrap, node)
        finally:
            node.kill()
