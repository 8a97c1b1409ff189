"""docs/how-to/play-with-grpcurl.md, run as it stands against `stavka serve`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .grpcurl import grpcurl

pytestmark = [pytest.mark.stack, pytest.mark.timeout(600)]

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "play-with-grpcurl.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Address of an embedded server, and an environment whose `stavka` and `grpcurl` are the right ones."""
    tools = tmp_path / "bin"
    tools.mkdir()
    stavka = tools / "stavka"
    stavka.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m stavka "$@"\n')
    stavka.chmod(0o755)
    environment = os.environ | {
        "PATH": os.pathsep.join((str(tools), str(grpcurl().parent), os.environ["PATH"])),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "STAVKA_DATA": str(tmp_path / "data"),
    }
    command = [str(stavka), "serve", "--port", "0"]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert running.stdout is not None
    try:
        address = re.search(r"serves on (\S+?),", running.stdout.readline())
        assert address is not None
        yield address[1], environment
    finally:
        running.terminate()
        running.wait(30)
        running.stdout.close()


def test_the_walkthrough_runs_as_it_stands(server: tuple[str, dict[str, str]]) -> None:
    address, environment = server
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    script = ["set -eu"]
    for number, block in enumerate(blocks):
        script += [f"echo '=== {number}'", block.replace("localhost:50051", address)]
    run = subprocess.run(
        ["bash", "-c", "\n".join(script)], env=environment, capture_output=True, text=True, timeout=200
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    parts = re.split(r"^=== \d+$", run.stdout, flags=re.MULTILINE)[1:]
    assert len(parts) == len(blocks) >= 14
    by_call = {call: part for block, part in zip(blocks, parts, strict=True) for call in re.findall(r"[A-Z]\w+", block)}
    history = documents(by_call["ListHistory"])
    types = [event["type"] for message in history for event in message["record"].get("events", [])]
    assert {"match.MatchCreated", "BattleDeclared", "BattleRolled"} <= set(types)
    versions = [int(message["record"]["version"]) for message in history]
    assert versions == list(range(1, len(versions) + 1))
    assert any(roll["signature"] for message in history for roll in message["record"].get("rolls", []))
    assert "To act: Allied" in by_call["GetView"]
    assert "MATCH_STATUS_ENDED" in by_call["GetMatch"]
    assert "RV 6" in run.stderr  # the illegal move's rule


def documents(text: str) -> list[Any]:
    """The JSON documents that grpcurl printed one after the other."""
    decoder, found, at = json.JSONDecoder(), [], 0
    text = text.strip()
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        found.append(value)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found
