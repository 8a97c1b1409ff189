"""Movement costs, allowances and paths [RV 6.0, RV 6.2, RV 9.1, RV 13.0]."""

from __future__ import annotations

import pytest
from stavka.games.red_vengeance.events import PhaseBegun
from stavka.games.red_vengeance.moves import EndMovement, MoveUnit

from tests.games.red_vengeance.field import costs, march, scene
from tests.support.table import Table


def open_ground(units: str = "1905: sov-13", *, axis: str = "", weather: str = "clear") -> Table:
    """The plain around Zhitomir, where every hex is clear."""
    return scene(axis, units, phase="movement allied", weather=weather, visited="1805 2005")


class TestMovingOneUnitAtATime:
    """RV 6.0"""

    def test_a_unit_moves_along_the_cheapest_path(self) -> None:
        open_ground().when(MoveUnit("sov-13", "1902"), "allied").then(
            march("sov-13", "1905", "1904", "1903", "1902", cost=3)
        )

    def test_a_player_may_move_nothing_at_all(self) -> None:
        open_ground().when(EndMovement(), "allied").then(PhaseBegun(3, "stacking", "movement", "allied"))

    def test_the_phase_ends_by_itself_once_nothing_can_move(self) -> None:
        table = open_ground().when(MoveUnit("sov-13", "1904"), "allied").after()
        assert table.decisions() == []
        table.goes_on().includes(PhaseBegun(3, "stacking", "movement", "allied"))

    def test_an_enemy_unit_bars_its_hex(self) -> None:
        table = open_ground(axis="1904: ger-xiii")
        table.when(MoveUnit("sov-13", "1904"), "allied").refused("RV 6.0", "ENEMY_UNIT_IN_HEX")

    def test_nobody_goes_to_sea_or_into_a_neutral_country(self) -> None:
        coast = scene("", "2602: sov-13", phase="movement allied")
        coast.when(MoveUnit("sov-13", "2702"), "allied").refused("RV 6.0", "IMPASSABLE_TERRAIN")

    def test_no_unit_leaves_the_map(self) -> None:
        edge = scene("", "1901: sov-13", phase="movement allied")
        edge.when(MoveUnit("sov-13", "1900"), "allied").malformed("UNKNOWN_SPACE")

    def test_one_hex_is_always_possible(self) -> None:
        """Halved twice an infantry unit has 1 MP; rough ground costs 2."""
        table = scene("", "2212: sov-13(oos)", phase="movement allied", weather="mud")
        assert costs(table, "sov-13")["2112"] == 1
        table.when(MoveUnit("sov-13", "2112"), "allied").then(march("sov-13", "2212", "2112", cost=1))

    def test_one_hex_is_not_two(self) -> None:
        table = scene("", "2212: sov-13(oos)", phase="movement allied", weather="mud")
        table.when(MoveUnit("sov-13", "2012"), "allied").refused("RV 6.22", "ALLOWANCE_EXCEEDED")

    def test_only_own_units_on_the_map_move(self) -> None:
        table = scene("1913: ger-xiii", "1905: sov-13", phase="movement allied", boxes="dead: sov-3")
        table.when(MoveUnit("ger-xiii", "1914"), "allied").refused("RV 6.0", "NOT_YOUR_UNIT")
        table.when(MoveUnit("sov-3", "1904"), "allied").refused("RV 6.0", "NOT_ON_MAP")
        table.when(MoveUnit("sov-999", "1904"), "allied").malformed("UNKNOWN_UNIT")
        table.when(MoveUnit("ger-xiii", "1914"), "axis").refused("RV 6.0", "NOT_YOUR_DECISION")


class TestUnitMovement:
    """RV 6.2"""

    def test_a_unit_moves_once_in_a_phase(self) -> None:
        table = open_ground("1905: sov-13; 1901: sov-3").when(MoveUnit("sov-13", "1904"), "allied").after()
        table.when(MoveUnit("sov-13", "1903"), "allied").refused("RV 6.2", "HAS_MOVED")
        assert not [option for option in table.options("allied") if getattr(option, "unit", "") == "sov-13"]

    def test_a_path_may_be_given_hex_by_hex(self) -> None:
        path = ("1905", "1805", "1804")
        open_ground().when(MoveUnit("sov-13", "1804", path), "allied").then(march("sov-13", *path, cost=2))

    def test_a_given_path_leads_from_the_unit_to_the_hex(self) -> None:
        table = open_ground()
        table.when(MoveUnit("sov-13", "1903", ("1904", "1903")), "allied").refused("RV 6.2", "WRONG_START")
        table.when(MoveUnit("sov-13", "1903", ("1905", "1903")), "allied").refused("RV 6.2", "NOT_ADJACENT")
        table.when(MoveUnit("sov-13", "1902", ("1905", "1904")), "allied").refused("RV 6.2", "PATH_ENDS_ELSEWHERE")
        table.when(MoveUnit("sov-13", "1905", ("1905",)), "allied").refused("RV 6.2", "PATH_ENDS_ELSEWHERE")


