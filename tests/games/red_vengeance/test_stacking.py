"""Stacking as it is enforced [RV 6.3, RV 11.6, RV 14.5]."""

from __future__ import annotations

from stavka.games.red_vengeance.board import has_room
from stavka.games.red_vengeance.combat.events import CommanderRisked
from stavka.games.red_vengeance.events import CommanderPlaced, CommanderRemoved, PhaseBegun, UnitRemoved
from stavka.games.red_vengeance.moves import MoveUnit
from stavka.games.red_vengeance.production import rebuild_hexes
from stavka.games.red_vengeance.reinforcements import PlaceReinforcement
from stavka.games.red_vengeance.stacking import RemoveExcess

from tests.games.red_vengeance.field import facts, march, scene

ON = {"last_line": "on"}


class TestStacking:
    """RV 6.3"""

    def test_any_number_may_pass_or_stop_while_the_phase_lasts(self) -> None:
        table = scene("", "1905: sov-13; 1904: sov-3 sov-31", phase="movement allied")
        table.when(MoveUnit("sov-13", "1904"), "allied").then(march("sov-13", "1905", "1904", cost=1))

    def test_at_the_end_the_opponent_removes_what_is_too_much(self) -> None:
        table = scene("0925: ger-ix", "1904: sov-3 sov-31 sov-13", phase="stacking allied")
        assert table.goes_on().events == ()
        assert table.decisions() == [("axis", "excess")]
        assert table.options("axis") == [RemoveExcess("sov-3"), RemoveExcess("sov-13"), RemoveExcess("sov-31")]
        after = table.when(RemoveExcess("sov-13"), "axis").then(UnitRemoved("sov-13", "dead", "stacking"))
        assert after.decisions() == []
        after.goes_on().includes(PhaseBegun(3, "combat", "combat", "allied"))

    def test_a_unit_removed_so_may_be_rebuilt_even_if_it_was_out_of_supply(self) -> None:
        table = scene("0925: ger-ix", "1904: sov-3 sov-31 sov-13(oos)", phase="stacking allied")
        table.when(RemoveExcess("sov-13"), "axis").then(UnitRemoved("sov-13", "dead", "stacking"))

    def test_two_units_are_not_too_many(self) -> None:
        table = scene("0925: ger-ix", "1904: sov-3 sov-31; 1903: sov-13", phase="stacking allied")
        table.goes_on().includes(PhaseBegun(3, "combat", "combat", "allied"))

    def test_only_units_of_crowded_hexes_are_removed_and_only_by_the_opponent(self) -> None:
        table = scene("0925: ger-ix", "1904: sov-3 sov-31 sov-13; 1903: sov-5", phase="stacking allied")
        table.when(RemoveExcess("sov-5"), "axis").refused("RV 6.3", "NOT_IN_EXCESS")
        table.when(RemoveExcess("ger-ix"), "axis").refused("RV 6.3", "NOT_IN_EXCESS")
        table.when(RemoveExcess("nobody"), "axis").malformed("UNKNOWN_UNIT")
        table.when(RemoveExcess("sov-3"), "allied").refused("RV 6.3", "NOT_YOUR_DECISION")

    def test_commanders_do_not_count(self) -> None:
        table = scene("0925: ger-ix", "1904: sov-3 sov-31 zhukov konev", phase="stacking allied")
        table.goes_on().includes(PhaseBegun(3, "combat", "combat", "allied"))

    def test_it_is_judged_after_exploitation_movement_too(self) -> None:
        table = scene("0925: ger-ix", "1904: sov-3 sov-31 sov-2t", phase="exploitation_stacking allied")
        assert table.decisions() == [("axis", "excess")]

    def test_dietrich_joins_the_nearest_ss_when_his_own_are_removed(self) -> None:
        table = scene(
            "1421: ger-ix ger-x ger-i-ss-pz dietrich; 1424: ger-ii-ss-pz; 1401: ger-vi-ss",
            "0101: sov-3",
            phase="stacking axis",
            turn=9,
        )
        table.when(RemoveExcess("ger-i-ss-pz"), "allied", rolls=[2]).then(
            UnitRemoved("ger-i-ss-pz", "dead", "stacking"),
            CommanderRisked("dietrich", 2, 0),
            CommanderPlaced("dietrich", "1424"),
        )
        table.when(RemoveExcess("ger-x"), "allied", rolls=[2]).lacks(CommanderPlaced)

    def test_a_commander_of_the_crowded_stack_may_die(self) -> None:
        """RV 11.23"""
        table = scene("0925: ger-ix", "1904: sov-3 sov-31 sov-13 zhukov; 1903: konev sov-5", phase="stacking allied")
        removed = UnitRemoved("sov-13", "dead", "stacking")
        table.when(RemoveExcess("sov-13"), "axis", rolls=[1]).then(
            removed, CommanderRisked("zhukov", 1, 0), CommanderRemoved("zhukov", "killed")
        )
        after = table.when(RemoveExcess("sov-13"), "axis", rolls=[2]).then(removed, CommanderRisked("zhukov", 2, 0))
        assert after.state.at["zhukov"] == "1904"


