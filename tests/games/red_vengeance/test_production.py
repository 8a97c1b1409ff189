"""Replacements [RV 10.0 to RV 10.3, RV 11.3, RV 11.4, RV 14.2, RV 14.3, RV 14.4]."""

from __future__ import annotations

import pytest
from stavka.games.red_vengeance.events import (
    CommanderRemoved,
    ExtraReplacementsTaken,
    PhaseBegun,
    ReplacementsReceived,
    UnitRebuilt,
    UnitRestored,
)
from stavka.games.red_vengeance.production import EndReplacements, RebuildUnit, RestoreUnit, TakeArcticPoints

from tests.games.red_vengeance.field import scene
from tests.support.table import Table

FAR_AXIS = "1925: ger-ix"
FAR_ALLIED = "0101: sov-3"


def shop(
    side: str = "allied",
    axis: str = FAR_AXIS,
    allied: str = FAR_ALLIED,
    *,
    points: str = "armor=2 infantry=2",
    boxes: str = "",
    options: dict[str, str] | None = None,
    **header: str | int,
) -> Table:
    """The replacements phase once the points are in hand."""
    phase = f"replacements {side} spend"
    return scene(axis, allied, phase=phase, boxes=boxes, options=options, replacements=points, **header)  # type: ignore[arg-type]


class TestPointsAreSpentAtOnce:
    """RV 10.0"""

    def test_what_is_left_is_lost(self) -> None:
        table = shop(allied="1905: sov-13(reduced)")
        after = table.when(EndReplacements(), "allied").then(PhaseBegun(3, "reinforcements", "diplomacy", "allied"))
        begun = after.game.evolve(after.state.copy(), PhaseBegun(3, "supply", "supply", "axis"))
        assert begun.replacements == {}

    def test_the_phase_ends_when_nothing_can_be_bought(self) -> None:
        table = shop()
        assert table.decisions() == []
        table.goes_on(rolls=[1]).includes(PhaseBegun(3, "reinforcements", "diplomacy", "allied"))

    def test_a_dead_commander_does_not_return(self) -> None:
        table = shop(allied="1905: sov-13(reduced)", boxes="lost: zhukov")
        table.when(RebuildUnit("zhukov", "0101", "infantry"), "allied").malformed("UNKNOWN_UNIT")


class TestReplacementProcedure:
    """RV 10.1"""

    def test_a_point_flips_a_reduced_unit(self) -> None:
        after = (
            shop(allied="1905: sov-13(reduced)")
            .when(RestoreUnit("sov-13", "infantry"), "allied")
            .then(UnitRestored("sov-13", 2, "infantry"))
        )
        assert after.state.steps["sov-13"] == 2
        assert after.state.replacements == {"armor": 2, "infantry": 1}

    def test_a_point_rebuilds_a_removed_unit_with_one_step(self) -> None:
        after = (
            shop(boxes="dead: sov-13")
            .when(RebuildUnit("sov-13", "0501", "infantry"), "allied")
            .then(UnitRebuilt("sov-13", "allied", "0501", 1, "infantry"))
        )
        assert after.state.at["sov-13"] == "0501" and after.state.steps["sov-13"] == 1

    def test_a_one_step_unit_is_whole_again(self) -> None:
        after = (
            shop(allied="1905: sov-31(reduced)", boxes="dead: sov-marine")
            .when(RebuildUnit("sov-marine", "0501", "infantry"), "allied")
            .after()
        )
        after.when(RestoreUnit("sov-marine", "infantry"), "allied").refused("RV 10.1", "NOT_REDUCED")

    def test_a_full_unit_or_one_off_the_map_cannot_be_flipped(self) -> None:
        table = shop(allied="1905: sov-13; 1904: sov-31(reduced)", boxes="dead: sov-5")
        table.when(RestoreUnit("sov-13", "infantry"), "allied").refused("RV 10.1", "NOT_REDUCED")
        table.when(RestoreUnit("sov-5", "infantry"), "allied").refused("RV 10.1", "NOT_REDUCED")
        table.when(RestoreUnit("sov-99", "infantry"), "allied").malformed("UNKNOWN_UNIT")
        table.when(RestoreUnit("ger-ix", "infantry"), "allied").refused("RV 10.1", "NOT_YOUR_UNIT")

    def test_points_run_out(self) -> None:
        table = shop(allied="1905: sov-13(reduced) sov-2t(reduced)", points="armor=1 infantry=0")
        table.when(RestoreUnit("sov-13", "infantry"), "allied").refused("RV 10.1", "NO_POINTS_LEFT")
        table.when(RestoreUnit("sov-13", "gold"), "allied").refused("RV 10.13", "WRONG_POINTS")
        assert table.when(RestoreUnit("sov-13", "armor"), "allied").after().decisions() == []

    def test_a_unit_on_the_map_cannot_be_rebuilt(self) -> None:
        table = shop(allied="1905: sov-13(reduced)")
        table.when(RebuildUnit("sov-13", "0501", "infantry"), "allied").refused("RV 10.1", "NOT_REBUILDABLE")


