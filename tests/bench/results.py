"""What was measured: figures by name, tables for people, and the aims held against them; as JSON and as Markdown.

Figures, in the units that their names end with, where N is a number of matches:

    WHERE.N.closed.p50_ms  .p99_ms  .a_second  .lost          and the same for `open`; WHERE is embedded, stack or raw
    victory_in_europe.WHERE.N...                              the same for that game; all others are Red Vengeance's
    WHERE.memory_mb                                           the largest of our processes, with the most matches
    WHERE.late_to_early                                       outcome at move 1,000 divided by outcome at move 10
    GAME.random_match_s  GAME.decisions_a_second  GAME.position_kb
    GAME.QUESTION.p50_us                                      QUESTION as in `rules.py` and `histories.py`
"""

from __future__ import annotations

import json
import math
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec
import psutil

from deploy.local.kafka import kafka_version

PACKAGES: Final = ("stavka", "aiokafka", "faust-streaming", "grpcio", "protobuf", "msgspec", "redis", "cryptography")
BEGIN: Final = "<!-- measured: begin -->"
END: Final = "<!-- measured: end -->"
Figures = Mapping[str, float]


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


@dataclass
class Results:
    """`failures`: section -> why it has no figures."""

    machine: dict[str, str]
    date: str
    versions: dict[str, str]
    quick: bool
    figures: dict[str, float] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        plain = asdict(self) | {"aims": [asdict(aim) for aim in judged(self.figures)]}
        path.write_text(json.dumps(plain, indent=1) + "\n", "utf-8")


def begin(quick: bool) -> Results:
    """Results without figures yet."""
    machine = {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 1e9:.0f} GB",
        "load before": ", ".join(f"{load:.1f}" for load in os.getloadavg()),
    }
    versions = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    versions["kafka"] = kafka_version()
    for name, command in (("java", ("java", "--version")), ("redis", ("redis-server", "--version"))):
        if shutil.which(command[0]):
            versions[name] = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")[0]
    return Results(machine, time.strftime("%Y-%m-%d %H:%M:%S %z"), versions, quick)


def load(path: Path) -> Results:
    """Results as `save` left them. Raises msgspec.ValidationError; OSError."""
    return msgspec.json.decode(path.read_bytes(), type=Results)


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )


@dataclass(frozen=True)
class Judged:
    """An aim beside what was measured. `ratio` above 1 is a miss by that factor."""

    what: str
    aim: str
    measured: str
    ratio: float

    @property
    def holds(self) -> bool:
        return self.ratio <= 1


@dataclass(frozen=True)
class Aim:
    """`most`: the figure may not be greater than `bound`, otherwise not smaller. A bound may follow from other figures."""

    what: str
    figure: str
    unit: str
    bound: Callable[[Figures], float]
    most: bool = True
    of: str = ""

    def judge(self, figures: Figures) -> Judged | None:
        """None when it was not measured."""
        try:
            found, bound = figures[self.figure], self.bound(figures)
        except KeyError:
            return None
        ratio = (found / bound if self.most else bound / found) if found and bound else math.inf
        word = "at most" if self.most else "at least"
        return Judged(
            self.what, f"{word} {_number(bound)} {self.unit}{self.of}", f"{_number(found)} {self.unit}", ratio
        )


