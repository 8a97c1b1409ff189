"""A gateway as in a stack: envelopes from the log, reads from a real Redis that a projector fills."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace

import grpc
import pytest
from stavka.client import Client
from stavka.gateway import GatewayServer, Identity, Role
from stavka.kernel.dice import Roll
from stavka.match.follower import Follower
from stavka.match.ports import PARTITIONS
from stavka.projector import serve
from stavka.views.reader import MatchReader
from stavka.views.redis import RedisStore
from stavka.wire.gen.stavka.admin.v1 import admin_service_pb2
from stavka.wire.gen.stavka.match.v1 import match_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from tests.support.brokers import RedisServer, redis_server
from tests.support.runtime import SystemEntropy
from tests.support.skirmish import FIGHT, Table, game
from tests.support.skirmish import react as skirmish_react

from .error_rows import refused
from .stand import SECRET, Stand, swapped


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@dataclass
class Stack:
    live: Stand
    store: RedisStore
    channel: grpc.aio.Channel

    def client(self, player: str, role: Role = Role.PLAYER) -> Client:
        return Client(self.channel, self.live.token(player, role))


@pytest.fixture
async def stack(live: Stand, redis: RedisServer) -> AsyncIterator[Stack]:
    store = RedisStore(redis.url)
    projecting = asyncio.create_task(serve(live.log, store, live.keyring.sealing, range(PARTITIONS)))
    follower = Follower(live.log, None)
    server = GatewayServer(
        follower, live.bus, MatchReader(store, live.keyring.sealing), live.keyring, Identity(SECRET),
        clock=live.clock, entropy=SystemEntropy(), rebuild=store.rebuild,
    )  # fmt: skip
    await server.start()
    await server.ready()
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}")
    try:
        yield Stack(live, store, channel)
    finally:
        await channel.close(None)
        await server.stop()
        projecting.cancel()
        await asyncio.gather(projecting, return_exceptions=True)
        await follower.close()
        await store.close()


async def test_a_match_is_played_read_and_watched(stack: Stack) -> None:
    match_id = (await stack.client("anna").create("skirmish", "plain")).match_id
    for seat in ("north", "south"):
        await stack.client(seat).take_seat(match_id, seat)
    await stack.live.until(match_id, 4)
    seen: list[int] = []

    async def watch() -> None:
        async for record in stack.client("watcher", Role.SPECTATOR).watch(match_id):
            seen.append(record.version)

    watching = asyncio.ensure_future(watch())
    for played in range(1, 4):
        for seat in ("north", "south"):
            legal = await stack.client(seat).legal(match_id, seat)
            done = await stack.client(seat).act(match_id, seat, legal.choices[0].options[0])
            assert (await stack.client(seat).match(match_id)).version >= done.version
        await stack.live.until(match_id, 4 + 3 * played)
    await asyncio.wait_for(watching, 30)
    assert seen == list(range(1, 14))
    here = await stack.client("north").view(match_id)
    there = await stack.live.client("north").view(match_id)
    assert here == there


async def test_a_projection_is_made_anew_from_the_log(stack: Stack) -> None:
    match_id = await stack.live.seated()
    before = await stack.client("north").view(match_id)
    root = stack.client("root", Role.ADMINISTRATOR)
    rebuilt = await root.ask(
        root.admin.RebuildProjection, admin_service_pb2.RebuildProjectionRequest(match_id=match_id)
    )
    assert rebuilt.version == 4
    assert await stack.client("north").view(match_id) == before


async def test_progress_that_breaks_shows_at_a_gateway_that_judges_nothing(stack: Stack) -> None:
    def react(state: Table, roll: Roll) -> Sequence[object]:
        if state.frames[-1] == FIGHT:
            raise ZeroDivisionError("a bug of the rules")
        return skirmish_react(state, roll)

    client, admin = stack.client("north"), stack.client("root", Role.ADMINISTRATOR)
    with swapped(replace(game(), react=react)):
        match_id = await stack.live.seated()
        for seat in ("north", "south"):
            legal = await stack.client(seat).legal(match_id, seat)
            await stack.client(seat).act(match_id, seat, legal.choices[0].options[0])
        async with asyncio.timeout(10):
            while (await client.match(match_id)).status != match_pb2.MATCH_STATUS_QUARANTINED:
                await asyncio.sleep(0.02)
        found = await refused(client.matches.ListDecisions(
            pb.ListDecisionsRequest(match_id=match_id), metadata=client.metadata
        ))  # fmt: skip
        assert found.reason == "QUARANTINED"
        listed = await admin.ask(admin.admin.ListQuarantinedMatches, admin_service_pb2.ListQuarantinedMatchesRequest())
        assert [match.match_id for match in listed.matches] == [match_id]
        shown = await client.ask(client.matches.ListMatches, pb.ListMatchesRequest())
        assert [match.status for match in shown.matches] == [match_pb2.MATCH_STATUS_QUARANTINED]
