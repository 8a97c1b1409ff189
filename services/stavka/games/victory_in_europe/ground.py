"""The map and the counters as the rules ask for them: constants worked out once from the data [VE 1.0] [VE 2.0].

MAP BLOCKS TYPES COUNTRIES TERRAIN       the loaded data
GRID                                     every area and sea as an AreaMap; links "land", "coast", "sea"
LAND SEAS                                sets of land areas, of seas with oceans and convoy zones
MAJORS SIDE_OF_MAJOR MINORS              powers
branch(block) is_leader(block) ...       what a block is
air_cost(place) sea_cost(place)          MP to enter
coast_of(area, sea)                      index of the area's coast on that sea, -1 for none
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe import load
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET
from stavka.kernel.areamap import AreaMap, Link, Space

MAP: Final = load.game_map()
BLOCKS: Final = load.blocks()
TYPES: Final = load.unit_types()
COUNTRIES: Final = load.countries()
TERRAIN: Final = load.terrain()

MAJORS: Final = tuple(country.id for country in COUNTRIES.values() if country.kind == "major")
MINORS: Final = tuple(country.id for country in COUNTRIES.values() if country.kind == "minor")
SIDE_OF_MAJOR: Final = {
    "germany": AXIS,
    "italy": AXIS,
    "britain": ALLIED,
    "france": ALLIED,
    "united_states": ALLIED,
    "soviet_union": SOVIET,
}
FREE_FORCES_POWER: Final = "britain"
"""Supplies, builds and takes areas with the free forces of conquered nations [VE 11.42]."""
SIDE_OF_DATA: Final = {"axis": AXIS, "allies": ALLIED, "soviets": SOVIET}
"""Words of the data files -> sides."""


def _links() -> list[Link]:
    found = [Link(b.a, b.b, "land") for row in MAP.borders.values() for b in row.values()]
    for sea, shores in MAP.shores.items():
        found += [Link(sea, area, "coast") for area, _ in shores]
    for sea, others in MAP.sea_links.items():
        found += [Link(sea, other, "sea") for other in others if sea < other]
    return list({(link.kind, frozenset((link.a, link.b))): link for link in found}.values())


GRID: Final = AreaMap([Space(area.id, area.kind) for area in MAP.areas.values()], _links())
LAND_GRAPH: Final = GRID.graph(("land",))
BIT: Final[dict[str, int]] = {area: GRID.bit(area) for area in MAP.areas}
LAND: Final = GRID.mask(area.id for area in MAP.areas.values() if area.is_land)
SEAS: Final = GRID.all & ~LAND
COUNTRY_MASK: Final = {country.id: GRID.mask(country.areas) for country in COUNTRIES.values()}

_BRANCH: Final = {block.id: block.type.branch for block in BLOCKS.values()}
_TYPE: Final = {block.id: block.type.id for block in BLOCKS.values()}
NATION: Final = {block.id: block.nation for block in BLOCKS.values()}
ORDER: Final = {block: number for number, block in enumerate(BLOCKS)}
"""Block -> its place in the manifest, for stable listings."""


STACK_KEY: Final = {block: "leader" if kind == "leader" else _BRANCH[block] for block, kind in _TYPE.items()}
"""Block -> what it shares a stacking limit with: army, leader, air, naval or convoy [VE 4.5]."""


UNLIMITED: Final = 99
NAVAL_STACK_BASE: Final = 2  # ships of a side in a naval base [VE 7.22]
NAVAL_STACK_COAST: Final = 1  # ships of a side in any other port [VE 7.12]
AIR_STACK: Final = 1  # air units of a side in an area or sea [VE 6.12]
CONVOY_STACK: Final = 1  # convoys in a convoy zone [VE 7.8]
LEADER_STACK: Final = 1  # leaders of a side in an area [VE 5.7]


def _stack_limit(place: str, key: str) -> int:
    """[VE 4.5] [VE 1.15] [VE 7.12] Blocks that share a limit which a side may have in a place."""
    area = MAP.areas[place]
    if area.is_land and area.stacking is None:
        return UNLIMITED
    if key == "air":
        return AIR_STACK
    if key == "leader":
        return LEADER_STACK if area.is_land else 0
    if key == "army":
        return (area.stacking or 0) if area.is_land else 0
    if area.is_land:
        return NAVAL_STACK_BASE if is_naval_base(place) else NAVAL_STACK_COAST
    if key == "convoy":
        return CONVOY_STACK
    return (area.stacking or 0) - (CONVOY_STACK if area.kind == "convoy" else 0)


def branch(block: str) -> str:
    """army, air, naval or convoy. Raises KeyError for an unknown block."""
    return _BRANCH[block]


def kind(block: str) -> str:
    """Unit type id, such as "panzer"."""
    return _TYPE[block]


def is_army(block: str) -> bool:
    return _BRANCH[block] == "army"


def is_air(block: str) -> bool:
    return _BRANCH[block] == "air"


def is_ship(block: str) -> bool:
    """Warships and convoys."""
    return _BRANCH[block] in ("naval", "convoy")


def is_leader(block: str) -> bool:
    return _TYPE[block] == "leader"


def is_fortress(block: str) -> bool:
    return _TYPE[block] == "fortress"


def is_submarine(block: str) -> bool:
    return _TYPE[block] == "submarine"


def is_infantry(block: str) -> bool:
    """Infantry for terrain and landings: airborne, shock, marines, cavalry and guards too [VE 2.6]."""
    return BLOCKS[block].type.infantry


def is_land(place: str) -> bool:
    return MAP.areas[place].is_land


def move_cost(place: str) -> int:
    """MP for a ship or an aircraft to enter: oceans and convoy zones take two [VE 7.11]."""
    return MAP.ocean_cost_mp if MAP.areas[place].kind in ("ocean", "convoy") else 1


def coast_of(area: str, sea: str) -> int:
    """Index of the coast of `area` that opens on `sea`, -1 when none does [VE 7.16]."""
    return next((index for index, coast in enumerate(MAP.areas[area].coasts) if sea in coast.seas), -1)


def has_port(area: str) -> bool:
    """Whether any port of the area opens on a sea [VE 1.43]."""
    return any(coast.seas for coast in MAP.areas[area].coasts)


def is_naval_base(area: str) -> bool:
    return any(coast.kind == "base" for coast in MAP.areas[area].coasts)


def is_red_port(area: str) -> bool:
    """A Mideast port [VE 1.45] [VE 8.8]."""
    return any(coast.kind == "red" for coast in MAP.areas[area].coasts)


def main_coast(area: str) -> int:
    """The coast that a ship is put on when nothing else decides: its naval base, else its first port on a sea."""
    coasts = MAP.areas[area].coasts
    by_rank = sorted((coast.kind != "base", index) for index, coast in enumerate(coasts) if coast.seas)
    return by_rank[0][1] if by_rank else -1


STACK_LIMIT: Final = {
    (key, place): _stack_limit(place, key)
    for key in ("army", "leader", "air", "naval", "convoy")
    for place in MAP.areas
}
"""(STACK_KEY, place) -> blocks that a side may have there [VE 4.5]."""
