"""Files and records that a forger wrote: `audit verify` names the first wrong record and never breaks."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from google.protobuf.message import DecodeError
from stavka.audit import export
from stavka.audit.verify import verify
from stavka.cli.audit import audit
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.audit.test_verify import MATCH, played, resealed
from tests.support.runtime import Runtime

NESTED = b"[" * 200_000
Change = Callable[[log_pb2.Record], None]


def event_data(data: bytes) -> Change:
    def change(record: log_pb2.Record) -> None:
        record.events[0].data = data

    return change


def command_data(data: bytes) -> Change:
    def change(record: log_pb2.Record) -> None:
        record.command.data = data

    return change


def first_event(**fields: object) -> Change:
    def change(record: log_pb2.Record) -> None:
        record.events[0].data = json.dumps(json.loads(record.events[0].data) | fields).encode()

    return change


def event_schema(record: log_pb2.Record) -> None:
    record.events[0].schema += 1


def command_schema(record: log_pb2.Record) -> None:
    record.command.schema += 1


def sender(**fields: str) -> Change:
    def change(record: log_pb2.Record) -> None:
        for name, value in fields.items():
            setattr(record, name, value)

    return change


@pytest.mark.parametrize(
    ("number", "change", "reason"),
    [
        (7, event_data(b'["$sealed"]'), "BAD_PAYLOAD"),
        (7, event_data(b'"$sealed"'), "BAD_PAYLOAD"),
        (5, event_data(b'"$sealed"'), "BAD_PAYLOAD"),
        (5, command_data(b'["$sealed"]'), "BAD_PAYLOAD"),
        (5, command_data(b'{"card":{"$sealed":[]},"side":"north"}'), "SEAL_BROKEN"),
        (7, event_data(b'{"a":"$sealed","b":' + NESTED), "BAD_PAYLOAD"),
        (5, command_data(b'{"a":' + NESTED), "BAD_PAYLOAD"),
        (13, event_data(NESTED), "BAD_PAYLOAD"),
        (1, first_event(public_key="x"), "NO_KEY"),
        (1, first_event(public_key="", key_id=""), "NO_KEY"),
        (1, first_event(key_id="0123456789abcdef"), "WRONG_KEY_ID"),
        (7, event_schema, "UNKNOWN_SCHEMA"),
        (5, command_schema, "UNKNOWN_SCHEMA"),
        (5, sender(ruleset=""), "WRONG_RULESET"),
        (7, sender(ruleset=""), "WRONG_RULESET"),
        (1, sender(ruleset="skirmish/1"), "WRONG_RULESET"),
        (7, sender(seat="north"), "NOT_AUTOMATIC"),
        (7, sender(player="north"), "NOT_AUTOMATIC"),
        (7, sender(command_id="c1"), "NOT_AUTOMATIC"),
        (5, sender(command_id=""), "NO_COMMAND_ID"),
    ],
)
async def test_a_forged_record_with_its_chain_mended_is_named(
    table: Runtime, number: int, change: Change, reason: str
) -> None:
    report = verify(MATCH, resealed(await played(table), number, change))
    assert report.wrong is not None
    assert (report.wrong["version"], report.wrong["reason"]) == (number, reason)
    json.dumps(report.wrong)


@pytest.mark.parametrize("change", [event_schema, event_data(b"{}"), event_data(b'{"a":"$sealed","b":' + NESTED)])
async def test_open_events_behind_a_sealed_record_are_looked_at_too(table: Runtime, change: Change) -> None:
    """Record 7 of a running match: the dice of a round whose cards are sealed."""
    report = verify(MATCH, resealed(await played(table, rounds=1), 7, change))
    assert report.wrong is not None
    assert report.wrong["version"] == 7


async def test_no_change_of_bytes_breaks_the_verifier(table: Runtime) -> None:
    records = await played(table)
    head = table.follower.book.fold_of(MATCH).head
    chance = random.Random(5)
    for _ in range(150):
        number = chance.randrange(len(records))
        damaged = bytearray(records[number])
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        forged = [*records[:number], bytes(damaged), *records[number + 1 :]]
        mended = resealed(forged, number + 1, lambda _: None) if chance.random() < 0.5 and parses(damaged) else forged
        if mended == records:
            continue
        report = verify(MATCH, mended, head)
        assert report.wrong is not None
        assert report.wrong["reason"] == "HEAD_MISMATCH" or report.versions < len(records)


def parses(raw: bytes | bytearray) -> bool:
    try:
        log_pb2.Record.FromString(bytes(raw))
    except DecodeError:
        return False
    return True


class TestFile:
    """Lines of an exported file, checked by the command."""

    @pytest.fixture
    async def lines(self, table: Runtime) -> list[bytes]:
        records = await played(table)
        head = table.follower.book.fold_of(MATCH).head
        return [line.encode() for line in export.lines(export.Header(MATCH, len(records), head), records)]

    def run(self, folder: Path, lines: list[bytes], *options: str) -> Result:
        file = folder / "match.jsonl"
        file.write_bytes(b"\n".join(lines) + b"\n")
        return CliRunner().invoke(audit, ["verify", str(file), *options])

    def report(self, folder: Path, lines: list[bytes]) -> dict[str, object]:
        ran = self.run(folder, lines, "--json")
        assert ran.exit_code == 1, (ran.exit_code, ran.output, ran.exception)
        found: dict[str, object] = json.loads(ran.stdout)
        assert found["ok"] is False
        told = self.run(folder, lines)
        assert told.exit_code == 1
        assert "is wrong" in told.output
        return found

    def test_an_honest_file_holds_with_blank_lines_at_its_end(self, tmp_path: Path, lines: list[bytes]) -> None:
        ran = self.run(tmp_path, [*lines, b"", b"  ", b""], "--json")
        assert ran.exit_code == 0
        report = json.loads(ran.stdout)
        assert report["ok"] and report["versions"] == 13 and len(report["key_id"]) == 16

    @pytest.mark.parametrize(
        ("harm", "number", "reason"),
        [
            (lambda x: [*x[:5], x[5].replace(b'"record": "', b'"record": "*'), *x[6:]], 5, "BAD_EXPORT"),
            (lambda x: [*x[:5], *x[6:]], 5, "BAD_EXPORT"),
            (lambda x: [*x[:5], b"", *x[5:]], 5, "BAD_EXPORT"),
            (lambda x: [*x[:5], b"\xff\xfe" + x[5], *x[6:]], 5, "BAD_EXPORT"),
            (lambda x: [*x[:5], NESTED, *x[6:]], 5, "BAD_EXPORT"),
            (lambda x: [*x[:5], b"[]", *x[6:]], 5, "BAD_EXPORT"),
            (lambda x: [*x[:5], b'"stavka_export"'], 5, "BAD_EXPORT"),
            (lambda x: [*x[:9], x[9][: len(x[9]) // 2]], 9, "BAD_EXPORT"),
            (lambda x: [*x[:9], x[9][:-1]], 9, "BAD_EXPORT"),
            (lambda x: x[:9], 8, "HEAD_MISMATCH"),
            (lambda x: x[:1], 0, "NO_RECORDS"),
            (lambda x: [x[0].replace(b'"versions": 13', b'"versions": 12'), *x[1:]], 13, "VERSIONS_MISMATCH"),
            (lambda x: [x[0].replace(b'"head": "', b'"head": "zz'), *x[1:]], 0, "BAD_EXPORT"),
            (lambda x: [x[0].replace(b'"match"', b'"march"'), *x[1:]], 0, "BAD_EXPORT"),
            (lambda x: [x[0].replace(b'"match": "07', b'"match": "08'), *x[1:]], 1, "WRONG_MATCH"),
        ],
    )
    def test_a_tampered_file_is_a_report_that_names_the_record(
        self,
        tmp_path: Path,
        lines: list[bytes],
        harm: Callable[[list[bytes]], list[bytes]],
        number: int,
        reason: str,
    ) -> None:
        wrong = self.report(tmp_path, harm(lines))["wrong"]
        assert isinstance(wrong, dict)
        assert (wrong["version"], wrong["reason"]) == (number, reason)

    def test_a_wrong_record_before_a_broken_line_is_the_first(self, tmp_path: Path, lines: list[bytes]) -> None:
        wrong = self.report(tmp_path, [*lines[:3], lines[3].replace(b'"record": "C', b'"record": "E'), b"cut"])["wrong"]
        assert isinstance(wrong, dict)
        assert wrong["version"] == 3

    @pytest.mark.parametrize("content", [[b""], [b"letters from the front"], [b"{}"], [b'{"version": 1}'], [NESTED]])
    def test_what_is_no_export_is_told_as_that(self, tmp_path: Path, content: list[bytes]) -> None:
        ran = self.run(tmp_path, content)
        assert getattr(ran.exception, "reason", "") == "BAD_EXPORT"
