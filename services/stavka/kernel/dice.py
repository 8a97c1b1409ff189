"""Dice and shuffles: the interface the rules roll through, and the expansion of a seed, specified for re-implementation.

    Roll                                    protocol: .dice(purpose, count, sides=6), .shuffle(purpose, items)
    expand_dice(seed, count, sides=6)       dice from a seed, each 1..sides
    expand_shuffle(seed, n)                 permutation of 0..n-1 from a seed
    SeededRoll(seed)                        a Roll from one seed: the same calls give the same results
    ScriptedRoll(results)                   a Roll from a list, for tests and analysis matches; .remaining
    RollScriptError(reason, purpose=...)    a script that ran dry or does not fit the call

Expansion. The seed is any byte string. Block i, i = 0, 1, 2, ..., is SHA-256(seed || i as 8 bytes, big-endian). The
blocks follow each other as one stream of bytes, read from its first byte on and never rewound.

    uniform(m), 1 <= m <= 256:       read 1 byte x; if x >= 256 - 256 mod m, drop it and read the next;
                                     otherwise the result is x mod m.
    uniform(m), 256 < m <= 2^32:     the same with a word of 4 bytes, big-endian, and 2^32 for 256.
    dice(count, sides):              count times 1 + uniform(sides), in order.
    shuffle(n):                      p = [0, 1, ..., n-1]; for i = n-1 down to 1: j = uniform(i + 1), swap p[i] and p[j].
                                     Place k of the result holds item p[k].

Dropping makes every outcome exactly equally likely. (uniform(1) reads a byte too.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, Protocol, TypeVar

from stavka.kernel.errors import MalformedCommand

T = TypeVar("T")

MAX_SIDES: Final = 2**32


class Roll(Protocol):
    """Where chance comes from. `purpose` labels the roll in the history ("battle 2215, attacker")."""

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        """`count` dice (0 or more), each 1..sides."""
        ...

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order."""
        ...


class RollScriptError(MalformedCommand):
    """A scripted list of rolls does not fit the roll asked for; nothing was taken from the list.

    Reasons: ROLL_SCRIPT_RAN_DRY, ROLL_OUT_OF_RANGE, ROLL_WRONG_COUNT, ROLL_NOT_A_PERMUTATION.
    """

    def __init__(self, reason: str, purpose: str, **details: object) -> None:
        super().__init__(reason, f"{reason}: {purpose}", purpose=purpose, **details)
        self.purpose = purpose


def expand_dice(seed: bytes, count: int, sides: int = 6) -> tuple[int, ...]:
    """`count` dice of 1..sides from a seed, as specified above. Raises ValueError for sides outside 1..2^32."""
    if count < 0:
        raise ValueError(f"{count} dice cannot be rolled")
    stream = _stream(seed)
    return tuple(1 + _uniform(stream, sides) for _ in range(count))


def expand_shuffle(seed: bytes, n: int) -> tuple[int, ...]:
    """Permutation of 0..n-1 from a seed, as specified above: place k of the shuffled row holds item p[k]."""
    stream = _stream(seed)
    places = list(range(n))
    for i in range(n - 1, 0, -1):
        j = _uniform(stream, i + 1)
        places[i], places[j] = places[j], places[i]
    return tuple(places)


class SeededRoll:
    """Rolls from one seed: call i (from 0) expands SHA-256(seed || i as 8 bytes, big-endian || purpose in UTF-8)."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._calls = 0

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        return expand_dice(self._next(purpose), count, sides)

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items[place] for place in expand_shuffle(self._next(purpose), len(items)))

    def _next(self, purpose: str) -> bytes:
        seed = hashlib.sha256(self._seed + self._calls.to_bytes(8, "big") + purpose.encode()).digest()
        self._calls += 1
        return seed


class ScriptedRoll:
    """Rolls from a list. An int is one die; a sequence is the whole result of one call: dice, or a permutation of 0..n-1.

    So `[6, 1, (2, 0, 1)]` serves a call for two dice (or two for one die), then a shuffle of three items.
    """

    def __init__(self, results: Sequence[int | Sequence[int]]) -> None:
        self._results = tuple(result if isinstance(result, int) else tuple(result) for result in results)
        self._next = 0

    @property
    def remaining(self) -> int:
        """Entries of the list not yet used."""
        return len(self._results) - self._next

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        """The next `count` dice. Raises RollScriptError and takes nothing when they do not fit."""
        if count == 0:
            return ()
        first = self._peek(purpose)
        entries = self._results[self._next : self._next + (count if isinstance(first, int) else 1)]
        rolled = tuple(entry for entry in entries if isinstance(entry, int)) if isinstance(first, int) else first
        if isinstance(first, int) and len(entries) < count:
            raise RollScriptError("ROLL_SCRIPT_RAN_DRY", purpose, wanted=count, left=len(entries))
        if len(rolled) != count:
            raise RollScriptError("ROLL_WRONG_COUNT", purpose, wanted=count, scripted=rolled)
        if not all(1 <= die <= sides for die in rolled):
            raise RollScriptError("ROLL_OUT_OF_RANGE", purpose, sides=sides, scripted=rolled)
        self._next += len(entries)
        return rolled

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in the scripted order. Raises RollScriptError and takes nothing when it does not fit."""
        places = self._peek(purpose)
        if isinstance(places, int) or sorted(places) != list(range(len(items))):
            raise RollScriptError("ROLL_NOT_A_PERMUTATION", purpose, wanted=len(items), scripted=places)
        self._next += 1
        return tuple(items[place] for place in places)

    def _peek(self, purpose: str) -> int | tuple[int, ...]:
        if not self.remaining:
            raise RollScriptError("ROLL_SCRIPT_RAN_DRY", purpose, left=0)
        return self._results[self._next]


def _stream(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        counter += 1


def _uniform(stream: Iterator[int], m: int) -> int:
    if not 1 <= m <= MAX_SIDES:
        raise ValueError(f"a choice among {m} is outside 1..{MAX_SIDES}")
    width = 1 if m <= 256 else 4
    space = 256**width
    while True:
        value = int.from_bytes(bytes(next(stream) for _ in range(width)), "big")
        if value < space - space % m:
            return value % m
