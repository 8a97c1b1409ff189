"""Builds what a match starts from: scenarios and the two decks of command cards.

`EVENT_KINDS` is the closed vocabulary of card events: kind -> phase in which it works [VE 3.3] and the keys that it
takes. An event of another kind, or with other keys, is a DataError.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stavka.kernel.errors import DataError

from . import datafiles as files
from .load_map import game_map, known
from .load_tables import blocks, calendar, countries, unit_types
from .structures import Card, CardEvent, Deployment, FactoryPlacement, Placement, Scenario

SCENARIOS = ("campaign_1939", "barbarossa_1941", "stalingrad_1942", "kursk_1943", "bagration_1944")

EVENT_KINDS: Mapping[str, tuple[str, frozenset[str]]] = MappingProxyType(
    {
        "extra_sm": ("movement", frozenset({"nations", "types", "amount"})),
        "movement_bonus": ("movement", frozenset({"nations", "types", "amount", "units"})),
        "border_bonus": ("movement", frozenset({"nations", "amount"})),
        "cheap_invasion": ("movement", frozenset({"nations", "amount"})),
        "factory_moves": ("movement", frozenset({"nations", "amount"})),
        "firepower_bonus": ("combat", frozenset({"nations", "types", "amount", "role"})),
        "extend_battle": ("combat", frozenset({"nations", "amount"})),
        "winter_fire": ("combat", frozenset({"nations"})),
        "orderly_retreat": ("combat", frozenset({"nations"})),
        "double_defense": ("combat", frozenset({"nations", "types"})),
        "step_loss": ("combat", frozenset({"nations", "types", "amount", "areas"})),
        "supply_exception": ("supply", frozenset({"nations", "units"})),
        "diplomacy_bonus": ("diplomacy", frozenset({"countries", "amount"})),
        "extra_production": ("production", frozenset({"nations", "amount"})),
        "production_loss": ("production", frozenset({"nations", "amount"})),
        "free_steps": ("production", frozenset({"nations", "types", "amount"})),
        "release_unit": ("production", frozenset({"blocks", "areas", "amount"})),
    }
)
MAY_BE_EMPTY = frozenset({"types", "areas"})


def scenarios() -> tuple[str, ...]:
    """Scenario ids in order of their start."""
    return SCENARIOS


@cache
def scenario(name: str) -> Scenario:
    """The set-up `name`, cross-checked against map and blocks.

    Raises:
        DataError: the file is wrong, or there is no such scenario.
    """
    file = f"scenarios/{name}.toml"
    sheet = files.check(files.ScenarioFile, files.read_toml(file), file)
    if not 1 <= sheet.start_turn <= len(calendar().turns):
        raise DataError(file, "start_turn", "no such game turn")
    for country in (*sheet.powers, *sheet.minors, *sheet.control, *sheet.conquered_by.values()):
        known(countries(), country, file, country)
    units: dict[str, Placement] = {}
    factories: dict[str, FactoryPlacement] = {}
    markers: list[str] = []
    for key, rows in sheet.order_of_battle.items():
        for place, label, block, steps, source in rows:
            known(game_map().by_name, place, file, f"order_of_battle.{key}: {place}")
            area = game_map().by_name[place]
            if block == "marker":
                markers.append(area)
            elif block == "factory":
                _once(factories, area, file)
                factories[area] = FactoryPlacement(area, game_map().areas[area].homeland, steps, source)
            else:
                known(blocks(), block, file, f"order_of_battle.{key}: {label}")
                _once(units, block, file)
                units[block] = Placement(block, area, steps, source)
    for name_ in sheet.eliminated:
        known(blocks(), name_, file, "eliminated")
    return Scenario(
        sheet.id, sheet.title, sheet.section, sheet.start_turn, sheet.cards_in_hand, sheet.three_player_soviet_cards,
        sheet.usa_entry_option, MappingProxyType(dict(sheet.powers)), MappingProxyType({**sheet.minors}),
        MappingProxyType(dict(sheet.conquered_by)), _control(sheet, file, markers), tuple(units.values()),
        tuple(factories.values()), _pools(sheet, units), sheet.eliminated,
        tuple(
            Deployment(row.id, row.player, row.kind, row.nations, row.areas, row.at_least_one)
            for row in sheet.deployment
        ),
        sheet.notes,
    )  # fmt: skip


def _once(table: Mapping[str, object], name: str, file: str) -> None:
    if name in table:
        raise DataError(file, name, "placed twice")


def _control(sheet: files.ScenarioFile, file: str, markers: list[str]) -> Mapping[str, str]:
    """Land area -> controller: owner of 1939, then conquests, then the file's own list, which wins."""
    table = {area.id: area.owner for area in game_map().areas.values() if area.is_land}
    for country, victor in sheet.conquered_by.items():
        known(countries(), country, file, "conquered_by")
        for area in countries()[country].areas:
            table[area] = victor
    for holder, areas in sheet.control.items():
        for area in areas:
            known(table, area, file, f"control.{holder}")
            table[area] = holder
    for area in markers:
        if table[area] == game_map().areas[area].homeland:
            raise DataError(file, area, "a marker stands where its owner needs none")
    return MappingProxyType(table)


