"""Many matches in process: who wins how often, how long they take, what they score; as a table and as JSON.

    python -m tests.battery.report --game red_vengeance [--scenario S] [--matches 200] [--bots random,random]
        [--first-seed 1] [--workers 2] [--option NAME=VALUE ...] [--json FILE]

A match that ends in an error is counted and named with the line that plays it again; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from stavka.hosting import settle

from tests.support.battery import Case, bots_of, finish, named, reproduction


@dataclass(frozen=True, slots=True)
class Row:
    """One match. `error` is empty when it came to a result; `reasons` are "side what" -> points."""

    seed: int
    winner: str
    points: Mapping[str, int]
    reasons: tuple[str, ...]
    steps: int
    commands: int
    seconds: float
    error: str = ""


@cache
def case_of(game: str, scenario: str, options: tuple[tuple[str, str], ...]) -> Case:
    found = named(game)
    return Case(found, scenario or next(iter(found.scenarios)), dict(options))


def play(game: str, scenario: str, options: tuple[tuple[str, str], ...], bots: str, seed: int) -> Row:
    """One match, in a worker process."""
    case = case_of(game, scenario, options)
    started = time.perf_counter()
    try:
        match = finish(case, seed, bots_of(case, bots))
    except Exception as error:  # noqa: BLE001 (a report names what failed and goes on with the next seed)
        text = f"{type(error).__name__}: {error} [{reproduction(case, seed, bots)}]"
        return Row(seed, "", {}, (), 0, 0, time.perf_counter() - started, text)
    reasons = tuple(f"{side}: {what.split(',')[0]}" for _, side, points, what in match.result.reasons if points)
    return Row(
        seed, match.result.winner, dict(match.result.points), reasons, match.steps, match.commands,
        time.perf_counter() - started,
    )  # fmt: skip


def play_all(arguments: argparse.Namespace, console: Console) -> list[Row]:
    """All matches on the workers, with progress shown."""
    options = tuple(tuple(part.split("=", 1)) for part in arguments.option)
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.matches)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    rows: list[Row] = []
    with (
        Progress(*columns, console=console) as progress,
        ProcessPoolExecutor(arguments.workers, initializer=settle) as pool,
    ):
        task = progress.add_task(f"{arguments.game} {arguments.bots}", total=len(seeds))
        jobs = [pool.submit(play, arguments.game, arguments.scenario, options, arguments.bots, s) for s in seeds]
        for job in as_completed(jobs):
            rows.append(job.result())
            progress.advance(task)
            if not console.is_terminal and len(rows) % 10 == 0:
                console.print(f"{len(rows)} of {len(seeds)} matches, {sum(row.seconds for row in rows):.0f} s of play")
            if rows[-1].error:
                console.print(rows[-1].error, style="red")
    return sorted(rows, key=lambda row: row.seed)


def spread(values: Iterable[float]) -> dict[str, float]:
    """Mean, median and extremes."""
    found = sorted(values)
    if not found:
        return {}
    return {
        "mean": round(statistics.fmean(found), 3),
        "median": round(statistics.median(found), 3),
        "least": round(found[0], 3),
        "most": round(found[-1], 3),
    }


def summary(arguments: argparse.Namespace, rows: Sequence[Row]) -> dict[str, Any]:
    """The report in plain data."""
    played = [row for row in rows if not row.error]
    sides = sorted({side for row in played for side in row.points})
    return {
        "game": arguments.game,
        "scenario": arguments.scenario,
        "options": arguments.option,
        "bots": arguments.bots,
        "seeds": [arguments.first_seed, arguments.first_seed + arguments.matches - 1],
        "matches": len(rows),
        "wins": dict(Counter(row.winner for row in played).most_common()),
        "points": {side: spread(row.points.get(side, 0) for row in played) for side in sides},
        "scored": dict(Counter(reason for row in played for reason in row.reasons).most_common()),
        "steps": spread(row.steps for row in played),
        "commands": spread(row.commands for row in played),
        "seconds": spread(row.seconds for row in played),
        "commands_per_second": round(sum(r.commands for r in played) / max(1e-9, sum(r.seconds for r in played))),
        "errors": [row.error for row in rows if row.error],
    }


def show(report: Mapping[str, Any], console: Console) -> None:
    matches = max(1, report["matches"] - len(report["errors"]))
    table = Table(title=f"{report['game']} {report['scenario']}: {report['bots']}, {report['matches']} matches")
    table.add_column("what")
    table.add_column("value", justify="right")
    for winner, count in report["wins"].items():
        table.add_row(f"won by {winner}", f"{count}  ({100 * count / matches:.0f} %)")
    for what in ("steps", "commands", "seconds"):
        found = report[what]
        if found:
            table.add_row(what, f"{found['median']:g}  ({found['least']:g} to {found['most']:g})")
    table.add_row("commands a second", f"{report['commands_per_second']}")
    for side, found in report["points"].items():
        table.add_row(f"points {side}", f"{found['mean']:g}  ({found['least']:g} to {found['most']:g})")
    for reason, count in report["scored"].items():
        table.add_row(reason, f"{count}  ({100 * count / matches:.0f} %)")
    table.add_row("errors", str(len(report["errors"])))
    console.print(table)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.battery.report", description=__doc__.splitlines()[0])
    parser.add_argument("--game", required=True)
    parser.add_argument("--scenario", default="")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--bots", default="random,random")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report, with every match, as JSON")
    arguments = parser.parse_args(given)
    console = Console(stderr=True)
    rows = play_all(arguments, console)
    report = summary(arguments, rows)
    show(report, Console())
    if arguments.json:
        arguments.json.write_text(json.dumps({**report, "rows": [asdict(row) for row in rows]}, indent=1) + "\n")
    return 1 if report["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
