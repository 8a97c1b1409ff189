"""kill -9 of each process, of Kafka and of Redis while matches are played: they go on, nothing is lost or doubled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import pytest
from stavka.bots.play import Played

from tests.support.stack import PROCESSES, Stack
from tests.support.watching import Moves

from .matches import ended, random_match, require_equal_projections, require_rebuildable, require_sound

pytestmark = [pytest.mark.stack, pytest.mark.timeout(1800), pytest.mark.xdist_group("stack")]

SEEDS: Final = (31, 32, 33)
MOVES: Final = 40
"""Accepted moves of each match between two kills."""


def _disasters(live: Stack) -> Mapping[str, tuple[Callable[[], None], Callable[[], None]]]:
    """Name -> (kill, bring back)."""
    return {
        **{name: (partial(live.kill, name), partial(live.start, name)) for name in PROCESSES},
        "Kafka": (live.kafka.kill, live.kafka.start),
        "a process that starts before Kafka is back": (partial(_kill_with_kafka, live, "combat"), live.kafka.start),
        "Redis": (live.redis.kill, live.redis.start),
    }


def _kill_with_kafka(live: Stack, name: str) -> None:
    live.kafka.kill()
    live.kill(name)
    live.start(name)


async def test_matches_go_on_when_anything_is_killed(live: Stack) -> None:
    moves = {seed: Moves() for seed in SEEDS}
    playing = {seed: asyncio.create_task(random_match(live, seed, moves[seed])) for seed in SEEDS}
    try:
        for name, (kill, start) in _disasters(live).items():
            await _all_move(moves, playing)
            assert not all(task.done() for task in playing.values()), f"the matches ended before {name} was killed"
            await asyncio.to_thread(kill)
            await asyncio.to_thread(start)
        await _all_move(moves, playing)
        played = dict(zip(playing, await asyncio.gather(*playing.values()), strict=True))
    finally:
        for task in playing.values():
            task.cancel()
        await asyncio.gather(*playing.values(), return_exceptions=True)
    live.check()
    ended(played)
    for seed, match in played.items():
        head = await require_sound(live, match.match, moves[seed])
        assert head.hex() == match.head
        assert len(moves[seed].accepted) == match.commands
    await require_equal_projections(live)


async def test_redis_is_made_anew_from_the_log(live: Stack) -> None:
    """Whatever the matches before have left in it, and without the projector that wrote it."""
    live.kill("projector")
    try:
        await require_rebuildable(live)
    finally:
        live.start("projector")
    await require_equal_projections(live)


async def _all_move(moves: Mapping[int, Moves], playing: Mapping[int, asyncio.Task[Played]]) -> None:
    await asyncio.gather(*(moves[seed].more(MOVES, task) for seed, task in playing.items()))
