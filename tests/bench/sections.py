"""The parts of the benchmark: each measures, and puts its figures and tables into the results."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from .histories import fold_timings, record
from .offered import Load, create, offer
from .raw import RawLoad, RawOrder, run, two_hops
from .results import Results, Table
from .rules import Timing, cases, play, position_kb, signed_roll, timings
from .script import Script, write
from .servers import Server, embedded_server, stack_server

SEED: Final = 1
WARMING: Final = 100  # raw round trips at once before anything is measured on the stack
BROKERS: Final = ("kafka", "redis")
FASTEST: Final = 1200  # commands a second that one match can take at most: how many matches a single slot needs
EARLY: Final = range(10, 110)  # lines of the script around move 10, and around move 1,000
LATE: Final = range(950, 1050)
MOVES: Final = ("MoveUnit", "MoveBlock")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Played:
    """What a load plays. `name` begins the names of its figures; `sizes` of `Scale.matches` are offered."""

    game: str
    scenario: str
    title: str
    name: str
    sizes: int


PLAYED: Final = (
    Played("red_vengeance", "campaign", "Red Vengeance", "", 3),
    Played("victory_in_europe", "campaign_1939", "Victory in Europe", "victory_in_europe.", 2),
)


@dataclass(frozen=True)
class Scale:
    """How much is measured. Times are seconds."""

    matches: tuple[int, ...] = (1, 100, 1000)
    lines: int = 2000
    warm: float = 3.0
    seconds: float = 12.0
    seeds: tuple[int, ...] = (1, 2, 3)
    repeat: int = 5
    batches: tuple[int, ...] = (1000, 3000)
    profile: Path | None = None


QUICK: Final = Scale((1, 10, 40), 250, 1.0, 4.0, (1,), 1, (100, 300))


def rules(results: Results, scale: Scale, say: Say) -> None:
    """Random matches and single questions, in process."""
    matches, rows = [], []
    for case in cases():
        for seed in scale.seeds:
            say(f"{case}: random match, seed {seed}")
            match, steps = play(case, seed)
            matches.append(match)
        say(f"{case}: single questions")
        rows += timings(case, steps, scale.repeat)
        results.figures[f"{case.game.id}.position_kb"] = position_kb(case, steps[len(steps) // 2].after)
        found = [match for match in matches if match.game == case.game.id]
        results.figures[f"{case.game.id}.random_match_s"] = median(match.seconds for match in found)
        results.figures[f"{case.game.id}.decisions_a_second"] = median(match.a_second for match in found)
    rows.append(signed_roll(50 * scale.repeat))
    results.tables.append(
        Table(
            "Random matches in process",
            ("game", "scenario", "seed", "seconds", "commands", "decisions a second"),
            [
                (m.game, m.scenario, str(m.seed), f"{m.seconds:.2f}", f"{m.commands:,}", f"{m.a_second:,.0f}")
                for m in matches
            ],
        )
    )
    _put_timings(results, "Single questions", rows)


def histories(results: Results, scale: Scale, say: Say) -> None:
    """Matches made of their records again."""
    rows, notes = [], []
    for case in cases():
        say(f"{case}: recording {max(scale.batches):,} batches")
        recorded = asyncio.run(record(case, max(scale.batches)))
        say(f"{case}: folding them")
        for batches in scale.batches:
            rows += fold_timings(recorded, batches, 3 * scale.repeat)
        notes.append(
            f"A record of {case.game.title} has {recorded.mean:,.0f} bytes on average, {recorded.largest:,} at most."
        )
    _put_timings(results, "Histories", rows, " ".join(notes))


def _put_timings(results: Results, title: str, rows: list[Timing], note: str = "") -> None:
    for row in rows:
        if row.count:
            results.figures[f"{row.game}.{row.what}.p50_us"] = row.p50
    shown = [(r.game, r.what, f"{r.count:,}", f"{r.p50:,.1f}", f"{r.p99:,.1f}") for r in rows]
    results.tables.append(Table(title, ("game", "what", "measured", "p50 us", "p99 us"), shown, note))


def embedded(results: Results, scale: Scale, say: Say) -> None:
    """Loads on `stavka serve`."""
    with embedded_server(scale.profile) as server:
        for played in PLAYED:
            _put_loads(results, f"{played.title}, embedded", _loads(server, played, scale, results, say))


def stack(results: Results, scale: Scale, say: Say) -> None:
    """Loads on the seven processes, and the raw round trip on the same broker at the same rates."""
    say("starting Kafka, Redis and seven processes")
    with stack_server() as server:
        say("raw two hops, not counted: the broker's machine compiles what it will need")
        with two_hops(server.kafka) as bootstrap:
            run(bootstrap, RawOrder(WARMING, 0.0, scale.warm + scale.seconds))
        loads = {played: _loads(server, played, scale, results, say) for played in PLAYED}
        trips = []
        with two_hops(server.kafka) as bootstrap:
            for played, load in ((played, load) for played, found in loads.items() for load in found):
                say(f"raw two hops: {load.matches:,} at once, {load.offered}")
                trip = run(bootstrap, RawOrder(load.matches, scale.warm, scale.seconds, load.rate))
                _put_figures(results, f"{played.name}raw.{load.matches}.{load.offered}", trip)
                trips.append((played, trip))
    for played, found in loads.items():
        _put_loads(results, f"{played.title}, Kafka and Redis", found)
    rows = [
        (p.title, f"{t.slots:,}", t.offered, _rate(t.rate), f"{t.a_second:,.0f}", f"{t.p50:.2f}", f"{t.p99:.2f}")
        for p, t in trips
    ]
    columns = ("beside", "at once", "load", "offered a second", "round trips a second", "p50 ms", "p99 ms")
    results.tables.append(Table("Raw two hops through aiokafka on the same broker", columns, rows))


def _loads(server: Server, played: Played, scale: Scale, results: Results, say: Say) -> list[Load]:
    """Closed and open load for each number of matches; memory after the largest closed one of all."""
    where = f"{server.where}, {played.title}"
    say(f"{where}: writing the script of a match")
    script = write(played.game, played.scenario, SEED, scale.lines)
    found: list[Load] = []
    held = 0
    for matches in scale.matches[: played.sizes]:
        say(f"{where}: creating {matches:,} matches")
        spare = math.ceil(FASTEST * (scale.warm + scale.seconds) / matches / len(script.lines))
        made = asyncio.run(create(server, script, matches * spare, f"{played.name}n{matches}-closed"))
        held += len(made)
        say(f"{where}: {matches:,} matches, closed load")
        slots = [made[slot::matches] for slot in range(matches)]
        closed, _ = offer(server, script, slots, "closed", warm=scale.warm, seconds=scale.seconds)
        if matches == max(scale.matches):
            _put_memory(results, server, held)
        made = asyncio.run(create(server, script, matches * spare, f"{played.name}n{matches}-open"))
        held += len(made)
        say(f"{where}: {matches:,} matches, open load at {closed.a_second / 2:,.0f} a second")
        rate = max(1.0, closed.a_second / 2)
        slots = [made[slot::matches] for slot in range(matches)]
        opened, _ = offer(server, script, slots, "open", warm=scale.warm, seconds=scale.seconds, rate=rate)
        found += [closed, opened]
        for load in found[-2:]:
            name = f"{played.name}{server.where}.{matches}.{load.offered}"
            _put_figures(results, name, load)
            results.figures[f"{name}.lost"] = load.lost
        if matches == 1:
            _put_late_to_early(results, f"{played.name}{server.where}", script, closed)
    return found


def _put_figures(results: Results, name: str, load: Load | RawLoad) -> None:
    results.figures[f"{name}.a_second"] = load.a_second
    if load.a_second:
        results.figures |= {f"{name}.p50_ms": load.p50, f"{name}.p99_ms": load.p99}


def _put_late_to_early(results: Results, where: str, script: Script, load: Load) -> None:
    """Moves of units only, so that the same work is compared."""
    moves = {n for n, line in enumerate(script.lines) if line.command in MOVES}
    early, late = ([ms for _, at, ms in load.samples if at in moves and at in span] for span in (EARLY, LATE))
    if early and late:
        results.figures[f"{where}.late_to_early"] = median(late) / median(early)


def _put_memory(results: Results, server: Server, matches: int) -> None:
    memory = server.resident_mb()
    results.figures[f"{server.where}.memory_mb"] = max(mb for name, mb in memory.items() if name not in BROKERS)
    rows = [(name, f"{mb:,.0f}") for name, mb in memory.items()]
    title = f"Resident memory, {server.where}, holding {matches:,} matches that go on"
    results.tables.append(Table(title, ("process", "MB"), rows))


def _put_loads(results: Results, title: str, loads: list[Load]) -> None:
    columns = (
        "matches", "load", "offered a second", "accepted a second", "p50 ms", "p99 ms", "refused", "sent again", "lost",
        "waited ms",
    )  # fmt: skip
    rows = [
        (
            f"{load.matches:,}", load.offered, _rate(load.rate), f"{load.a_second:,.0f}", f"{load.p50:.2f}",
            f"{load.p99:.2f}", _share(sum(load.refused.values()), load.accepted), str(sum(load.again.values())),
            f"{load.lost:.2%}", f"{load.waited:.1f}",
        )
        for load in loads
    ]  # fmt: skip
    processes = list(dict.fromkeys(name for load in loads for name in load.cpu_ms))
    spent = [
        (f"{load.matches:,}", load.offered, *(f"{load.cpu_ms.get(name, 0):.2f}" for name in processes),
         f"{sum(load.cpu_ms.values()):.2f}")
        for load in loads
    ]  # fmt: skip
    troubles = sorted({f"{what} ({count})" for load in loads for what, count in load.refused.items()})
    dry = sum(load.ran_dry for load in loads)
    note = ("Refused: " + "; ".join(troubles) + ". " if troubles else "") + (f"{dry} slots ran dry." if dry else "")
    results.tables.append(Table(title, columns, rows, note))
    heads = ("matches", "load", *processes, "together")
    note = "Polling for automatic progress and the steps of that progress are part of it."
    results.tables.append(Table(f"{title}: processor time for one accepted command, ms", heads, spent, note))


def _rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate else ""


def _share(part: int, rest: int) -> str:
    return f"{part / max(1, part + rest):.2%}"


SECTIONS: Final[Mapping[str, Callable[[Results, Scale, Say], None]]] = {
    "rules": rules,
    "histories": histories,
    "embedded": embedded,
    "stack": stack,
}
