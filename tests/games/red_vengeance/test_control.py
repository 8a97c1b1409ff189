"""Control of hexes [RV 7.1, RV 7.2, RV 7.3] and entries that set something off [RV 11.7, RV 11.8, RV 11.27]."""

from __future__ import annotations

from stavka.games.red_vengeance.events import HitlerDied, PlaceFirstEntered
from stavka.games.red_vengeance.moves import MoveUnit
from stavka.kernel.frames import FramePushed

from tests.games.red_vengeance.field import facts, march, scene
from tests.support.table import given

BALTIC_AND_EAST = "0101: sov-3"


class TestControlAtTheStart:
    """RV 7.1"""

    def test_the_start_lines_divide_the_map(self) -> None:
        table = given(begun="red_vengeance/campaign")
        assert facts(table, "0106")["controlled_by"] == ["allied"]
        assert facts(table, "0101")["controlled_by"] == ["allied"]
        assert facts(table, "0107")["controlled_by"] == ["axis"]
        assert facts(table, "1422")["controlled_by"] == ["axis"]

    def test_yugoslavia_is_judged_by_units_and_zones(self) -> None:
        table = given(begun="red_vengeance/campaign")
        assert facts(table, "2925")["controlled_by"] == ["allied"]
        assert facts(table, "2818")["controlled_by"] == ["axis"]
        assert facts(table, "3115")["controlled_by"] == ["axis", "allied"]


class TestChangesOfControl:
    """RV 7.2"""

    def test_every_hex_that_a_unit_passes_is_its_sides(self) -> None:
        table = scene("1906: ger-xiii", BALTIC_AND_EAST, phase="movement axis", control="allied: 0101 1907 1908")
        assert facts(table, "1907")["controlled_by"] == ["allied"]
        after = table.when(MoveUnit("ger-xiii", "1908"), "axis").after()
        assert facts(after, "1907")["controlled_by"] == facts(after, "1908")["controlled_by"] == ["axis"]

    def test_a_zone_of_control_changes_nothing(self) -> None:
        table = scene("1906: ger-xiii", BALTIC_AND_EAST, control="allied: 0101 1905 1907")
        assert facts(table, "1905")["controlled_by"] == ["allied"]


class TestYugoslavia:
    """RV 7.3"""

    def test_an_empty_hex_in_no_zone_is_both_sides(self) -> None:
        table = scene("3113: bul-1", BALTIC_AND_EAST)
        assert facts(table, "2818")["controlled_by"] == ["axis", "allied"]

    def test_a_zone_without_an_enemy_unit_is_enough_for_one(self) -> None:
        table = scene("2818: ger-lxviii", "2925: yug-1")
        assert facts(table, "2817")["controlled_by"] == ["axis"]
        assert facts(table, "2924")["controlled_by"] == ["allied"]

    def test_under_both_zones_it_stays_shared(self) -> None:
        table = scene("3021: ger-xv-mtn", "3023: yug-1")
        assert facts(table, "3022")["controlled_by"] == ["axis", "allied"]

    def test_a_unit_in_it_decides_against_any_zone(self) -> None:
        table = scene("3021: ger-xv-mtn; 3022: ger-lxix", "3023: yug-1")
        assert facts(table, "3022")["controlled_by"] == ["axis"]

    def test_last_passage_counts_for_nothing_there(self) -> None:
        table = scene("2818: ger-lxviii", BALTIC_AND_EAST, phase="movement axis")
        after = table.when(MoveUnit("ger-lxviii", "2617"), "axis").after()
        assert facts(after, "2818")["controlled_by"] == ["axis", "allied"]


class TestPlacesFirstEntered:
    """RV 11.8"""

    def test_the_first_allied_unit_in_a_city_or_fortress_is_noted_once(self) -> None:
        table = scene("0925: ger-ix", "1420: sov-2t; 1522: sov-4t", phase="movement allied")
        after = table.when(MoveUnit("sov-2t", "1419"), "allied").then(
            march("sov-2t", "1420", "1419", cost=1), PlaceFirstEntered("1419")
        )
        again = after.when(MoveUnit("sov-4t", "1419"), "allied")
        again.lacks(PlaceFirstEntered)

    def test_passing_through_is_enough(self) -> None:
        table = scene("0925: ger-ix", "1420: sov-2t", phase="movement allied")
        path = ("1420", "1419", "1418")
        table.when(MoveUnit("sov-2t", "1418", path), "allied").includes(PlaceFirstEntered("1419"))

    def test_axis_units_note_nothing(self) -> None:
        table = scene("1420: ger-ix", BALTIC_AND_EAST, phase="movement axis")
        table.when(MoveUnit("ger-ix", "1419"), "axis").then(march("ger-ix", "1420", "1419", cost=1, side="axis"))


class TestHitlerMeetsTheAllies:
    """RV 11.27"""

    def test_an_allied_unit_in_berlin_is_the_end(self) -> None:
        table = scene("0925: ger-ix", "1421: sov-13", phase="movement allied", turn=11)
        table.when(MoveUnit("sov-13", "1422"), "allied").includes(PlaceFirstEntered("1422"), HitlerDied("entered", 0))

    def test_he_dies_once(self) -> None:
        table = scene("0925: ger-ix", "1421: sov-13", phase="movement allied", turn=11, hitler_alive="no")
        table.when(MoveUnit("sov-13", "1422"), "allied").lacks(HitlerDied)

    def test_a_commander_alone_does_not_frighten_him(self) -> None:
        table = scene("0925: ger-ix", "1421: zhukov sov-13", phase="movement allied", turn=11)
        table.when(MoveUnit("zhukov", "1422"), "allied").lacks(HitlerDied)


class TestWarsawRises:
    """RV 11.7"""

    RISING = FramePushed("uprising", "combat", "allied")

    def test_an_allied_unit_within_two_hexes_sets_it_off(self) -> None:
        table = scene("0925: ger-ix", "1411: sov-13", phase="movement allied", visited="1411")
        table.when(MoveUnit("sov-13", "1412"), "allied").then(march("sov-13", "1411", "1412", cost=1), self.RISING)
        polish = scene("0925: ger-ix", "1411: pol-1", phase="movement allied", visited="1411")
        polish.when(MoveUnit("pol-1", "1412"), "allied").includes(self.RISING)

    def test_three_hexes_away_nobody_rises(self) -> None:
        table = scene("0925: ger-ix", "1410: sov-13", phase="movement allied", visited="1411")
        table.when(MoveUnit("sov-13", "1411"), "allied").lacks(FramePushed)

    def test_it_happens_once(self) -> None:
        table = scene("0925: ger-ix", "1411: sov-13; 1511: sov-3", phase="movement allied", visited="1411 1512")
        risen = table.when(MoveUnit("sov-13", "1412"), "allied").after().goes_on(rolls=[]).after()
        assert risen.state.fight.risen
        risen.when(MoveUnit("sov-3", "1512"), "allied").lacks(FramePushed)

    def test_yugoslavs_are_no_signal(self) -> None:
        table = scene("0925: ger-ix", "1411: yug-1", phase="movement allied", visited="1411")
        table.when(MoveUnit("yug-1", "1412"), "allied").lacks(FramePushed)
