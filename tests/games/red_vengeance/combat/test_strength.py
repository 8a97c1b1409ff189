"""How many dice: factors, terrain, supply, weather."""

import pytest
from stavka.games.red_vengeance.combat.battle import ATTACKER, DEFENDER
from stavka.games.red_vengeance.combat.events import BattleRolled

from tests.games.red_vengeance.combat.scene import battle, pools, scene


class TestProcedure:
    """RV 8.43"""

    def test_printed_example(self) -> None:
        """A 4-3 infantry army against a reduced 2-5 armor corps on clear ground: 4 dice and 2 dice, sixes hit."""
        table = scene(axis="1906: ger-xxxix-pz(reduced)", allied="1905: sov-3")
        declared = table.when(battle("1906", "sov-3"), "allied").after()
        outcome = declared.goes_on([6, 5, 1, 2, 6, 6])
        rolled = next(event for event in outcome.events if isinstance(event, BattleRolled))
        assert (rolled.attack, rolled.defense) == ((6, 5, 1, 2), (6, 6))
        assert rolled.hits == {DEFENDER: 1, ATTACKER: 2}

    def test_factors_of_all_units_are_added(self) -> None:
        table = scene(axis="1906: ger-i ger-xxxix-pz", allied="1905: sov-3 sov-1gt; 1805: sov-5(reduced)")
        ours, theirs = pools(table, "1906", "sov-3 sov-1gt sov-5")
        assert (ours.total, theirs.total) == (4 + 6 + 2, 3 + 4)


class TestTerrain:
    """RV 8.44"""

    def test_one_location_counts_for_the_whole_battle(self) -> None:
        table = scene(axis="1414: ger-i", allied="1413: sov-3; 1514: sov-1gt", visited="1414")
        ours, _ = pools(table, "1414", "sov-3 sov-1gt")
        assert ours.total == 4 + 6 - 1
        assert ours.location == ("1414",)

    def test_the_one_that_costs_most(self) -> None:
        table = scene(axis="1414: ger-i", allied="1413: sov-3 sov-5; 1514: sov-1gt", visited="1414")
        ours, _ = pools(table, "1414", "sov-3 sov-5 sov-1gt")
        assert ours.total == 4 + 4 + 6 - 2
        assert ours.location == ("1413", "1414")

    def test_commanders_dice_are_among_those_that_it_costs(self) -> None:
        """RV 11.21: across the river one factor is left beside Zhukov, and so one die of his two."""
        table = scene(axis="0107: ger-i", allied="0206: sov-39(reduced) zhukov; 0106: sov-2t")
        ours, _ = pools(table, "0107", "sov-39 sov-2t")
        assert (ours.total, ours.location) == (1 + 6 + 1, ("0206", "0107"))

    def test_a_commander_with_factors_enough_does_not_tell(self) -> None:
        table = scene(axis="0107: ger-i", allied="0206: sov-39 zhukov; 0106: sov-2t")
        ours, _ = pools(table, "0107", "sov-39 sov-2t")
        assert (ours.total, ours.location) == (4 + 5 + 2, ("0107",))

    def test_city_and_fortress_of_one_hex_count_together(self) -> None:
        """Berlin is both: an armor army loses 1 and 1."""
        table = scene(axis="1422: ger-i", allied="1421: sov-3 sov-1gt")
        ours, _ = pools(table, "1422", "sov-3 sov-1gt")
        assert ours.total == (4 - 1) + (6 - 2)

    def test_of_several_attacked_hexes_the_worst(self) -> None:
        table = scene(axis="1805: ger-i; 1806: ger-x", allied="1706: sov-1gt")
        ours, _ = pools(table, "1805 1806", "sov-1gt")
        assert (ours.total, ours.location) == (5, ("1805",))


