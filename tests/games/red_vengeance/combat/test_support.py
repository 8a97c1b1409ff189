"""Dice that are added: commanders, air power, fleets, levies, infantry with armor."""

import pytest
from stavka.games.red_vengeance.combat.dice import SendNavy
from stavka.games.red_vengeance.combat.events import SupportDecided

from tests.games.red_vengeance.combat.scene import battle, pools, scene


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
