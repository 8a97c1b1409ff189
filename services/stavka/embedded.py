"""Everything in one process: the same code above the ports, on an SQLite log, with nothing to install but the package.

Gateway, the five referees and the read side share one follower, so each match is held in memory once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from stavka.bus.local import LocalBus
from stavka.bus.sqlite import SqliteLog
from stavka.gateway.identity import Identity, TokenKey, development_key, load_key
from stavka.gateway.limits import Limits
from stavka.gateway.server import GatewayServer, Tls
from stavka.hosting import SystemClock, SystemEntropy, until_stopped
from stavka.match import keys
from stavka.match.follower import Follower
from stavka.match.keys import Keyring
from stavka.match.ports import TOPICS, Clock, Entropy
from stavka.match.referee import Referee
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


def tls_of(settings: Settings) -> Tls | None:
    """Certificate and key of the settings, read; None without them."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    return Tls(settings.tls_cert.read_bytes(), settings.tls_key.read_bytes())


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

    Raises what SqliteLog and GatewayServer raise at start-up: a damaged or locked data folder, an address that is taken.
    """
    settings.data.mkdir(parents=True, exist_ok=True)
    keyring = keyring or keys.make(settings.keys)
    clock, entropy = clock or SystemClock(), entropy or SystemEntropy()
    signing = token_key(settings)
    log = SqliteLog(settings.data)
    bus = LocalBus()
    follower = Follower(log, keyring.sealing)
    locks: dict[str, asyncio.Lock] = {}
    referees = [Referee(topic, follower, keyring, clock, entropy, f"embedded/{topic}", locks) for topic in TOPICS]
    reader = MatchReader(EmbeddedStore(follower, log), keyring.sealing)
    gateway = GatewayServer(
        follower, bus, reader, keyring, Identity(signing),
        clock=clock, entropy=entropy, limits=limits, address=f"{settings.host}:{settings.port}", tls=tls_of(settings),
    )  # fmt: skip
    work: asyncio.Task[None] | None = None
    try:
        await gateway.start()
        runs = [bus.run(referee.topic, referee.handle, referee.gate) for referee in referees]
        work = asyncio.create_task(until_stopped(asyncio.Event(), [*runs, follower.failed]), name="embedded")
        await asyncio.wait([work, ready := asyncio.create_task(gateway.ready())], return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            ready.cancel()
            work.result()
        yield Embedded(gateway.port, signing, work)
    finally:
        await gateway.stop()
        await bus.close()
        if work is not None:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        for referee in referees:
            await referee.close()
        await follower.close()
        await log.close()
