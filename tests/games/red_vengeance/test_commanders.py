"""Commanders on the move [RV 6.1, RV 11.22, RV 11.24, RV 11.25, RV 11.26]."""

from __future__ import annotations

from stavka.games.red_vengeance.events import CommanderRemoved, PhaseBegun
from stavka.games.red_vengeance.moves import EndMovement, MoveStrategically, MoveUnit
from stavka.games.red_vengeance.sea import SailUnit

from tests.games.red_vengeance.field import costs, march, ride, scene
from tests.support.table import Table


class TestCommandersMove:
    """RV 6.1"""

    def test_each_hex_costs_one_whatever_lies_in_it(self) -> None:
        """From the plain over a river into the Carpathians."""
        table = scene("", "2209: zhukov; 0101: sov-3", phase="movement allied")
        path = ("2209", "2210", "2111", "2112")
        table.when(MoveUnit("zhukov", "2112", path), "allied").then(ride("zhukov", *path))

    def test_a_commander_may_go_alone_and_only_once(self) -> None:
        table = scene("", "1905: zhukov; 0101: sov-3", phase="movement allied")
        after = table.when(MoveUnit("zhukov", "1904"), "allied").then(ride("zhukov", "1905", "1904"))
        after.when(MoveUnit("zhukov", "1903"), "allied").refused("RV 6.2", "HAS_MOVED")

    def test_he_takes_no_control_and_sets_nothing_off(self) -> None:
        table = scene("", "1905: zhukov; 0101: sov-3", phase="movement allied", control="allied: 1905 0101")
        after = table.when(MoveUnit("zhukov", "1805"), "allied").then(ride("zhukov", "1905", "1805"))
        assert after.state.control["1805"] == "axis"

    def test_an_enemy_unit_that_enters_removes_a_lone_commander(self) -> None:
        table = scene("1906: ger-xiii", "1905: konev; 0101: sov-3", phase="movement axis")
        table.when(MoveUnit("ger-xiii", "1904", ("1906", "1905", "1904")), "axis").then(
            march("ger-xiii", "1906", "1905", "1904", cost=2, side="axis"), CommanderRemoved("konev", "captured")
        )

    def test_a_commander_does_not_capture(self) -> None:
        table = scene("1421: ger-i-ss-pz dietrich", "1420: konev; 0101: sov-3", phase="movement axis", turn=9)
        table.when(MoveUnit("dietrich", "1420"), "axis").refused("RV 6.1", "ENEMY_COMMANDER_IN_HEX")

    def test_a_commander_does_not_enter_an_enemy_units_hex(self) -> None:
        table = scene("1906: ger-xiii", "1905: zhukov", phase="movement allied")
        table.when(MoveUnit("zhukov", "1906"), "allied").refused("RV 6.0", "ENEMY_UNIT_IN_HEX")

    def test_a_commander_has_an_end_to_his_points_too(self) -> None:
        table = scene("", "1907: zhukov", phase="movement allied")
        table.when(MoveUnit("zhukov", "1901"), "allied").refused("RV 6.22", "ALLOWANCE_EXCEEDED")


class TestNoTerrainCosts:
    """RV 11.22"""

    def test_rough_ground_costs_a_commander_one(self) -> None:
        table = scene("", "2212: zhukov sov-13", phase="movement allied")
        assert costs(table, "zhukov")["2112"] == 1
        assert costs(table, "sov-13")["2112"] == 2


class TestSovietCommanders:
    """RV 11.25"""

    def test_five_points_and_no_stop_in_enemy_zones(self) -> None:
        table = scene("1906: ger-xiii", "1804: konev", phase="movement allied")
        path = ("1804", "1805", "1806", "1807", "1808")
        table.when(MoveUnit("konev", "1808", path), "allied").then(ride("konev", *path))
        assert max(costs(table, "konev").values()) == 5

    def test_three_in_exploitation(self) -> None:
        table = scene("", "1907: zhukov konev", phase="exploitation_movement allied")
        assert max(costs(table, "zhukov", "exploitation").values()) == 3


