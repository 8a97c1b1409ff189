"""Random matches in process, for tests that want many different states.

play(seed, options=None) -> iterator of State      after each decision and each piece of automatic progress
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from stavka.games.red_vengeance import GAME
from stavka.games.red_vengeance.state import State
from stavka.kernel.dice import SeededRoll
from stavka.kernel.game import Setup

MAX_STEPS = 20_000  # far beyond the longest random match


def play(seed: int, options: Mapping[str, str] | None = None) -> Iterator[State]:
    """Each state is a copy of its own. The last one has a winner. Raises AssertionError at a dead end."""
    chance, roll = random.Random(seed), SeededRoll(str(seed).encode())
    state: State = GAME.state()
    for event in GAME.begin(Setup(1, "campaign", dict(options or {}))):
        state = GAME.evolve(state, event)
    for _ in range(MAX_STEPS):
        yield state.copy()
        if GAME.result(state) is not None:
            return
        events = GAME.react(state, roll)
        if not events:
            decision = next(iter(GAME.decisions(state)), None)
            assert decision is not None, f"nobody can act: {GAME.headline(state)}"
            options_ = [option for choice in GAME.legal(state, decision.seat) for option in choice.options]
            events = GAME.decide(state, decision.seat, chance.choice(options_), roll)
            assert events, f"a decision without events: {GAME.headline(state)}"
        for event in events:
            state = GAME.evolve(state, event)
    raise AssertionError(f"seed {seed} does not end")
