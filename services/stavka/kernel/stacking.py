"""Stacking: what a space holds against its limit.

    counted(pieces, size)                        what the pieces count together
    room(pieces, size, limit)                    what may still be added, 0 when full or over-full
    overflows(occupants, size, limit)            the spaces over their limit, as Overflow(space, counted, limit, pieces)
    full(occupants, size, limit, adding=1)       names of the spaces that have no room for that much more

`size` gives what one piece counts: 1 for a unit, 0 for a piece that is exempt (a leader, a division). `limit` gives the
limit of a space; None: no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Overflow(Generic[P]):
    """A space over its limit. `pieces` are those that count, in the order given; counted - limit must go."""

    space: str
    counted: int
    limit: int
    pieces: tuple[P, ...]

    @property
    def excess(self) -> int:
        """What is over the limit, at least 1."""
        return self.counted - self.limit


def counted(pieces: Iterable[P], size: Callable[[P], int]) -> int:
    """What the pieces count against a stacking limit together."""
    return sum(size(piece) for piece in pieces)


def room(pieces: Iterable[P], size: Callable[[P], int], limit: int) -> int:
    """What may still be added without going over the limit; 0 when nothing may."""
    return max(0, limit - counted(pieces, size))


def overflows(
    occupants: Mapping[str, Iterable[P]], size: Callable[[P], int], limit: Callable[[str], int | None]
) -> tuple[Overflow[P], ...]:
    """Every space over its limit, in the order of `occupants`."""
    found: list[Overflow[P]] = []
    for space, pieces in occupants.items():
        most = limit(space)
        counting = tuple(piece for piece in pieces if size(piece))
        total = counted(counting, size)
        if most is not None and total > most:
            found.append(Overflow(space, total, most, counting))
    return tuple(found)


def full(
    occupants: Mapping[str, Iterable[P]], size: Callable[[P], int], limit: Callable[[str], int | None], adding: int = 1
) -> tuple[str, ...]:
    """The spaces, in the order of `occupants`, that cannot take `adding` more (0: those over their limit already)."""
    return tuple(
        space
        for space, pieces in occupants.items()
        if (most := limit(space)) is not None and counted(pieces, size) + adding > most
    )
