"""Redaction: default deny, every kind of field, and two worlds that a viewer cannot tell apart."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stavka.games import GAMES
from stavka.kernel.visibility import (
    ARBITER,
    SPECTATOR,
    Pieces,
    Public,
    Unclassified,
    Viewer,
    Visibility,
    classification,
    seat,
)
from stavka.match import lobby
from stavka.match.fold import decode_events
from stavka.match.lobby import MatchState
from stavka.match.rulebooks import evolve, rulebook
from stavka.views.redact import fact, horizon, record_view, redact
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, match_key

from tests.views import ambush
from tests.views.ambush import SEALING, SIDES, Block, BlockMoved, BlockPlaced, CardPlanned, Hand, History, Move, Plan

NORTH, SOUTH = seat("north"), seat("south")
MATCH = "07-01J00000000000000000000000"


class TestFields:
    def test_owner_fields_are_absent_for_others(self) -> None:
        hand = Hand("south", 2, ("flank", "retreat"))
        assert redact(hand, NORTH, False) == {"side": "south", "size": 2}
        assert redact(hand, SPECTATOR, False) == {"side": "south", "size": 2}
        assert redact(hand, SOUTH, False) == {"side": "south", "size": 2, "cards": ["flank", "retreat"]}

    @pytest.mark.parametrize(("viewer", "ended"), [(ARBITER, False), (SPECTATOR, True), (NORTH, True)])
    def test_arbiters_and_the_end_open_everything(self, viewer: Viewer, ended: bool) -> None:
        table = ambush.Table(blocks={"b1": Block("south", "marsh", "tank", 3)}, deck=("x",))
        shown = redact(table, viewer, ended)
        assert shown["deck"] == ["x"]
        assert shown["blocks"]["seen"]["b1"]["strength"] == 3
        assert shown["blocks"]["unseen"] == []

    def test_sealed_fields_are_absent_for_every_seat(self) -> None:
        for viewer in (NORTH, SOUTH, SPECTATOR):
            assert "deck" not in redact(ambush.Table(deck=("x",)), viewer, False)

    def test_foreign_pieces_lose_id_and_order(self) -> None:
        blocks = {
            "b9": Block("south", "marsh", "tank", 3),
            "b1": Block("south", "forest", "foot", 1),
            "a1": Block("north", "hill", "foot", 2),
            "b5": Block("south", "city", "foot", 4, revealed=True),
        }
        shown = redact(ambush.Table(blocks=blocks), NORTH, False)["blocks"]
        assert list(shown["seen"]) == ["a1", "b5"]
        assert shown["seen"]["b5"]["strength"] == 4
        assert shown["unseen"] == [
            {"side": "south", "area": "forest", "revealed": False},
            {"side": "south", "area": "marsh", "revealed": False},
        ]

    def test_mappings_and_sets_come_in_ascending_order(self) -> None:
        assert list(redact({"b": 1, "a": {"y": (1,), "x": None}}, NORTH, False)) == ["a", "b"]
        assert redact(frozenset({"b", "a"}), NORTH, False) == ["a", "b"]
        assert redact({2: "x", 10: "y"}, NORTH, False) == {"2": "x", "10": "y"}


class TestDefaultDeny:
    @pytest.mark.parametrize("value", [b"bytes", object(), 1j, {("a", "b"): 1}, iter(()), Exception("x")])
    @pytest.mark.parametrize("viewer", [NORTH, ARBITER])
    def test_values_of_other_types_are_refused_to_everybody(self, value: object, viewer: Viewer) -> None:
        with pytest.raises(Unclassified):
            redact({"deep": (value,)}, viewer, True)

    def test_an_unclassified_field_is_refused(self) -> None:
        @dataclasses.dataclass(frozen=True)
        class Loose:
            open: Public[int]
            forgotten: int

        loose = Loose(1, 2)
        with pytest.raises(Unclassified):
            # Annotations of a local class do not resolve by name, so the refusal is asked for with real types.
            Loose.__annotations__.update(open=Public[int], forgotten=int)
            redact(loose, NORTH, False)

    def test_pieces_that_nobody_owns_are_refused(self) -> None:
        @dataclasses.dataclass(frozen=True)
        class Bag:
            pieces: Any

        Bag.__annotations__["pieces"] = Pieces[dict[str, BlockMoved]]
        assert redact(Bag({"x": BlockMoved("south", "a", "b", "x")}), NORTH, False)["pieces"]["seen"] == {}
        with pytest.raises(Unclassified):
            redact(Bag({"x": ambush.TurnBegun(1)}), NORTH, False)

    @pytest.mark.parametrize(
        "hint", [bytes, dict[str, bytes], tuple[object, ...], dict[tuple[str, str], int], set[complex]]
    )
    def test_a_field_that_could_hold_what_is_not_shown_is_refused_while_it_is_empty(self, hint: Any) -> None:
        @dataclasses.dataclass(frozen=True)
        class Vague:
            field: Any = None

        Vague.__annotations__["field"] = Public[hint]
        with pytest.raises(Unclassified):
            redact(Vague(), ARBITER, True)

    @pytest.mark.parametrize("game", sorted(GAMES))
    def test_every_game_can_be_shown(self, game: str) -> None:
        made = rulebook(game).game
        assert redact(MatchState("x", game=game, table=made.state()), SPECTATOR, False)["game"] == game
        for cls in (*made.events, *made.commands):
            blank = object.__new__(cls)
            for field in dataclasses.fields(cls):
                pieces = classification(cls)[field.name] is Visibility.PIECES
                object.__setattr__(blank, field.name, {} if pieces else "" if field.name == "side" else None)
            redact(blank, ARBITER, False)

    def test_a_subclass_of_a_leaf_is_no_leaf(self) -> None:
        class Loud(str):
            __slots__ = ()

        with pytest.raises(Unclassified):
            redact([Loud("x")], NORTH, False)

    def test_enums_are_shown_by_value(self) -> None:
        class Weather(enum.Enum):
            CLEAR = "clear"

        assert redact((Weather.CLEAR,), NORTH, False) == ["clear"]


class TestFacts:
    def test_a_fact_without_an_open_field_does_not_exist(self) -> None:
        planned = CardPlanned("south", "flank")
        assert fact(planned, NORTH, False) is None
        assert fact(planned, SOUTH, False) == {"type": "CardPlanned", "fields": {"side": "south", "card": "flank"}}
        assert fact(planned, SPECTATOR, True) is not None

    def test_a_fact_that_has_no_fields_is_public(self) -> None:
        from stavka.match.lobby import PlayBegun

        assert fact(PlayBegun(), SPECTATOR, False) == {"type": "match.PlayBegun", "fields": {}}


DICE = log_pb2.Roll(purpose="attack", kind="dice", count=1, sides=6, results=[4], input=b"cause", signature=b"sig")
SHUFFLE = log_pb2.Roll(purpose="deck", kind="shuffle", count=3, results=[2, 0, 1], input=b"cause", signature=b"sig")


def view(history: History, version: int, viewer: Viewer, ended: bool = False) -> dict[str, Any]:
    return views(history, viewer, ended)[version - 1]


def views(history: History, viewer: Viewer, ended: bool = False) -> list[dict[str, Any]]:
    """What `viewer` gets of every record."""
    sealer = Sealer(match_key(SEALING, history.match_id))
    state = MatchState(history.match_id)
    shown = []
    for raw in history.raws:
        record = log_pb2.Record.FromString(raw)
        events = decode_events(record, state, sealer)
        for event in events:
            state = evolve(state, event)
        command = rulebook("ambush").codec.decode(record.command, sealer) if record.HasField("command") else None
        shown.append(record_view(record, b"head", events, command, viewer, ended))
    return shown


def position(history: History) -> MatchState:
    sealer = Sealer(match_key(SEALING, history.match_id))
    state = MatchState(history.match_id)
    for raw in history.raws:
        for event in decode_events(log_pb2.Record.FromString(raw), state, sealer):
            state = evolve(state, event)
    return state


class TestRecords:
    def history(self) -> History:
        history = History(MATCH).seated()
        history.add([BlockPlaced("south", "marsh", "b1", "tank", 3)])
        history.add(
            [BlockMoved("south", "marsh", "hill", "b1")],
            Move("south", "b1", "hill"),
            "south",
            [DICE, SHUFFLE],
            "secret-b1",
        )
        return history

    def test_the_command_id_is_its_senders(self) -> None:
        history = self.history()
        assert view(history, 5, SOUTH)["command_id"] == "secret-b1"
        assert view(history, 5, ARBITER)["command_id"] == "secret-b1"
        assert "command_id" not in view(history, 5, NORTH)
        assert "command_id" not in view(history, 5, SPECTATOR)
        assert view(history, 5, SPECTATOR, ended=True)["command_id"] == "secret-b1"

    def test_shuffles_are_hidden_until_the_end(self) -> None:
        assert view(self.history(), 5, SOUTH)["rolls"][1] == {"purpose": "deck", "kind": "shuffle", "hidden": True}

    def test_the_proof_of_an_open_roll_is_everybodys(self) -> None:
        """The digest in the input is salted when the command hides something, so it gives nothing away."""
        assert view(self.history(), 5, SPECTATOR)["rolls"][0] == {
            "purpose": "attack", "kind": "dice", "hidden": False, "count": 1, "sides": 6, "results": [4],
            "input": "cause", "signature": b"sig".hex(),
        }  # fmt: skip

    def test_a_record_that_does_not_exist_for_a_viewer_says_neither_who_nor_when(self) -> None:
        history = History(MATCH).seated()
        history.add([CardPlanned("south", "flank")], Plan("south", "flank"), "south")
        for viewer in (NORTH, SPECTATOR):
            assert view(history, 4, viewer) == {
                "version": 4, "head": b"head".hex(), "decided_at_ms": 0, "topic": "", "seat": "", "events": [],
                "rolls": [],
            }  # fmt: skip
        assert view(history, 4, SPECTATOR, ended=True)["seat"] == view(history, 4, SOUTH)["seat"] == "south"

    def test_the_notation_that_an_analysis_begins_from_tells_all_of_the_table(self) -> None:
        made = lobby.MatchCreated("ambush", 1, "plain", {}, SIDES, {}, "marsh: b1", True, (), 0, "key", "pem", "c")
        asked = lobby.CreateMatch("ambush", "plain", position="marsh: b1", analysis=True)
        for value in (made, asked):
            for viewer in (NORTH, SPECTATOR):
                shown = fact(value, viewer, False)
                assert shown is not None and "position" not in shown["fields"]
            for viewer, ended in ((ARBITER, False), (SPECTATOR, True)):
                shown = fact(value, viewer, ended)
                assert shown is not None and shown["fields"]["position"] == "marsh: b1"
        open_game = fact(dataclasses.replace(made, game="red_vengeance"), NORTH, False)
        assert open_game is not None and open_game["fields"]["position"] == "marsh: b1"

    def test_a_wholly_secret_command_is_not_named(self) -> None:
        history = History(MATCH).seated()
        history.add([CardPlanned("south", "flank")], Plan("south", "flank"), "south")
        shown = view(history, 4, NORTH)
        assert "command" not in shown
        assert shown["events"] == []
        assert view(history, 4, SOUTH)["command"] == {"type": "Plan", "fields": {"side": "south", "card": "flank"}}


class TestHorizon:
    def test_spectators_lag_until_the_end(self) -> None:
        assert horizon(SPECTATOR, 10, 4, False) == 6
        assert horizon(SPECTATOR, 3, 4, False) == 0
        assert horizon(SPECTATOR, 10, 4, True) == 10
        assert horizon(NORTH, 10, 4, False) == 10
        assert horizon(ARBITER, 10, 4, False) == 10


AREAS = ("city", "forest", "hill", "marsh")
KINDS = ("foot", "tank", "gun")


@dataclasses.dataclass(frozen=True)
class Secrets:
    """What one side hides: names and kinds of its blocks, which of several in an area moves, its cards."""

    names: Sequence[str]
    kinds: Sequence[str]
    strengths: Sequence[int]
    picks: Sequence[int]
    cards: Sequence[str]


SECRETS = st.builds(
    Secrets,
    names=st.permutations([f"b{n}" for n in range(1, 7)]),
    kinds=st.lists(st.sampled_from(KINDS), min_size=6, max_size=6),
    strengths=st.lists(st.integers(1, 4), min_size=6, max_size=6),
    picks=st.lists(st.integers(0, 5), min_size=8, max_size=8),
    cards=st.lists(st.text(max_size=4), min_size=3, max_size=3),
)
PLACES = st.lists(st.sampled_from(AREAS), min_size=6, max_size=6)
MOVES = st.lists(st.tuples(st.sampled_from(SIDES), st.sampled_from(AREAS), st.sampled_from(AREAS)), max_size=8)


def world(
    places: Sequence[str], moves: Sequence[tuple[str, str, str]], secrets: dict[str, Secrets], deck: str
) -> History:
    """A history: what happens on the table is public; the rest follows from each side's secrets."""
    history = History(MATCH).seated()
    where: dict[str, dict[str, str]] = {side: {} for side in SIDES}
    for side, hidden in secrets.items():
        order = sorted(range(6), key=lambda n: (places[n], hidden.names[n]))
        for n in order:
            name = f"{side}-{hidden.names[n]}"
            where[side][name] = places[n]
            history.add([BlockPlaced(side, places[n], name, hidden.kinds[n], hidden.strengths[n])])
        history.add([ambush.HandDealt(side, 3, tuple(hidden.cards)), CardPlanned(side, hidden.cards[0])])
    history.add([ambush.DeckStacked((deck,))], rolls=[SHUFFLE])
    for number, (side, area, to) in enumerate(moves):
        there = sorted(name for name, at in where[side].items() if at == area)
        if there:
            name = there[secrets[side].picks[number] % len(there)]
            where[side][name] = to
            history.add(
                [BlockMoved(side, area, to, name)], Move(side, name, to), side, [DICE], command_id=f"move {name}"
            )
    return history


