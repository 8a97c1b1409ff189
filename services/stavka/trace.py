"""The rule trace: for every section of a rulebook where the project has it, found by its citations.

A citation is the game's prefix and a section's id, such as "RV 6.42". Code and data are searched in the game's
package, tests in `tests/games/<game>/` of a checkout; an installed package has no tests to search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from stavka.kernel.game import Game

PACKAGE: Final = Path(__file__).parent
TESTS: Final = PACKAGE.parent.parent / "tests"


@dataclass
class Row:
    """One section. `code`, `data` and `tests` are sorted file names, relative to the game's package or tests."""

    section: str
    title: str
    status: str
    ruling: str
    code: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation in a file. `section` is "" when the text after the prefix is no section of the rulebook."""

    file: Path
    line: int
    text: str
    section: str


def trace(game: Game) -> list[Row]:
    """Every section of the game's rulebook, in its order, with the files that cite it."""
    rows = {s["id"]: Row(s["id"], s["title"], s["status"], s.get("ruling", "")) for s in game.rulebook()}
    for citation in citations(game):
        row = rows.get(citation.section)
        if row is None:
            continue
        root, names = _shelf(row, citation.file, game.id)
        name = str(citation.file.relative_to(root))
        if name not in names:
            names.append(name)
    for row in rows.values():
        for names in (row.code, row.data, row.tests):
            names.sort()
    return list(rows.values())


def gaps(rows: list[Row], *, with_tests: bool = True) -> list[str]:
    """What the trace lacks: code sections without code, data sections without data, tests of either, unknown statuses."""
    found = []
    for row in rows:
        if row.status not in ("code", "data", "none", "heading"):
            found.append(f"{row.section}: status {row.status!r}")
        if row.status == "code" and not row.code:
            found.append(f"{row.section}: no code cites it")
        if row.status in ("code", "data") and with_tests and not row.tests:
            found.append(f"{row.section}: no test cites it")
        if row.status == "data" and not row.data:
            found.append(f"{row.section}: no data file cites it")
    return found


def citations(game: Game) -> Iterator[Citation]:
    """Every citation in the game's package and tests."""
    known = sorted((s["id"] for s in game.rulebook()), key=len, reverse=True)
    mention = re.compile(rf"\b{re.escape(game.citation)} (?=[\[0-9A-Z])(?!\d+\.?[\\{{])")
    for path in _files(game.id):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            for found in mention.finditer(line):
                rest = line[found.end() :]
                yield Citation(path, number, f"{game.citation} {rest[:16]}", _section(rest, known))


def _section(text: str, known: list[str]) -> str:
    """The longest known id that `text` starts with, unless it goes on with another digit or part."""
    return next((i for i in known if text.startswith(i) and not re.match(r"\.?\d", text[len(i) :])), "")


def _files(game_id: str) -> Iterator[Path]:
    for root in (PACKAGE / "games" / game_id, TESTS / "games" / game_id):
        for path in sorted(root.rglob("*")):
            if path.suffix in (".py", ".toml", ".csv") and path.name != "rulebook.toml":
                yield path


def _shelf(row: Row, file: Path, game_id: str) -> tuple[Path, list[str]]:
    if file.is_relative_to(TESTS):
        return TESTS / "games" / game_id, row.tests
    root = PACKAGE / "games" / game_id
    return root, row.data if (root / "data") in file.parents else row.code


def as_plain(rows: list[Row]) -> list[Mapping[str, object]]:
    """Rows as plain data, for JSON."""
    return [
        {"section": r.section, "title": r.title, "status": r.status, "ruling": r.ruling, "code": r.code, "data": r.data, "tests": r.tests}
        for r in rows
    ]  # fmt: skip


def as_markdown(game: Game, rows: list[Row]) -> str:
    """One table a game: section, title, status, and the files that have it."""
    lines = [
        f"## {game.title} ({game.ruleset})",
        "",
        "| section | title | status | code | data | tests |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for r in rows:
        files = " | ".join(" ".join(names) for names in (r.code, r.data, r.tests))
        lines.append(f"| {game.citation} {r.section} | {r.title} | {r.status} | {files} |")
    return "\n".join(lines) + "\n"
