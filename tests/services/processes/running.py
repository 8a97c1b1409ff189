"""`stavka` as a child process, with what it prints."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stavka.embedded import token_key
from stavka.gateway.identity import TokenKey
from stavka.settings import Settings

SECONDS = 100.0
"""A child that has not ended or answered by then is stuck, even on a busy machine."""


def clean(**given: str) -> dict[str, str]:
    """This environment without any setting of Stavka, and with the settings given (names without STAVKA_)."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith("STAVKA_")}
    rest["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return rest | {f"STAVKA_{name}": value for name, value in given.items()}


def stavka(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    return subprocess.run(
        [sys.executable, "-m", "stavka", *arguments],
        env=clean(**settings),
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def complaint(ran: subprocess.CompletedProcess[str]) -> str:
    """The line that says why it did not start; raises AssertionError unless it ended as a known error does."""
    assert ran.returncode == 2, (ran.returncode, ran.stdout, ran.stderr)
    assert "Traceback" not in ran.stderr, ran.stderr
    lines = ran.stderr.strip().splitlines()
    assert lines, "no word of why"
    assert ran.stdout == ""
    return lines[-1]


@dataclass
class Serving:
    """A running `stavka serve`."""

    process: subprocess.Popen[str]
    data: Path
    port: int

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def token_key(self) -> TokenKey:
        return token_key(Settings(data=self.data, keys=self.data / "keys"))

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def terminate(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=SECONDS)
        return self.process.returncode


def start(data: Path, port: int = 0, settings: Mapping[str, str] | None = None) -> Serving:
    """`stavka serve` on a folder; returns when it serves. Raises AssertionError with what it said otherwise."""
    process = subprocess.Popen(
        [sys.executable, "-m", "stavka", "serve", "--port", str(port), "--data", str(data)],
        env=clean(**(settings or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    found = re.search(r"serves on \S+:(\d+),", first)
    if found is None:
        _, error = process.communicate()
        raise AssertionError(f"it does not serve: {first}{error}")
    return Serving(process, data, int(found[1]))


@contextmanager
def serving(data: Path, port: int = 0) -> Iterator[Serving]:
    """`start`, and the end of it after the block."""
    server = start(data, port)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
