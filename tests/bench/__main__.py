"""`python -m tests.bench`: run the benchmark, print its tables, keep its figures.

--quick             a small setting: shows that everything works, in a few minutes
--only NAME,...     rules, histories, embedded, stack
--json FILE         write all figures, tables and aims
--docs              put the tables into docs/performance.md
--from FILE         do not measure: take the figures of an earlier --json
--profile FILE      run the embedded server under a profiler; write FILE and print what takes the time
"""

from __future__ import annotations

import argparse
import pstats
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable

from . import results as kept
from .results import Results, Table, aims_table
from .sections import QUICK, SECTIONS, Scale

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
PAPER = 150
"""Columns of the tables when they go into a file."""
HOT = 45
"""Functions that a profile shows."""


def measure(names: Sequence[str], scale: Scale, quick: bool, console: Console) -> Results:
    """Run the sections. One that fails is named with its reason, and the others go on."""
    results = kept.begin(quick)
    started = time.monotonic()

    def say(what: str) -> None:
        console.print(f"[dim]{time.monotonic() - started:7.1f} s[/dim]  {what}", highlight=False)

    for name in names:
        try:
            SECTIONS[name](results, scale, say)
        except Exception as error:  # noqa: BLE001 (the figures of the other sections are worth having)
            traceback.print_exc()
            results.failures[name] = f"{type(error).__name__}: {error}"
    say("done")
    return results


def show(results: Results, console: Console) -> None:
    for table in (*results.tables, aims_table(results.figures)):
        console.print(_rich(table))
        if table.note:
            console.print(table.note, highlight=False)


def _rich(table: Table) -> RichTable:
    shown = RichTable(title=table.title, title_justify="left")
    for column in table.columns:
        shown.add_column(column)
    for row in table.rows:
        shown.add_row(*row)
    return shown


def show_profile(path: Path) -> None:
    stats = pstats.Stats(str(path)).strip_dirs()
    for order in ("tottime", "cumulative"):
        stats.sort_stats(order).print_stats(HOT)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Stavka's benchmark.")
    parser.add_argument("--quick", action="store_true", help="a small setting: shows that everything works")
    parser.add_argument("--only", default=",".join(SECTIONS), metavar="NAME,...", help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write figures, tables and aims")
    parser.add_argument("--docs", action="store_true", help=f"put the tables into {PAGE.name}")
    parser.add_argument("--from", dest="earlier", type=Path, metavar="FILE", help="take figures of an earlier --json")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="profile the embedded server")
    arguments = parser.parse_args(given)
    names = arguments.only.split(",")
    if set(names) - set(SECTIONS):
        parser.error(f"--only takes {', '.join(SECTIONS)}")
    if arguments.earlier is not None:
        results = kept.load(arguments.earlier)
    else:
        scale = replace(QUICK if arguments.quick else Scale(), profile=arguments.profile)
        results = measure(names, scale, arguments.quick, Console(stderr=True))
    show(results, Console(width=None if sys.stdout.isatty() else PAPER))
    if arguments.json is not None:
        results.save(arguments.json)
    if arguments.docs:
        kept.write_into(PAGE, results)
    if arguments.profile is not None and arguments.profile.exists():
        show_profile(arguments.profile)
    return 1 if results.failures else 0


if __name__ == "__main__":
    sys.exit(main())
