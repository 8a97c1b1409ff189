"""Requests made to be too large for what comes after them: each has a typed answer, and everybody else plays on."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from stavka.bus.memory import MemoryLog
from stavka.match.ports import REFUSALS

from .error_rows import create, refused, submit
from .stand import Stand, stand

INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("players", {"north": "A" * 261_900}),
        ("players", {"n" * 200_000: "anna"}),
        ("players", {"north": "with blanks"}),
        ("players", {str(n): "anna" for n in range(5_000)}),
        ("game", "\U000e0001" * 65_000),
        ("scenario", "\U000e0001" * 65_000),
        ("options", {"fog": "\U000e0001" * 60_000}),
        ("options", {"\U000e0001" * 60_000: "thick"}),
    ],
)
async def test_names_that_nothing_has_never_reach_a_referee(live: Stand, field: str, value: Any) -> None:
    match_id = await live.seated()
    sent = len(live.bus.sent)
    found = await refused(create(live, **{field: value}))
    assert (found.code, found.reason, found.field) == (INVALID, "BAD_ARGUMENT", field)
    assert len(live.bus.sent) == sent
    await plays_on(live, match_id)


async def test_a_decision_id_of_any_length_is_refused_in_few_words(live: Stand) -> None:
    match_id = await live.seated()
    found = await refused(submit(live, match_id, decision_id="d" * 261_000))
    assert (found.code, found.reason, found.field) == (INVALID, "BAD_ARGUMENT", "decision_id")
    await plays_on(live, match_id)


async def test_a_creation_that_fits_no_record_is_a_durable_refusal(live: Stand) -> None:
    match_id = await live.seated()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stavka.match.referee.MAX_RECORD_BYTES", 1_000)
        first = await refused(create(live))
    again = await refused(create(live))
    assert (first.code, first.reason) == (INVALID, "COMMAND_TOO_LARGE")
    assert again == first
    await plays_on(live, match_id)


async def test_an_old_refusal_is_still_the_answer(live: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stavka.match.follower.RECENT_REFUSALS", 2)
    match_id = await live.seated()
    first = await refused(submit(live, match_id, command_id="c0", arguments={"card": 9, "side": "north"}))
    for number in range(1, 9):
        await refused(submit(live, match_id, command_id=f"c{number}", arguments={"card": 9, "side": "north"}))
    sent = len(live.bus.sent)
    assert await refused(submit(live, match_id, command_id="c0")) == first
    assert first.reason == "NOT_IN_HAND"
    assert len(live.bus.sent) == sent


class MutedLog(MemoryLog):
    """A log that does not let its refusals be read when `muted`."""

    muted = False

    def follow(self, topic: str, start: Any) -> Any:
        if self.muted and topic == REFUSALS:
            return silence()
        return super().follow(topic, start)


async def silence() -> Any:
    return
    yield


async def test_an_old_refusal_that_cannot_be_read_is_unknown_for_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stavka.match.follower.RECENT_REFUSALS", 0)
    log = MutedLog()
    async with stand(log=log) as live:
        match_id = await live.seated()
        first = await refused(submit(live, match_id, arguments={"card": 9, "side": "north"}))
        log.muted = True
        unknown = await refused(submit(live, match_id))
        assert (unknown.code, unknown.reason) == (grpc.StatusCode.UNAVAILABLE, "OUTCOME_UNKNOWN")
        log.muted = False
        assert await refused(submit(live, match_id)) == first


async def test_a_seat_reserved_for_nobody_may_be_taken_by_anybody(live: Stand) -> None:
    match_id = (await live.client("organiser").create("skirmish", "plain", players={"north": ""})).match_id
    for seat in ("north", "south"):
        await live.client(seat).take_seat(match_id, seat)
    await live.until(match_id, 4)


async def plays_on(live: Stand, match_id: str) -> None:
    """The match of before and a new one both go on."""
    for each in (match_id, await live.seated()):
        before = live.follower.book.fold_of(each).version
        option = (await live.client("north").legal(each, "north")).choices[0].options[0]
        assert (await live.client("north").act(each, "north", option)).version == before + 1