class TestNoOverspending:
    """RV 6.22"""

    def test_three_points_go_three_clear_hexes(self) -> None:
        table = open_ground()
        table.when(MoveUnit("sov-13", "1902"), "allied").then(march("sov-13", "1905", "1904", "1903", "1902", cost=3))
        table.when(MoveUnit("sov-13", "1901"), "allied").refused("RV 6.22", "ALLOWANCE_EXCEEDED")

    def test_a_given_path_may_not_cost_more_either(self) -> None:
        path = ("1905", "1805", "1804", "1904", "1903")
        open_ground().when(MoveUnit("sov-13", "1903", path), "allied").refused("RV 6.22", "ALLOWANCE_EXCEEDED")


class TestSupplyAndMovement:
    """RV 6.23"""

    def test_a_unit_marked_out_of_supply_has_half_its_factor_rounded_up(self) -> None:
        table = open_ground("1905: sov-13(oos)")
        assert max(costs(table, "sov-13").values()) == 2
        table.when(MoveUnit("sov-13", "1902"), "allied").refused("RV 6.22", "ALLOWANCE_EXCEEDED")


class TestTerrainCosts:
    """RV 9.1"""

    @pytest.mark.parametrize(
        ("unit", "start", "target", "cost"),
        [
            ("sov-13", "1905", "1904", 1),  # clear
            ("sov-2t", "1905", "1904", 1),
            ("ger-xlix-mtn", "2212", "2112", 1),  # rough
            ("sov-13", "2212", "2112", 2),
            ("sov-pliev-cav", "2212", "2112", 2),
            ("sov-2t", "2212", "2112", 3),
            ("sov-13", "0205", "0204", 2),  # swamp
            ("sov-2t", "0205", "0204", 3),
            ("sov-13", "0204", "0304", 1),  # forest
            ("sov-2t", "0204", "0304", 2),
            ("sov-13", "1906", "1805", 1),  # city
            ("sov-2t", "1906", "1805", 1),
            ("sov-13", "1906", "2006", 1),  # river
            ("sov-2t", "1906", "2006", 2),
        ],
    )
    def test_entering_a_hex_costs_what_the_chart_says(self, unit: str, start: str, target: str, cost: int) -> None:
        side = "axis" if unit.startswith("ger") else "allied"
        axis, allied = (f"{start}: {unit}", "0101: sov-3") if side == "axis" else ("0925: ger-ix", f"{start}: {unit}")
        assert costs(scene(axis, allied, phase=f"movement {side}"), unit)[target] == cost

    def test_a_fortress_is_no_obstacle(self) -> None:
        table = scene("1421: ger-xiii", "0101: sov-3", phase="movement axis")
        assert costs(table, "ger-xiii")["1422"] == 1


class TestWeatherAndMovement:
    """RV 13.0"""

    def test_mud_halves_the_factor_of_units_rounded_up(self) -> None:
        assert max(costs(open_ground(weather="mud"), "sov-13").values()) == 2
        assert max(costs(open_ground("1905: sov-2t", weather="mud"), "sov-2t").values()) == 3

    def test_mud_leaves_commanders_alone(self) -> None:
        assert max(costs(open_ground("1908: zhukov", weather="mud"), "zhukov").values()) == 5

    def test_supply_and_mud_halve_one_after_the_other(self) -> None:
        assert max(costs(open_ground("1905: sov-2t(oos)", weather="mud"), "sov-2t").values()) == 2

    def test_light_mud_and_snow_leave_the_factor(self) -> None:
        assert max(costs(open_ground(weather="light_mud"), "sov-13").values()) == 3
        assert max(costs(open_ground(weather="snow"), "sov-13").values()) == 3

    def test_snow_makes_swamps_passable(self) -> None:
        for weather, cost in (("clear", 2), ("snow", 1)):
            assert costs(scene("", "0205: sov-13", phase="movement allied", weather=weather), "sov-13")["0204"] == cost
