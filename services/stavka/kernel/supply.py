"""Supply lines as floods over bit boards, on hex grids and area maps alike.

    trace(spaces, sources, passable, limit=None) -> int             every space from which a supply line exists
    supply_line(spaces, sources, passable, target, limit=None)      a shortest line from target to a source, () if none
    blockade(spaces, passable, target, blockers) -> Blockade              why there is none
      .pocket       spaces that the target can still reach
      .frontier     spaces next to the pocket that bar the way
      .blocked_by   for each named cause, the part of the frontier that it bars

`passable` holds every space that a line may run through, the first and the last included. So where a line must avoid
enemy units, and enemy ZOC unless a friendly unit is there: passable = ~enemies & (~enemy_zoc | friends).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stavka.kernel.spaces import SpaceIndex, indices


@dataclass(frozen=True, slots=True)
class Blockade:
    """Why a space has no supply line. A frontier space may have several causes, or none of the named ones."""

    target: str
    pocket: int
    frontier: int
    blocked_by: Mapping[str, int]


def trace(spaces: SpaceIndex, sources: int, passable: int, limit: int | None = None) -> int:
    """Set of the spaces from which a line of passable spaces leads to a passable source.

    `limit` is the greatest number of steps from space to source, inclusive; None for any length.
    """
    ground = passable & spaces.all
    front = sources & ground
    reached = front
    while front and limit != 0:
        front = spaces.expand(front) & ground & ~reached
        reached |= front
        if limit is not None:
            limit -= 1
    return reached


def supply_line(
    spaces: SpaceIndex, sources: int, passable: int, target: str, limit: int | None = None
) -> tuple[str, ...]:
    """A shortest supply line, from the target to a source, both included; () when there is none.

    Ties: each step goes to the first possible space in reading order. Raises MalformedCommand UNKNOWN_SPACE.
    """
    ground = passable & spaces.all
    layers = [sources & ground]
    bit, seen = spaces.bit(target), layers[0]
    while layers[-1] and not layers[-1] & bit:
        if limit is not None and len(layers) > limit:
            return ()
        layers.append(spaces.expand(layers[-1]) & ground & ~seen)
        seen |= layers[-1]
    if not layers[-1]:
        return ()
    line = [target]
    for layer in reversed(layers[:-1]):
        line.append(spaces.code(next(indices(spaces.adjacent(line[-1]) & layer))))
    return tuple(line)


def blockade(spaces: SpaceIndex, passable: int, target: str, blockers: Mapping[str, int]) -> Blockade:
    """What cuts the target off: the pocket around it, the spaces that close it, and by which cause each.

    Meaningful for a target without a supply line. A target that is not passable itself is its own frontier and has an
    empty pocket. `blockers` maps a cause (the game's word) to the set of spaces that it bars.
    Raises MalformedCommand UNKNOWN_SPACE.
    """
    bit = spaces.bit(target)
    pocket = trace(spaces, bit, passable)
    frontier = (spaces.expand(pocket) & ~pocket & ~passable) if pocket else bit
    return Blockade(target, pocket, frontier, {cause: mask & frontier for cause, mask in blockers.items()})
