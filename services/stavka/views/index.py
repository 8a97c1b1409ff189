"""The index of matches: entries from folds, filters, pages.

Matches are listed newest first: by time of creation, then by id, both descending. A page token names the last match
that was shown, so a page is right also when matches are created in between.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Final

from stavka.kernel.errors import MalformedCommand
from stavka.match import lobby
from stavka.match.fold import MatchFold
from stavka.match.lobby import MatchState

from .store import ENDED, OPEN, PLAYING, QUARANTINED, Entry, Page, Query

MAX_PAGE: Final = 200


class Entries:
    """The index entries of the matches that a process folds, also of those whose state is gone.

    A fold has no state in quarantine, nor when it was let go after the end. What the runtime's own events said of such
    a match (players, spectators' delay, result) still holds, so it is remembered as of the last of them.
    """

    def __init__(self) -> None:
        self._created: dict[str, int] = {}
        self._last: dict[str, Entry] = {}

    def note(self, fold: MatchFold, decided_at_ms: int, events: Iterable[object]) -> None:
        """Take notice of an accepted record, right after it was folded."""
        self._created.setdefault(fold.match_id, decided_at_ms)
        if fold.state is not None and any(isinstance(event, lobby.EVENTS) for event in events):
            self._last[fold.match_id] = self.of(fold)

    def of(self, fold: MatchFold) -> Entry:
        """The entry of a match as its fold stands now."""
        if fold.state is not None:
            found = _entry(fold, fold.state, self._created[fold.match_id])
            return in_quarantine(found, fold.trouble) if fold.trouble else found
        last = self._last.get(fold.match_id) or _entry(fold, MatchState(fold.match_id), self._created[fold.match_id])
        found = dataclasses.replace(last, version=fold.version, updated_ms=fold.touched_ms)
        return in_quarantine(found, fold.trouble) if fold.trouble else found


def in_quarantine(entry: Entry, why: str) -> Entry:
    return dataclasses.replace(entry, status=QUARANTINED, quarantine=why)


def _entry(fold: MatchFold, state: MatchState, created_ms: int) -> Entry:
    return Entry(
        match_id=fold.match_id,
        game=state.game,
        ruleset=state.ruleset,
        scenario=state.scenario,
        status=status_of(state),
        seats=state.seats,
        players=dict(state.players),
        analysis=state.analysis,
        spectator_delay=state.spectator_delay,
        winner=state.ended.winner if state.ended is not None else "",
        created_ms=created_ms,
        updated_ms=fold.touched_ms,
        version=fold.version,
    )


def status_of(state: MatchState) -> str:
    if state.ended is not None:
        return ENDED
    return PLAYING if state.playing else OPEN


def matches(entry: Entry, query: Query) -> bool:
    """Whether the filters let an entry through."""
    return (
        query.game in ("", entry.game)
        and query.status in ("", entry.status)
        and (not query.player or query.player in entry.players.values())
    )


def page_of(entries: Iterable[Entry], query: Query) -> Page:
    """A page of entries that are all at hand. Raises MalformedCommand(BAD_PAGE_TOKEN)."""
    before = read_token(query.page_token)
    size = page_size(query)
    found = [e for e in entries if matches(e, query) and (before is None or (e.created_ms, e.match_id) < before)]
    found.sort(key=lambda e: (e.created_ms, e.match_id), reverse=True)
    return Page(tuple(found[:size]), token(found[size - 1]) if len(found) > size else "")


def page_size(query: Query) -> int:
    return min(max(query.page_size, 1), MAX_PAGE)


def token(entry: Entry) -> str:
    return f"{entry.created_ms}:{entry.match_id}"


def read_token(text: str) -> tuple[int, str] | None:
    """(created_ms, match id) of the last match shown. Raises MalformedCommand(BAD_PAGE_TOKEN)."""
    if not text:
        return None
    created, colon, match_id = text.partition(":")
    if not (colon and match_id and created.isascii() and created.isdigit() and len(created) < 20):
        raise MalformedCommand("BAD_PAGE_TOKEN", "the page token is none that this service gave", field="page_token")
    return int(created), match_id
