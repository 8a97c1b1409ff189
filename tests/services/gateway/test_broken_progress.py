"""A match whose automatic progress breaks is in quarantine for everybody who asks, and only that match."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace

import grpc
import pytest
import structlog
from stavka.client.errors import Refused
from stavka.gateway import Role
from stavka.kernel.dice import Roll
from stavka.wire.gen.stavka.admin.v1 import admin_service_pb2
from stavka.wire.gen.stavka.match.v1 import match_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from tests.support.runtime import installed
from tests.support.skirmish import FIGHT, Table, game
from tests.support.skirmish import react as skirmish_react

from .error_rows import raw, refused, submit
from .stand import Stand, eventually, stand


def react(state: Table, roll: Roll) -> Sequence[object]:
    if state.round == 1 and state.frames[-1] == FIGHT:
        raise ZeroDivisionError("a secret of the rules")
    return skirmish_react(state, roll)


@pytest.fixture(autouse=True)
def skirmish() -> Iterator[None]:
    with installed(replace(game(), react=react)):
        yield


@pytest.fixture
async def live() -> AsyncIterator[Stand]:
    async with stand() as running:
        yield running


async def broken(live: Stand) -> str:
    match_id = await live.seated()
    for seat in ("north", "south"):
        option = (await live.client(seat).legal(match_id, seat)).choices[0].options[0]
        await live.client(seat).act(match_id, seat, option)
    await eventually(lambda: bool(live.follower.book.fold_of(match_id).trouble))
    return match_id


async def test_status_and_lists_say_so(live: Stand) -> None:
    whole, sick = await live.seated(), await broken(live)
    client, admin = live.client("north"), live.client("root", Role.ADMINISTRATOR)
    assert (await client.match(sick)).status == match_pb2.MATCH_STATUS_QUARANTINED
    assert (await client.match(whole)).status == match_pb2.MATCH_STATUS_PLAYING
    for status, found in ((match_pb2.MATCH_STATUS_QUARANTINED, sick), (match_pb2.MATCH_STATUS_PLAYING, whole)):
        listed = await raw(live, "ListMatches", pb.ListMatchesRequest(status=status))
        assert [match.match_id for match in listed.matches] == [found]
    request = admin_service_pb2.ListQuarantinedMatchesRequest()
    matches = (await admin.ask(admin.admin.ListQuarantinedMatches, request)).matches
    assert [match.match_id for match in matches] == [sick]
    assert "automatic progress broke (ZeroDivisionError)" in matches[0].reason
    assert "secret" not in matches[0].reason


async def test_nothing_can_be_decided_and_nothing_is_offered(live: Stand) -> None:
    match_id = await broken(live)
    for method, request in (
        ("ListDecisions", pb.ListDecisionsRequest(match_id=match_id)),
        ("ListLegalActions", pb.ListLegalActionsRequest(match_id=match_id)),
        ("GetView", pb.GetViewRequest(match_id=match_id)),
    ):
        found = await refused(raw(live, method, request))
        assert (found.code, found.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "QUARANTINED")
        assert "secret" not in found.message
    assert (await refused(submit(live, match_id, command_id="late"))).reason == "QUARANTINED"


async def test_the_history_stays_readable(live: Stand) -> None:
    match_id = await broken(live)
    client = live.client("zoe", Role.ARBITER)
    assert [record.version async for record in client.history(match_id)] == [1, 2, 3, 4, 5, 6]
    _, records = await client.export(match_id)
    assert len(records) == 6


async def test_a_watch_gets_its_typed_end_at_once(live: Stand) -> None:
    match_id = await live.seated()
    watch = raw(live, "Watch", pb.WatchRequest(match_id=match_id, from_version=4))
    assert (await watch.read()).HasField("heartbeat")
    for seat in ("north", "south"):
        option = (await live.client(seat).legal(match_id, seat)).choices[0].options[0]
        await live.client(seat).act(match_id, seat, option)
    rest: list[pb.WatchResponse] = []
    while (message := await watch.read()) is not grpc.aio.EOF:
        rest.append(message)
    assert rest[-1].end.reason == pb.WATCH_END_REASON_QUARANTINED
    assert not any(message.HasField("heartbeat") for message in rest)
    with pytest.raises(Refused, match="quarantine"):
        _ = [record async for record in live.client("north").watch(match_id, after=6)]


async def test_the_server_keeps_a_dump(live: Stand) -> None:
    with structlog.testing.capture_logs() as entries:
        match_id = await broken(live)
    (dump,) = [entry for entry in entries if entry["event"] == "match in quarantine"]
    assert (dump["match_id"], dump["version"], dump["log_level"]) == (match_id, 6, "error")
    assert '"game":"skirmish"' in dump["dump"]
    assert dump["incident"] in live.follower.book.fold_of(match_id).stuck
