"""One real Apache Kafka on loopback, from Maven's jars: no container engine, Java 17 or newer.

    python deploy/local/kafka.py up [--port 9092] [--data DIR]     fetch the jars once, start, wait, print the address
    python deploy/local/kafka.py status [--data DIR]
    python deploy/local/kafka.py down [--data DIR]                 stop; the data stays for the next `up`

One KRaft node is broker and controller; every record is flushed to disk before its acknowledgement.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

HERE = Path(__file__).parent
POM = HERE / "pom.xml"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "stavka"
DEFAULT_DATA = CACHE / "kafka-data"
START_SECONDS = 120.0
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # half the work to get ready, less throughput once warm
READY_TOPIC = "local.ready"
MIN_JAVA = 17

Result = TypeVar("Result")


class LocalBrokerError(Exception):
    """The broker cannot be had on this machine; the message says what is missing."""


def kafka_version() -> str:
    """The version that the pom pins."""
    found = re.search(r"<artifactId>kafka_2\.13</artifactId>\s*<version>([^<]+)</version>", POM.read_text("utf-8"))
    assert found is not None
    return found.group(1)


def why_unavailable() -> str | None:
    """Why no broker can be started here, or None when it can: Java, and Maven or the jars already fetched."""
    java = shutil.which("java")
    if java is None:
        return "no java on PATH"
    answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', answer)
    if version is None or int(version.group(1)) < MIN_JAVA:
        return f"java {version.group(1) if version else 'of unknown version'}; {MIN_JAVA} or newer is needed"
    if shutil.which("mvn") is None and not _jars_directory().is_dir():
        return "no mvn on PATH and no jars fetched before"
    return None


def _jars_directory() -> Path:
    return CACHE / f"kafka-{kafka_version()}"


def fetch_jars() -> Path:
    """The directory with the broker's jars, filled by Maven when it is not there yet (about 54 MB).

    Raises:
        LocalBrokerError: Maven fails; with the end of what it said.
    """
    jars = _jars_directory()
    jars.parent.mkdir(parents=True, exist_ok=True)
    with (jars.parent / "fetch.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if jars.is_dir():
            return jars
        with tempfile.TemporaryDirectory(dir=jars.parent) as scratch:
            target = Path(scratch) / "jars"
            done = subprocess.run(
                [
                    *("mvn", "-q", "-B", "-f", str(POM), "dependency:copy-dependencies"),
                    *(f"-DoutputDirectory={target}", "-DincludeScope=runtime"),
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                raise LocalBrokerError(f"mvn failed: {(done.stdout + done.stderr)[-800:]}")
            target.rename(jars)
    return jars


def free_ports(count: int) -> list[int]:
    """`count` different TCP ports of 127.0.0.1 that nobody listens on at this moment."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def server_properties(data: Path, port: int, controller_port: int) -> str:
    """The broker's configuration."""
    return f"""\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller_port}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={data / "log"}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
log.flush.interval.messages=1
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
"""


