"""Red Vengeance's loader names the file, the key and the reason of whatever is wrong in the data."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from stavka.games.red_vengeance import load as loader
from stavka.games.red_vengeance.charts import Data
from stavka.games.red_vengeance.load import load, read, read_rulebook
from stavka.kernel.errors import DataError

DATA = Path(loader.__file__).parent / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    shutil.copytree(DATA, copy)
    return copy


def edit(file: str, old: str, new: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return apply


class TestComplaints:
    """A wrong file is named, with its key and the reason."""

    def test_data_is_read_once(self) -> None:
        assert load() is load()

    def test_a_copy_reads_the_same(self, folder: Path, data: Data) -> None:
        assert read(folder).map == data.map

    @pytest.mark.parametrize(
        ("change", "file", "key"),
        [
            (edit("units.toml", "strength = 3", 'strength = "3"'), "units.toml", "unit[ger-xxviii].strength"),
            (edit("units.toml", "strength = 3, ", ""), "units.toml", "unit[ger-xxviii].strength"),
            (edit("units.toml", "steps = 2", "steps = 2, luck = 1"), "units.toml", "unit[ger-xxviii].luck"),
            (edit("units.toml", 'id = "ger-l"', 'id = "ger-x"'), "units.toml", "unit[ger-x]"),
            (edit("units.toml", "reduced = 2", "reduced = 3"), "units.toml", "unit[ger-xxviii].reduced"),
            (edit("units.toml", 'home = "hungary"', 'home = "narnia"'), "units.toml", "unit[hun-2].home"),
            (edit("units.toml", "unit = [", "unit = "), "units.toml", "file"),
            (edit("markers.toml", "count = 5", "count = 6"), "markers.toml", "total.counters"),
            (edit("map.toml", 'hex = "1422", name', 'hex = "1322", name'), "map.toml", "city[1322]"),
            (edit("map.toml", 'hex = "2215", name', 'hex = "2515", name'), "map.toml", "city[2515]"),
            (edit("map.toml", 'hex = "0311", name', 'hex = "0111", name'), "map.toml", "city[0111]"),
            (edit("map.toml", "rows = 34 ", "rows = 33 "), "hexes.csv", "hex"),
            (edit("hexes.csv", "0101,forest", "0101,jungle"), "hexes.csv", "hex[0101].terrain"),
            (edit("hexes.csv", "0102,forest", "0103,forest"), "hexes.csv", "hex[0102]"),
            (edit("hexes.csv", "hex,terrain", "hex,ground"), "hexes.csv", "header"),
            (edit("hexes.csv", "allied,allied_line", "allied,"), "hexes.csv", "hex[0106].start"),
            (edit("rivers.csv", "0107,0206", "0107,0208"), "rivers.csv", "line 2"),
            (edit("rivers.csv", "0107,0206", "0110,0111"), "rivers.csv", "line 2"),
            (
                edit("weather.toml", '"clear", "clear", "clear", "clear", "light_mud", "mud"', '"clear"'),
                "weather.toml",
                "historical.turns",
            ),
            (edit("air_power.toml", "[1, 0, 0, 0, 0, 0]", "[1, 0]"), "air_power.toml", "air_power[0].points"),
            (edit("reinforcements.toml", '"0705"', '"0111"'), "data", "0111"),
            (
                edit("scenarios/campaign.toml", 'sov-54 = "0106"', 'sov-54 = "0105"'),
                "scenarios/campaign.toml",
                "setup.sov-54",
            ),
            (edit("options.toml", "RV 14.1", f"RV 14.{9}"), "options.toml", "option[magyar_honor].rule"),
        ],
    )
    def test_wrong_files_are_named(self, folder: Path, change: Callable[[Path], None], file: str, key: str) -> None:
        change(folder)
        with pytest.raises(DataError) as refused:
            read(folder)
        assert refused.value.file == file
        assert refused.value.key.startswith(key)
        assert refused.value.reason == "BAD_DATA"
        assert len(str(refused.value)) > len(f"{file}: {key}: ")

    def test_missing_file_is_named(self, folder: Path) -> None:
        (folder / "weather.toml").unlink()
        with pytest.raises(DataError) as refused:
            read(folder)
        assert (refused.value.file, refused.value.key) == ("weather.toml", "file")

    def test_rulebook_with_an_unknown_status_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "rulebook.toml").write_text('[[section]]\nid = "1.0"\ntitle = "x"\nstatus = "later"\n')
        with pytest.raises(DataError) as refused:
            read_rulebook(tmp_path)
        assert refused.value.key == "section[1.0].status"
