"""Position notation: every state as text and back [RV 3.0]."""

from __future__ import annotations

import pytest
from stavka.games.red_vengeance import GAME
from stavka.games.red_vengeance.state import State
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.game import Setup

from tests.games.red_vengeance.playing import play
from tests.support.table import given


def again(state: State) -> State:
    """The state that its own text begins."""
    copy: State = GAME.state()
    for event in GAME.begin(Setup(1, "campaign", state.options, GAME.export(state))):
        copy = GAME.evolve(copy, event)
    copy.serial = state.serial
    return copy


class TestNotation:
    """RV 3.0"""

    def test_states_of_a_whole_match_survive_the_text(self) -> None:
        """Battles under way, stacks over the limit, turns of mud and snow: whatever a random match passes through."""
        for number, state in enumerate(play(11)):
            if number % 37 == 0 or state.winner:
                assert again(state) == state, GAME.export(state)

    def test_what_is_left_out_is_as_at_the_start(self) -> None:
        state = given("game red_vengeance\nphase movement allied\n\n[axis]\n1422: ger-ix\n").state
        assert state.turn == 1 and state.weather == "clear" and state.hitler_alive
        assert state.at["sov-3"] == "off" and state.steps["ger-ix"] == 2
        assert state.control["0101"] == "allied" and state.control["1422"] == "axis"

    def test_flags_and_boxes(self) -> None:
        text = "game red_vengeance\nphase movement axis\n\n[axis]\n1422: ger-ix(reduced,oos,spent2) hun-1(confined)\n[boxes]\ndead: ger-x\n"
        state = given(text).state
        assert state.steps["ger-ix"] == 1 and state.oos == {"ger-ix"} and state.spent == {"ger-ix": 2}
        assert state.confined == {"hun-1"} and state.at["ger-x"] == "dead" and state.steps["ger-x"] == 0

    @pytest.mark.parametrize(
        "lines",
        [
            "game chess",
            "game red_vengeance\nturn 12",
            "game red_vengeance\nturn soon",
            "game red_vengeance\nweather fog",
            "game red_vengeance\nsea calm",
            "game red_vengeance\nminors romania=axis",
            "game red_vengeance\nminors romania",
            "game red_vengeance\nhitler_alive perhaps",
            "game red_vengeance\nluck 7",
            "game red_vengeance\nbattle nonsense",
            "game red_vengeance\nphase lunch axis",
            "game red_vengeance\nphase combat allied\nabove battle/combat",
            "game red_vengeance\n\n[axis]\n1422: tiger-1",
            "game red_vengeance\n\n[axis]\n1422: ger-ix\n1423: ger-ix",
            "game red_vengeance\n\n[axis]\n1422: sov-3",
            "game red_vengeance\n\n[axis]\n0116: ger-ix",
            "game red_vengeance\n\n[axis]\n1422: ger-ix(brave)",
            "game red_vengeance\n\n[axis]\n1422: ger-ix\n\n[allied]\n1422: sov-3",
            "game red_vengeance\n\n[boxes]\nattic: ger-ix",
            "game red_vengeance\n\n[control]\nallied: 9999",
            "game red_vengeance\n\n[neutral]\n1422: ger-ix",
        ],
    )
    def test_what_does_not_fit_is_refused(self, lines: str) -> None:
        with pytest.raises(MalformedCommand) as error:
            GAME.begin(Setup(1, "campaign", {}, lines))
        assert error.value.reason == "BAD_POSITION"
