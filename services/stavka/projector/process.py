"""Composition of the projector process: from Kafka to Redis."""

from __future__ import annotations

from stavka.bus.kafka import KafkaLog
from stavka.hosting import StoppedEarly, set_up, stop_event, unless_stopped, until_stopped
from stavka.match import keys
from stavka.settings import Settings
from stavka.views.redis import RedisStore

from . import serve


async def run(settings: Settings) -> None:
    """Keep Redis equal to the log until told to stop."""
    set_up(settings)
    stop = stop_event()
    keyring = keys.load(settings.keys)
    try:
        log = await unless_stopped(stop, KafkaLog.open(settings.kafka))
    except StoppedEarly:
        return
    store = RedisStore(settings.redis)
    try:
        await until_stopped(stop, [serve(log, store, keyring.sealing)])
    finally:
        await store.close()
        await log.close()
