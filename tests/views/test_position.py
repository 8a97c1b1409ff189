"""Positions round-trip at every state of random matches, keep the order of mappings, and are dropped when not ours."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest
from stavka.bots.choosers import RANDOM
from stavka.games import GAMES
from stavka.kernel.visibility import ARBITER
from stavka.match.lobby import MatchState
from stavka.match.rulebooks import rulebook
from stavka.views import position
from stavka.views.redact import redact
from stavka.wire.codec import to_json

from tests.support.battery import Case, walk
from tests.views.ambush import Block, Hand, Table

STEPS = 400


def match(game: str, table: object) -> MatchState:
    return MatchState(
        "07-x", game, 1, "plain", {"fog": "off"}, ("south", "north"), {"south": "ada"},
        {"south": "ab" * 8, "north": "cd" * 8}, playing=True, table=table,
    )  # fmt: skip


class TestRoundTrip:
    @pytest.mark.parametrize("game", sorted(GAMES))
    def test_every_state_of_a_random_match(self, game: str) -> None:
        made = rulebook(game).game
        case = Case(made, next(iter(made.scenarios)))
        for step in walk(case, 20_260, dict.fromkeys(case.seats, RANDOM)):
            state = match(game, step.after)
            restored = position.decode(position.encode(state))
            assert restored is not None
            assert type(restored.table) is type(step.after)
            assert to_json(restored) == to_json(state)
            assert redact(restored, ARBITER, False) == redact(state, ARBITER, False)
            if step.number >= STEPS:
                break

    def test_hidden_things_and_the_order_of_mappings(self) -> None:
        table = Table(
            blocks={"z": Block("south", "hill", "tank", 3), "a": Block("north", "hill", "gun", 1)},
            hands={"south": Hand("south", 1, ("x",))}, deck=("y", "x"), held=frozenset({"hill"}),
        )  # fmt: skip
        restored = position.decode(position.encode(match("ambush", table)))
        assert restored is not None
        assert restored.table == table
        assert list(restored.table.blocks) == ["z", "a"]
        assert list(restored.entropy) == ["south", "north"]

    def test_a_match_whose_play_has_not_begun(self) -> None:
        state = MatchState("07-x", "ambush", players={"north": "ada"})
        assert position.decode(position.encode(state)) == state

    def test_encoding_changes_nothing(self) -> None:
        state = match("ambush", Table(turn=3))
        before = to_json(state)
        position.encode(state)
        assert to_json(state) == before


class TestForeignBlobs:
    def test_bytes_that_are_no_position_are_dropped(self) -> None:
        blob = position.encode(match("ambush", Table()))
        for bad in (b"", b"{}", b"\xff", blob[:-1], blob[1:], blob.replace(b'"turn":0', b'"turn":"x"')):
            assert position.decode(bad) is None

    def test_a_position_of_other_classes_is_dropped(self) -> None:
        """A field that was added since would otherwise come back with its default, not with what the fold makes of it."""
        blob = msgspec.json.decode(position.encode(match("ambush", Table())))
        assert position.decode(msgspec.json.encode({**blob, "shape": "0" * 16})) is None
        assert position.decode(msgspec.json.encode({**blob, "format": 2})) is None

    def test_the_fingerprint_covers_nested_classes(self) -> None:
        @dataclasses.dataclass
        class Inner:
            value: int

        @dataclasses.dataclass
        class Outer:
            inner: tuple[int, ...]

        before = position.shape(Outer)
        Outer.__annotations__["inner"] = tuple[Inner, ...]
        position.shape.cache_clear()
        nested = position.shape(Outer)
        Inner.__annotations__["value"] = str
        position.shape.cache_clear()
        assert len({before, nested, position.shape(Outer)}) == 3
        position.shape.cache_clear()
