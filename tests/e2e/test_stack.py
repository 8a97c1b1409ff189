"""Whole matches over the stack: played, verified, watched, and equal in every reader."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys

import pytest
from stavka.audit.verify import verify
from stavka.bots.play import play
from stavka.bus.kafka import KafkaLog
from stavka.client import connect
from stavka.gateway.identity import Role
from stavka.match import keys
from stavka.match.ports import PARTITIONS
from stavka.projector.proof import differences
from stavka.views.redis import RedisStore

from tests.support.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.timeout(900)]


async def test_a_whole_match_is_played_and_verified(live: Stack) -> None:
    played = await play(live.address, live.token, "red_vengeance", bots=("random",), seed=11)
    assert played.rejected == 0
    async with connect(live.address, live.token("judge", Role.ARBITER)) as judge:
        header, records = await judge.export(played.match)
        report = verify(played.match, records, header.head)
        assert report.ok, report.wrong
        assert report.head == played.head and report.winner == played.winner
        seen = [record.version async for record in judge.watch(played.match)]
    assert seen == list(range(1, played.versions + 1))


async def test_redis_equals_the_fold(live: Stack) -> None:
    log = await KafkaLog.open(live.kafka.bootstrap)
    store = RedisStore(live.redis.url)
    try:
        assert await differences(log, store, keys.load(live.folder / "keys").sealing, range(PARTITIONS)) == []
    finally:
        await store.close()
        await log.close()


def test_the_command_line_plays_on_the_stack_and_verifies(live: Stack) -> None:
    environment = os.environ | {"STAVKA_KEYS": str(live.folder / "keys")}
    command = [
        sys.executable,
        "-m",
        "stavka",
        "play",
        "red_vengeance",
        "--bots",
        "random,random",
        "--seed",
        "3",
        "--server",
        live.address,
        "--json",
    ]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    played = json.loads(run.stdout)
    assert set(played) == {
        "match",
        "game",
        "ruleset",
        "versions",
        "events",
        "head",
        "winner",
        "points",
        "seconds",
        "rejected",
    }
    command = [sys.executable, "-m", "stavka", "audit", "verify", played["match"], "--server", live.address, "--json"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert json.loads(run.stdout)["head"] == played["head"]


async def test_many_matches_at_once(live: Stack) -> None:
    played = await asyncio.gather(
        *(play(live.address, live.token, "red_vengeance", bots=("random",), seed=100 + n) for n in range(4))
    )
    assert len({p.match for p in played}) == 4
    assert all(p.rejected == 0 for p in played)
