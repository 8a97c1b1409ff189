"""Combat arithmetic that keeps its account: dice pools, modified strengths, odds columns.

    hits(dice, at_least)                                    number of dice that show at least that much
    hits_at_most(dice, at_most)                             number of dice that show at most that much
    Modifier(rule, what, amount=0, factor=None)             one printed modifier, with its citation
    strength(base, modifiers, rounding, minimum=0) -> Strength      .base .steps .value
    odds(attack, defense, columns, shifts=()) -> Odds       .ratio .unshifted .column .shifts

Strengths apply modifiers in the order: additions, subtractions, then factors, each group in the order given.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Final

HALF: Final = Fraction(1, 2)
DOUBLE: Final = Fraction(2)


class Rounding(StrEnum):
    """What becomes of a fraction, after each factor."""

    UP = "UP"
    DOWN = "DOWN"
    HALF_UP = "HALF_UP"

    def apply(self, value: Fraction) -> int:
        """Whole number for a fraction; HALF_UP takes exactly one half up."""
        if self is Rounding.UP:
            return math.ceil(value)
        return math.floor(value if self is Rounding.DOWN else value + HALF)


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier: `amount` is added (or, negative, subtracted), or the strength is multiplied by `factor`.

    `rule` is a citation such as "RV 9.1", `what` the game's word for the cause. Raises ValueError for both or a negative
    factor.
    """

    rule: str
    what: str
    amount: int = 0
    factor: Fraction | None = None

    def __post_init__(self) -> None:
        if self.factor is not None and (self.amount or self.factor < 0):
            raise ValueError(f"{self.what}: a modifier is an amount or a factor of at least 0")


@dataclass(frozen=True, slots=True)
class Applied:
    """What one modifier did: the strength before and after it."""

    modifier: Modifier
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength with its account. `value` is never below the minimum asked for."""

    base: int
    steps: tuple[Applied, ...]
    value: int


def hits(dice: Iterable[int], at_least: int) -> int:
    """Number of dice that show `at_least` or more."""
    return sum(die >= at_least for die in dice)


def hits_at_most(dice: Iterable[int], at_most: int) -> int:
    """Number of dice that show `at_most` or less."""
    return sum(die <= at_most for die in dice)


def strength(base: int, modifiers: Iterable[Modifier], rounding: Rounding, minimum: int = 0) -> Strength:
    """Apply modifiers to a printed strength: additions, subtractions, then factors, rounding after each factor.

    Between modifiers the running strength may be negative; the value is raised to `minimum` at the end.
    """
    given = tuple(modifiers)
    ordered = (
        *(m for m in given if m.factor is None and m.amount >= 0),
        *(m for m in given if m.factor is None and m.amount < 0),
        *(m for m in given if m.factor is not None),
    )
    steps: list[Applied] = []
    value = base
    for modifier in ordered:
        before = value
        value = value + modifier.amount if modifier.factor is None else rounding.apply(value * modifier.factor)
        steps.append(Applied(modifier, before, value))
    return Strength(base, tuple(steps), max(value, minimum))


@dataclass(frozen=True, slots=True)
class Odds:
    """An odds column with its account.

    ratio       strengths compared: (attack, defense)
    unshifted   index of the column for the ratio; -1 when it is below the leftmost one
    shifts      the shifts applied, in the order given
    column      index of the column used, after all shifts, kept on the table
    """

    ratio: tuple[int, int]
    unshifted: int
    shifts: tuple[Modifier, ...]
    column: int


def odds(attack: int, defense: int, columns: Sequence[tuple[int, int]], shifts: Iterable[Modifier] = ()) -> Odds:
    """Column of a results table, the ratio rounded in the defender's favor.

    Args:
        attack, defense: strengths, 0 or more. A defense of 0 gives the rightmost column.
        columns: printed ratios (attacker, defender) from left to right, ascending: ((1, 2), (1, 1), (2, 1)).
        shifts: modifiers by amount: positive to the right. They are summed, then the column is kept on the table.

    Raises ValueError for an empty or unordered table and for a shift by a factor.
    """
    ratios = [Fraction(a, d) for a, d in columns]
    if not ratios or any(left >= right for left, right in pairwise(ratios)):
        raise ValueError("odds columns must ascend from left to right")
    applied = tuple(shifts)
    if any(shift.factor is not None for shift in applied):
        raise ValueError("a column shift is a number of columns")
    reached = sum(Fraction(attack, defense) >= ratio for ratio in ratios) if defense else len(ratios)
    unshifted = reached - 1
    shifted = unshifted + sum(shift.amount for shift in applied)
    return Odds((attack, defense), unshifted, applied, min(max(shifted, 0), len(ratios) - 1))
