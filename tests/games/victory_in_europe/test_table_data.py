"""Victory in Europe's charts: terrain, diplomacy, the calendar, and the index of the rulebook."""

from __future__ import annotations

from collections import Counter

import pytest
from stavka.games.victory_in_europe import datafiles, load


class TestTables:
    """Charts of the back cover and the calendar."""

    def test_terrain_effects(self) -> None:
        """VE Terrain Effects."""
        rows = {name: (t.stop, t.stacking, t.border, t.defense) for name, t in load.terrain().items()}
        assert rows["clear"] == ("none", 3, 2, "none")
        assert rows["forest"] == ("enemy", 2, 1, "fire")
        assert rows["desert"] == ("none", 2, 2, "none")
        assert rows["mountain"] == ("area_or_border", 2, 1, "double")
        assert load.terrain()["river"].border_frozen == 2

    @pytest.mark.parametrize(
        ("country", "row"),
        [
            ("belgium", {"axis": 9, "allies": 7}),
            ("bulgaria", {"axis": 7, "allies": 10, "soviets": 9}),
            ("denmark", {"axis": 8, "allies": 9}),
            ("eire", {"axis": 10, "allies": 9}),
            ("finland", {"axis": 8, "allies": 9, "soviets": 10}),
            ("greece", {"axis": 9, "allies": 6, "soviets": 10}),
            ("united_states", {"allies": 7}),
        ],
    )
    def test_printed_diplomatic_rows(self, country: str, row: dict[str, int]) -> None:
        """VE 10.2, VE Diplomatic Table: no entry where no roll is allowed."""
        assert load.diplomacy().targets[country] == row

    def test_diplomatic_table_covers_all_that_can_be_won(self) -> None:
        """VE 10.2: every minor, Italy and the United States (from 1941)."""
        minors = {c.id for c in load.countries().values() if c.kind == "minor"}
        assert set(load.diplomacy().targets) == minors | {"italy", "united_states"}
        assert load.diplomacy().targets["hungary"]["axis"] == 7
        assert load.diplomacy().first_year["united_states"] == 1941
        assert load.diplomacy().no_proximity == {"italy", "united_states"}

    def test_calendar(self) -> None:
        """VE 3.1, VE 3.4: 26 turns; the first of a year is winter everywhere but in 1939, the last in Russia."""
        turns = load.calendar().turns
        assert Counter(t.year for t in turns) == {1939: 2, **dict.fromkeys(range(1940, 1946), 4)}
        assert [t.winter for t in turns[:6]] == ["none", "russia", "all", "none", "none", "russia"]
        assert {t.season for t in turns if t.winter == "all"} == {"winter"}
        calendar = load.calendar()
        assert (calendar.deck_1939, calendar.draw_1939, calendar.deck, calendar.draw) == (6, 2, 8, 4)

    def test_rulebook_index(self) -> None:
        """VE Introduction to VE Target Type: ids are unique, data sections are cited by a data file."""
        sections = load.rulebook()
        ids = [s["id"] for s in sections]
        assert len(set(ids)) == len(ids)
        texts = "".join(p.read_text("utf-8") for p in datafiles.DATA.rglob("*") if p.suffix in (".toml", ".csv"))
        missing = [s["id"] for s in sections if s["status"] == "data" and f"VE {s['id']}" not in texts]
        assert not missing
        for country in load.countries().values():
            assert country.section in ids
