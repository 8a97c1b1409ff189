"""The shape of the source: sizes, names, and what may not stand in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = sorted(
    p for part in ("services", "tests", "deploy") for p in (ROOT / part).rglob("*.py") if "gen" not in p.parts
)
MAX_LINES = 400
HUBS = re.compile(r"(utils?|helpers?|common|manager|misc)\.py")
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|NotImplemented" r"Error)\b")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_is_short_named_for_what_it_holds_and_finished(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= MAX_LINES
    assert not HUBS.fullmatch(path.name)
    assert not [line for line in lines if UNFINISHED.search(line)]


def test_every_process_has_a_readme_that_says_where_the_rules_are() -> None:
    for name in ("movement", "combat", "supply", "diplomacy", "cards"):
        first = (ROOT / "services" / "stavka" / name / "README.md").read_text("utf-8").splitlines()[0]
        assert "games/<game>/" in first
