"""Minor nations [RV 11.31 to RV 11.34, RV 11.41 to RV 11.43, RV 14.1, RV 14.4]."""

from __future__ import annotations

import pytest
from stavka.games.red_vengeance.events import (
    NationDefected,
    NationSurrendered,
    PiecePlaced,
    PlaceFirstEntered,
    RomaniaWavered,
    UnitConfined,
    UnitRemoved,
)
from stavka.games.red_vengeance.moves import MoveUnit
from stavka.games.red_vengeance.production import rebuildable
from stavka.games.red_vengeance.stacking import RemoveExcess
from stavka.games.red_vengeance.victory import combat_points

from tests.games.red_vengeance.field import costs, facts, march, scene
from tests.support.table import Table

FAR_AXIS = "1925: ger-ix"
FAR_ALLIED = "0101: sov-3"
OUT = "romania=surrendered bulgaria=axis hungary=axis"
ALLY = "romania=allied bulgaria=axis hungary=axis"
MAGYAR = {"magyar_honor": "on"}


def politics(
    axis: str = FAR_AXIS, allied: str = FAR_ALLIED, *, options: dict[str, str] | None = None, **more: str
) -> Table:
    return scene(axis, allied, phase="politics allied", options=options, **more)  # type: ignore[arg-type]


class TestRomania:
    """RV 11.31"""

    def into_constanta(self, *, rolls: int = 0, axis: str = "2508: rom-3; 2307: rom-4") -> Table:
        return scene(axis, "2806: sov-2t", phase="movement allied", romania_rolls=rolls)

    def test_its_units_stay_in_romania(self) -> None:
        table = scene("2604: rom-3", FAR_ALLIED, phase="movement axis")
        table.when(MoveUnit("rom-3", "2603"), "axis").refused("RV 11.31", "OUT_OF_BOUNDS")
        table.when(MoveUnit("rom-3", "2605"), "axis").includes(march("rom-3", "2604", "2605", cost=1, side="axis"))

    def test_the_first_allied_control_of_constanta_makes_it_waver(self) -> None:
        table = self.into_constanta()
        table.when(MoveUnit("sov-2t", "2907"), "allied", rolls=[2]).then(
            march("sov-2t", "2806", "2907", cost=1), PlaceFirstEntered("2907"), RomaniaWavered(2, 0)
        )

    def test_on_a_one_it_surrenders_and_its_units_leave(self) -> None:
        after = (
            self.into_constanta()
            .when(MoveUnit("sov-2t", "2907"), "allied", rolls=[1])
            .includes(
                RomaniaWavered(1, 0),
                NationSurrendered("romania", False),
                UnitRemoved("rom-3", "off", "surrender"),
                UnitRemoved("rom-4", "off", "surrender"),
            )
        )
        assert after.state.minors["romania"] == "surrendered"

    @pytest.mark.parametrize(("rolls", "die", "out"), [(1, 2, True), (1, 3, False), (4, 5, True), (5, 6, True)])
    def test_each_event_makes_the_next_die_worse(self, rolls: int, die: int, out: bool) -> None:
        outcome = self.into_constanta(rolls=rolls).when(MoveUnit("sov-2t", "2907"), "allied", rolls=[die])
        assert any(isinstance(e, NationSurrendered) for e in outcome.events) is out

    def test_ploesti_is_an_event_of_its_own(self) -> None:
        table = scene("2508: rom-3", "2709: sov-2t", phase="movement allied", visited="2907", romania_rolls=1)
        table.when(MoveUnit("sov-2t", "2610"), "allied", rolls=[6]).includes(RomaniaWavered(6, 1))

    def test_a_second_visit_is_none(self) -> None:
        table = scene("2508: rom-3", "2709: sov-2t", phase="movement allied", visited="2610")
        table.when(MoveUnit("sov-2t", "2610"), "allied").lacks(RomaniaWavered)

    def test_so_does_the_loss_of_a_romanian_unit(self) -> None:
        table = scene("2508: rom-3 ger-x ger-xx", FAR_ALLIED, phase="stacking axis")
        table.when(RemoveExcess("rom-3"), "allied", rolls=[3]).then(
            UnitRemoved("rom-3", "dead", "stacking"), RomaniaWavered(3, 0)
        )
        table.when(RemoveExcess("ger-x"), "allied").lacks(RomaniaWavered)

    def test_once_out_it_wavers_no_more(self) -> None:
        table = scene(FAR_AXIS, "2806: sov-2t", phase="movement allied", minors=OUT)
        table.when(MoveUnit("sov-2t", "2907"), "allied").lacks(RomaniaWavered)


