"""Red Vengeance's map: printed cities, neighbours, coasts, edges, countries, and the lines at the start."""

from __future__ import annotations

from collections import Counter

import pytest
from stavka.games.red_vengeance.charts import Data
from stavka.kernel.hexgrid import DIRECTIONS, OPPOSITE

from tests.games.red_vengeance.field import beside

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

    def test_every_hex_has_one_base_terrain(self, data: Data) -> None:
        """RV 6.21."""
        bases = {"clear", "rough", "swamp", "forest"}
        assert {h.terrain for h in data.map.hexes if h.playable} == bases
        assert all(data.terrain[base].where_on_map == "hex" for base in bases)

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
