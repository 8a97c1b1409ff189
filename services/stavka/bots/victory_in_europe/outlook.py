"""What a battle promises, by expectation: pure numbers, no dice.

Force(steps, hits)                      what stands on one side: hits that it takes, hits a round that it deals
chance_to_win(attack, defense, rounds)  chance that no defending army is left when the battle ends [VE 5.1]
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Final, NamedTuple

ROUNDS: Final = 2  # [VE 5.1]
SPREAD: Final = 0.8  # variance of a hit, about
DOUBT: Final = 0.4  # hits; nobody knows exactly what stands there


class Force(NamedTuple):
    """Under double defense `steps` are the hits that it takes to clear them."""

    steps: float
    hits: float

    def plus(self, other: Force) -> Force:
        return Force(self.steps + other.steps, self.hits + other.hits)

    def scaled(self, share: float) -> Force:
        return Force(self.steps * share, self.hits * share)


NOBODY: Final = Force(0.0, 0.0)


def exchange(attack: Force, defense: Force, rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Hits that the attackers may hope to score, and the shares of both sides that are left; the defenders fire first."""
    if not attack.steps:
        return 0.0, 0.0, 1.0
    mine, theirs, scored = 1.0, 1.0, 0.0
    for _ in range(rounds):
        mine = max(0.0, mine - theirs * defense.hits / attack.steps)
        blow = mine * attack.hits
        scored += blow
        theirs = max(0.0, theirs - blow / defense.steps) if defense.steps else 0.0
    return scored, mine, theirs


def chance_to_win(attack: Force, defense: Force, rounds: int = ROUNDS) -> float:
    """0..1; 1 against nobody, 0 with nobody."""
    if not attack.steps or not defense.steps:
        return 1.0 if attack.steps else 0.0
    scored, _, _ = exchange(attack, defense, rounds)
    over = scored - defense.steps + 0.3
    return 0.5 * (1.0 + erf(over / (sqrt(SPREAD * scored + DOUBT) * sqrt(2.0))))
