"""Who may do what: the table is whole, and the running gateway holds to it."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from stavka.client.errors import Refused
from stavka.gateway import Role
from stavka.gateway.identity import Caller
from stavka.gateway.permissions import METHODS, Forbidden, held, seats_asked, viewer_asked, viewer_name
from stavka.gateway.server import SERVICES
from stavka.match.lobby import MatchState
from stavka.wire.gen.stavka.admin.v1 import admin_service_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .stand import Stand, told

ROLES = {
    "RulesService": "PSAD", "CreateMatch": "PAD", "ListMatches": "PSAD", "GetMatch": "PSAD", "TakeSeat": "P",
    "SubmitCommand": "P", "Resign": "P", "ListDecisions": "PA", "ListLegalActions": "PA", "Explain": "PSAD",
    "GetView": "PSAD", "ListHistory": "PSAD", "Watch": "PSAD", "AuditService": "PSAD", "GetStatus": "AD",
    "ListQuarantinedMatches": "AD", "RebuildProjection": "D",
}  # fmt: skip
LETTERS = {"P": Role.PLAYER, "S": Role.SPECTATOR, "A": Role.ARBITER, "D": Role.ADMINISTRATOR}
ALL = [(service, method) for service in SERVICES for method in service.methods]


def expected(service: str, method: str) -> set[Role]:
    return {LETTERS[letter] for letter in ROLES.get(method) or ROLES[service]}


def test_the_table_names_every_method_and_nothing_else() -> None:
    assert set(METHODS) == {f"{service.full_name}/{method.name}" for service, method in ALL}


async def test_every_role_at_every_method(live: Stand) -> None:
    for service, method in ALL:
        for role in Role:
            call: Any = live.channel.unary_unary if not method.server_streaming else live.channel.unary_stream
            metadata = live.client("somebody", role).metadata
            request = GetMessageClass(method.input_type)().SerializeToString()
            stub = call(f"/{service.full_name}/{method.name}", None, None)(request, metadata=metadata)
            reason = await reason_of(stub, method.server_streaming)
            allowed = role in expected(service.name, method.name)
            assert (reason != "ROLE_FORBIDDEN") == allowed, (method.name, role)


async def reason_of(call: Any, streaming: bool) -> str:
    try:
        await (call.read() if streaming else call)
    except grpc.aio.AioRpcError as error:
        return told(error).reason
    return ""


def table() -> MatchState:
    return MatchState(
        "07-X", seats=("north", "south", "east"), players={"north": "anna", "south": "bert", "east": "anna"},
        entropy={"north": "ab", "south": "cd"},
    )  # fmt: skip


ANNA = Caller("anna", Role.PLAYER)


def test_a_seat_is_held_by_who_sits_there() -> None:
    assert held(ANNA, table()) == ("north",)  # east is reserved for her, and she has not sat down
    assert held(Caller("carl", Role.PLAYER), table()) == ()
    assert held(Caller("anna", Role.SPECTATOR), table()) == ()
    assert held(Caller("anna", Role.ARBITER), table()) == ()
    assert held(Caller("anna", Role.PLAYER, "08-Y"), table()) == ()
    assert held(Caller("anna", Role.PLAYER, "07-X", "south"), table()) == ()
    assert held(Caller("anna", Role.PLAYER, "07-X", "north"), table()) == ("north",)


@pytest.mark.parametrize(
    ("caller", "asked", "eyes"),
    [
        (ANNA, "", "north"), (ANNA, "north", "north"), (ANNA, "spectator", "spectator"), (ANNA, "south", None),
        (ANNA, "arbiter", None), (ANNA, "east", None), (ANNA, "west", None),
        (Caller("carl", Role.PLAYER), "", "spectator"), (Caller("carl", Role.PLAYER), "north", None),
        (Caller("anna", Role.SPECTATOR), "", "spectator"), (Caller("anna", Role.SPECTATOR), "north", None),
        (Caller("anna", Role.ADMINISTRATOR), "", "spectator"), (Caller("anna", Role.ADMINISTRATOR), "arbiter", None),
        (Caller("zoe", Role.ARBITER), "", "arbiter"), (Caller("zoe", Role.ARBITER), "south", "south"),
        (Caller("zoe", Role.ARBITER), "spectator", "spectator"), (Caller("zoe", Role.ARBITER), "west", None),
    ],
)  # fmt: skip
def test_whose_eyes(caller: Caller, asked: str, eyes: str | None) -> None:
    if eyes is not None:
        assert viewer_name(viewer_asked(caller, table(), asked)) == eyes
        return
    with pytest.raises(Forbidden) as refusal:
        viewer_asked(caller, table(), asked)
    assert refusal.value.reason == "VIEWER_FORBIDDEN"


def test_who_holds_two_seats_names_one() -> None:
    both = table()
    both.entropy["east"] = "ef"
    with pytest.raises(Forbidden):
        viewer_asked(ANNA, both, "")
    assert viewer_name(viewer_asked(ANNA, both, "east")) == "east"
    assert seats_asked(ANNA, both, "") == ("north", "east")


def test_decisions_are_the_holders_and_the_arbiters() -> None:
    assert seats_asked(ANNA, table(), "") == ("north",)
    assert seats_asked(Caller("zoe", Role.ARBITER), table(), "") == ("north", "south", "east")
    for caller, seat in ((ANNA, "south"), (Caller("carl", Role.PLAYER), ""), (Caller("zoe", Role.ARBITER), "west")):
        with pytest.raises(Forbidden) as refusal:
            seats_asked(caller, table(), seat)
        assert refusal.value.reason == "NOT_YOUR_SEAT"


async def test_a_bound_token_takes_its_seat_and_no_other(live: Stand) -> None:
    match_id = await live.seated(seats=())
    bound = live.client("guest", match_id=match_id, seat="south")
    with pytest.raises(Exception, match="south"):
        await bound.take_seat(match_id, "north")
    await bound.take_seat(match_id, "south")
    with pytest.raises(Exception, match="one match"):
        await bound.create("skirmish", "plain")


async def test_a_token_bound_elsewhere_is_nobodys(live: Stand) -> None:
    match_id, elsewhere = await live.seated(spectator_delay=100), await live.seated()
    for player, role in (("zoe", Role.ARBITER), ("north", Role.PLAYER)):
        bound, free = live.client(player, role, match_id=elsewhere), live.client(player, role)
        versions = {}
        for client in (bound, free):
            listed = await client.ask(client.matches.ListMatches, pb.ListMatchesRequest())
            versions[client] = next(match.version for match in listed.matches if match.match_id == match_id)
        assert (versions[bound], versions[free]) == (0, 4)
    root = live.client("root", Role.ADMINISTRATOR, match_id=elsewhere)
    rebuild = admin_service_pb2.RebuildProjectionRequest
    assert (await root.ask(root.admin.RebuildProjection, rebuild(match_id=elsewhere))).version == 4
    for call, request in (
        (root.admin.RebuildProjection, rebuild(match_id=match_id)),
        (root.admin.GetStatus, admin_service_pb2.GetStatusRequest()),
        (root.admin.ListQuarantinedMatches, admin_service_pb2.ListQuarantinedMatchesRequest()),
    ):
        with pytest.raises(Refused, match="match") as refusal:
            await root.ask(call, request)
        assert refusal.value.reason == "TOKEN_BOUND"


async def test_an_arbiter_sees_everything_and_acts_for_nobody(live: Stand) -> None:
    match_id = await live.seated()
    arbiter = live.client("zoe", Role.ARBITER)
    choices = (await arbiter.legal(match_id)).choices
    assert {choice.decision.seat for choice in choices} == {"north", "south"}
    whole = await arbiter.view(match_id)
    assert whole.viewer == "arbiter"
    assert "deck" in whole.position.fields
    with pytest.raises(Exception, match="arbiter"):
        await arbiter.act(match_id, "north", choices[0].options[0])
