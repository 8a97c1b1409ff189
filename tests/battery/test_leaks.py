"""The battery of two worlds fails as soon as anything leaks: leaks made on purpose, one of each kind [VE 2.0] [VE 5.2]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest
from stavka.games import GAMES
from stavka.games.victory_in_europe.events import BlockMoved
from stavka.games.victory_in_europe.moves import MoveBlock
from stavka.games.victory_in_europe.state import Piece, State
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FramePopped, FramePushed
from stavka.kernel.game import Choice, Game
from stavka.kernel.visibility import Viewer

from tests.battery import test_two_worlds as battery
from tests.support.battery import Case, Step, bots_of, walk

SEED = 1
STEPS = 160  # of a random match: deployment, cards, moves of both, the first battles


@cache
def game() -> Game:
    return GAMES["victory_in_europe"]()


@cache
def opening() -> tuple[Step, ...]:
    case = Case(game(), "bagration_1944")
    return tuple(islice(walk(case, SEED, bots_of(case, "random")), STEPS))


@pytest.fixture(autouse=True)
def every_state_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battery, "STATES", STEPS // 4)


def look(**changes: Any) -> None:
    """The battery on the opening, with parts of the game replaced."""
    battery.compare(Case(replace(game(), **changes), "bagration_1944"), opening(), SEED)


def hidden_strength(state: State) -> int:
    """Something of the map that nobody may know of all."""
    return sum(piece.steps for piece in state.blocks.values() if piece.seat == "axis" and piece.at == "berlin")


def test_without_a_leak_it_passes() -> None:
    look()


def test_blocks_that_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Piece, "seen_by", frozenset(("axis", "allied")))
    with pytest.raises(AssertionError, match="told"):
        look()


def test_an_event_that_names_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BlockMoved, "seen_by", frozenset(("axis", "allied")))
    with pytest.raises(AssertionError, match="journal"):
        look()


def test_a_command_that_names_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MoveBlock, "seen_by", frozenset(("axis", "allied")))
    with pytest.raises(AssertionError, match="journal"):
        look()


def test_a_refusal_with_a_detail_too_many() -> None:
    def decide(state: State, seat: str, command: Any, roll: Any) -> Sequence[Any]:
        try:
            return game().decide(state, seat, command, roll)
        except IllegalAction as error:
            strange = state.blocks.get(getattr(command, "block", ""))
            raise IllegalAction(error.rule, error.reason, at=strange.at if strange else "") from error

    with pytest.raises(AssertionError, match="told"):
        look(decide=decide)


def test_an_explanation_that_counts() -> None:
    def explain(state: State, viewer: Viewer, question: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**game().explain(state, viewer, question, args), "strength": hidden_strength(state)}

    with pytest.raises(AssertionError, match="told"):
        look(explain=explain)


def test_options_whose_number_hangs_on_what_is_hidden() -> None:
    def legal(state: State, seat: str) -> tuple[Choice, ...]:
        found = game().legal(state, seat)
        return found if hidden_strength(state) % 2 else tuple(replace(c, options=c.options[:-1]) for c in found)

    with pytest.raises(AssertionError, match="told"):
        look(legal=legal)


def test_events_whose_number_hangs_on_what_is_hidden() -> None:
    def decide(state: State, seat: str, command: Any, roll: Any) -> Sequence[Any]:
        found = game().decide(state, seat, command, roll)
        more = [FramePushed("pause", "movement", ""), FramePopped("pause")] if hidden_strength(state) % 2 else []
        return [*found, *more]

    with pytest.raises(AssertionError, match="journal"):
        look(decide=decide)


def test_a_headline_that_knows() -> None:
    with pytest.raises(AssertionError, match="told"):
        look(headline=lambda state: f"{hidden_strength(state)}")


def test_a_state_that_changes_behind_a_record_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a secret deployment nobody reads anything, so nothing of it may show."""
    case = Case(game(), "bagration_1944")
    battery.test_what_a_viewer_does_not_read_of_changes_nothing_for_him((case, opening()), SEED)
    leaky = replace(game(), headline=lambda state: f"{sum(camp.done for camp in state.camps.values())}")
    with pytest.raises(AssertionError):
        battery.test_what_a_viewer_does_not_read_of_changes_nothing_for_him(
            (Case(leaky, "bagration_1944"), opening()), SEED
        )
