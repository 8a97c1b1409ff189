"""What the gateway itself knows of every match: game, seats, who holds them, whether it has ended. All of it public.

Filled from the follower, so it is never behind what this process has shown; it works the same when the follower folds
envelopes only. Make it before the follower is started, or it knows only matches that are folded whole.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from stavka.kernel.errors import CorruptHistory
from stavka.match import lobby
from stavka.match.fold import partition_of
from stavka.match.follower import Accepted, Follower
from stavka.match.lobby import MatchState
from stavka.match.ports import PARTITIONS, LogUnavailable
from stavka.match.rulebooks import PREFIX, lobby_codec
from stavka.views.errors import UnknownMatch

CATCH_UP: Final = 2.0  # seconds

logger = structlog.get_logger(__name__)


class Directory:
    """Matches by id, each a MatchState without its table."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._matches: dict[str, MatchState] = {}
        follower.listeners.append(self._on_accepted)

    def __len__(self) -> int:
        return len(self._matches)

    async def match(self, match_id: str) -> MatchState:
        """The match; one that this process has not heard of is looked for at the log's present end first.

        Raises UnknownMatch.
        """
        return self._known(match_id) or await self.fresh(match_id)

    async def fresh(self, match_id: str) -> MatchState:
        """The match as it stood in the log when this was called. Raises UnknownMatch; LogUnavailable."""
        partition = partition_of(match_id)
        if not 0 <= partition < PARTITIONS:
            raise UnknownMatch(match_id)
        try:
            async with asyncio.timeout(CATCH_UP):
                await self._follower.caught_up((partition,))
        except TimeoutError as error:
            raise LogUnavailable("this gateway is behind the log") from error
        found = self._known(match_id)
        if found is None:
            raise UnknownMatch(match_id)
        return found

    def version(self, match_id: str) -> int:
        """The version that this process has seen; readers wait until the projections are there."""
        fold = self._follower.book.matches.get(match_id)
        return fold.version if fold is not None else 0

    def _known(self, match_id: str) -> MatchState | None:
        known = self._matches.get(match_id)
        if known is not None:
            return known
        fold = self._follower.book.matches.get(match_id)
        return fold.state if fold is not None and fold.state is not None and fold.state.game else None

    def _on_accepted(self, news: Accepted) -> None:
        try:
            for payload in news.record.events:
                if payload.type.startswith(PREFIX):
                    self._take(news.record.match_id, lobby_codec().decode(payload))
        except CorruptHistory as error:  # the fold quarantines such a match; this listener only must not stop it
            logger.error("unreadable event", match_id=news.record.match_id, version=news.version, reason=error.reason)

    def _take(self, match_id: str, event: object) -> None:
        if isinstance(event, lobby.MatchCreated):
            self._matches[match_id] = MatchState(match_id)
        state = self._matches.get(match_id)
        if state is not None and not isinstance(event, lobby.ScriptRead):
            lobby.evolve(state, event)
            state.position, state.script = "", ()
