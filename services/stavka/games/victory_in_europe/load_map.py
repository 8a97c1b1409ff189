"""Builds the map from areas.csv, borders.csv, coasts.csv, sea_links.csv and map.toml [VE 1.0]."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stavka.kernel.errors import DataError

from . import datafiles as files
from .structures import Area, Border, Coast, ConvoyZone, GameMap, Passage


@cache
def game_map() -> GameMap:
    """The map. Shape: 152 land areas, 27 seas, 4 oceans, 4 convoy zones."""
    sheet = files.check(files.MapFile, files.read_toml("map.toml"), "map.toml")
    coasts = _coasts()
    areas: dict[str, Area] = {}
    by_name: dict[str, str] = {}
    for row in files.read_csv("areas.csv", files.AreaRow):
        capital = {"yes": row.country, "": ""}.get(row.capital, row.capital)
        areas[row.id] = Area(
            row.id, row.name, row.kind, row.terrain, row.stacking, row.small_island, row.country, row.homeland,
            row.owner_1939, capital, row.city == "major", row.factory_max or 0, row.resource or 0,
            row.homeland in ("soviet_union", "finland"), coasts.pop(row.id, ()), row.lat, row.lon,
        )  # fmt: skip
        for name in (row.name, *row.aliases):
            by_name[name] = row.id
    if coasts:
        raise DataError("coasts.csv", next(iter(coasts)), "no such area")
    borders = _borders(areas)
    passages = {
        row.id: Passage(
            row.id, row.name, row.shores, row.counts, row.needs_friendly, row.only, row.submarines, row.rule
        )
        for row in sheet.passage
    }
    shores: dict[str, list[tuple[str, int]]] = {}
    for area in areas.values():
        for index, coast in enumerate(area.coasts):
            for sea in coast.seas:
                known(areas, sea, "coasts.csv", area.id)
                shores.setdefault(sea, []).append((area.id, index))
    named = (*sheet.middle_east, *sheet.north_africa, *sheet.freezing_seas, *sheet.alternate_supply.values())
    for name in (*named, *(shore for p in passages.values() for shore in p.shores)):
        known(areas, name, "map.toml", name)
    return GameMap(
        MappingProxyType(areas),
        borders,
        _sea_links(areas, passages),
        MappingProxyType({sea: tuple(found) for sea, found in shores.items()}),
        frozenset(sheet.middle_east),
        frozenset(sheet.north_africa),
        frozenset(sheet.freezing_seas),
        _pairs(sheet.norwegian_leads),
        _pairs(sheet.lake_supply),
        MappingProxyType(dict(sheet.alternate_supply)),
        MappingProxyType(
            {row.area: ConvoyZone(row.area, row.builder, row.receiver, row.gives) for row in sheet.convoy_zone}
        ),
        sheet.ocean_cost_mp,
        MappingProxyType(by_name),
    )


def _coasts() -> dict[str, tuple[Coast, ...]]:
    found: dict[str, dict[tuple[str, str], list[files.CoastRow]]] = {}
    for row in files.read_csv("coasts.csv", files.CoastRow):
        found.setdefault(row.area, {}).setdefault((row.port, row.kind), []).append(row)
    return {
        area: tuple(
            Coast(port, kind, tuple(r.sea for r in rows if r.sea), frozenset(r.sea for r in rows if r.invadable))
            for (port, kind), rows in ports.items()
        )
        for area, ports in found.items()
    }


def _borders(areas: Mapping[str, Area]) -> Mapping[str, Mapping[str, Border]]:
    table: dict[str, dict[str, Border]] = {area.id: {} for area in areas.values() if area.is_land}
    for row in files.read_csv("borders.csv", files.BorderRow):
        border = Border(row.a, row.b, row.terrain, row.limit, row.freezes, row.tree_lined, row.name)
        for here, there in ((row.a, row.b), (row.b, row.a)):
            if here not in table or there in table[here]:
                raise DataError("borders.csv", f"{row.a}-{row.b}", "unknown area or border given twice")
            table[here][there] = border
    return MappingProxyType({area: MappingProxyType(row) for area, row in table.items()})


def _sea_links(
    areas: Mapping[str, Area], passages: Mapping[str, Passage]
) -> Mapping[str, Mapping[str, Passage | None]]:
    table: dict[str, dict[str, Passage | None]] = {area.id: {} for area in areas.values() if not area.is_land}
    for row in files.read_csv("sea_links.csv", files.SeaLinkRow):
        if row.a not in table or row.b not in table or (row.passage and row.passage not in passages):
            raise DataError("sea_links.csv", f"{row.a}-{row.b}", "unknown sea or passage")
        table[row.a][row.b] = table[row.b][row.a] = passages.get(row.passage)
    return MappingProxyType({sea: MappingProxyType(links) for sea, links in table.items()})


def _pairs(pairs: tuple[tuple[str, str], ...]) -> Mapping[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for a, b in pairs:
        table[a] = (*table.get(a, ()), b)
        table[b] = (*table.get(b, ()), a)
    return MappingProxyType(table)


def known(table: Mapping[str, object], name: str, file: str, key: str) -> None:
    """DataError unless `name` is a key of `table`."""
    if name not in table:
        raise DataError(file, key, f"{name!r} is not known")
