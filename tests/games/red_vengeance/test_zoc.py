"""Zones of control in movement [RV 6.4 to RV 6.43, RV 11.6, RV 13.0]. Around 1906 every hex is clear."""

from __future__ import annotations

from stavka.games.red_vengeance.moves import MoveUnit

from tests.games.red_vengeance.field import costs, facts, march, scene
from tests.support.table import Table


def plain(axis: str, allied: str, *, phase: str = "movement allied", weather: str = "clear") -> Table:
    return scene(axis, allied, phase=phase, weather=weather, visited="1805 2005")


class TestZoneOfControl:
    """RV 6.4"""

    def test_a_unit_dominates_the_six_hexes_around_it_and_not_its_own(self) -> None:
        table = plain("1906: ger-xiii", "0101: sov-3")
        assert all(
            facts(table, code)["zoc_of"] == ["axis"] for code in ("1905", "1907", "1805", "1806", "2005", "2006")
        )
        assert facts(table, "1906")["zoc_of"] == []
        assert facts(table, "1904")["zoc_of"] == []

    def test_there_is_none_into_a_hex_that_the_unit_may_not_enter(self) -> None:
        """A Romanian at the Dniester has no zone beyond Romania; a German has. At the coast there is none at sea."""
        assert facts(plain("2604: rom-3", "0101: sov-3"), "2603")["zoc_of"] == []
        assert facts(plain("2604: ger-xiii", "0101: sov-3"), "2603")["zoc_of"] == ["axis"]
        assert facts(plain("2604: ger-xiii", "0101: sov-3"), "2704")["zoc_of"] == []

    def test_soviets_have_none_in_rough_yugoslav_ground(self) -> None:
        table = plain("", "2818: sov-3")
        assert facts(table, "2919")["zoc_of"] == []
        assert facts(table, "2817")["zoc_of"] == ["allied"]


class TestWhoHasOne:
    """RV 6.41"""

    def test_marines_and_commanders_have_none(self) -> None:
        table = plain("", "1906: sov-marine; 1806: zhukov")
        assert facts(table, "1905")["zoc_of"] == [] and facts(table, "1707")["zoc_of"] == []

    def test_every_other_unit_has_one_whatever_its_strength(self) -> None:
        assert facts(plain("1906: ger-ci(reduced,oos)", "0101: sov-3"), "1905")["zoc_of"] == ["axis"]


class TestMarines:
    """RV 11.6"""

    def test_a_marine_division_stops_nobody(self) -> None:
        table = plain("1906: ger-marine", "1804: sov-13")
        assert costs(table, "sov-13")["1806"] == 2

    def test_a_marine_division_is_stopped_like_others(self) -> None:
        table = plain("1906: ger-xiii", "1804: sov-marine")
        table.when(MoveUnit("sov-marine", "1706", ("1804", "1805", "1706")), "allied").refused("RV 6.42", "MUST_STOP")


