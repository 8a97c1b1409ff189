"""One command, one outcome: retries, duplicates, lost and doubled messages, unknown outcomes."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from stavka.client import IllegalMove, OutcomeUnknown, Stale, to_plain, to_struct
from stavka.client.errors import from_rpc
from stavka.gateway.desk import MATCH_ID, new_match_id
from stavka.match.ports import PARTITIONS
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .stand import Stand


async def choose(live: Stand, match_id: str, seat: str, command_id: str, card: int | None = None, **more: Any) -> Any:
    """One try of ChooseCard, without the client's own retries."""
    client = live.client(seat)
    if card is None:
        card = await a_card(live, match_id, seat)
    request = pb.SubmitCommandRequest(
        match_id=match_id, seat=seat, command_id=command_id, command="ChooseCard",
        arguments=to_struct({"card": card, "side": seat}),
    )  # fmt: skip
    return await client.ask(client.matches.SubmitCommand, request, **more)


async def a_card(live: Stand, match_id: str, seat: str) -> int:
    option = (await live.client(seat).legal(match_id, seat)).choices[0].options[0]
    return int(to_plain(option.arguments)["card"])


async def test_a_retry_gets_the_first_acceptance_and_causes_nothing(live: Stand) -> None:
    match_id = await live.seated()
    first = await choose(live, match_id, "north", "c1")
    sent = len(live.bus.sent)
    second = await choose(live, match_id, "north", "c1", card=99)  # whatever its other fields say
    assert (first.version, second.version) == (5, 5)
    assert (first.head, second.head) == (live.follower.book.fold_of(match_id).head, b"")
    assert len(live.bus.sent) == sent
    assert live.follower.book.fold_of(match_id).version == 5


async def test_a_retry_after_the_match_moved_on_still_names_the_first_version(live: Stand) -> None:
    match_id = await live.seated()
    await choose(live, match_id, "north", "c1")
    await choose(live, match_id, "south", "c1")  # ids are a player's own
    await live.until(match_id, 7)
    again = await choose(live, match_id, "north", "c1", card=1)
    assert (again.version, again.head) == (5, b"")


async def test_a_refusal_is_durable_under_its_id(live: Stand) -> None:
    match_id = await live.seated()
    for card in (99, await a_card(live, match_id, "north")):
        with pytest.raises(IllegalMove) as refusal:
            await choose(live, match_id, "north", "c1", card=card)
        assert (refusal.value.reason, refusal.value.rule) == ("NOT_IN_HAND", "SK 1.3")
    assert (await choose(live, match_id, "north", "c2")).version == 5


async def test_what_the_gateway_itself_refuses_is_not_remembered(live: Stand) -> None:
    match_id = await live.seated()
    client = live.client("north")
    with pytest.raises(Exception, match="speed"):
        await client.submit(match_id, "north", "ChooseCard", {"speed": 1}, command_id="c1")
    assert (await choose(live, match_id, "north", "c1")).version == 5


async def test_the_same_command_at_once_from_many_connections_happens_once(live: Stand) -> None:
    match_id = await live.seated()
    card = await a_card(live, match_id, "north")
    answers = await asyncio.gather(*(choose(live, match_id, "north", "c1", card) for _ in range(20)))
    assert {answer.version for answer in answers} == {5}
    assert live.follower.book.fold_of(match_id).version == 5


