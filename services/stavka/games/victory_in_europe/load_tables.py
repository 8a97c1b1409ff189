"""Builds the tables: unit types, blocks, terrain effects, countries, diplomacy, calendar."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stavka.kernel.errors import DataError

from . import datafiles as files
from .load_map import game_map, known
from .structures import Block, Calendar, Country, DiplomacyTable, Terrain, Turn, UnitType


@cache
def unit_types() -> Mapping[str, UnitType]:
    """Unit types by id, "factory" (its flak) included [VE 2.6] [VE 5.4]."""
    table = {}
    for name, data in files.read_toml("types.toml").items():
        row = files.check(files.TypeRow, data, "types.toml", name)
        table[name] = UnitType(
            name, row.branch, frozenset(row.primary), frozenset(row.secondary), MappingProxyType({**row.fire_at}),
            row.infantry, row.bombards, row.double_defense, row.rebuildable, row.stacks,
        )  # fmt: skip
    return MappingProxyType(table)


@cache
def blocks() -> Mapping[str, Block]:
    """Every block by id, nation by nation in the order of the force pools [VE 2.1]."""
    table: dict[str, Block] = {}
    for nation, data in files.read_toml("blocks.toml").items():
        known(countries(), nation, "blocks.toml", nation)
        for row in files.check(files.BlockList, data, "blocks.toml", nation).blocks:
            known(unit_types(), row.type, "blocks.toml", row.id)
            if row.id in table:
                raise DataError("blocks.toml", row.id, "given twice")
            kind = unit_types()[row.type]
            table[row.id] = Block(
                row.id, row.name, nation, kind, row.steps, row.fire[:1], int(row.fire[1:] or 0),
                MappingProxyType({**kind.fire_at, **row.fire_at}), row.move, row.cost, row.year, frozenset(row.printed),
            )  # fmt: skip
    return MappingProxyType(table)


@cache
def terrain() -> Mapping[str, Terrain]:
    """Terrain effects by name: four kinds of area, three of border, and the fortress [VE 1.1]."""
    table = {}
    for name, data in files.read_toml("terrain.toml").items():
        row = files.check(files.TerrainRow, data, "terrain.toml", name)
        table[name] = Terrain(name, row.stop, row.stacking, row.border, row.border_frozen, row.defense)
    return MappingProxyType(table)


@cache
def countries() -> Mapping[str, Country]:
    """Countries by id: six majors, the minors with Vichy France, the territories [VE 13.0]."""
    sheet = files.check(files.CountryFile, files.read_toml("countries.toml"), "countries.toml")
    table: dict[str, Country] = {}
    for row in sheet.country:
        for name in (row.capital, *row.areas, *(r[0] for r in row.deploy)):
            if name and name not in game_map().areas:
                raise DataError("countries.toml", row.id, f"{name!r} is not an area")
        table[row.id] = Country(
            row.id, row.name, row.kind, row.side, row.capital, row.section, row.owner,
            row.areas or game_map().of_country(row.id), row.resources_axis_only, row.exports, row.deploy,
            row.free_forces, row.mobilization, row.mobilization_factories, MappingProxyType(dict(row.values)),
        )  # fmt: skip
    for area in game_map().areas.values():
        if area.is_land:
            known(table, area.country, "areas.csv", area.id)
            known(table, area.owner, "areas.csv", area.id)
    return MappingProxyType(table)


@cache
def diplomacy() -> DiplomacyTable:
    """The diplomatic table with its modifiers [VE 10.2]."""
    sheet = files.check(files.DiplomacyFile, files.read_toml("diplomacy.toml"), "diplomacy.toml")
    targets = {}
    for row in sheet.row:
        known(countries(), row.country, "diplomacy.toml", row.country)
        columns = {"axis": row.axis, "allies": row.allies, "soviets": row.soviets}
        targets[row.country] = MappingProxyType({player: target for player, target in columns.items() if target})
    mods = sheet.modifiers
    return DiplomacyTable(
        MappingProxyType(targets),
        MappingProxyType({row.country: row.first_year for row in sheet.row}),
        mods.proximity,
        mods.rebuff,
        mods.defender,
        mods.spain_axis_if_portugal_british,
        frozenset(mods.no_proximity),
    )


@cache
def calendar() -> Calendar:
    """The 26 game turns, 1939 summer to 1945 fall [VE 3.1] [VE 3.4]."""
    sheet = files.check(files.CalendarFile, files.read_toml("calendar.toml"), "calendar.toml")
    turns = tuple(Turn(row.number, row.year, row.season, row.winter) for row in sheet.turn)
    if [turn.number for turn in turns] != list(range(1, len(turns) + 1)):
        raise DataError("calendar.toml", "turn", "numbers must run from 1 without gaps")
    first, later = sheet.cards["1939"], sheet.cards["later"]
    return Calendar(turns, first.deck, first.draw, later.deck, later.draw)


@cache
def rulebook() -> tuple[Mapping[str, str], ...]:
    """The index of the rulebook in its order; each section has id, title, status and, where we ruled, ruling."""
    sheet = files.check(files.RulebookFile, files.read_toml("../rulebook.toml"), "rulebook.toml")
    return tuple(MappingProxyType(row.model_dump(exclude_unset=True)) for row in sheet.section)
