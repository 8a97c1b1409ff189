"""Verification of exported matches: an honest one holds, every kind of tampering is named with its record."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from stavka.audit import export
from stavka.audit.verify import verify
from stavka.kernel.errors import MalformedCommand
from stavka.match import lobby
from stavka.match.fold import leaf_hash
from stavka.match.ports import EVENTS
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.support.runtime import Runtime
from tests.support.skirmish import ChooseCard

MATCH = "07-01J000000000000000000000AB"


async def played(
    table: Runtime, rounds: int = 3, *, analysis: bool = False, script: tuple[int, ...] = ()
) -> list[bytes]:
    create = lobby.CreateMatch("skirmish", "plain", analysis=analysis, script=script)
    await table.submit(MATCH, create, player="organiser", prefix="match.")
    for seat, entropy in (("north", "ab" * 8), ("south", "cd" * 16)):
        await table.submit(MATCH, lobby.TakeSeat(entropy), seat, prefix="match.")
    await table.until(MATCH, 4)
    for number in range(rounds):
        for seat in ("north", "south"):
            state = table.follower.book.fold_of(MATCH).state
            assert state is not None
            await table.submit(MATCH, ChooseCard(state.table.camps[seat].hand[0], seat), seat, topic="cards")
        await table.until(MATCH, 7 + 3 * number)
    return await history(table)


async def history(table: Runtime) -> list[bytes]:
    """All records that stand in the log of the match's partition."""
    records: list[bytes] = []
    end = await table.log.end(EVENTS, 7)
    async for chunk in table.log.follow(EVENTS, {7: 0}):
        records += [entry.value for entry in chunk]
        if len(records) == end:
            return records
    raise AssertionError("the log ended")


def resealed(records: list[bytes], number: int, change: Callable[[log_pb2.Record], None]) -> list[bytes]:
    """The records with `change` made to record `number` (1-based) and the chain after it mended."""
    found: list[bytes] = []
    for index, raw in enumerate(records, start=1):
        record = log_pb2.Record.FromString(raw)
        if index > 1:
            record.base_hash = leaf_hash(found[-1])
        if index == number:
            change(record)
        found.append(record.SerializeToString() if index >= number else raw)
    return found


async def test_an_honest_match_holds_in_every_part(table: Runtime) -> None:
    records = await played(table)
    report = verify(MATCH, records, table.follower.book.fold_of(MATCH).head)
    assert report.ok, report.wrong
    assert (report.versions, report.decisions, report.automatic, report.rolls) == (13, 9, 4, 4)
    assert report.ended and report.ruleset == "skirmish/1" and report.sealed == 0
    assert report.key_id == table.keyring.current


async def test_a_running_match_holds_as_far_as_it_is_open(table: Runtime) -> None:
    records = await played(table, rounds=1)
    report = verify(MATCH, records, table.follower.book.fold_of(MATCH).head)
    assert report.ok, report.wrong
    assert not report.ended and report.sealed == 3 and report.rolls == 1


DECK = tuple(range(12))


@pytest.mark.parametrize("script", [(1, 6, 6), (*DECK, 1, 6, 6)])
async def test_an_analysis_match_holds_with_its_script(table: Runtime, script: tuple[int, ...]) -> None:
    records = await played(table, analysis=True, script=script)
    assert verify(MATCH, records).ok


@pytest.mark.parametrize("start", [0, 1])
async def test_a_scripted_order_is_the_scripts_and_an_order(table: Runtime, start: int) -> None:
    """Two cards change places in the record; or in the script too, which is no order of all cards then."""
    records = await played(table, analysis=True, script=(*DECK, 1, 6, 6))

    def other_order(record: log_pb2.Record) -> None:
        record.rolls[0].results[0] = 1

    def other_script(record: log_pb2.Record) -> None:
        for payload in (record.command, record.events[0]):
            payload.data = payload.data.replace(b'"script":[0,1,', b'"script":[1,1,')

    tampered = (
        resealed(resealed(records, 4, other_order), 1, other_script) if start else resealed(records, 4, other_order)
    )
    report = verify(MATCH, tampered)
    assert report.wrong is not None
    assert (report.wrong["version"], report.wrong["reason"]) == (4, "SCRIPTED_ROLL")


