"""Movement by sea [RV 12.22]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.red_vengeance.combat.events import CommanderRisked
from stavka.games.red_vengeance.events import CommanderRemoved, StepLost, UnitRemoved, UnitSailed
from stavka.games.red_vengeance.moves import EndMovement, MoveUnit
from stavka.games.red_vengeance.sea import SailUnit

from tests.games.red_vengeance.field import march, scene
from tests.support.table import Table

FAR = "0101: sov-3"


def port(axis: str = "0917: ger-ix ger-iii-pz", allied: str = FAR, *, sea: str = "german_lake", **more: Any) -> Table:
    return scene(axis, allied, phase=more.pop("phase", "movement axis"), sea=sea, **more)


class TestSailing:
    """RV 12.22"""

    def test_from_port_to_port_for_one_point(self) -> None:
        after = port().when(SailUnit("ger-ix", "0311"), "axis").then(UnitSailed("ger-ix", "axis", "0917", "0311", 1, 0))
        assert after.state.at["ger-ix"] == "0311" and after.state.spent["ger-ix"] == 1

    def test_one_unit_a_phase(self) -> None:
        after = port().when(SailUnit("ger-ix", "0311"), "axis").after()
        after.when(SailUnit("ger-iii-pz", "0311"), "axis").refused("RV 12.22", "NO_SEA_MOVE_LEFT")
        assert not [o for o in after.options("axis") if isinstance(o, SailUnit)]

    def test_it_moves_by_land_before_and_after_within_its_points(self) -> None:
        table = port("1017: ger-iii-pz; 1317: ger-ix")
        there = table.when(MoveUnit("ger-iii-pz", "0917"), "axis").after()
        sailed = there.when(SailUnit("ger-iii-pz", "0814"), "axis").after()
        assert sailed.state.spent["ger-iii-pz"] == 2
        onward = sailed.when(MoveUnit("ger-iii-pz", "0813"), "axis").after()
        onward.when(MoveUnit("ger-iii-pz", "0814"), "axis").refused("RV 6.2", "HAS_MOVED")

    def test_points_spent_before_count(self) -> None:
        table = port("1017: ger-iii-pz; 1317: ger-ix")
        there = table.when(MoveUnit("ger-iii-pz", "0917"), "axis").after()
        sailed = there.when(SailUnit("ger-iii-pz", "0814"), "axis").after()
        sailed.when(MoveUnit("ger-iii-pz", "0810"), "axis").refused("RV 6.22", "ALLOWANCE_EXCEEDED")

    def test_once_another_unit_has_moved_it_stays(self) -> None:
        table = port("1017: ger-iii-pz; 1317: ger-ix; 1425: ger-x").when(MoveUnit("ger-iii-pz", "0917"), "axis").after()
        away = table.when(MoveUnit("ger-ix", "1316"), "axis").after()
        away.when(SailUnit("ger-iii-pz", "0814"), "axis").refused("RV 12.22", "HAS_MOVED")
        sailed = (
            port("0917: ger-iii-pz; 1317: ger-ix; 1425: ger-x").when(SailUnit("ger-iii-pz", "0814"), "axis").after()
        )
        gone = sailed.when(MoveUnit("ger-ix", "1316"), "axis").after()
        gone.when(MoveUnit("ger-iii-pz", "0813"), "axis").refused("RV 6.2", "HAS_MOVED")

    def test_all_points_spent_leave_none_to_sail(self) -> None:
        tired = port("1017: ger-ix(oos); 1425: ger-x", weather="mud").when(MoveUnit("ger-ix", "0917"), "axis").after()
        tired.when(SailUnit("ger-ix", "0814"), "axis").refused("RV 12.22", "ALLOWANCE_EXCEEDED")

    def test_only_from_and_to_ports_in_axis_hands(self) -> None:
        port("0916: ger-ix").when(SailUnit("ger-ix", "0311"), "axis").refused("RV 12.22", "NOT_IN_A_PORT")
        lost = port(control="allied: 0101 0311")
        lost.when(SailUnit("ger-ix", "0311"), "axis").refused("RV 12.22", "NO_SUCH_PORT")
        port().when(SailUnit("ger-ix", "0917"), "axis").refused("RV 12.22", "NO_SUCH_PORT")
        port().when(SailUnit("ger-ix", "2602"), "axis").refused("RV 12.22", "NO_SUCH_PORT")
        assert SailUnit("ger-ix", "0311") not in lost.options("axis")

    def test_only_axis_units(self) -> None:
        table = scene("0925: ger-ix", "0917: sov-13 zhukov", phase="movement allied")
        table.when(SailUnit("sov-13", "0311"), "allied").refused("RV 12.22", "ONLY_AXIS_UNITS_SAIL")
        axis = scene("0917: ger-i-ss-pz dietrich", FAR, phase="movement axis")
        axis.when(SailUnit("dietrich", "0311"), "axis").refused("RV 12.22", "ONLY_AXIS_UNITS_SAIL")
        axis.when(SailUnit("raft", "0311"), "axis").malformed("UNKNOWN_UNIT")

    def test_a_unit_stopped_by_an_enemy_zone_does_not_sail_on(self) -> None:
        table = port("1018: ger-ix; 1317: ger-x", "0916: sov-13", control="allied: 0101 0916")
        stopped = table.when(MoveUnit("ger-ix", "0917"), "axis").after()
        stopped.when(SailUnit("ger-ix", "0311"), "axis").refused("RV 12.22", "MUST_STOP")

    def test_one_that_lands_in_an_enemy_zone_stays_there(self) -> None:
        table = port("0917: ger-ix; 1317: ger-x", "0310: sov-13")
        landed = table.when(SailUnit("ger-ix", "0311"), "axis").after()
        landed.when(MoveUnit("ger-ix", "0312"), "axis").refused("RV 6.2", "HAS_MOVED")
        armor = port("0917: ger-iii-pz; 1317: ger-x", "0310: sov-13").when(SailUnit("ger-iii-pz", "0311"), "axis")
        armor.after().when(MoveUnit("ger-iii-pz", "0312"), "axis").includes()

    def test_in_exploitation_movement_too(self) -> None:
        table = port("0917: ger-iii-pz ger-ix", phase="exploitation_movement axis")
        table.when(SailUnit("ger-iii-pz", "0311"), "axis").includes(
            UnitSailed("ger-iii-pz", "axis", "0917", "0311", 1, 0)
        )
        table.when(SailUnit("ger-ix", "0311"), "axis").refused("RV 12.22", "ALLOWANCE_EXCEEDED")

    def test_confined_hungarians_do_not_leave_by_sea(self) -> None:
        table = port("0917: hun-1(confined)")
        assert not [o for o in table.options("axis") if isinstance(o, SailUnit)]


class TestLossesAtSea:
    """RV 12.22"""

    @pytest.mark.parametrize(
        ("sea", "die", "lost"),
        [("soviet_subs", 4, False), ("soviet_subs", 5, True), ("light_surface", 3, False), ("light_surface", 4, True)],
    )
    def test_the_allied_die_may_cost_a_step(self, sea: str, die: int, lost: bool) -> None:
        outcome = port(sea=sea).when(SailUnit("ger-ix", "0311"), "axis", rolls=[die])
        sailed = UnitSailed("ger-ix", "axis", "0917", "0311", 1, die)
        outcome.then(sailed, *([StepLost("ger-ix", 1)] if lost else []))

    def test_the_last_step_removes_the_unit(self) -> None:
        table = port("0917: ger-ix(reduced) ger-x", sea="soviet_subs")
        after = table.when(SailUnit("ger-ix", "0311"), "axis", rolls=[6]).includes(UnitRemoved("ger-ix", "dead", "sea"))
        after.when(MoveUnit("ger-ix", "0312"), "axis").refused("RV 6.0", "NOT_ON_MAP")
        after.when(EndMovement(), "axis").includes()

    def test_a_commander_in_the_port_of_arrival_may_die_with_it(self) -> None:
        """RV 11.23"""
        axis = "0917: ger-i-ss-pz(reduced); 1020: ger-xi-ss dietrich"
        table = port(axis, sea="light_surface", turn=9)
        sunk = UnitRemoved("ger-i-ss-pz", "dead", "sea")
        table.when(SailUnit("ger-i-ss-pz", "1020"), "axis", rolls=[4, 1]).includes(
            sunk, CommanderRisked("dietrich", 1, 0), CommanderRemoved("dietrich", "killed")
        )
        table.when(SailUnit("ger-i-ss-pz", "0311"), "axis", rolls=[4]).includes(sunk)
        full = port(axis.replace("(reduced)", ""), sea="light_surface", turn=9)
        full.when(SailUnit("ger-i-ss-pz", "1020"), "axis", rolls=[4]).lacks(CommanderRisked)

    def test_on_heavy_surface_nobody_sails(self) -> None:
        port(sea="heavy_surface").when(SailUnit("ger-ix", "0311"), "axis").refused("RV 12.22", "NO_SEA_MOVE_LEFT")

    def test_landing_gives_control_of_the_port(self) -> None:
        after = port().when(SailUnit("ger-ix", "0311"), "axis").after()
        assert after.state.control["0311"] == "axis"
        after.when(MoveUnit("ger-ix", "0312"), "axis").then(march("ger-ix", "0311", "0312", cost=1, side="axis"))
