"""Where a block can go: searches over land, sea and air, the same for moves, blitzes, retreats and regroups [VE 4.2].

    sight_of(state, who) -> Sight      what the searches see of a position: sets of places, by a bloc's eyes
    land_paths(sight, start, allowance, closed, within) -> Reach      areas that an army reaches, with the paths that differ
    sea_paths(sight, start, coast, allowance, submarine, closed)      places that a ship reaches, with a shortest path
    air_ranges(sight, start, allowance)                               sets of the places at flying cost 0, 1, 2 ...
    land_component flood_seas shores_of air_component                 strategic movement and rebasing
    closed_passages(state, who, ...)                                  straits and canals that may not be used

A path holds the start and every place entered. Of the paths to one place only those are kept that differ in something:
in the border by which a battle is entered, or in the enemy areas taken on the way; of equal ones the shortest, and of
these the first in map order. `who` is a bloc (see board). The searches are functions of a Sight alone, so that their
results are kept from move to move for as long as what they see stays the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import (
    board_of,
    enemies_of,
    enemy_land,
    enemy_presence,
    friendly_land,
)
from stavka.games.victory_in_europe.ground import BIT, COUNTRY_MASK, GRID, LAND, LAND_GRAPH, MAP, SEAS
from stavka.games.victory_in_europe.season import FREEZING, turn_of, winter_places
from stavka.games.victory_in_europe.state import AXIS, SIDES, State
from stavka.games.victory_in_europe.structures import Border, Passage
from stavka.kernel.areamap import AreaGraph
from stavka.kernel.spaces import lowest
from stavka.kernel.supply import trace

Path = tuple[str, ...]
Berth = tuple[str, int]
"""A ship's station: a sea and -1, or an area and the index of its coast [VE 7.16]."""

URALS: Final = "urals"
URALS_FREE_YEAR: Final = 1942  # [VE 13 Soviet Union]
_NEIGHBORS: Final[dict[str, tuple[tuple[str, int, Border], ...]]] = {
    area: tuple((other, BIT[other], border) for other, border in row.items()) for area, row in MAP.borders.items()
}
UNREACHED: Final = 99
_PASSAGES: Final = tuple(
    (a, b, passage) for a, row in MAP.sea_links.items() for b, passage in row.items() if passage is not None and a < b
)
_HANGS_ON: Final = {
    p.id: (GRID.mask(p.shores), GRID.mask(p.shores) & COUNTRY_MASK[p.needs_friendly] if p.needs_friendly else 0)
    for _, _, p in _PASSAGES
}
"""Passage -> set of its shores, and of those that must be the bloc's own."""
_SHORES: Final = GRID.mask({area for _, _, passage in _PASSAGES for area in passage.shores})
_LEADS: Final = GRID.mask(MAP.leads)
_OCEANS: Final = GRID.mask(area.id for area in MAP.areas.values() if area.kind in ("ocean", "convoy"))
_COASTS: Final = GRID.graph(("coast",))
KEPT: Final = 2_000  # results of each search that are kept: those of a match's last decisions
_STOPPING_BORDERS: Final = frozenset({"mountain", "strait"})  # [VE 1.13] [VE 1.7]


def urals_open(state: State) -> bool:
    """Whether the early limits on the Urals have ended: in 1942, or after the turn of the Axis attack [VE 13 Soviet Union]."""
    return turn_of(state).year >= URALS_FREE_YEAR or 0 < state.barbarossa < state.turn


# What the searches see


class Sight(NamedTuple):
    """A position by a bloc's eyes, as sets of places.

    friendly   land that it controls and nobody contests
    enemy      land that its enemies control and nobody contests
    presence   places that hold a block at war with it
    contested  places with a battle to come
    winter     places where it is winter
    frozen     seas under ice
    shut       links between seas closed to its ships, and those closed to its submarines
    """

    who: str
    friendly: int
    enemy: int
    presence: int
    contested: int
    winter: int
    frozen: int
    shut: frozenset[tuple[str, str]]
    shut_below: frozenset[tuple[str, str]]


