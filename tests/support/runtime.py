"""The match runtime on a log, without gateway: five referees and one follower, as in the embedded process."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

from stavka.games import GAMES
from stavka.kernel.game import Game
from stavka.match import keys, rulebooks
from stavka.match.fold import command_key
from stavka.match.follower import Follower, Outcome
from stavka.match.ports import PARTITIONS, TOPICS, Log
from stavka.match.referee import Referee
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2


class WallClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


class SystemEntropy:
    def token_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


@contextmanager
def installed(game: Game) -> Iterator[None]:
    """Make a test's own game playable while the block runs."""
    before = dict(GAMES)
    GAMES[game.id] = lambda: game
    rulebooks.rulebook.cache_clear()
    try:
        yield
    finally:
        GAMES.clear()
        GAMES.update(before)
        rulebooks.rulebook.cache_clear()


@dataclass
class Runtime:
    log: Log
    follower: Follower
    referees: dict[str, Referee]
    keyring: keys.Keyring

    async def submit(
        self, match_id: str, command: object, seat: str = "", player: str = "", *,
        command_id: str = "", prefix: str = "", topic: str = "diplomacy", decision_id: str = "", expected: int | None = None,
    ) -> Outcome:  # fmt: skip
        """Hand a command to the referee of `topic` and return what the log says."""
        record = log_pb2.Command(
            match_id=match_id,
            command_id=command_id or secrets.token_hex(8),
            player=player or seat,
            seat=seat,
            command=log_pb2.Payload(type=prefix + type(command).__name__, schema=1, data=to_json(command)),
            decision_id=decision_id,
        )
        if expected is not None:
            record.expected_version = expected
        partition = int(match_id[:2])
        await self.referees[topic].handle(partition, record.SerializeToString())
        key = command_key(record.player, seat, record.command_id)
        outcome = self.follower.outcome_of(match_id, key)
        assert outcome is not None
        return outcome

    async def until(self, match_id: str, version: int, deadline: float = 10.0) -> None:
        """Wait until the match has reached `version`."""
        loop = asyncio.get_running_loop()
        reached: asyncio.Future[None] = loop.create_future()

        def look(_: object = None) -> None:
            if self.follower.book.fold_of(match_id).version >= version and not reached.done():
                reached.set_result(None)

        self.follower.listeners.append(look)
        look()
        try:
            await asyncio.wait_for(reached, deadline)
        finally:
            self.follower.listeners.remove(look)


@asynccontextmanager
async def runtime(log: Log, folder: Path) -> AsyncIterator[Runtime]:
    keyring = keys.make(folder / "keys")
    follower = Follower(log, keyring.sealing)
    locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
    referees = {t: Referee(t, follower, keyring, WallClock(), SystemEntropy(), "test", locks) for t in TOPICS}
    for referee in referees.values():
        await referee.gate(frozenset(range(PARTITIONS)))
    try:
        yield Runtime(log, follower, referees, keyring)
    finally:
        for referee in referees.values():
            await referee.close()
        await follower.close()
