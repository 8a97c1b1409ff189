"""Questions: matches, decisions, legal actions, explanations, views; and the listings of the rules."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pytest
from stavka.client import NotAllowed, NotFound, to_plain
from stavka.gateway import Role
from stavka.gateway.answers import choice
from stavka.gateway.describe import command_type, shape
from stavka.gateway.listing import _all_pieces, _all_spaces
from stavka.kernel.game import Choice, Decision, Space
from stavka.kernel.visibility import Owner, Public
from stavka.match.sight import hides_anything
from stavka.wire.gen.stavka.match.v1 import match_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb
from stavka.wire.gen.stavka.rules.v1 import rules_service_pb2 as rules

from tests.support.skirmish import ChooseCard, game

from .stand import Stand, swapped


async def test_a_match_in_short_through_its_life(live: Stand) -> None:
    match_id = await live.seated(seats=("north",), players={"south": "south"}, options={"fog": "on"})
    north = live.client("north")
    early = await north.match(match_id)
    assert early.status == match_pb2.MATCH_STATUS_OPEN
    assert [(s.seat, s.player, s.taken) for s in early.seats] == [("north", "north", True), ("south", "south", False)]
    assert dict(early.options) == {"fog": "on"}
    await live.client("south").take_seat(match_id, "south")
    await live.until(match_id, 4)
    going = await north.match(match_id)
    assert (going.status, going.headline, going.open_decisions) == (match_pb2.MATCH_STATUS_PLAYING, "round 1", 1)
    assert not (await live.client("watcher", Role.SPECTATOR).match(match_id)).HasField("open_decisions")
    await live.play(match_id)
    over = await north.match(match_id)
    fold = live.follower.book.fold_of(match_id)
    assert over.status == match_pb2.MATCH_STATUS_ENDED
    assert (over.version, over.head) == (fold.version, fold.head)
    assert over.result.winner in ("north", "south", "draw")
    assert len(over.result.reasons) == 2


async def test_matches_are_listed_newest_first_page_by_page(live: Stand) -> None:
    ids = [await live.seated(seats=()) for _ in range(3)]
    live.clock.ahead_ms += 10
    ids.append(await live.seated(seats=("north",)))
    client = live.client("north")
    request = pb.ListMatchesRequest(page_size=3)
    first = await client.ask(client.matches.ListMatches, request)
    request.page_token = first.next_page_token
    second = await client.ask(client.matches.ListMatches, request)
    found = [m.match_id for m in (*first.matches, *second.matches)]
    assert found[0] == ids[3]
    assert sorted(found) == sorted(ids)
    assert (len(first.matches), second.next_page_token) == (3, "")
    assert [m.match_id async for m in client.list_matches(player="north")] == [ids[3]]
    assert [m async for m in client.list_matches(game="chess")] == []
    request = pb.ListMatchesRequest(status=match_pb2.MATCH_STATUS_PLAYING)
    assert not (await client.ask(client.matches.ListMatches, request)).matches


async def test_decisions_and_legal_actions_are_the_seats_own(live: Stand) -> None:
    match_id = await live.seated()
    decisions = await live.client("north").decisions(match_id)
    assert [(d.decision_id, d.seat, d.rule, list(d.commands)) for d in decisions.decisions] == [
        ("r1.choose.north", "north", "SK 1.1", ["ChooseCard"])
    ]
    legal = await live.client("north").legal(match_id)
    assert (legal.version, legal.head) == (4, live.follower.book.fold_of(match_id).head)
    (choice,) = legal.choices
    assert choice.complete
    assert choice.enumerated == len(choice.options)
    state: Any = live.follower.book.fold_of(match_id).state
    hand = state.table.camps["north"].hand
    assert {to_plain(o.arguments)["card"] for o in choice.options} == set(hand)


async def test_what_is_listed_as_legal_is_accepted(live: Stand) -> None:
    match_id = await live.seated()
    await live.play(match_id)
    assert live.follower.book.fold_of(match_id).version == 13


async def test_a_sample_is_uniform_seeded_and_says_so(live: Stand) -> None:
    match_id = await live.seated()

    def many(table: Any, seat: str) -> tuple[Choice, ...]:
        (choice,) = game().legal(table, seat)
        return (replace(choice, options=tuple(ChooseCard(n, seat) for n in range(100))),)

    with swapped(replace(game(), legal=many)):
        client = live.client("north")
        seen: dict[int, int] = dict.fromkeys(range(100), 0)
        for seed in range(300):
            (choice,) = (await client.legal(match_id, limit=10, sample_seed=seed)).choices
            cards = [to_plain(o.arguments)["card"] for o in choice.options]
            assert len(set(cards)) == 10
            assert not choice.complete
            assert choice.enumerated == 100
            for card in cards:
                seen[card] += 1
        same = [(await client.legal(match_id, limit=10, sample_seed=7)).choices for _ in range(2)]
        assert same[0] == same[1]
        (whole,) = (await client.legal(match_id, limit=100)).choices
        assert (len(whole.options), whole.complete) == (100, True)
    assert min(seen.values()) >= 8  # 30 expected of each, standard deviation 5.2
    assert max(seen.values()) <= 55


async def test_a_view_is_the_viewers_own_at_any_version(live: Stand) -> None:
    match_id = await live.seated()
    await live.play(match_id, 1)
    north = await live.client("north").view(match_id, version=4)
    camps = to_plain(north.position)["camps"]
    assert (north.viewer, north.version, north.headline) == ("north", 4, "round 1")
    assert len(camps["north"]["hand"]) == 5
    assert "hand" not in camps["south"]
    public = await live.client("watcher", Role.SPECTATOR).view(match_id)
    assert public.viewer == "spectator"
    assert "hand" not in to_plain(public.position)["camps"]["north"]
    latest = await live.client("north").view(match_id)
    assert (latest.version, latest.headline) == (7, "round 2")


async def test_a_view_comes_in_the_formats_asked_for(live: Stand) -> None:
    match_id = await live.seated()
    client = live.client("north")
    plain = await client.view(match_id)
    assert plain.HasField("position")
    assert (plain.text, plain.svg) == ("", "")
    drawn = await client.view(match_id, formats=[pb.VIEW_FORMAT_TEXT, pb.VIEW_FORMAT_SVG])
    assert not drawn.HasField("position")
    assert drawn.text == "a field"
    assert drawn.svg.startswith("<svg")


async def test_a_notation_is_for_whom_nothing_is_hidden(live: Stand) -> None:
    match_id = await live.seated()
    north, judge = live.client("north"), live.client("judge", Role.ARBITER)
    with pytest.raises(NotAllowed) as hidden:
        await north.view(match_id, formats=[pb.VIEW_FORMAT_NOTATION])
    assert hidden.value.reason == "VIEWER_FORBIDDEN"
    assert (await judge.view(match_id, formats=[pb.VIEW_FORMAT_NOTATION])).notation == "round 1"
    await live.play(match_id)
    assert (await north.view(match_id, formats=[pb.VIEW_FORMAT_NOTATION])).notation.startswith("round ")


async def test_a_match_begins_from_the_notation_of_another(live: Stand) -> None:
    client = live.client("both")

    async def seated(**wishes: Any) -> str:
        match_id = (await client.create("red_vengeance", "campaign", **wishes)).match_id
        for seat in ("axis", "allied"):
            await client.take_seat(match_id, seat)
        async with aclosing(client.watch(match_id, viewer="axis")) as records:
            async for _ in records:
                if (await client.decisions(match_id)).decisions:
                    return match_id  # no automatic step is due while a decision is open
        raise AssertionError("the match ended before anybody could act")

    formats = [pb.VIEW_FORMAT_NOTATION, pb.VIEW_FORMAT_POSITION]
    found = await client.view(await seated(), viewer="axis", formats=formats)
    again = await client.view(await seated(analysis=True, position=found.notation), viewer="axis", formats=formats)
    assert again.notation == found.notation
    pieces, same = (to_plain(view.position)["at"] for view in (found, again))
    assert pieces == same and len(pieces) > 100


async def test_before_play_there_is_an_empty_table(live: Stand) -> None:
    match_id = await live.seated(seats=("north",))
    view = await live.client("north").view(match_id, formats=[pb.VIEW_FORMAT_TEXT])
    assert (view.version, view.text, view.headline) == (2, "", "")


async def test_a_question_is_answered_in_plain_data(live: Stand) -> None:
    match_id = await live.seated()
    assert await live.client("north").explain(match_id, "round") == {"rule": "SK 1", "round": 1}


async def test_spectators_lag_where_the_match_says_so(live: Stand) -> None:
    match_id = await live.seated(spectator_delay=3)
    watcher = live.client("watcher", Role.SPECTATOR)
    assert (await watcher.match(match_id)).version == 1
    assert (await watcher.view(match_id)).version == 1
    listed = [m async for m in watcher.list_matches()]
    assert listed[0].version == 1
    with swapped(replace(game(), commands={}, events=())):
        hides_anything.cache_clear()
        header, records = await watcher.export(match_id)
        hides_anything.cache_clear()
    assert (header.version, len(records)) == (1, 1)
    assert [r.version async for r in watcher.history(match_id)] == [1]
    with pytest.raises(NotFound):
        await watcher.view(match_id, version=2)
    assert (await live.client("north").match(match_id)).version == 4
    await live.play(match_id)
    assert (await watcher.match(match_id)).version == 13


async def test_the_games_tell_what_a_client_must_know(live: Stand) -> None:
    client = live.client("anna")
    listed = await client.ask(client.rules.ListGames, rules.ListGamesRequest())
    assert {"skirmish", "red_vengeance"} <= {g.game for g in listed.games}
    found = await client.ask(client.rules.GetGame, rules.GetGameRequest(game="skirmish"))
    assert found.summary.ruleset == "skirmish/1"
    assert [(s.scenario, list(s.seats)) for s in found.scenarios] == [("plain", ["north", "south"])]
    assert [(o.option, list(o.choices)) for o in found.options] == [("fog", ["off", "on"])]
    (command,) = found.commands
    assert (command.command, command.topic) == ("ChooseCard", "cards")
    assert [(f.name, f.type, f.required, f.visibility) for f in command.fields] == [
        ("card", "integer", True, "owner"), ("side", "string", True, "public"),
    ]  # fmt: skip
    sections = await client.ask(client.rules.ListSections, rules.ListSectionsRequest(game="skirmish"))
    assert [(s.section, s.status) for s in sections.sections] == [("1.1", "code")]


async def test_spaces_and_pieces_come_in_pages_with_their_source(live: Stand) -> None:
    spaces = tuple(Space(f"{n:04d}", "hex", (n, 0.5), {"terrain": "clear"}, "printed") for n in range(7))
    pieces = tuple({"id": f"u{n}", "strength": n, "source": "history"} for n in range(3))
    _all_spaces.cache_clear()
    _all_pieces.cache_clear()
    with swapped(replace(game(), spaces=lambda: spaces, pieces=lambda: pieces)):
        client = live.client("anna")
        found: list[rules.Space] = []
        token = ""
        while True:
            request = rules.ListSpacesRequest(game="skirmish", page_size=3, page_token=token)
            page = await client.ask(client.rules.ListSpaces, request)
            found += page.spaces
            token = page.next_page_token
            if not token:
                break
        assert [s.space for s in found] == [s.id for s in spaces]
        assert (found[2].x, found[2].source, to_plain(found[2].facts)) == (2.0, "printed", {"terrain": "clear"})
        listed = await client.ask(client.rules.ListPieces, rules.ListPiecesRequest(game="skirmish"))
        assert [(to_plain(p.facts), p.source) for p in listed.pieces][1] == ({"id": "u1", "strength": 1}, "history")
    _all_spaces.cache_clear()
    _all_pieces.cache_clear()


@dataclass(frozen=True, slots=True)
class Leg:
    space: Public[str]
    points: Public[int]


@dataclass(frozen=True, slots=True)
class Everything:
    """All shapes of fields.

    Second paragraph.
    """

    legs: Public[tuple[Leg, ...]]
    pair: Public[tuple[str, int]]
    losses: Public[dict[str, int]]
    leader: Owner[str | None] = None
    mode: Public[Literal["road", "rail"]] = "road"
    units: Public[frozenset[str]] = field(default_factory=frozenset)

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset()


def test_the_fields_of_a_command_are_described_for_json() -> None:
    found = command_type(Everything, "movement")
    assert found.about == "All shapes of fields.\n\nSecond paragraph."
    assert [(f.name, f.type, f.required, f.default_json) for f in found.fields] == [
        ("legs", "list of {space: string, points: integer}", True, ""),
        ("pair", "list of 2: string, integer", True, ""),
        ("losses", "map of string to integer", True, ""),
        ("leader", "string or null", False, "null"),
        ("mode", "one of road | rail", False, '"road"'),
        ("units", "list of string", False, "[]"),
    ]
    assert command_type(Leg, "movement").about == ""
    with pytest.raises(TypeError):
        shape(bytes)


@dataclass(frozen=True, slots=True)
class Share:
    losses: Public[dict[str, int]]


def test_options_are_kept_and_those_with_a_mapping_are_made_anew() -> None:
    decision = Decision("d", "north", "share", "SK 1", ("Share",))
    for options in ((Share({"a": 1}), Share({"a": 2})), (ChooseCard(1, "north"), ChooseCard(2, "north"))):
        first, second = (choice(Choice(decision, options), 0, 0) for _ in range(2))
        assert first == second
        assert len(first.options) == 2
        assert first.options[0] != first.options[1]
