"""How every row of docs/how-to/errors.md is brought about: `case` keeps each in CASES."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from stavka.gateway import Limits, Role
from stavka.kernel.game import ScenarioInfo
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from tests.support.skirmish import SIDES, game

from .stand import FailingLog, Stand, Told, quarantine, swapped, told

Case = Callable[[Stand], Awaitable[object]]
CASES: dict[tuple[str, str], tuple[Limits | None, Case]] = {}
FOREIGN = "07-01J000000000000000000000AB"


def case(code: str, reason: str, limits: Limits | None = None) -> Callable[[Case], Case]:
    def keep(function: Case) -> Case:
        assert (code, reason) not in CASES
        CASES[code, reason] = (limits, function)
        return function

    return keep


async def refused(call: Awaitable[object]) -> Told:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return told(caught.value)


def raw(live: Stand, method: str, request: Any, player: str = "north", **more: Any) -> Any:
    client = live.client(player)
    return getattr(client.matches, method)(request, metadata=more.pop("metadata", client.metadata), **more)


async def submit(live: Stand, match_id: str, seat: str = "north", **fields: Any) -> Any:
    request = pb.SubmitCommandRequest(
        match_id=match_id, seat=seat, command_id=fields.pop("command_id", "c1"),
        command=fields.pop("command", "ChooseCard"), **{k: v for k, v in fields.items() if k != "arguments"},
    )  # fmt: skip
    request.arguments.update(fields.get("arguments", {"card": 1, "side": seat}))
    return await raw(live, "SubmitCommand", request, seat)


async def create(live: Stand, **fields: Any) -> Any:
    request = pb.CreateMatchRequest(**{"command_id": "c1", "game": "skirmish", "scenario": "plain", **fields})
    return await raw(live, "CreateMatch", request)


@case("UNAUTHENTICATED", "NO_TOKEN")
async def no_token(live: Stand) -> None:
    await raw(live, "ListMatches", pb.ListMatchesRequest(), metadata=())


@case("UNAUTHENTICATED", "BAD_TOKEN")
async def bad_token(live: Stand) -> None:
    await raw(live, "ListMatches", pb.ListMatchesRequest(), metadata=(("authorization", "Bearer a.b.c"),))


@case("UNAUTHENTICATED", "TOKEN_EXPIRED")
async def expired_token(live: Stand) -> None:
    metadata = (("authorization", f"Bearer {live.token('north', seconds=-1)}"),)
    await raw(live, "ListMatches", pb.ListMatchesRequest(), metadata=metadata)


@case("PERMISSION_DENIED", "ROLE_FORBIDDEN")
async def wrong_role(live: Stand) -> None:
    client = live.client("watcher", Role.SPECTATOR)
    await client.matches.TakeSeat(pb.TakeSeatRequest(match_id=FOREIGN), metadata=client.metadata)


@case("PERMISSION_DENIED", "TOKEN_BOUND")
async def bound_token(live: Stand) -> None:
    match_id = await live.seated(seats=())
    client = live.client("north", match_id=FOREIGN)
    await client.matches.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=client.metadata)


@case("PERMISSION_DENIED", "NOT_YOUR_SEAT")
async def foreign_seat(live: Stand) -> None:
    request = pb.SubmitCommandRequest(match_id=await live.seated(), seat="south", command_id="c1", command="ChooseCard")
    await raw(live, "SubmitCommand", request, "north")


@case("PERMISSION_DENIED", "SEAT_RESERVED")
async def reserved_seat(live: Stand) -> None:
    match_id = await live.seated(seats=(), players={"north": "somebody"})
    await raw(live, "TakeSeat", pb.TakeSeatRequest(match_id=match_id, seat="north", command_id="c1"))


@case("PERMISSION_DENIED", "VIEWER_FORBIDDEN")
async def foreign_eyes(live: Stand) -> None:
    await raw(live, "GetView", pb.GetViewRequest(match_id=await live.seated(), viewer="south"))


@case("PERMISSION_DENIED", "MATCH_RUNNING")
async def running_match(live: Stand) -> None:
    client = live.client("north")
    request = audit_service_pb2.ExportMatchRequest(match_id=await live.seated())
    await client.audit.ExportMatch(request, metadata=client.metadata).read()


@case("NOT_FOUND", "UNKNOWN_MATCH")
async def unknown_match(live: Stand) -> None:
    await raw(live, "GetMatch", pb.GetMatchRequest(match_id=FOREIGN))


@case("NOT_FOUND", "UNKNOWN_GAME")
async def unknown_game(live: Stand) -> None:
    await create(live, game="chess")


@case("OUT_OF_RANGE", "VERSION_NOT_YET")
async def version_not_yet(live: Stand) -> None:
    await raw(live, "GetView", pb.GetViewRequest(match_id=await live.seated(), version=99))


@case("INVALID_ARGUMENT", "NOT_A_MESSAGE")
async def garbage(live: Stand) -> None:
    call: Any = live.channel.unary_unary("/stavka.match.v1.MatchService/GetMatch", None, None)
    await call(b"\xff\xff\xff", metadata=live.client("north").metadata)


@case("INVALID_ARGUMENT", "BAD_COMMAND_ID")
async def bad_command_id(live: Stand) -> None:
    await submit(live, await live.seated(), command_id="with blanks")


@case("INVALID_ARGUMENT", "UNKNOWN_COMMAND")
async def unknown_command(live: Stand) -> None:
    await submit(live, await live.seated(), command="FlyToTheMoon")


@case("INVALID_ARGUMENT", "UNKNOWN_FIELD")
async def unknown_field(live: Stand) -> None:
    await submit(live, await live.seated(), arguments={"card": 1, "side": "north", "speed": 3})


@case("INVALID_ARGUMENT", "BAD_ARGUMENT")
async def bad_argument(live: Stand) -> None:
    await submit(live, await live.seated(), arguments={"card": "one", "side": "north"})


@case("INVALID_ARGUMENT", "COMMAND_TOO_LARGE", Limits(message_bytes=900_000))
async def large_command(live: Stand) -> None:
    await submit(live, await live.seated(), arguments={"card": 1, "side": "n" * 300_000})


@case("INVALID_ARGUMENT", "UNKNOWN_SEAT")
async def unknown_seat(live: Stand) -> None:
    match_id = await live.seated(seats=())
    await raw(live, "TakeSeat", pb.TakeSeatRequest(match_id=match_id, seat="east", command_id="c1"))


@case("INVALID_ARGUMENT", "UNKNOWN_SCENARIO")
async def unknown_scenario(live: Stand) -> None:
    await create(live, scenario="hilly")


@case("INVALID_ARGUMENT", "UNKNOWN_OPTION")
async def unknown_option(live: Stand) -> None:
    await create(live, options={"rain": "on"})


@case("INVALID_ARGUMENT", "BAD_OPTION")
async def bad_option(live: Stand) -> None:
    await create(live, options={"fog": "thick"})


@case("INVALID_ARGUMENT", "BAD_POSITION")
async def bad_position(live: Stand) -> None:
    await create(live, analysis=True, position="nonsense")


@case("INVALID_ARGUMENT", "BAD_ENTROPY")
async def bad_entropy(live: Stand) -> None:
    match_id = await live.seated(seats=())
    await raw(live, "TakeSeat", pb.TakeSeatRequest(match_id=match_id, seat="north", command_id="c1", entropy="xyz"))


@case("INVALID_ARGUMENT", "UNKNOWN_QUESTION")
async def unknown_question(live: Stand) -> None:
    await raw(live, "Explain", pb.ExplainRequest(match_id=await live.seated(), question="why"))


@case("INVALID_ARGUMENT", "UNKNOWN_FORMAT")
async def unknown_format(live: Stand) -> None:
    await raw(live, "GetView", pb.GetViewRequest(match_id=await live.seated(), formats=[99]))


@case("INVALID_ARGUMENT", "UNKNOWN_STATUS")
async def unknown_status(live: Stand) -> None:
    await raw(live, "ListMatches", pb.ListMatchesRequest(status=99))


@case("INVALID_ARGUMENT", "BAD_PAGE_SIZE")
async def bad_page_size(live: Stand) -> None:
    await raw(live, "ListMatches", pb.ListMatchesRequest(page_size=201))


@case("INVALID_ARGUMENT", "BAD_PAGE_TOKEN")
async def bad_page_token(live: Stand) -> None:
    await raw(live, "ListMatches", pb.ListMatchesRequest(page_token="next"))


@case("FAILED_PRECONDITION", "SEATS_FREE")
async def seats_free(live: Stand) -> None:
    await submit(live, await live.seated(seats=("north",)))


@case("FAILED_PRECONDITION", "SEAT_TAKEN")
async def seat_taken(live: Stand) -> None:
    match_id = await live.seated(seats=("north",))
    await raw(live, "TakeSeat", pb.TakeSeatRequest(match_id=match_id, seat="north", command_id="c1"), "another")


@case("FAILED_PRECONDITION", "RESIGNED")
async def resigned_twice(live: Stand) -> None:
    third = ScenarioInfo("plain", "Plain", (*SIDES, "east"), 3)
    with swapped(replace(game(), scenarios={"plain": third})):
        match_id = await live.seated(seats=("north",))
        await live.client("north").resign(match_id, "north")
        await raw(live, "Resign", pb.ResignRequest(match_id=match_id, seat="north", command_id="c2"))


@case("FAILED_PRECONDITION", "ANALYSIS_ONLY")
async def analysis_only(live: Stand) -> None:
    await create(live, script=[6, 6])


@case("FAILED_PRECONDITION", "MATCH_ENDED")
async def match_ended(live: Stand) -> None:
    match_id = await live.seated()
    await live.client("north").resign(match_id, "north")
    await submit(live, match_id, "south")


@case("FAILED_PRECONDITION", "QUARANTINED")
async def quarantined(live: Stand) -> None:
    match_id = await live.seated()
    await quarantine(live, match_id)
    assert (await refused(submit(live, match_id))).reason == "QUARANTINED"
    await raw(live, "GetView", pb.GetViewRequest(match_id=match_id))


@case("FAILED_PRECONDITION", "UNKNOWN_KEY")
async def key_gone(live: Stand) -> None:
    match_id = await live.seated()
    client = live.client("north")
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(live.keyring.signers, live.keyring.current)
        request = audit_service_pb2.GetCheckpointRequest(match_id=match_id)
        await client.audit.GetCheckpoint(request, metadata=client.metadata)


@case("ABORTED", "STALE_VERSION")
async def stale_version(live: Stand) -> None:
    await submit(live, await live.seated(), expected_version=2)


@case("ABORTED", "DECISION_CLOSED")
async def decision_closed(live: Stand) -> None:
    match_id = await live.seated()
    legal = pb.ListLegalActionsRequest(match_id=match_id, decision_id="r9.choose.north")
    assert (await refused(raw(live, "ListLegalActions", legal))).reason == "DECISION_CLOSED"
    await submit(live, match_id, decision_id="r9.choose.north")


@case("RESOURCE_EXHAUSTED", "RATE_LIMIT", Limits(calls_a_second=0.5, burst=3))
async def rate_limit(live: Stand) -> None:
    for _ in range(4):
        await raw(live, "ListMatches", pb.ListMatchesRequest())


@case("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS", Limits(calls_at_once=1))
async def too_many_calls(live: Stand) -> None:
    await one_more_than_may_wait(live)


@case("RESOURCE_EXHAUSTED", "OPEN_COMMANDS", Limits(open_commands=1))
async def open_commands(live: Stand) -> None:
    await one_more_than_may_wait(live)


@case("RESOURCE_EXHAUSTED", "OVERLOADED", Limits(all_open_commands=1))
async def overloaded(live: Stand) -> None:
    await one_more_than_may_wait(live)


async def one_more_than_may_wait(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "lost"
    live.bus.arrived.clear()
    first = asyncio.ensure_future(submit(live, match_id))
    await asyncio.wait_for(live.bus.arrived.wait(), 10)
    try:
        await submit(live, match_id, command_id="c2")
    finally:
        first.cancel()


@case("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS", Limits(streams=1))
async def too_many_streams(live: Stand) -> None:
    match_id = await live.seated()
    first = raw(live, "Watch", pb.WatchRequest(match_id=match_id))
    assert (await first.read()).HasField("heartbeat")
    await raw(live, "Watch", pb.WatchRequest(match_id=match_id)).read()


@case("RESOURCE_EXHAUSTED", "STREAM_TOO_OLD", Limits(anonymous_seconds=0.2))
async def old_stream(live: Stand) -> None:
    watch = HealthStub(live.channel).Watch(HealthCheckRequest())
    assert (await watch.read()).status == HealthCheckResponse.SERVING
    await watch.read()


@case("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE")
async def large_message(live: Stand) -> None:
    await create(live, position="x" * 300_000)


@case("DEADLINE_EXCEEDED", "OUTCOME_UNKNOWN")
async def deadline(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "lost"
    request = pb.ResignRequest(match_id=match_id, seat="north", command_id="c9")
    await raw(live, "Resign", request, timeout=0.6)


@case("UNAVAILABLE", "OUTCOME_UNKNOWN")
async def bus_away(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "away"
    await submit(live, match_id)


@case("UNAVAILABLE", "LOG_AWAY")
async def log_away(live: Stand) -> None:
    assert isinstance(live.log, FailingLog)
    live.log.away = True
    await raw(live, "GetMatch", pb.GetMatchRequest(match_id=FOREIGN))


@case("UNAVAILABLE", "STORE_AWAY")
async def store_away(live: Stand) -> None:
    assert isinstance(live.log, FailingLog)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stavka.views.embedded.RECENT_BYTES", 0)
        match_id = await live.seated()
    live.log.away = True
    await raw(live, "ListHistory", pb.ListHistoryRequest(match_id=match_id)).read()


@case("INTERNAL", "INTERNAL")
async def our_mistake(live: Stand) -> None:
    match_id = await live.seated()

    def broken(*_: object) -> dict[str, object]:
        raise RuntimeError("the secret is in this text")

    with swapped(replace(game(), explain=broken)):
        await raw(live, "Explain", pb.ExplainRequest(match_id=match_id, question="round"))