class TestTito:
    """RV 11.26"""

    def test_four_points_then_one(self) -> None:
        table = scene("", "3020: yug-1 tito", phase="movement allied")
        assert max(costs(table, "tito").values()) == 4
        later = scene("", "3020: yug-1 tito", phase="exploitation_movement allied")
        assert max(costs(later, "tito", "exploitation").values()) == 1

    def test_he_stops_in_enemy_zones_like_a_mountain_unit(self) -> None:
        table = scene("3021: ger-xv-mtn", "3119: yug-1 tito", phase="movement allied")
        path = ("3119", "3019", "3020", "2920")
        table.when(MoveUnit("tito", "2920", path), "allied").refused("RV 6.42", "MUST_STOP")


class TestDietrich:
    """RV 11.24"""

    def start(self, others: str = "1424: ger-iv-ss-pz", phase: str = "movement axis") -> Table:
        return scene(f"1421: ger-i-ss-pz dietrich; {others}", "0101: sov-3", phase=phase, turn=9)

    def test_six_points_then_three(self) -> None:
        """He is bound to the SS only where he ends."""
        table = self.start()
        assert max(costs(table, "dietrich").values()) == 6
        assert max(costs(self.start(phase="exploitation_movement axis"), "dietrich", "exploitation").values()) == 3

    def test_he_ends_his_move_with_ss(self) -> None:
        table = self.start()
        table.when(MoveUnit("dietrich", "1420"), "axis").refused("RV 11.24", "DIETRICH_STAYS_WITH_SS")
        table.when(MoveUnit("dietrich", "1424"), "axis").includes(ride("dietrich", "1421", "1422", "1423", "1424"))

    def test_ss_may_leave_him_if_he_can_follow(self) -> None:
        table = self.start("0101: ger-ix".replace("0101", "1525"))
        away = table.when(MoveUnit("ger-i-ss-pz", "1417"), "axis").after()
        away.when(EndMovement(), "axis").refused("RV 11.24", "DIETRICH_STAYS_WITH_SS")
        assert EndMovement() not in away.options("axis")
        joined = away.when(MoveUnit("dietrich", "1417"), "axis").after()
        joined.when(EndMovement(), "axis").then(PhaseBegun(9, "stacking", "movement", "axis"))

    def test_ss_may_not_leave_him_for_good(self) -> None:
        table = self.start("1525: ger-ix; 1911: ger-lix")
        far = MoveStrategically("ger-i-ss-pz", "1613")
        table.when(far, "axis").refused("RV 11.24", "DIETRICH_STAYS_WITH_SS")
        assert far not in table.options("axis")
        moved = self.start("1525: ger-ix; 1422: ger-iv-ss-pz").when(MoveUnit("dietrich", "1422"), "axis").after()
        moved.when(MoveUnit("ger-iv-ss-pz", "1423"), "axis").refused("RV 11.24", "DIETRICH_STAYS_WITH_SS")
        moved.when(MoveUnit("ger-i-ss-pz", "1419"), "axis").includes()

    def test_ss_does_not_sail_away_from_him(self) -> None:
        table = scene("0917: ger-i-ss-pz dietrich; 1525: ger-ix", "0101: sov-3", phase="movement axis", turn=9)
        table.when(SailUnit("ger-i-ss-pz", "0623"), "axis").refused("RV 11.24", "DIETRICH_STAYS_WITH_SS")

    def test_other_units_are_not_bound(self) -> None:
        table = self.start("1421: ger-ix".replace("1421", "1420"))
        table.when(MoveUnit("ger-ix", "1418"), "axis").includes()

    def test_with_no_ss_on_the_map_he_may_stay_where_he_is(self) -> None:
        table = scene("1421: dietrich ger-ix", "0101: sov-3", phase="movement axis", turn=9)
        table.when(EndMovement(), "axis").then(PhaseBegun(9, "stacking", "movement", "axis"))
