"""The rule trace holds: citations name sections that exist, code sections have code and tests, data sections data."""

from __future__ import annotations

import pytest
from stavka.games import GAMES
from stavka.trace import citations, gaps, trace

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


def test_the_written_trace_is_what_the_sources_give() -> None:
    assert rules_trace.TARGET.read_text("utf-8") == rules_trace.text(), "run make trace"
