"""Zones of control: which spaces a set of units dominates.

    project(grid, units, enterable, closed=None)     spaces into which these units exert a ZOC
    project_all(grid, groups)                        the same for several kinds of unit: (units, enterable, closed)

A unit exerts none into a hex that it may not enter: hand in the hexes its kind may enter, and the hexsides it may not
cross. Whether a kind of unit exerts any ZOC at all is the game's matter: leave those units out of the set.
"""

from __future__ import annotations

from collections.abc import Iterable

from stavka.kernel.hexgrid import HexGrid, Six


def project(grid: HexGrid, units: int, enterable: int, closed: Six | None = None) -> int:
    """Set of the hexes next to `units` into which they exert a ZOC.

    Args:
        units: hexes of the units that exert one, all of a kind.
        enterable: hexes that this kind may enter by terrain. Enemy units in a hex do not keep a ZOC out of it.
        closed: for each direction, the hexes that this kind may not enter by a step in that direction.

    A hex of `units` is in the result only when another of them is next to it.
    """
    if closed is None:
        return grid.expand(units) & enterable
    zone = 0
    for moved, shut in zip(grid.spread(units), closed, strict=True):
        zone |= moved & ~shut
    return zone & enterable


def project_all(grid: HexGrid, groups: Iterable[tuple[int, int, Six | None]]) -> int:
    """Union of the zones of several kinds of unit, each as (units, enterable, closed) of `project`."""
    zone = 0
    for units, enterable, closed in groups:
        if units:
            zone |= project(grid, units, enterable, closed)
    return zone
