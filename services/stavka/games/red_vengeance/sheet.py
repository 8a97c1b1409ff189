"""The map sheet from map.toml, hexes.csv and rivers.csv [RV 2.0].

Numbers are RRCC: row from the north edge, column from the EAST edge. Hexes are pointy-top; even rows lie half a hex
farther west than odd rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass as plain
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from stavka.kernel.errors import DataError
from stavka.kernel.hexgrid import DIRECTIONS, HexGrid

from .datum import (
    STRICT,
    BaseTerrain,
    City,
    Control,
    Country,
    Edge,
    HexDatum,
    HexId,
    MapData,
    OilField,
    Sea,
    SideId,
    Source,
    StartMark,
)
from .files import by_id, parse, parse_row, read_csv, read_toml

MAP = "map.toml"
HEXES = "hexes.csv"
RIVERS = "rivers.csv"
ROW_HEIGHT = 0.75**0.5  # of a pointy-top hex one wide


@dataclass(frozen=True, slots=True, config=STRICT)
class Grid:
    hex: Literal["pointy-top"]
    rows: int
    columns: int
    shifted_rows: Literal["even"]
    miles_per_hex: int
    sheet_inches: tuple[int, int]
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class SupplyEdges:
    axis: Edge
    allied: Edge
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class FortressSides:
    sides: Literal["all"]
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Provenance:
    column: str
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Misprint:
    city: str
    hex: HexId
    where: str
    ruling: str


@dataclass(frozen=True, slots=True, config=STRICT)
class MapFile:
    grid: Grid
    edges: SupplyEdges
    fortress: FortressSides
    provenance: tuple[Provenance, ...]
    misprint: tuple[Misprint, ...]
    country: tuple[Country, ...]
    city: tuple[City, ...]
    oil_field: tuple[OilField, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class HexRow:
    hex: HexId
    terrain: BaseTerrain
    country: str
    sea: Sea | Literal[""]
    lat: float
    lon: float
    control: Control
    start: StartMark
    source: Source


@dataclass(frozen=True, slots=True, config=STRICT)
class RiverRow:
    hex_a: HexId
    hex_b: HexId
    river: str
    source: Source


@plain(frozen=True, slots=True)
class Sheet:
    """The printed rows before they are joined, keyed by hex id."""

    file: MapFile
    rows: Mapping[str, HexRow]
    cities: Mapping[str, City]
    countries: Mapping[str, Country]


_MAP: TypeAdapter[MapFile] = TypeAdapter(MapFile)
_HEX: TypeAdapter[HexRow] = TypeAdapter(HexRow)
_RIVER: TypeAdapter[RiverRow] = TypeAdapter(RiverRow)


def read_map(folder: Path) -> MapData:
    """Raises DataError if a file is wrong or the three do not fit together."""
    file = parse(_MAP, read_toml(folder, MAP), MAP)
    rows = _read_hexes(folder, file.grid)
    countries = by_id(file.country, MAP, "country")
    sheet = Sheet(file, rows, _cities(file, rows), countries)
    ids = list(rows)
    index = {id: number for number, id in enumerate(ids)}
    board = HexGrid(file.grid.rows, file.grid.columns, shifted=file.grid.shifted_rows, columns_from="east")
    around = {id: tuple(board.neighbor(id, direction) for direction in DIRECTIONS) for id in ids}
    rivers = _read_rivers(folder, rows, around)
    oil = {_land(rows, field.hex, f"oil_field[{field.hex}]") for field in file.oil_field}
    hexes = tuple(_hex(sheet, id, index, around[id], rivers, id in oil) for id in ids)
    return MapData(
        rows=file.grid.rows,
        columns=file.grid.columns,
        hexes=hexes,
        index=MappingProxyType(index),
        cities=MappingProxyType({city.name: index[city.hex] for city in file.city}),
        oil_fields=MappingProxyType({field.name: index[field.hex] for field in file.oil_field}),
        countries=countries,
        supply_edges=MappingProxyType[SideId, Edge]({"axis": file.edges.axis, "allied": file.edges.allied}),
    )


def _read_hexes(folder: Path, grid: Grid) -> Mapping[str, HexRow]:
    expected = [f"{row:02d}{column:02d}" for row in range(1, grid.rows + 1) for column in range(1, grid.columns + 1)]
    rows = read_csv(folder, HEXES, tuple(HexRow.__dataclass_fields__))
    if len(rows) != len(expected):
        raise DataError(HEXES, "hex", f"{len(rows)} rows, not {len(expected)}")
    found: dict[str, HexRow] = {}
    for id, raw in zip(expected, rows, strict=True):
        row = parse_row(_HEX, raw, HEXES, f"hex[{id}]")
        if row.hex != id:
            raise DataError(HEXES, f"hex[{id}]", f"reading order wants {id}, not {row.hex}")
        if (row.terrain == "sea") != (row.sea != "") or (row.terrain == "sea") == (row.country != ""):
            raise DataError(HEXES, f"hex[{id}].sea", "a hex has either a sea or a country")
        found[id] = row
    return MappingProxyType(found)


def _read_rivers(
    folder: Path,
    rows: Mapping[str, HexRow],
    around: Mapping[str, tuple[str | None, ...]],
) -> frozenset[frozenset[str]]:
    found: set[frozenset[str]] = set()
    for number, raw in enumerate(read_csv(folder, RIVERS, tuple(RiverRow.__dataclass_fields__)), start=2):
        key = f"line {number}"
        river = parse_row(_RIVER, raw, RIVERS, key)
        for id in (river.hex_a, river.hex_b):
            if id not in rows:
                raise DataError(RIVERS, key, f"no hex {id}")
            if rows[id].terrain == "sea":
                raise DataError(RIVERS, key, f"{id} is sea")
        side = frozenset((river.hex_a, river.hex_b))
        if river.hex_b not in around[river.hex_a]:
            raise DataError(RIVERS, key, f"{river.hex_a} and {river.hex_b} are no neighbours")
        if side in found:
            raise DataError(RIVERS, key, "stands twice")
        found.add(side)
    return frozenset(found)


def _cities(file: MapFile, rows: Mapping[str, HexRow]) -> Mapping[str, City]:
    misprints = {(misprint.city, misprint.hex): misprint for misprint in file.misprint}
    found: dict[str, City] = {}
    names: set[str] = set()
    for city in file.city:
        key = f"city[{city.hex}]"
        if (city.name, city.hex) in misprints:
            misprint = misprints[city.name, city.hex]
            raise DataError(
                MAP,
                key,
                f"{city.name} is not at {city.hex} ({misprint.where}): {misprint.ruling}",
            )
        _land(rows, city.hex, key)
        if city.hex in found or city.name in names:
            raise DataError(MAP, key, "hex or name stands twice")
        names.add(city.name)
        found[city.hex] = city
    return MappingProxyType(found)


def _land(rows: Mapping[str, HexRow], id: str, key: str) -> str:
    if id not in rows or rows[id].terrain == "sea":
        raise DataError(MAP, key, f"{id} is no land hex")
    return id


def _hex(
    sheet: Sheet,
    id: str,
    index: Mapping[str, int],
    around: tuple[str | None, ...],
    rivers: frozenset[frozenset[str]],
    oil: bool,
) -> HexDatum:
    row = sheet.rows[id]
    grid = sheet.file.grid
    number, column = int(id[:2]), int(id[2:])
    if row.country and row.country not in sheet.countries:
        raise DataError(HEXES, f"hex[{id}].country", f"no country {row.country}")
    land = row.terrain != "sea"
    city = sheet.cities.get(id)
    seas = {sheet.rows[n].sea for n in around if n is not None} if land else {row.sea}
    if city is not None and city.port and seas <= {""}:
        raise DataError(MAP, f"city[{id}].port", "no sea beside it")
    edges: dict[Edge, bool] = {
        "north": number == 1,
        "east": column == 1,
        "south": number == grid.rows,
        "west": column == grid.columns,
    }
    return HexDatum(
        id=id,
        index=index[id],
        row=number,
        column=column,
        terrain=row.terrain,
        country=row.country,
        playable=land and not sheet.countries[row.country].neutral,
        seas=tuple(sorted(sea for sea in seas if sea != "")),
        edges=tuple(edge for edge, lies in edges.items() if lies),
        city=city,
        oil=oil,
        start=row.start,
        control=row.control,
        neighbours=tuple(-1 if n is None else index[n] for n in around),
        rivers=tuple(n is not None and frozenset((id, n)) in rivers for n in around),
        at=(grid.columns - column - (0.0 if number % 2 else 0.5), number * ROW_HEIGHT),
        latitude=row.lat,
        longitude=row.lon,
        source=row.source,
    )