async def test_the_file_round_trips_and_names_its_bad_line(table: Runtime) -> None:
    records = await played(table)
    head = table.follower.book.fold_of(MATCH).head
    lines = list(export.lines(export.Header(MATCH, len(records), head), records))
    assert export.read(lines) == (export.Header(MATCH, len(records), head), records)
    for bad in (
        [],
        ["{}"],
        [*lines[:3], "not json"],
        [lines[0], lines[2]],
        [*lines[:2], lines[2].replace('"record"', '"recrod"')],
    ):
        with pytest.raises(MalformedCommand) as refused:
            export.read(bad)
        assert refused.value.reason == "BAD_EXPORT" and refused.value.details["line"] == max(1, len(bad))


def flip_byte(records: list[bytes]) -> tuple[list[bytes], int, str]:
    damaged = bytearray(records[4])
    damaged[-1] ^= 1
    return [*records[:4], bytes(damaged), *records[5:]], 5, ""


def drop_one(records: list[bytes]) -> tuple[list[bytes], int, str]:
    return [*records[:5], *records[6:]], 6, "WRONG_VERSION"


def drop_last(records: list[bytes]) -> tuple[list[bytes], int, str]:
    return records[:-1], 12, "HEAD_MISMATCH"


def other_die(records: list[bytes]) -> tuple[list[bytes], int, str]:
    def change(record: log_pb2.Record) -> None:
        record.rolls[0].results[0] = record.rolls[0].results[0] % 6 + 1

    return resealed(records, 7, change), 7, "WRONG_ROLL"


def other_signature(records: list[bytes]) -> tuple[list[bytes], int, str]:
    def change(record: log_pb2.Record) -> None:
        record.rolls[0].signature = bytes(256)

    return resealed(records, 7, change), 7, "BAD_SIGNATURE"


def other_input(records: list[bytes]) -> tuple[list[bytes], int, str]:
    def change(record: log_pb2.Record) -> None:
        record.rolls[0].input = record.rolls[0].input.replace(b"purpose round 1", b"purpose round 2")

    return resealed(records, 7, change), 7, "WRONG_ROLL_INPUT"


def other_events(records: list[bytes]) -> tuple[list[bytes], int, str]:
    def change(record: log_pb2.Record) -> None:
        payload = record.events[0]
        payload.data = (
            payload.data.replace(b'"winner":"north"', b'"winner":"x"')
            .replace(b'"winner":"south"', b'"winner":"x"')
            .replace(b'"winner":""', b'"winner":"x"')
        )

    return resealed(records, 7, change), 7, "WRONG_EVENTS"


def other_seal_key(records: list[bytes]) -> tuple[list[bytes], int, str]:
    def change(record: log_pb2.Record) -> None:
        ended = json.loads(record.events[-1].data)
        record.events[-1].data = json.dumps(ended | {"seal_key": "00" * 32}).encode()

    return resealed(records, 13, change), 13, "WRONG_SEAL_KEY"


def foreign_seat(records: list[bytes]) -> tuple[list[bytes], int, str]:
    def change(record: log_pb2.Record) -> None:
        record.player = "thief"

    return resealed(records, 5, change), 5, "ILLEGAL_DECISION"


@pytest.mark.parametrize(
    "tamper",
    [
        flip_byte,
        drop_one,
        drop_last,
        other_die,
        other_signature,
        other_input,
        other_events,
        other_seal_key,
        foreign_seat,
    ],
)
async def test_the_first_wrong_record_is_named(
    table: Runtime, tamper: Callable[[list[bytes]], tuple[list[bytes], int, str]]
) -> None:
    head = table.follower.book.fold_of(MATCH).head
    records = await played(table)
    head = table.follower.book.fold_of(MATCH).head
    tampered, number, reason = tamper(records)
    report = verify(MATCH, tampered, head)
    assert report.wrong is not None
    assert report.wrong["version"] == number
    assert not reason or report.wrong["reason"] == reason


async def test_openssl_alone_checks_a_roll(table: Runtime, tmp_path: Path) -> None:
    records = [log_pb2.Record.FromString(raw) for raw in await played(table)]
    state = table.follower.book.fold_of(MATCH).state
    assert state is not None
    roll = records[6].rolls[0]
    (tmp_path / "key.pem").write_text(state.public_key)
    (tmp_path / "input").write_bytes(roll.input)
    (tmp_path / "signature").write_bytes(roll.signature)
    command = ["openssl", "dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "input"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout == b"Verified OK\n"
    seed = hashlib.sha256(roll.signature).digest()
    stream = hashlib.sha256(seed + bytes(8)).digest()
    assert list(roll.results) == [1 + byte % 6 for byte in stream if byte < 252][: roll.count]
