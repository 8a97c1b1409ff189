"""Random matches of every scenario end, in their time, without a dead end, and say the same when told again."""

from __future__ import annotations

import os
import subprocess
import sys

from stavka.match.rulebooks import rulebook
from stavka.wire.seal import Sealer

from tests.support.battery import Case, Step, reproduction, summed_up
from tests.support.invariants import INVARIANTS

Match = tuple[Case, tuple[Step, ...]]


def test_random_play_comes_to_a_result_of_the_scenarios_sides(match: Match, seed: int) -> None:
    """`walk` raises for a dead end and for a match beyond its stated length."""
    case, steps = match
    result = case.game.result(steps[-1].after)
    assert result is not None and result.winner in (*case.seats, "draw"), reproduction(case, seed)
    assert set(result.points) <= set(case.seats), reproduction(case, seed)


def test_no_result_stands_before_the_end_and_nobody_acts_after_it(match: Match, seed: int) -> None:
    case, steps = match
    assert all(case.game.result(step.before) is None for step in steps), reproduction(case, seed)
    assert case.game.decisions(steps[-1].after) == (), reproduction(case, seed)


def test_automatic_progress_and_decisions_never_compete(match: Match, seed: int) -> None:
    """What a seat may decide does not move on by itself, so no command races with the referee's own step."""
    case, steps = match
    for step in steps:
        if step.command is None and step.number:
            assert not case.game.decisions(step.before), f"step {step.number} [{reproduction(case, seed)}]"


def test_decision_ids_are_open_in_one_stretch_and_never_come_back(match: Match, seed: int) -> None:
    case, steps = match
    open_now: set[str] = set()
    closed: set[str] = set()
    for step in steps:
        ids = {decision.id for decision in case.game.decisions(step.after)}
        assert not ids & closed, f"step {step.number} [{reproduction(case, seed)}]"
        closed |= open_now - ids
        open_now = ids


def test_replay_of_the_stored_events_equals_play(match: Match, seed: int) -> None:
    """Every event goes through the log's own form and back before it is applied."""
    case, steps = match
    codec, sealer = rulebook(case.game.id).codec, Sealer(b"k" * 32)
    state = case.game.state()
    for step in steps:
        for place, event in enumerate(step.events):
            stored = codec.encode(event, sealer, f"{step.number} {place}")
            state = case.game.evolve(state, codec.decode(stored, sealer))
        if step.number % 50 == 0:
            assert state == step.after, f"step {step.number} [{reproduction(case, seed)}]"
    assert state == steps[-1].after, reproduction(case, seed)


def test_nothing_is_lost_or_made_up(match: Match, seed: int) -> None:
    case, steps = match
    for step in steps:
        try:
            INVARIANTS[case.game.id](step.after)
        except AssertionError as error:
            raise AssertionError(f"step {step.number} [{reproduction(case, seed)}]") from error


def test_the_same_seed_gives_the_same_match_in_another_process(match: Match, seed: int, rarely: None) -> None:
    """Another hash seed orders sets differently; no outcome may follow from that order."""
    case, steps = match
    digests = {summed_up(case, seed, steps).digest}
    for hash_seed in ("1", "4711")[:: 2 - seed % 2]:
        ran = subprocess.run(
            [sys.executable, "-m", *reproduction(case, seed).split()[2:]],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            capture_output=True,
            text=True,
            check=True,
            timeout=110,
        )
        digests.add(ran.stdout.split()[0])
    assert len(digests) == 1, reproduction(case, seed)
