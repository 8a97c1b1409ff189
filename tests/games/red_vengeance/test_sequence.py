"""The sequence of play [RV 4.0] and what holds for every command."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from stavka.games.red_vengeance.events import MatchEnded, PhaseBegun, PlaceFirstEntered
from stavka.games.red_vengeance.moves import EndMovement
from stavka.games.red_vengeance.sequence import LAST_TURN, SEQUENCE, advance
from stavka.kernel.dice import ScriptedRoll
from stavka.kernel.draft import Draft

from tests.games.red_vengeance.field import scene
from tests.support.table import Table

PHASES = ["supply", "replacements", "reinforcements", "air", "movement", "stacking", "combat"]
EXPLOITATION = ["exploitation_movement", "exploitation_stacking", "exploitation_combat"]


def quiet(phase: str, turn: int = 3, weather: str = "clear") -> Table:
    return scene("1925: ger-ix", "0101: sov-3", phase=phase, turn=turn, weather=weather)


def after(phase: str, turn: int = 3, weather: str = "clear") -> PhaseBegun:
    table = quiet(phase, turn, weather)
    draft = Draft(table.state, table.game.evolve, ScriptedRoll([]))
    advance(draft)
    (event,) = draft.events
    assert isinstance(event, PhaseBegun)
    return event


class TestSequenceOfPlay:
    """RV 4.0"""

    def test_the_allied_five_phases_then_the_axis_five(self) -> None:
        allied = [phase.kind for phase in SEQUENCE if phase.side == "allied" and phase.kind != "bombing"]
        axis = [phase.kind for phase in SEQUENCE if phase.side == "axis"]
        assert axis == [*PHASES, *EXPLOITATION]
        assert allied == ["supply", "politics", "hitler", *PHASES[1:], *EXPLOITATION]

    def test_a_turn_begins_with_the_weather_and_the_next_follows_the_axis(self) -> None:
        assert after("exploitation_combat axis") == PhaseBegun(4, "weather", "supply", "")
        assert after("weather -") == PhaseBegun(3, "supply", "supply", "allied")
        assert after("exploitation_combat allied") == PhaseBegun(3, "supply", "supply", "axis")

    def test_replacements_begin_with_the_second_turn(self) -> None:
        assert after("supply axis", turn=1).phase == "reinforcements"
        assert after("supply axis", turn=2).phase == "replacements"

    def test_dresden_is_bombed_before_the_weather_of_february(self) -> None:
        assert after("exploitation_combat axis", turn=8, weather="snow") == PhaseBegun(9, "bombing", "combat", "allied")
        assert after("bombing allied", turn=9, weather="snow") == PhaseBegun(9, "weather", "supply", "")

    def test_mud_skips_the_exploitation_phases_it_closes(self) -> None:
        assert after("combat allied", weather="light_mud") == PhaseBegun(3, "supply", "supply", "axis")
        assert after("combat axis", weather="light_mud") == PhaseBegun(3, "exploitation_movement", "movement", "axis")
        assert after("combat axis", weather="mud") == PhaseBegun(4, "weather", "supply", "")

    def test_after_april_the_score_is_taken_and_nobody_acts_any_more(self) -> None:
        table = quiet("exploitation_combat axis", turn=LAST_TURN)
        scored = table.goes_on().includes(PhaseBegun(LAST_TURN, "victory", "diplomacy", ""))
        ended = scored.goes_on()
        assert [type(event) for event in ended.events] == [MatchEnded]
        over = ended.after()
        assert over.game.result(over.state) is not None
        assert over.decisions() == [] and over.goes_on().events == () and over.options("axis") == []
        over.when(EndMovement(), "axis").refused("RV 4.0", "WRONG_PHASE")

    def test_each_phase_starts_clean(self) -> None:
        table = scene("1925: ger-ix", "0101: sov-3(spent2)", phase="movement allied", strategic=1, sailed=1)
        state = table.game.evolve(table.state.copy(), PhaseBegun(3, "stacking", "movement", "allied"))
        assert (state.spent, state.strategic, state.sailed) == ({}, 0, 0)


class TestCommands:
    """RV 4.0"""

    def test_strangers_and_unknown_commands_are_refused(self) -> None:
        @dataclass(frozen=True)
        class Cheat:
            pass

        table = quiet("movement allied")
        table.when(EndMovement(), "neutral").malformed("UNKNOWN_SEAT")
        table.when(Cheat(), "allied").malformed("UNKNOWN_COMMAND")
        table.when(EndMovement(), "axis").refused("RV 6.0", "NOT_YOUR_DECISION")

    def test_decision_ids_change_with_what_happens_and_only_then(self) -> None:
        table = quiet("movement allied")
        (first,) = table.game.decisions(table.state)
        assert table.game.decisions(table.state) == (first,)
        state = table.game.evolve(table.state.copy(), PlaceFirstEntered("1802"))
        (second,) = table.game.decisions(state)
        assert first.id != second.id

    @pytest.mark.parametrize(
        "phase", ["movement allied", "stacking allied", "setup_armor axis", "replacements axis spend"]
    )
    def test_options_are_listed_for_the_seat_that_decides(self, phase: str) -> None:
        table = quiet(phase)
        for decision in table.game.decisions(table.state):
            assert [choice.decision for choice in table.game.legal(table.state, decision.seat)] == [decision]
