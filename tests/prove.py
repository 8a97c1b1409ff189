"""`make prove`: is every refusal needed by a test?

Each `raise` and each `return` of an `IllegalAction(...)` in a game's package is replaced by `pass`, the tests that reach it
are run, and at least one must fail. Prints every refusal that no test needs and exits 1 when there is one.

    python -m tests.prove [GAME ...] [--only SUBSTRING]

The game's tests are run once under coverage, one context a test, to know which tests reach which line.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import coverage

ROOT = Path(__file__).resolve().parent.parent
SERVICES = ROOT / "services"
AT_A_TIME = os.cpu_count() or 1
MAX_TESTS = 12  # tests run for one refusal, those that reach it and are quickest to name


@dataclass(frozen=True)
class Refusal:
    """A raise or return statement: `first` to `last` are its lines, `what` its source in one line."""

    file: Path
    first: int
    last: int
    column: int
    what: str


def refusals(game: str) -> Iterator[Refusal]:
    for path in sorted((SERVICES / "stavka" / "games" / game).rglob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Raise | ast.Return) and any(map(_makes_refusal, ast.walk(node))):
                what = " ".join((ast.get_source_segment(source, node) or "").split())
                yield Refusal(path, node.lineno, node.end_lineno or node.lineno, node.col_offset, what)


def _makes_refusal(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IllegalAction"


def reach(game: str, scratch: Path) -> coverage.CoverageData:
    """Which test reaches which line of the game."""
    data = scratch / "coverage"
    config = scratch / "coveragerc"
    config.write_text(
        f"[run]\ndata_file = {data}\ndynamic_context = test_function\nsource = {SERVICES / 'stavka' / 'games' / game}\n"
    )
    command = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        f"--rcfile={config}",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "-m",
        "not slow",
        f"tests/games/{game}",
    ]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"the tests of {game} must pass before they can prove anything:\n{run.stdout[-3000:]}")
    found = coverage.CoverageData(str(data))
    found.read()
    return found


def node_id(context: str) -> str:
    """Pytest's name of a coverage context such as tests.games.x.test_y.TestZ.test_w."""
    parts = context.split(".")
    for cut in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:cut]).with_suffix(".py")
        if path.exists():
            return "::".join([str(path.relative_to(ROOT)), *parts[cut:]])
    return ""


def is_needed(refusal: Refusal, tests: list[str], scratch: Path) -> bool:
    """Whether a test fails when the refusal is gone."""
    copy = Path(tempfile.mkdtemp(dir=scratch))
    try:
        shutil.copytree(SERVICES, copy / "services", ignore=shutil.ignore_patterns("__pycache__"))
        target = copy / "services" / refusal.file.relative_to(SERVICES)
        lines = target.read_text("utf-8").splitlines()
        lines[refusal.first - 1 : refusal.last] = [" " * refusal.column + "pass"] + [""] * (
            refusal.last - refusal.first
        )
        target.write_text("\n".join(lines) + "\n", "utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:randomly",
            "-o",
            f"pythonpath={copy / 'services'} .",
            *tests,
        ]
        return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 1
    finally:
        shutil.rmtree(copy)


def prove(game: str, only: str) -> list[str]:
    """The unproven refusals of a game, each with the reason."""
    unproven: list[str] = []
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(AT_A_TIME) as pool:
        scratch = Path(name)
        data = reach(game, scratch)
        todo = [r for r in refusals(game) if only in r.what or only in str(r.file)]
        jobs = []
        for refusal in todo:
            contexts = data.contexts_by_lineno(str(refusal.file)).get(refusal.first, [])
            tests = sorted({node_id(c) for c in contexts if c} - {""}, key=len)[:MAX_TESTS]
            jobs.append((refusal, pool.submit(is_needed, refusal, tests, scratch) if tests else None))
        for number, (refusal, job) in enumerate(jobs, start=1):
            where = f"{refusal.file.relative_to(SERVICES)}:{refusal.first}: {refusal.what}"
            if job is None:
                unproven.append(f"{where}: no test reaches it")
            elif not job.result():
                unproven.append(f"{where}: no test fails without it")
            print(
                f"\r{game}: {number}/{len(jobs)} refusals, {len(unproven)} unproven",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print(file=sys.stderr)
    return unproven


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--only", default="", help="only refusals whose source or file holds this")
    arguments = parser.parse_args()
    from stavka.games import GAMES

    unproven = [line for game in arguments.games or list(GAMES) for line in prove(game, arguments.only)]
    print("\n".join(unproven) or "every refusal is needed by a test")
    return 1 if unproven else 0


if __name__ == "__main__":
    raise SystemExit(main())
