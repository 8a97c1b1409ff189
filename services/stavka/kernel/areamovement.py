"""Movement on an area map: one step a space, spaces and borders that end the move, borders that are closed.

    AreaMoveRules(through, allowance, ending=None, forbidden=0, stop=0)
    reach_areas(start, rules) -> AreaReach
      .spaces                     set of the spaces reached, without the start
      .steps(name)                fewest steps, 0 for the start, None when out of reach
      .path(name)                 a shortest path from start to target, () when out of reach
      .check(path)                None for a legal path, or its first step that is not allowed
    check_path(path, rules) -> AreaFailure | None
      AreaFailure(step, origin, target, reason: AreaRefusal)

Border limits: a border whose limit is used up is closed, so hand in graphs without it (AreaGraph.without). A border that
ends the move (a mountain border) is in the graph `ending` and not in `through`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from stavka.kernel.areamap import AreaGraph
from stavka.kernel.spaces import lowest


@dataclass(frozen=True, slots=True)
class AreaMoveRules:
    """What one unit may do in one move, wherever it starts.

    through     links that it may use and then go on
    allowance   spaces that it may enter; 0: it cannot move
    ending      links that it may use but that end its move; of the same map as `through`
    forbidden   spaces that it may not enter
    stop        spaces in which it must end its move once it has entered; the start does not count
    """

    through: AreaGraph
    allowance: int
    ending: AreaGraph | None = None
    forbidden: int = 0
    stop: int = 0


class AreaRefusal(StrEnum):
    """Why a step of a path is not allowed."""

    WRONG_START = "WRONG_START"
    NO_OPEN_LINK = "NO_OPEN_LINK"
    FORBIDDEN_SPACE = "FORBIDDEN_SPACE"
    MUST_STOP = "MUST_STOP"
    ALLOWANCE_EXCEEDED = "ALLOWANCE_EXCEEDED"


@dataclass(frozen=True, slots=True)
class AreaFailure:
    """The first step of a path that is not allowed: its number from 1 (0: the start itself), and why."""

    step: int
    origin: str
    target: str
    reason: AreaRefusal


@dataclass(frozen=True, slots=True)
class AreaReach:
    """All that one unit can reach.

    going[k]   spaces first reached in k steps from which it may go on (the start at 0)
    halted[k]  spaces reached in k steps in which the move is over, and not reached earlier
    """

    start: str
    rules: AreaMoveRules
    going: tuple[int, ...]
    halted: tuple[int, ...]
    spaces: int

    def steps(self, name: str) -> int | None:
        """Fewest steps to a space; 0 for the start, None when out of reach."""
        bit = self.rules.through.bit(name)
        layers = zip(self.going, self.halted, strict=True)
        return next((count for count, (going, halted) in enumerate(layers) if (going | halted) & bit), None)

    def path(self, name: str) -> tuple[str, ...]:
        """A shortest path with start and target; () when out of reach.

        Ties: seen from the target backwards, each space comes from the first possible one in reading order.
        """
        count = self.steps(name)
        if count is None:
            return ()
        rules, walk = self.rules, [name]
        for layer in reversed(self.going[:count]):
            origins = rules.through.adjacent(walk[-1])
            if rules.ending is not None and len(walk) == 1:
                origins |= rules.ending.adjacent(walk[-1])
            walk.append(rules.through.code(lowest(origins & layer)))
        return tuple(reversed(walk))

    def check(self, path: Sequence[str]) -> AreaFailure | None:
        """None when the path is legal from the start, else its first step that is not."""
        if not path or path[0] != self.start:
            at = path[0] if path else self.start
            return AreaFailure(0, self.start, at, AreaRefusal.WRONG_START)
        return check_path(path, self.rules)


def reach_areas(start: str, rules: AreaMoveRules) -> AreaReach:
    """Search everything that the unit in `start` can reach. Raises MalformedCommand UNKNOWN_SPACE."""
    here = rules.through.bit(start)
    ground = rules.through.all & ~rules.forbidden
    going, halted = [here], [0]
    passed = reached = here
    for _ in range(rules.allowance):
        front = going[-1]
        arrived = rules.through.expand(front) & ground
        ended = arrived & rules.stop
        if rules.ending is not None:
            ended |= rules.ending.expand(front) & ground
        going.append(arrived & ~rules.stop & ~passed)
        passed |= going[-1]
        halted.append(ended & ~reached & ~going[-1])
        reached |= going[-1] | halted[-1]
    return AreaReach(start, rules, tuple(going), tuple(halted), reached & ~here)


def check_path(path: Sequence[str], rules: AreaMoveRules) -> AreaFailure | None:
    """First step of a path that is not allowed, or None. Raises MalformedCommand UNKNOWN_SPACE.

    The path holds the start and every space entered, in order.
    """
    over = False
    for number, (origin, target) in enumerate(pairwise(path), start=1):
        bit = rules.through.bit(target)
        goes_on = rules.through.linked(origin, target)
        reason: AreaRefusal | None = None
        if over:
            reason = AreaRefusal.MUST_STOP
        elif not goes_on and not (rules.ending is not None and rules.ending.linked(origin, target)):
            reason = AreaRefusal.NO_OPEN_LINK
        elif bit & rules.forbidden:
            reason = AreaRefusal.FORBIDDEN_SPACE
        elif number > rules.allowance:
            reason = AreaRefusal.ALLOWANCE_EXCEEDED
        if reason is not None:
            return AreaFailure(number, origin, target, reason)
        over = not goes_on or bool(bit & rules.stop)
    return None
