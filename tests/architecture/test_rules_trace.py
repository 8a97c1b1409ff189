"""The rule trace holds: citations name sections that exist, code sections have code, data sections data, both have tests."""

from __future__ import annotations

import pytest
from stavka.games import GAMES
from stavka.trace import Row, citations, gaps, trace

from deploy import rules_trace


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_citation_names_a_section(game_id: str) -> None:
    unknown = [f"{c.file.name}:{c.line}: {c.text}" for c in citations(GAMES[game_id]()) if not c.section]
    assert unknown == []


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_section_is_where_its_status_says(game_id: str) -> None:
    rows = trace(GAMES[game_id]())
    assert rows
    assert gaps(rows) == []


@pytest.mark.parametrize(
    ("row", "lacks"),
    [
        (Row("1", "", "code", "", code=["a.py"], tests=["t.py"]), []),
        (Row("1", "", "code", ""), ["1: no code cites it", "1: no test cites it"]),
        (Row("1", "", "data", "", data=["a.toml"]), ["1: no test cites it"]),
        (Row("1", "", "data", "", tests=["t.py"]), ["1: no data file cites it"]),
        (Row("1", "", "heading", ""), []),
        (Row("1", "", "soon", ""), ["1: status 'soon'"]),
    ],
)
def test_what_is_a_gap(row: Row, lacks: list[str]) -> None:
    assert sorted(gaps([row])) == sorted(lacks)


def test_the_written_trace_is_what_the_sources_give() -> None:
    assert rules_trace.TARGET.read_text("utf-8") == rules_trace.text(), "run make trace"
