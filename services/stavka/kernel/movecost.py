"""What a unit may do in one move on a hex grid, and the account of one explicit path.

    ZocRule(zoc, leave, enter, entering, between)    how enemy ZOC hinders steps; NO_ZOC hinders none
    MoveRules(costs, allowance, forbidden=0, stop=0, zoc=NO_ZOC, minimum_step=False)
    step_cost(grid, origin, target, rules) -> StepCost | StepRefusal
    cost_of(grid, path, rules) -> PathCost
      .steps: StepCost(origin, target, terrain, base, hexsides, hexside, zoc, paid)   .total   .failure   .is_legal
      .failure: StepFailure(step, origin, target, reason: StepRefusal)

The usual ZOC rules in these terms, where `friends` are the hexes that hold a friendly unit other than the mover:
a unit that must stop in enemy ZOC and needs friends to move from ZOC to ZOC has stop = zoc & ~friends and
ZocRule(zoc, leave=friends, enter=friends); one that pays for each ZOC hex entered has ZocRule(zoc, entering=1); one that
pays for moving from ZOC to ZOC only has ZocRule(zoc, between=1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from stavka.kernel.hexgrid import DIRECTIONS, HexGrid
from stavka.kernel.terrain import StepCosts

ANYWHERE: Final = -1
"""The set of all spaces of any map."""


@dataclass(frozen=True, slots=True)
class ZocRule:
    """How enemy ZOC hinders steps.

    zoc        hexes in enemy ZOC
    leave      a step from ZOC to ZOC must start in one of these hexes
    enter      a step from ZOC to ZOC must end in one of these hexes
    entering   MP for each ZOC hex entered, wherever the step starts
    between    MP more for each step from ZOC to ZOC
    """

    zoc: int = 0
    leave: int = ANYWHERE
    enter: int = ANYWHERE
    entering: int = 0
    between: int = 0


NO_ZOC: Final = ZocRule()


@dataclass(frozen=True, slots=True)
class MoveRules:
    """What one unit may do in one move, wherever it starts.

    costs          MP by terrain and hexside for its kind
    allowance      MP it may spend; 0: it cannot move
    forbidden      hexes it may not enter (enemy units, borders of its country)
    stop           hexes in which it must end its move once it has entered; the start does not count
    zoc            how enemy ZOC hinders it
    minimum_step   it may always enter one adjacent hex that is not forbidden to it, even if the cost exceeds the allowance;
                   that takes all its MP
    """

    costs: StepCosts
    allowance: int
    forbidden: int = 0
    stop: int = 0
    zoc: ZocRule = NO_ZOC
    minimum_step: bool = False


class StepRefusal(StrEnum):
    """Why a step of a path is not allowed."""

    WRONG_START = "WRONG_START"
    NOT_ADJACENT = "NOT_ADJACENT"
    FORBIDDEN_SPACE = "FORBIDDEN_SPACE"
    IMPASSABLE_TERRAIN = "IMPASSABLE_TERRAIN"
    IMPASSABLE_HEXSIDE = "IMPASSABLE_HEXSIDE"
    MUST_STOP = "MUST_STOP"
    ZOC_TO_ZOC = "ZOC_TO_ZOC"
    ALLOWANCE_EXCEEDED = "ALLOWANCE_EXCEEDED"


@dataclass(frozen=True, slots=True)
class StepFailure:
    """The first step of a path that is not allowed: its number from 1 (0: the start itself), and why."""

    step: int
    origin: str
    target: str
    reason: StepRefusal


@dataclass(frozen=True, slots=True)
class StepCost:
    """MP of one step. `paid` is base + hexside + zoc, except for a minimum step, which takes the whole allowance."""

    origin: str
    target: str
    terrain: str
    base: int
    hexsides: tuple[tuple[str, int], ...]
    hexside: int
    zoc: int
    paid: int


@dataclass(frozen=True, slots=True)
class PathCost:
    """Account of a path: its legal steps in order, MP paid for them, and the first step that fails, if any."""

    path: tuple[str, ...]
    allowance: int
    steps: tuple[StepCost, ...]
    total: int
    failure: StepFailure | None

    @property
    def is_legal(self) -> bool:
        return self.failure is None


def cost_of(grid: HexGrid, path: Sequence[str], rules: MoveRules) -> PathCost:
    """Account of a path, step by step, up to the first step that is not allowed.

    The path holds the start and every hex entered, in order. Raises MalformedCommand UNKNOWN_SPACE.
    """
    steps: list[StepCost] = []
    total = 0
    failure: StepFailure | None = None
    for number, (origin, target) in enumerate(pairwise(path), start=1):
        step: StepCost | StepRefusal = step_cost(grid, origin, target, rules)
        if number > 1 and rules.stop & grid.bit(origin):
            step = StepRefusal.MUST_STOP
        elif isinstance(step, StepCost) and total + step.paid > rules.allowance:
            step = StepRefusal.ALLOWANCE_EXCEEDED
            if number == 1 and rules.minimum_step and rules.allowance > 0:
                step = step_cost(grid, origin, target, rules, cap=rules.allowance)
        if isinstance(step, StepRefusal):
            failure = StepFailure(number, origin, target, step)
            break
        steps.append(step)
        total += step.paid
    return PathCost(tuple(path), rules.allowance, tuple(steps), total, failure)


def step_cost(
    grid: HexGrid, origin: str, target: str, rules: MoveRules, cap: int | None = None
) -> StepCost | StepRefusal:
    """Cost of one step, or why no such step is possible whatever MP are left. `cap` limits what is paid."""
    bit, here, rule = grid.bit(target), grid.bit(origin), rules.zoc
    direction = grid.direction(origin, target)
    if direction is None:
        return StepRefusal.NOT_ADJACENT
    if bit & rules.forbidden:
        return StepRefusal.FORBIDDEN_SPACE
    d = DIRECTIONS.index(direction)
    if bit & rules.costs.closed[d]:
        return StepRefusal.IMPASSABLE_HEXSIDE
    entry = next((entry for entry in rules.costs.entries if entry.mask & bit), None)
    if entry is None:
        return StepRefusal.IMPASSABLE_TERRAIN
    zoc = 0
    if bit & rule.zoc:
        zoc = rule.entering
        if here & rule.zoc:
            if not (here & rule.leave and bit & rule.enter):
                return StepRefusal.ZOC_TO_ZOC
            zoc += rule.between
    hexsides = tuple((side.label, side.cost) for side in rules.costs.sides if side.into[d] & bit)
    hexside = sum(cost for _, cost in hexsides)
    paid = entry.cost + hexside + zoc
    return StepCost(origin, target, entry.label, entry.cost, hexsides, hexside, zoc, paid if cap is None else cap)