def everything(history: History, viewer: Viewer) -> bytes:
    """All that `viewer` gets, as bytes: the position after it and every record (heads are commitments)."""
    return to_json([redact(position(history), viewer, False), views(history, viewer)])


class TestTwoWorlds:
    @settings(max_examples=60, deadline=None)
    @given(PLACES, MOVES, SECRETS, SECRETS, SECRETS, st.text(max_size=9), st.text(max_size=9))
    def test_a_seat_cannot_tell_what_the_other_hides(
        self, places: list[str], moves: list[tuple[str, str, str]], mine: Secrets, theirs: Secrets, other: Secrets,
        deck: str, other_deck: str,
    ) -> None:  # fmt: skip
        one = world(places, moves, {"north": mine, "south": theirs}, deck)
        two = world(places, moves, {"north": mine, "south": other}, other_deck)
        assert everything(one, NORTH) == everything(two, NORTH)

    @settings(max_examples=40, deadline=None)
    @given(PLACES, MOVES, SECRETS, SECRETS, SECRETS, SECRETS)
    def test_a_spectator_cannot_tell_what_anybody_hides(
        self, places: list[str], moves: list[tuple[str, str, str]], a: Secrets, b: Secrets, c: Secrets, d: Secrets
    ) -> None:
        one = world(places, moves, {"north": a, "south": b}, "x")
        two = world(places, moves, {"north": c, "south": d}, "y")
        assert everything(one, SPECTATOR) == everything(two, SPECTATOR)

    def test_the_owner_can(self) -> None:
        hidden = Secrets([f"b{n}" for n in range(1, 7)], ["foot"] * 6, [1] * 6, [0] * 8, ["a", "b", "c"])
        other = dataclasses.replace(hidden, strengths=[2] * 6)
        places = ["hill"] * 6
        one = world(places, [], {"north": hidden, "south": hidden}, "x")
        two = world(places, [], {"north": hidden, "south": other}, "x")
        assert everything(one, SOUTH) != everything(two, SOUTH)
