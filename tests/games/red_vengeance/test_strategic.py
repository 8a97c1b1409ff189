"""Strategic movement [RV 6.5]."""

from __future__ import annotations

from stavka.games.red_vengeance.moves import EndMovement, MoveStrategically, MoveUnit

from tests.games.red_vengeance.field import costs, march, scene
from tests.support.table import Table

ALL_OIL = "1911: ger-lix; 2119: ger-lv; 2521: ger-i; 2610: ger-ii"
"""Axis units on the four oil fields."""


def rear(
    allied: str = "1905: sov-13 sov-3; 1805: sov-31", *, axis: str = "", turn: int = 3, weather: str = "clear"
) -> Table:
    return scene(axis, allied, phase="movement allied", turn=turn, weather=weather, visited="1805")


class TestStrategicMovement:
    """RV 6.5"""

    def test_three_times_the_factor(self) -> None:
        table = rear()
        assert max(costs(table, "sov-13", "strategic").values()) == 9
        path = ("1905", "1906", "1907", "1908")
        table.when(MoveStrategically("sov-13", "1908", path), "allied").then(
            march("sov-13", *path, cost=3, mode="strategic")
        )

    def test_three_times_the_halved_factor_in_mud(self) -> None:
        assert max(costs(rear(weather="mud"), "sov-13", "strategic").values()) == 6

    def test_a_path_beyond_that_is_refused(self) -> None:
        rear().when(MoveStrategically("sov-13", "0905"), "allied").refused("RV 6.22", "ALLOWANCE_EXCEEDED")

    def test_the_unit_must_be_in_supply_when_it_starts(self) -> None:
        """One unit closes Jutland; the mark of the last Command Phase does not matter."""
        cut = rear("0524: sov-13", axis="0724: ger-ix")
        cut.when(MoveStrategically("sov-13", "0525"), "allied").refused("RV 6.5", "OUT_OF_SUPPLY")
        free = rear("0524: sov-13(oos)")
        free.when(MoveStrategically("sov-13", "0525"), "allied").then(
            march("sov-13", "0524", "0525", cost=1, mode="strategic")
        )

    def test_not_out_of_an_enemy_zone(self) -> None:
        table = rear("1905: sov-13", axis="1906: ger-xiii")
        table.when(MoveStrategically("sov-13", "1902"), "allied").refused("RV 6.5", "STARTS_IN_ENEMY_ZOC")

    def test_not_into_an_enemy_zone_but_to_a_friend(self) -> None:
        table = rear("1904: sov-13", axis="1906: ger-xiii")
        table.when(MoveStrategically("sov-13", "1905"), "allied").refused("RV 6.5", "ENEMY_ZOC")
        held = rear("1904: sov-13; 1905: sov-3", axis="1906: ger-xiii")
        held.when(MoveStrategically("sov-13", "1905"), "allied").then(
            march("sov-13", "1904", "1905", cost=1, mode="strategic")
        )

    def test_two_a_turn_for_the_allies_in_1944_one_in_1945(self) -> None:
        one = rear().when(MoveStrategically("sov-13", "1904"), "allied").after()
        two = one.when(MoveStrategically("sov-3", "1904"), "allied").after()
        two.when(MoveStrategically("sov-31", "1804"), "allied").refused("RV 6.5", "STRATEGIC_LIMIT")
        late = rear(turn=8).when(MoveStrategically("sov-13", "1904"), "allied").after()
        late.when(MoveStrategically("sov-3", "1904"), "allied").refused("RV 6.5", "STRATEGIC_LIMIT")

    def test_one_for_each_oil_field_that_the_axis_controls(self) -> None:
        reserves = "1417: ger-ix ger-x; 1317: ger-xii ger-xx; 1217: ger-vi"
        table = scene(f"{reserves}; {ALL_OIL}", "0101: sov-3", phase="movement axis")
        for unit in ("ger-ix", "ger-x", "ger-xii", "ger-xx"):
            table = table.when(MoveStrategically(unit, "1416"), "axis").after()
        table.when(MoveStrategically("ger-vi", "1416"), "axis").refused("RV 6.5", "STRATEGIC_LIMIT")
        lost = scene(reserves, "1911: sov-3; 2610: sov-13; 2119: sov-31", phase="movement axis")
        one = lost.when(MoveStrategically("ger-ix", "1416"), "axis").after()
        one.when(MoveStrategically("ger-x", "1416"), "axis").refused("RV 6.5", "STRATEGIC_LIMIT")

    def test_the_unit_does_not_move_again_in_the_phase(self) -> None:
        table = rear().when(MoveStrategically("sov-13", "1904"), "allied").after()
        table.when(MoveUnit("sov-13", "1903"), "allied").refused("RV 6.2", "HAS_MOVED")
        table.when(MoveStrategically("sov-13", "1903"), "allied").refused("RV 6.2", "HAS_MOVED")

    def test_commanders_have_none(self) -> None:
        table = rear("1905: sov-13 zhukov")
        table.when(MoveStrategically("zhukov", "1904"), "allied").refused("RV 6.5", "COMMANDERS_HAVE_NO_STRATEGIC_MOVE")

    def test_there_is_none_in_exploitation_movement(self) -> None:
        table = scene("", "1905: sov-2t", phase="exploitation_movement allied")
        table.when(MoveStrategically("sov-2t", "1904"), "allied").refused("RV 4.0", "WRONG_PHASE")

    def test_what_is_listed_is_what_may_move(self) -> None:
        table = rear("1905: sov-13 zhukov; 1902: sov-3", axis="1906: ger-xiii")
        strategic = {o.unit for o in table.options("allied") if isinstance(o, MoveStrategically)}
        assert strategic == {"sov-3"}


class TestOrderOfMovement:
    """RV 4.0"""

    def test_strategic_moves_come_before_all_others(self) -> None:
        table = rear().when(MoveUnit("sov-13", "1904"), "allied").after()
        table.when(MoveStrategically("sov-3", "1904"), "allied").refused("RV 4.0", "STRATEGIC_MOVES_COME_FIRST")
        assert not [o for o in table.options("allied") if isinstance(o, MoveStrategically)]

    def test_movement_commands_belong_to_movement_phases(self) -> None:
        table = scene("1906: ger-ix", "1905: sov-13", phase="combat allied")
        table.when(MoveUnit("sov-13", "1904"), "allied").refused("RV 4.0", "WRONG_PHASE")
        table.when(EndMovement(), "allied").refused("RV 4.0", "WRONG_PHASE")
