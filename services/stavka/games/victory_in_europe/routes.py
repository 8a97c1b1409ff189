"""Every way in which a block could move in the Move Phase, room, commands and border limits aside [VE 4.2].

    route(path, by)                 a way: the start and every place entered, and how
    routes_of(state, block)         all routes of a block on the map
    touched_by(state, block)        neutral areas that a declaration of war would open to it

Ways of moving: "move" (the normal move of army, ship and aircraft), "airdrop", "invade" (sea invasion), "strategic"
(an army's strategic move [VE 4.7]) and "rebase" (ships and aircraft [VE 6.14] [VE 7.17]). The last two list the start
and the target alone. What each route costs, and whether it is refused, is the matter of `entering`. As with `reach`,
what depends on a Sight alone is kept.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc_of, blocks_at, board_of, closed_from, fights
from stavka.games.victory_in_europe.cards import concerns_here, event_of, used
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, COUNTRY_MASK, GRID, LAND, MAP, SEAS
from stavka.games.victory_in_europe.reach import (
    KEPT,
    Path,
    Reach,
    Sight,
    air_component,
    air_gate,
    air_ranges,
    flood_seas,
    flying,
    land_component,
    land_paths,
    sea_paths,
    seas_of,
    shores_of,
    sight_of,
    transit_seas,
)
from stavka.games.victory_in_europe.state import ALLIED, SIDES, Piece, State

AIRDROP_RANGE: Final = 2  # areas [VE 2.6]
MOVE: Final = "move"
AIRDROP: Final = "airdrop"
INVADE: Final = "invade"
STRATEGIC: Final = "strategic"
REBASE: Final = "rebase"
_RED_COASTS: Final = {
    area.id: index for area in MAP.areas.values() for index, coast in enumerate(area.coasts) if coast.kind == "red"
}
_RED_PORTS: Final = GRID.mask(_RED_COASTS)
_NEVER_ATTACKED: Final = BIT["canada"]  # [VE 13 Canada]
_PORTS: Final = GRID.mask(area for area in MAP.areas if ground.has_port(area))


class Route(NamedTuple):
    """`bit`: the target as a set. `coast`: index of the coast that a ship comes to, -1 at sea and for all others."""

    path: Path
    by: str
    bit: int
    coast: int = -1

    @property
    def start(self) -> str:
        return self.path[0]

    @property
    def target(self) -> str:
        return self.path[-1]


Routes = tuple[Route, ...]


def route(path: Path, by: str, coast: int = -1) -> Route:
    """A route; its target must be a place of the map."""
    return Route(path, by, BIT[path[-1]], coast)


def routes_of(state: State, block: str) -> Routes:
    """Routes of a block that may move at all, in a stable order."""
    near, far = near_and_far(state, block)
    return near + far


def near_and_far(state: State, block: str) -> tuple[Routes, Routes]:
    """The routes of a block: those that are moves of its own, and strategic moves and rebases."""
    piece = state.blocks[block]
    what = ground.branch(block)
    sight = sight_of(state, bloc_of(state, piece))
    allowance = BLOCKS[block].move + move_bonus(state, block)
    if what == "army":
        return _army(state, block, piece, sight, allowance)
    at_start = start_mask(state, piece.side)
    closed = closed_from(state, piece.at, sight.who)
    if what == "air":
        targets = GRID.mask(state.factories) if _raids(block) else 0
        flight = allowance if fights(state, sight.who) else 0
        return _air(sight, piece.at, flight, at_start, targets, _borders(state, sight))
    if what == "naval":
        battles = (
            _coastal_battles(state, piece.side, sight) if fights(state, sight.who) and sight.contested & LAND else 0
        )
        found = _naval(sight, piece.at, piece.coast, allowance, ground.is_submarine(block), closed, battles)
        return found, _rebases(sight, piece.at, piece.coast, closed, at_start, transit_seas(state, sight))
    return (), ()


def touched_by(state: State, block: str) -> frozenset[str]:
    """Neutral areas that an army's move or landing could enter if they were at war with it."""
    if not ground.is_army(block):
        return frozenset()
    piece = state.blocks[block]
    sight = sight_of(state, bloc_of(state, piece))
    touched = _land(state, piece, sight, BLOCKS[block].move + move_bonus(state, block)).touched
    lanes = lanes_of(state, piece.side)
    if not lanes or not _may_land(block):
        return touched
    beaches = frozenset(path[-1] for path in _beaches(sight, lanes, piece.at, LAND & ~sight.friendly & ~sight.enemy))
    return touched | beaches


