"""Diplomatic rolls [VE 10.2] [VE 3.31] [VE 13 Portugal] [VE 13 Italy] [VE 13 United States]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe.cards import CARDS
from stavka.games.victory_in_europe.diplomacy.events import DiplomacyRolled
from stavka.games.victory_in_europe.diplomacy.rolls import Pass, RollFor, modifiers
from stavka.games.victory_in_europe.events import BlockPlaced, MinorTurned, PowerEntered

from tests.support.table import Table

from ..field import SPRING_1941, SUMMER_1940, WINTER_1942, scene

WEST = ("germany", "britain", "france")
BLACK = next(c.id for c in CARDS.values() if c.color == "black" and c.event.kind != "diplomacy_bonus")
GREEN = next(c.id for c in CARDS.values() if c.color == "green" and c.event.kind != "diplomacy_bonus")
BLUE = next(c.id for c in CARDS.values() if c.color == "blue" and c.event.kind != "diplomacy_bonus")
RED = next(c.id for c in CARDS.values() if c.color == "red" and c.event.kind != "diplomacy_bonus")


def talks(blocks: str = "[axis]\nberlin: ger_inf_1a", axis: str = BLACK, allied: str = BLUE, **more: Any) -> Table:
    """The diplomacy phase."""
    header = {"at_war": WEST, "played": {"axis": axis, "allied": allied}, **more}
    return scene(blocks, phase="diplomacy", **header)


def added(table: Table, seat: str, country: str) -> dict[str, int]:
    return {what: amount for _, what, amount in modifiers(table.state, seat, country)}


class TestWhoRolls:
    """VE 10.2, VE 3.31: Player 1 first, for the side of the card's color."""

    def test_each_player_once_player_1_first(self) -> None:
        table = talks(order=("allied", "axis"))
        assert table.decisions() == [("allied", "diplomacy")]
        table = table.when(RollFor("norway"), "allied", rolls=[1, 1]).after()
        assert table.decisions() == [("axis", "diplomacy")]
        table = table.when(RollFor("spain"), "axis", rolls=[1, 1]).after()
        assert table.decisions() == []
        assert table.goes_on().after().state.frames[1].kind == "production"

    @pytest.mark.parametrize(
        ("axis", "allied", "powers"),
        [(BLACK, BLUE, ["germany", "britain"]), (GREEN, RED, ["italy", "soviet_union"])],
    )
    def test_color_names_the_power(self, axis: str, allied: str, powers: list[str]) -> None:
        table = talks(axis=axis, allied=allied)
        first = table.when(RollFor("bulgaria"), "axis", rolls=[1, 1])
        second = first.after().when(RollFor("bulgaria"), "allied", rolls=[1, 1])
        rolls = [event for event in (*first.events, *second.events) if isinstance(event, DiplomacyRolled)]
        assert [event.power for event in rolls] == powers

    def test_the_soviets_roll_only_for_countries_in_their_column(self) -> None:
        """VE Diplomatic Table"""
        table = talks(allied=RED, order=("allied", "axis"))
        table.when(RollFor("belgium"), "allied").refused("VE 10.2", "NO_ROLL_FOR_IT")
        assert RollFor("finland") in table.options("allied")

    def test_of_three_players_the_colors_own(self) -> None:
        """VE 12.0"""
        table = scene(
            "[axis]\nberlin: ger_inf_1a", phase="diplomacy", scenario="campaign_1939_three", at_war=WEST,
            played={"axis": BLACK, "allied": RED}, order=("allied", "soviet", "axis"),
        )  # fmt: skip
        assert table.decisions() == [("soviet", "diplomacy")]

    def test_a_player_may_pass(self) -> None:
        table = talks().when(Pass(), "axis").after()
        assert table.decisions() == [("allied", "diplomacy")]

    def test_nobody_is_asked_who_has_no_country_left(self) -> None:
        neutral = "albania"
        everybody = " ".join(talks().state.minors)
        table = talks(f"[axis]\nberlin: ger_inf_1a\n[minors]\nconquered: {everybody}", turn=SUMMER_1940)
        assert neutral not in everybody
        table = table.when(Pass(), "axis").after()  # Italy is left to the Axis, nobody to the Allies in 1940
        assert table.goes_on().after().state.frames[1].kind == "production"


