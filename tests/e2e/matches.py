"""Matches between bots on a live stack, and what must hold of them afterwards."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Final

from stavka.audit.verify import verify
from stavka.bots.play import Played, play
from stavka.bus.kafka import KafkaLog
from stavka.client import connect
from stavka.gateway.identity import Role
from stavka.match import keys
from stavka.match.ports import PARTITIONS, LogUnavailable
from stavka.projector.proof import differences, rebuild
from stavka.views.errors import StoreUnavailable
from stavka.views.redis import RedisStore

from tests.support.stack import Stack
from tests.support.watching import Moves, require_each_move_once

MATCHES: Final = int(os.environ.get("STAVKA_E2E_MATCHES", "16"))
"""Undisturbed random matches. With those that are disturbed and the command line's the whole stack plays five more."""
SETTLE_SECONDS: Final = 120.0


async def random_match(live: Stack, seed: int, moves: Moves) -> Played:
    """A random match of Red Vengeance to its end; `moves` is told of each."""
    return await play(live.address, live.token, "red_vengeance", bots=("random",), seed=seed, on_progress=moves.note)


async def part_of_a_match(live: Stack, seed: int, moves: Moves, count: int) -> str:
    """The first `count` moves of a random match; then the Axis resigns. Returns the match's id."""
    playing = asyncio.create_task(random_match(live, seed, moves))
    try:
        await moves.more(count, playing)
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    async with connect(live.address, live.token("axis-random")) as axis:
        await axis.resign(moves.match_id, "axis")
    return moves.match_id


async def require_sound(live: Stack, match_id: str, moves: Moves) -> bytes:
    """Export and verify a match, and hold it against what its bots were told. Returns its head. Raises AssertionError."""
    async with connect(live.address, live.token("judge", Role.ARBITER)) as judge:
        header, records = await judge.export(match_id)
    report = verify(match_id, records, header.head)
    assert report.ok, report.wrong
    require_each_move_once(records, moves)
    return header.head


async def require_equal_projections(live: Stack) -> None:
    """Redis comes to equal the fold of the log. Raises AssertionError with the differences after SETTLE_SECONDS."""
    found = ["never compared"]
    try:
        async with asyncio.timeout(SETTLE_SECONDS):
            while found:
                found = await _differences(live)
    except TimeoutError:
        raise AssertionError(f"Redis differs from the log: {found[:5]}") from None


async def require_rebuildable(live: Stack) -> None:
    """Redis written anew from the log equals the fold. Only while no projector runs."""
    assert "projector" not in live.running
    async with AsyncExitStack() as open_now:
        log, store, sealing = await _ends(live, open_now)
        assert await rebuild(log, store, sealing, range(PARTITIONS)) == []


async def _differences(live: Stack) -> list[str]:
    async with AsyncExitStack() as open_now:
        log, store, sealing = await _ends(live, open_now)
        try:
            return await differences(log, store, sealing, range(PARTITIONS))
        except (LogUnavailable, StoreUnavailable) as error:
            return [str(error)]


async def _ends(live: Stack, open_now: AsyncExitStack) -> tuple[KafkaLog, RedisStore, bytes]:
    log = await KafkaLog.open(live.kafka.bootstrap)
    open_now.push_async_callback(log.close)
    store = RedisStore(live.redis.url)
    open_now.push_async_callback(store.close)
    return log, store, keys.load(live.folder / "keys").sealing


def ended(played: Mapping[int, Played]) -> None:
    """Raises AssertionError unless every match was played to its end without a refusal."""
    assert all(match.winner for match in played.values())
    assert {seed: match.rejected for seed, match in played.items() if match.rejected} == {}
