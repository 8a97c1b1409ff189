"""Reads matches for everybody who shows them: the position at any version, the records, live news.

    reader = MatchReader(store, sealing_key)
    found = await reader.state(match_id, at_version=None, min_version=None)      version, head, MatchState
    head = await reader.visible(match_id, viewer)                                how much this viewer may know of
    async for step in reader.follow(match_id, after, viewer, idle=10.0): ...     records, then live

What comes out is whole: hand it to `stavka.views.redact` before it leaves. States are shared between callers: read
them, never change them (`copy()` first).
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from stavka.kernel.errors import StavkaError
from stavka.kernel.visibility import Role, Viewer
from stavka.match.fold import GENESIS, Book, decode_events, leaf_hash
from stavka.match.lobby import MatchCreated, MatchEnded, MatchState
from stavka.match.rulebooks import evolve, lobby_codec, rulebook
from stavka.match.sight import hides_anything, reads
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, match_key

from . import position
from .cache import VersionCache
from .embedded import EmbeddedStore
from .errors import MatchQuarantined, StoreUnavailable, UnknownMatch, VersionNotYet
from .index import MAX_PAGE, in_quarantine, page_of, page_size
from .redact import Json, horizon, record_view
from .store import ENDED, QUARANTINED, Entry, Head, Page, ProjectionStore, Query

CACHED_STATES: Final = 256
CACHED_GAMES: Final = 4096
CACHED_READ: Final = 4096  # versions of which is known who saw what last
WORTH_A_POSITION: Final = 16  # records; folding fewer is cheaper than reading a position
WAYPOINT: Final = 128  # records; a long fold leaves a state behind so often, for whoever pages through a match
PAGE: Final = 512  # records fetched at once while folding
FOLLOW_PAGE: Final = 16  # records held, and decoded in one go, for a stream
WAIT: Final = 2.0  # seconds that `min_version` is waited for


@dataclass(frozen=True, slots=True)
class Found:
    """A match at a version. `ended`: the match has ended by now, also when the state is from before."""

    version: int
    head: bytes
    state: MatchState
    ended: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted record, decoded. `ended`: the match has ended by the time it is looked at."""

    version: int
    head: bytes
    record: log_pb2.Record
    events: Sequence[object]
    command: object | None
    ended: bool

    def view(self, viewer: Viewer) -> dict[str, Json]:
        """What `viewer` may have of it."""
        return record_view(self.record, self.head, self.events, self.command, viewer, self.ended)


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing new for a while: where the stream stands. `ended`: nothing will come any more."""

    version: int
    head: bytes
    ended: bool


class MatchReader:
    """Reads from one store. One event loop."""

    def __init__(self, store: ProjectionStore, sealing_key: bytes, cached_states: int = CACHED_STATES) -> None:
        self.store = store
        self._live = store if isinstance(store, EmbeddedStore) else None
        self._sealing_key = sealing_key
        self._states: VersionCache[Found] = VersionCache(cached_states)
        self._games: VersionCache[str] = VersionCache(CACHED_GAMES)
        self._read: dict[tuple[str, int], dict[Viewer, int]] = {}
        self._book: Book | None = None
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def heed(self, book: Book) -> None:
        """Heed what this process's follower knows of matches that stand still: no store but an embedded one is told."""
        self._book = book

    def stuck(self) -> dict[str, str]:
        """Match -> why it stands still, of those whose automatic progress broke."""
        folds = self._book.matches.values() if self._book is not None else ()
        return {fold.match_id: fold.stuck for fold in folds if fold.stuck}

    async def find(self, query: Query) -> Page:
        """A page of the index. Raises MalformedCommand(BAD_PAGE_TOKEN); StoreUnavailable."""
        if query.status == QUARANTINED and self.stuck():
            return await self._find_quarantined(query)
        page = await self.store.find(query)
        seen = tuple(entry for entry in self._marked(page) if query.status in ("", entry.status))
        return Page(seen, page.next_page_token)

    async def _find_quarantined(self, query: Query) -> Page:
        """As `find`, when some stand still of which the store was not told: it lists them by the status they had."""
        found: list[Entry] = []
        every = dataclasses.replace(query, status="", page_size=MAX_PAGE)
        while True:
            page = await self.store.find(every)
            found += [entry for entry in self._marked(page) if entry.status == QUARANTINED]
            if len(found) > page_size(query) or not page.next_page_token:
                return page_of(found, query)
            every = dataclasses.replace(every, page_token=page.next_page_token)

    def _marked(self, page: Page) -> list[Entry]:
        """The entries of a page, those that stand still as in quarantine."""
        return [in_quarantine(e, why) if (why := self._why_stuck(e.match_id, e.version)) else e for e in page.entries]

    def _why_stuck(self, match_id: str, version: int) -> str:
        fold = self._book.matches.get(match_id) if self._book is not None else None
        return fold.stuck if fold is not None and fold.version == version else ""

    async def head(self, match_id: str, min_version: int | None = None, wait: float = WAIT) -> Head:
        """How far the match has come, once it has reached `min_version` (read your writes).

        Raises:
            UnknownMatch: no such match (when no `min_version` was given: who names one knows that it is in the log).
            StoreUnavailable: try again; also when the projections did not reach `min_version` within `wait` seconds.
        """
        found = await self.store.head(match_id)
        if min_version and (found is None or found.version < min_version):
            await self.store.changed(match_id, min_version - 1, wait)
            found = await self.store.head(match_id)
        reached = found.version if found is not None else 0
        if min_version and reached < min_version:
            raise StoreUnavailable(f"they are at version {reached} of match {match_id}, the log is at {min_version}")
        if found is None:
            raise UnknownMatch(match_id)
        why = self._why_stuck(match_id, found.version)
        return dataclasses.replace(found, quarantine=why) if why and not found.quarantine else found

    async def visible(self, match_id: str, viewer: Viewer, min_version: int | None = None) -> Head:
        """The latest version that `viewer` may know of, with the head after it. Raises as `head`."""
        return await self._visible(match_id, viewer, await self.head(match_id, min_version))

    async def seen_by(self, match_id: str, viewers: Sequence[Viewer], min_version: int | None = None) -> Head:
        """The latest version that one of several pairs of eyes may know of. Raises as `head`."""
        head = await self.head(match_id, min_version)
        return max([await self._visible(match_id, viewer, head) for viewer in viewers], key=lambda found: found.version)

    async def known_as(self, viewers: Sequence[Viewer], found: Found) -> Found:
        """A match as found, under the latest version that one of several pairs of eyes may know of."""
        head = Head(found.version, found.head, found.ended, found.state.spectator_delay)
        seen = [await self._visible(found.state.match_id, viewer, head) for viewer in viewers]
        best = max(seen, key=lambda each: each.version)
        return dataclasses.replace(found, version=best.version, head=best.head)

    async def state(
        self, match_id: str, at_version: int | None = None, min_version: int | None = None, wait: float = WAIT
    ) -> Found:
        """The match at `at_version` (the latest when None). Version 0 is the empty match.

        Raises:
            UnknownMatch, StoreUnavailable: as `head`.
            VersionNotYet: `at_version` has not been reached.
            MatchQuarantined: this build cannot apply one of the records up to there.
        """
        head = await self.head(match_id, min_version, wait)
        target = head.version if at_version is None else at_version
        if not 0 <= target <= head.version:
            raise VersionNotYet(match_id, target, head.version)
        if head.quarantine and target == head.version:
            raise MatchQuarantined(match_id, head.quarantine)
        found = self._states.get(match_id, target) or self._from_live(match_id, target)
        if found is None:
            lock = self._locks.setdefault(match_id, asyncio.Lock())
            async with lock:
                found = self._states.get(match_id, target) or await self._fold_to(match_id, target)
        return found if found.ended == head.ended else dataclasses.replace(found, ended=head.ended)

    async def record(self, match_id: str, version: int) -> Step:
        """The record that brought `version` (1 or more) about. Raises as `state`."""
        head = await self.head(match_id)
        if not 1 <= version <= head.version:
            raise VersionNotYet(match_id, version, head.version)
        return (await self._steps(match_id, version - 1, 1, head.ended))[0]

    async def follow(
        self, match_id: str, after: int, viewer: Viewer, idle: float | None = 10.0, known: int = 0,
        turn: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> AsyncGenerator[Step | Idle]:  # fmt: skip
        """Records of the versions after `after`, as far as `viewer` may know of them; then live.

        With `idle` None it ends when it has caught up. Otherwise it yields Idle whenever `idle` seconds (more than 0)
        went by without a record, and ends when the match has ended and all of it was yielded. Holds at most FOLLOW_PAGE
        records, however slow the caller is. Versions up to `known` are in the log: as long as the store does not have
        them (it lost everything, it is being rebuilt) it is away. Whole pages are read in a `turn`, so that whoever
        reads much does not keep others waiting. Raises as `state`; after StoreUnavailable go on from the last version.
        """
        clock = asyncio.get_running_loop().time
        head = await self.head(match_id, known or None)
        shown = await self._visible(match_id, viewer, head)
        if after > shown.version:
            raise VersionNotYet(match_id, after, shown.version)
        quiet_since = clock()
        while True:
            if after < shown.version:
                limit = min(FOLLOW_PAGE, shown.version - after)
                async with turn() if limit == FOLLOW_PAGE else nullcontext():
                    steps = await self._steps(match_id, after, limit, head.ended)
                for step in steps:
                    yield step
                after += limit
                quiet_since = clock()
            elif idle is None or head.ended:
                return
            elif head.quarantine:
                raise MatchQuarantined(match_id, head.quarantine)
            elif clock() < quiet_since + idle:
                await self.store.changed(match_id, head.version, quiet_since + idle - clock())
            else:
                yield Idle(shown.version, shown.head, shown.ended)
                quiet_since = clock()
            head = await self.head(match_id, head.version)
            shown = await self._visible(match_id, viewer, head)

    async def _visible(self, match_id: str, viewer: Viewer, head: Head) -> Head:
        version = horizon(viewer, head.version, head.spectator_delay, head.ended)
        if version and viewer.role is not Role.ARBITER and not (head.ended or head.quarantine):
            version = await self._read_last(match_id, viewer, version)
        if version == head.version:
            return head
        at = leaf_hash((await self._raw(match_id, version - 1, 1))[0]) if version else GENESIS
        return dataclasses.replace(head, version=version, head=at)

    async def _read_last(self, match_id: str, viewer: Viewer, version: int) -> int:
        """The latest version up to `version` whose record exists for the viewer (`stavka.match.sight`)."""
        fold = self._live.live(match_id) if self._live is not None else None
        if fold is not None and fold.version == version and viewer.seat in fold.read:
            return fold.read[viewer.seat][0]
        if not hides_anything(await self._game(match_id)):
            return version
        passed, at = [], version
        while at:
            known = self._read.get((match_id, at), {})
            if viewer in known:
                at = known[viewer]
                break
            passed.append(at)
            (step,) = await self._steps(match_id, at - 1, 1, False)
            if reads(step.record, step.events, step.command, viewer):
                break
            at -= 1
        for each in passed:
            self._read.setdefault((match_id, each), {})[viewer] = at
        while len(self._read) > CACHED_READ:
            del self._read[next(iter(self._read))]
        return at

    def _from_live(self, match_id: str, version: int) -> Found | None:
        """A copy of the follower's own state, when that is the version wanted."""
        fold = self._live.live(match_id) if self._live is not None else None
        if fold is None or fold.version != version or fold.state is None or fold.state.is_put_away:
            return None
        state = fold.state.copy()
        found = Found(version, fold.head, state, state.ended is not None)
        self._states.put(match_id, version, found)
        return found

    async def _fold_to(self, match_id: str, target: int) -> Found:
        """Fold from the nearest state at hand: a cached one, the stored position, or the empty match."""
        nearest = self._states.nearest(match_id, target)
        version, head = (nearest.version, nearest.head) if nearest else (0, GENESIS)
        state = nearest.state.copy() if nearest else MatchState(match_id)
        if target - version > WORTH_A_POSITION:
            stored = await self.store.position(match_id)
            if stored is not None and version < stored.version <= target:
                restored = position.decode(stored.blob)
                if restored is not None and not restored.is_put_away:
                    version, state = stored.version, restored
                    head = leaf_hash((await self._raw(match_id, version - 1, 1))[0])
        sealer = Sealer(match_key(self._sealing_key, match_id))
        while version < target:
            for raw in await self._raw(match_id, version, min(PAGE, target - version)):
                state = _apply(match_id, state, raw, version + 1, sealer)
                version += 1
                if version % WAYPOINT == 0 and version < target:
                    self._states.put(match_id, version, Found(version, leaf_hash(raw), state.copy(), False))
            head = leaf_hash(raw)
        found = Found(version, head, state, state.ended is not None)
        self._states.put(match_id, version, found)
        return found

    async def _steps(self, match_id: str, after: int, limit: int, ended: bool) -> list[Step]:
        """The records of versions after+1 to after+limit, all of which exist, decoded."""
        raws = await self._raw(match_id, after, limit)
        sealer = Sealer(match_key(self._sealing_key, match_id))
        before = MatchState(match_id, game=await self._game(match_id) if after else "")
        steps: list[Step] = []
        for version, raw in enumerate(raws, start=after + 1):
            try:
                record = log_pb2.Record.FromString(raw)
                events = decode_events(record, before, sealer)
                before.game = next((e.game for e in events if isinstance(e, MatchCreated)), before.game)
                codec = rulebook(before.game).codec if before.game else lobby_codec()
                command = codec.decode(record.command, sealer) if record.HasField("command") else None
            except Exception as error:  # as in the fold: whatever this build cannot read concerns this match alone
                raise _quarantined(match_id, version, error) from error
            ended = ended or any(isinstance(event, MatchEnded) for event in events)
            steps.append(Step(version, leaf_hash(raw), record, events, command, ended))
        return steps

    async def _game(self, match_id: str) -> str:
        """The game of a match that has a first record."""
        known = self._games.get(match_id, 1)
        if known is None:
            (raw,) = await self._raw(match_id, 0, 1)
            known = _apply(match_id, MatchState(match_id), raw, 1, Sealer(b"")).game
            self._games.put(match_id, 1, known)
        return known

    async def _raw(self, match_id: str, after: int, limit: int) -> Sequence[bytes]:
        """Exactly `limit` records. Raises StoreUnavailable when the store has lost some of them."""
        raws = await self.store.records(match_id, after, limit)
        if len(raws) != limit:
            raise StoreUnavailable(f"records of {match_id} after version {after} are being rebuilt")
        return raws


def entry_view(entry: Entry, viewer: Viewer) -> Entry:
    """An index entry as `viewer` may have it: a delayed spectator learns neither version nor time of the last record."""
    version = horizon(viewer, entry.version, entry.spectator_delay, entry.status == ENDED)
    if version == entry.version:
        return entry
    return dataclasses.replace(entry, version=version, updated_ms=entry.created_ms)


def _apply(match_id: str, state: MatchState, raw: bytes, version: int, sealer: Sealer) -> MatchState:
    try:
        for event in decode_events(log_pb2.Record.FromString(raw), state, sealer):
            state = evolve(state, event)
    except Exception as error:  # as in the fold: whatever this build cannot apply concerns this match alone
        raise _quarantined(match_id, version, error) from error
    return state


def _quarantined(match_id: str, version: int, error: Exception) -> MatchQuarantined:
    reason = error.reason if isinstance(error, StavkaError) else type(error).__name__
    return MatchQuarantined(match_id, f"version {version}: {reason}: {error}")
