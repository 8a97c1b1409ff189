"""Red Vengeance's data files: printed values, counts, connectivity, the ready set-up, and the loader's complaints."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from stavka.games.red_vengeance import load as loader
from stavka.games.red_vengeance.charts import Data, ScenarioDatum
from stavka.games.red_vengeance.check import check_setup
from stavka.games.red_vengeance.datum import HexDatum, UnitDatum
from stavka.games.red_vengeance.load import load, read, read_rulebook, rulebook
from stavka.kernel.errors import DataError
from stavka.kernel.hexgrid import DIRECTIONS, OPPOSITE

DATA = Path(loader.__file__).parent / "data"

PRINTED_CITIES = {
    "Budapest": "2215",
    "Cluj": "2313",
    "Sofia": "3113",
    "Bucharest": "2711",
    "Berlin": "1422",
    "Breslau": "1619",
    "Dresden": "1622",
    "Kiel": "0623",
    "Leipzig": "1623",
    "Odessa": "2602",
    "Kiev": "1802",
    "Minsk": "1007",
    "Vitebsk": "0705",
    "Belgrade": "2818",
    "Warsaw": "1414",
    "Vienna": "2219",
    "Prague": "1922",
    "Zagreb": "2624",
}


@pytest.fixture
def data() -> Data:
    return load()


@pytest.fixture
def campaign(data: Data) -> ScenarioDatum:
    return data.scenarios["campaign"]


def beside(data: Data, hex: HexDatum) -> list[HexDatum]:
    return [data.map.hexes[n] for n in hex.neighbours if n >= 0]


def profile(unit: UnitDatum) -> tuple[int, int, int]:
    return unit.strength, unit.movement, unit.reduced


class TestMap:
    """RV 2.0, RV 9.1, RV N5."""

    def test_printed_cities_stand_in_their_printed_hexes(self, data: Data) -> None:
        places = {name: data.map.hexes[index].id for name, index in data.map.cities.items()}
        assert {name: places[name] for name in PRINTED_CITIES} == PRINTED_CITIES
        cities = [h.city for h in data.map.hexes if h.city]
        assert {city.name for city in cities if city.source == "printed"} == set(PRINTED_CITIES)

    def test_misprinted_hexes_are_ordinary(self, data: Data) -> None:
        for id in ("2515", "1322"):
            hex = data.map.hex(id)
            assert hex.playable
            assert hex.city is None

    def test_cities_named_without_number_are_on_the_map(self, data: Data) -> None:
        assert {"Constanta", "Ploesti", "Danzig", "Konigsberg", "Stettin"} <= data.map.cities.keys()

    def test_hexes_are_in_reading_order_and_indexed(self, data: Data) -> None:
        assert len(data.map.hexes) == data.map.rows * data.map.columns == 850
        assert [h.id for h in data.map.hexes] == [f"{r:02d}{c:02d}" for r in range(1, 35) for c in range(1, 26)]
        assert all(data.map.index[h.id] == h.index for h in data.map.hexes)

    def test_neighbours_and_rivers_are_mutual(self, data: Data) -> None:
        for hex in data.map.hexes:
            for at, direction in enumerate(DIRECTIONS):
                if (n := hex.neighbours[at]) >= 0:
                    back = DIRECTIONS.index(OPPOSITE[direction])
                    assert data.map.hexes[n].neighbours[back] == hex.index
                    assert data.map.hexes[n].rivers[back] == hex.rivers[at]

    def test_even_rows_lie_farther_west(self, data: Data) -> None:
        ids = dict(zip(DIRECTIONS, (data.map.hexes[n].id for n in data.map.hex("1422").neighbours), strict=True))
        assert ids == {"E": "1421", "W": "1423", "NE": "1322", "NW": "1323", "SE": "1522", "SW": "1523"}
        ids = dict(zip(DIRECTIONS, (data.map.hexes[n].id for n in data.map.hex("0705").neighbours), strict=True))
        assert ids == {"E": "0704", "W": "0706", "NE": "0604", "NW": "0605", "SE": "0804", "SW": "0805"}

    def test_neighbours_are_one_hex_away(self, data: Data) -> None:
        for hex in data.map.hexes:
            for other in beside(data, hex):
                (x, y), (u, v) = hex.at, other.at
                assert (x - u) ** 2 + (y - v) ** 2 == pytest.approx(1.0)

    def test_playable_land_hangs_together(self, data: Data) -> None:
        playable = {h.index for h in data.map.hexes if h.playable}
        reached: set[int] = set()
        waiting = [data.map.index["1422"]]
        while waiting:
            index = waiting.pop()
            if index not in reached:
                reached.add(index)
                waiting += [n for n in data.map.hexes[index].neighbours if n in playable]
        assert reached == playable

    def test_sea_and_neutral_land_are_out_of_play(self, data: Data) -> None:
        out = {h.country for h in data.map.hexes if not h.playable}
        assert out == {"", "sweden", "turkey"}
        assert all((h.terrain == "sea") == (h.country == "") for h in data.map.hexes)

    def test_coasts(self, data: Data) -> None:
        seas = {name: data.map.hexes[index].seas for name, index in data.map.cities.items()}
        for port in ("Kiel", "Stettin", "Danzig", "Konigsberg", "Riga"):
            assert seas[port] == ("baltic",)
        assert seas["Odessa"] == seas["Constanta"] == ("black_sea",)
        assert seas["Berlin"] == ()
        assert all(h.seas for h in data.map.hexes if h.city and h.city.port)

    def test_edges(self, data: Data) -> None:
        for hex in data.map.hexes:
            expected = {
                "north": hex.row == 1,
                "east": hex.column == 1,
                "south": hex.row == 34,
                "west": hex.column == 25,
            }
            assert set(hex.edges) == {edge for edge, lies in expected.items() if lies}
        assert data.map.supply_edges == {"axis": "west", "allied": "east"}

    def test_berlin_is_major_and_a_fortress_and_dresden_major(self, data: Data) -> None:
        """RV 9.2, RV 11.5."""
        berlin, dresden = data.map.hex("1422").city, data.map.hex("1622").city
        assert berlin is not None and berlin.size == "major" and berlin.fortress
        assert dresden is not None and dresden.size == "major"

    def test_volksgrenadier_cities(self, data: Data) -> None:
        """RV 11.8."""
        names = {h.city.name for h in data.map.hexes if h.city and h.city.volksgrenadier}
        assert names == {"Berlin", "Breslau", "Danzig", "Dresden", "Kiel", "Konigsberg", "Leipzig", "Stettin"}

    def test_countries_of_the_named_places(self, data: Data) -> None:
        countries = {name: data.map.hexes[index].country for name, index in data.map.cities.items()}
        for name, country in {
            "Budapest": "hungary",
            "Cluj": "hungary",
            "Sofia": "bulgaria",
            "Bucharest": "romania",
            "Ploesti": "romania",
            "Constanta": "romania",
            "Belgrade": "yugoslavia",
            "Zagreb": "yugoslavia",
            "Berlin": "germany",
            "Warsaw": "poland",
            "Kiev": "ussr",
        }.items():
            assert countries[name] == country

    def test_oil_fields(self, data: Data) -> None:
        assert {data.map.hexes[i].id for i in data.map.oil_fields.values()} == {h.id for h in data.map.hexes if h.oil}
        assert len(data.map.oil_fields) == 4


class TestStartLines:
    """RV 3.2, RV 3.3, RV 7.1."""

    def test_lines_are_as_long_as_recorded(self, data: Data) -> None:
        marks = Counter(h.start for h in data.map.hexes)
        assert marks == {"axis_line": 34, "allied_line": 34, "german_y": 5, "partisan": 5, "": 772}

    def test_every_allied_hex_beside_the_axis_line_is_a_start_hex(self, data: Data) -> None:
        for hex in data.map.hexes:
            if hex.start == "axis_line":
                assert all(other.start == "allied_line" for other in beside(data, hex) if other.control == "allied"), (
                    hex.id
                )

    def test_no_gap_between_the_sides(self, data: Data) -> None:
        for hex in data.map.hexes:
            if hex.control == "axis" and any(other.control == "allied" for other in beside(data, hex)):
                assert hex.start == "axis_line", hex.id

    def test_yugoslavia_belongs_to_both_and_the_rest_to_one(self, data: Data) -> None:
        """RV 7.3."""
        for hex in data.map.hexes:
            if not hex.playable:
                assert hex.control == ""
            else:
                assert (hex.control == "both") == (hex.country == "yugoslavia")

    def test_enough_romanian_hexes_for_the_romanian_units(self, data: Data) -> None:
        assert sum(data.map.hex(id).country == "romania" for id in data.map.marked("axis_line")) >= 2


class TestCounters:
    """RV 2.0."""

    def test_counters_add_up_to_140(self, data: Data) -> None:
        markers = sum(marker.count for marker in data.markers)
        assert (len(data.units), len(data.commanders), markers) == (128, 4, 8)
        assert data.counters == 140

    def test_printed_strengths(self, data: Data) -> None:
        """RV 8.43, RV 9.1, RV 9.2."""
        profiles: dict[tuple[str, str], Counter[tuple[int, int, int]]] = {}
        for unit in data.units.values():
            profiles.setdefault((unit.nation, unit.branch), Counter())[profile(unit)] += 1
        assert any(full[:2] == (4, 3) for full in profiles["soviet", "infantry"])
        assert set(profiles["soviet", "armor"]) == {(6, 5, 3)}
        assert any(full[1:] == (5, 2) for full in profiles["german", "armor"])
        assert profiles["german", "infantry"].most_common(1)[0][0] == (3, 3, 2)

    def test_backs_are_half_the_front_rounded_up(self, data: Data) -> None:
        for unit in data.units.values():
            assert unit.reduced == (0 if unit.steps == 1 else (unit.strength + 1) // 2), unit.id

    def test_minor_nations(self, data: Data) -> None:
        """RV 3.2, RV 11.43."""
        nations = Counter(unit.nation for unit in data.units.values())
        assert (nations["hungarian"], nations["romanian"], nations["bulgarian"], nations["polish"]) == (3, 2, 1, 2)
        assert sorted(str(u.arrival) for u in data.units.values() if u.nation == "polish") == ["0", "W"]
        hungarians = [u.setup for u in data.units.values() if u.nation == "hungarian"]
        assert sorted(hungarians) == ["2215", "2313", "axis_line"]
        assert data.units["bul-1"].setup == "3113"

    def test_one_marine_division_a_side(self, data: Data) -> None:
        """RV 11.6."""
        marines = [u for u in data.units.values() if u.branch == "marine"]
        assert sorted((u.nation, u.size, u.steps) for u in marines) == [
            ("german", "division", 1),
            ("soviet", "division", 1),
        ]
        assert all(u.size != "division" and u.steps == 2 for u in data.units.values() if u.branch != "marine")

    def test_german_units_are_corps_and_all_others_armies(self, data: Data) -> None:
        for unit in data.units.values():
            if unit.size != "division":
                assert unit.size == ("corps" if unit.nation == "german" else "army")

    def test_guards_are_soviet_infantry_with_movement_four(self, data: Data) -> None:
        """RV 6.6."""
        guards = [u for u in data.units.values() if u.is_guards]
        assert len(guards) == 11
        assert all(u.branch == "infantry" and u.nation == "soviet" and u.movement == 4 for u in guards)

    def test_ss_panzer_corps(self, data: Data) -> None:
        """RV 10.5, RV 11.9: II SS is on the map before November, I SS comes in February."""
        first, second = data.units["ger-i-ss-pz"], data.units["ger-ii-ss-pz"]
        assert first.ss and second.ss
        assert first.branch == second.branch == "armor"
        assert (first.arrival, second.arrival) == (9, 0)

    def test_axis_starts_with_more_armor(self, data: Data) -> None:
        armor = Counter(u.side for u in data.units.values() if u.branch == "armor" and u.starts_on_map)
        assert armor["axis"] > armor["allied"] > 0

    def test_both_lines_can_be_manned_within_stacking(self, data: Data) -> None:
        for mark in ("axis_line", "allied_line"):
            assert 34 <= sum(u.setup == mark for u in data.units.values()) <= 68

    def test_reinforcements_have_a_turn_and_no_setup(self, data: Data) -> None:
        for unit in data.units.values():
            assert unit.starts_on_map == (unit.arrival in (0, "Y")), unit.id
            assert unit.arrival != 1, unit.id


class TestCommanders:
    """RV 11.21 to RV 11.27."""

    def test_printed_modifiers_and_movement(self, data: Data) -> None:
        found = {c.id: (c.attack, c.defense, c.movement, c.exploitation, c.arrival) for c in data.commanders.values()}
        assert found == {
            "zhukov": (2, 2, 5, 3, 0),
            "konev": (2, 1, 5, 3, 0),
            "tito": (1, 2, 4, 1, 0),
            "dietrich": (1, 1, 6, 3, 9),
        }

    def test_hitler(self, data: Data) -> None:
        hitler = data.hitler
        assert (hitler.hex, hitler.attack, hitler.defense, hitler.defense_with_ss) == ("1422", 1, 1, 2)
        assert (hitler.suicide_attack_without_hit, hitler.suicide_hit, hitler.suicide_surrounded) == (6, 5, 4)


class TestTerrain:
    """RV 9.1."""

    def test_movement_costs(self, data: Data) -> None:
        costs = {t.id: (t.foot, t.mountain, t.mechanized) for t in data.terrain.values() if t.foot is not None}
        assert costs == {
            "clear": (1, 1, 1),
            "rough": (2, 1, 3),
            "swamp": (2, 2, 3),
            "forest": (1, 1, 2),
            "river": (0, 0, 1),
        }

    def test_defender_bonuses(self, data: Data) -> None:
        bonus = {t.id: (t.defender_each, t.defender_total) for t in data.terrain.values()}
        assert {id: both for id, both in bonus.items() if both != (0, 0)} == {
            "rough": (1, 0),
            "swamp": (0, 1),
            "forest": (0, 1),
            "major_city": (0, 1),
        }

    def test_attacker_penalties(self, data: Data) -> None:
        penalty = {t.id: (t.attacker_each, t.attacker_armor, t.halve_armor_from) for t in data.terrain.values()}
        assert {id: all_three for id, all_three in penalty.items() if all_three != (0, 0, False)} == {
            "swamp": (0, 0, True),
            "small_city": (0, -1, False),
            "major_city": (0, -1, False),
            "fortress": (-1, 0, False),
            "river": (-1, 0, False),
        }
        assert data.terrain["fortress"].hit_from == 5
        assert data.terrain["clear"].hit_from == 6
        assert data.terrain["swamp"].snow_as == "clear"


class TestTables:
    def test_historical_weather(self, data: Data) -> None:
        """RV 13.0."""
        assert Counter(data.weather.historical) == {"clear": 4, "light_mud": 2, "mud": 2, "snow": 3}
        assert data.weather.historical[4:7] == ("light_mud", "mud", "snow")
        assert data.weather.historical[9:] == ("mud", "light_mud")

    def test_random_weather(self, data: Data) -> None:
        """RV 14.7."""
        rows = [Counter(row) for row in data.weather.random]
        assert rows[0] == rows[1] == rows[2] == {"clear": 6}
        assert rows[3] == {"clear": 5, "light_mud": 1}
        assert rows[4] == rows[9] == {"clear": 2, "light_mud": 2, "mud": 2}
        assert rows[5] == {"clear": 1, "light_mud": 1, "mud": 3, "snow": 1}
        assert rows[6] == rows[7] == rows[8] == {"snow": 6}
        assert rows[10] == {"clear": 3, "light_mud": 3}

    def test_weather_effects(self, data: Data) -> None:
        """RV 13.0."""
        kinds = data.weather.kinds
        assert {k.id: k.no_exploitation for k in kinds.values()} == {
            "clear": (),
            "light_mud": ("allied",),
            "mud": ("allied", "axis"),
            "snow": (),
        }
        assert [k.id for k in kinds.values() if k.halve_movement] == ["mud"]
        assert [k.id for k in kinds.values() if k.halve_attack] == ["snow"]
        assert [k.id for k in kinds.values() if k.armor_zoc_limit] == ["light_mud", "mud"]
        assert kinds["snow"].exploitation_mp == -1

    def test_air_power(self, data: Data) -> None:
        """RV 12.1."""
        assert {(row.side, row.year): row.points for row in data.air_power} == {
            ("axis", 1944): (1, 0, 0, 0, 0, 0),
            ("axis", 1945): (),
            ("allied", 1944): (1, 1, 2, 2, 3, 3),
            ("allied", 1945): (1, 2, 3, 3, 4, 5),
        }

    def test_baltic_track(self, data: Data) -> None:
        """RV 12.22."""
        track = data.sea_control
        assert (track.advance.from_turn, track.advance.die) == (2, 5)
        found = {
            b.id: (
                b.defense_dice_combat,
                b.defense_dice_exploitation,
                b.attack_dice,
                b.supply,
                b.sea_moves,
                b.loss_from,
            )
            for b in track.boxes
        }
        assert list(found.items()) == [
            ("german_lake", (2, 2, 1, -1, 1, 7)),
            ("soviet_subs", (2, 2, 0, -1, 1, 5)),
            ("light_surface", (2, 0, 0, 1, 1, 4)),
            ("heavy_surface", (1, 0, 0, 0, 0, 7)),
        ]
        assert [b.marines for b in track.boxes] == [False, False, False, True]
        assert [b.sea_retreats for b in track.boxes] == [2, 2, 2, 0]
        assert (track.black_sea.attack_dice, track.black_sea.supply) == (1, 1)

    def test_replacements_are_the_same_for_both_sides(self, data: Data) -> None:
        """RV 10.2, RV 10.3."""
        rows = {
            side: [
                (r.first_turn, r.last_turn, r.armor, r.infantry, r.per_oil_field)
                for r in data.replacements
                if r.side == side
            ]
            for side in ("axis", "allied")
        }
        assert rows["axis"] == rows["allied"] == [(2, 7, 2, 2, 0), (8, 11, 0, 2, 1)]

    def test_arrival_hexes(self, data: Data) -> None:
        """RV 10.4, RV 10.11, RV 11.41, RV 11.43."""
        cities = {group: {data.map.hex(id).city.name for id in ids} for group, ids in data.reinforcements.items()}  # type: ignore[union-attr]
        assert cities == {
            "axis": {"Berlin", "Breslau", "Dresden", "Kiel", "Leipzig"},
            "allied": {"Odessa", "Kiev", "Minsk", "Vitebsk"},
            "yugoslav": {"Belgrade"},
            "polish": {"Warsaw"},
        }
        assert data.rebuilt.axis == data.reinforcements["axis"]
        assert data.rebuilt.allied_edge == "east"

    def test_victory(self, data: Data) -> None:
        """RV 15.1, RV 15.2."""
        assert {o.id: (o.hexes, o.points) for o in data.victory.objective} == {
            "berlin": (("1422",), 1),
            "vienna": (("2219",), 1),
            "prague": (("1922",), 1),
            "yugoslavia": ((), 1),
            "belgrade_zagreb": (("2818", "2624"), 1),
        }
        losses = data.victory.losses
        assert (losses.axis_half_points_per_removed, losses.axis_half_points_per_reduced) == (4, 2)
        assert (losses.allied_half_points_per_removed, losses.allied_half_points_per_reduced) == (2, 1)

    def test_options(self, data: Data) -> None:
        """RV 14.0."""
        assert [o.rule for o in data.options.values()] == [f"RV 14.{n}" for n in range(1, 9)]
        assert [o.favors for o in data.options.values()] == ["allied"] * 3 + ["axis"] * 3 + ["none"] * 2


class TestReadySetup:
    """RV 3.1 to RV 3.4."""

    def test_every_unit_that_starts_on_the_map_is_placed(self, data: Data, campaign: ScenarioDatum) -> None:
        starting = {u.id for u in data.units.values() if u.starts_on_map}
        starting |= {c.id for c in data.commanders.values() if c.arrival == 0}
        assert set(campaign.setup) == starting

    def test_stacks_hold_at_most_two_units_and_one_side(self, data: Data, campaign: ScenarioDatum) -> None:
        stacks: dict[str, list[UnitDatum]] = {}
        for id, at in campaign.setup.items():
            if id in data.units:
                stacks.setdefault(at, []).append(data.units[id])
        assert all(len(units) <= 2 and len({u.side for u in units}) == 1 for units in stacks.values())

    def test_each_line_is_held(self, data: Data, campaign: ScenarioDatum) -> None:
        held = {at for id, at in campaign.setup.items() if id in data.units}
        assert set(data.map.marked("axis_line")) <= held
        facing = {
            other.id
            for id in data.map.marked("axis_line")
            for other in beside(data, data.map.hex(id))
            if other.control == "allied"
        }
        assert facing <= held

    def test_romanians_stand_in_romania(self, data: Data, campaign: ScenarioDatum) -> None:
        for id, at in campaign.setup.items():
            if id.startswith("rom-"):
                assert data.map.hex(at).country == "romania"

    def test_turns(self, campaign: ScenarioDatum) -> None:
        months = [(t.year, t.month) for t in campaign.turn]
        assert months == [(1944, m) for m in range(6, 13)] + [(1945, m) for m in range(1, 5)]

    @pytest.mark.parametrize(
        ("changes", "key"),
        [
            ({"ger-xxviii": "0108"}, "setup.ger-xxviii"),
            ({"ger-xlii": "0107"}, "setup.ger-xlii"),
            ({"rom-3": "0206"}, "setup.rom-3"),
            ({"hun-3": "2515"}, "setup.hun-3"),
            ({"sov-28": "2602"}, "setup.sov-28"),
            ({"ger-lxix": "2925"}, "setup.ger-lxix"),
            ({"ger-vi": "0206"}, "setup"),
            ({"sov-28": "1405"}, "setup"),
            ({"sov-51": "0106"}, "setup.sov-51"),
            ({"sov-28": "9999"}, "setup.sov-28"),
        ],
    )
    def test_illegal_setups_are_refused(
        self, data: Data, campaign: ScenarioDatum, changes: dict[str, str], key: str
    ) -> None:
        with pytest.raises(DataError) as refused:
            check_setup(data, replace(campaign, setup={**campaign.setup, **changes}))
        assert (refused.value.file, refused.value.key) == ("scenarios/campaign.toml", key)

    def test_missing_unit_is_refused(self, data: Data, campaign: ScenarioDatum) -> None:
        setup = {id: at for id, at in campaign.setup.items() if id != "zhukov"}
        with pytest.raises(DataError) as refused:
            check_setup(data, replace(campaign, setup=setup))
        assert refused.value.key == "setup.zhukov"


class TestRulebook:
    def test_sections_are_numbered_once_and_titled(self) -> None:
        sections = rulebook()
        assert len({s.id for s in sections}) == len(sections) == 119
        assert all(s.title for s in sections)

    def test_notes_and_subsections_are_there(self) -> None:
        ids = {s.id for s in rulebook()}
        assert {"1.0", "6.42", "8.41", "8.65", "10.14", "11.27", "11.43", "12.22", "14.8", "15.4", "N1", "N7"} <= ids

    def test_headings_hold_subsections(self) -> None:
        ids = [s.id for s in rulebook()]
        for section in rulebook():
            if section.status == "heading":
                stem = section.id.removesuffix(".0") + "." if section.id.endswith(".0") else section.id
                assert any(id != section.id and id.startswith(stem) for id in ids), section.id


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