def sight_of(state: State, who: str) -> Sight:
    """The position as a bloc sees it; worked out once for each position."""
    memo = board_of(state).memo
    found: Sight | None = memo.get(("sight", who))
    if found is None:
        season = turn_of(state)
        found = memo["sight", who] = Sight(
            who,
            friendly_land(state, who),
            enemy_land(state, who),
            enemy_presence(state, who),
            board_of(state).contested,
            winter_places(season.winter),
            FREEZING if season.winter != "none" else 0,
            closed_passages(state, who),
            closed_passages(state, who, submarine=True),
        )
    return found


# Land [VE 4.2] [VE 1.12] [VE 1.13] [VE 3.41]


@dataclass(frozen=True, slots=True)
class Reach:
    """`free`: paths that end without battle; `battle`: paths that end in an enemy-held or contested area.

    `touched`: neutral areas next to the paths, which a declaration of war would open.
    """

    free: tuple[Path, ...]
    battle: tuple[Path, ...]
    touched: frozenset[str]


@lru_cache(maxsize=KEPT)
def land_paths(
    sight: Sight, start: str, allowance: int, closed: frozenset[str] = frozenset(), within: int = LAND
) -> Reach:
    """Normal movement of an army; border limits are left to the caller.

    `closed`: areas next to the start that may not be entered from it (borders used by pinning enemies [VE 4.3]).
    `within`: set of the areas that it may enter (a neutral's garrison stays at home [VE 10.1]). Whoever leaves a battle
    does not come back to it [VE 4.3].
    """
    free: list[Path] = []
    battle: list[Path] = []
    touched: set[str] = set()
    friendly, enemy, winter = sight.friendly, sight.enemy, sight.winter
    ground_open = within & ~_barred(sight.who)
    fought = sight.contested | (enemy & sight.presence)
    if BIT[start] & winter:
        allowance = min(allowance, 1)  # [VE 3.41]
    front: list[tuple[str, Path, frozenset[str]]] = [(start, (start,), frozenset())]
    seen: set[tuple[str, frozenset[str]]] = {(start, frozenset())}
    onward = set(seen)  # those that a move goes on from: where the shortest way stops, a longer one may not
    battles: set[tuple[str, str, frozenset[str]]] = set()
    for depth in range(1, allowance + 1):
        ahead: list[tuple[str, Path, frozenset[str]]] = []
        for area, path, taken in front:
            for other, bit, border in _NEIGHBORS[area]:
                if not bit & ground_open or (depth == 1 and other in closed) or (depth > 1 and bit & winter):
                    continue
                if bit & fought:
                    if other != start and (other, area, taken) not in battles:
                        battles.add((other, area, taken))
                        battle.append((*path, other))
                    continue
                if not bit & (friendly | enemy):
                    touched.add(other)
                    continue
                if other == URALS or (area == URALS and not bit & enemy):
                    continue  # in and out strategically, but for attacks on what is next to them [VE 13 Soviet Union]
                now = taken | {other} if bit & enemy else taken
                spot = (other, now)
                if spot in onward:
                    continue
                if spot not in seen:
                    seen.add(spot)
                    free.append((*path, other))
                if depth == allowance or bit & winter or area == URALS:
                    continue
                if not _stops(other, border, bool(bit & enemy)):
                    onward.add(spot)
                    ahead.append((other, (*path, other), now))
        front = ahead
    return Reach(tuple(free), tuple(battle), frozenset(touched))


def _stops(area: str, border: Border, hostile_ground: bool) -> bool:
    """Whether an army's move is over after this step [VE 1.12] [VE 1.13] [VE 1.7]."""
    terrain = MAP.areas[area].terrain
    return border.terrain in _STOPPING_BORDERS or terrain == "mountain" or (terrain == "forest" and hostile_ground)


def _barred(who: str) -> int:
    """Areas closed to a bloc by name: the Urals to the Axis [VE 13 Soviet Union]."""
    return BIT[URALS] if who == AXIS else 0


