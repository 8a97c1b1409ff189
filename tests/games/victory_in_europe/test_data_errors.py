"""Victory in Europe's loaders name the file and the key of whatever is wrong in the data."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stavka.games.victory_in_europe import datafiles, load, load_map, load_setup, load_tables
from stavka.kernel.errors import DataError


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str, str], None]]:
    """A copy of the data with one replacement in one file; the loaders read it until the test ends."""
    readers = [
        load_map.game_map,
        *(getattr(load_tables, n) for n in ("unit_types", "blocks", "terrain", "countries", "diplomacy", "calendar")),
        load_setup.scenario,
        load_setup.deck,
        datafiles.read_toml,
    ]

    def forget() -> None:
        for reader in readers:
            reader.cache_clear()  # type: ignore[attr-defined]

    shutil.copytree(datafiles.DATA, tmp_path / "data")

    def replace(file: str, old: str, new: str) -> None:
        path = tmp_path / "data" / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    monkeypatch.setattr(datafiles, "DATA", tmp_path / "data")
    forget()
    yield replace
    monkeypatch.undo()
    forget()


class TestDataErrors:
    """A wrong file is refused with its name and the key."""

    @pytest.mark.parametrize(
        ("file", "old", "new", "call", "key"),
        [
            (
                "areas.csv",
                "liverpool,Liverpool,land,clear",
                "liverpool,Liverpool,land,swamp",
                load.game_map,
                "row 3.terrain",
            ),
            ("borders.csv", "adana,ankara", "adana,nowhere", load.game_map, "adana-nowhere"),
            ("borders.csv", "adana,erzurum", "adana,ankara", load.game_map, "adana-ankara"),
            (
                "coasts.csv",
                "scotland,Glasgow,port,north_sea",
                "atlantis,Glasgow,port,north_sea",
                load.game_map,
                "atlantis",
            ),
            ("map.toml", 'gives = "pp"', 'gives = "gold"', load.game_map, "convoy_zone.0.gives"),
            ("blocks.toml", 'fire = "D2"', 'fire = "E2"', load.blocks, "germany.blocks.0.fire"),
            ("blocks.toml", 'id = "ger_inf_2a"', 'id = "ger_inf_1a"', load.blocks, "ger_inf_1a"),
            ("types.toml", 'branch = "air"', 'branch = "space"', load.unit_types, "fighter.branch"),
            ("terrain.toml", "border = 2", "edge = 2", load.terrain, "clear.border"),
            ("diplomacy.toml", "axis = 9", "axis = 19", load.diplomacy, "row.0.axis"),
            ("calendar.toml", "number = 2", "number = 3", load.calendar, "turn"),
            ("countries.toml", 'capital = "berlin"', 'capital = "bonn"', load.countries, "germany"),
            ("map.toml", "middle_east", "middle east", load.game_map, "file"),
        ],
    )
    def test_tables(
        self,
        broken: Callable[[str, str, str], None],
        file: str,
        old: str,
        new: str,
        call: Callable[[], object],
        key: str,
    ) -> None:
        broken(file, old, new)
        with pytest.raises(DataError) as caught:
            call()
        assert (caught.value.file, caught.value.key) == (file, key)

    @pytest.mark.parametrize(
        ("old", "new", "key"),
        [
            ('"ger_inf_4a", 4', '"ger_inf_3a", 4', "ger_inf_3a"),
            ('"Stettin", "Infantry 4A"', '"Shangri-La", "Infantry 4A"', "order_of_battle.axis: Shangri-La"),
            ("start_turn = 1", "start_turn = 99", "start_turn"),
            ('"history"]', '"hearsay"]', "order_of_battle.axis.0.4"),
        ],
    )
    def test_scenarios(self, broken: Callable[[str, str, str], None], old: str, new: str, key: str) -> None:
        broken("scenarios/campaign_1939.toml", old, new)
        with pytest.raises(DataError) as caught:
            load.scenario("campaign_1939")
        assert (caught.value.file, caught.value.key) == ("scenarios/campaign_1939.toml", key)

    @pytest.mark.parametrize(
        ("old", "new", "key"),
        [
            ('kind = "extra_sm"', 'kind = "free_lunch"', "axis_1939_1"),
            ('kind = "extend_battle"', 'kind = "winter_fire"', "axis_1939_2.event"),
            ("cm = 4", "cm = 5", "years.0.card.0.cm"),
            ('id = "axis_1939_2"', 'id = "axis_1939_1"', "id"),
            ('types = ["dive_bomber"]', 'types = ["zeppelin"]', "axis_1939_3"),
        ],
    )
    def test_decks(self, broken: Callable[[str, str, str], None], old: str, new: str, key: str) -> None:
        broken("cards_axis.toml", old, new)
        with pytest.raises(DataError) as caught:
            load.deck("axis")
        assert (caught.value.file, caught.value.key) == ("cards_axis.toml", key)

    def test_no_such_scenario_or_deck(self) -> None:
        for call in (lambda: load.scenario("waterloo"), lambda: load.deck("neutral")):
            with pytest.raises(DataError):
                call()
