"""What may be built where, at what price, apart from what it is paid with [VE 11.3] [VE 11.4] [VE 11.41] [VE 11.42] [VE 11.5].

    new_sites(state, block)            areas (or convoy zones) in which a block of the pool may be built
    step_refused(state, block)         why a block on the map gets no step, or None
    factory_room(state, area)          factory steps that may be added in an area in this phase
    account_of(state, block)           powers that pay for a block by themselves
    price(state, block, place)         PP a step, surcharges included [VE 8.8]

Limits that depend on what else is built in the phase (room, one step a unit) are the ledger's.
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc, bloc_of, board_of, enemies_at, friendly_land, hostile, room
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, COUNTRIES, GRID, MAP, MINORS, SIDE_OF_MAJOR
from stavka.games.victory_in_europe.production.tally import (
    CONVOY_OF,
    LEND_LEASE,
    USA,
    lines_to,
)
from stavka.games.victory_in_europe.reach import URALS, urals_open
from stavka.games.victory_in_europe.season import turn_of
from stavka.games.victory_in_europe.standing import MARKER_STEPS
from stavka.games.victory_in_europe.state import ALLIED, AXIS, CONQUERED, SIDES, State
from stavka.games.victory_in_europe.supply import in_supply, lake_supplied, supplied
from stavka.kernel.errors import IllegalAction

FACTORY: Final = "factory"
FACTORY_COST: Final = 2  # PP a step [VE 11.31]
SURCHARGE: Final = 1  # PP a step [VE 8.8]
MARKERS: Final = {
    URALS: COUNTRIES["soviet_union"].values["urals_factory_markers"],
    COUNTRIES[USA].capital: COUNTRIES[USA].values["factory_markers"],
}
"""Areas with more than one factory marker [VE 11.31]."""
_URALS_STEPS: Final = COUNTRIES["soviet_union"].values["urals_factories_1939"]
_NEUTRAL_USA_STEPS: Final = COUNTRIES[USA].values["factories_while_neutral"]
_FAR_OFF: Final = GRID.mask((*MAP.middle_east, *MAP.north_africa))
_BASES: Final = GRID.mask(area for area in MAP.areas if ground.is_land(area) and ground.is_naval_base(area))
_ZONE_OF: Final = {block: zone for zone, block in CONVOY_OF.items()}
_FORT_AT: Final = {
    block: MAP.by_name.get(BLOCKS[block].name.removeprefix("Fortress "), "")
    for block in BLOCKS
    if ground.is_fortress(block)
}
"""Fortress -> the area whose name it bears."""


# Whose


def is_free(state: State, nation: str) -> bool:
    """Whether a nation's blocks are free forces: it is conquered or has surrendered [VE 11.42]."""
    return nation in state.fallen or (nation in MINORS and state.minors[nation] == CONQUERED)


def account_of(state: State, block: str) -> tuple[str, ...]:
    """[VE 11.4] [VE 11.42] [VE 11.5] Powers whose PP pay for a block: its own, Britain for free forces, and for a minor's
    block any of its side that has a supply line to it."""
    nation = BLOCKS[block].nation
    if is_free(state, nation):
        return (ground.FREE_FORCES_POWER,)
    if nation in SIDE_OF_MAJOR:
        return (nation,)
    side, piece = state.minors[nation], state.blocks.get(block)
    if side not in SIDES or piece is None:
        return ()
    return tuple(
        power
        for power, owner in SIDE_OF_MAJOR.items()
        if owner == side and bloc(state, power) == side and power not in state.fallen
        and BIT[piece.at] & lines_to(state, power)
    )  # fmt: skip


# [VE 11.4] [VE 11.41] [VE 1.44] new blocks


def builder(state: State, block: str) -> str:
    """Power in whose homeland a new block appears."""
    nation = BLOCKS[block].nation
    return ground.FREE_FORCES_POWER if is_free(state, nation) else nation


def build_refused(state: State, block: str, area: str) -> IllegalAction | None:
    """Why a block of the pool cannot be built in a place; None if it can as far as its surroundings go."""
    datum = BLOCKS[block]
    if turn_of(state).year < datum.year:
        return IllegalAction("VE 2.1", "NOT_YET_AVAILABLE", block=block, year=datum.year)
    if block in _ZONE_OF:
        return _convoy_refused(state, block, area)
    power = builder(state, block)
    place = MAP.areas[area]
    if place.homeland != power or not BIT[area] & friendly_land(state, bloc(state, power)):
        return IllegalAction("VE 11.4", "NOT_HOMELAND", area=area)
    if not state.factories.get(area):
        return IllegalAction("VE 11.4", "NO_FACTORY", area=area)
    if not _has_line(state, power, area):
        return IllegalAction("VE 11.4", "AREA_NOT_SUPPLIED", area=area)
    if ground.is_ship(block) and not ground.is_naval_base(area):
        return IllegalAction("VE 11.41", "NO_NAVAL_BASE", area=area)
    if ground.is_fortress(block) and _FORT_AT[block] != area:
        return IllegalAction("VE 2.6", "FORTRESS_STANDS_ELSEWHERE", area=area)
    return None


def _has_line(state: State, power: str, area: str) -> bool:
    """Supply for building; Leningrad over the lake builds with its own PP [VE 1.9]."""
    return bool(BIT[area] & supplied(state, power)) or lake_supplied(state, area, power)


