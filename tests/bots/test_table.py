"""Bots at a table over real gRPC: they play whole matches, the same way each time, through every kind of trouble."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import pytest
from stavka.bots.chance import Chance
from stavka.bots.choosers import RANDOM, Bot, Offer, Pick, View
from stavka.bots.play import Progress, play
from stavka.bots.table import Chair, Stuck, Table
from stavka.client import NotFound, Refused

from tests.services.gateway.stand import Stand, stand
from tests.support.runtime import installed
from tests.support.skirmish import game

SEATS = ("north", "south")


@pytest.fixture(autouse=True)
def skirmish() -> Iterator[None]:
    with installed(game()):
        yield


@pytest.fixture
async def live() -> AsyncIterator[Stand]:
    async with stand() as running:
        yield running


def chairs(live: Stand, bot: Bot = RANDOM) -> tuple[Chair, ...]:
    return tuple(Chair(seat, live.client(seat), bot) for seat in SEATS)


async def cards_of(live: Stand, match_id: str) -> list[tuple[str, object]]:
    """Seat and card of every command, once nothing is hidden."""
    return [
        (record.seat, record.command.fields["card"])
        async for record in live.client("north").history(match_id)
        if record.command.type == "ChooseCard"
    ]


async def test_a_match_between_bots_is_played_to_its_result(live: Stand) -> None:
    seen: list[Progress] = []
    played = await play(
        f"127.0.0.1:{live.server.port}", live.token, "skirmish", bots=("random",), seed=7, on_progress=seen.append
    )
    fold = live.follower.book.fold_of(played.match)
    assert (played.versions, played.head) == (13, fold.head.hex())
    assert (played.game, played.ruleset, played.scenario) == ("skirmish", 1, "plain")
    assert (played.rejected, played.commands) == (0, 6)
    assert fold.state is not None and fold.state.ended is not None
    assert (played.winner, played.points) == (fold.state.ended.winner, fold.state.ended.points)
    assert played.events == 19
    assert [p.commands for p in seen] == [1, 2, 3, 4, 5, 6] and seen[0].headline == "round 1"
    assert all(p.text for p in seen)


async def test_one_player_may_hold_every_seat(live: Stand) -> None:
    token = live.token("solitaire")
    played = await play(f"127.0.0.1:{live.server.port}", lambda _: token, "skirmish", seed=3)
    assert played.versions == 13


async def test_the_same_creation_id_leads_to_the_same_match(live: Stand) -> None:
    target = f"127.0.0.1:{live.server.port}"
    first = await play(target, live.token, "skirmish", seed=5, create_id="demo")
    again = await play(target, live.token, "skirmish", seed=5, create_id="demo")
    assert (again.match, again.head, again.commands) == (first.match, first.head, 0)


async def test_an_unknown_scenario_is_refused_before_a_match_is_made(live: Stand) -> None:
    with pytest.raises(NotFound) as caught:
        await play(f"127.0.0.1:{live.server.port}", live.token, "skirmish", scenario="alps")
    assert caught.value.reason == "UNKNOWN_SCENARIO"
    assert [m async for m in live.client("x").list_matches()] == []


async def test_a_bot_for_one_seat_waits_for_the_other_player(live: Stand) -> None:
    match_id = await live.seated()
    table = Table(match_id, chairs(live)[:1], seed=1)
    playing = asyncio.create_task(table.run())
    for number in range(3):
        await live.until(match_id, 5 + 3 * number)
        option = (await live.client("south").legal(match_id, "south")).choices[0].options[0]
        await live.client("south").act(match_id, "south", option)
        await live.until(match_id, 7 + 3 * number)
    await asyncio.wait_for(playing, 10)
    assert (table.commands, table.rejected) == (3, 0)


async def test_a_bot_that_starts_again_goes_on_with_the_same_choices(live: Stand) -> None:
    """Killed after its third command and started anew, it makes the match that it would have made."""
    match_id = await live.seated()
    first = Table(match_id, chairs(live), seed=9)

    async def stop(move: object) -> None:
        if first.commands == 3:
            raise asyncio.CancelledError

    first.on_move = stop
    with pytest.raises(asyncio.CancelledError):
        await first.run()
    second = Table(match_id, chairs(live), seed=9)
    await asyncio.wait_for(second.run(), 10)
    assert first.commands + second.commands == 6
    assert len(await cards_of(live, match_id)) == 6


async def test_commands_that_are_doubled_on_the_way_happen_once(live: Stand) -> None:
    match_id = await live.seated()
    live.bus.fault = "doubled"
    table = Table(match_id, chairs(live), seed=2)
    await asyncio.wait_for(table.run(), 10)
    assert table.commands == 6 and len(await cards_of(live, match_id)) == 6


async def test_a_bus_that_is_away_for_a_while_is_waited_for(live: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = await live.seated()
    live.bus.fault = "away"
    refused, send = asyncio.Event(), live.bus.send

    async def tell(*arguments: Any) -> None:
        try:
            await send(*arguments)
        finally:
            refused.set()

    monkeypatch.setattr(live.bus, "send", tell)
    table = Table(match_id, chairs(live), seed=2)
    playing = asyncio.create_task(table.run())
    await asyncio.wait_for(refused.wait(), 10)
    live.bus.fault = ""
    await asyncio.wait_for(playing, 20)
    assert table.commands == 6


async def test_refused_choices_are_counted_and_another_one_is_made(live: Stand) -> None:
    def cheat(chance: Chance, view: View, offers: Sequence[Offer]) -> Pick:
        return Pick(offers[0].decision_id, "ChooseCard", {"card": 77, "side": offers[0].seat})

    match_id = await live.seated()
    table = Table(match_id, chairs(live, Bot("cheat", cheat)), seed=4)
    await asyncio.wait_for(table.run(), 20)
    assert (table.commands, table.rejected) == (6, 24)


async def test_a_bot_gives_up_when_nothing_is_accepted(live: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The referee lists what it does not accept: the bot says so and does not ask for ever."""
    monkeypatch.setattr("stavka.bots.table.PATIENT", 99)
    match_id = await live.seated()
    wrong = Bot("wrong", lambda chance, view, offers: Pick(offers[0].decision_id, "ChooseCard", {}))
    table = Table(match_id, chairs(live, wrong), seed=4)
    with pytest.raises(Stuck):
        await asyncio.wait_for(table.run(), 20)
    assert table.rejected == 12


async def test_a_seat_that_is_not_its_own_ends_the_bot(live: Stand) -> None:
    match_id = await live.seated()
    table = Table(match_id, (Chair("north", live.client("stranger"), RANDOM),), seed=1)
    with pytest.raises(Refused):
        await asyncio.wait_for(table.run(), 10)