class TestWhereUnitsReturn:
    """RV 10.11"""

    def test_a_restored_unit_must_be_in_supply(self) -> None:
        table = shop(axis="0724: ger-ix", allied="0524: sov-13(reduced); 1905: sov-31(reduced)")
        table.when(RestoreUnit("sov-13", "infantry"), "allied").refused("RV 10.11", "OUT_OF_SUPPLY")
        assert RestoreUnit("sov-13", "infantry") not in table.options("allied")

    def test_an_enemy_zone_does_not_matter(self) -> None:
        table = shop(axis="1906: ger-ix", allied="1905: sov-13(reduced)")
        table.when(RestoreUnit("sov-13", "infantry"), "allied").includes(UnitRestored("sov-13", 2, "infantry"))

    def test_axis_units_come_back_in_five_german_cities_in_their_hands(self) -> None:
        table = shop("axis", boxes="dead: ger-xx", allied="1623: sov-3", control="allied: 1623 0623")
        places = {o.hex for o in table.options("axis") if isinstance(o, RebuildUnit)}
        assert places == {"1422", "1619", "1622"}
        table.when(RebuildUnit("ger-xx", "0623", "infantry"), "axis").refused("RV 10.11", "NOT_AN_ARRIVAL_HEX")
        table.when(RebuildUnit("ger-xx", "9999", "infantry"), "axis").malformed("UNKNOWN_SPACE")

    def test_allied_units_come_back_at_the_east_edge(self) -> None:
        table = shop(axis="0901: ger-ix", boxes="dead: sov-13")
        places = {o.hex for o in table.options("allied") if isinstance(o, RebuildUnit)}
        assert "0801" in places and "0901" not in places and all(code.endswith("01") for code in places)
        table.when(RebuildUnit("sov-13", "1802", "infantry"), "allied").refused("RV 10.11", "NOT_AN_ARRIVAL_HEX")

    def test_a_rebuilt_unit_may_come_into_an_enemy_zone(self) -> None:
        table = shop("axis", boxes="dead: ger-xx", allied="1421: sov-3")
        table.when(RebuildUnit("ger-xx", "1422", "infantry"), "axis").includes()

    def test_a_full_hex_takes_no_more(self) -> None:
        table = shop(allied="0501: sov-3 sov-31", boxes="dead: sov-13 sov-marine")
        table.when(RebuildUnit("sov-13", "0501", "infantry"), "allied").refused("RV 10.11", "NOT_AN_ARRIVAL_HEX")
        table.when(RebuildUnit("sov-marine", "0501", "infantry"), "allied").includes()


class TestALoneCommanderWhereUnitsReturn:
    """RV 11.23"""

    def test_he_is_captured_by_the_unit_that_is_rebuilt_there(self) -> None:
        table = shop("axis", boxes="dead: ger-xx", allied="1422: zhukov; 1421: konev; 0101: sov-3")
        table.when(RebuildUnit("ger-xx", "1422", "infantry"), "axis").then(
            UnitRebuilt("ger-xx", "axis", "1422", 1, "infantry"), CommanderRemoved("zhukov", "captured")
        )

    def test_the_next_hex_is_near_enough_to_live(self) -> None:
        table = shop("axis", boxes="dead: ger-xx", allied="1421: zhukov; 0101: sov-3")
        table.when(RebuildUnit("ger-xx", "1422", "infantry"), "axis").lacks(CommanderRemoved)


class TestTwoStepUnits:
    """RV 10.12"""

    def test_a_unit_just_rebuilt_is_not_flipped_in_the_same_turn(self) -> None:
        after = (
            shop(boxes="dead: sov-13", allied="1905: sov-31(reduced)")
            .when(RebuildUnit("sov-13", "0501", "infantry"), "allied")
            .after()
        )
        after.when(RestoreUnit("sov-13", "infantry"), "allied").refused("RV 10.12", "REBUILT_THIS_TURN")
        assert RestoreUnit("sov-13", "infantry") not in after.options("allied")

    def test_it_is_in_a_later_turn(self) -> None:
        table = shop(allied="0501: sov-13(reduced)")
        table.when(RestoreUnit("sov-13", "infantry"), "allied").includes(UnitRestored("sov-13", 2, "infantry"))


