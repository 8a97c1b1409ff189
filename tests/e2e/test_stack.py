"""Whole matches over the stack: played, verified, watched, and equal in every reader."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from stavka.client import connect
from stavka.gateway.identity import Role

from tests.support.stack import Stack
from tests.support.watching import Moves

from .matches import MATCHES, ended, random_match, require_equal_projections, require_sound

pytestmark = [pytest.mark.stack, pytest.mark.timeout(1800), pytest.mark.xdist_group("stack")]

AT_ONCE = 4
KEYS = {"match", "game", "ruleset", "versions", "events", "head", "winner", "points", "seconds", "rejected"}


async def test_many_matches_are_played_verified_and_watched(live: Stack) -> None:
    turn = asyncio.Semaphore(AT_ONCE)
    moves = {seed: Moves() for seed in range(100, 100 + MATCHES)}

    async def one(seed: int) -> str:
        async with turn:
            played = await random_match(live, seed, moves[seed])
        ended({seed: played})
        head = await require_sound(live, played.match, moves[seed])
        assert head.hex() == played.head
        async with connect(live.address, live.token("judge", Role.ARBITER)) as judge:
            seen = [record.version async for record in judge.watch(played.match)]
        assert seen == list(range(1, played.versions + 1))
        return played.match

    matches = await asyncio.gather(*(one(seed) for seed in moves))
    assert len(set(matches)) == MATCHES
    await require_equal_projections(live)


@pytest.mark.parametrize(
    ("game", "scenario", "bots"),
    [
        ("red_vengeance", "campaign", "random,heuristic"),
        ("victory_in_europe", "bagration_1944", "heuristic,heuristic"),
        ("victory_in_europe", "bagration_1944_three", "heuristic,heuristic,heuristic"),
    ],
)
def test_the_command_line_plays_verifies_and_shows(
    live: Stack, tmp_path: Path, game: str, scenario: str, bots: str
) -> None:
    order = ("play", game, "--scenario", scenario, "--bots", bots, "--seed", "7", "--json")
    played = json.loads(_stavka(live, *order, server=True))
    assert played["game"] == game and set(played) == KEYS and played["rejected"] == 0
    verified = json.loads(_stavka(live, "audit", "verify", played["match"], "--json", server=True))
    assert verified["ok"] and verified["head"] == played["head"] and verified["winner"] == played["winner"]
    exported = str(tmp_path / "match.jsonl")
    _stavka(live, "audit", "export", played["match"], "-o", exported, server=True)
    offline = json.loads(_stavka(live, "audit", "verify", exported, "--json"))
    assert offline == verified
    assert played["match"] in _stavka(live, "show", played["match"], server=True)
    assert _stavka(live, "show", played["match"], "--notation", server=True).startswith(f"game {game}\n")


def _stavka(live: Stack, *arguments: str, server: bool = False) -> str:
    """Standard output of a command that succeeds."""
    command = [sys.executable, "-m", "stavka", *arguments, *(["--server", live.address] if server else [])]
    environment = os.environ | {"STAVKA_KEYS": str(live.folder / "keys")}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout
