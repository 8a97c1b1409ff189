"""The Turn Beginning Segment and air power rolls [RV 12.1, RV 12.22, RV 13.0, RV 14.7]."""

from __future__ import annotations

import pytest
from stavka.games.red_vengeance.events import (
    AirPowerRolled,
    PhaseBegun,
    ReinforcementScheduled,
    SeaControlChecked,
    WeatherDetermined,
)

from tests.games.red_vengeance.field import scene
from tests.support.table import Table

RANDOM = {"random_weather": "on"}


def dawn(turn: int, *, options: dict[str, str] | None = None, sea: str = "german_lake", boxes: str = "") -> Table:
    """The beginning of a turn."""
    return scene("0925: ger-ix", "0101: sov-3", phase="weather -", turn=turn, options=options, sea=sea, boxes=boxes)


class TestHistoricalWeather:
    """RV 13.0"""

    @pytest.mark.parametrize(
        ("turn", "weather"),
        [
            (1, "clear"),
            (4, "clear"),
            (5, "light_mud"),
            (6, "mud"),
            (7, "snow"),
            (9, "snow"),
            (10, "mud"),
            (11, "light_mud"),
        ],
    )
    def test_each_month_has_its_own(self, turn: int, weather: str) -> None:
        rolls = [] if turn == 1 else [1]
        dawn(turn).goes_on(rolls=rolls).includes(WeatherDetermined(weather, 0))


class TestRandomWeather:
    """RV 14.7"""

    @pytest.mark.parametrize(
        ("turn", "die", "weather"),
        [
            (4, 5, "clear"),
            (4, 6, "light_mud"),
            (5, 2, "clear"),
            (5, 3, "light_mud"),
            (5, 5, "mud"),
            (6, 1, "clear"),
            (6, 2, "light_mud"),
            (6, 3, "mud"),
            (6, 6, "snow"),
            (10, 4, "light_mud"),
            (11, 3, "clear"),
            (11, 4, "light_mud"),
        ],
    )
    def test_the_die_decides(self, turn: int, die: int, weather: str) -> None:
        dawn(turn, options=RANDOM).goes_on(rolls=[die, 1]).includes(WeatherDetermined(weather, die))

    @pytest.mark.parametrize(("turn", "weather"), [(1, "clear"), (3, "clear"), (7, "snow"), (9, "snow")])
    def test_nothing_is_rolled_where_the_month_leaves_no_choice(self, turn: int, weather: str) -> None:
        rolls = [] if turn == 1 else [1]
        dawn(turn, options=RANDOM).goes_on(rolls=rolls).includes(WeatherDetermined(weather, 0))


class TestBalticTrack:
    """RV 12.22"""

    def test_there_is_no_check_in_june(self) -> None:
        dawn(1).goes_on().lacks(SeaControlChecked)

    def test_five_or_more_moves_the_marker_one_box(self) -> None:
        dawn(2).goes_on(rolls=[4]).includes(SeaControlChecked(4, "german_lake"))
        dawn(2).goes_on(rolls=[5]).includes(SeaControlChecked(5, "soviet_subs"))
        dawn(2, sea="soviet_subs").goes_on(rolls=[6]).includes(SeaControlChecked(6, "light_surface"))

    def test_it_stays_in_the_last_box_without_a_die(self) -> None:
        dawn(8, sea="heavy_surface").goes_on().lacks(SeaControlChecked)

    def test_heavy_surface_brings_the_soviet_marines_in_the_command_phase_that_follows(self) -> None:
        after = dawn(4, sea="light_surface").goes_on(rolls=[5])
        after.includes(SeaControlChecked(5, "heavy_surface"), ReinforcementScheduled("sov-marine", 4))
        dawn(4, sea="soviet_subs").goes_on(rolls=[5]).lacks(ReinforcementScheduled)


class TestAirPower:
    """RV 12.1"""

    def rolled(self, side: str, turn: int, *dice: int) -> list[AirPowerRolled]:
        table = scene("0925: ger-ix", "0101: sov-3", phase=f"air {side}", turn=turn)
        return [e for e in table.goes_on(rolls=list(dice)).events if isinstance(e, AirPowerRolled)]

    @pytest.mark.parametrize(
        ("side", "turn", "die", "points"),
        [
            ("axis", 3, 1, 1),
            ("axis", 3, 2, 0),
            ("allied", 7, 2, 1),
            ("allied", 7, 3, 2),
            ("allied", 7, 6, 3),
            ("allied", 8, 1, 1),
            ("allied", 8, 2, 2),
            ("allied", 8, 5, 4),
            ("allied", 8, 6, 5),
        ],
    )
    def test_points_by_side_year_and_die(self, side: str, turn: int, die: int, points: int) -> None:
        assert self.rolled(side, turn, die) == [AirPowerRolled(side, die, points)]

    def test_the_axis_player_does_not_roll_in_1945(self) -> None:
        assert self.rolled("axis", 8) == [AirPowerRolled("axis", 0, 0)]

    def test_points_are_kept_for_this_turn_only(self) -> None:
        table = scene("0925: ger-ix", "0101: sov-3", phase="air allied", turn=3)
        after = table.goes_on(rolls=[6]).after()
        assert after.state.air == 3
        begun = after.game.evolve(after.state.copy(), PhaseBegun(3, "supply", "supply", "axis"))
        assert begun.air == 0
