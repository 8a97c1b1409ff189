"""Histories as bytes, and what it costs to make matches of them again.

A history is recorded once by the runtime itself: referees on a log in memory, live dice, a random player. Then its
records are folded: envelopes alone (what a gateway does), everything (what a referee does at start-up), and from a
stored position with the records since (what a reader does that shows a match).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stavka.bots.chance import Chance
from stavka.bots.choosers import RANDOM
from stavka.bus.memory import MemoryLog
from stavka.kernel.game import Command
from stavka.match import lobby
from stavka.match.fold import Book, MatchFold, advance, parse
from stavka.match.ports import EVENTS
from stavka.match.rulebooks import owner, topic_of
from stavka.projector.fold import POSITION_EVERY
from stavka.views import position

from tests.support.battery import Case, choose
from tests.support.runtime import Runtime, runtime

from .rules import Timing, timing

MATCHES: Final = ("00-BENCH0000000000000000000A", "00-BENCH0000000000000000000B")
"""Both in partition 0."""


@dataclass(frozen=True)
class Recorded:
    """Records in the order of the log, and the key that opens them."""

    game: str
    raws: tuple[bytes, ...]
    sealing: bytes
    largest: int
    """Bytes of the largest record."""

    @property
    def mean(self) -> float:
        """Bytes of a record."""
        return sum(map(len, self.raws)) / len(self.raws)


async def record(case: Case, wanted: int) -> Recorded:
    """The first `wanted` batches of random matches, one after the other: a single one may be shorter."""
    with tempfile.TemporaryDirectory(prefix="stavka-bench-") as folder:
        log = MemoryLog()
        async with runtime(log, Path(folder)) as running:
            for seed, match_id in enumerate(MATCHES):
                await _play(running, case, match_id, seed, wanted)
                if await log.end(EVENTS, 0) >= wanted:
                    break
            end = min(wanted, await log.end(EVENTS, 0))
            raws = tuple(entry.value for entry in await log.read(EVENTS, 0, range(end)))
            return Recorded(case.game.id, raws, running.keyring.sealing, max(map(len, raws)))


async def _play(running: Runtime, case: Case, match_id: str, seed: int, wanted: int) -> None:
    creation = lobby.CreateMatch(case.game.id, case.scenario)
    await running.submit(match_id, creation, player="organizer", prefix=lobby.LOBBY + ".")
    for seat in case.seats:
        await running.submit(match_id, lobby.TakeSeat("0" * 16), seat, prefix=lobby.LOBBY + ".")
    fold = running.follower.book.fold_of(match_id)
    while await running.log.end(EVENTS, 0) < wanted:
        state = fold.state
        assert state is not None, fold.quarantine
        if not state.playing:
            return
        waiting = sorted({decision.seat for decision in case.game.decisions(state.table)})
        if not waiting:
            assert owner(state)
            await running.until(match_id, fold.version + 1)
            continue
        version = fold.version
        seat = Chance(seed, "", version).one_of(waiting)
        command: Command = choose(case, state.table, seat, RANDOM, seed, version)
        topic = topic_of(case.game.id, type(command).__name__)
        outcome = await running.submit(match_id, command, seat, topic=topic)
        assert outcome.refusal is None, outcome.refusal


def fold_timings(recorded: Recorded, batches: int, repeat: int) -> list[Timing]:
    """Milliseconds would do, but all timings are in microseconds."""
    raws = recorded.raws[:batches]
    name = f"{len(raws):,} batches"
    rows = [
        timing(recorded.game, f"fold {name}, envelopes only", [_fold(raws, None) for _ in range(repeat)]),
        timing(recorded.game, f"rebuild {name} from the log", [_fold(raws, recorded.sealing) for _ in range(repeat)]),
    ]
    restored = _restore_times(raws, recorded.sealing, repeat)
    rows.append(timing(recorded.game, f"rebuild {name} from the last stored position", restored))
    return rows


def _fold(raws: Sequence[bytes], sealing: bytes | None) -> float:
    book = Book(sealing)
    started = time.perf_counter_ns()
    for raw in raws:
        book.take(0, raw)
    return (time.perf_counter_ns() - started) / 1000


def _restore_times(raws: Sequence[bytes], sealing: bytes, repeat: int) -> list[float]:
    """From the position that a projector stored, POSITION_EVERY - 1 versions before the end."""
    book = Book(sealing)
    tail = raws[-(POSITION_EVERY - 1) :]
    for raw in raws[: -len(tail)]:
        book.take(0, raw)
    last = parse(tail[-1])
    assert last is not None
    before = book.fold_of(last.match_id)
    assert before.state is not None
    blob = position.encode(before.state)
    times = []
    for _ in range(repeat):
        started = time.perf_counter_ns()
        fold = MatchFold(last.match_id, before.version, before.head, position.decode(blob))
        for raw in tail:
            found = parse(raw)
            assert found is not None
            advance(fold, found, raw, sealing)
        times.append((time.perf_counter_ns() - started) / 1000)
        assert fold.state is not None, fold.quarantine
    return times