class TestBulgaria:
    """RV 11.32"""

    def test_its_unit_stays_in_bulgaria(self) -> None:
        table = scene("3008: bul-1", FAR_ALLIED, phase="movement axis")
        table.when(MoveUnit("bul-1", "2907"), "axis").refused("RV 11.32", "OUT_OF_BOUNDS")

    def test_it_surrenders_when_romania_is_out_and_a_soviet_unit_is_in_the_country(self) -> None:
        table = scene("3113: bul-1", "2907: sov-13", phase="movement allied", minors=OUT)
        table.when(MoveUnit("sov-13", "2908"), "allied").then(
            march("sov-13", "2907", "2908", cost=1),
            NationSurrendered("bulgaria", False),
            UnitRemoved("bul-1", "off", "surrender"),
        )

    def test_either_alone_is_not_enough(self) -> None:
        still_in = scene("3113: bul-1", "2907: sov-13", phase="movement allied")
        still_in.when(MoveUnit("sov-13", "2908"), "allied").lacks(NationSurrendered)
        outside = scene("3113: bul-1", "2806: sov-13", phase="movement allied", minors=OUT, visited="2907")
        outside.when(MoveUnit("sov-13", "2907"), "allied").lacks(NationSurrendered)

    def test_a_soviet_unit_that_passes_through_is_in_it_too(self) -> None:
        table = scene("3113: bul-1", "2807: sov-4g", phase="movement allied", minors=OUT)
        table.when(MoveUnit("sov-4g", "2808", ("2807", "2908", "2808")), "allied").includes(
            NationSurrendered("bulgaria", False), UnitRemoved("bul-1", "off", "surrender")
        )
        table.when(MoveUnit("sov-4g", "2808", ("2807", "2808")), "allied").lacks(NationSurrendered)

    def test_one_that_has_left_before_romania_gave_up_is_not(self) -> None:
        table = scene("2508: rom-3; 3113: bul-1", "2807: sov-4g", phase="movement allied")
        path = ("2807", "2908", "2907")
        outcome = table.when(MoveUnit("sov-4g", "2907", path), "allied", rolls=[1])
        assert outcome.includes(NationSurrendered("romania", False)).state.minors["bulgaria"] == "axis"

    def test_other_allied_units_do_not_count(self) -> None:
        table = scene("3113: bul-1", "2907: pol-1", phase="movement allied", minors=OUT)
        table.when(MoveUnit("pol-1", "2908"), "allied").lacks(NationSurrendered)

    def test_romanias_surrender_draws_it_in_at_once(self) -> None:
        table = scene("2508: rom-3; 3113: bul-1", "2806: sov-2t; 3008: sov-13", phase="movement allied")
        table.when(MoveUnit("sov-2t", "2907"), "allied", rolls=[1]).includes(
            NationSurrendered("romania", False), NationSurrendered("bulgaria", False)
        )


class TestGreekGarrisonIsSetFree:
    """RV 14.4"""

    def test_by_bulgarias_surrender_under_the_option(self) -> None:
        options = {"greek_garrison": "on"}
        table = scene("3113: bul-1", "2907: sov-13", phase="movement allied", minors=OUT, options=options)
        after = table.when(MoveUnit("sov-13", "2908"), "allied").includes(NationSurrendered("bulgaria", True))
        assert after.state.garrison


