"""Histories that a forger goes on with, or alters where nobody can look yet: the first wrong record is named."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from stavka.audit.verify import verify
from stavka.match import lobby
from stavka.match.rulebooks import lobby_codec
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer

from tests.audit.forging import command, continued
from tests.audit.test_verify import MATCH, history, played, resealed
from tests.support.runtime import Runtime, installed
from tests.support.skirmish import SIDES, CampPitched, HandDealt, game

FORGED_KEY = "00" * 32
SEALED = to_json(Sealer(bytes(32)).seal("card", b"5")).decode()


def fault(records: list[bytes]) -> tuple[object, object]:
    """Version and reason of what is wrong."""
    report = verify(MATCH, records)
    assert report.wrong is not None
    return report.wrong["version"], report.wrong["reason"]


def ended(key: str, winner: str = "north") -> lobby.MatchEnded:
    return lobby.MatchEnded(winner, {winner: 99}, (("SK 2", winner, 99, "because"),), key)


def created(records: list[bytes]) -> lobby.MatchCreated:
    found = lobby_codec().decode(log_pb2.Record.FromString(records[0]).events[0])
    assert isinstance(found, lobby.MatchCreated)
    return found


def seal_key(records: list[bytes]) -> str:
    end = lobby_codec().decode(log_pb2.Record.FromString(records[-1]).events[-1])
    assert isinstance(end, lobby.MatchEnded)
    return end.seal_key


class TestEnd:
    """The record that ends a match discloses its key, and none follows."""

    @pytest.mark.parametrize("key", ["not hex at all", "", FORGED_KEY])
    async def test_an_end_without_the_key_is_no_end(self, table: Runtime, key: str) -> None:
        forged = continued(await played(table, rounds=1), events=[ended(key)])
        report = verify(MATCH, forged)
        assert (report.ended, report.winner, report.points) == (False, "", {})
        assert fault(forged) == (8, "WRONG_SEAL_KEY")

    @pytest.mark.parametrize("key", ["not hex at all", FORGED_KEY])
    async def test_an_end_without_the_key_is_found_behind_other_records(self, table: Runtime, key: str) -> None:
        forged = continued(await played(table, rounds=1), events=[ended(key)])
        assert fault(continued(forged)) == (8, "WRONG_SEAL_KEY")
        assert fault(continued(forged, events=[ended(FORGED_KEY)])) == (8, "WRONG_SEAL_KEY")

    async def test_an_end_without_the_key_is_found_before_an_honest_one(self, table: Runtime) -> None:
        records = await played(table)

        def end(record: log_pb2.Record) -> None:
            record.events.append(lobby_codec().encode(ended(FORGED_KEY)))

        assert fault(resealed(records, 7, end)) == (7, "WRONG_SEAL_KEY")

    async def test_an_end_before_its_time_with_the_key_of_the_real_one_is_not_what_the_rules_give(
        self, table: Runtime
    ) -> None:
        records = await played(table)
        assert fault(continued(records[:7], events=[ended(seal_key(records))])) == (8, "WRONG_EVENTS")

    async def test_an_unreadable_key_in_the_last_record(self, table: Runtime) -> None:
        def change(record: log_pb2.Record) -> None:
            record.events[-1].data = record.events[-1].data.replace(b'"seal_key":"', b'"seal_key":"g')

        assert fault(resealed(await played(table), 13, change)) == (13, "WRONG_SEAL_KEY")

    async def test_nothing_stands_behind_the_end(self, table: Runtime) -> None:
        records = await played(table)
        again = ended(seal_key(records), "south")
        sender = {"command_id": "c1", "seat": "north", "player": "north"}
        for forged in (
            continued(records),
            continued(records, events=[again]),
            continued(records, command=command("ChooseCard", f'{{"card":{SEALED},"side":"north"}}'), **sender),
            continued(records, command=command("match.Resign", "{}"), events=[lobby.SeatResigned("north")], **sender),
        ):
            assert fault(forged) == (14, "AFTER_THE_END")


class TestRuntimeBehindASealedRecord:
    """Records behind the hidden hands (record 4): seats and script are open still."""

    @pytest.mark.parametrize(
        "event",
        [
            lobby.SeatTaken("north", "thief", "ab" * 8),
            lobby.PlayBegun(),
            lobby.ScriptRead(3),
            lobby.SeatResigned("south"),
        ],
    )
    async def test_no_automatic_step_changes_seats_or_script(self, table: Runtime, event: object) -> None:
        assert fault(continued(await played(table, rounds=1), events=[event])) == (8, "WRONG_EVENTS")

    async def test_a_match_is_created_once(self, table: Runtime) -> None:
        records = await played(table, rounds=1)
        again = replace(created(records), seal_commitment="00" * 32)
        assert fault(continued(records, events=[again])) == (8, "WRONG_EVENTS")
        create = command("match.CreateMatch", '{"game":"skirmish","scenario":"plain"}')
        assert fault(continued(records, events=[again], command=create, command_id="c1", player="organiser")) == (
            8,
            "ILLEGAL_DECISION",
        )

    @pytest.mark.parametrize(
        ("order", "event"),
        [
            (command("match.TakeSeat", '{"entropy":"abababababababab"}'), lobby.SeatTaken("north", "thief", "ab" * 8)),
            (command("match.Resign", "{}"), lobby.SeatResigned("north")),
            (command("ChooseCard", f'{{"card":{SEALED},"side":"north"}}'), None),
        ],
    )
    async def test_nobody_acts_for_a_seat_that_he_does_not_hold(
        self, table: Runtime, order: log_pb2.Payload, event: object
    ) -> None:
        events = [event] if event is not None else []
        forged = continued(
            await played(table, rounds=1), events=events, command=order, command_id="c1", seat="north", player="thief"
        )
        assert fault(forged) == (8, "ILLEGAL_DECISION")

    async def test_a_hidden_command_changes_no_seat(self, table: Runtime) -> None:
        def resign(record: log_pb2.Record) -> None:
            record.events.append(lobby_codec().encode(lobby.SeatResigned("south")))

        assert fault(resealed(await played(table, rounds=1), 5, resign)) == (5, "WRONG_EVENTS")

    async def test_no_hidden_command_is_given_before_play_begins(self, table: Runtime) -> None:
        records = (await played(table, rounds=1))[:2]
        order = command("ChooseCard", f'{{"card":{SEALED},"side":"north"}}')
        forged = continued(records, command=order, command_id="c1", seat="north", player="north")
        assert fault(forged) == (3, "ILLEGAL_DECISION")

    async def test_an_automatic_step_does_something(self, table: Runtime) -> None:
        records = await played(table, rounds=1)
        for number in (1, 3, 7):
            assert fault(continued(records[:number])) == (number + 1, "EMPTY_STEP")

    async def test_a_seat_that_gives_up_ends_the_match_and_all_is_decided_again(self, table: Runtime) -> None:
        records = await played(table, rounds=1)
        await table.submit(MATCH, lobby.Resign(), "north", prefix="match.")
        raw = await history(table)
        assert raw[:7] == records
        report = verify(MATCH, raw, table.follower.book.fold_of(MATCH).head)
        assert report.ok, report.wrong
        assert report.ended and report.winner == "south" and report.sealed == 0

        def other_winner(record: log_pb2.Record) -> None:
            record.events[1].data = record.events[1].data.replace(b'"winner":"south"', b'"winner":"north"')

        assert fault(resealed(raw, 8, other_winner)) == (8, "WRONG_EVENTS")


class TestHiddenBeginning:
    """The last seat is taken in a record that is sealed already, because the game begins with hidden things."""

    @pytest.fixture
    async def records(self, table: Runtime) -> AsyncIterator[list[bytes]]:
        begin = [*(CampPitched(side) for side in SIDES), HandDealt("north", (1, 2))]
        with installed(replace(game(), begin=lambda setup: begin)):
            yield await played(table, rounds=1)

    def test_an_honest_one_holds(self, records: list[bytes]) -> None:
        for count in range(1, 8):
            report = verify(MATCH, records[:count])
            assert report.ok, report.wrong
        assert report.sealed == 4 and report.rolls == 1

    @pytest.mark.parametrize(
        ("number", "old", "new"),
        [
            (0, b'"entropy":"cd', b'"entropy":"dd'),
            (0, b'"seat":"south"', b'"seat":"north"'),
            (0, b'"player":"south"', b'"player":"thief"'),
            (2, b'"side":"north"', b'"side":"south"'),
        ],
    )
    def test_its_open_events_are_those_of_the_command(
        self, records: list[bytes], number: int, old: bytes, new: bytes
    ) -> None:
        def change(record: log_pb2.Record) -> None:
            assert old in record.events[number].data
            record.events[number].data = record.events[number].data.replace(old, new)

        assert fault(resealed(records, 3, change)) == (3, "WRONG_EVENTS")

    def test_its_sealed_events_are_of_the_types_that_the_command_gives(self, records: list[bytes]) -> None:
        def other_type(record: log_pb2.Record) -> None:
            record.events[4].CopyFrom(command("CardChosen", f'{{"side":"north","card":{SEALED}}}'))

        def one_less(record: log_pb2.Record) -> None:
            del record.events[1]

        def one_more(record: log_pb2.Record) -> None:
            record.events.append(record.events[4])

        for change in (other_type, one_less, one_more):
            assert fault(resealed(records, 3, change)) == (3, "WRONG_EVENTS")