class TestDivisions:
    """RV 11.6"""

    def test_a_marine_division_does_not_count_and_cannot_be_removed(self) -> None:
        table = scene("0925: ger-ix", "1904: sov-3 sov-31 sov-marine", phase="stacking allied")
        table.goes_on().includes(PhaseBegun(3, "combat", "combat", "allied"))
        crowded = scene("0925: ger-ix", "1904: sov-3 sov-31 sov-13 sov-marine", phase="stacking allied")
        crowded.when(RemoveExcess("sov-marine"), "axis").refused("RV 6.3", "NOT_IN_EXCESS")


class TestLastLine:
    """RV 14.5"""

    def test_three_german_corps_hold_berlin_if_ss_are_among_them(self) -> None:
        table = scene("1422: ger-ix ger-x ger-xi-ss", "0101: sov-3", phase="stacking axis", options=ON)
        assert facts(table, "1422")["stacking_limit"] == 3
        table.goes_on().lacks(UnitRemoved)
        assert table.decisions() == []

    def test_not_without_ss_not_elsewhere_not_without_the_option_not_four(self) -> None:
        for units, option in (
            ("1422: ger-ix ger-x ger-xi", ON),
            ("1421: ger-ix ger-x ger-xi-ss", ON),
            ("1422: ger-ix ger-x ger-xi-ss", {}),
            ("1422: ger-ix ger-x ger-xi-ss ger-i", ON),
            ("1422: hun-1 ger-x ger-xi-ss", ON),
        ):
            table = scene(units, "0101: sov-3", phase="stacking axis", options=option)
            assert table.decisions() == [("allied", "excess")], units

    def test_the_third_may_be_the_one_that_brings_the_ss(self) -> None:
        """RV 10.4, RV 10.11, RV 8.64"""
        for garrison, unit, may in (
            ("ger-ix ger-x", "ger-xi-ss", True),
            ("ger-ix ger-x", "ger-xi", False),
            ("ger-ix ger-xi-ss", "ger-x", True),
            ("ger-ix ger-xi-ss", "hun-1", False),
            ("hun-1 ger-ix", "ger-xi-ss", False),
            ("ger-ix ger-x ger-xi-ss", "ger-i-ss-pz", False),
        ):
            table = scene(f"1422: {garrison}", "0101: sov-3", phase="movement axis", options=ON)
            assert has_room(table.state, unit, "1422") is may, (garrison, unit)
            assert ("1422" in rebuild_hexes(table.state, unit)) is may, (garrison, unit)

    def test_without_the_option_and_elsewhere_two_are_all(self) -> None:
        assert not has_room(scene("1422: ger-ix ger-x", "0101: sov-3").state, "ger-xi-ss", "1422")
        assert not has_room(scene("1421: ger-ix ger-x", "0101: sov-3", options=ON).state, "ger-xi-ss", "1421")

    def test_a_reinforcement_of_the_ss_arrives_as_the_third(self) -> None:
        """RV 10.4"""
        due, phase = "track: ger-i-ss-pz(due9) ger-xi(due9)", "reinforcements axis"
        table = scene("1422: ger-ix ger-x", "0101: sov-3", options=ON, boxes=due, phase=phase, turn=9).goes_on().after()
        table.when(PlaceReinforcement("ger-xi", "1422"), "axis").refused("RV 10.4", "NOT_AN_ARRIVAL_HEX")
        table.when(PlaceReinforcement("ger-i-ss-pz", "1422"), "axis").includes()