class TestHungary:
    """RV 11.33"""

    def test_units_at_home_do_not_leave(self) -> None:
        table = scene("2210: hun-2(confined)", FAR_ALLIED, phase="movement axis")
        table.when(MoveUnit("hun-2", "2209"), "axis").refused("RV 11.33", "OUT_OF_BOUNDS")
        assert "2110" not in costs(table, "hun-2")

    def test_one_outside_may_stay_outside(self) -> None:
        table = scene("2209: hun-1", FAR_ALLIED, phase="movement axis")
        table.when(MoveUnit("hun-1", "2208"), "axis").then(march("hun-1", "2209", "2208", cost=1, side="axis"))

    def test_once_it_has_entered_hungary_it_is_bound(self) -> None:
        table = scene("2209: hun-1", FAR_ALLIED, phase="movement axis")
        after = table.when(MoveUnit("hun-1", "2210"), "axis").then(
            march("hun-1", "2209", "2210", cost=2, side="axis"), UnitConfined("hun-1")
        )
        assert facts(after, "2209")["zoc_of"] == []

    def test_not_even_within_one_move_does_it_pass_through(self) -> None:
        table = scene("2110: hun-1", FAR_ALLIED, phase="movement axis")
        path = ("2110", "2111", "2010")
        table.when(MoveUnit("hun-1", "2010", path), "axis").refused("RV 11.33", "OUT_OF_BOUNDS")

    def test_it_never_surrenders(self) -> None:
        table = scene("2215: hun-3(confined)", "2313: sov-13", phase="movement allied", minors=OUT)
        table.when(MoveUnit("sov-13", "2212"), "allied").lacks(NationSurrendered)


class TestDefection:
    """RV 11.34"""

    def test_romania_changes_sides_when_bucharest_is_allied(self) -> None:
        table = politics("2508: rom-3; 2307: rom-4", "2711: sov-13")
        after = table.goes_on().includes(
            NationSurrendered("romania", False),
            UnitRemoved("rom-3", "off", "surrender"),
            UnitRemoved("rom-4", "off", "surrender"),
            NationDefected("romania"),
            PiecePlaced("rom-3", "allied", "2711", 2),
            UnitRemoved("rom-4", "dead", "defection"),
        )
        assert after.state.minors["romania"] == "allied"

    def test_after_a_surrender_it_still_waits_for_bucharest(self) -> None:
        politics(minors=OUT).goes_on().lacks(NationDefected)
        table = politics(allied="2711: sov-13", minors=OUT, boxes="off: rom-3; lost: rom-4")
        after = table.goes_on().includes(NationDefected("romania"), PiecePlaced("rom-3", "allied", "2711", 2))
        assert after.state.at["rom-4"] == "lost"

    def test_bulgaria_changes_sides_when_romania_is_out_and_sofia_is_allied(self) -> None:
        table = politics(allied="3113: sov-13", minors=ALLY, boxes="off: bul-1")
        after = table.goes_on().includes(
            NationSurrendered("bulgaria", False), NationDefected("bulgaria"), PiecePlaced("bul-1", "allied", "3113", 2)
        )
        assert facts(after, "3113")["pieces"] == ["bul-1", "sov-13"]

    def test_not_while_romania_fights_and_not_twice(self) -> None:
        politics(allied="3113: sov-13").goes_on().lacks(NationDefected)
        done = politics(allied="2711: sov-13 rom-3", minors=ALLY)
        done.goes_on().lacks(NationDefected)

    def test_afterwards_its_units_leave_home_but_stay_out_of_yugoslavia(self) -> None:
        table = scene(FAR_AXIS, "2716: rom-3; 2711: sov-13", phase="movement allied", minors=ALLY)
        table.when(MoveUnit("rom-3", "2816"), "allied").refused("RV 11.42", "OUT_OF_BOUNDS")
        assert "2517" in costs(scene(FAR_AXIS, "2516: rom-3", phase="movement allied", minors=ALLY), "rom-3")


