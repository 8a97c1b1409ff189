"""How many dice: factors, terrain, supply, weather, commanders, support."""

import pytest
from stavka.games.red_vengeance.combat.battle import ATTACKER, DEFENDER
from stavka.games.red_vengeance.combat.declare import from_args
from stavka.games.red_vengeance.combat.dice import SendNavy, distribution, odds
from stavka.games.red_vengeance.combat.events import BattleRolled, SupportDecided
from stavka.kernel.errors import IllegalAction, MalformedCommand

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


class TestOtherModifiers:
    """RV 8.46"""

    def test_commanders_air_power_and_fleets_add_dice_together(self) -> None:
        table = scene(axis="2602: ger-i", allied="2502: sov-3 zhukov", air=1)
        plain, _ = pools(table, "2602", "sov-3")
        ours, _ = pools(table, "2602", "sov-3", air=True, naval=True)
        assert (plain.total, ours.total) == (4 + 2, 4 + 2 + 1 + 1)
        assert [extra.modifier.rule for extra in ours.extras] == ["RV 11.21", "RV 12.1", "RV 12.21"]


class TestCommanders:
    """RV 11.21"""

    @pytest.mark.parametrize(("leader", "attack", "defense"), [("zhukov", 2, 2), ("konev", 2, 1)])
    def test_soviet_commanders(self, leader: str, attack: int, defense: int) -> None:
        table = scene(axis="1906: ger-i", allied=f"1905: sov-3 {leader}")
        assert pools(table, "1906", "sov-3")[0].total == 4 + attack
        table = scene(axis="1906: ger-i", allied=f"1905: sov-3 {leader}", phase="combat axis")
        assert pools(table, "1905", "ger-i")[1].total == 4 + defense

    def test_dietrich_and_tito(self) -> None:
        table = scene(
            axis="1906: ger-i-ss-pz dietrich", allied="1905: yug-1(reduced) tito", turn=9, phase="combat axis"
        )
        ours, theirs = pools(table, "1905", "ger-i-ss-pz")
        reduced = next(share.account.value for share in theirs.units)
        assert ours.total == 6 + 1
        assert theirs.total == reduced + min(2, reduced)

    def test_no_more_than_the_units_with_him(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-marine zhukov")
        ours, _ = pools(table, "1906", "sov-marine")
        assert ours.total == 2 * ours.units[0].account.value

    def test_units_elsewhere_get_nothing(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3; 1904: sov-5 zhukov")
        assert pools(table, "1906", "sov-3")[0].total == 4

    def test_he_helps_one_attack_a_phase(self) -> None:
        table = scene(axis="1906: ger-i ger-x", allied="1905: sov-3 sov-5 zhukov")
        table = table.when(battle("1906", "sov-3"), "allied").after().goes_on([1] * (6 + 6)).after()
        assert pools(table, "1906", "sov-5")[0].total == 4

    def test_hitler_helps_berlin(self) -> None:
        table = scene(axis="1422: ger-i", allied="1421: sov-3")
        assert pools(table, "1422", "sov-3")[1].total == 3 + 1 + 1 + 1  # unit, city, Hitler, levies
        table = scene(axis="1422: ger-xi-ss", allied="1421: sov-3")
        assert pools(table, "1422", "sov-3")[1].total == 3 + 1 + 2 + 1
        table = scene(axis="1422: ger-i", allied="1421: sov-3", phase="combat axis")
        assert pools(table, "1421", "ger-i")[0].total == 3 + 1

    def test_but_not_dead(self) -> None:
        table = scene(axis="1422: ger-i", allied="1421: sov-3", hitler_alive="no")
        assert pools(table, "1422", "sov-3")[1].total == 3 + 1 + 1
        table = scene(axis="1422: ger-i", allied="1421: sov-3", phase="combat axis", hitler_alive="no")
        assert pools(table, "1421", "ger-i")[0].total == 3

    def test_hitler_helps_one_attack_a_phase(self) -> None:
        table = scene(axis="1422: ger-i ger-x", allied="1421: sov-3", phase="combat axis")
        table = table.when(battle("1421", "ger-i"), "axis").after().goes_on([1] * (4 + 4)).after()
        assert pools(table, "1421", "ger-x")[0].total == 3


class TestSovietCommanders:
    """RV 11.25"""

    def test_only_one_of_two_counts(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3 zhukov konev")
        assert pools(table, "1906", "sov-3")[0].total == 6
        table = scene(axis="1906: ger-i", allied="1905: sov-3 zhukov konev", phase="combat axis")
        assert pools(table, "1905", "ger-i")[1].total == 6

    def test_both_count_in_different_hexes(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3 zhukov; 1805: sov-5 konev")
        assert pools(table, "1906", "sov-3 sov-5")[0].total == 12

    def test_near_berlin_they_think_of_nothing_else(self) -> None:
        table = scene(axis="1422: ger-i; 1906: ger-x", allied="1421: sov-3 konev; 1905: sov-5 zhukov")
        assert pools(table, "1906", "sov-5")[0].total == 4
        assert pools(table, "1422", "sov-3")[0].total == 3 + 2

    def test_an_attack_that_they_scorn_does_not_use_them_up(self) -> None:
        table = scene(axis="1422: ger-i; 1420: ger-x ger-l", allied="1421: sov-3 sov-5 konev", hitler_alive="no")
        table = table.when(battle("1420", "sov-3"), "allied").after().goes_on([1] * (2 + 6)).after()
        assert pools(table, "1422", "sov-5")[0].total == 2 + 2  # cut off: (4 - 1) / 2 up

    def test_one_hex_farther_they_help_everywhere(self) -> None:
        table = scene(axis="1422: ger-i; 1906: ger-x", allied="1420: sov-3 konev; 1905: sov-5 zhukov")
        assert pools(table, "1906", "sov-5")[0].total == 6

    def test_their_defense_is_unaffected(self) -> None:
        table = scene(axis="1422: ger-i", allied="1421: sov-3 zhukov", phase="combat axis")
        assert pools(table, "1421", "ger-i")[1].total == 6


class TestLevies:
    """RV 11.8"""

    def test_the_first_allied_attack_meets_them(self) -> None:
        table = scene(
            axis="0917: ger-i ger-x", allied="0916: sov-3 sov-5", sea="heavy_surface", fight='{"baltic":true}'
        )
        assert pools(table, "0917", "sov-3")[1].total == 6 + 1 + 1
        table = table.when(battle("0917", "sov-3"), "allied").after().goes_on([1] * (3 + 8)).after()
        assert table.state.fight.levied == {"0917"}
        assert pools(table, "0917", "sov-5")[1].total == 6 + 1

    def test_not_in_a_city_that_was_allied_before(self) -> None:
        table = scene(axis="1422: ger-i", allied="1421: sov-3", visited="1422", hitler_alive="no")
        assert pools(table, "1422", "sov-3")[1].total == 3 + 1

    def test_not_in_other_cities_and_not_for_axis_attacks(self) -> None:
        assert pools(scene(axis="1414: ger-i", allied="1514: sov-3"), "1414", "sov-3")[1].total == 4
        table = scene(axis="1421: ger-i", allied="1422: sov-3", phase="combat axis")
        assert pools(table, "1422", "ger-i")[1].total == 4 + 1


class TestDresden:
    """RV 11.5"""

    def test_a_destroyed_city_is_a_small_one(self) -> None:
        table = scene(axis="1622: ger-i", allied="1621: sov-1gt", turn=9, fight='{"dresden":true}', visited="1622")
        ours, theirs = pools(table, "1622", "sov-1gt")
        assert (ours.total, theirs.total) == (5, 3)
        table = scene(axis="1622: ger-i", allied="1621: sov-1gt", turn=8, visited="1622")
        assert pools(table, "1622", "sov-1gt")[1].total == 4


class TestBalticSea:
    """RV 12.22"""

    FIELD = ("0413: ger-i", "0412: sov-3 sov-1gt")

    @pytest.mark.parametrize(
        ("sea", "combat", "exploitation"),
        [("german_lake", 2, 2), ("soviet_subs", 2, 2), ("light_surface", 2, 0), ("heavy_surface", 1, 0)],
    )
    def test_the_navy_helps_one_defense_a_phase(self, sea: str, combat: int, exploitation: int) -> None:
        for phase, unit, dice in (("combat", "sov-3", combat), ("exploitation_combat", "sov-1gt", exploitation)):
            table = scene(*self.FIELD, phase=f"{phase} allied", sea=sea)
            declared = table.when(battle("0413", unit), "allied").after()
            assert declared.decisions() == ([("axis", "support")] if dice else [])
            if dice:
                helped = declared.when(SendNavy(True), "axis").then(SupportDecided(dice))
                assert helped.state.fight.baltic
                assert helped.options("axis") == []

    def test_not_a_second_time(self) -> None:
        table = scene("0413: ger-i ger-x", "0412: sov-3 sov-5")
        table = table.when(battle("0413", "sov-3"), "allied").after().when(SendNavy(True), "axis").after()
        table = table.goes_on([1] * 4 + [1] * 8).after()
        assert table.when(battle("0413", "sov-5"), "allied").after().decisions() == []

    def test_it_may_be_kept_back(self) -> None:
        table = scene("0413: ger-i ger-x", "0412: sov-3 sov-5")
        table = (
            table.when(battle("0413", "sov-3"), "allied").after().when(SendNavy(False), "axis").then(SupportDecided(0))
        )
        table = table.goes_on([1] * 4 + [1] * 6).after()
        assert table.when(battle("0413", "sov-5"), "allied").after().decisions() == [("axis", "support")]

    def test_not_after_the_dice(self) -> None:
        table = scene(*self.FIELD).when(battle("0413", "sov-3"), "allied").after().when(SendNavy(True), "axis").after()
        lost = table.goes_on([6, 6, 1, 1, 6, 1, 1, 1, 1]).after()
        assert lost.state.frames[-1].step == "losses"
        lost.when(SendNavy(True), "axis").refused("RV 12.22", "WRONG_STEP")

    def test_inland_there_is_no_navy(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3").when(battle("1906", "sov-3"), "allied").after()
        assert table.decisions() == []

    def test_it_helps_axis_attacks_on_the_coast_of_the_german_lake(self) -> None:
        for sea, phase, dice in (
            ("german_lake", "combat axis", 5),
            ("soviet_subs", "combat axis", 4),
            ("german_lake", "exploitation_combat axis", 4),
        ):
            table = scene(axis="0412: ger-xxxix-pz", allied="0413: sov-3", phase=phase, sea=sea, visited="0413")
            assert pools(table, "0413", "ger-xxxix-pz")[0].total == dice - 1  # the city costs armor one


class TestCombinedArms:
    """RV 14.8"""

    ON = {"combined_arms": "on"}  # noqa: RUF012

    def test_a_stack_of_infantry_and_armor_has_a_die_more(self) -> None:
        table = scene(
            axis="1906: ger-i ger-xxxix-pz", allied="1905: sov-3 sov-1gt; 1805: sov-8g sov-2t", options=self.ON
        )
        ours, theirs = pools(table, "1906", "sov-3 sov-1gt sov-8g sov-2t")
        assert (ours.total, theirs.total) == (4 + 6 + 5 + 6 + 2, 3 + 4 + 1)

    def test_only_if_both_take_part(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3 sov-1gt; 1805: sov-5", options=self.ON)
        assert pools(table, "1906", "sov-3 sov-5")[0].total == 8

    def test_other_branches_and_play_without_the_option(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-1s sov-1gt", options=self.ON)
        assert pools(table, "1906", "sov-1s sov-1gt")[0].total == 11
        table = scene(axis="1906: ger-i", allied="1905: sov-3 sov-1gt")
        assert pools(table, "1906", "sov-3 sov-1gt")[0].total == 10


class TestOdds:
    """RV 8.43"""

    def test_every_die_is_accounted_for(self) -> None:
        table = scene(axis="1805: ger-i", allied="1804: sov-1gt zhukov", weather="snow", turn=8)
        answer = odds(table.state, {"targets": "1805", "attackers": ["sov-1gt"]})
        attacker = answer["attacker"]
        assert attacker["dice"] == 5
        assert [m["rule"] for m in attacker["units"][0]["modifiers"]] == ["RV 9.1", "RV 13.0"]
        assert attacker["extras"] == [{"rule": "RV 11.21", "what": "zhukov", "hex": "1804", "dice": 2}]
        assert attacker["location"] == ["1805"]

    def test_chances(self) -> None:
        table = scene(axis="2215: ger-i", allied="2214: sov-3")
        ours, theirs = pools(table, "2215", "sov-3")
        assert distribution(ours)[0] == pytest.approx((5 / 6) ** 3)
        assert distribution(theirs)[4] == pytest.approx((1 / 3) ** 4)
        assert sum(distribution(theirs)) == pytest.approx(1)

    def test_the_battle_being_fought_needs_no_arguments(self) -> None:
        table = scene(axis="0413: ger-i", allied="0412: sov-3").when(battle("0413", "sov-3"), "allied").after()
        assert odds(table.state, {})["navy"] == 2

    def test_the_question_may_be_asked_before_the_combat_phase(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3 sov-1gt", phase="movement allied")
        assert odds(table.state, {"targets": "1906", "attackers": "sov-3"})["attacker"]["dice"] == 4
        later = scene(axis="1906: ger-i", allied="1905: sov-3 sov-1gt", phase="exploitation_movement allied")
        assert odds(later.state, {"targets": "1906", "attackers": "sov-1gt"})["attacker"]["dice"] == 6
        with pytest.raises(IllegalAction) as refused:
            odds(later.state, {"targets": "1906", "attackers": "sov-3"})
        assert refused.value.reason == "MAY_NOT_EXPLOIT"

    def test_but_not_outside_player_turns(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3", phase="weather -")
        with pytest.raises(IllegalAction) as refused:
            odds(table.state, {"targets": "1906", "attackers": "sov-3"})
        assert (refused.value.rule, refused.value.reason) == ("RV 8.0", "NOBODY_ATTACKS_NOW")

    def test_arguments_have_a_shape(self) -> None:
        assert from_args({"targets": "1906 1806", "attackers": ["sov-3"], "air": "true"}).air
        with pytest.raises(MalformedCommand) as refused:
            from_args({"targets": 3, "attackers": "sov-3"})
        assert refused.value.reason == "WRONG_SHAPE"
