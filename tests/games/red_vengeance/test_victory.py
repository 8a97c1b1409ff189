"""Victory points and combat points."""

from typing import Any

import pytest
from stavka.games.red_vengeance.state import ALLIED, AXIS
from stavka.games.red_vengeance.victory import combat_points, hitler, losses, objectives, outcome

from tests.games.red_vengeance.combat.scene import scene
from tests.support.table import Table

CITIES = {"Berlin": "1422", "Vienna": "2219", "Prague": "1922"}
QUIET: dict[str, Any] = {"axis": "1422: ger-i", "allied": "1005: sov-3"}


def titles(table: Table, side: str) -> list[str]:
    return [what for _, scorer, _, what in objectives(table.state) if scorer == side]


def holding(side: str, *hexes: str) -> Table:
    """Everything is Axis but these hexes, which are the side's; nobody is in Yugoslavia."""
    table = scene(**QUIET, control="allied: 1005")
    for code in hexes:
        table.state.control[code] = side
    return table


class TestMapObjectives:
    """RV 15.1"""

    @pytest.mark.parametrize("city", ["Vienna", "Prague"])
    def test_a_city_counts_for_who_holds_it(self, city: str) -> None:
        assert city in titles(holding(AXIS), AXIS)
        taken = holding(ALLIED, CITIES[city])
        assert city in titles(taken, ALLIED)
        assert city not in titles(taken, AXIS)

    def test_berlin_is_1422(self) -> None:
        assert "Berlin" in titles(holding(ALLIED, "1322"), AXIS)
        assert "Berlin" in titles(holding(ALLIED, "1422"), ALLIED)

    def test_an_empty_yugoslavia_is_shared_and_counts_for_nobody(self) -> None:
        """RV 7.3"""
        table = holding(AXIS)
        assert titles(table, AXIS) == ["Berlin", "Vienna", "Prague"]
        assert titles(table, ALLIED) == []

    def test_one_enemy_hex_spoils_all_of_yugoslavia(self) -> None:
        table = scene(axis="1422: ger-i; 2818: ger-x", allied="1005: sov-3")
        assert "All of Yugoslavia" in titles(table, AXIS)
        table = scene(axis="1422: ger-i; 2818: ger-x", allied="1005: sov-3; 3219: yug-1")
        assert "All of Yugoslavia" not in titles(table, AXIS)
        assert "All of Yugoslavia" not in titles(table, ALLIED)

    def test_shared_hexes_spoil_nothing(self) -> None:
        table = scene(axis="1422: ger-i", allied="1005: sov-3; 3219: yug-1")
        assert "All of Yugoslavia" in titles(table, ALLIED)

    def test_belgrade_and_zagreb_together(self) -> None:
        both = scene(axis="1422: ger-i", allied="1005: sov-3; 2818: yug-1; 2624: yug-2")
        assert "Belgrade and Zagreb" in titles(both, ALLIED)
        one = scene(axis="1422: ger-i; 2624: ger-x", allied="1005: sov-3; 2818: yug-1")
        assert "Belgrade and Zagreb" not in titles(one, ALLIED)
        assert "Belgrade and Zagreb" not in titles(one, AXIS)


class TestLosses:
    """RV 15.2"""

    def halves(self, table: Table) -> tuple[int, int]:
        points = combat_points(table.state)
        return points.halves(AXIS), points.halves(ALLIED)

    def test_allied_units_cost_two_and_one(self) -> None:
        table = scene(axis="1422: ger-i", allied="1005: sov-3(reduced)", boxes="dead: sov-5 yug-1; lost: pol-1")
        assert self.halves(table) == (2 + 3 * 4, 0)

    def test_german_units_cost_one_and_a_half(self) -> None:
        table = scene(axis="1422: ger-i(reduced)", allied="1005: sov-3", boxes="dead: ger-x; lost: ger-i-ss-pz")
        assert self.halves(table) == (0, 1 + 2 * 2)

    def test_minor_allies_cost_nothing(self) -> None:
        table = scene(
            axis="1422: ger-i; 2215: hun-3(reduced)", allied="1005: sov-3", boxes="dead: rom-3 hun-1; lost: bul-1"
        )
        assert self.halves(table) == (0, 0)

    def test_units_off_the_map_for_other_reasons_are_no_losses(self) -> None:
        table = scene(axis="1422: ger-i", allied="1005: sov-3", boxes="track: ger-ii-ss-pz(due9) sov-21(due7)")
        assert self.halves(table) == (0, 0)

    def test_one_step_units_are_never_reduced(self) -> None:
        table = scene(axis="1422: ger-marine", allied="1005: sov-marine")
        assert self.halves(table) == (0, 0)

    def test_dead_commanders_cost_their_modifiers(self) -> None:
        table = scene(axis="1422: ger-i", allied="1005: sov-3", boxes="lost: zhukov dietrich")
        assert self.halves(table) == (2 * 4, 2 * 2)
        table = scene(axis="1422: ger-i", allied="1005: sov-3", boxes="lost: konev tito; track: dietrich(due9)")
        assert self.halves(table) == (2 * 3 + 2 * 3, 0)

    def test_more_points_win_one(self) -> None:
        table = scene(axis="1422: ger-i", allied="1005: sov-3(reduced)", boxes="dead: ger-x")
        assert list(losses(table.state)) == []
        table = scene(axis="1422: ger-i(reduced)", allied="1005: sov-3(reduced)", boxes="dead: ger-x")
        assert [(side, points) for _, side, points, _ in losses(table.state)] == [(ALLIED, 1)]
        table = scene(axis="1422: ger-i", allied="1005: sov-3", boxes="dead: sov-5 ger-x")
        assert [(side, points) for _, side, points, _ in losses(table.state)] == [(AXIS, 1)]


class TestHitlersHealth:
    """RV 15.3"""

    def test_alive_or_dead(self) -> None:
        assert hitler(scene(**QUIET).state)[:3] == ("RV 15.3", AXIS, 1)
        assert hitler(scene(**QUIET, hitler_alive="no").state)[:3] == ("RV 15.3", ALLIED, 1)


class TestVictory:
    """RV 15.0"""

    def test_more_points_win(self) -> None:
        ended = outcome(holding(AXIS).state)
        assert (ended.winner, ended.points) == (AXIS, {AXIS: 4, ALLIED: 0})

    def test_the_historical_score(self) -> None:
        """RV 15.4: by the rules Yugoslavia brings its two cities as well."""
        table = scene(
            axis="1422: ger-i",
            allied="2219: sov-3; 2818: yug-1; 2624: yug-2",
            boxes="dead: ger-x",
            control="allied: 2219",
            hitler_alive="no",
        )
        ended = outcome(table.state)
        assert (ended.winner, ended.points) == (ALLIED, {AXIS: 2, ALLIED: 5})

    def test_equal_points_are_a_draw(self) -> None:
        table = holding(ALLIED, "1422", "2219")
        table.state.at["ger-i"] = "1923"
        table.state._board = None
        ended = outcome(table.state)
        assert (ended.winner, ended.points) == ("draw", {AXIS: 2, ALLIED: 2})

    def test_the_match_ends_after_april(self) -> None:
        table = scene(**QUIET, phase="exploitation_combat axis", turn=11, weather="light_mud")
        table = table.goes_on().after()
        while not table.state.winner:
            table = table.goes_on().after()
        result = table.game.result(table.state)
        assert result is not None
        assert result.winner == table.state.winner
