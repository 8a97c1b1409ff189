"""Everything in one process: the same code above the ports, on an SQLite log, with nothing to install but the package.

Gateway, the five referees and the read side share one follower, so each match is held in memory once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

from stavka.bus.local import LocalBus
from stavka.bus.sqlite import SqliteLog
from stavka.games import GAMES
from stavka.gateway.certificates import tls_of
from stavka.gateway.identity import Identity, TokenKey, development_key, load_key
from stavka.gateway.limits import Limits
from stavka.gateway.server import GatewayServer
from stavka.hosting import SystemClock, SystemEntropy, until_stopped
from stavka.match import keys
from stavka.match.custody import Custody
from stavka.match.follower import Follower
from stavka.match.keys import Keyring
from stavka.match.ports import EVENTS, PARTITIONS, TOPICS, Clock, Entropy, Log
from stavka.match.referee import Referee
from stavka.match.rulebooks import rulebook
from stavka.settings import Settings
from stavka.views.embedded import EmbeddedStore
from stavka.views.reader import MatchReader

TOKEN_KEY = "token.key"


@dataclass(frozen=True)
class Embedded:
    """A running embedded server. `failed` ends with the first failure of any part."""

    port: int
    token_key: TokenKey
    failed: asyncio.Task[None]


def token_key(settings: Settings) -> TokenKey:
    """The key that tokens are signed with: token.key of the keys' folder, else the development key made there."""
    path = settings.keys / TOKEN_KEY
    return load_key(path) if path.exists() else development_key(settings.keys)


@asynccontextmanager
async def embedded(
    settings: Settings,
    *,
    keyring: Keyring | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    limits: Limits | None = None,
) -> AsyncIterator[Embedded]:
    """Serve while the block runs. Keys, clock and entropy are the system's unless given (demonstrations, tests).

    Given keys are kept in the keys' folder. Raises what SqliteLog and GatewayServer raise at start-up: a damaged or
    locked data folder, an address that is taken; and BadKeys when a key that the log's matches need is not there.
    """
    settings.data.mkdir(parents=True, exist_ok=True)
    clock, entropy = clock or SystemClock(), entropy or SystemEntropy()
    signing = token_key(settings)
    async with AsyncExitStack() as stack:
        log = SqliteLog(settings.data)
        stack.push_async_callback(log.close)
        keyring = await _keyring(settings.keys, log, keyring)
        bus = LocalBus()
        follower = Follower(log, keyring.sealing)
        stack.push_async_callback(follower.close)
        custody = Custody(keyring)
        follower.listeners.append(custody)
        locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        referees = [Referee(topic, follower, keyring, clock, entropy, f"embedded/{topic}", locks) for topic in TOPICS]
        for referee in referees:
            stack.push_async_callback(referee.close)
        reader = MatchReader(EmbeddedStore(follower, log), keyring.sealing)
        gateway = GatewayServer(
            follower, bus, reader, keyring, Identity(signing),
            clock=clock, entropy=entropy, limits=limits, address=f"{settings.host}:{settings.port}", tls=tls_of(settings),
        )  # fmt: skip
        parts: list[asyncio.Task[None]] = []
        stack.push_async_callback(_end, parts)
        stack.push_async_callback(bus.close)
        stack.push_async_callback(gateway.stop)
        await _caught_up(follower)
        custody.require(settings.keys)
        await gateway.start()
        runs = [bus.run(referee.topic, referee.handle, referee.gate) for referee in referees]
        work = asyncio.create_task(until_stopped(asyncio.Event(), [*runs, follower.failed]), name="embedded")
        parts.append(work)
        await asyncio.wait([work, ready := asyncio.create_task(gateway.ready())], return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            ready.cancel()
            work.result()
        yield Embedded(gateway.port, signing, work)


async def _keyring(folder: Path, log: Log, given: Keyring | None) -> Keyring:
    """The keys to serve with. They are made, or `given` ones kept, for a log without records only."""
    if not any([await log.end(EVENTS, partition) for partition in range(PARTITIONS)]):
        if given is None:
            return keys.make(folder)
        keys.keep(folder, given)
        return given
    found = keys.load(folder)
    if given is not None:
        keys.require_like(folder, given)
    return found


async def _caught_up(follower: Follower) -> None:
    """Fold all that stands in the log. Raises what the follower fails with; DataError.

    The games are loaded first: one that does not load must not look like a history that does not apply.
    """
    for game in GAMES:
        rulebook(game)
    follower.start(range(PARTITIONS))
    folding = asyncio.create_task(follower.caught_up(range(PARTITIONS)))
    await asyncio.wait([folding, follower.failed], return_when=asyncio.FIRST_COMPLETED)
    if not folding.done():
        folding.cancel()
        follower.failed.result()
    await folding


async def _end(parts: list[asyncio.Task[None]]) -> None:
    for task in parts:
        task.cancel()
    await asyncio.gather(*parts, return_exceptions=True)
