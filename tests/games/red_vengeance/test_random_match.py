"""Random matches: they end, lose no counter, and can be told again [RV 4.0, RV 15.0]."""

from __future__ import annotations

import pytest
from stavka.games.red_vengeance import GAME
from stavka.games.red_vengeance.board import Board, board_of
from stavka.games.red_vengeance.ground import PIECES, UNITS
from stavka.games.red_vengeance.options import OPTIONS
from stavka.games.red_vengeance.state import AXIS, State, is_on_map

from tests.games.red_vengeance.playing import play

EVERY_OPTION = {id: option.choices[-1] for id, option in OPTIONS.items()}


def sound(state: State) -> None:
    """Counters are conserved, hexes hold one side, and the kept board is the board."""
    assert set(state.at) == set(PIECES)
    for unit in UNITS:
        assert not is_on_map(state.at[unit]) or state.steps[unit] > 0
    fresh, kept = Board(state), board_of(state)
    assert (fresh.stacks, fresh.units, fresh.commanders, fresh.zoc) == (
        kept.stacks,
        kept.units,
        kept.commanders,
        kept.zoc,
    )
    assert not fresh.units[AXIS] & fresh.units["allied"]


class TestRandomMatches:
    """RV 4.0"""

    @pytest.mark.parametrize("seed", range(8))
    def test_a_match_ends_with_a_result(self, seed: int) -> None:
        state = None
        for number, state in enumerate(play(seed)):
            if number % 25 == 0:
                sound(state)
        assert state is not None and state.turn == 11
        result = GAME.result(state)
        assert result is not None and result.winner in ("axis", "allied", "draw")

    @pytest.mark.parametrize("seed", [101, 102])
    def test_with_every_option_and_set_up_by_the_players_too(self, seed: int) -> None:
        state = None
        for number, state in enumerate(play(seed, EVERY_OPTION)):
            if number % 25 == 0:
                sound(state)
        assert state is not None and state.winner