class TestTerrainEffects:
    """RV 9.1"""

    def test_rough_adds_to_each_defender(self) -> None:
        """Two 3-3 infantry corps in rough ground roll 8 dice, as printed."""
        table = scene(axis="2010: ger-i ger-x", allied="2009: sov-3")
        ours, theirs = pools(table, "2010", "sov-3")
        assert (ours.total, theirs.total) == (4, 8)

    def test_forest_and_swamp_add_one_to_the_hex(self) -> None:
        _, forest = pools(scene(axis="1008: ger-i ger-x", allied="1108: sov-3"), "1008", "sov-3")
        _, swamp = pools(scene(axis="1306: ger-i ger-x", allied="1305: sov-3"), "1306", "sov-3")
        assert (forest.total, swamp.total) == (7, 7)

    def test_armor_attacking_out_of_a_swamp_is_halved_up(self) -> None:
        table = scene(axis="1305: ger-i", allied="1306: sov-1gt(reduced) sov-3")
        ours, _ = pools(table, "1305", "sov-1gt sov-3")
        assert ours.total == 2 + 4

    def test_a_small_city_costs_armor_one_and_gives_nothing(self) -> None:
        table = scene(axis="1805: ger-i", allied="1804: sov-1gt sov-3")
        ours, theirs = pools(table, "1805", "sov-1gt sov-3")
        assert (ours.total, theirs.total) == (5 + 4, 3)

    def test_a_major_city_adds_one_to_its_defenders(self) -> None:
        table = scene(axis="1414: ger-i ger-x", allied="1514: sov-1gt")
        ours, theirs = pools(table, "1414", "sov-1gt")
        assert (ours.total, theirs.total) == (5, 7)

    def test_a_river_costs_each_unit_one(self) -> None:
        table = scene(axis="1906: ger-i", allied="2006: sov-3 sov-1gt(reduced)")
        ours, _ = pools(table, "1906", "sov-3 sov-1gt")
        assert (ours.total, ours.location) == (3 + 2, ("2006", "1906"))

    def test_a_fortress_costs_each_allied_unit_one(self) -> None:
        ours, _ = pools(scene(axis="1422: ger-i", allied="1421: sov-3 sov-5"), "1422", "sov-3 sov-5")
        assert ours.total == 3 + 3
        table = scene(axis="1421: ger-i", allied="1422: sov-3", phase="combat axis")
        axis, _ = pools(table, "1422", "ger-i")
        assert axis.total == 3

    def test_german_defenders_of_a_fortress_hit_on_five(self) -> None:
        table = scene(axis="2215: ger-i hun-3", allied="2214: sov-3", hitler_alive="no")
        _, theirs = pools(table, "2215", "sov-3")
        assert (theirs.fortress, theirs.fortress_from, theirs.dice) == (3 + 1, 5, 2)
        rolled = table.when(battle("2215", "sov-3"), "allied").after().goes_on([1, 1, 1, 5, 6, 5, 4, 6, 1])
        assert next(e for e in rolled.events if isinstance(e, BattleRolled)).hits[ATTACKER] == 3

    def test_a_fortress_that_allied_units_have_entered_is_none(self) -> None:
        table = scene(axis="2215: ger-i", allied="2214: sov-3", visited="2215")
        ours, theirs = pools(table, "2215", "sov-3")
        assert (ours.total, theirs.fortress, theirs.dice) == (4, 0, 4)


class TestDresden:
    """RV 11.5"""

    @pytest.mark.parametrize(("turn", "defense"), [(9, 4), (10, 3)])
    def test_it_is_a_small_city_in_the_turns_after_february(self, turn: int, defense: int) -> None:
        table = scene(axis="1622: ger-i", allied="1621: sov-1gt", turn=turn, visited="1622")
        ours, theirs = pools(table, "1622", "sov-1gt")
        assert (ours.total, theirs.total) == (5, defense)


