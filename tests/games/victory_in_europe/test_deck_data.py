"""Victory in Europe's decks: how many cards, whose, how strong, with which events."""

from __future__ import annotations

from collections import Counter

import pytest
from stavka.games.victory_in_europe import load

from .atlas import PLAYER


class TestDecks:
    """VE 3.1, VE 3.3, VE 3.31."""

    @pytest.mark.parametrize("player", ["axis", "allied"])
    def test_54_cards_six_then_eight_a_year(self, player: str) -> None:
        """VE 3.1."""
        years = Counter(card.year for card in load.deck(player))
        assert years == {1939: 6, **dict.fromkeys(range(1940, 1946), 8)}
        assert len({card.title for card in load.deck(player)}) == 54

    def test_colors(self) -> None:
        """VE 3.31: each year has cards of both powers of a side."""
        for player, colors in {"axis": {"black", "green"}, "allied": {"blue", "red"}}.items():
            for year in range(1939, 1946):
                assert {c.color for c in load.deck(player) if c.year == year} == colors

    @pytest.mark.parametrize(
        ("player", "commands", "sums"),
        [
            ("axis", [17, 24, 25, 22, 18, 15, 12], {3, 4, 5}),
            ("allied", [12, 17, 19, 24, 27, 30, 30], {4, 5, 6}),
        ],
    )
    def test_balance(self, player: str, commands: list[int], sums: set[int]) -> None:
        """VE 3.2: sums of command numbers by year, and no card much better than another of its deck."""
        deck = load.deck(player)
        assert [sum(c.cm for c in deck if c.year == year) for year in range(1939, 1946)] == commands
        assert {c.cm + c.weight for c in deck} == sums

    def test_events_keep_to_their_owner(self) -> None:
        """VE 3.3, VE 3.31: losses hit the enemy, all else the owner's own nations."""
        own = {"axis": {"germany", "italy"}, "allied": {"britain", "france", "united_states", "soviet_union"}}
        for player, majors in own.items():
            for card in load.deck(player):
                nations = set(card.event.nations) & set(PLAYER)
                hostile = card.event.kind in ("step_loss", "production_loss")
                assert not nations & (majors if hostile else set(PLAYER) - majors), card.id
                if card.color == "red" and not hostile:
                    assert nations <= {"soviet_union"}

    def test_whole_vocabulary_is_used(self) -> None:
        """VE 3.3."""
        used = {card.event.kind for player in ("axis", "allied") for card in load.deck(player)}
        assert used == set(load.EVENT_KINDS)

    def test_the_card_that_the_print_mentions(self) -> None:
        """VE 3.3: Shock 41 and Zhukov leave the Urals early in 1941."""
        card = next(c for c in load.deck("allied") if c.event.kind == "release_unit")
        assert card.year == 1941
        assert set(card.event.blocks) == {"sov_shock_41", "sov_ldr_zhukov"}
        at = {u.block: u.area for u in load.scenario("barbarossa_1941").units}
        assert at["sov_shock_41"] == at["sov_ldr_zhukov"] == "urals"
