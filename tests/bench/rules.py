"""The rules alone, in this process: no log, no server. Times of single questions are taken cold: nothing is remembered.

What is particular to a game (which states show a full movement phase, how its memory is cleared) stands in `RIGS`; a
game without a rig gets its random match and its position's size.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from stavka.games import GAMES
from stavka.match.keys import Signer, key_id_of
from stavka.match.rolls import Cause, SignedRoll
from stavka.reproducible import keyring

from tests.support.battery import Case, Step, bots_of, walk

from .rigs import RIGS, Question

COPIES: Final = 20
"""Positions whose memory is taken together."""


@dataclass(frozen=True, slots=True)
class Timing:
    """`count` measurements of one thing, in microseconds."""

    game: str
    what: str
    count: int
    p50: float
    p99: float


@dataclass(frozen=True, slots=True)
class RandomMatch:
    game: str
    scenario: str
    seed: int
    seconds: float
    commands: int
    decisions: int
    """Commands and automatic steps."""

    @property
    def a_second(self) -> float:
        return self.decisions / self.seconds


def play(case: Case, seed: int) -> tuple[RandomMatch, list[Step]]:
    """A random match, timed, and its steps."""
    bots = bots_of(case, "random")
    started = time.perf_counter()
    steps = list(walk(case, seed, bots))
    seconds = time.perf_counter() - started
    commands = sum(step.command is not None for step in steps)
    return RandomMatch(case.game.id, case.scenario, seed, seconds, commands, len(steps) - 1), steps


def timings(case: Case, steps: Sequence[Step], repeat: int) -> list[Timing]:
    """Every question of the game's rig, asked of all states that it fits, `repeat` times each."""
    rig = RIGS.get(case.game.id)
    if rig is None:
        return []
    return [_time(case.game.id, question, steps, repeat) for question in rig]


def _time(game: str, question: Question, steps: Sequence[Step], repeat: int) -> Timing:
    times = []
    for subject in question.subjects(steps):
        for _ in range(repeat):
            ask = question.prepare(subject)
            started = time.perf_counter_ns()
            ask()
            times.append((time.perf_counter_ns() - started) / 1000)
    return timing(game, question.what, times)


def timing(game: str, what: str, times: Iterable[float]) -> Timing:
    found = sorted(times)
    if not found:
        return Timing(game, what, 0, float("nan"), float("nan"))
    return Timing(game, what, len(found), found[len(found) // 2], found[min(len(found) - 1, int(len(found) * 0.99))])


def signed_roll(count: int) -> Timing:
    """What a roll costs a live match: the signature, mostly."""
    ring = keyring(1)
    signer: Signer = ring.signer(ring.current)
    assert key_id_of(signer.private) == ring.current
    times = []
    for number in range(count):
        roll = SignedRoll(signer, Cause("00-bench", {"a": "0" * 16}, "batch", number.to_bytes(32, "big")))
        started = time.perf_counter_ns()
        roll.dice("bench", 2)
        times.append((time.perf_counter_ns() - started) / 1000)
    return timing("", "one signed roll of dice", times)


def position_kb(case: Case, state: Any) -> float:
    """Memory of one position, as a copy of it takes it that shares nothing with another one, in kB of 1000 bytes."""
    from stavka.match.lobby import MatchState
    from stavka.views import position

    table = MatchState("00-bench", game=case.game.id, ruleset=case.game.rulesets[-1], playing=True, table=state)
    blob = position.encode(table)
    position.decode(blob)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        kept = [position.decode(blob) for _ in range(COPIES)]
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert all(kept)
    return (after - before) / COPIES / 1000


def cases(wanted: Callable[[str], bool] = lambda game: True) -> list[Case]:
    """Each game with its first scenario."""
    games = {name: make() for name, make in GAMES.items() if wanted(name)}
    return [Case(game, next(iter(game.scenarios))) for game in games.values()]
