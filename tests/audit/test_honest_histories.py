"""Honest histories hold wherever they are cut: open ones, and those of which a part waits for the key."""

from __future__ import annotations

import gzip
from functools import cache

import pytest
from stavka.audit import export
from stavka.audit.verify import verify
from stavka.match import lobby
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.audit.forging import command, continued
from tests.recorded.test_recorded_matches import FIXTURES

NAMES = [path.name.removesuffix(".jsonl.gz") for path in FIXTURES]
HIDDEN = [name for name in NAMES if name.startswith("victory_in_europe-")]
THREE_PLAYERS = next(name for name in HIDDEN if "_three-" in name)


@cache
def recorded(name: str) -> tuple[export.Header, list[bytes]]:
    path = next(path for path in FIXTURES if path.name.startswith(name))
    return export.read(gzip.decompress(path.read_bytes()).decode().splitlines())


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 12, 84, 150])
@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_match_holds_while_it_goes_on(name: str, count: int) -> None:
    header, records = recorded(name)
    report = verify(header.match_id, records[:count])
    assert report.ok, report.wrong
    assert not report.ended and report.versions == count
    assert report.sealed == 0 if name not in HIDDEN else report.sealed > 0 or count < 5


@pytest.mark.parametrize("name", HIDDEN)
def test_a_recorded_match_of_hidden_things_holds_up_to_its_end(name: str) -> None:
    """Every record is judged without the key here, so every shorter piece of the history holds too."""
    header, records = recorded(name)
    report = verify(header.match_id, records[:-1])
    assert report.ok, report.wrong
    rolls = [roll for raw in records[:-1] for roll in log_pb2.Record.FromString(raw).rolls]
    assert not report.ended and report.rolls == sum(not roll.sealed for roll in rolls)


def test_one_of_three_players_gives_up_in_a_match_of_hidden_things() -> None:
    header, records = recorded(THREE_PLAYERS)
    sender = next(
        record for record in map(log_pb2.Record.FromString, records) if record.command.type == "match.TakeSeat"
    )
    resign = command("match.Resign", "{}")

    def resigned(seat: str, *, times: int = 1) -> list[bytes]:
        found = records[:12]
        for _ in range(times):
            found = continued(
                found,
                events=[lobby.SeatResigned(seat)],
                command=resign,
                command_id="c1",
                seat=sender.seat,
                player=sender.player,
            )
        return found

    report = verify(header.match_id, resigned(sender.seat))
    assert report.ok, report.wrong
    assert report.versions == 13 and not report.ended
    for forged, number, reason in (
        (resigned("another"), 13, "WRONG_EVENTS"),
        (resigned(sender.seat, times=2), 14, "ILLEGAL_DECISION"),
    ):
        report = verify(header.match_id, forged)
        assert report.wrong is not None
        assert (report.wrong["version"], report.wrong["reason"]) == (number, reason)