def _convoy_refused(state: State, block: str, zone: str) -> IllegalAction | None:
    """[VE 7.8] [VE 7.81] Convoys are built in their own zone, which no enemy may hold; lend-lease to the Soviet Union needs war."""
    if zone != _ZONE_OF[block]:
        return IllegalAction("VE 7.8", "NOT_ITS_ZONE", area=zone)
    if enemies_at(state, zone, ALLIED):  # a neutral's convoy may be attacked too [VE 7.81]
        return IllegalAction("VE 7.8", "ENEMY_IN_ZONE", area=zone)
    if zone == LEND_LEASE["soviet_union"] and not {USA, "soviet_union"} <= state.at_war:
        return IllegalAction("VE 7.81", "NOT_BOTH_AT_WAR", area=zone)
    return None


def new_sites(state: State, block: str) -> tuple[str, ...]:
    """Places in which a block of the pool may be built and finds room, in map order."""
    if block in _ZONE_OF:
        wanted: tuple[str, ...] = (_ZONE_OF[block],)
    else:
        power = builder(state, block)
        wanted = tuple(area for area in state.factories if MAP.areas[area].homeland == power)
    side = side_of(state, block)
    fitting = (a for a in wanted if room(state, side, a, block) > 0 and build_refused(state, block, a) is None)
    return tuple(sorted(fitting, key=GRID.index))


def side_of(state: State, block: str) -> str:
    """Side that a block of the pool is built for."""
    nation = BLOCKS[block].nation
    return ALLIED if is_free(state, nation) else SIDE_OF_MAJOR[nation]


# [VE 11.4] steps of blocks on the map


def step_refused(state: State, block: str) -> IllegalAction | None:
    """Why a block on the map cannot get a step; None if it can."""
    piece, datum = state.blocks[block], BLOCKS[block]
    if piece.nation in MINORS and not is_free(state, piece.nation) and state.minors[piece.nation] not in SIDES:
        return IllegalAction("VE 11.5", "NOT_AN_ALLY", nation=piece.nation)
    if piece.steps >= datum.steps:
        return IllegalAction("VE 11.4", "FULL_STRENGTH", block=block)
    if block in _ZONE_OF:
        return _convoy_refused(state, block, piece.at)
    if ground.is_ship(block):
        home = BIT[piece.at] & _BASES & friendly_land(state, bloc_of(state, piece))
        if not home & supplied(state, piece.nation):
            return IllegalAction("VE 11.41", "NOT_IN_NAVAL_BASE", block=block)
        return None
    if not in_supply(state, block):
        return IllegalAction("VE 8.2" if ground.is_fortress(block) else "VE 11.4", "NOT_SUPPLIED", block=block)
    return None


# [VE 11.31] factories


def factory_refused(state: State, power: str, area: str) -> IllegalAction | None:
    """Why a power cannot build factory steps in an area; None if it can as far as its surroundings go."""
    place = MAP.areas[area]
    if place.homeland != power or not place.major_city:
        return IllegalAction("VE 11.31", "NOT_A_HOMELAND_CITY", area=area)
    if state.control[area] != power or not BIT[area] & friendly_land(state, bloc(state, power)):
        return IllegalAction("VE 11.31", "NOT_FRIENDLY", area=area)
    if not _has_line(state, power, area):
        return IllegalAction("VE 11.31", "AREA_NOT_SUPPLIED", area=area)
    if factory_room(state, area) < 1:
        return IllegalAction("VE 11.31", "NO_ROOM_FOR_FACTORY", area=area)
    return None


def factory_room(state: State, area: str) -> int:
    """Steps that may be added now: one a marker, new markers one each, within the area's limit."""
    markers = state.factories.get(area, ())
    growing = sum(steps < MARKER_STEPS for steps in markers)
    fresh = MARKERS.get(area, 1) - len(markers)
    return max(0, min(growing + fresh, factory_limit(state, area) - sum(markers)))


def factory_limit(state: State, area: str) -> int:
    """[VE 1.42] [VE 13 Soviet Union] [VE 13 United States] Most factory steps of an area at present."""
    if area == URALS and not urals_open(state):
        return _URALS_STEPS
    if area == COUNTRIES[USA].capital and USA not in state.at_war:
        return _NEUTRAL_USA_STEPS
    return MAP.areas[area].factory_max


def grown(markers: tuple[int, ...], steps: int) -> tuple[int, ...]:
    """Markers after that many steps have been added: to the smallest ones first, then new ones."""
    order = sorted((i for i, size in enumerate(markers) if size < MARKER_STEPS), key=lambda i: (markers[i], i))[:steps]
    raised = tuple(size + (i in order) for i, size in enumerate(markers))
    return (*raised, *(1 for _ in range(steps - len(order))))


# [VE 11.4] [VE 8.8] prices


def price(state: State, block: str, place: str) -> int:
    """PP for a step of a block in a place."""
    return BLOCKS[block].cost + (SURCHARGE if surcharged(state, block, place) else 0)


def surcharged(state: State, block: str, place: str) -> bool:
    """[VE 8.8] [VE 13 Malta] Axis steps in Africa and the Middle East while Malta is an enemy's; Allied ones supplied
    through a red port alone."""
    nation = BLOCKS[block].nation
    side = ALLIED if is_free(state, nation) else SIDE_OF_MAJOR.get(nation) or state.minors[nation]
    if side == AXIS:
        far = bool(BIT[place] & _FAR_OFF) and bloc(state, nation) == AXIS
        return far and hostile(state, AXIS, board_of(state).blocs[state.control["malta"]])
    power = builder(state, block) if nation in SIDE_OF_MAJOR or is_free(state, nation) else ""
    if side != ALLIED or not power or not ground.is_land(place) or bloc(state, power) != ALLIED:
        return False
    return not BIT[place] & lines_to(state, power)