@lru_cache(maxsize=KEPT)
def land_component(friendly: int, start: str, avoid: int = 0) -> int:
    """Set of the areas of `friendly` joined with `start` by others of it, the start included [VE 4.7]."""
    return trace(LAND_GRAPH, BIT[start], (friendly | BIT[start]) & ~avoid)


# Straits and ice [VE 7.14] [VE 3.43] [VE 13 Denmark] [VE 13 Turkey] [VE 13 Germany] [VE 13 Gibraltar]


def closed_passages(
    state: State, who: str, submarine: bool = False, resources: bool = False
) -> frozenset[tuple[str, str]]:
    """Links between seas that a bloc may not use just now.

    A shore is an enemy's as long as he controls it, contested or not, and no other shore closes a strait. What must be
    friendly may not be contested [VE 4.1]; resources pass it while it is neutral.
    """
    board, enemy = board_of(state), 0
    for other in enemies_of(state, who):
        enemy |= board.held.get(other, 0)
    calm = _SHORES & ~board.contested & ~enemy
    return _closed(who, enemy & _SHORES, calm if resources else calm & board.held.get(who, 0), submarine)


@lru_cache(maxsize=KEPT)
def _closed(who: str, enemy: int, safe: int, submarine: bool) -> frozenset[tuple[str, str]]:
    """`enemy`: set of the shores that enemies control, contested or not; `safe`: of those that let pass where that is asked."""
    return frozenset((a, b) for a, b, passage in _PASSAGES if not _is_open(passage, who, enemy, safe, submarine))


def _is_open(passage: Passage, who: str, enemy: int, safe: int, submarine: bool) -> bool:
    shores, needed = _HANGS_ON[passage.id]
    if passage.only not in ("", who) or needed & ~safe:
        return False
    return not shores & enemy or (submarine and passage.submarines)


def _extra(a: str, b: str) -> int:
    """MP for the area that a passage counts [VE 13 Denmark] [VE 13 Germany]."""
    passage = MAP.sea_links[a][b]
    return 1 if passage is not None and passage.counts else 0


# Sea [VE 7.1]


@lru_cache(maxsize=KEPT)
def sea_paths(
    sight: Sight,
    start: str,
    coast: int,
    allowance: int,
    submarine: bool = False,
    closed: frozenset[str] = frozenset(),
) -> dict[Berth, tuple[int, Path]]:
    """Berth -> MP and shortest path of a ship: seas, friendly ports, and coastal areas that are contested [VE 7.11] [VE 7.15].

    Enemy-held seas end the move, but for submarines [VE 4.2] [VE 7.2]; ports and coastal areas end it always. Whether a
    contested area may be entered, and whether there is room, is left to the caller. `closed`: places that may not be
    entered from the start. The Leads join friendly ports alone [VE 1.62]. The result is shared: do not change it.
    """
    ends = LAND & ~(_LEADS & sight.friendly)
    if not submarine:
        ends |= sight.presence | sight.contested
    along_coast = (SEAS & ~sight.frozen) | sight.friendly
    from_sea = along_coast | (sight.contested & LAND)
    shut = sight.shut_below if submarine else sight.shut
    if BIT[start] & sight.frozen:
        return {}  # [VE 3.43]
    berth = (start, coast)
    found: dict[Berth, tuple[int, Path]] = {berth: (0, (start,))}
    queue: list[list[Berth]] = [[berth], *([] for _ in range(allowance))]
    for spent, berths in enumerate(queue):
        for berth in berths:
            cost, path = found[berth]
            place, bit = berth[0], BIT[berth[0]]
            if cost < spent or (spent and bit & ends):
                continue
            open_ = along_coast if bit & LAND else from_sea
            for other, step, link in _sailing(place, -1 if spent else coast):
                total = spent + step
                if total > allowance or not BIT[other[0]] & open_ or link in shut or other[0] == start:
                    continue
                if other in found and found[other][0] <= total:
                    continue
                if spent or other[0] not in closed:
                    found[other] = (total, (*path, other[0]))
                    queue[total].append(other)
    del found[start, coast]
    return found