def start_mask(state: State, side: str) -> int:
    """Set of the places that were friendly to a side when this move phase began."""
    memo = board_of(state).memo
    found: int | None = memo.get(("start", side))
    if found is None:
        found = memo["start", side] = GRID.mask(state.at_start.get(side, ()))
    return found


def move_bonus(state: State, block: str) -> int:
    """Areas that an event adds to the block's normal move [VE 3.3]."""
    piece = state.blocks[block]
    event = event_of(state, piece.seat)
    if event is None or event.kind != "movement_bonus" or used(state, piece.seat, "bonus") >= event.units:
        return 0
    fits = not event.types or ground.kind(block) in event.types
    return event.amount if fits and concerns_here(state, block, event) else 0


# Armies


def _army(state: State, block: str, piece: Piece, sight: Sight, allowance: int) -> tuple[Routes, Routes]:
    found = _land_routes(_land(state, piece, sight, allowance))
    contested = bool(BIT[piece.at] & sight.contested)
    if sight.who in SIDES:
        found += _descents(state, block, piece, sight)
    if ground.is_fortress(block) or sight.who in state.attacked:
        return found, ()
    exits = strategic_exits(state, sight, piece.at) if contested else ()
    return found, _strategic(sight, piece.at, start_mask(state, piece.side), exits, sails(state, sight, piece.at))


def _descents(state: State, block: str, piece: Piece, sight: Sight) -> Routes:
    """Airdrops and sea invasions [VE 2.6] [VE 7.5]."""
    if ground.kind(block) == "airborne" and sight.contested:
        return _airdrops(sight, piece.at, _supported(state, piece.side))
    lanes = lanes_of(state, piece.side)
    if not lanes or not _may_land(block) or not BIT[piece.at] & sight.friendly & ~sight.winter:
        return ()
    coasts = sight.enemy | sight.contested
    if ground.is_leader(block) and (invasion := GRID.mask(state.camps[piece.side].lanes)):
        lanes, coasts = lanes & invasion, invasion
    return tuple(route(path, INVADE) for path in _beaches(sight, lanes, piece.at, coasts & ~sight.winter & LAND))


def _land(state: State, piece: Piece, sight: Sight, allowance: int) -> Reach:
    closed = closed_from(state, piece.at, sight.who)
    return land_paths(sight, piece.at, allowance, closed, _borders(state, sight) & LAND)


def _borders(state: State, sight: Sight) -> int:
    """Set of the places that a bloc may enter at all.

    A garrison under attack stays within its country [VE 10.1], a neutral power in its own areas and at sea [VE 13 Italy].
    """
    if sight.who in state.attacked:
        return COUNTRY_MASK[sight.who]
    return GRID.all if sight.who in SIDES else SEAS | board_of(state).held.get(sight.who, 0)


@lru_cache(maxsize=KEPT)
def _land_routes(reach: Reach) -> Routes:
    return tuple(route(path, MOVE) for path in (*reach.free, *reach.battle))


def _supported(state: State, side: str) -> int:
    """Set of the contested areas in which an army of the side stands on the ground."""
    return GRID.mask(place for place in state.clashes if has_army(state, place, side))


def has_army(state: State, place: str, side: str) -> bool:
    """Whether an army of the side stands on the ground in a place."""
    return any(ground.is_army(b) and not state.blocks[b].aloft for b in blocks_at(state, place, side))


@lru_cache(maxsize=KEPT)
def _airdrops(sight: Sight, start: str, supported: int) -> Routes:
    """[VE 2.6] One or two areas by air, to a battle in which an army of the side fights on the ground."""
    ranges = air_ranges(flying(sight), start, AIRDROP_RANGE)
    goals = (ranges[1] | ranges[2]) & LAND & supported
    return tuple(route(_flight(ranges, start, place), AIRDROP) for place in GRID.codes(goals))


def _may_land(block: str) -> bool:
    """Infantry and leaders make sea invasions, airborne troops drop [VE 7.5]."""
    return (ground.is_infantry(block) and ground.kind(block) != "airborne") or ground.is_leader(block)


