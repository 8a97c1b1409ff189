"""SIGTERM ends every process within 20 s in the middle of a match, and the match goes on when it is back."""

from __future__ import annotations

import asyncio

import pytest
from stavka.client import connect

from tests.support.stack import PROCESSES, Stack
from tests.support.watching import Moves

from .matches import random_match, require_sound

pytestmark = [pytest.mark.stack, pytest.mark.timeout(1800), pytest.mark.xdist_group("stack")]

MOVES = 15


async def test_each_process_stops_when_asked_and_comes_back(live: Stack) -> None:
    moves = Moves()
    playing = asyncio.create_task(random_match(live, 41, moves))
    try:
        for name in PROCESSES:
            await moves.more(MOVES, playing)
            assert await asyncio.to_thread(live.terminate, name) == 0
            live.start(name)
        await moves.more(MOVES, playing)
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    async with connect(live.address, live.token("axis-random")) as axis:
        await axis.resign(moves.match_id, "axis")
    await require_sound(live, moves.match_id, moves)
