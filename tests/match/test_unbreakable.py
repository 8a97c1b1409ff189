"""Whatever a command holds and whatever the rules do with it, the referee goes on and the answer is durable."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stavka.bus.memory import MemoryLog
from stavka.kernel.dice import Roll
from stavka.kernel.errors import IllegalAction
from stavka.match import lobby, referee
from stavka.match.fold import Verdict
from stavka.match.follower import Follower
from stavka.match.ports import EVENTS, MAX_RECORD_BYTES, REFUSALS
from stavka.match.refusing import (
    MAX_DETAIL_BYTES,
    MAX_DETAILS,
    MAX_MESSAGE_BYTES,
    cut,
    dump_of,
    is_misshapen,
    refusal_of,
)
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.support.runtime import Runtime, installed, runtime
from tests.support.skirmish import FIGHT, ChooseCard, Table, game
from tests.support.skirmish import react as skirmish_react

MATCH = "07-01J000000000000000000000AB"
OTHER = "07-01J000000000000000000000AC"


async def seated(table: Runtime, match_id: str = MATCH) -> None:
    await table.submit(match_id, lobby.CreateMatch("skirmish", "plain"), player="organiser", prefix="match.")
    for seat in ("north", "south"):
        await table.submit(match_id, lobby.TakeSeat("ab" * 8), seat, prefix="match.")
    await table.until(match_id, 4)


async def fight(table: Runtime, match_id: str = MATCH) -> None:
    state = table.follower.book.fold_of(match_id).state
    assert state is not None
    for seat in ("north", "south"):
        card = state.table.camps[seat].hand[0]
        await table.submit(match_id, ChooseCard(card, seat), seat, topic="cards")


async def test_a_decision_that_fits_no_record_is_a_durable_refusal(table: Runtime) -> None:
    create = lobby.CreateMatch("skirmish", "plain", players={"north": "A" * 261_900})
    first = await table.submit(MATCH, create, player="organiser", prefix="match.", command_id="c1")
    again = await table.submit(MATCH, create, player="organiser", prefix="match.", command_id="c1")
    assert first.refusal is not None and first.refusal == again.refusal
    assert (first.refusal.reason, first.refusal.fault) == ("COMMAND_TOO_LARGE", "malformed")
    assert await table.log.end(REFUSALS, 7) == 1
    assert await table.log.end(EVENTS, 7) == 0
    await seated(table, OTHER)


async def test_a_refusal_that_repeats_what_it_was_sent_is_cut(table: Runtime) -> None:
    named = lobby.CreateMatch("\U000e0001" * 65_000, "plain")
    unknown = await table.submit(MATCH, named, player="organiser", prefix="match.")
    assert unknown.refusal is not None and unknown.refusal.reason == "UNKNOWN_GAME"
    await seated(table)
    closed = await table.submit(MATCH, ChooseCard(1, "north"), "north", topic="cards", decision_id="d" * 262_080)
    assert closed.refusal is not None and closed.refusal.reason == "DECISION_CLOSED"
    assert max(unknown.refusal.ByteSize(), closed.refusal.ByteSize()) < 4_000
    assert len(closed.refusal.details["decision"].encode()) <= MAX_DETAIL_BYTES


async def test_commands_with_names_that_no_gateway_lets_through_are_dropped(table: Runtime) -> None:
    for field in ("command_id", "player", "seat"):
        command = log_pb2.Command(**{"match_id": MATCH, "command_id": "c", field: "x" * 300_000})
        assert is_misshapen(command)
        await table.referees["diplomacy"].handle(7, command.SerializeToString())
    assert (await table.log.end(EVENTS, 7), await table.log.end(REFUSALS, 7)) == (0, 0)


@pytest.mark.parametrize("where", ["Referee._judge", "Referee._propose", "decide_match"])
async def test_a_bug_is_a_durable_refusal_with_an_incident(
    table: Runtime, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    await seated(table)
    state = table.follower.book.fold_of(MATCH).state
    assert state is not None
    card = state.table.camps["north"].hand[0]

    def broken(*_: object) -> Any:
        raise ZeroDivisionError("secret")

    with monkeypatch.context() as patch:
        patch.setattr(f"stavka.match.referee.{where}", broken)
        outcome = await table.submit(MATCH, ChooseCard(card, "north"), "north", topic="cards", command_id="c1")
    assert outcome.refusal is not None and (outcome.refusal.reason, outcome.refusal.fault) == ("INTERNAL", "internal")
    assert len(outcome.refusal.details["incident"]) == 8
    assert "secret" not in str(outcome.refusal)
    again = await table.submit(MATCH, ChooseCard(card, "north"), "north", topic="cards", command_id="c1")
    assert again.refusal == outcome.refusal
    await fight(table)


async def test_a_log_that_refuses_a_record_does_not_end_the_referee(
    table: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await seated(table)

    async def append(topic: str, partition: int, value: bytes) -> None:
        raise ValueError("no log takes this")

    command = log_pb2.Command(
        match_id=MATCH, command_id="c1", player="north", seat="north",
        command=log_pb2.Payload(type="ChooseCard", schema=1, data=to_json(ChooseCard(1, "north"))),
    )  # fmt: skip
    with monkeypatch.context() as patch:
        patch.setattr(table.log, "append", append)
        await table.referees["cards"].handle(7, command.SerializeToString())
    await table.referees["cards"].handle(7, command.SerializeToString())
    await fight(table)


def test_a_refusal_has_a_bounded_size_whatever_it_tells() -> None:
    details = {f"{n}{'k' * 9_000}": "\U000e0001\ud800" * 9_000 for n in range(99)}
    error = IllegalAction("R" * 9_000, "W" * 9_000, "\ud800é" * 9_000, **details)
    refusal = refusal_of(log_pb2.Command(match_id=MATCH, command_id="c"), 1, bytes(32), error)
    assert refusal.ByteSize() < MAX_RECORD_BYTES // 16
    assert len(refusal.details) == MAX_DETAILS
    assert len(refusal.message.encode()) <= MAX_MESSAGE_BYTES


@pytest.mark.parametrize(("text", "size", "found"), [("abc", 3, "abc"), ("abcdef", 5, "ab…"), ("éééé", 7, "éé…")])
def test_texts_are_cut_by_bytes(text: str, size: int, found: str) -> None:
    assert cut(text, size) == found


async def test_locks_are_kept_for_matches_at_work_only(table: Runtime) -> None:
    for number in range(20):
        await table.submit(f"07-{number:026d}", lobby.CreateMatch("chess", ""), player="anna", prefix="match.")
    await asyncio.sleep(0)
    gc.collect()
    assert not table.referees["diplomacy"]._locks


class TestBrokenProgress:
    @pytest.fixture
    def rules(self) -> Iterator[list[Exception]]:
        """A game whose progress raises what is in the list."""
        bugs: list[Exception] = [ZeroDivisionError("a secret of the rules")]

        def react(state: Table, roll: Roll) -> Sequence[object]:
            if bugs and state.frames[-1] == FIGHT:
                raise bugs[0]
            return skirmish_react(state, roll)

        with installed(replace(game(), react=react)):
            yield bugs

    async def until_stuck(self, table: Runtime) -> None:
        fold = table.follower.book.fold_of(MATCH)
        async with asyncio.timeout(10):
            while not fold.stuck:
                await asyncio.sleep(0.005)

    async def test_every_process_is_told_once_and_without_secrets(self, tmp_path: Path, rules: list[Exception]) -> None:
        async with runtime(MemoryLog(), tmp_path) as table:
            await seated(table)
            await fight(table)
            await self.until_stuck(table)
            elsewhere = Follower(table.log, None)
            elsewhere.start([7])
            await elsewhere.caught_up([7])
            fold = elsewhere.book.fold_of(MATCH)
            assert fold.trouble == table.follower.book.fold_of(MATCH).trouble
            assert "version 6: automatic progress broke (ZeroDivisionError)" in fold.stuck
            assert "secret" not in fold.stuck
            await elsewhere.close()
            for each in table.referees.values():
                await each.gate(frozenset(range(12)))
            await asyncio.sleep(0.05)
            assert await table.log.end(REFUSALS, 7) == 1
            refused = await table.submit(MATCH, ChooseCard(1, "north"), "north", topic="cards")
            assert refused.refusal is not None and refused.refusal.reason == "QUARANTINED"

    async def test_a_build_without_the_bug_goes_on(self, tmp_path: Path, rules: list[Exception]) -> None:
        async with runtime(MemoryLog(), tmp_path) as table:
            await seated(table)
            await fight(table)
            await self.until_stuck(table)
            rules.clear()
            for each in table.referees.values():
                await each.gate(frozenset(range(12)))
            await table.until(MATCH, 7)
            fold = table.follower.book.fold_of(MATCH)
            assert (fold.trouble, fold.state is not None) == ("", True)
            await fight(table)

    async def test_progress_that_breaks_behind_the_rules_is_quarantined_too(
        self, tmp_path: Path, rules: list[Exception], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rules.clear()
        settle = referee.Referee._settle

        async def broken(self: referee.Referee, record: log_pb2.Record, partition: int) -> Verdict:
            if not record.command_id:
                raise KeyError(record.match_id)
            return await settle(self, record, partition)

        async with runtime(MemoryLog(), tmp_path) as table:
            await seated(table)
            monkeypatch.setattr(referee.Referee, "_settle", broken)
            await fight(table)
            await self.until_stuck(table)
            assert "KeyError" in table.follower.book.fold_of(MATCH).stuck

    async def test_a_state_that_cannot_be_dumped_says_so(self, table: Runtime) -> None:
        await seated(table)
        fold = table.follower.book.fold_of(MATCH)
        assert '"game":"skirmish"' in dump_of(fold)
        assert fold.state is not None
        fold.state.table = object()
        assert dump_of(fold).startswith("no dump: ")