@cache
def _sailing(place: str, coast: int) -> tuple[tuple[Berth, int, tuple[str, str] | None], ...]:
    """Berths next to a ship's place, with their cost, and the link between seas that leads there.

    A ship that passes a port of the Leads goes on to the next one only [VE 1.62].
    """
    area = MAP.areas[place]
    if area.is_land:
        seas = area.coasts[coast].seas if coast >= 0 else ()
        leads = [((port, ground.main_coast(port)), 1, None) for port in MAP.leads.get(place, ())]
        return (*(((sea, -1), ground.move_cost(sea), None) for sea in seas), *leads)
    links = [
        ((sea, -1), ground.move_cost(sea) + _extra(place, sea), (place, sea) if place < sea else (sea, place))
        for sea in MAP.sea_links[place]
    ]
    return (*links, *((shore, 1, None) for shore in MAP.shores.get(place, ())))


@cache
def _sea_graph(closed: frozenset[tuple[str, str]]) -> AreaGraph:
    return GRID.graph(("sea",), closed)


@lru_cache(maxsize=KEPT)
def flood_seas(start: int, seas: int, shut: frozenset[tuple[str, str]]) -> int:
    """Set of the seas out of `seas` that are joined with those of `start` over open passages [VE 4.7]."""
    return trace(_sea_graph(shut), start & seas, seas) if start & seas else 0


def clear_seas(sight: Sight) -> int:
    """Set of the seas that a bloc's transports may cross: vacant or friendly, free of ice [VE 4.7] [VE 3.43]."""
    return SEAS & ~sight.presence & ~sight.contested & ~sight.frozen


def transit_seas(state: State, sight: Sight) -> int:
    """The same for any bloc, at war or not, and for rebasing ships.

    A neutral power keeps to seas without others [VE 13 Italy], a garrison stays on land [VE 10.1].
    """
    if sight.who in state.attacked:
        return 0
    seas = clear_seas(sight)
    if sight.who not in SIDES:
        for places in (places for who, places in board_of(state).here.items() if who != sight.who):
            seas &= ~places
    return seas


@cache
def seas_of(area: str) -> int:
    """Set of the seas that an area's ports open on."""
    return GRID.mask(MAP.areas[area].seas)


@lru_cache(maxsize=KEPT)
def shores_of(seas: int) -> int:
    """Set of the land areas with a port on one of these seas."""
    return _COASTS.expand(seas) & LAND


# Air [VE 6.1] [VE 6.14]


def flying(sight: Sight) -> int:
    """Set of the places that a bloc's aircraft may fly over: all but neutral land and what is closed to it [VE 6.1]."""
    return (SEAS | sight.friendly | sight.enemy | sight.contested) & ~_barred(sight.who)


@lru_cache(maxsize=KEPT)
def air_ranges(sky: int, start: str, allowance: int) -> tuple[int, ...]:
    """Sets of the places of `sky` at flying cost 0, 1, ... `allowance` from `start`, each in the first set only."""
    layers, seen = [BIT[start]], BIT[start]
    for cost in range(1, allowance + 1):
        near = GRID.expand(layers[cost - 1]) & ~_OCEANS
        if cost >= MAP.ocean_cost_mp:
            near |= GRID.expand(layers[cost - MAP.ocean_cost_mp]) & _OCEANS
        layers.append(near & sky & ~seen)
        seen |= layers[-1]
    return tuple(layers)


def air_gate(ranges: tuple[int, ...], target: str) -> str:
    """The place from which an aircraft enters its target: the nearest to its start, the first in map order."""
    neighbors = GRID.adjacent(target)
    return next(GRID.code(lowest(layer & neighbors)) for layer in ranges if layer & neighbors)


@lru_cache(maxsize=KEPT)
def air_component(sky: int, start: str) -> int:
    """Set of the places that aircraft may rebase to or over: joined by places that are not neutral [VE 6.14]."""
    return trace(GRID, BIT[start], sky | BIT[start])
