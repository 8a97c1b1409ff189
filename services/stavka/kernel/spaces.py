"""What hex grids and area maps have in common: spaces with a name, a number and a bit.

    SpaceIndex                 protocol of HexGrid, AreaMap and AreaGraph; supply and retreat searches take any of them
    indices(bits)              numbers of the spaces in a set, ascending
    lowest(bits)               number of the first space of a non-empty set
    distance_layers(spaces, goals, passable=None)
                               sets of the spaces at distance 0, 1, 2, ... from the nearest goal

A set of spaces is one Python integer: bit i stands for the space of index i. Reading order is ascending index:
rows from the top and columns by their printed number on a hex grid, the order of declaration on an area map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol


class SpaceIndex(Protocol):
    """Named spaces with neighbours. `code` is what is printed: "2215" on a hex grid, a name on an area map."""

    @property
    def all(self) -> int:
        """Set of every space."""

    def index(self, code: str) -> int:
        """Bit number of a space. Raises MalformedCommand UNKNOWN_SPACE."""

    def bit(self, code: str) -> int:
        """Set that holds just this space. Raises MalformedCommand UNKNOWN_SPACE."""

    def mask(self, codes: Iterable[str]) -> int:
        """Set of the named spaces. Raises MalformedCommand UNKNOWN_SPACE."""

    def code(self, index: int) -> str:
        """Printed code of a space."""

    def codes(self, bits: int) -> tuple[str, ...]:
        """Printed codes of a set, in reading order."""

    def adjacent(self, code: str) -> int:
        """Set of the neighbours of one space."""

    def expand(self, bits: int) -> int:
        """Set of all spaces next to at least one space of `bits` (which may hold some of `bits` themselves)."""


def indices(bits: int) -> Iterator[int]:
    """Yield the index of every space of a set, ascending (reading order)."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def lowest(bits: int) -> int:
    """Index of the first space of a non-empty set in reading order; -1 for the empty set."""
    return (bits & -bits).bit_length() - 1


def distance_layers(spaces: SpaceIndex, goals: int, passable: int | None = None) -> tuple[int, ...]:
    """Sets of the spaces at distance 0, 1, 2, ... steps from the nearest goal; spaces that no goal reaches are in none.

    With `passable` only these spaces are walked through (and goals outside it are no goals).
    """
    ground = spaces.all if passable is None else passable & spaces.all
    front = goals & ground
    layers: list[int] = []
    while front:
        layers.append(front)
        ground &= ~front
        front = spaces.expand(front) & ground
    return tuple(layers)
