"""The whole stack as a deployment runs it: seven processes of their own over a real Kafka and Redis.

Each process is `stavka run NAME` with its settings in the environment. `kill` is SIGKILL; `start` brings it back under
the same name. Logs of every process are kept in the stack's folder and shown when a process dies unasked.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from stavka.gateway.identity import Role, TokenKey, issue, load_key
from stavka.match import keys

from deploy.local.kafka import free_ports
from tests.support.brokers import KafkaBroker, RedisServer

DOMAINS = ("movement", "combat", "supply", "diplomacy", "cards")
PROCESSES = (*DOMAINS, "projector", "gateway")
READY_SECONDS = 180.0
STOP_SECONDS = 20.0


class ProcessDied(AssertionError):
    """A process ended that nobody killed."""


@dataclass
class Stack:
    folder: Path
    kafka: KafkaBroker
    redis: RedisServer
    port: int
    token_key: TokenKey
    intake: str = "faust"
    metrics: dict[str, int] = field(default_factory=dict)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def token(self, player: str, role: Role = Role.PLAYER) -> str:
        return issue(self.token_key, role, now_ms=time.time_ns() // 1_000_000, seconds=3600, player=player)

    def start(self, name: str) -> None:
        environment = os.environ | {
            "STAVKA_KAFKA": self.kafka.bootstrap,
            "STAVKA_REDIS": self.redis.url,
            "STAVKA_KEYS": str(self.folder / "keys"),
            "STAVKA_PORT": str(self.port),
            "STAVKA_INSTANCE": "one",
            "STAVKA_INTAKE": self.intake,
            "STAVKA_METRICS": str(self.metrics[name]),
        }
        with self.log_of(name).open("ab") as output:
            command = [sys.executable, "-m", "stavka", "run", name]
            self.running[name] = subprocess.Popen(command, env=environment, stdout=output, stderr=output)

    def log_of(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def kill(self, name: str) -> None:
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def terminate(self, name: str) -> int:
        """SIGTERM; the exit code. Raises ProcessDied when it needs longer than STOP_SECONDS (it is killed then)."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise ProcessDied(f"{name} did not stop within {STOP_SECONDS:g} s:\n{self.tail(name)}") from None

    def stop(self) -> None:
        """SIGTERM to all at once. Raises ProcessDied, once none of them runs any more, as `terminate` does."""
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        failed: ProcessDied | None = None
        for name in list(self.running):
            try:
                self.terminate(name)
            except ProcessDied as late:
                failed = late
        if failed is not None:
            raise failed

    def check(self) -> None:
        for name, process in self.running.items():
            if process.poll() is not None:
                raise ProcessDied(f"{name} ended with {process.returncode}:\n{self.tail(name)}")

    def tail(self, name: str) -> str:
        return self.log_of(name).read_text("utf-8", "replace")[-4000:]

    def wait_serving(self) -> None:
        """Until the gateway's health says SERVING."""
        with grpc.insecure_channel(self.address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)

            def serves() -> bool:
                self.check()
                try:
                    answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=2, wait_for_ready=True)
                except grpc.RpcError:
                    return False
                return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

            wait_until(serves, READY_SECONDS, "the gateway to serve")

    def resident_bytes(self) -> dict[str, int]:
        """Resident memory of each running process."""
        import psutil

        return {name: psutil.Process(p.pid).memory_info().rss for name, p in self.running.items()}


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Poll until `condition` holds. Raises AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:g} s for {what}"
        time.sleep(0.05)


@contextmanager
def stack(folder: Path, kafka: KafkaBroker, redis: RedisServer, intake: str = "faust") -> Iterator[Stack]:
    """All processes up and serving; stopped by SIGTERM at the end."""
    keys.make(folder / "keys")
    (folder / "keys" / "token.key").write_bytes(secrets.token_hex(32).encode())
    port, *metrics = free_ports(1 + len(PROCESSES))
    key = load_key(folder / "keys" / "token.key")
    built = Stack(folder, kafka, redis, port, key, intake, dict(zip(PROCESSES, metrics, strict=True)))
    try:
        for name in PROCESSES:
            built.start(name)
        built.wait_serving()
        yield built
        built.check()
    finally:
        built.stop()
