"""Composition of the gateway process: outcomes from Kafka, reads from Redis."""

from __future__ import annotations

from stavka.bus.kafka import KafkaCommandBus, KafkaLog
from stavka.hosting import (
    StoppedEarly,
    SystemClock,
    SystemEntropy,
    set_up,
    stop_event,
    unless_stopped,
    until_stopped,
)
from stavka.match import keys
from stavka.match.follower import Follower
from stavka.settings import Settings
from stavka.views.reader import MatchReader
from stavka.views.redis import RedisStore

from .certificates import tls_of
from .identity import Identity, load_key
from .server import GatewayServer


async def run(settings: Settings) -> None:
    """Serve clients until told to stop. The token key is token.key in the keys' folder."""
    set_up(settings)
    stop = stop_event()
    keyring = keys.load(settings.keys)
    identity = Identity(load_key(settings.keys / "token.key"))
    tls = tls_of(settings)
    try:
        log = await unless_stopped(stop, KafkaLog.open(settings.kafka))
        bus = await unless_stopped(stop, KafkaCommandBus.open(settings.kafka))
    except StoppedEarly:
        return
    store = RedisStore(settings.redis)
    follower = Follower(log, None)
    server = GatewayServer(
        follower, bus, MatchReader(store, keyring.sealing), keyring, identity,
        clock=SystemClock(), entropy=SystemEntropy(), address=f"{settings.host}:{settings.port}", tls=tls, rebuild=store.rebuild,
    )  # fmt: skip
    try:
        await server.start()
        await until_stopped(stop, [follower.failed])
    finally:
        await server.stop()
        await follower.close()
        await store.close()
        await bus.close()
        await log.close()