class TestEffectOnMovement:
    """RV 6.42"""

    def test_a_unit_must_stop_when_it_enters_one(self) -> None:
        table = plain("1906: ger-xiii", "1804: sov-13")
        table.when(MoveUnit("sov-13", "1706", ("1804", "1805", "1706")), "allied").refused("RV 6.42", "MUST_STOP")
        table.when(MoveUnit("sov-13", "1805"), "allied").then(march("sov-13", "1804", "1805", cost=1))

    def test_a_friend_in_the_hex_lets_it_go_on(self) -> None:
        table = plain("1906: ger-xiii", "1804: sov-13; 1805: sov-3")
        path = ("1804", "1805", "1706")
        table.when(MoveUnit("sov-13", "1706", path), "allied").then(march("sov-13", *path, cost=2))

    def test_from_zone_to_zone_a_friend_must_be_in_both_hexes(self) -> None:
        first = plain("1906: ger-xiii", "1805: sov-13")
        first.when(MoveUnit("sov-13", "1806", ("1805", "1806")), "allied").refused("RV 6.42", "ZOC_TO_ZOC")
        one = plain("1906: ger-xiii", "1805: sov-13; 1806: sov-3")
        one.when(MoveUnit("sov-13", "1806", ("1805", "1806")), "allied").refused("RV 6.42", "ZOC_TO_ZOC")
        both = plain("1906: ger-xiii", "1805: sov-13 sov-3; 1806: sov-31")
        both.when(MoveUnit("sov-13", "1806", ("1805", "1806")), "allied").then(march("sov-13", "1805", "1806", cost=1))

    def test_leaving_a_zone_is_free(self) -> None:
        table = plain("1906: ger-xiii", "1805: sov-13")
        table.when(MoveUnit("sov-13", "1803"), "allied").then(march("sov-13", "1805", "1804", "1803", cost=2))

    def test_not_even_the_one_hex_of_right_goes_from_zone_to_zone(self) -> None:
        table = plain("1906: ger-xiii", "1805: sov-13(oos)", weather="mud")
        table.when(MoveUnit("sov-13", "1806", ("1805", "1806")), "allied").refused("RV 6.42", "ZOC_TO_ZOC")

    def test_a_commander_is_no_friendly_unit(self) -> None:
        table = plain("1906: ger-xiii", "1804: sov-13; 1805: zhukov")
        table.when(MoveUnit("sov-13", "1706", ("1804", "1805", "1706")), "allied").refused("RV 6.42", "MUST_STOP")


class TestArmor:
    """RV 6.43"""

    def test_armor_pays_one_more_for_each_zone_hex_and_goes_on(self) -> None:
        table = plain("1906: ger-xiii", "1804: sov-2t")
        path = ("1804", "1805", "1806", "1807")
        table.when(MoveUnit("sov-2t", "1807", path), "allied").then(march("sov-2t", *path, cost=5))

    def test_a_friend_in_the_hex_spares_nothing(self) -> None:
        table = plain("1906: ger-xiii", "1804: sov-2t; 1805: sov-3")
        assert costs(table, "sov-2t")["1805"] == 2

    def test_the_surcharge_counts_against_the_factor(self) -> None:
        table = plain("1906: ger-xiii; 1908: ger-ix", "1804: sov-2t")
        path = ("1804", "1805", "1806", "1807", "1808")
        table.when(MoveUnit("sov-2t", "1808", path), "allied").refused("RV 6.22", "ALLOWANCE_EXCEEDED")


class TestMudAndAxisArmor:
    """RV 13.0"""

    def test_in_mud_axis_armor_goes_from_zone_to_zone_only_to_friends(self) -> None:
        for weather in ("light_mud", "mud"):
            bare = plain("1805: ger-iii-pz", "1906: sov-13", phase="movement axis", weather=weather)
            bare.when(MoveUnit("ger-iii-pz", "1806", ("1805", "1806")), "axis").refused("RV 13.0", "ZOC_TO_ZOC")
            held = plain("1805: ger-iii-pz; 1806: ger-xiii", "1906: sov-13", phase="movement axis", weather=weather)
            held.when(MoveUnit("ger-iii-pz", "1806", ("1805", "1806")), "axis").then(
                march("ger-iii-pz", "1805", "1806", cost=2, side="axis")
            )

    def test_in_clear_weather_it_does_not_matter(self) -> None:
        bare = plain("1805: ger-iii-pz", "1906: sov-13", phase="movement axis")
        bare.when(MoveUnit("ger-iii-pz", "1806", ("1805", "1806")), "axis").then(
            march("ger-iii-pz", "1805", "1806", cost=2, side="axis")
        )

    def test_soviet_armor_is_not_concerned(self) -> None:
        table = plain("1906: ger-xiii", "1805: sov-2t", weather="light_mud")
        assert costs(table, "sov-2t")["1806"] == 2