class TestTheRoll:
    """VE 10.2"""

    def test_a_total_at_the_target_wins_one_below_does_not(self) -> None:
        """Hungary 7 for the Axis, which holds Germany next to it: six is enough with proximity."""
        table = talks()
        assert added(table, "axis", "hungary") == {"proximity": 1}
        lost = table.when(RollFor("hungary"), "axis", rolls=[3, 2]).lacks(MinorTurned)
        assert lost.state.minors["hungary"] == "neutral"
        won = table.when(RollFor("hungary"), "axis", rolls=[3, 3]).includes(MinorTurned("hungary", "axis"))
        assert won.state.minors["hungary"] == "axis"

    def test_the_winner_sets_up_the_minor_at_full_strength(self) -> None:
        won = talks().when(RollFor("bulgaria"), "axis", rolls=[6, 6]).after()
        assert won.decisions() == [("axis", "garrison")]
        options = won.options("axis")
        assert {area for option in options for area in dict(option.places).values()} == {"sofia", "varna"}  # type: ignore[attr-defined]
        placed = won.when(options[0], "axis").events
        assert [event.steps for event in placed if isinstance(event, BlockPlaced)] == [3, 2]

    def test_what_can_stand_in_one_place_only_needs_no_answer(self) -> None:
        won = talks().when(RollFor("denmark"), "axis", rolls=[6, 6]).after()
        assert won.state.blocks["den_inf_1a"].at == "denmark"
        assert won.state.blocks["den_inf_1a"].seat == "axis"

    def test_areas_that_the_enemy_holds_stay_his(self) -> None:
        table = talks("[allied]\nnarvik: bri_inf_bef\n[control]\nbritain: narvik")
        won = table.when(RollFor("norway"), "axis", rolls=[6, 6]).after()
        assert won.state.control["narvik"] == "britain"
        assert won.state.control["oslo"] == "norway"
        assert all("narvik" not in dict(option.places).values() for option in won.options("axis"))  # type: ignore[attr-defined]

    def test_forces_that_defended_it_serve_whoever_wins_it(self) -> None:
        """The Allied player defended Finland against the Soviets' ally; the Soviets win it over."""
        table = talks(
            "[allied]\nhelsinki: fin_inf_1a(1) fin_inf_2a",
            allied=RED,
            order=("allied", "axis"),
            attacked={"finland": "axis"},
        )
        won = table.when(RollFor("finland"), "allied", rolls=[6, 6]).after()
        piece = won.state.blocks["fin_inf_1a"]
        assert (piece.side, piece.at, piece.steps) == ("soviet", "helsinki", 1)

    def test_an_ally_or_a_conquered_country_is_no_choice(self) -> None:
        table = talks("[axis]\nberlin: ger_inf_1a\n[minors]\naxis: hungary\nconquered: denmark")
        for country in ("hungary", "denmark", "britain", "berlin"):
            table.when(RollFor(country), "axis").refused("VE 10.2", "NO_ROLL_FOR_IT")

    def test_vichy_is_one_once_it_exists(self) -> None:
        """VE 13 France"""
        talks().when(RollFor("vichy"), "axis").refused("VE 10.2", "NO_ROLL_FOR_IT")
        formed = talks("[axis]\nberlin: ger_inf_1a", scenario="barbarossa_1941", turn=SPRING_1941)
        won = formed.when(RollFor("vichy"), "axis", rolls=[6, 6]).after()
        assert {b: p.steps for b, p in won.state.blocks.items() if p.nation == "vichy"} == {
            "vic_inf_1a": 2, "vic_ca": 1, "vic_inf_alg": 1, "vic_inf_tun": 1,
        }  # fmt: skip


