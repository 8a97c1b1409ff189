"""Victory [VE 9.0] [VE 9.1] [VE 9.2] [VE 9.3] [VE 12.0]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.events import MatchEnded

from tests.support.table import Outcome

from ..field import scene

LAST = 26


def judged(control: str, phase: str = "victory", **more: Any) -> Outcome:
    return scene(f"[control]\n{control}", phase=phase, **more).goes_on()


def ended(outcome: Outcome) -> MatchEnded | None:
    return next((event for event in outcome.events if isinstance(event, MatchEnded)), None)


class TestAxisDecisive:
    """VE 9.1: Berlin with one of three sets of cities."""

    @pytest.mark.parametrize(
        "cities", ["paris london cairo", "leningrad moscow baku", "london paris moscow"], ids=lambda text: text[:6]
    )
    def test_each_set_wins(self, cities: str) -> None:
        result = ended(judged(f"germany: {cities}"))
        assert result is not None
        assert (result.winner, result.points) == ("axis", {"axis": 2, "allied": 0})
        assert result.reasons[0][0] == "VE 9.1"

    @pytest.mark.parametrize("cities", ["paris london", "leningrad moscow", "london moscow cairo baku"])
    def test_less_does_not(self, cities: str) -> None:
        assert ended(judged(f"germany: {cities}")) is None

    def test_not_without_berlin(self) -> None:
        assert ended(judged("germany: paris london cairo moscow\nsoviet_union: berlin")) is None

    def test_allies_of_the_axis_hold_for_it(self) -> None:
        assert ended(judged("germany: paris london\nitaly: cairo")) is not None


class TestAlliedDecisive:
    """VE 9.2: five capitals between them."""

    def test_all_five(self) -> None:
        result = ended(judged("britain: rome\nunited_states: berlin"))
        assert result is not None
        assert (result.winner, result.points["allied"]) == ("allied", 2)

    @pytest.mark.parametrize("lost", ["london", "moscow", "paris", "rome"])
    def test_four_are_not_enough(self, lost: str) -> None:
        held = " ".join(city for city in ("rome", "berlin") if city != lost)
        assert ended(judged(f"germany: {lost}\nbritain: {held}")) is None

    def test_of_three_players_who_occupies_berlin_wins(self) -> None:
        """VE 12.0"""
        result = ended(judged("britain: rome\nsoviet_union: berlin", scenario="campaign_1939_three"))
        assert result is not None
        assert (result.winner, result.points) == ("soviet", {"axis": 0, "allied": 1, "soviet": 2})

    def test_of_two_the_soviets_win_for_the_allies(self) -> None:
        result = ended(judged("britain: rome\nsoviet_union: berlin"))
        assert result is not None
        assert result.winner == "allied"


class TestBerlin:
    """VE 9.3: after the last turn whoever holds Berlin."""

    @pytest.mark.parametrize(
        ("holder", "winner"), [("germany", "axis"), ("britain", "allied"), ("soviet_union", "allied")]
    )
    def test_minor_victory(self, holder: str, winner: str) -> None:
        result = ended(judged(f"{holder}: berlin", phase="turn_end", turn=LAST))
        assert result is not None
        assert (result.winner, result.points[winner], result.reasons[0][0]) == (winner, 1, "VE 9.3")

    def test_of_three_players_the_soviets_for_themselves(self) -> None:
        result = ended(judged("soviet_union: berlin", phase="turn_end", turn=LAST, scenario="campaign_1939_three"))
        assert result is not None
        assert (result.winner, result.points) == ("soviet", {"axis": 0, "allied": 0, "soviet": 1})

    def test_not_a_turn_earlier(self) -> None:
        outcome = judged("germany: berlin", phase="turn_end", turn=LAST - 1)
        assert ended(outcome) is None
        assert outcome.after().state.turn == LAST

    def test_the_result_is_the_matchs(self) -> None:
        """VE 9.0"""
        state = judged("germany: paris london cairo").after().state
        result = GAME.result(state)
        assert result is not None
        assert result.winner == "axis"
        assert GAME.decisions(state) == ()
