"""Recorded matches: every one still verifies, so no outcome has changed under its ruleset."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from stavka.audit import export
from stavka.audit.verify import verify
from stavka.games import GAMES

FIXTURES = sorted(Path(__file__).parent.glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.name.removesuffix(".jsonl.gz"))
def test_a_recorded_match_is_decided_alike_to_its_last_record(path: Path) -> None:
    header, records = export.read(gzip.decompress(path.read_bytes()).decode().splitlines())
    report = verify(header.match_id, records, header.head)
    assert report.ok, report.wrong
    assert report.ended and report.versions == header.versions


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_game_has_a_recorded_match_of_its_current_ruleset(game_id: str) -> None:
    current = f"{game_id}-{GAMES[game_id]().rulesets[-1]}-"
    assert any(path.name.startswith(current) for path in FIXTURES)