class TestModifiers:
    """VE 10.2"""

    def test_proximity_by_land_and_by_a_friendly_sea(self) -> None:
        assert added(talks(), "axis", "spain") == {}
        by_land = talks("[control]\ngermany: bordeaux")
        assert added(by_land, "axis", "spain") == {"proximity": 1}
        by_sea = talks("[axis]\nbay_of_biscay: ger_ub_1")
        assert added(by_sea, "axis", "spain") == {"proximity": 1}

    def test_no_proximity_for_italy_and_the_united_states(self) -> None:
        assert added(talks(), "axis", "italy") == {}
        allied = talks(turn=SPRING_1941, order=("allied", "axis"))
        assert added(allied, "allied", "united_states") == {}

    def test_neutral_italy_is_near_to_its_own_neighbors(self) -> None:
        assert added(talks(axis=GREEN), "axis", "greece") == {"proximity": 1}
        assert added(talks(axis=BLACK), "axis", "greece") == {}

    def test_rebuff_helps_player_2_for_the_same_country_in_the_same_turn(self) -> None:
        table = talks().when(RollFor("turkey"), "axis", rolls=[1, 1]).after()
        assert added(table, "allied", "turkey")["rebuff"] == 1
        assert "rebuff" not in added(table, "allied", "sweden")
        later = talks(affairs={"rebuff": [SUMMER_1940 - 1, "turkey"]})
        assert "rebuff" not in added(later, "allied", "turkey")

    def test_no_rebuff_for_player_1_himself(self) -> None:
        table = talks(affairs={"rebuff": [SUMMER_1940, "turkey"]})
        assert "rebuff" not in added(table, "axis", "turkey")

    def test_defender_once(self) -> None:
        table = talks(affairs={"defended": {"norway": "allied"}}, order=("allied", "axis"))
        assert added(table, "allied", "norway")["defender"] == 2
        assert "defender" not in added(table, "axis", "norway")
        after = table.when(RollFor("norway"), "allied", rolls=[1, 1]).after()
        assert "defender" not in added(after, "allied", "norway")
        assert after.state.affairs.spent == {"norway"}

    def test_another_country_does_not_use_it_up(self) -> None:
        table = talks(affairs={"defended": {"norway": "allied"}}, order=("allied", "axis"))
        after = table.when(RollFor("sweden"), "allied", rolls=[1, 1]).after()
        assert after.state.affairs.defended == {"norway": "allied"}

    def test_a_british_portugal_helps_the_axis_in_spain(self) -> None:
        """VE 13 Portugal"""
        table = talks("[axis]\nberlin: ger_inf_1a\n[minors]\nallied: portugal", allied=BLUE)
        assert added(table, "axis", "spain") == {"portugal": 1}
        assert "portugal" not in added(table, "allied", "spain")

    def test_a_card_helps_for_the_countries_that_it_names(self) -> None:
        """VE 3.3"""
        card = next(c for c in CARDS.values() if c.color == "black" and c.event.kind == "diplomacy_bonus")
        table = talks(axis=card.id)
        country = card.event.countries[0]
        assert added(table, "axis", country)["card"] == card.event.amount
        assert "card" not in added(table, "axis", "sweden")
        after = table.when(RollFor(country), "axis", rolls=[1, 1]).after()
        assert after.state.effects == ("axis",)

    def test_all_of_them_add_up(self) -> None:
        table = talks(
            "[allied]\nnorth_sea: bri_ca_1",
            affairs={"defended": {"norway": "allied"}, "rebuff": [SUMMER_1940, "norway"]},
        )
        assert added(table, "allied", "norway") == {"proximity": 1, "rebuff": 1, "defender": 2}
        table = table.when(Pass(), "axis").after()
        won = table.when(RollFor("norway"), "allied", rolls=[1, 2]).after()
        assert won.state.minors["norway"] == "allied"


class TestMajors:
    """VE 13 Italy, VE 13 United States"""

    def test_italy_joins_the_axis_at_seven(self) -> None:
        table = talks()
        table.when(RollFor("italy"), "axis", rolls=[3, 3]).lacks(PowerEntered)
        table.when(RollFor("italy"), "axis", rolls=[4, 3]).includes(PowerEntered("italy", SUMMER_1940))
        talks(order=("allied", "axis")).when(RollFor("italy"), "allied").refused("VE 10.2", "NO_ROLL_FOR_IT")

    def test_the_united_states_from_1941_on(self) -> None:
        early = talks(order=("allied", "axis"))
        early.when(RollFor("united_states"), "allied").refused("VE 10.2", "NO_ROLL_FOR_IT")
        table = talks(order=("allied", "axis"), turn=SPRING_1941)
        table.when(RollFor("united_states"), "allied", rolls=[5, 2]).includes(
            PowerEntered("united_states", SPRING_1941)
        )

    def test_their_entry_ends_all_rolls_at_once(self) -> None:
        """VE 10.2: also the other player's in that phase."""
        table = talks(order=("allied", "axis"), turn=SPRING_1941)
        after = table.when(RollFor("united_states"), "allied", rolls=[6, 6]).after()
        assert after.decisions() == []
        assert after.goes_on().after().state.frames[1].kind == "production"

    def test_no_rolls_afterwards(self) -> None:
        table = talks(turn=WINTER_1942, at_war=(*WEST, "united_states"))
        assert table.goes_on().after().state.frames[1].kind == "production"