def lanes_of(state: State, side: str) -> int:
    """Set of the seas that a sea invasion may cross: friendly since the phase began, a warship in each that stays.

    Aircraft alone do not make a lane [VE 7.5].
    """
    memo = board_of(state).memo
    found: int | None = memo.get(("lanes", side))
    if found is None:
        moved, found = state.camps[side].moved, 0
        for block, piece in state.blocks.items():
            if piece.side == side and ground.branch(block) == "naval" and block not in moved:
                found |= BIT[piece.at]
        sight = sight_of(state, side)
        found &= SEAS & start_mask(state, side) & ~sight.contested & ~sight.frozen
        memo["lanes", side] = found
    return found


@lru_cache(maxsize=KEPT)
def _beaches(sight: Sight, lanes: int, start: str, goals: int) -> tuple[Path, ...]:
    """[VE 7.5] Shortest ways over the lanes from a port to coasts of `goals` where landings are allowed."""
    ways: dict[str, Path] = {}
    front: list[tuple[str, Path]] = [(sea, (start, sea)) for sea in MAP.areas[start].seas if BIT[sea] & lanes]
    while front:
        ahead: list[tuple[str, Path]] = []
        for sea, path in front:
            if sea not in ways:
                ways[sea] = path
                ahead += [
                    (other, (*path, other))
                    for other in MAP.sea_links[sea]
                    if BIT[other] & lanes and (min(sea, other), max(sea, other)) not in sight.shut
                ]
        front = ahead
    return tuple(
        (*path, area)
        for sea, path in ways.items()
        for area, coast in MAP.shores.get(sea, ())
        if BIT[area] & goals and sea in MAP.areas[area].coasts[coast].invadable_from
    )


@lru_cache(maxsize=KEPT)
def _strategic(sight: Sight, start: str, at_start: int, exits: tuple[str, ...], shores: int) -> Routes:
    """[VE 4.7] Land or sea to an area that is friendly and was so when the phase began.

    `exits`: friendly areas by which it leaves the battle that it stands in; `shores`: set of those that it comes to by sea.
    """
    bit = BIT[start]
    reached = shores
    if bit & sight.contested:
        for first in exits:
            reached |= land_component(sight.friendly, first, bit)
    else:
        reached |= land_component(sight.friendly, start)
        if sight.who == ALLIED and bit & _RED_PORTS:
            reached |= _PORTS | _RED_PORTS  # [VE 8.8]
        elif sight.who == ALLIED and bit & _PORTS:
            reached |= _RED_PORTS
    goals = reached & sight.friendly & at_start & ~bit
    return tuple(route((start, area), STRATEGIC) for area in GRID.codes(goals))


def strategic_exits(state: State, sight: Sight, start: str) -> tuple[str, ...]:
    """Friendly areas by which an unpinned army may leave a battle strategically [VE 4.3]."""
    closed = closed_from(state, start, sight.who)
    return tuple(area for area in MAP.borders.get(start, ()) if area not in closed and BIT[area] & sight.friendly)


def sails(state: State, sight: Sight, start: str) -> int:
    """Set of the coasts that an army's strategic move reaches by sea, out of a battle too [VE 4.7] [VE 4.3]."""
    seas = seas_of(start) & ~GRID.mask(closed_from(state, start, sight.who))
    return shores_of(flood_seas(seas, transit_seas(state, sight), sight.shut))


# Ships


def _coastal_battles(state: State, side: str, sight: Sight) -> int:
    """Set of the contested areas that ships may enter: an army of the side fights there, or the coast is its own [VE 7.15]."""
    return _supported(state, side) | (board_of(state).held.get(sight.who, 0) & sight.contested)


@lru_cache(maxsize=KEPT)
def _naval(
    sight: Sight, start: str, coast: int, allowance: int, submarine: bool, closed: frozenset[str], battles: int
) -> Routes:
    """[VE 7.1] Seas, friendly ports, coasts of `battles`; ships of a neutral end in ports alone."""
    paths = sea_paths(sight, start, coast, allowance, submarine, closed)
    return tuple(
        route(path, MOVE, berth)
        for (target, berth), (_, path) in paths.items()
        if BIT[target] & (sight.friendly | battles) or (BIT[target] & SEAS and sight.who in SIDES)
    )


