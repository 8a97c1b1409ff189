"""Whatever somebody writes to the topics, a match goes on and its history stays what it was."""

from __future__ import annotations

import asyncio

import pytest
from aiokafka import AIOKafkaProducer
from stavka.bus.topics import broker_name
from stavka.client import connect
from stavka.gateway.identity import Role
from stavka.match.fold import parse
from stavka.match.ports import EVENTS, PARTITIONS, REFUSALS, TOPICS
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.support.stack import Stack
from tests.support.watching import Moves

from .matches import random_match, require_equal_projections, require_sound

pytestmark = [pytest.mark.stack, pytest.mark.timeout(1800), pytest.mark.xdist_group("stack")]

MOVES = 15


def forgeries(raws: list[bytes]) -> list[bytes]:
    """Records that the fold must not take: twice, with a wrong hash, from the future, cut short, of another envelope."""
    record = parse(raws[-1])
    assert record is not None
    forged = [raws[0], raws[-1], raws[-1][:-7], b"", b"\x00" * 300, b"letters from the front"]
    for version, head, envelope in (
        (record.base_version + 1, bytes(32), 1),
        (record.base_version + 500, record.base_hash, 1),
        (record.base_version + 1, record.base_hash, 7),
    ):
        bad = log_pb2.Record()
        bad.CopyFrom(record)
        bad.base_version, bad.base_hash, bad.envelope_version = version, head, envelope
        bad.proposal_id, bad.command_id = f"forged-{version}-{envelope}", f"forged-{version}-{envelope}"
        forged.append(bad.SerializeToString())
    return forged


async def test_a_match_goes_on_through_garbage_on_every_topic(live: Stack) -> None:
    moves = Moves()
    playing = asyncio.create_task(random_match(live, 61, moves))
    producer = AIOKafkaProducer(bootstrap_servers=live.kafka.bootstrap, acks="all")
    await producer.start()
    try:
        await moves.more(MOVES, playing)
        async with connect(live.address, live.token("judge", Role.ARBITER)) as judge:
            _, raws = await judge.export(moves.match_id)
        misplaced = log_pb2.Command(match_id=moves.match_id, command_id="").SerializeToString()
        own = int(moves.match_id[:2])
        for topic in (EVENTS, REFUSALS, *(f"commands.{name}" for name in TOPICS)):
            for value in (*forgeries(raws), misplaced):
                for partition in (own, (own + 1) % PARTITIONS):
                    await producer.send_and_wait(broker_name(topic), value, partition=partition)
        await moves.more(MOVES, playing)
    finally:
        await producer.stop()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    live.check()
    async with connect(live.address, live.token("axis-random")) as axis:
        await axis.resign(moves.match_id, "axis")
    await require_sound(live, moves.match_id, moves)
    await require_equal_projections(live)