class TestMagyarHonor:
    """RV 14.1"""

    def test_hungary_surrenders_when_romania_is_out_and_a_soviet_unit_is_in_the_country(self) -> None:
        table = scene(
            "2215: hun-3(confined); 1810: hun-1", "2209: sov-13", phase="movement allied", minors=OUT, options=MAGYAR
        )
        table.when(MoveUnit("sov-13", "2210"), "allied").includes(
            NationSurrendered("hungary", False),
            UnitRemoved("hun-1", "off", "surrender"),
            UnitRemoved("hun-3", "off", "surrender"),
        )

    def test_passing_through_is_enough(self) -> None:
        table = scene("2215: hun-3(confined)", "2209: sov-4g", phase="movement allied", minors=OUT, options=MAGYAR)
        move = MoveUnit("sov-4g", "2110", ("2209", "2210", "2110"))
        table.when(move, "allied").includes(NationSurrendered("hungary", False))

    def defected(self) -> Table:
        minors = "romania=allied bulgaria=axis hungary=surrendered"
        table = politics(allied="2215: sov-13", options=MAGYAR, minors=minors, boxes="off: hun-1 hun-3; dead: hun-2")
        return table.goes_on().includes(NationDefected("hungary"), PiecePlaced("hun-1", "allied", "2215", 2))

    def test_it_changes_sides_with_one_unit_when_budapest_is_allied(self) -> None:
        after = self.defected()
        assert {unit: after.state.at[unit] for unit in ("hun-1", "hun-2", "hun-3")} == {
            "hun-1": "2215",
            "hun-2": "lost",
            "hun-3": "lost",
        }

    def test_the_others_are_never_rebuilt_and_count_for_nobody(self) -> None:
        """RV 10.1, RV 15.2"""
        state = self.defected().state
        assert rebuildable(state, "allied") == []
        assert combat_points(state).items == {"axis": (), "allied": ()}

    def test_the_one_that_came_back_may_be_rebuilt_later(self) -> None:
        minors = "romania=allied bulgaria=axis hungary=allied"
        table = politics(allied="2215: sov-13", minors=minors, boxes="dead: hun-1; lost: hun-2 hun-3", options=MAGYAR)
        assert rebuildable(table.state, "allied") == ["hun-1"]

    def test_without_the_option_it_does_neither(self) -> None:
        politics(allied="2215: sov-13", minors=ALLY).goes_on().lacks(NationDefected, NationSurrendered)


class TestYugoslavUnitsAtHome:
    """RV 11.41"""

    def test_they_do_not_leave_while_axis_units_are_in_the_country(self) -> None:
        table = scene("3317: ger-xxi-mtn", "2622: yug-1", phase="movement allied")
        table.when(MoveUnit("yug-1", "2521"), "allied").refused("RV 11.41", "OUT_OF_BOUNDS")
        freed = scene(FAR_AXIS, "2622: yug-1", phase="movement allied")
        freed.when(MoveUnit("yug-1", "2521"), "allied").includes()

    def test_one_outside_may_stay_and_return_but_not_leave_again(self) -> None:
        table = scene("3317: ger-xxi-mtn", "2521: yug-1", phase="movement allied")
        table.when(MoveUnit("yug-1", "2420"), "allied").includes()
        table.when(MoveUnit("yug-1", "2622"), "allied").includes()
        path = ("2521", "2522", "2422")
        table.when(MoveUnit("yug-1", "2422", path), "allied").refused("RV 11.41", "OUT_OF_BOUNDS")


class TestAlliesInYugoslavia:
    """RV 11.42"""

    def test_soviets_stay_out_of_rough_ground(self) -> None:
        table = scene(FAR_AXIS, "2818: sov-13", phase="movement allied")
        table.when(MoveUnit("sov-13", "2919"), "allied").refused("RV 11.42", "OUT_OF_BOUNDS")

    def test_two_soviet_units_are_all_that_may_be_in_it(self) -> None:
        table = scene(FAR_AXIS, "2818: sov-13; 2817: sov-31; 2516: sov-5", phase="movement allied")
        table.when(MoveUnit("sov-5", "2617"), "allied").refused("RV 11.42", "TWO_SOVIETS_IN_YUGOSLAVIA")
        table.when(MoveUnit("sov-13", "2718"), "allied").includes()
        one = scene(FAR_AXIS, "2818: sov-13; 2817: yug-1; 2516: sov-5", phase="movement allied")
        one.when(MoveUnit("sov-5", "2617"), "allied").includes()

    def test_romanians_and_bulgarians_stay_out_altogether(self) -> None:
        minors = "romania=allied bulgaria=allied hungary=axis"
        table = scene(FAR_AXIS, "2516: rom-3; 2915: bul-1", phase="movement allied", minors=minors)
        table.when(MoveUnit("rom-3", "2617"), "allied").refused("RV 11.42", "OUT_OF_BOUNDS")
        table.when(MoveUnit("bul-1", "3015"), "allied").refused("RV 11.42", "OUT_OF_BOUNDS")


class TestPoland:
    """RV 11.43"""

    def test_the_second_army_appears_in_warsaw_once_it_is_allied(self) -> None:
        table = politics(allied="1414: sov-13")
        after = table.goes_on().includes(PiecePlaced("pol-2", "allied", "1414", 2))
        assert after.state.at["pol-2"] == "1414"

    def test_not_before_and_not_again(self) -> None:
        politics().goes_on().lacks(PiecePlaced)
        politics(allied="1414: sov-13", boxes="dead: pol-2").goes_on().lacks(PiecePlaced)
