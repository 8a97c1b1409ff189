"""Rolls that a forger altered where they are sealed, or where the command that they belong to is."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from stavka.audit.verify import verify
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, match_key

from tests.audit.test_honest_histories import HIDDEN, recorded
from tests.audit.test_verify import MATCH, played, resealed
from tests.support.runtime import Runtime

RollChange = Callable[[log_pb2.Roll], None]
Fired = tuple[str, list[bytes], log_pb2.Record]


def with_fields(**fields: object) -> RollChange:
    def change(roll: log_pb2.Roll) -> None:
        roll.MergeFrom(log_pb2.Roll(**fields))  # type: ignore[arg-type]

    return change


def fault(match_id: str, records: list[bytes], number: int, change: Callable[[log_pb2.Record], None]) -> object:
    """Version and reason of what is wrong when record `number` is changed and the chain mended."""
    report = verify(match_id, resealed(records, number, change))
    assert report.wrong is not None
    return report.wrong["version"], report.wrong["reason"]


class TestOutsideOfASealedRoll:
    """Record 4 shuffles the deck: purpose and kind stand open, as in the box, and all else is in the box."""

    @pytest.mark.parametrize(
        "change",
        [
            with_fields(count=3),
            with_fields(sides=6),
            with_fields(results=[1, 2, 3]),
            with_fields(input=b"stavka-roll/1\n"),
            with_fields(signature=b"forged"),
            with_fields(kind="dice"),
        ],
    )
    @pytest.mark.parametrize("rounds", [1, 3])
    async def test_nothing_else_stands_there(self, table: Runtime, change: RollChange, rounds: int) -> None:
        records = await played(table, rounds)
        assert fault(MATCH, records, 4, lambda record: change(record.rolls[0])) == (4, "WRONG_SEALED_ROLL")

    async def test_its_purpose_is_the_sealed_one(self, table: Runtime) -> None:
        records = await played(table)
        change = with_fields(purpose="a deck of aces")
        assert fault(MATCH, records, 4, lambda record: change(record.rolls[0])) == (4, "WRONG_SEALED_ROLL")

    @pytest.mark.parametrize("rounds", [1, 3])
    async def test_dice_are_never_sealed(self, table: Runtime, rounds: int) -> None:
        records = await played(table, rounds)
        sealer = Sealer(match_key(table.keyring.sealing, MATCH))

        def hide(record: log_pb2.Record) -> None:
            roll = record.rolls[0]
            box = to_json(sealer.seal("roll 0", to_json(roll.SerializeToString())))
            roll.CopyFrom(log_pb2.Roll(purpose=roll.purpose, kind=roll.kind, sealed=box))

        assert fault(MATCH, records, 7, hide) == (7, "WRONG_SEALED_ROLL")

    async def test_no_roll_is_sealed_where_nothing_is_rolled(self, table: Runtime) -> None:
        """Record 3 takes a seat."""
        records = await played(table, rounds=1)
        shuffle = log_pb2.Record.FromString(records[3]).rolls[0]
        assert fault(MATCH, records, 3, lambda record: record.rolls.append(shuffle)) == (3, "ROLL_UNUSED")


@pytest.mark.parametrize("name", HIDDEN)
class TestDiceOfASealedCommand:
    """A running match of which a sealed command has open dice: only the command's digest is not known."""

    @pytest.fixture
    def fired(self, name: str) -> Fired:
        """The match up to the second such record, and the first one."""
        header, records = recorded(name)
        found: list[int] = []
        for number, raw in enumerate(records, start=1):
            record = log_pb2.Record.FromString(raw)
            if b"$sealed" in record.command.data and any(roll.kind == "dice" for roll in record.rolls):
                found.append(number)
        return header.match_id, records[: found[1]], log_pb2.Record.FromString(records[found[0] - 1])

    def test_they_are_checked_and_counted(self, fired: Fired) -> None:
        match_id, records, _ = fired
        report = verify(match_id, records)
        assert report.ok, report.wrong
        rolls = [roll for raw in records for roll in log_pb2.Record.FromString(raw).rolls]
        assert report.rolls == sum(not roll.sealed for roll in rolls) < len(rolls)

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda roll: roll.results.__setitem__(0, roll.results[0] % 6 + 1), "WRONG_ROLL"),
            (lambda roll: roll.results.pop(), "WRONG_ROLL"),
            (with_fields(signature=b"forged"), "BAD_SIGNATURE"),
            (with_fields(purpose="another battle"), "WRONG_ROLL_INPUT"),
            (with_fields(count=1), "WRONG_ROLL_INPUT"),
            (with_fields(input=b"stavka-roll/1\n"), "WRONG_ROLL_INPUT"),
            (with_fields(kind="luck"), "WRONG_ROLL_KIND"),
            (with_fields(kind="scripted"), "SCRIPTED_ROLL"),
        ],
    )
    def test_they_follow_from_the_signature_over_their_input(
        self, fired: Fired, change: RollChange, reason: str
    ) -> None:
        match_id, records, _ = fired
        number = len(records)
        assert fault(match_id, records, number, lambda record: change(record.rolls[0])) == (number, reason)

    @pytest.mark.parametrize(
        ("old", "new", "reason"),
        [
            (b"stavka-roll/1", b"stavka-roll/2", "WRONG_ROLL_INPUT"),
            (b"\nmatch ", b"\nmatch 0", "WRONG_ROLL_INPUT"),
            (b"entropy ", b"entropy nobody=00 ", "WRONG_ROLL_INPUT"),
            (b"cause command ", b"cause batch ", "WRONG_ROLL_INPUT"),
            (b"\nroll 0", b"\nroll 1", "WRONG_ROLL_INPUT"),
            (b"cause command ", b"cause command " + b"0" * 64 + b"\ncause command ", "WRONG_ROLL_INPUT"),
        ],
    )
    def test_every_line_of_the_input_is_the_rolls(self, fired: Fired, old: bytes, new: bytes, reason: str) -> None:
        match_id, records, _ = fired
        number = len(records)

        def change(record: log_pb2.Record) -> None:
            assert old in record.rolls[0].input
            record.rolls[0].input = record.rolls[0].input.replace(old, new)

        assert fault(match_id, records, number, change) == (number, reason)

    def test_the_digest_is_signed_too(self, fired: Fired) -> None:
        match_id, records, _ = fired
        number = len(records)

        def change(record: log_pb2.Record) -> None:
            record.rolls[0].input = re.sub(rb"(?<=cause command )\w+", b"0" * 64, record.rolls[0].input)

        assert fault(match_id, records, number, change) == (number, "BAD_SIGNATURE")

    def test_they_are_not_those_of_a_command_before(self, fired: Fired) -> None:
        match_id, records, before = fired
        number = len(records)
        change = lambda record: record.rolls[0].CopyFrom(before.rolls[0])  # noqa: E731
        assert fault(match_id, records, number, change) == (number, "REPEATED_CAUSE")

    def test_all_of_a_record_are_of_one_command(self, fired: Fired) -> None:
        match_id, records, before = fired
        number = len(records)
        assert fault(match_id, records, number, lambda record: record.rolls.append(before.rolls[0])) == (
            number,
            "WRONG_ROLL_INPUT",
        )