@dataclass
class LocalKafka:
    """A broker with its data in `data`. It keeps its ports and data over `kill` and `start`.

    Raises (start):
        LocalBrokerError: it did not get ready in START_SECONDS; with the end of its log.
    """

    data: Path
    port: int = 0
    controller_port: int = 0
    java_options: Sequence[str] = QUICK
    pid: int | None = field(default=None, init=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.data = self.data.absolute()
        free = free_ports(2)
        self.port = self.port or free[0]
        self.controller_port = self.controller_port or free[1]

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.data / "broker.log"

    def start(self) -> None:
        """Start the broker and wait until it has stored a record."""
        reason = why_unavailable()
        if reason is not None:
            raise LocalBrokerError(reason)
        jars = fetch_jars()
        self.data.mkdir(parents=True, exist_ok=True)
        properties = self.data / "server.properties"
        properties.write_text(server_properties(self.data, self.port, self.controller_port), "utf-8")
        if not (self.data / "log" / "meta.properties").exists():
            cluster = (
                "K" + base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()[1:]
            )  # never a leading "-"
            _java(jars, "kafka.tools.StorageTool", "format", "-t", cluster, "-c", str(properties))
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                ["java", "-Xmx512m", *self.java_options, "-cp", f"{jars}/*", "kafka.Kafka", str(properties)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.pid = self._process.pid
        try:
            run_aside(self._wait_ready())
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """SIGKILL, as a power cut would; `start` brings it back with the same data and ports."""
        self._end(signal.SIGKILL, 10.0)

    def pause(self) -> None:
        """SIGSTOP: connections stay open and nothing answers."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT after `pause`."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Controlled shutdown, by force after 10 s."""
        self._end(signal.SIGTERM, 10.0)

    def _end(self, number: int, seconds: float) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(seconds)
        self._process = None
        self.pid = None

    async def _wait_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        reason = "no attempt"
        while time.monotonic() < deadline:
            if self._process is not None and self._process.poll() is not None:
                raise LocalBrokerError(f"the broker ended at once: {self._log_tail()}")
            try:
                await asyncio.wait_for(probe(self.bootstrap), 10.0)
                return
            except (OSError, TimeoutError, ProbeFailed) as error:
                reason = repr(error)
                await asyncio.sleep(0.1)
        raise LocalBrokerError(f"the broker is not ready after {START_SECONDS:.0f} s ({reason}): {self._log_tail()}")

    def _log_tail(self) -> str:
        return self.log.read_text("utf-8", errors="replace")[-800:]


def run_aside(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end on a loop and thread of its own: callers may be inside a running loop."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


class ProbeFailed(Exception):
    """The broker answered, but did not take a record."""


async def probe(bootstrap: str) -> None:
    """Metadata, topic creation and one durable produce.

    Raises:
        ProbeFailed: the broker refused a step; OSError: nobody listens.
    """
    host, port = bootstrap.rsplit(":", 1)
    _, writer = await asyncio.open_connection(host, int(port))
    writer.close()

    from aiokafka import AIOKafkaProducer
    from aiokafka.admin import AIOKafkaAdminClient, NewTopic
    from aiokafka.errors import KafkaError

    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=5000)
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all", request_timeout_ms=5000)
    try:
        await admin.start()
        await admin.create_topics([NewTopic(READY_TOPIC, 1, 1)])  # answers "exists" after the first time
        await producer.start()
        await producer.send_and_wait(READY_TOPIC, b"ready", partition=0)
    except KafkaError as error:
        raise ProbeFailed(repr(error)) from error
    finally:
        await producer.stop()
        await admin.close()


def _java(jars: Path, *arguments: str) -> str:
    command = ["java", *QUICK, "-cp", f"{jars}/*", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LocalBrokerError(f"{arguments[0]} failed: {(done.stdout + done.stderr)[-800:]}")
    return done.stdout.strip()


def _recorded(data: Path) -> tuple[int, int] | None:
    """(process id, port) of the broker that `up` left running on `data`, if it still runs."""
    try:
        record = json.loads((data / "broker.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    command = subprocess.run(
        ["ps", "-ww", "-p", str(record["pid"]), "-o", "command="], capture_output=True, text=True, check=False
    ).stdout
    return (record["pid"], record["port"]) if str(data / "server.properties") in command else None


def up(data: Path, port: int) -> str:
    """Start a broker that outlives this process, unless it runs already; its address."""
    running = _recorded(data)
    if running is not None:
        return f"127.0.0.1:{running[1]}"
    broker = LocalKafka(data, port, java_options=())
    broker.start()
    (broker.data / "broker.json").write_text(json.dumps({"pid": broker.pid, "port": broker.port}), "utf-8")
    return broker.bootstrap


def down(data: Path) -> bool:
    """Stop the broker that `up` started; whether there was one."""
    running = _recorded(data)
    if running is None:
        return False
    os.kill(running[0], signal.SIGTERM)
    deadline = time.monotonic() + 15.0
    while _recorded(data) is not None and time.monotonic() < deadline:
        time.sleep(0.1)
    if _recorded(data) is not None:
        os.kill(running[0], signal.SIGKILL)
    (data / "broker.json").unlink(missing_ok=True)
    return True


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="kafka.py", description="A Kafka broker on loopback without containers.")
    parser.add_argument("action", choices=("up", "down", "status"))
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="directory of its data and log")
    parser.add_argument("--port", type=int, default=9092, help="0 takes a free one")
    chosen = parser.parse_args(arguments)
    data = chosen.data.absolute()
    try:
        if chosen.action == "up":
            print(up(data, chosen.port))
            return 0
    except LocalBrokerError as error:
        print(f"kafka.py: {error}", file=sys.stderr)
        return 1
    if chosen.action == "down":
        print("stopped" if down(data) else "not running")
        return 0
    running = _recorded(data)
    print("not running" if running is None else f"127.0.0.1:{running[1]} (process {running[0]})")
    return 0 if running is not None else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
