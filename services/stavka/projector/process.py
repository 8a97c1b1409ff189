"""Composition of the projector process: from Kafka to Redis."""

from __future__ import annotations

from stavka.bus.kafka import KafkaLog
from stavka.hosting import set_up, stop_event, until_stopped
from stavka.match import keys
from stavka.settings import Settings
from stavka.views.redis import RedisStore

from . import serve


async def run(settings: Settings) -> None:
    """Keep Redis equal to the log until told to stop."""
    set_up(settings)
    stop = stop_event()
    log = await KafkaLog.open(settings.kafka)
    store = RedisStore(settings.redis)
    try:
        await until_stopped(stop, [serve(log, store, keys.load(settings.keys).sealing)])
    finally:
        await store.close()
        await log.close()
