"""Two more gateways on the same log, folding envelopes only, as in a stack: any of them gives the same answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import grpc
import pytest
from stavka.client import Client, IllegalMove, NotFound
from stavka.gateway import GatewayServer, Identity, Limits
from stavka.match.follower import Follower
from stavka.wire.gen.stavka.match.v1 import match_pb2

from tests.support.runtime import SystemEntropy

from .stand import SECRET, Stand, stand


@asynccontextmanager
async def gateway(live: Stand) -> AsyncIterator[grpc.aio.Channel]:
    follower = Follower(live.log, None)
    server = GatewayServer(
        follower, live.bus, live.reader, live.keyring, Identity(SECRET), clock=live.clock, entropy=SystemEntropy()
    )
    await server.start()
    await server.ready()
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}")
    try:
        yield channel
    finally:
        await channel.close(None)
        await server.stop()
        await follower.close()


@pytest.fixture
async def pair(live: Stand) -> AsyncIterator[tuple[Stand, grpc.aio.Channel, grpc.aio.Channel]]:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(gateway(live))
        yield live, first, await stack.enter_async_context(gateway(live))


Pair = tuple[Stand, grpc.aio.Channel, grpc.aio.Channel]


async def test_what_was_done_at_one_is_known_at_the_other_at_once(pair: Pair) -> None:
    live, first, second = pair
    here, there = Client(first, live.token("anna")), Client(second, live.token("anna"))
    for _ in range(10):
        match_id = (await here.create("skirmish", "plain")).match_id
        assert (await there.match(match_id)).status == match_pb2.MATCH_STATUS_OPEN
        await here.take_seat(match_id, "north")
        assert (await there.decisions(match_id, "north")).version == 2
        await there.take_seat(match_id, "south")
        await live.until(match_id, 4)
        for seat in ("north", "south"):
            option = (await here.legal(match_id, seat)).choices[0].options[0]
            done = await there.act(match_id, seat, option)
            assert (await here.match(match_id)).version >= done.version


async def test_a_retry_at_another_gateway_gets_the_first_answer(pair: Pair) -> None:
    live, first, second = pair
    here, there = Client(first, live.token("north")), Client(second, live.token("north"))
    match_id = await live.seated()
    option = (await here.legal(match_id)).choices[0].options[0]
    with pytest.raises(IllegalMove):
        await here.submit(match_id, "north", "ChooseCard", {"card": 9, "side": "north"}, command_id="c1")
    with pytest.raises(IllegalMove) as refusal:
        await there.act(match_id, "north", option, command_id="c1")
    assert refusal.value.reason == "NOT_IN_HAND"
    one, other = await asyncio.gather(
        here.act(match_id, "north", option, command_id="c2"), there.act(match_id, "north", option, command_id="c2")
    )
    # Whichever gateway hears of it second answers a retry, which names the version but no head of the log.
    assert (one.version, other.version) == (5, 5)
    assert live.follower.book.fold_of(match_id).version == 5


async def test_an_unknown_match_is_unknown_everywhere(pair: Pair) -> None:
    live, first, _ = pair
    for match_id in ("07-01J000000000000000000000AB", "99-01J000000000000000000000AB", "nonsense", ""):
        with pytest.raises(NotFound):
            await Client(first, live.token("anna")).match(match_id)


async def test_a_client_keeps_to_its_rate_and_gets_through() -> None:
    async with stand(limits=Limits(calls_a_second=50, burst=2)) as live:
        client = live.client("anna")
        match_id = (await client.create("skirmish", "plain")).match_id
        assert len([await client.match(match_id) for _ in range(10)]) == 10