def _pools(sheet: files.ScenarioFile, units: Mapping[str, Placement]) -> Mapping[str, tuple[str, ...]]:
    """Country -> blocks off the map that it may still bring; conquered nations leave their free forces to Britain."""
    pools: dict[str, list[str]] = {}
    free = {block for country in countries().values() for block in country.free_forces}
    for block in blocks().values():
        if block.id in units or block.id in sheet.eliminated:
            continue
        standing = sheet.powers.get(block.nation) or sheet.minors.get(block.nation, "neutral")
        if standing in ("conquered", "surrendered"):
            if block.id in free:
                pools.setdefault("britain", []).append(block.id)
        elif countries()[block.nation].kind == "major" or standing == "neutral":
            pools.setdefault(block.nation, []).append(block.id)
    return MappingProxyType({country: tuple(names) for country, names in pools.items()})


@cache
def deck(player: str) -> tuple[Card, ...]:
    """The 54 cards of "axis" or "allied", year by year.

    Raises:
        DataError: the file is wrong, or there is no such deck.
    """
    file = f"cards_{player}.toml"
    sheet = files.check(files.DeckFile, files.read_toml(file), file)
    cards = tuple(
        Card(row.id, row.title, page.year, row.color, row.cm, row.weight, _event(row.event, file, row.id))
        for page in sheet.years
        for row in page.card
    )
    if len({card.id for card in cards}) != len(cards):
        raise DataError(file, "id", "a card id is given twice")
    return cards


def _event(row: files.EventRow, file: str, key: str) -> CardEvent:
    known(EVENT_KINDS, row.kind, file, key)
    phase, takes = EVENT_KINDS[row.kind]
    given = row.model_fields_set - {"kind"}
    if given - takes or takes - given - MAY_BE_EMPTY:
        raise DataError(file, f"{key}.event", f"{row.kind} takes {sorted(takes)}, not {sorted(given)}")
    for country in (*row.nations, *row.countries):
        known(countries(), country, file, key)
    for block in row.blocks:
        known(blocks(), block, file, key)
    return CardEvent(
        row.kind, phase, row.nations, _types(row.types, file, key), row.amount, row.units, row.role,
        _areas(row.areas, file, key), row.countries, row.blocks,
    )  # fmt: skip


def _types(words: tuple[str, ...], file: str, key: str) -> frozenset[str]:
    """A word is a branch (army, air, naval), "infantry" for all that counts as infantry, or one unit type."""
    found: set[str] = set()
    for word in words:
        matching = {
            kind.id
            for kind in unit_types().values()
            if word in (kind.id, kind.branch) or (word == "infantry" and kind.infantry)
        }
        if not matching:
            raise DataError(file, key, f"{word!r} is no unit type")
        found |= matching
    return frozenset(found)


def _areas(words: tuple[str, ...], file: str, key: str) -> frozenset[str]:
    """A word is an area, or "*country" for all areas of that country."""
    found: set[str] = set()
    for word in words:
        if word.startswith("*"):
            known(countries(), word[1:], file, key)
            found.update(countries()[word[1:]].areas)
        else:
            known(game_map().areas, word, file, key)
            found.add(word)
    return frozenset(found)
