"""The runtime on a log in memory: outcomes, retries, races, hidden fields, the end of a match."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from stavka.bus.memory import MemoryLog
from stavka.kernel.dice import Roll
from stavka.match import lobby
from stavka.match.fold import Book, Verdict
from stavka.match.ports import EVENTS, REFUSALS
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.support.runtime import Runtime, installed, runtime
from tests.support.skirmish import FIGHT, ChooseCard, Table, game
from tests.support.skirmish import react as skirmish_react

MATCH = "07-01J000000000000000000000AB"


async def seated(table: Runtime) -> None:
    await table.submit(MATCH, lobby.CreateMatch("skirmish", "plain"), player="organiser", prefix="match.")
    for seat in ("north", "south"):
        await table.submit(MATCH, lobby.TakeSeat("ab" * 8), seat, prefix="match.")
    await table.until(MATCH, 4)


def hand(table: Runtime, seat: str) -> tuple[int, ...]:
    state = table.follower.book.fold_of(MATCH).state
    assert state is not None
    return state.table.camps[seat].hand


async def raw_records(table: Runtime, topic: str = EVENTS) -> list[bytes]:
    found = []
    end = await table.log.end(topic, 7)
    if end:
        async for chunk in table.log.follow(topic, {7: 0}):
            found += [entry.value for entry in chunk]
            if len(found) >= end:
                break
    return found


async def play_out(table: Runtime) -> None:
    for number in range(3):
        for seat in ("north", "south"):
            card = hand(table, seat)[0]
            outcome = await table.submit(MATCH, ChooseCard(card, seat), seat, topic="cards")
            assert outcome.refusal is None
        await table.until(MATCH, 4 + 3 * (number + 1))


async def test_a_match_is_played_to_its_end_and_a_second_reader_agrees(table: Runtime) -> None:
    await seated(table)
    await play_out(table)
    fold = table.follower.book.fold_of(MATCH)
    assert fold.state is not None and fold.state.ended is not None
    assert sum(fold.state.ended.points.values()) <= 3
    reader = Book(table.keyring.sealing)
    verdicts = [reader.take(7, raw)[0] for raw in await raw_records(table)]
    assert verdicts.count(Verdict.ACCEPTED) == fold.version == 13
    assert reader.fold_of(MATCH).head == fold.head
    assert reader.fold_of(MATCH).state == fold.state


async def test_both_seats_may_choose_at_once(table: Runtime) -> None:
    await seated(table)
    outcomes = await asyncio.gather(
        *(table.submit(MATCH, ChooseCard(hand(table, s)[0], s), s, topic="cards") for s in ("north", "south"))
    )
    assert [o.refusal for o in outcomes] == [None, None]
    assert {o.version for o in outcomes} == {5, 6}


async def test_a_retry_gets_the_first_answer_and_changes_nothing(table: Runtime) -> None:
    await seated(table)
    first, second = hand(table, "north")[:2]
    done = await table.submit(MATCH, ChooseCard(first, "north"), "north", topic="cards", command_id="c1")
    again = await table.submit(MATCH, ChooseCard(second, "north"), "north", topic="cards", command_id="c1")
    assert (done.version, again.version, again.refusal) == (5, 5, None)
    refused = await table.submit(MATCH, ChooseCard(first, "north"), "north", topic="cards", command_id="c2")
    assert refused.refusal is not None and (refused.refusal.reason, refused.refusal.rule) == ("WRONG_PHASE", "SK 1.1")
    await table.submit(MATCH, ChooseCard(hand(table, "south")[0], "south"), "south", topic="cards")
    await table.until(MATCH, 7)
    late = await table.submit(MATCH, ChooseCard(second, "north"), "north", topic="cards", command_id="c2")
    assert late.refusal == refused.refusal


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"seat": "north", "player": "thief"}, "NOT_YOUR_SEAT"),
        ({"seat": "west"}, "NOT_YOUR_SEAT"),
        ({"seat": "north", "expected": 3}, "STALE_VERSION"),
        ({"seat": "north", "decision_id": "r9.choose.north"}, "DECISION_CLOSED"),
    ],
)
async def test_what_may_not_be_decided_is_refused_and_changes_nothing(
    table: Runtime, arguments: dict[str, object], reason: str
) -> None:
    await seated(table)
    card = hand(table, "north")[0]
    outcome = await table.submit(MATCH, ChooseCard(card, "north"), topic="cards", **arguments)  # type: ignore[arg-type]
    assert outcome.refusal is not None and outcome.refusal.reason == reason
    assert table.follower.book.fold_of(MATCH).version == 4


async def test_refusals_are_durable_and_no_part_of_the_history(table: Runtime) -> None:
    await seated(table)
    await table.submit(MATCH, ChooseCard(9, "north"), "north", topic="cards", command_id="c9")
    stored = [log_pb2.Refusal.FromString(raw) for raw in await raw_records(table, REFUSALS)]
    assert [(r.command_id, r.reason) for r in stored] == [("c9", "NOT_IN_HAND")]
    assert len(await raw_records(table)) == 4


async def test_garbage_and_forged_records_change_no_match(table: Runtime) -> None:
    await seated(table)
    before = table.follower.book.fold_of(MATCH)
    version, head = before.version, before.head
    forged = log_pb2.Record(envelope_version=1, match_id=MATCH, base_version=4, base_hash=b"\x01" * 32, proposal_id="x")
    future = log_pb2.Record(envelope_version=1, match_id=MATCH, base_version=99, base_hash=head, proposal_id="y")
    foreign = log_pb2.Record(envelope_version=1, match_id="08" + MATCH[2:], proposal_id="z", base_hash=bytes(32))
    for raw in (
        b"\xff\xfe garbage",
        b"",
        forged.SerializeToString(),
        future.SerializeToString(),
        foreign.SerializeToString(),
    ):
        await table.log.append(EVENTS, 7, raw)
    await table.follower.caught_up([7])
    assert (before.version, before.head) == (version, head)
    assert set(table.follower.book.matches) == {MATCH}
    await play_out(table)


async def test_a_record_that_cannot_be_applied_quarantines_its_match_only(table: Runtime) -> None:
    await seated(table)
    other = MATCH[:-1] + "C"
    await table.submit(other, lobby.CreateMatch("skirmish", "plain"), player="organiser", prefix="match.")
    fold = table.follower.book.fold_of(other)
    poison = log_pb2.Record(
        envelope_version=1, match_id=other, base_version=fold.version, base_hash=fold.head, proposal_id="p",
        events=[log_pb2.Payload(type="NoSuchEvent", schema=1, data=b"{}")],
    )  # fmt: skip
    await table.log.append(EVENTS, 7, poison.SerializeToString())
    await table.follower.caught_up([7])
    assert fold.quarantine
    refused = await table.submit(other, lobby.TakeSeat("ab" * 8), "north", prefix="match.")
    assert refused.refusal is not None and refused.refusal.reason == "QUARANTINED"
    await play_out(table)


async def test_nothing_hidden_stands_open_in_the_log(table: Runtime) -> None:
    await seated(table)
    card = hand(table, "north")[0]
    await table.submit(MATCH, ChooseCard(card, "north"), "north", topic="cards")
    records = [log_pb2.Record.FromString(raw) for raw in await raw_records(table)]
    stored = b"".join(p.data for r in records for p in [*r.events, r.command])
    assert b'"card":{"$sealed"' in stored and b'"hand":{"$sealed"' in stored and b'"deck":{"$sealed"' in stored
    shuffle = next(roll for r in records for roll in r.rolls)
    assert shuffle.kind == "shuffle" and not shuffle.results and not shuffle.signature and shuffle.sealed


async def test_an_analysis_match_reads_its_script_and_then_signed_rolls(table: Runtime) -> None:
    create = lobby.CreateMatch("skirmish", "plain", analysis=True, script=(6, 1))
    await table.submit(MATCH, create, player="organiser", prefix="match.")
    for seat in ("north", "south"):
        await table.submit(MATCH, lobby.TakeSeat("ab" * 8), seat, prefix="match.")
    await table.until(MATCH, 4)
    await play_out(table)
    records = [log_pb2.Record.FromString(raw) for raw in await raw_records(table)]
    kinds = [(roll.kind, list(roll.results)) for r in records for roll in r.rolls if roll.kind != "shuffle"]
    assert kinds[0] == ("scripted", [6, 1])
    assert [kind for kind, _ in kinds[1:]] == ["dice", "dice"]
    state = table.follower.book.fold_of(MATCH).state
    assert state is not None and state.script_used == 2


@pytest.mark.parametrize("start", [0, 1])
async def test_a_script_orders_a_deck_when_it_fits_and_waits_when_not(table: Runtime, start: int) -> None:
    """`start`: the first number of an order of twelve cards; from 1 on it is none, and no dice either."""
    order = tuple(range(start, 12 + start))
    create = lobby.CreateMatch("skirmish", "plain", analysis=True, script=(*order, 6, 1))
    await table.submit(MATCH, create, player="organiser", prefix="match.")
    for seat in ("north", "south"):
        await table.submit(MATCH, lobby.TakeSeat("ab" * 8), seat, prefix="match.")
    await table.until(MATCH, 4)
    dealt = log_pb2.Record.FromString((await raw_records(table))[3]).rolls[0]
    state = table.follower.book.fold_of(MATCH).state
    assert state is not None
    if start:
        assert dealt.kind == "shuffle" and dealt.sealed and state.script_used == 0
    else:
        assert (dealt.kind, list(dealt.results), dealt.sides, dealt.sealed) == ("scripted", list(order), 0, b"")
        assert hand(table, "north") == hand(table, "south") == (1, 2, 3, 4, 5) and state.script_used == 12


async def test_a_match_whose_progress_breaks_is_quarantined_and_all_others_go_on(tmp_path: Path) -> None:
    def react(state: Table, roll: Roll) -> Sequence[object]:
        if state.round == 2 and state.frames[-1] == FIGHT:
            raise ZeroDivisionError("a bug of the rules")
        return skirmish_react(state, roll)

    with installed(replace(game(), react=react)):
        async with runtime(MemoryLog(), tmp_path) as table:
            await seated(table)
            for number in range(2):
                for seat in ("north", "south"):
                    await table.submit(MATCH, ChooseCard(hand(table, seat)[0], seat), seat, topic="cards")
                await table.until(MATCH, 7 + 2 * number)
            refused = await table.submit(MATCH, ChooseCard(1, "north"), "north", topic="cards")
            assert refused.refusal is not None and refused.refusal.reason == "QUARANTINED"
            other = MATCH[:-1] + "C"
            created = await table.submit(other, lobby.CreateMatch("skirmish", "plain"), player="o", prefix="match.")
            assert created.refusal is None