class TestMultipleEffects:
    """RV 9.2"""

    def test_printed_example(self) -> None:
        """A 6-5 armor army attacks a city in snow: 6 - 1 = 5, halved and rounded up to 3."""
        table = scene(axis="1805: ger-i", allied="1804: sov-1gt", weather="snow", turn=8)
        ours, _ = pools(table, "1805", "sov-1gt")
        assert ours.total == 3
        assert [(step.before, step.after) for step in ours.units[0].account.steps] == [(6, 5), (5, 3)]

    def test_a_factor_never_falls_below_nothing(self) -> None:
        table = scene(axis="2006: ger-marine", allied="1906: sov-3", phase="combat axis", turn=9)
        ours, _ = pools(table, "1906", "ger-marine")
        assert ours.total == 0
        table.when(battle("1906", "ger-marine"), "axis").after().goes_on([1] * 4).after()

    def test_rough_is_added_before_halving(self) -> None:
        table = scene(axis="2010: ger-i", allied="2009: sov-3; 1910: sov-5; 1911: sov-13; 2110: sov-22; 2111: sov-27")
        table.state.at["sov-28"] = "2011"
        table.state.steps["sov-28"] = 2
        table.state._board = None
        _, theirs = pools(table, "2010", "sov-3")
        assert theirs.total == 2


class TestSupply:
    """RV 8.45"""

    SURROUNDED = "1905: sov-3; 1805: sov-5; 1806: sov-13; 1907: sov-22; 2006: sov-27; 2005: sov-28"

    def test_defenders_cut_off_fight_halved(self) -> None:
        table = scene(axis="1906: ger-i", allied=self.SURROUNDED)
        _, theirs = pools(table, "1906", "sov-3")
        assert theirs.total == 2
        declared = table.when(battle("1906", "sov-3 sov-5 sov-13 sov-22 sov-27 sov-28"), "allied").after()
        assert declared.state.battle.oos == {"ger-i"}

    def test_attackers_too(self) -> None:
        lines = "1905: ger-l; 1805: ger-x; 1806: ger-ii; 1907: ger-ix; 2006: ger-liii; 2005: ger-vi"
        table = scene(axis=lines, allied="1906: sov-3", phase="combat allied")
        ours, _ = pools(table, "1805 1806 1905 1907 2005 2006", "sov-3")
        assert ours.total == 2  # (4 - 1 for the river) / 2, fractions up

    def test_marks_of_the_command_phase_do_not_count(self) -> None:
        table = scene(axis="1906: ger-i(oos)", allied="1905: sov-3(oos)")
        ours, theirs = pools(table, "1906", "sov-3")
        assert (ours.total, theirs.total) == (4, 3)


class TestWeather:
    """RV 13.0"""

    @pytest.mark.parametrize(
        ("unit", "dice"), [("sov-3", 2), ("sov-8g", 3), ("sov-1gt", 3), ("sov-1s", 5), ("sov-baranov-cav", 2)]
    )
    def test_snow_halves_attackers_but_for_shock_armies(self, unit: str, dice: int) -> None:
        table = scene(axis="1906: ger-i", allied=f"1905: {unit}", weather="snow", turn=8)
        ours, theirs = pools(table, "1906", unit)
        assert (ours.total, theirs.total) == (dice, 3)

    def test_mountain_units_and_support_are_unhurt(self) -> None:
        table = scene(
            axis="1906: ger-xlix-mtn", allied="1905: sov-3 zhukov", weather="snow", turn=8, phase="combat axis", air=1
        )
        ours, _ = pools(table, "1905", "ger-xlix-mtn", air=True)
        assert ours.total == 4
        table = scene(axis="1906: ger-i", allied="1905: sov-3 zhukov", weather="snow", turn=8)
        assert pools(table, "1906", "sov-3")[0].total == 2 + 2

    def test_swamps_freeze(self) -> None:
        table = scene(axis="1306: ger-i", allied="1305: sov-3", weather="snow", turn=8)
        assert pools(table, "1306", "sov-3")[1].total == 3
        table = scene(axis="1305: ger-i", allied="1306: sov-1gt", weather="snow", turn=8)
        assert pools(table, "1305", "sov-1gt")[0].total == 3

    @pytest.mark.parametrize("weather", ["light_mud", "mud"])
    def test_mud_does_not_touch_strength(self, weather: str) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3", weather=weather)
        assert pools(table, "1906", "sov-3")[0].total == 4
