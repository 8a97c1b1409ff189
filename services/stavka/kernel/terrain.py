"""Terrain effects charts turned into cost masks.

    hexsides(grid, pairs)                     hexsides, each named by its two hexes -> masks by direction of crossing
    StepCosts                                 what a step costs one kind of unit, for the movement search
    step_costs(entries, sides=(), closed=OPEN)  from labelled entry costs and hexside surcharges
    uniform_costs(spaces, cost=1, label="any")  the same cost for each hex, hexsides ignored
    TerrainEffects(entry, crossing)           a printed chart; .costs(kind, spaces, sides) -> StepCosts of one kind of unit

Costs are whole movement points of at least 1 (a game with halves counts in halves). None in a chart: not allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stavka.kernel.hexgrid import DIRECTIONS, OPPOSITE, HexGrid, Six

OPEN: Final[Six] = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Entry:
    """Entering a hex of `mask` costs `cost` MP. `label` is the terrain's name, shown in explanations."""

    label: str
    cost: int
    mask: int


@dataclass(frozen=True, slots=True)
class Side:
    """Crossing a hexside of this kind costs `cost` MP more. `into`: by direction, the hexes entered over one."""

    label: str
    cost: int
    into: Six


@dataclass(frozen=True, slots=True)
class StepCosts:
    """Costs of every step for one kind of unit.

    entries     labelled, disjoint; a hex in none of them may not be entered
    sides       labelled, may overlap: all that apply to a hexside are paid
    closed      by direction, the hexes that may not be entered that way
    surcharges  the same hexsides sorted by the total paid, disjoint: (MP, masks by direction)
    level       by direction, the hexes entered without any surcharge
    """

    entries: tuple[Entry, ...]
    sides: tuple[Side, ...]
    closed: Six
    surcharges: tuple[tuple[int, Six], ...]
    level: Six

    @property
    def enterable(self) -> int:
        """Hexes that this kind of unit may enter by their terrain."""
        bits = 0
        for entry in self.entries:
            bits |= entry.mask
        return bits


def hexsides(grid: HexGrid, pairs: Iterable[tuple[str, str]], *, one_way: bool = False) -> Six:
    """Masks by direction of the hexes entered over the given hexsides.

    Each pair names the two hexes that share the side; with `one_way` only the step from the first to the second counts
    (slopes). Raises MalformedCommand UNKNOWN_SPACE, and ValueError when two hexes are not adjacent.
    """
    into = dict.fromkeys(DIRECTIONS, 0)
    for a, b in pairs:
        direction = grid.direction(a, b)
        if direction is None:
            raise ValueError(f"hexes {a} and {b} share no hexside")
        into[direction] |= grid.bit(b)
        if not one_way:
            into[OPPOSITE[direction]] |= grid.bit(a)
    return _six(into[direction] for direction in DIRECTIONS)


def step_costs(entries: Sequence[Entry], sides: Sequence[Side] = (), closed: Six = OPEN) -> StepCosts:
    """Prepare the costs of one kind of unit. Raises ValueError for a cost below 1 or hexes with two entry costs."""
    seen = 0
    for entry in entries:
        if entry.cost < 1:
            raise ValueError(f"{entry.label}: a hex costs at least 1 MP to enter")
        if seen & entry.mask:
            raise ValueError(f"{entry.label}: a hex has two entry costs")
        seen |= entry.mask
    totals: dict[int, list[int]] = {}
    for d in range(6):
        by_total = {0: -1}
        for side in sides:
            if side.cost < 0:
                raise ValueError(f"{side.label}: a hexside surcharge is never negative")
            sorted_anew: dict[int, int] = {}
            for total, mask in by_total.items():
                sorted_anew[total] = sorted_anew.get(total, 0) | mask & ~side.into[d]
                crossed = mask & side.into[d]
                sorted_anew[total + side.cost] = sorted_anew.get(total + side.cost, 0) | crossed
            by_total = sorted_anew
        for total, mask in by_total.items():
            totals.setdefault(total, [0] * 6)[d] = mask & ~closed[d]
    level = _six(totals.pop(0, [0] * 6))
    surcharges = tuple((total, _six(masks)) for total, masks in sorted(totals.items()) if any(masks))
    return StepCosts(tuple(entry for entry in entries if entry.mask), tuple(sides), closed, surcharges, level)


def uniform_costs(spaces: int, cost: int = 1, label: str = "any") -> StepCosts:
    """The same cost for every hex of `spaces`, whatever the terrain and the hexside."""
    return step_costs((Entry(label, cost, spaces),))


@dataclass(frozen=True, slots=True)
class TerrainEffects:
    """The movement columns of a printed chart.

    entry      terrain -> kind of unit -> MP to enter; None: may not enter
    crossing   kind of hexside -> kind of unit -> MP more to cross; None: may not cross
    """

    entry: Mapping[str, Mapping[str, int | None]]
    crossing: Mapping[str, Mapping[str, int | None]]

    def costs(self, kind: str, spaces: Mapping[str, int], sides: Mapping[str, Six]) -> StepCosts:
        """Costs for one kind of unit on a map: terrain -> hexes, kind of hexside -> masks by direction.

        Raises KeyError when the chart does not know a terrain, a kind of hexside or the kind of unit.
        """
        entries = []
        for terrain, mask in spaces.items():
            cost = self.entry[terrain][kind]
            if cost is not None:
                entries.append(Entry(terrain, cost, mask))
        crossings: list[Side] = []
        closed = [0] * 6
        for name, into in sides.items():
            cost = self.crossing[name][kind]
            if cost is None:
                closed = [shut | mask for shut, mask in zip(closed, into, strict=True)]
            elif cost:
                crossings.append(Side(name, cost, into))
        return step_costs(entries, crossings, _six(closed))


def _six(masks: Iterable[int]) -> Six:
    e, w, ne, nw, se, sw = masks
    return e, w, ne, nw, se, sw
