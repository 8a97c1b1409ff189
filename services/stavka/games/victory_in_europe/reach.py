"""Where a block can go: searches over land, sea and air, the same for moves, blitzes, retreats and regroups [VE 4.2].

    land_paths(state, who, start, allowance, ...) -> Reach    areas that an army reaches, with the paths that differ
    sea_paths(state, who, start, coast, allowance, ...)       places that a ship reaches
    air_ranges(state, who, start, allowance)                  sets of the places at flying cost 0, 1, 2 ...
    land_component sea_reach shores_of air_component          strategic movement and rebasing
    passage_open(state, who, a, b, ...)                       whether a strait or canal between two seas may be used

A path holds the start and every place entered. Of the paths to one place only those are kept that differ in something:
in the border by which a battle is entered, or in the enemy areas taken on the way; of equal ones the shortest, and of
these the first in map order. `who` is a bloc (see board).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import (
    board_of,
    enemy_land,
    enemy_presence,
    friendly_land,
    hostile,
)
from stavka.games.victory_in_europe.ground import BIT, COUNTRY_MASK, GRID, LAND, LAND_GRAPH, MAP, SEAS
from stavka.games.victory_in_europe.season import is_frozen, turn_of, winter_at
from stavka.games.victory_in_europe.state import AXIS, State
from stavka.games.victory_in_europe.structures import Border
from stavka.kernel.areamap import AreaGraph
from stavka.kernel.spaces import lowest
from stavka.kernel.supply import trace

Path = tuple[str, ...]

URALS: Final = "urals"
URALS_FREE_YEAR: Final = 1942  # [VE 13 Soviet Union]
_NEIGHBORS: Final[dict[str, tuple[tuple[str, int, Border], ...]]] = {
    area: tuple((other, BIT[other], border) for other, border in row.items()) for area, row in MAP.borders.items()
}
UNREACHED: Final = 99
_PASSAGES: Final = tuple((a, b) for a, row in MAP.sea_links.items() for b, p in row.items() if p is not None and a < b)
_OCEANS: Final = GRID.mask(area.id for area in MAP.areas.values() if area.kind in ("ocean", "convoy"))
_FREEZING: Final = GRID.mask(MAP.freezing_seas)
_COASTS: Final = GRID.graph(("coast",))
_STOPPING_BORDERS: Final = frozenset({"mountain", "strait"})  # [VE 1.13] [VE 1.7]


def urals_open(state: State) -> bool:
    """Whether the early limits on the Urals have ended: in 1942, or after the turn of the Axis attack [VE 13 Soviet Union]."""
    return turn_of(state).year >= URALS_FREE_YEAR or 0 < state.barbarossa < state.turn


# Land [VE 4.2] [VE 1.12] [VE 1.13] [VE 3.41]


@dataclass(slots=True)
class Reach:
    """`free`: paths that end without battle; `battle`: paths that end in an enemy-held or contested area.

    `touched`: neutral areas next to the paths, which a declaration of war would open.
    """

    free: list[Path] = field(default_factory=list)
    battle: list[Path] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)


def land_paths(
    state: State, who: str, start: str, allowance: int, closed: frozenset[str] = frozenset(), within: int = LAND
) -> Reach:
    """Normal movement of an army; border limits are left to the caller.

    `closed`: areas next to the start that may not be entered from it (borders used by pinning enemies [VE 4.3]).
    `within`: set of the areas that it may enter (a neutral's garrison stays at home [VE 10.1]).
    """
    found = Reach()
    friendly, enemy = friendly_land(state, who), enemy_land(state, who)
    occupied, contested = enemy_presence(state, who), board_of(state).contested
    barred = _barred(state, who)
    if winter_at(state, start):
        allowance = min(allowance, 1)  # [VE 3.41]
    front: list[tuple[str, Path, frozenset[str]]] = [(start, (start,), frozenset())]
    seen: set[tuple[str, frozenset[str]]] = {(start, frozenset())}
    battles: set[tuple[str, str, frozenset[str]]] = set()
    for depth in range(1, allowance + 1):
        ahead: list[tuple[str, Path, frozenset[str]]] = []
        for area, path, taken in front:
            for other, bit, border in _NEIGHBORS[area]:
                if not bit & within or bit & barred or (depth == 1 and other in closed):
                    continue
                if depth > 1 and winter_at(state, other):
                    continue
                if bit & contested or (bit & enemy and bit & occupied):
                    if (other, area, taken) not in battles:
                        battles.add((other, area, taken))
                        found.battle.append((*path, other))
                    continue
                if not bit & (friendly | enemy):
                    found.touched.add(other)
                    continue
                if URALS in (area, other):
                    continue  # strategic movement only, attacks aside [VE 13 Soviet Union]
                now = taken | {other} if bit & enemy else taken
                if (other, now) in seen:
                    continue
                seen.add((other, now))
                found.free.append((*path, other))
                if depth < allowance and not _stops(other, border, bool(bit & enemy)) and not winter_at(state, other):
                    ahead.append((other, (*path, other), now))
        front = ahead
    return found


def _stops(area: str, border: Border, hostile_ground: bool) -> bool:
    """Whether an army's move is over after this step [VE 1.12] [VE 1.13] [VE 1.7]."""
    terrain = MAP.areas[area].terrain
    return border.terrain in _STOPPING_BORDERS or terrain == "mountain" or (terrain == "forest" and hostile_ground)


def _barred(state: State, who: str) -> int:
    """Areas closed to a bloc by name: the Urals to the Axis [VE 13 Soviet Union], Canada to all its enemies."""
    return BIT[URALS] if who == AXIS else 0


def land_component(state: State, who: str, start: str, avoid: int = 0) -> int:
    """Set of the friendly areas joined with `start` by friendly areas, the start included [VE 4.7]."""
    return trace(LAND_GRAPH, BIT[start], (friendly_land(state, who) | BIT[start]) & ~avoid)


# Straits and ice [VE 7.14] [VE 3.43] [VE 13 Denmark] [VE 13 Turkey] [VE 13 Germany] [VE 13 Gibraltar]


def passage_open(state: State, who: str, a: str, b: str, submarine: bool = False, resources: bool = False) -> bool:
    """Whether the way between two adjoining seas is open to a bloc.

    Resources pass where the country that must be friendly is neutral.
    """
    passage = MAP.sea_links[a][b]
    if passage is None:
        return True
    if passage.only and passage.only != who:
        return False
    blocs = board_of(state).blocs
    if not (submarine and passage.submarines):
        for shore in passage.shores:
            if BIT[shore] & board_of(state).contested or hostile(state, who, blocs[state.control[shore]]):
                return False
    if passage.needs_friendly and not resources:
        return all(blocs[state.control[area]] == who for area in passage.shores if _is_of(area, passage.needs_friendly))
    return True


def _is_of(area: str, country: str) -> bool:
    return bool(BIT[area] & COUNTRY_MASK[country])


def _extra(a: str, b: str) -> int:
    """MP for the area that a passage counts [VE 13 Denmark] [VE 13 Germany]."""
    passage = MAP.sea_links[a][b]
    return 1 if passage is not None and passage.counts else 0


# Sea [VE 7.1]


def sea_paths(
    state: State,
    who: str,
    start: str,
    coast: int,
    allowance: int,
    submarine: bool = False,
    closed: frozenset[str] = frozenset(),
) -> dict[str, Path]:
    """Place -> shortest path of a ship: seas, friendly ports, and coastal areas that are contested [VE 7.11] [VE 7.15].

    Enemy-held seas end the move, but for submarines [VE 4.2] [VE 7.2]; ports and coastal areas end it always. Whether a
    contested area may be entered, and whether there is room, is left to the caller. `closed`: places that may not be
    entered from the start.
    """
    blockers = 0 if submarine else enemy_presence(state, who) | board_of(state).contested
    enterable = SEAS | friendly_land(state, who) | board_of(state).contested
    found: dict[str, Path] = {start: (start,)}
    cost_of = {start: 0}
    queue: list[list[str]] = [[start], *([] for _ in range(allowance))]
    for spent, places in enumerate(queue):
        for place in places:
            if cost_of[place] < spent:
                continue
            bit = BIT[place]
            if place != start and (bit & blockers or (bit & LAND and place not in MAP.leads)):
                continue
            for other, cost in _sailing(state, who, place, coast if place == start else -1, submarine):
                total = spent + cost
                if total > allowance or not BIT[other] & enterable or (place == start and other in closed):
                    continue
                if total < cost_of.get(other, UNREACHED):
                    cost_of[other] = total
                    found[other] = (*found[place], other)
                    queue[total].append(other)
    del found[start]
    return found


def _sailing(state: State, who: str, place: str, coast: int, submarine: bool) -> list[tuple[str, int]]:
    """Places next to a ship's place, with their cost. A ship passing a Leads port goes on to the next one only."""
    area = MAP.areas[place]
    if area.is_land:
        seas = area.coasts[coast].seas if coast >= 0 else ()
        found = [(sea, ground.move_cost(sea)) for sea in seas if not is_frozen(state, sea)]
        return found + [(port, 1) for port in MAP.leads.get(place, ())]  # [VE 1.62]
    if is_frozen(state, place):
        return []  # [VE 3.43]
    found = [
        (sea, ground.move_cost(sea) + _extra(place, sea))
        for sea in MAP.sea_links[place]
        if not is_frozen(state, sea) and passage_open(state, who, place, sea, submarine)
    ]
    return found + [(port, 1) for port, _ in MAP.shores.get(place, ())]


@cache
def _sea_graph(closed: frozenset[tuple[str, str]]) -> AreaGraph:
    return GRID.graph(("sea",), closed)


def closed_passages(state: State, who: str, resources: bool = False) -> frozenset[tuple[str, str]]:
    """Links between seas that a bloc may not use just now."""
    return frozenset(
        (a, b) for a, b in _PASSAGES if not passage_open(state, who, a, b, submarine=False, resources=resources)
    )


def sea_reach(state: State, who: str, area: str, seas: int) -> int:
    """Set of the seas out of `seas` that a transport from the ports of an area reaches over open passages [VE 4.7]."""
    return flood_seas(state, who, GRID.mask(MAP.areas[area].seas), seas)


def flood_seas(state: State, who: str, start: int, seas: int) -> int:
    """Set of the seas out of `seas` that are joined with those of `start` over open passages, ice aside."""
    ground_open = seas & ~frozen_seas(state)
    start &= ground_open
    return trace(_sea_graph(closed_passages(state, who)), start, ground_open) if start else 0


def frozen_seas(state: State) -> int:
    """Set of the seas that are closed by ice now [VE 3.43]."""
    return _FREEZING if is_frozen(state, next(iter(MAP.freezing_seas))) else 0


def shores_of(seas: int) -> int:
    """Set of the land areas with a port on one of these seas."""
    return _COASTS.expand(seas) & LAND


# Air [VE 6.1] [VE 6.14]


def flying(state: State, who: str) -> int:
    """Set of the places that a bloc's aircraft may fly over: all but neutral land [VE 6.1]."""
    return SEAS | friendly_land(state, who) | enemy_land(state, who) | board_of(state).contested


def air_ranges(state: State, who: str, start: str, allowance: int) -> tuple[int, ...]:
    """Sets of the places at flying cost 0, 1, ... `allowance` from `start`; each place in the first set only."""
    air = flying(state, who) | BIT[start]
    layers, seen = [BIT[start]], BIT[start]
    for cost in range(1, allowance + 1):
        near = GRID.expand(layers[cost - 1]) & ~_OCEANS
        if cost >= MAP.ocean_cost_mp:
            near |= GRID.expand(layers[cost - MAP.ocean_cost_mp]) & _OCEANS
        layers.append(near & air & ~seen)
        seen |= layers[-1]
    return tuple(layers)


def air_gate(state: State, who: str, ranges: tuple[int, ...], target: str) -> str:
    """The place from which an aircraft enters its target: the nearest to its start, the first in map order."""
    neighbors = GRID.adjacent(target)
    return next(GRID.code(lowest(layer & neighbors)) for layer in ranges if layer & neighbors)


def air_component(state: State, who: str, start: str) -> int:
    """Set of the places that aircraft may rebase to or over: joined by places that are not neutral [VE 6.14]."""
    return trace(GRID, BIT[start], flying(state, who) | BIT[start])
