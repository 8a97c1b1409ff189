"""A bot's own chance: numbers that follow from its seed, its seat and the version it decides at.

    Chance(seed, seat, version)     the source of one decision; the same three give the same numbers on every machine
    command_id(seed, seat, version) id of the command that answers it, so that a restarted bot repeats itself

Uniform numbers come from SHA-256 over the three and a counter, by rejection, so none is likelier than another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

WORD: Final = 1 << 64


class Chance:
    """Uniform choices for one decision. Not for dice: the referee rolls those."""

    __slots__ = ("_counter", "_key")

    def __init__(self, seed: int, seat: str, version: int, purpose: str = "choice") -> None:
        self._key = f"stavka-bot/1\n{seed}\n{seat}\n{version}\n{purpose}\n".encode()
        self._counter = 0

    def below(self, bound: int) -> int:
        """A number 0..bound-1. Raises ValueError for a bound below 1."""
        if bound < 1:
            raise ValueError(f"there is no number below {bound}")
        limit = WORD - WORD % bound
        while True:
            self._counter += 1
            word = int.from_bytes(hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()[:8], "big")
            if word < limit:
                return word % bound

    def one_of(self, items: Sequence[T]) -> T:
        """One of the items, each as likely. Raises ValueError when there is none."""
        return items[self.below(len(items))]

    def happens(self, share: float) -> bool:
        """True in `share` (0..1) of all cases."""
        return self.below(1_000_000) < share * 1_000_000


def command_id(seed: int, seat: str, version: int, attempt: int = 0) -> str:
    """At most 64 characters of the API's alphabet; another one for each attempt at the same version."""
    digest = hashlib.sha256(f"{seed}\n{seat}\n{version}\n{attempt}".encode()).hexdigest()[:24]
    return f"bot.{version}.{attempt}.{digest}"
