"""One caller's calls in progress are few, so that the others' are answered in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub
from stavka.client import Client
from stavka.client.errors import TooMuch, is_transient
from stavka.gateway import Limits, Role
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .error_rows import raw, refused, submit
from .stand import Stand, eventually, stand

LIMIT = Limits().calls_at_once


@asynccontextmanager
async def busy(live: Stand, match_id: str, count: int) -> AsyncIterator[list[asyncio.Future[Any]]]:
    """North has so many calls in progress: commands that are lost on their way to the referee."""
    live.bus.fault = "lost"
    before = len(live.bus.sent)
    calls = [asyncio.ensure_future(submit(live, match_id, command_id=f"w{number}")) for number in range(count)]
    await eventually(lambda: len(live.bus.sent) == before + count)
    try:
        yield calls
    finally:
        live.bus.fault = ""
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)


def look(live: Stand, match_id: str, player: str = "north") -> Any:
    return raw(live, "GetMatch", pb.GetMatchRequest(match_id=match_id), player)


async def test_the_ninth_call_is_refused_and_says_when_to_come_back(live: Stand) -> None:
    assert LIMIT == 8
    match_id = await live.seated()
    async with busy(live, match_id, LIMIT - 1):
        await look(live, match_id)
    async with busy(live, match_id, LIMIT):
        found = await refused(look(live, match_id))
    assert (found.code, found.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
    assert found.retry_seconds > 0


async def test_nobody_else_is_touched_and_streams_are_counted_apart(live: Stand) -> None:
    match_id = await live.seated()
    async with busy(live, match_id, LIMIT):
        await look(live, match_id, "south")
        client = live.client("north", Role.SPECTATOR)
        await client.matches.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=client.metadata)
        stream = raw(live, "Watch", pb.WatchRequest(match_id=match_id))
        assert (await stream.read()).HasField("heartbeat")
        stream.cancel()


async def test_who_asks_much_at_once_does_not_hold_up_others(live: Stand) -> None:
    """His questions wait for their turn together; somebody else's comes in between."""
    match_id = (await live.client("axis").create("red_vengeance", "campaign")).match_id
    for seat in ("axis", "allied"):
        await live.client(seat).take_seat(match_id, seat)
    account = live.server.meter._accounts["axis", Role.PLAYER.value]
    request = pb.GetViewRequest(match_id=match_id, formats=[pb.VIEW_FORMAT_SVG, pb.VIEW_FORMAT_TEXT])
    async with account.turn:
        asked = [asyncio.ensure_future(raw(live, "GetView", request, "axis")) for _ in range(60)]
        await eventually(lambda: sum(call.done() for call in asked) == 60 - LIMIT)
    await look(live, match_id, "allied")
    assert not all(call.done() for call in asked)
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(not isinstance(answer, Exception) for answer in answers) == LIMIT


async def test_who_has_no_token_cannot_hold_every_call_open() -> None:
    async with stand(limits=Limits(anonymous_streams=3)) as live:
        watches = [HealthStub(live.channel).Watch(HealthCheckRequest()) for _ in range(3)]
        for watch in watches:
            assert (await watch.read()).status == HealthCheckResponse.SERVING
        asked = ServerReflectionRequest(list_services="*")
        for crowded in (
            HealthStub(live.channel).Watch(HealthCheckRequest()).read(),
            ServerReflectionStub(live.channel).ServerReflectionInfo(iter([asked])).read(),
        ):
            found = await refused(crowded)
            assert (found.code, found.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
        await live.client("north").create("skirmish", "plain")
        watches[0].cancel()
        await eventually(lambda: live.server.anonymous.open == 2)
        listed = await ServerReflectionStub(live.channel).ServerReflectionInfo(iter([asked])).read()
        assert len(listed.list_services_response.service) == 6


async def test_a_second_connection_and_a_second_token_give_no_more(live: Stand) -> None:
    match_id = await live.seated()
    async with busy(live, match_id, LIMIT), grpc.aio.insecure_channel(f"127.0.0.1:{live.server.port}") as channel:
        client = Client(channel, live.token("north", seconds=99))
        call = client.matches.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=client.metadata)
        assert (await refused(call)).reason == "TOO_MANY_CALLS"


async def test_a_cancelled_call_gives_its_place_back(live: Stand) -> None:
    match_id = await live.seated()
    async with busy(live, match_id, LIMIT) as calls:
        calls[0].cancel()
        assert (await live.client("north").match(match_id)).match_id == match_id  # asks again until there is room


async def test_a_call_whose_time_is_over_gives_its_place_back(live: Stand) -> None:
    match_id = await live.seated()
    async with busy(live, match_id, LIMIT - 1):
        request = pb.ResignRequest(match_id=match_id, seat="north", command_id="late")
        assert (await refused(raw(live, "Resign", request, timeout=0.6))).reason == "OUTCOME_UNKNOWN"
        await live.client("north").match(match_id)


async def test_refused_calls_give_their_places_back(live: Stand) -> None:
    match_id = await live.seated()
    for _ in range(LIMIT + 1):
        assert (await refused(raw(live, "GetView", pb.GetViewRequest(match_id=match_id, version=99)))).reason == (
            "VERSION_NOT_YET"
        )
        assert (await refused(submit(live, match_id, command="Fly"))).reason == "UNKNOWN_COMMAND"
    await look(live, match_id)


async def test_calls_given_up_while_they_wait_for_their_turn_leave_nothing_behind(live: Stand) -> None:
    match_id = await live.seated()
    request = pb.GetViewRequest(match_id=match_id, formats=[pb.VIEW_FORMAT_TEXT])
    for _ in range(5):
        asked = [asyncio.ensure_future(raw(live, "GetView", request)) for _ in range(30)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        for call in asked:
            call.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    await live.client("north").match(match_id)
    account = live.server.meter._accounts["north", Role.PLAYER.value]
    await eventually(lambda: account.calls == 0 and not account.turn.locked())


async def test_the_client_library_waits_and_goes_on() -> None:
    async with stand(limits=Limits(calls_at_once=2)) as live:
        match_id = await live.seated()
        async with busy(live, match_id, 2):
            with pytest.raises(TooMuch) as caught:
                await live.client("north").ask(live.client("north").matches.GetMatch, pb.GetMatchRequest())
        assert is_transient(caught.value)
        found = await asyncio.gather(*(live.client("north").match(match_id) for _ in range(12)))
        assert len(found) == 12