@lru_cache(maxsize=KEPT)
def _rebases(sight: Sight, start: str, coast: int, closed: frozenset[str], at_start: int, transit: int) -> Routes:
    """[VE 7.17] To any port that is friendly and was so when the phase began."""
    ports = _rebase_ports(sight, start, coast, closed, transit)
    goals = GRID.mask(ports) & sight.friendly & at_start & ~BIT[start]
    return tuple(route((start, area), REBASE, ports[area]) for area in GRID.codes(goals))


def _rebase_ports(sight: Sight, start: str, coast: int, closed: frozenset[str], transit: int) -> dict[str, int]:
    """[VE 7.17] [VE 7.16] Area -> coast where a rebase ends: one of a sea that it reaches, the main coast if it can.

    Around the Cape Allied ships come from every port to the red ports, and from these to every port, whatever the
    seas hold [VE 13 Egypt] [VE 8.8].
    """
    seas = _rebase_seas(sight, start, coast, closed, transit)
    ports = {area: _berth(area, seas & seas_of(area)) for area in GRID.codes(shores_of(seas))}
    if sight.who != ALLIED or not BIT[start] & LAND:
        return ports
    if _RED_COASTS.get(start) == coast:
        return ports | {area: ground.main_coast(area) for area in GRID.codes(_PORTS & ~_RED_PORTS)} | _RED_COASTS
    return _RED_COASTS | ports


def _rebase_seas(sight: Sight, start: str, coast: int, closed: frozenset[str], transit: int) -> int:
    """Set of the seas that a ship's rebase reaches; nobody leaves a battle the way that enemies have come [VE 4.3]."""
    first: tuple[str, ...] = (start,)
    if BIT[start] & LAND:
        first = MAP.areas[start].coasts[coast].seas if coast >= 0 else ()
    elif BIT[start] & sight.contested:
        first = tuple(sea for sea in MAP.sea_links[start] if (min(sea, start), max(sea, start)) not in sight.shut)
    near = GRID.mask(sea for sea in first if sea not in closed)
    return flood_seas(near, transit, sight.shut) | (BIT[start] & SEAS & ~sight.frozen)


@cache
def _berth(area: str, seas: int) -> int:
    """Of the area's coasts on these seas the main one, else the first."""
    reached = [index for index, coast in enumerate(MAP.areas[area].coasts) if GRID.mask(coast.seas) & seas]
    main = ground.main_coast(area)
    return main if main in reached else reached[0]


# Aircraft


def _raids(block: str) -> bool:
    """Whether the block can bomb factories [VE 6.3]."""
    kind = BLOCKS[block].type
    return "factory" in kind.primary | kind.secondary


@lru_cache(maxsize=KEPT)
def _air(sight: Sight, start: str, allowance: int, at_start: int, factories: int, within: int) -> tuple[Routes, Routes]:
    """[VE 6.1] To battles, enemies, open seas and areas taken this turn within range; [VE 6.14] rebase anywhere.

    Allied aircraft come to the red ports and from them to every port whatever lies between [VE 8.8].
    Aircraft of a garrison fly within their country to its battles, and to all areas that it holds [VE 10.1]; those of a
    neutral power, with an `allowance` of 0, only rebase.
    """
    sky = flying(sight) & within
    since_start = sight.friendly & at_start
    ranges = air_ranges(sky, start, allowance)
    near = 0
    for layer in ranges[1:]:
        near |= layer
    targets = sight.contested | (sight.presence & ~_NEVER_ATTACKED) | SEAS | (sight.friendly & ~since_start)
    targets |= factories & sight.enemy & ~_NEVER_ATTACKED
    found = tuple(route(_flight(ranges, start, place), MOVE) for place in GRID.codes(near & targets))
    reached = air_component(sky, start)
    if sight.who == ALLIED:
        reached |= _RED_PORTS | (_PORTS if BIT[start] & _RED_PORTS else 0)  # [VE 8.8]
    goals = reached & since_start & ~BIT[start]
    return found, tuple(route((start, area), REBASE) for area in GRID.codes(goals))


def _flight(ranges: tuple[int, ...], start: str, target: str) -> Path:
    gate = air_gate(ranges, target)
    return (start, target) if gate == start else (start, gate, target)
