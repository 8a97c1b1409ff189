"""Sea invasions in battle, airdrops, reinforcements in flight [VE 7.5] [VE 2.6] [VE 7.13]."""

from __future__ import annotations

from tests.support.table import Table

from .scene import SUMMER_1943, clash, fire, hold, place, scene, steps, targets


def brest(axis: str, allied: str, more: str = "", **clashing: object) -> Table:
    return scene(
        f"[axis]\nbrest: {axis}\n[allied]\nbrest: {allied}\nenglish_channel: bri_ca_4\n{more}\n"
        "[control]\ngermany: brest le_havre paris bordeaux\n",
        {"brest": clash("allied", "axis", invaded="english_channel", **clashing)},
        turn=SUMMER_1943,
        order=("allied", "axis"),
    )


class TestLanding:
    """VE 7.5: invaders are naval targets until they land, which they do before any ground unit fires."""

    def test_ships_and_aircraft_fire_at_them_first(self) -> None:
        table = brest("ger_inf_16a ger_ca_1(coast0)", "usa_inf_1a(from=english_channel)")
        assert targets(table, "ger_ca_1") == {"naval": "C2"}
        table = fire(table, "ger_ca_1", "naval", 1, 2)
        assert (steps(table, "usa_inf_1a"), table.state.battle.landed) == (2, True)

    def test_armies_find_them_ashore(self) -> None:
        table = brest("ger_inf_16a", "usa_inf_1a(from=english_channel)")
        assert targets(table, "ger_inf_16a") == {"army": "D2"}

    def test_panzers_wait_for_the_landing_although_they_are_class_c(self) -> None:
        table = brest("ger_pz_4a", "usa_inf_1a(from=english_channel) bri_bb_nelson(coast0,from=english_channel)")
        assert table.decisions() == [("allied", "turn")]
        table = fire(table, "bri_bb_nelson", "army")
        assert table.state.battle.landed
        assert targets(table, "ger_pz_4a") == {"army": "C2"}

    def test_the_fire_of_armies_comes_after_it(self) -> None:
        table = brest("ger_inf_16a(1)", "usa_inf_1a(from=english_channel)")
        table = fire(table, "ger_inf_16a", "army")
        table = fire(table, "usa_inf_1a", "army", 2)
        assert table.state.control["brest"] != "germany"

    def test_a_second_landing_is_not_needed(self) -> None:
        table = brest("ger_inf_16a", "usa_inf_1a(from=english_channel)")
        table = hold(table, "ger_inf_16a", "usa_inf_1a")
        assert table.state.battle.round == 2
        assert targets(table, "ger_inf_16a") == {"army": "D2"}

    def test_who_finds_nobody_ashore_takes_the_area(self) -> None:
        table = brest(
            "ger_ca_1(coast0,1)", "usa_inf_1a(from=english_channel) bri_bb_nelson(coast0,from=english_channel)"
        )
        table = fire(table, "ger_ca_1", "naval")
        table = fire(table, "bri_bb_nelson", "naval", 1)
        assert table.state.control["brest"] != "germany"
        assert not table.state.clashes


class TestAirdrop:
    """VE 2.6: an airborne block drops on its first turn in a battle and fires as an army."""

    def test_it_drops_and_fires(self) -> None:
        table = brest("ger_inf_16a", "usa_inf_1a(from=english_channel) usa_airborne(from=english_channel,aloft)")
        assert targets(table, "ger_inf_16a") == {"army": "D2", "air": "D1"}
        table = hold(table, "ger_inf_16a")
        table = fire(table, "usa_airborne", "army", 1)
        assert not table.state.blocks["usa_airborne"].aloft
        assert steps(table, "ger_inf_16a") == 3

    def test_one_that_comes_as_help_drops_in_the_second_round(self) -> None:
        table = brest(
            "ger_inf_16a ger_airborne(from=le_havre,aloft)", "usa_inf_1a(from=english_channel)", reinforced=True
        )
        table = hold(table, "ger_inf_16a", "usa_inf_1a")
        assert table.state.battle.round == 2
        assert table.state.blocks["ger_airborne"].aloft
        table = hold(table, "ger_airborne")
        assert not table.state.blocks["ger_airborne"].aloft

    def test_one_that_had_no_turn_drops_with_the_end_of_the_battle(self) -> None:
        table = brest("ger_inf_16a(1)", "usa_inf_1a(from=english_channel) usa_airborne(from=english_channel,aloft)")
        table = hold(table, "ger_inf_16a")
        table = fire(table, "usa_inf_1a", "army", 1)
        assert not table.state.blocks["usa_airborne"].aloft
        assert place(table, "usa_airborne") == "brest"

    def test_one_that_came_too_late_drops_too(self) -> None:
        table = brest(
            "ger_inf_16a ger_airborne(from=le_havre,aloft)", "usa_inf_1a(1,from=english_channel)", reinforced=True
        )
        table = fire(table, "ger_inf_16a", "army", 1)
        assert not table.state.blocks["ger_airborne"].aloft
