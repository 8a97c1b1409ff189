"""Every state can be stored and read again, as the projections do it."""

from __future__ import annotations

import msgspec
from stavka.match.lobby import MatchState
from stavka.views import position
from stavka.wire.codec import from_json, to_json

from tests.battery.conftest import states
from tests.support.battery import Case, Step, reproduction

Match = tuple[Case, tuple[Step, ...]]


def test_a_state_that_was_stored_and_read_again_is_equal(match: Match, seed: int) -> None:
    case, steps = match
    stride = max(1, len(steps) // states(200))
    for step in steps[seed % stride :: stride]:
        stored = MatchState("00-X", case.game.id, case.game.rulesets[-1], case.scenario, table=step.after)
        read = position.decode(position.encode(stored))
        assert read == stored, f"step {step.number} [{reproduction(case, seed)}]"
        assert type(read.table) is type(step.after)


def test_a_state_that_was_read_again_goes_on_as_the_one_in_memory(match: Match, seed: int) -> None:
    """Decisions, options and the next events are the same, so nothing outside of the fields counts."""
    case, steps = match
    game = case.game
    deciding = [step for step in steps if step.command is not None]
    stride = max(1, len(deciding) // states(40))
    for step in deciding[seed % stride :: stride]:
        read = msgspec.json.decode(to_json(step.before), type=type(step.before))
        where = f"step {step.number} [{reproduction(case, seed)}]"
        assert game.decisions(read) == game.decisions(step.before), where
        for seat in case.seats:
            assert game.legal(read, seat) == game.legal(step.before, seat), where


def test_a_copy_does_not_notice_what_happens_to_the_original(match: Match, seed: int) -> None:
    case, steps = match
    stride = max(1, len(steps) // states(100))
    for step in steps[seed % stride :: stride]:
        kept = from_json(to_json(step.before))
        twin = step.before.copy()
        for event in step.events:
            twin = case.game.evolve(twin, event)
        assert from_json(to_json(step.before)) == kept, f"step {step.number} [{reproduction(case, seed)}]"