class TestTypesOfPoints:
    """RV 10.13"""

    @pytest.mark.parametrize("unit", ["sov-13", "sov-1s", "sov-pliev-cav", "sov-8g", "sov-marine"])
    def test_foot_takes_either_kind(self, unit: str) -> None:
        table = shop(boxes=f"dead: {unit}")
        assert {o.pay for o in table.options("allied") if isinstance(o, RebuildUnit)} == {"infantry", "armor"}

    def test_armor_takes_armor_points_alone(self) -> None:
        table = shop(boxes="dead: sov-2t")
        table.when(RebuildUnit("sov-2t", "0501", "infantry"), "allied").refused("RV 10.13", "WRONG_POINTS")
        table.when(RebuildUnit("sov-2t", "0501", "armor"), "allied").includes()


class TestRemovedOutOfSupply:
    """RV 10.14"""

    def test_such_a_unit_is_not_rebuilt(self) -> None:
        table = shop(boxes="lost: sov-13; dead: sov-31")
        table.when(RebuildUnit("sov-13", "0501", "infantry"), "allied").refused("RV 10.14", "NOT_REBUILDABLE")
        assert {o.unit for o in table.options("allied") if isinstance(o, RebuildUnit)} == {"sov-31"}


class TestAxisPoints:
    """RV 10.2"""

    @pytest.mark.parametrize(("turn", "armor", "infantry"), [(2, 2, 2), (7, 2, 2), (8, 4, 2), (11, 4, 2)])
    def test_points_of_a_turn_with_all_oil_fields(self, turn: int, armor: int, infantry: int) -> None:
        table = scene(
            "1911: ger-ix; 2119: ger-x; 2521: ger-i; 2610: ger-ii", FAR_ALLIED, phase="replacements axis", turn=turn
        )
        table.goes_on(rolls=[] if turn >= 8 else [1]).includes(ReplacementsReceived("axis", armor, infantry))

    def test_a_lost_oil_field_counts_for_the_other_side(self) -> None:
        table = scene(FAR_AXIS, "2610: sov-3", phase="replacements axis", turn=8)
        table.goes_on().includes(ReplacementsReceived("axis", 3, 2))


class TestAlliedPoints:
    """RV 10.3"""

    def test_the_same_as_the_axis_with_the_oil_that_they_hold(self) -> None:
        table = scene(FAR_AXIS, "2610: sov-3(reduced)", phase="replacements allied", turn=8)
        table.goes_on().includes(ReplacementsReceived("allied", 1, 2))
        early = scene(FAR_AXIS, "2610: sov-3(reduced)", phase="replacements allied", turn=3)
        early.goes_on().includes(ReplacementsReceived("allied", 2, 2))

    def test_the_first_turn_has_none(self) -> None:
        table = scene(FAR_AXIS, FAR_ALLIED, phase="hitler allied", turn=1)
        table.goes_on().includes(PhaseBegun(1, "reinforcements", "diplomacy", "allied"))


class TestMinorAxisNations:
    """RV 11.3"""

    def test_axis_points_do_nothing_for_them(self) -> None:
        table = shop("axis", axis="2313: hun-2(reduced); 1925: ger-ix(reduced)", boxes="dead: rom-3")
        table.when(RestoreUnit("hun-2", "infantry"), "axis").refused("RV 11.3", "WRONG_POINTS")
        table.when(RebuildUnit("rom-3", "1422", "infantry"), "axis").refused("RV 11.3", "WRONG_POINTS")
        assert {o.unit for o in table.options("axis") if isinstance(o, RestoreUnit)} == {"ger-ix"}

    def test_as_allies_they_are_rebuilt_like_soviets(self) -> None:
        table = shop(boxes="dead: rom-3", minors="romania=allied bulgaria=axis hungary=axis")
        table.when(RebuildUnit("rom-3", "0501", "armor"), "allied").includes()


