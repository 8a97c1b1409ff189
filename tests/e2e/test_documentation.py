"""The commands of README and of the how-to pages, run as they stand; grpcurl's walkthrough has a test of its own."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from stavka.cli.access import issuer
from stavka.client import connect
from stavka.gateway.identity import Role
from stavka.match.fold import parse
from stavka.wire.gen.stavka.match.v1 import match_pb2

from tests.services.processes.running import Serving, clean, serving
from tests.support.stack import Stack
from tests.support.watching import Moves

from .matches import part_of_a_match, require_sound

pytestmark = [pytest.mark.stack, pytest.mark.timeout(1800), pytest.mark.xdist_group("stack")]

ROOT: Final = Path(__file__).parents[2]
BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLAYING: Final = 20.0
"""Seconds that the example client may play: it would go on to the end of the match."""


MOVES: Final = 150
"""Moves in which some battle is fought, so that there are dice to check."""


def blocks(page: str, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall((ROOT / page).read_text("utf-8")) if kind == language]


def commands(page: str) -> list[str]:
    """Lines of unmarked blocks that begin with a command of the project, without the explanation behind them."""
    lines = [line for block in blocks(page, "") for line in block.splitlines()]
    return [re.split(r"\s{3,}", line)[0] for line in lines if line.startswith(("stavka ", "openssl ", "grpcurl "))]


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, str]:
    """An environment whose `stavka` is this one."""
    script = tmp_path / "bin" / "stavka"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m stavka "$@"\n')
    script.chmod(0o755)
    return clean() | {"PATH": os.pathsep.join((str(script.parent), os.environ["PATH"]))}


def run(command: str, environment: dict[str, str], folder: Path) -> str:
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=environment, cwd=folder)
    assert ran.returncode == 0, f"{command}\n{ran.stdout[-1000:]}{ran.stderr[-1000:]}"
    return ran.stdout


def test_the_first_match_of_the_readme_is_played(tools: dict[str, str], tmp_path: Path) -> None:
    (play,) = [command for command in commands("README.md") if command.startswith("stavka play")]
    assert re.search(r"(wins|is a draw)", run(play, tools, tmp_path))


async def test_a_match_is_verified_as_the_page_says(live: Stack, tools: dict[str, str], tmp_path: Path) -> None:
    moves = Moves()
    match_id = await part_of_a_match(live, 51, moves, MOVES)
    await require_sound(live, match_id, moves)
    environment = tools | {"STAVKA_KEYS": str(live.folder / "keys")}
    version = await _first_roll(live, match_id)
    said = []
    for command in commands("docs/how-to/verify-a-match.md"):
        command = command.replace("HOST:PORT", live.address).replace("MATCH", match_id)
        command = re.sub(r"--version \d+", f"--version {version}", command)
        said.append(await asyncio.to_thread(run, command, environment, tmp_path))
    assert f"{match_id}: " in said[1] and "records hold" in said[1]
    assert "Verified OK" in said[-1]


def test_the_example_client_plays(tools: dict[str, str], tmp_path: Path) -> None:
    """On a server of its own, as the page has it; stopped once it has moved for a while."""
    (text,) = blocks("docs/how-to/write-a-client.md", "python")
    with serving(tmp_path / "data") as server:
        names: dict[str, Any] = {}
        exec(compile(text.replace("localhost:50051", server.address), "write-a-client.md", "exec"), names)
        token = run(f"stavka token --role player --player anna --data {tmp_path / 'data'}", tools, tmp_path).strip()

        async def play() -> None:
            async with asyncio.timeout(PLAYING):
                await names["main"](token)

        with suppress(TimeoutError):  # a quick machine plays the match to its end in that time
            asyncio.run(play())
        (match,) = asyncio.run(_matches(server))
        assert match.version > len(("created", "axis", "allied")), "nobody moved"


async def _matches(server: Serving) -> list[match_pb2.Match]:
    async with connect(server.address, issuer(server.token_key, Role.ARBITER)("judge")) as judge:
        return [match async for match in judge.list_matches()]


async def _first_roll(live: Stack, match_id: str) -> int:
    """The first version whose record holds dice."""
    async with connect(live.address, live.token("judge", Role.ARBITER)) as judge:
        _, raws = await judge.export(match_id)
    records = [parse(raw) for raw in raws]
    return next(n for n, record in enumerate(records, start=1) if record is not None and record.rolls)
