"""The ports of the match runtime: what it needs from the outside world, and nothing of how it is done.

Adapters live in `stavka.bus` (log, intake) and `stavka.views` (projections). Every adapter of a port
passes the same contract suite in `tests/adapters/`.

Topics are named by their last words; an adapter maps them to broker topics:

    events                  the truth: match records, for ever
    refusals                durable refusals: a retry gets the first answer
    commands.<topic>        command intake of one domain process; <topic> is one of TOPICS
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

TOPICS: Final = ("movement", "combat", "supply", "diplomacy", "cards")
EVENTS: Final = "events"
REFUSALS: Final = "refusals"
PARTITIONS: Final = 12
MAX_RECORD_BYTES: Final = 524_288


class LogUnavailable(Exception):
    """The log did not answer. For an append this means *unknown*, never *failed*."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record as it stands in the log. Offsets of a partition are contiguous from 0."""

    partition: int
    offset: int
    value: bytes


class Log(Protocol):
    """An append-only, partitioned, durable log. It orders; it does not arbitrate (the fold does)."""

    async def append(self, topic: str, partition: int, value: bytes) -> None:
        """Return when `value` is on disk. Raises LogUnavailable: the outcome is unknown, read the log."""

    async def end(self, topic: str, partition: int) -> int:
        """Offset that the next record will get: 0 for an empty partition."""

    def follow(self, topic: str, start: Mapping[int, int]) -> AsyncIterator[Sequence[Entry]]:
        """Yield every record of the partitions in `start` from its offset on, for ever, live.

        Each chunk is non-empty; within a partition offsets ascend without a hole (the adapter re-fetches
        on a jump and raises LogUnavailable when the hole persists). Aclose the iterator to stop.
        """

    async def close(self) -> None: ...


Handler = Callable[[int, bytes], Awaitable[None]]
"""Called with (partition, command record). Returns when the outcome was observed; never raises."""


class Intake(Protocol):
    """Delivers one topic's commands at least once, in order within a match, concurrently across matches.

    A command's offset is committed only after its handler returned. `on_assigned` is awaited with the
    partitions now owned (all of them, after each change) before their first command is delivered.
    """

    async def run(
        self, topic: str, handle: Handler, on_assigned: Callable[[frozenset[int]], Awaitable[None]]
    ) -> None: ...

    async def close(self) -> None: ...


class CommandBus(Protocol):
    """Hands a command record to the process that owns its topic."""

    async def send(self, topic: str, partition: int, match_id: str, value: bytes) -> None:
        """Return when the command is durable (or, embedded, queued). Raises LogUnavailable: unknown."""


class Clock(Protocol):
    def now_ms(self) -> int: ...


class Entropy(Protocol):
    def token_bytes(self, count: int) -> bytes: ...
