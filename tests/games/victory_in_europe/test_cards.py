"""Cards, commands, initiative and events before battle [VE 3.1] [VE 3.2] [VE 3.3] [VE 3.31] [VE 12.0]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe.card_events import CardsRevealed, HandDealt, LeaderNamed, OffersSettled
from stavka.games.victory_in_europe.cards import CARDS, NameLeader, OfferCard, PlayCard, event_of
from stavka.games.victory_in_europe.commitments import AllotEvent, ChooseLosses, battles_for
from stavka.games.victory_in_europe.events import EffectUsed, EventAllotted
from stavka.games.victory_in_europe.load import deck
from stavka.kernel.dice import SeededRoll

from tests.support.table import Table

from .field import SUMMER_1940, card_with, move, scene


def year_of(player: str, year: int) -> list[str]:
    return [card.id for card in deck(player) if card.year == year]


def cards(
    hands: dict[str, list[str]], *, scenario: str = "campaign_1939", step: str = "choose", **more: object
) -> Table:
    camps = {seat: {"hand": hand} for seat, hand in hands.items()}
    seats = ("axis", "allied", "soviet") if scenario.endswith("_three") else ("axis", "allied")
    return scene("", phase=f"cards - {step}", camps=camps, scenario=scenario, order=seats, **more)  # type: ignore[arg-type]


class TestGameYears:
    """VE 3.1 VE [1]"""

    @pytest.mark.parametrize(("turn", "year", "held"), [(1, 1939, 2), (3, 1940, 4)])
    def test_a_year_begins_with_a_deal(self, turn: int, year: int, held: int) -> None:
        table = scene("", phase="cards", turn=turn)
        events = table.game.react(table.state, SeededRoll(b"deal"))
        dealt = {event.seat: event.hand for event in events if isinstance(event, HandDealt)}
        assert {seat: len(hand) for seat, hand in dealt.items()} == {"axis": held, "allied": held}
        assert all(CARDS[card].year == year for hand in dealt.values() for card in hand)

    def test_no_deal_while_cards_are_held(self) -> None:
        table = cards({"axis": year_of("axis", 1940)[:2], "allied": year_of("allied", 1940)[:2]}, step="")
        table.goes_on().lacks(HandDealt)

    @pytest.mark.parametrize(
        ("scenario", "turn", "axis", "allied", "soviet"),
        [
            ("campaign_1939_three", 1, 2, 1, 1),
            ("barbarossa_1941_three", 8, 3, 1, 2),
            ("bagration_1944_three", 20, 3, 2, 1),
            ("campaign_1939_three", 3, 4, 2, 2),
        ],
    )
    def test_three_players_share_the_allied_deck(
        self, scenario: str, turn: int, axis: int, allied: int, soviet: int
    ) -> None:
        """VE 12.0 VE S 1941 VE S 1944"""
        table = scene("", phase="cards", turn=turn, scenario=scenario)
        events = table.game.react(table.state, SeededRoll(b"deal"))
        dealt = {event.seat: len(event.hand) for event in events if isinstance(event, HandDealt)}
        assert dealt == {"axis": axis, "allied": allied, "soviet": soviet}


class TestCommands:
    """VE 3.2"""

    def pair(self, axis: int, allied: int, color: str = "blue") -> tuple[str, str]:
        ours = next(c.id for c in deck("axis") if c.cm == axis)
        theirs = next(c.id for c in deck("allied") if c.cm == allied and c.color == color)
        return ours, theirs

    def revealed(self, axis: int, allied: int, color: str = "blue", **more: object) -> CardsRevealed:
        ours, theirs = self.pair(axis, allied, color)
        table = cards({"axis": [ours], "allied": [theirs]}, **more)
        table = table.when(PlayCard("allied", theirs), "allied").after()
        table = table.when(PlayCard("axis", ours), "axis").after()
        return next(e for e in table.goes_on().events if isinstance(e, CardsRevealed))

    def test_both_choose_at_once_in_any_order(self) -> None:
        ours, theirs = self.pair(3, 2)
        table = cards({"axis": [ours], "allied": [theirs]})
        assert table.decisions() == [("axis", "card"), ("allied", "card")]
        before = [d for d in table.game.decisions(table.state) if d.seat == "axis"]
        after = table.when(PlayCard("allied", theirs), "allied").after()
        assert after.game.decisions(after.state) == tuple(before)

    def test_the_higher_card_moves_first(self) -> None:
        assert self.revealed(2, 3).order == ("allied", "axis")
        assert self.revealed(3, 2).order == ("axis", "allied")

    def test_the_axis_wins_ties(self) -> None:
        assert self.revealed(3, 3).order == ("axis", "allied")

    def test_one_pool_until_the_turn_after_the_soviet_entry(self) -> None:
        west = ("germany", "britain", "france")
        assert self.revealed(2, 3, at_war=west).commands == {"axis": 2, "allied": 3}
        assert self.revealed(2, 3, entered={"soviet_union": SUMMER_1940}).commands == {"axis": 2, "allied": 3}

    def test_afterwards_they_share_and_the_odd_one_follows_the_color(self) -> None:
        later = {"soviet_union": 1}
        assert self.revealed(2, 3, "blue", entered=later).commands == {"axis": 2, "allied": 2, "soviet": 1}
        assert self.revealed(2, 3, "red", entered=later).commands == {"axis": 2, "allied": 1, "soviet": 2}

    def test_only_a_card_of_the_hand_may_be_played(self) -> None:
        ours, theirs = self.pair(3, 2)
        table = cards({"axis": [ours], "allied": [theirs]})
        table.when(PlayCard("axis", theirs), "axis").refused("VE 3.2", "CARD_NOT_IN_HAND")

    def test_a_second_card_is_refused(self) -> None:
        table = cards({"axis": year_of("axis", 1940)[:2], "allied": year_of("allied", 1940)[:2]})
        first, second = year_of("axis", 1940)[:2]
        after = table.when(PlayCard("axis", first), "axis").after()
        after.when(PlayCard("axis", second), "axis").refused("VE 3.2", "NOT_YOUR_DECISION")

    def test_the_soviets_spend_from_the_common_pool(self) -> None:
        table = scene("[soviet]\nmoscow: sov_inf4_1", phase="move allied", commands={"axis": 1, "allied": 2})
        after = move(table, "sov_inf4_1", "moscow", "kiev", by="strategic").after()
        assert after.state.commands == {"axis": 1, "allied": 1}


class TestColors:
    """VE 3.31"""

    def test_a_red_card_is_the_soviet_players_event(self) -> None:
        red = next(card for card in deck("allied") if card.color == "red")
        two = scene("", phase="events", played={"axis": "axis_1940_1", "allied": red.id})
        assert event_of(two.state, "allied") == red.event
        three = scene(
            "", phase="events", scenario="campaign_1939_three", played={"axis": "axis_1940_1", "allied": red.id}
        )
        assert event_of(three.state, "allied") is None
        assert event_of(three.state, "soviet") == red.event


class TestThreePlayers:
    """VE 12.0"""

    THREE = "campaign_1939_three"

    def hands(self, allied: int = 2, soviet: int = 2) -> dict[str, list[str]]:
        names = year_of("allied", 1940)
        return {"axis": year_of("axis", 1940)[:4], "allied": names[:allied], "soviet": names[4 : 4 + soviet]}

    def test_partners_exchange_a_card_if_both_offer_one(self) -> None:
        hands = self.hands()
        table = cards(hands, scenario=self.THREE, step="exchange")
        table = table.when(OfferCard("allied", hands["allied"][0]), "allied").after()
        table = table.when(OfferCard("soviet", hands["soviet"][1]), "soviet").after()
        after = table.goes_on().includes(OffersSettled(True))
        assert set(after.state.camps["allied"].hand) == {hands["allied"][1], hands["soviet"][1]}
        assert set(after.state.camps["soviet"].hand) == {hands["soviet"][0], hands["allied"][0]}

    def test_nothing_changes_hands_if_one_declines(self) -> None:
        hands = self.hands()
        table = cards(hands, scenario=self.THREE, step="exchange")
        table = table.when(OfferCard("allied", hands["allied"][0]), "allied").after()
        table = table.when(OfferCard("soviet", "-"), "soviet").after()
        after = table.goes_on().includes(OffersSettled(False))
        assert after.state.camps["allied"].hand == tuple(hands["allied"])

    def test_only_ones_own_cards_are_offered(self) -> None:
        hands = self.hands()
        table = cards(hands, scenario=self.THREE, step="exchange")
        table.when(OfferCard("allied", hands["soviet"][0]), "allied").refused("VE 3.2", "CARD_NOT_IN_HAND")

    def test_they_say_who_plays_first_and_then_alternate(self) -> None:
        table = cards(self.hands(), scenario=self.THREE, step="leader")
        table.when(NameLeader("axis"), "allied").refused("VE 12.0", "NOT_A_PARTNER")
        table.when(NameLeader("soviet"), "allied").includes(LeaderNamed("soviet"))
        later = cards(self.hands(), scenario=self.THREE, step="leader", leader="soviet")
        later.goes_on().includes(LeaderNamed("allied"))

    def test_who_has_cards_left_plays(self) -> None:
        table = cards(self.hands(allied=0), scenario=self.THREE, step="leader", leader="soviet")
        table.goes_on().includes(LeaderNamed("soviet"))

    def test_the_color_says_which_partner_moves_first(self) -> None:
        red = next(card for card in deck("allied") if card.color == "red" and card.cm <= 2)
        table = cards({"axis": ["axis_1939_1"], "allied": [red.id], "soviet": []}, scenario=self.THREE, leader="allied")
        assert table.decisions() == [("axis", "card"), ("allied", "card")]
        table = table.when(PlayCard("allied", red.id), "allied").after()
        table = table.when(PlayCard("axis", "axis_1939_1"), "axis").after()
        revealed = next(e for e in table.goes_on().events if isinstance(e, CardsRevealed))
        assert revealed.order == ("axis", "soviet", "allied")


BATTLES = """
[axis]
paris: ger_inf_1a(4,from=calais)
lyon: ger_inf_3a(4,from=paris)
[allied]
paris: fra_inf_1a
lyon: fra_inf_2a
"""
CLASHES = {"paris": {"attacker": "axis", "defender": "allied"}, "lyon": {"attacker": "axis", "defender": "allied"}}


class TestCardEvents:
    """VE 3.3"""

    def events(self, axis: str, allied: str, blocks: str = BATTLES, **more: object) -> Table:
        return scene(blocks, phase="events", clashes=CLASHES, played={"axis": axis, "allied": allied}, **more)  # type: ignore[arg-type]

    def quiet(self, player: str) -> str:
        """A card whose event has nothing to do with combat."""
        return next(card.id for card in deck(player) if card.event.phase != "combat")

    def test_the_battle_is_named_before_any_is_fought_player_1_first(self) -> None:
        table = self.events(card_with("extend_battle", "germany"), card_with("orderly_retreat", "france"))
        assert table.decisions() == [("axis", "event")]
        table = table.when(AllotEvent("paris"), "axis").then(EventAllotted("axis", "paris"))
        assert table.decisions() == [("allied", "event")]
        table = table.when(AllotEvent("paris"), "allied").after()
        assert table.state.allotted == {"paris": ("axis", "allied")}

    def test_only_a_battle_of_ones_own(self) -> None:
        table = self.events(card_with("extend_battle", "germany"), self.quiet("allied"))
        table.when(AllotEvent("london"), "axis").refused("VE 3.3", "NO_SUCH_BATTLE")

    def test_an_event_may_pass(self) -> None:
        table = self.events(card_with("extend_battle", "germany"), self.quiet("allied"))
        after = table.when(AllotEvent(""), "axis").then(EffectUsed("axis"))
        assert event_of(after.state, "axis") is None

    def test_without_a_battle_of_its_nations_it_passes_by_itself(self) -> None:
        table = self.events(self.quiet("axis"), card_with("firepower_bonus", "soviet_union"))
        table.goes_on().includes(EffectUsed("allied"))

    def test_battles_are_listed_by_nation_and_never_by_type(self) -> None:
        card = CARDS[card_with("firepower_bonus", "germany", types=frozenset({"dive_bomber"}))]
        state = self.events(card.id, self.quiet("allied")).state
        assert battles_for(state, "axis", card.event) == ("paris", "lyon")

    def test_losses_are_picked_by_their_owner_and_are_never_last_steps(self) -> None:
        card = card_with("step_loss", "britain")
        event = CARDS[card].event
        blocks = "[allied]\nlondon: bri_ca_1(3)\nliverpool: bri_ca_2(2)\nbelfast: bri_ca_3(1)\nscotland: bri_ca_4(4)"
        table = scene(blocks, phase="events", played={"axis": card, "allied": self.quiet("allied")})
        assert table.decisions() == [("allied", "losses")]
        assert event.amount == 2
        table.when(ChooseLosses("allied", ("bri_ca_1", "bri_ca_3")), "allied").refused("VE 3.3", "NOT_A_VICTIM")
        table.when(ChooseLosses("allied", ("bri_ca_1",)), "allied").refused("VE 3.3", "WRONG_NUMBER_OF_LOSSES")
        after = table.when(ChooseLosses("allied", ("bri_ca_1", "bri_ca_4")), "allied").after()
        assert [after.state.blocks[b].steps for b in ("bri_ca_1", "bri_ca_4")] == [2, 3]
        assert len(table.options("allied")) == 3

    def test_losses_fall_on_powers_at_war_alone(self) -> None:
        """VE 13 Italy"""
        blocks = "[axis]\ntaranto: ita_ca_1(3)\n[allied]\nmalta: bri_ca_1"
        played = {"axis": self.quiet("axis"), "allied": card_with("step_loss", "italy")}
        at_war = ("germany", "britain", "france")
        table = scene(blocks, phase="events", played=played, at_war=at_war)
        assert table.options("axis") == [ChooseLosses("axis", ())]
        table.when(ChooseLosses("axis", ("ita_ca_1",)), "axis").refused("VE 3.3", "NOT_A_VICTIM")
        table = scene(blocks, phase="events", played=played, at_war=(*at_war, "italy"))
        assert table.options("axis") == [ChooseLosses("axis", ("ita_ca_1",))]

    def test_of_a_neutral_america_they_fall_on_its_convoy_alone(self) -> None:
        """VE 7.81"""
        blocks = "[allied]\nusa: usa_ca_1(3)\nconvoy_b: usa_convoy_b(2)"
        played = {"axis": card_with("step_loss", "united_states"), "allied": self.quiet("allied")}
        table = scene(blocks, phase="events", played=played, at_war=("germany", "britain"))
        assert table.options("allied") == [ChooseLosses("allied", ("usa_convoy_b",))]
        table = scene(blocks, phase="events", played=played)
        assert table.options("allied") == [ChooseLosses("allied", ("usa_ca_1", "usa_convoy_b"))]

    def test_they_are_dealt_by_the_power_whose_card_it_is(self) -> None:
        """VE 3.31: a red card hits nobody while the Soviets are at peace."""
        blocks = "[axis]\nvilna: ger_inf_16a(3)"
        red = next(c for c in deck("allied") if c.color == "red" and "vilna" in c.event.areas)
        played = {"axis": self.quiet("axis"), "allied": red.id}
        at_war = ("germany", "britain")
        table = scene(blocks, phase="events", played=played, at_war=at_war)
        assert table.options("axis") == [ChooseLosses("axis", ())]
        table = scene(blocks, phase="events", played=played, at_war=(*at_war, "soviet_union"))
        assert table.options("axis") == [ChooseLosses("axis", ("ger_inf_16a",))]

    def test_the_owner_is_asked_even_if_he_has_no_choice(self) -> None:
        """Else the question would tell how many such units there are."""
        table = scene(
            "", phase="events", played={"axis": card_with("step_loss", "britain"), "allied": self.quiet("allied")}
        )
        assert table.options("allied") == [ChooseLosses("allied", ())]
        table.when(ChooseLosses("allied", ()), "allied").then(EffectUsed("axis"))
