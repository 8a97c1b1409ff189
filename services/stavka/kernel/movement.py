"""Movement search on a hex grid: everything a unit can reach, and cheapest paths on demand.

    reach(grid, start, rules) -> Reach
      .spaces                     set of the hexes reached, without the start
      .cost(code)                 MP of the cheapest path, None when out of reach
      .path(code)                 a cheapest path from start to target, () when out of reach
      .cost_of(path) -> PathCost  account of an explicit path, see movecost

`rules` is a MoveRules of movecost; its names are re-exported here. Where a unit may not end its move (stacking) is for
the caller to mask off `spaces`: it may still pass there. Areas have their own search in areamovement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stavka.kernel.hexgrid import HexGrid
from stavka.kernel.movecost import (
    ANYWHERE,
    NO_ZOC,
    MoveRules,
    PathCost,
    StepCost,
    StepFailure,
    StepRefusal,
    ZocRule,
    cost_of,
    step_cost,
)
from stavka.kernel.terrain import StepCosts

__all__ = [
    "ANYWHERE",
    "NO_ZOC",
    "MoveRules",
    "PathCost",
    "Reach",
    "StepCost",
    "StepFailure",
    "StepRefusal",
    "ZocRule",
    "cost_of",
    "reach",
]


@dataclass(frozen=True, slots=True)
class Reach:
    """All that one unit can reach. `layers[k]`: hexes whose cheapest path costs k MP (the start at 0)."""

    grid: HexGrid
    start: str
    rules: MoveRules
    layers: tuple[int, ...]
    spaces: int

    def cost(self, code: str) -> int | None:
        """MP of the cheapest path; 0 for the start, None when out of reach."""
        bit = self.grid.bit(code)
        return next((cost for cost, layer in enumerate(self.layers) if layer & bit), None)

    def path(self, code: str) -> tuple[str, ...]:
        """A cheapest path with start and target; () when out of reach.

        Ties: seen from the target backwards, each hex comes from the first possible one in reading order.
        """
        cost = self.cost(code)
        if cost is None:
            return ()
        walk = [code]
        while walk[-1] != self.start:
            origin, cost = self._origin(walk[-1], cost)
            walk.append(origin)
        return tuple(reversed(walk))

    def cost_of(self, path: Sequence[str]) -> PathCost:
        """Account of an explicit path from the start; WRONG_START when it begins elsewhere."""
        if not path or path[0] != self.start:
            at = path[0] if path else self.start
            failure = StepFailure(0, self.start, at, StepRefusal.WRONG_START)
            return PathCost(tuple(path), self.rules.allowance, (), 0, failure)
        return cost_of(self.grid, path, self.rules)

    def _origin(self, target: str, cost: int) -> tuple[str, int]:
        for origin in self.grid.codes(self.grid.adjacent(target)):
            before = self.cost(origin)
            if before is None or before >= cost:
                continue
            if origin != self.start and self.rules.stop & self.grid.bit(origin):
                continue
            step = step_cost(self.grid, origin, target, self.rules)
            if isinstance(step, StepCost) and before + step.paid == cost:
                return origin, before
        return self.start, 0  # the minimum step: dearer than the allowance, from the start


def reach(grid: HexGrid, start: str, rules: MoveRules) -> Reach:
    """Search everything that the unit in `start` can reach. Raises MalformedCommand UNKNOWN_SPACE."""
    here = grid.bit(start)
    layers = [0] * (rules.allowance + 1)
    layers[0] = here
    zoc, open_ground = rules.zoc.zoc, grid.all & ~rules.forbidden
    entries = [
        (entry.cost, entry.mask & open_ground & ~zoc, entry.mask & open_ground & zoc) for entry in rules.costs.entries
    ]
    seen = 0
    for spent, layer in enumerate(layers):
        front = layers[spent] = layer & ~seen
        seen |= front
        front &= ~rules.stop | here
        if not front:
            continue
        for origins, zoc_open, zoc_cost in _groups(front, rules.zoc):
            for surcharge, arrivals in _arrivals(grid, origins, rules.costs):
                for base, outside, inside in entries:
                    cost = spent + surcharge + base
                    if cost <= rules.allowance:
                        layers[cost] |= arrivals & outside
                        if zoc_open and cost + zoc_cost <= rules.allowance:
                            layers[cost + zoc_cost] |= arrivals & inside & zoc_open
    if rules.minimum_step and rules.allowance > 0:
        layers[-1] |= _next_to(grid, here, rules, open_ground) & ~seen
        seen |= layers[-1]
    return Reach(grid, start, rules, tuple(layers), seen & ~here)


def _groups(front: int, rule: ZocRule) -> Iterator[tuple[int, int, int]]:
    """Split a set by what it may do next: (origins, ZOC hexes they may enter, MP for entering one)."""
    outside = front & ~rule.zoc
    if outside:
        yield outside, ANYWHERE, rule.entering
    bound = front & rule.zoc & ~rule.leave
    if bound:
        yield bound, 0, 0
    free = front & rule.zoc & rule.leave
    if free:
        yield free, rule.enter, rule.entering + rule.between


def _arrivals(grid: HexGrid, origins: int, costs: StepCosts) -> Iterator[tuple[int, int]]:
    """Hexes next to `origins` by the surcharge of the hexside crossed: (MP, hexes)."""
    if not costs.surcharges and costs.level == (ANYWHERE,) * 6:
        yield 0, grid.expand(origins)
        return
    a, b, c, d, e, f = grid.spread(origins)
    for surcharge, (ma, mb, mc, md, me, mf) in ((0, costs.level), *costs.surcharges):
        arrivals = a & ma | b & mb | c & mc | d & md | e & me | f & mf
        if arrivals:
            yield surcharge, arrivals


def _next_to(grid: HexGrid, here: int, rules: MoveRules, open_ground: int) -> int:
    """Adjacent hexes that the unit may enter, whatever the cost."""
    found = 0
    for origins, zoc_open, _ in _groups(here, rules.zoc):
        for _, arrivals in _arrivals(grid, origins, rules.costs):
            found |= arrivals & (~rules.zoc.zoc | zoc_open)
    return found & rules.costs.enterable & open_ground
