"""The port of the projections: what the read side asks of Redis, or of the follower of an embedded process.

Everything in a store can be made again from the log. Versions count accepted records: version v is the match after
its v-th record, version 0 is a match before its first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

OPEN = "open"
PLAYING = "playing"
ENDED = "ended"
QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class Entry:
    """A match as it stands in the index. Nothing in it is hidden but, to a spectator with a delay, version and status
    may be ahead of what he is shown elsewhere: `stavka.views.reader.entry_view` makes one for a viewer.

    `seats` in the scenario's order; `players` seat -> player, seated or reserved; `winner` "" until it has ended;
    `quarantine` is the reason when status is "quarantined".
    """

    match_id: str
    game: str
    ruleset: int
    scenario: str
    status: str
    seats: tuple[str, ...]
    players: Mapping[str, str]
    analysis: bool
    spectator_delay: int
    winner: str
    created_ms: int
    updated_ms: int
    version: int
    quarantine: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """How far a match has come. `ended`: from here on nothing is hidden."""

    version: int
    head: bytes
    ended: bool
    spectator_delay: int = 0
    quarantine: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """A stored position (`stavka.views.position`), at most a few versions behind the head; b"" when there is none."""

    version: int
    blob: bytes


@dataclass(frozen=True, slots=True)
class Query:
    """Which matches. An empty filter lets all through. `page_size` 1 to 200."""

    game: str = ""
    status: str = ""
    player: str = ""
    page_size: int = 50
    page_token: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Entries, newest match first; `next_page_token` is "" on the last page."""

    entries: tuple[Entry, ...]
    next_page_token: str = ""


class ProjectionStore(Protocol):
    """Reading. Every method raises StoreUnavailable when the store does not answer; nothing else."""

    async def head(self, match_id: str) -> Head | None:
        """How far the match has come; None when the store does not know it."""

    async def entry(self, match_id: str) -> Entry | None:
        """The match's index entry."""

    async def position(self, match_id: str) -> Position | None:
        """The latest stored position; None when the store does not know the match."""

    async def records(self, match_id: str, after: int, limit: int) -> Sequence[bytes]:
        """Raw accepted records that brought versions after+1, after+2, ...: at most `limit` (at least 1), in order;
        empty when there are none."""

    async def find(self, query: Query) -> Page:
        """Matches of the index. Raises MalformedCommand(BAD_PAGE_TOKEN)."""

    async def changed(self, match_id: str, after: int, timeout: float) -> bool:
        """Wait until the match has moved past version `after`: True; False when `timeout` seconds went by first."""

    async def close(self) -> None: ...


class Saved(Enum):
    SAVED = "saved"
    OLD = "old"  # the store had it already, or has a newer version: normal with several projectors
    GAP = "gap"  # the store lacks versions before it: rebuild the match
    FORK = "fork"  # the store holds another history at that version: delete and rebuild the match


@dataclass(frozen=True, slots=True)
class Update:
    """News of one match for the store: raw records that lead from version `base` (with head `base_head`) to `head`.

    `blob` is the position at the last of them, or b"" to keep the older one.
    """

    match_id: str
    base: int
    base_head: bytes
    records: tuple[bytes, ...]
    head: bytes
    entry: Entry | None
    blob: bytes = b""

    @property
    def version(self) -> int:
        return self.base + len(self.records)


@dataclass(frozen=True, slots=True)
class StoredHead:
    """What a store holds of a match. `listed`: its index entry is there; `archived`: its records are packed."""

    version: int
    head: bytes
    listed: bool
    archived: bool


class ProjectionSink(ProjectionStore, Protocol):
    """Writing, besides: what a projector needs. Only Redis has one; embedded, the follower is the projection."""

    async def save(self, updates: Sequence[Update]) -> Sequence[Saved]:
        """Write updates of different matches, each guarded by its version and atomic by itself."""

    async def archive(self, match_id: str) -> None:
        """Pack the records of an ended match. Reading goes on as before."""

    async def delete(self, matches: Mapping[str, bytes | None]) -> None:
        """Forget matches, to be rebuilt: match id -> head that it must still have; None: whatever it has."""

    async def rebuild(self, match_id: str) -> None:
        """Forget a match and make every running projector settle the store anew, within a second or so."""

    async def heads(self) -> Mapping[str, StoredHead]:
        """Every match in the store."""

    async def epoch(self) -> str:
        """A token that changes when the store has lost what it held."""
