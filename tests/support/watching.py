"""What bots were told of their moves, held against the history: nothing lost, nothing doubled.

moves = Moves()                     give `moves.note` to `play(on_progress=...)`
await moves.more(25, playing)       until 25 more moves were accepted
require_each_move_once(records, moves)
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from stavka.bots.play import Progress
from stavka.match.fold import GENESIS, leaf_hash, parse

MORE_SECONDS = 240.0
"""No process takes longer to come back, not even on a busy machine."""


@dataclass
class Moves:
    """The moves of one match that its bots were told are accepted, in order."""

    match_id: str = ""
    accepted: list[Progress] = field(default_factory=list)
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, progress: Progress) -> None:
        self.match_id = progress.match_id
        self.accepted.append(progress)
        self._moved.set()

    async def more(self, count: int, playing: asyncio.Task[object] | None = None) -> None:
        """Until `count` more moves have been accepted. Raises what `playing` raised; TimeoutError.

        Returns early when the match has come to its end.
        """
        goal = len(self.accepted) + count
        async with asyncio.timeout(MORE_SECONDS):
            while len(self.accepted) < goal:
                self._moved.clear()
                moved = asyncio.create_task(self._moved.wait())
                waiting = {moved} if playing is None else {moved, playing}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                moved.cancel()
                if playing is not None and playing.done():
                    playing.result()
                    return


def require_each_move_once(raws: Sequence[bytes], moves: Moves) -> None:
    """Raises AssertionError: a hole or a fork in the chain, a command id twice, a move that is not where it was said."""
    records = []
    head = GENESIS
    for version, raw in enumerate(raws):
        record = parse(raw)
        assert record is not None, f"record {version + 1} cannot be read"
        assert (record.base_version, record.base_hash) == (version, head), f"record {version + 1} does not follow"
        head = leaf_hash(raw)
        records.append(record)
    ids = [(r.player, r.seat, r.command_id) for r in records if r.command_id]
    assert len(set(ids)) == len(ids), "a command id stands twice in the history"
    versions = [move.version for move in moves.accepted]
    assert versions == sorted(set(versions)), "two moves were told the same version"
    for move in moves.accepted:
        there = records[move.version - 1]
        assert (there.seat, there.command.type) == (move.seat, move.command), f"version {move.version} is another move"
