"""Piles of cards, and stacking limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stavka.kernel.decks import draw, draw_through, missing, move, split, take
from stavka.kernel.dice import ScriptedRoll
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.stacking import counted, full, overflows, room

PILE = ("41a", "41b", "42a")


class TestDecks:
    def test_cards_are_drawn_from_the_top(self) -> None:
        assert draw(PILE, 2) == (("41a", "41b"), ("42a",))
        assert draw(PILE, 9) == (PILE, ())
        with pytest.raises(ValueError):
            draw(PILE, -1)

    def test_discards_are_shuffled_in_only_when_a_card_is_still_wanted(self) -> None:
        nothing = ScriptedRoll([])
        exact = draw_through(PILE, ("x", "y"), 3, nothing, "reshuffle")
        assert (exact.cards, exact.pile, exact.discards, exact.reshuffled) == (PILE, (), ("x", "y"), None)
        more = draw_through(("a",), ("x", "y", "z"), 3, ScriptedRoll([(2, 0, 1)]), "reshuffle")
        assert (more.cards, more.pile, more.discards, more.reshuffled) == (("a", "z", "x"), ("y",), (), ("z", "x", "y"))
        dry = draw_through(("a",), (), 3, nothing, "reshuffle")
        assert (dry.cards, dry.pile, dry.reshuffled) == (("a",), (), None)

    def test_one_card_is_taken_or_moved(self) -> None:
        assert take(PILE, "41b") == ("41a", "42a")
        assert move(PILE, ("old",), "41b") == (("41a", "42a"), ("41b", "old"))
        for act in (lambda: take(PILE, "43"), lambda: move(PILE, (), "43")):
            with pytest.raises(MalformedCommand) as error:
                act()
            assert error.value.reason == "CARD_NOT_THERE"

    def test_a_deck_is_split_by_year(self) -> None:
        assert split(PILE, lambda card: card[:2]) == {"41": ("41a", "41b"), "42": ("42a",)}

    def test_lost_and_doubled_cards_are_found(self) -> None:
        assert missing(PILE, ("41a",), ("42a", "41b")) == ((), ())
        assert missing(PILE, ("41a",), ("42a", "42a")) == (("41b",), ("42a",))

    @given(st.lists(st.integers(), unique=True), st.integers(0, 20))
    def test_drawing_conserves_the_cards(self, cards: list[int], count: int) -> None:
        drawn, rest = draw(tuple(cards), count)
        assert drawn + rest == tuple(cards)
        assert missing(cards, drawn, rest) == ((), ())


STACKS: dict[str, list[str]] = {"2215": ["army", "army", "leader", "army"], "2216": ["army", "leader"], "2217": []}


class TestStacking:
    @staticmethod
    def size(piece: str) -> int:
        return 0 if piece == "leader" else 1

    def test_exempt_pieces_do_not_count(self) -> None:
        assert counted(STACKS["2215"], self.size) == 3
        assert room(STACKS["2216"], self.size, 2) == 1
        assert room(STACKS["2215"], self.size, 2) == 0

    def test_overflows_name_the_space_the_excess_and_the_pieces(self) -> None:
        (found,) = overflows(STACKS, self.size, lambda _: 2)
        assert (found.space, found.counted, found.limit, found.excess) == ("2215", 3, 2, 1)
        assert found.pieces == ("army", "army", "army")

    def test_limits_differ_by_space_and_may_be_absent(self) -> None:
        limits = {"2215": None, "2216": 0, "2217": 0}
        assert [over.space for over in overflows(STACKS, self.size, limits.__getitem__)] == ["2216"]
        assert full(STACKS, self.size, lambda _: 2) == ("2215",)
        assert full(STACKS, self.size, lambda _: 2, adding=2) == ("2215", "2216")
        assert full(STACKS, self.size, lambda _: 3, adding=0) == ()