def _number(value: float) -> str:
    """Three digits or the whole number."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def _is(bound: float) -> Callable[[Figures], float]:
    return lambda _: bound


def _three(figure: str) -> Callable[[Figures], float]:
    return lambda figures: 3 * figures[figure]


RAW: Final = " (three raw two-hop trips)"
RV: Final = "red_vengeance"
VE: Final = "victory_in_europe"
AIMS: Final = (
    Aim(
        "submit to outcome, one match, stack, p50", "stack.1.closed.p50_ms", "ms", _three("raw.1.closed.p50_ms"), of=RAW
    ),
    Aim("submit to outcome, one match, embedded, p50", "embedded.1.closed.p50_ms", "ms", _is(1.5)),
    Aim("open load, 100 matches, stack, p50", "stack.100.open.p50_ms", "ms", _three("raw.100.open.p50_ms"), of=RAW),
    Aim("open load, 100 matches, stack, p99", "stack.100.open.p99_ms", "ms", _is(65)),
    Aim("closed load, 100 matches, stack", "stack.100.closed.a_second", "commands a second", _is(600), most=False),
    Aim(
        "closed load, 100 matches, embedded", "embedded.100.closed.a_second", "commands a second", _is(1500), most=False
    ),
    Aim("outcome at move 1,000 against move 10, embedded", "embedded.late_to_early", "times", _is(1.1)),
    Aim("outcome at move 1,000 against move 10, stack", "stack.late_to_early", "times", _is(1.1)),
    Aim("largest process at 1,000 live matches, stack", "stack.memory_mb", "MB", _is(300)),
    Aim("the process at 1,000 live matches, embedded", "embedded.memory_mb", "MB", _is(300)),
    Aim("random match in process", f"{RV}.random_match_s", "s", _is(3)),
    Aim("supply of both sides", f"{RV}.supply of both sides.p50_us", "us", _is(100)),
    Aim("all moves of one unit", f"{RV}.all moves of one unit.p50_us", "us", _is(200)),
    Aim("legal, a whole movement phase", f"{RV}.legal, a full movement phase, cold.p50_us", "us", _is(10_000)),
    Aim("rebuild of a 1,000-batch match", f"{RV}.rebuild 1,000 batches from the log.p50_us", "us", _is(15_000)),
    Aim("legal, a whole move phase (VE)", f"{VE}.legal, a full movement phase, cold.p50_us", "us", _is(20_000)),
    Aim(
        "submit to outcome, one match, stack, p50 (VE)",
        f"{VE}.stack.1.closed.p50_ms",
        "ms",
        _three(f"{VE}.raw.1.closed.p50_ms"),
        of=RAW,
    ),
    Aim(
        "open load, 100 matches, stack, p50 (VE)",
        f"{VE}.stack.100.open.p50_ms",
        "ms",
        _three(f"{VE}.raw.100.open.p50_ms"),
        of=RAW,
    ),
    Aim("open load, 100 matches, stack, p99 (VE)", f"{VE}.stack.100.open.p99_ms", "ms", _is(65)),
    Aim("supply of all units (VE)", f"{VE}.supply of all units, in play.p50_us", "us", _is(300)),
    Aim("random match of 1939 in process (VE)", f"{VE}.random_match_s", "s", _is(10)),
    Aim("position in memory (VE)", f"{VE}.position_kb", "kB", _is(150)),
)


def judged(figures: Figures) -> list[Judged]:
    """The aims whose figures were measured."""
    return [found for aim in AIMS if (found := aim.judge(figures)) is not None]


def aims_table(figures: Figures) -> Table:
    rows = [
        (aim.what, aim.aim, aim.measured, "met" if aim.holds else f"missed by a factor of {aim.ratio:.2f}")
        for aim in judged(figures)
    ]
    return Table("Aims", ("what", "aim", "measured", ""), rows)


def markdown(results: Results) -> str:
    """All tables, with the machine and the date."""
    about = ", ".join(f"{what} {value}" for what, value in results.machine.items())
    versions = ", ".join(f"{what} {value}" for what, value in results.versions.items())
    parts = [f"Measured {results.date} on: {about}.", f"Versions: {versions}."]
    if results.quick:
        parts.append("These are the figures of a `--quick` run: they show that it works, not how fast it is.")
    for table in (aims_table(results.figures), *results.tables):
        parts.append(f"### {table.title}\n\n{_table(table)}" + (f"\n\n{table.note}" if table.note else ""))
    for section, reason in results.failures.items():
        parts.append(f"Not measured: {section} ({reason}).")
    return "\n\n".join(parts)


def _table(table: Table) -> str:
    lines = [table.columns, tuple("---" for _ in table.columns), *table.rows]
    return "\n".join("| " + " | ".join(_cells(line)) + " |" for line in lines)


def _cells(line: Sequence[str]) -> list[str]:
    return [cell.replace("|", "\\|") for cell in line]


def write_into(page: Path, results: Results) -> None:
    """Put the tables between the page's two marks. Raises ValueError when it lacks them."""
    text = page.read_text("utf-8")
    before, begin_mark, rest = text.partition(BEGIN)
    _, end_mark, after = rest.partition(END)
    if not begin_mark or not end_mark:
        raise ValueError(f"{page} lacks {BEGIN} or {END}")
    page.write_text(f"{before}{BEGIN}\n\n{markdown(results)}\n\n{END}{after}", "utf-8")