async def test_a_command_that_the_bus_doubles_happens_once(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "doubled"
    assert (await choose(live, match_id, "north", "c1")).version == 5
    assert (await choose(live, match_id, "south", "c1")).version == 6
    await live.until(match_id, 7)
    assert live.follower.book.fold_of(match_id).version == 7


async def test_a_lost_command_is_unknown_and_the_retry_is_accepted(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "lost"
    with pytest.raises(OutcomeUnknown) as unknown:
        await choose(live, match_id, "north", "c1", seconds=0.5)
    assert unknown.value.details["command_id"] == "c1"
    live.bus.fault = ""
    assert (await choose(live, match_id, "north", "c1")).version == 5


async def test_an_outcome_that_came_after_the_deadline_is_there_for_the_retry(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "lost"
    with pytest.raises(OutcomeUnknown):
        await choose(live, match_id, "north", "c1", seconds=0.5)
    await live.bus.inner.send("cards", int(match_id[:2]), match_id, live.bus.sent[-1])
    await live.until(match_id, 5)
    assert (await choose(live, match_id, "north", "c1", card=99)).version == 5


async def test_nothing_is_left_behind_by_commands_that_were_given_up(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "lost"
    live.bus.arrived.clear()
    card = await a_card(live, match_id, "north")
    task = asyncio.ensure_future(choose(live, match_id, "north", "c1", card))
    await asyncio.wait_for(live.bus.arrived.wait(), 10)
    assert live.server.meter.commands == 1
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with asyncio.timeout(10):
        while live.server.meter.commands:
            await live.client("north").match(match_id)
    assert live.server.meter._by_match == {}


async def test_the_client_library_asks_again_until_the_outcome_is_known(live: Stand) -> None:
    match_id = await live.seated()
    option = (await live.client("north").legal(match_id, "north")).choices[0].options[0]
    live.bus.fault = "away"
    live.bus.arrived.clear()
    acting = asyncio.ensure_future(live.client("north").act(match_id, "north", option))
    await asyncio.wait_for(live.bus.arrived.wait(), 10)
    live.bus.fault = ""
    assert (await asyncio.wait_for(acting, 10)).version == 5
    assert live.follower.book.fold_of(match_id).version == 5


async def test_creating_again_gives_the_same_match(live: Stand) -> None:
    client = live.client("organiser")
    first = await client.create("skirmish", "plain", command_id="my-match")
    second = await client.create("skirmish", "plain", command_id="my-match")
    other = await live.client("another").create("skirmish", "plain", command_id="my-match")
    assert (first.match_id, first.version) == (second.match_id, second.version)
    assert first.match_id != other.match_id
    assert len(live.follower.book.matches) == 2


def test_match_ids_are_of_one_form_and_spread_over_the_partitions() -> None:
    ids = {new_match_id("anna", str(n)) for n in range(2000)}
    assert len(ids) == 2000
    assert all(MATCH_ID.fullmatch(match_id) for match_id in ids)
    assert {int(match_id[:2]) for match_id in ids} == set(range(PARTITIONS))


async def test_an_expected_version_is_a_strict_check(live: Stand) -> None:
    match_id = await live.seated()
    option = (await live.client("north").legal(match_id, "north")).choices[0].options[0]
    with pytest.raises(Stale) as stale:
        await live.client("north").act(match_id, "north", option, expected_version=3)
    assert stale.value.details["current"] == "4"
    assert (await live.client("north").act(match_id, "north", option, expected_version=4)).version == 5


async def test_the_decision_is_checked_when_named(live: Stand) -> None:
    match_id = await live.seated()
    choice = (await live.client("north").legal(match_id, "north")).choices[0]
    with pytest.raises(Stale):
        await live.client("north").act(match_id, "north", choice.options[0], decision_id="r1.choose.south")
    await live.client("north").act(match_id, "north", choice.options[0], decision_id=choice.decision.decision_id)


async def test_commands_of_the_runtime_are_not_smuggled_in(live: Stand) -> None:
    match_id = await live.seated()
    for name in ("match.Resign", "match.CreateMatch", "match.MatchEnded", "CardChosen", "RoundFought", ""):
        with pytest.raises(Exception, match="no command"):
            await live.client("north").submit(match_id, "north", name, {})
    assert live.follower.book.fold_of(match_id).version == 4


async def test_a_match_whose_rules_break_refuses_that_command_only(
    live: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await live.seated()

    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    with monkeypatch.context() as patch:
        patch.setattr("stavka.match.referee.decide_match", broken)
        client = live.client("north")
        request = pb.ResignRequest(match_id=match_id, seat="north", command_id="c1")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.matches.Resign(request, metadata=client.metadata)
        refusal: Any = from_rpc(caught.value)
        assert (refusal.reason, refusal.code) == ("INTERNAL", grpc.StatusCode.INTERNAL)
        assert "secret" not in str(refusal)
    assert (await choose(live, match_id, "north", "c2")).version == 5