class TestAlliedMinorNations:
    """RV 11.4"""

    def test_yugoslavs_take_armor_points_and_poles_infantry_points(self) -> None:
        table = shop(allied="2925: yug-1(reduced); 1905: pol-1(reduced)")
        table.when(RestoreUnit("yug-1", "infantry"), "allied").refused("RV 10.13", "WRONG_POINTS")
        table.when(RestoreUnit("yug-1", "armor"), "allied").includes()
        table.when(RestoreUnit("pol-1", "armor"), "allied").refused("RV 10.13", "WRONG_POINTS")
        table.when(RestoreUnit("pol-1", "infantry"), "allied").includes()


class TestYugoslavReturn:
    """RV 11.41"""

    def places(self, table: Table) -> set[str]:
        return {o.hex for o in table.options("allied") if isinstance(o, RebuildUnit)}

    def test_in_belgrade_when_it_is_allied(self) -> None:
        assert self.places(shop(allied="2818: sov-3", boxes="dead: yug-1")) == {"2818"}

    def test_else_where_the_yugoslavs_were_set_up(self) -> None:
        table = shop(axis="2818: ger-lxviii; 3021: ger-xv-mtn", boxes="dead: yug-1")
        assert self.places(table) == {"2825", "2925", "3117", "3220"}


class TestArcticPeace:
    """RV 14.2"""

    def test_three_infantry_points_on_one_turn(self) -> None:
        table = shop(boxes="dead: sov-13", points="armor=0 infantry=0", arctic="yes")
        assert TakeArcticPoints() in table.options("allied")
        after = table.when(TakeArcticPoints(), "allied").then(ExtraReplacementsTaken("allied", 3, "arctic"))
        assert after.state.replacements["infantry"] == 3
        after.when(TakeArcticPoints(), "allied").refused("RV 14.2", "NO_ARCTIC_POINTS")

    def test_not_without_the_option_and_not_for_the_axis(self) -> None:
        shop(boxes="dead: sov-13").when(TakeArcticPoints(), "allied").refused("RV 14.2", "NO_ARCTIC_POINTS")
        axis = shop("axis", boxes="dead: ger-xx", arctic="yes")
        axis.when(TakeArcticPoints(), "axis").refused("RV 14.2", "NO_ARCTIC_POINTS")


class TestAdditionalTrucks:
    """RV 14.3"""

    def test_one_reduced_armor_unit_a_turn(self) -> None:
        table = shop(allied="1905: sov-2t(reduced); 1904: sov-4t(reduced)", points="armor=0 infantry=0", trucks=5)
        after = table.when(RestoreUnit("sov-2t", "trucks"), "allied").then(UnitRestored("sov-2t", 2, "trucks"))
        assert after.state.trucks == 4
        assert after.decisions() == []
        second = shop(allied="1904: sov-4t(reduced)", trucks=4, truck_used="yes")
        second.when(RestoreUnit("sov-4t", "trucks"), "allied").refused("RV 14.3", "NO_TRUCKS")

    def test_for_allied_armor_on_the_map_alone_and_while_they_last(self) -> None:
        table = shop(allied="1905: sov-2t(reduced) sov-13(reduced)", trucks=1, boxes="dead: sov-4t")
        table.when(RestoreUnit("sov-13", "trucks"), "allied").refused("RV 14.3", "NO_TRUCKS")
        table.when(RebuildUnit("sov-4t", "0501", "trucks"), "allied").refused("RV 10.13", "WRONG_POINTS")
        none = shop(allied="1905: sov-2t(reduced)", trucks=0)
        none.when(RestoreUnit("sov-2t", "trucks"), "allied").refused("RV 14.3", "NO_TRUCKS")
        axis = shop("axis", axis="1925: ger-iii-pz(reduced)", trucks=5)
        axis.when(RestoreUnit("ger-iii-pz", "trucks"), "axis").refused("RV 14.3", "NO_TRUCKS")


class TestGreekGarrison:
    """RV 14.4"""

    def test_four_infantry_points_after_bulgarias_surrender(self) -> None:
        table = scene("1925: ger-ix(reduced)", FAR_ALLIED, phase="replacements axis", turn=3, garrison="yes")
        after = table.goes_on().includes(
            ReplacementsReceived("axis", 2, 2), ExtraReplacementsTaken("axis", 4, "greece")
        )
        assert after.state.replacements["infantry"] == 6 and not after.state.garrison

    def test_not_before_it(self) -> None:
        table = scene("1925: ger-ix(reduced)", FAR_ALLIED, phase="replacements axis", turn=3)
        table.goes_on().lacks(ExtraReplacementsTaken)
