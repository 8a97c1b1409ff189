"""Declaring attacks: who must, who may, and whom."""

from typing import Any, ClassVar

import pytest
from stavka.games.red_vengeance.combat.declare import DeclareBattle, EndCombat

from tests.games.red_vengeance.combat.scene import battle, scene
from tests.support.table import Table


def declared(table: Table) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Targets and attackers of every battle that the referee lists for the phasing side."""
    seat = table.state.frames[1].seat
    return {(o.targets, o.attackers) for o in table.options(seat) if isinstance(o, DeclareBattle)}


class TestAlliedCombatPhase:
    """RV 8.1"""

    FRONT: ClassVar[dict[str, Any]] = {"axis": "1906: ger-i; 1806: ger-x", "allied": "1905: sov-3; 1805: sov-5 sov-13"}

    def test_phase_does_not_end_before_everybody_has_attacked(self) -> None:
        scene(**self.FRONT).when(EndCombat(), "allied").refused("RV 8.1", "MUST_ATTACK")

    def test_last_unit_next_to_a_hex_must_take_it(self) -> None:
        table = scene(axis="1906: ger-i; 1806: ger-x", allied="1905: sov-3; 1805: sov-5")
        table.when(battle("1906", "sov-5"), "allied").refused("RV 8.1", "LEAVES_HEX_UNATTACKED")
        table.when(battle("1806 1906", "sov-5"), "allied").after()

    def test_a_hex_may_be_left_to_a_unit_that_has_not_attacked(self) -> None:
        table = scene(**self.FRONT)
        after = table.when(battle("1906", "sov-3 sov-5"), "allied").after()
        assert after.state.battle.targets == ("1906",)

    def test_both_neighbours_may_not_leave_a_hex_alone_together(self) -> None:
        scene(**self.FRONT).when(battle("1906", "sov-3 sov-5 sov-13"), "allied").refused(
            "RV 8.1", "LEAVES_HEX_UNATTACKED"
        )

    def test_a_hex_attacked_before_may_be_left_alone(self) -> None:
        table = scene(axis="1906: ger-i ger-l; 1806: ger-x ger-ii", allied="1905: sov-3; 1805: sov-5 sov-13")
        table = table.when(battle("1806", "sov-5"), "allied").after().goes_on([1, 1, 1, 1] + [1] * 6).after()
        table.when(battle("1906", "sov-3 sov-13"), "allied").after()

    def test_phase_ends_by_itself_when_nobody_is_adjacent(self) -> None:
        table = scene(axis="1906: ger-i", allied="1903: sov-3").goes_on().after()
        assert table.state.frames[1].kind == "exploitation_movement"

    def test_a_lone_commander_obliges_nobody(self) -> None:
        table = scene(axis="1906: dietrich", allied="1905: sov-3").goes_on().after()
        assert table.state.frames[1].kind == "exploitation_movement"

    def test_every_listed_battle_is_accepted_and_some_unlisted_are_not(self) -> None:
        table = scene(axis="1906: ger-i; 1806: ger-x", allied="1905: sov-3; 1805: sov-5")
        listed = declared(table)
        assert (("1806", "1906"), ("sov-5",)) in listed
        assert (("1906",), ("sov-3",)) in listed
        assert (("1906",), ("sov-5",)) not in listed
        for option in table.options("allied"):
            table.when(option, "allied").after()


class TestAxisCombatPhase:
    """RV 8.2"""

    def test_attacking_is_voluntary(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3", phase="combat axis")
        assert table.when(EndCombat(), "axis").after().state.frames[1].kind == "exploitation_movement"

    def test_an_attacker_takes_on_everything_next_to_it(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3; 1805: sov-5", phase="combat axis")
        table.when(battle("1905", "ger-i"), "axis").refused("RV 8.2", "MUST_ATTACK_ALL_ADJACENT")
        table.when(battle("1905 1805", "ger-i"), "axis").after()
        assert declared(table) == {(("1805", "1905"), ("ger-i",))}

    def test_out_of_a_fortress_one_hex_may_be_chosen(self) -> None:
        table = scene(axis="1619: ger-i", allied="1618: sov-3; 1719: sov-5", phase="combat axis")
        table.when(battle("1719", "ger-i"), "axis").after()
        table.when(battle("1618 1719", "ger-i"), "axis").after()
        assert {targets for targets, _ in declared(table)} == {("1618",), ("1719",), ("1618", "1719")}

    def test_but_not_two_of_three(self) -> None:
        table = scene(axis="1619: ger-i", allied="1618: sov-3; 1719: sov-5; 1519: sov-13", phase="combat axis")
        table.when(battle("1519 1618", "ger-i"), "axis").refused("RV 8.2", "MUST_ATTACK_ALL_ADJACENT")

    def test_a_fortress_once_entered_by_allied_units_gives_no_choice(self) -> None:
        table = scene(axis="1619: ger-i", allied="1618: sov-3; 1719: sov-5", phase="combat axis", visited="1619")
        table.when(battle("1719", "ger-i"), "axis").refused("RV 8.2", "MUST_ATTACK_ALL_ADJACENT")


class TestExploitationCombat:
    """RV 8.3"""

    PHASE = "exploitation_combat allied"

    @pytest.mark.parametrize("unit", ["sov-1gt", "sov-8g", "sov-1s"])
    def test_armor_guards_and_shock_armies_attack(self, unit: str) -> None:
        scene(axis="1906: ger-i", allied=f"1905: {unit}", phase=self.PHASE).when(battle("1906", unit), "allied").after()

    @pytest.mark.parametrize("unit", ["sov-3", "sov-baranov-cav", "pol-1"])
    def test_other_units_do_not(self, unit: str) -> None:
        table = scene(axis="1906: ger-i", allied=f"1905: {unit} sov-1gt", phase=self.PHASE)
        table.when(battle("1906", unit), "allied").refused("RV 8.3", "MAY_NOT_EXPLOIT")

    def test_hexes_are_chosen_freely(self) -> None:
        table = scene(axis="1906: ger-i; 1806: ger-x", allied="1805: sov-1gt", phase=self.PHASE)
        table.when(battle("1806", "sov-1gt"), "allied").after()
        assert {targets for targets, _ in declared(table)} == {("1806",), ("1906",), ("1806", "1906")}

    def test_it_is_optional(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-1gt", phase=self.PHASE)
        assert table.when(EndCombat(), "allied").after().state.frames[1].seat == "axis"

    def test_mountain_units_without_movement_in_snow_stay_out(self) -> None:
        table = scene(
            axis="1906: ger-xlix-mtn ger-i-ss-pz",
            allied="1905: sov-3",
            phase="exploitation_combat axis",
            weather="snow",
        )
        table.when(battle("1905", "ger-xlix-mtn"), "axis").refused("RV 8.3", "MAY_NOT_EXPLOIT")
        table.when(battle("1905", "ger-i-ss-pz"), "axis").after()


class TestTargets:
    """RV 8.41"""

    def test_all_units_of_a_hex_defend(self) -> None:
        table = scene(axis="1906: ger-i ger-x", allied="1905: sov-3").when(battle("1906", "sov-3"), "allied").after()
        assert table.state.battle.defenders == ("ger-x", "ger-i")

    def test_an_attacker_is_next_to_every_target(self) -> None:
        table = scene(axis="1906: ger-i; 1806: ger-x", allied="1905: sov-3; 1805: sov-5")
        table.when(battle("1806 1906", "sov-3 sov-5"), "allied").refused("RV 8.41", "NOT_ADJACENT")

    def test_an_empty_hex_is_no_target(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3")
        table.when(battle("1906 2005", "sov-3"), "allied").refused("RV 8.41", "NO_ENEMY_THERE")

    @pytest.mark.parametrize(
        ("command", "reason"),
        [
            (battle("1906", "nobody"), "UNKNOWN_UNIT"),
            (battle("9999", "sov-3"), "UNKNOWN_SPACE"),
            (battle("1906", ""), "EMPTY_BATTLE"),
            (battle("", "sov-3"), "EMPTY_BATTLE"),
            (battle("1906 1906", "sov-3"), "NAMED_TWICE"),
            (battle("1906", "sov-3 sov-3"), "NAMED_TWICE"),
        ],
    )
    def test_nonsense_is_malformed(self, command: DeclareBattle, reason: str) -> None:
        scene(axis="1906: ger-i", allied="1905: sov-3").when(command, "allied").malformed(reason)


class TestProcedure:
    """RV 8.43"""

    def test_only_own_units_on_the_map_attack(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3")
        table.when(battle("1906", "ger-i"), "allied").refused("RV 8.43", "NOT_YOUR_UNIT")
        table.when(battle("1906", "sov-5"), "allied").refused("RV 8.43", "NOT_YOUR_UNIT")


class TestFrequency:
    """RV 8.42"""

    def test_a_unit_attacks_once_a_phase(self) -> None:
        table = scene(axis="1906: ger-i; 1806: ger-x", allied="1905: sov-3; 1805: sov-5")
        table = table.when(battle("1906", "sov-3"), "allied").after().goes_on([1] * 7).after()
        table.when(battle("1906", "sov-3"), "allied").refused("RV 8.42", "HAS_ATTACKED")

    def test_and_again_in_the_next_phase(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-1gt")
        table = table.when(battle("1906", "sov-1gt"), "allied").after().goes_on([1] * 9).after()
        assert table.state.frames[1].kind == "exploitation_movement"
        assert not table.state.fight.attacked


class TestAlliedUnitsInYugoslavia:
    """RV 11.42"""

    AXIS = "2619: ger-lxix"

    def test_two_soviet_units_a_turn_attack_into_the_country(self) -> None:
        table = scene(axis=self.AXIS, allied="2519: sov-3 sov-5; 2520: sov-13")
        table.when(battle("2619", "sov-3 sov-5 sov-13"), "allied").refused("RV 11.42", "TOO_MANY_INTO_YUGOSLAVIA")
        table = table.when(battle("2619", "sov-3 sov-5"), "allied").after()
        assert table.state.fight.into_yugoslavia == {"sov-3", "sov-5"}

    def test_the_others_need_not_attack_then(self) -> None:
        table = scene(axis=self.AXIS, allied="2519: sov-3 sov-5; 2520: sov-13")
        table = table.when(battle("2619", "sov-3 sov-5"), "allied").after().goes_on([1] * 10).after()
        assert table.state.frames[1].kind != "combat"

    FRONT = "2421: pol-1; 2521: sov-3; 2518: sov-5 sov-13"

    def front(self, allied: str) -> Table:
        """2522 and 2618 lie in Yugoslavia, 2422 does not; 2421 is next to 2422 and 2522, 2521 to 2522 alone."""
        return scene(axis="2522: ger-i; 2422: ger-x; 2618: ger-l", allied=allied)

    def test_a_hex_is_not_left_to_soviets_who_may_be_barred_by_then(self) -> None:
        """RV 8.1: sov-5 and sov-13 could use up the limit against 2618."""
        table = self.front(self.FRONT)
        table.when(battle("2422", "pol-1"), "allied").refused("RV 8.1", "LEAVES_HEX_UNATTACKED")
        assert (("2422",), ("pol-1",)) not in declared(table)
        table.when(battle("2422 2522", "pol-1"), "allied").after()

    def test_once_they_have_attacked_it_others_are_free_to_choose(self) -> None:
        """RV 8.1"""
        table = self.front(self.FRONT).when(battle("2522", "sov-3"), "allied").after().goes_on([1] * 7).after()
        table.when(battle("2422", "pol-1"), "allied").after()

    def test_a_hex_may_be_left_to_units_that_the_limit_does_not_bind(self) -> None:
        """RV 8.1"""
        for other in ("2521: pol-2", "2523: yug-1", "2621: sov-3"):
            self.front(f"2421: pol-1; {other}").when(battle("2422", "pol-1"), "allied").after()

    def test_hexes_elsewhere_may_be_left_to_soviets(self) -> None:
        """RV 8.1"""
        table = self.front("2421: pol-1; 2322: sov-3")
        table.when(battle("2522", "pol-1"), "allied").after()

    def test_the_first_soviets_at_two_hexes_take_the_yugoslav_one(self) -> None:
        """RV 8.1"""
        table = self.front("2421: sov-3 sov-5 sov-13")
        table.when(battle("2422", "sov-3"), "allied").refused("RV 8.1", "LEAVES_HEX_UNATTACKED")
        table = table.when(battle("2522", "sov-3"), "allied").after().goes_on([1] * 7).after()
        table.when(battle("2422", "sov-5 sov-13"), "allied").after()

    def test_units_inside_do_not_count(self) -> None:
        table = scene(axis="2818: ger-lxix", allied="2817: sov-3 sov-5")
        assert table.when(battle("2818", "sov-3 sov-5"), "allied").after().state.fight.into_yugoslavia == frozenset()


class TestAirPower:
    """RV 12.1"""

    def test_one_point_makes_one_die_and_is_gone(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3", air=2)
        after = table.when(battle("1906", "sov-3", air=True), "allied").after()
        assert after.state.air == 1
        after.goes_on([1] * 5 + [1] * 3).after()

    def test_without_points_there_is_none(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3")
        table.when(battle("1906", "sov-3", air=True), "allied").refused("RV 12.1", "NO_AIR_POWER_LEFT")

    def test_it_is_not_for_exploitation_combat(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-1gt", air=1, phase="exploitation_combat allied")
        table.when(battle("1906", "sov-1gt", air=True), "allied").refused("RV 12.1", "AIR_ONLY_IN_COMBAT_PHASE")
        assert not any(getattr(option, "air", False) for option in table.options("allied"))


class TestBlackSea:
    """RV 12.21"""

    def test_one_attack_on_the_coast_has_the_fleet(self) -> None:
        table = scene(axis="2602: ger-i", allied="2502: sov-3")
        after = table.when(battle("2602", "sov-3", naval=True), "allied").after()
        assert after.state.fight.black_sea
        after.goes_on([1] * 5 + [1] * 3).after()

    def test_not_inland(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3")
        table.when(battle("1906", "sov-3", naval=True), "allied").refused("RV 12.21", "NO_FLEET_SUPPORT")

    def test_not_twice_a_phase(self) -> None:
        table = scene(axis="2602: ger-i ger-x", allied="2502: sov-3 sov-5")
        table = table.when(battle("2602", "sov-3", naval=True), "allied").after().goes_on([1] * 11).after()
        table.when(battle("2602", "sov-5", naval=True), "allied").refused("RV 12.21", "NO_FLEET_SUPPORT")

    def test_not_in_exploitation_combat_and_not_for_the_axis(self) -> None:
        table = scene(axis="2602: ger-i", allied="2502: sov-1gt", phase="exploitation_combat allied")
        table.when(battle("2602", "sov-1gt", naval=True), "allied").refused("RV 12.21", "NO_FLEET_SUPPORT")
        table = scene(axis="2502: ger-i", allied="2602: sov-3", phase="combat axis")
        table.when(battle("2602", "ger-i", naval=True), "axis").refused("RV 12.21", "NO_FLEET_SUPPORT")


class TestEasternOffensive:
    """RV 14.6"""

    BULGE = "ger-i-ss-pz dietrich ger-i ger-x ger-xli-pz"
    TABLE: ClassVar[dict[str, Any]] = {
        "axis": "1906: ger-i-ss-pz ger-i dietrich",
        "allied": "1905: sov-3",
        "bulge": BULGE,
    }

    def test_its_units_attack_in_december_at_the_latest(self) -> None:
        table = scene(**self.TABLE, phase="combat axis", turn=7, weather="snow")
        table.when(EndCombat(), "axis").refused("RV 14.6", "OFFENSIVE_UNITS_MUST_ATTACK")
        table = table.when(battle("1905", "ger-i-ss-pz ger-i"), "axis").after()
        assert table.state.fight.bulge_attacked == {"ger-i-ss-pz", "ger-i", "dietrich"}

    def test_november_leaves_them_time(self) -> None:
        scene(**self.TABLE, phase="combat axis", turn=6, weather="mud").when(EndCombat(), "axis").after()

    def test_who_has_attacked_in_november_is_free(self) -> None:
        fight = '{"bulge_attacked":["ger-i-ss-pz","ger-i","dietrich"]}'
        scene(**self.TABLE, phase="combat axis", turn=7, weather="snow", fight=fight).when(EndCombat(), "axis").after()

    def test_those_who_can_attack_in_exploitation_combat_too(self) -> None:
        table = scene(**self.TABLE, phase="exploitation_combat axis", turn=7, weather="snow")
        table.when(EndCombat(), "axis").refused("RV 14.6", "OFFENSIVE_UNITS_MUST_ATTACK")
        table = table.when(battle("1905", "ger-i-ss-pz"), "axis").after()
        assert table.state.fight.bulge_exploited == {"ger-i-ss-pz", "dietrich"}
