"""kill -9 of `stavka serve` in the middle of a match, and its start on the same folder: nothing is lost or doubled."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from stavka.audit.verify import verify
from stavka.bots.play import play
from stavka.cli.access import issuer
from stavka.client import connect
from stavka.gateway.identity import Role

from tests.services.processes.running import Serving, start
from tests.support.watching import Moves, require_each_move_once

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("processes")]

MOVES = 25
"""Accepted moves between two kills."""
KILLS = 3


async def test_a_match_goes_on_after_each_kill(tmp_path: Path) -> None:
    server = await asyncio.to_thread(start, tmp_path / "data")
    moves = Moves()
    tokens = issuer(server.token_key)
    playing = asyncio.create_task(
        play(server.address, tokens, "red_vengeance", bots=("random",), seed=5, on_progress=moves.note)
    )
    try:
        for _ in range(KILLS):
            await moves.more(MOVES, playing)
            await asyncio.to_thread(server.kill)
            server = await asyncio.to_thread(start, server.data, server.port)
        await moves.more(MOVES, playing)
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        code = await _end(server, moves)
    assert code == 0


async def _end(server: Serving, moves: Moves) -> int:
    """Give the match up, verify it, stop the server."""
    try:
        match_id = moves.match_id
        async with connect(server.address, issuer(server.token_key)("axis-random")) as axis:
            await axis.resign(match_id, "axis", command_id="enough")
        async with connect(server.address, issuer(server.token_key, Role.ARBITER)("judge")) as judge:
            header, records = await judge.export(match_id)
        report = verify(match_id, records, header.head)
        assert report.ok and report.winner == "allied", report.wrong
        require_each_move_once(records, moves)
        return await asyncio.to_thread(server.terminate)
    finally:
        if server.process.poll() is None:
            server.kill()
