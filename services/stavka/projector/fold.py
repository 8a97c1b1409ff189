"""What a projector knows of the matches it follows, and the updates that a chunk of the log makes of them. No I/O.

The positions of ended matches are let go once they were handed on: nothing honest comes after the end, and thousands of
ended matches must not fill the memory of a process that only ever writes their last version.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from stavka.match.fold import Book, MatchFold, Verdict
from stavka.match.ports import Entry as LogEntry
from stavka.views import position
from stavka.views.index import Entries
from stavka.views.store import ENDED, Entry, Update
from stavka.wire.gen.stavka.log.v1 import log_pb2

POSITION_EVERY: Final = 16  # versions; a reader folds the rest from the records


class Projection:
    """The folds of some partitions, with what the index needs besides."""

    def __init__(self, sealing_key: bytes) -> None:
        self.book = Book(sealing_key)
        self._entries = Entries()

    def fold(self, chunk: Iterable[LogEntry]) -> dict[str, list[tuple[log_pb2.Record, bytes]]]:
        """Fold a chunk; the accepted records of each match that moved, in order."""
        moved: dict[str, list[tuple[log_pb2.Record, bytes]]] = {}
        for log_entry in chunk:
            verdict, record, events = self.book.take(log_entry.partition, log_entry.value)
            if verdict is Verdict.ACCEPTED and record is not None:
                self._entries.note(self.book.matches[record.match_id], record.decided_at_ms, events)
                moved.setdefault(record.match_id, []).append((record, log_entry.value))
        return moved

    def take(self, chunk: Iterable[LogEntry]) -> list[Update]:
        """Fold a chunk; one update for each match that moved, with all of its new records."""
        return [self._update(match_id, found) for match_id, found in self.fold(chunk).items()]

    def entry(self, match_id: str) -> Entry:
        """The index entry of a match that has a record."""
        return self._entries.of(self.book.matches[match_id])

    def position(self, match_id: str) -> bytes:
        """The position at the fold's version; b"" in quarantine, and for an ended match that was let go."""
        state = self.book.matches[match_id].state
        return b"" if state is None or state.is_put_away else position.encode(state)

    def let_go(self, match_ids: Iterable[str]) -> None:
        """Keep of ended matches nothing but version, head and entry."""
        for match_id in match_ids:
            fold = self.book.matches[match_id]
            if fold.state is not None and fold.state.ended is not None:
                fold.state = None

    def is_ended(self, match_id: str) -> bool:
        return self.entry(match_id).status == ENDED

    def _update(self, match_id: str, moved: Sequence[tuple[log_pb2.Record, bytes]]) -> Update:
        fold: MatchFold = self.book.matches[match_id]
        first, _ = moved[0]
        entry = self.entry(match_id)
        is_due = entry.status == ENDED or fold.version // POSITION_EVERY > first.base_version // POSITION_EVERY
        return Update(
            match_id,
            first.base_version,
            first.base_hash,
            tuple(raw for _, raw in moved),
            fold.head,
            entry,
            self.position(match_id) if is_due else b"",
        )
