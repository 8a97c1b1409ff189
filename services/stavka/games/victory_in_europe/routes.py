"""Every way in which a block could move in the Move Phase, room, commands and border limits aside [VE 4.2].

    Route(path, by)                 a way: the start and every place entered, and how
    routes_of(state, block)         all routes of a block on the map, memoised by what they depend on
    touched_by(state, block)        neutral areas that a declaration of war would open to it

Ways of moving: "move" (the normal move of army, ship and aircraft), "airdrop", "invade" (sea invasion), "strategic"
(an army's strategic move [VE 4.7]) and "rebase" (ships and aircraft [VE 6.14] [VE 7.17]). The last two list the start
and the target alone. What each route costs, and whether it is refused, is the matter of `entering`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import (
    bloc_of,
    blocks_at,
    board_of,
    enemies_at,
    enemy_land,
    enemy_presence,
    friendly_land,
    open_seas,
)
from stavka.games.victory_in_europe.cards import event_of, used
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, COUNTRY_MASK, GRID, LAND, MAP, SEAS
from stavka.games.victory_in_europe.reach import (
    Path,
    Reach,
    air_component,
    air_gate,
    air_ranges,
    flood_seas,
    frozen_seas,
    land_component,
    land_paths,
    sea_paths,
    sea_reach,
    shores_of,
)
from stavka.games.victory_in_europe.season import winter_at
from stavka.games.victory_in_europe.state import ALLIED, SIDES, State

AIRDROP_RANGE: Final = 2  # areas [VE 2.6]
MOVE: Final = "move"
AIRDROP: Final = "airdrop"
INVADE: Final = "invade"
STRATEGIC: Final = "strategic"
REBASE: Final = "rebase"
_RED_PORTS: Final = GRID.mask(area for area in MAP.areas if ground.is_red_port(area))
_PORTS: Final = GRID.mask(area for area in MAP.areas if ground.has_port(area))


@dataclass(frozen=True, slots=True)
class Route:
    path: Path
    by: str

    @property
    def start(self) -> str:
        return self.path[0]

    @property
    def target(self) -> str:
        return self.path[-1]


def routes_of(state: State, block: str) -> tuple[Route, ...]:
    """Routes of a block that may move at all, in a stable order; one of the same kind in one place is worked out once."""
    piece = state.blocks[block]
    what = ground.branch(block)
    memo = board_of(state).memo
    who = bloc_of(state, piece)
    allowance = BLOCKS[block].move + _bonus(state, block)
    special = (
        ground.kind(block) if ground.is_infantry(block) or ground.is_leader(block) or ground.is_submarine(block) else ""
    )
    key = ("routes", what, who, piece.side, piece.at, piece.coast, allowance, special, _raids(block))
    found: tuple[Route, ...] | None = memo.get(key)
    if found is None:
        makers = {"army": _army, "air": _air, "naval": _naval}
        found = memo[key] = tuple(makers[what](state, block, who, allowance)) if what in makers else ()
    return found


def touched_by(state: State, block: str) -> set[str]:
    """Neutral areas that an army's move or landing could enter if they were at war with it."""
    if not ground.is_army(block):
        return set()
    piece = state.blocks[block]
    found = set(_land(state, block, bloc_of(state, piece), BLOCKS[block].move + _bonus(state, block)).touched)
    if _may_land(block):
        presence = enemy_presence(state, bloc_of(state, piece))
        for sea in _lanes(state, piece.side, piece.at):
            found.update(
                area
                for area, coast in MAP.shores.get(sea, ())
                if sea in MAP.areas[area].coasts[coast].invadable_from and not BIT[area] & presence
            )
    return found


def closed_from(state: State, place: str, who: str) -> frozenset[str]:
    """Spaces from which enemies have entered a contested place: nobody leaves that way [VE 4.3]."""
    if not BIT[place] & board_of(state).contested:
        return frozenset()
    return frozenset(state.blocks[b].came for b in enemies_at(state, place, who) if state.blocks[b].came)


# Armies


def _army(state: State, block: str, who: str, allowance: int) -> list[Route]:
    reach = _land(state, block, who, allowance)
    found = [Route(path, MOVE) for path in (*reach.free, *reach.battle)]
    if who not in SIDES:
        return found
    if ground.kind(block) == "airborne":
        found += _airdrops(state, block, who)
    if _may_land(block):
        found += _landings(state, block, who)
    return found + _strategic(state, block, who)


def _land(state: State, block: str, who: str, allowance: int) -> Reach:
    """Land paths; a garrison under attack stays within its country [VE 10.1]."""
    piece, memo = state.blocks[block], board_of(state).memo
    within = COUNTRY_MASK.get(who, LAND) if who in state.attacked else LAND
    key = ("land", who, piece.at, allowance)
    reach: Reach | None = memo.get(key)
    if reach is None:
        reach = memo[key] = land_paths(state, who, piece.at, allowance, closed_from(state, piece.at, who), within)
    return reach


def _airdrops(state: State, block: str, who: str) -> list[Route]:
    """[VE 2.6] One or two areas by air, to a battle in which an army of the side fights on the ground."""
    piece = state.blocks[block]
    if BIT[piece.at] & board_of(state).contested:
        return []
    ranges = air_ranges(state, who, piece.at, AIRDROP_RANGE)
    return [
        Route(_flight(state, who, ranges, piece.at, place), AIRDROP)
        for place in GRID.codes((ranges[1] | ranges[2]) & LAND & board_of(state).contested)
        if has_army(state, place, piece.side)
    ]


def has_army(state: State, place: str, side: str) -> bool:
    """Whether an army of the side stands on the ground in a place."""
    return any(ground.is_army(b) and not state.blocks[b].aloft for b in blocks_at(state, place, side))


def _may_land(block: str) -> bool:
    """Infantry and leaders make sea invasions, airborne troops drop [VE 7.5]."""
    return (ground.is_infantry(block) and ground.kind(block) != "airborne") or ground.is_leader(block)


def _lanes(state: State, side: str, start: str) -> dict[str, Path]:
    """Sea -> shortest way to it, over seas friendly since the phase began in each of which a warship stays [VE 7.5]."""
    moved, at_start = state.camps[side].moved, state.at_start.get(side, frozenset())
    lanes = {
        sea
        for sea in at_start
        if BIT[sea] & SEAS & ~board_of(state).contested & ~frozen_seas(state)
        and any(ground.branch(b) == "naval" and b not in moved for b in blocks_at(state, sea, side))
    }
    found: dict[str, Path] = {}
    front: list[tuple[str, Path]] = [(sea, (start, sea)) for sea in MAP.areas[start].seas if sea in lanes]
    while front:
        ahead: list[tuple[str, Path]] = []
        for sea, path in front:
            if sea in found:
                continue
            found[sea] = path
            ahead += [(other, (*path, other)) for other in MAP.sea_links[sea] if other in lanes and other not in found]
        front = ahead
    return found


def _landings(state: State, block: str, who: str) -> list[Route]:
    """[VE 7.5] Sea invasions of enemy coasts; a leader follows the infantry of this turn's invasion."""
    piece = state.blocks[block]
    if winter_at(state, piece.at) or not BIT[piece.at] & friendly_land(state, who):
        return []
    hostile_land, found = enemy_land(state, who) | board_of(state).contested, []
    for sea, path in _lanes(state, piece.side, piece.at).items():
        for area, coast in MAP.shores.get(sea, ()):
            if not BIT[area] & hostile_land or sea not in MAP.areas[area].coasts[coast].invadable_from:
                continue
            if not winter_at(state, area):
                found.append(Route((*path, area), INVADE))
    return found


def _strategic(state: State, block: str, who: str) -> list[Route]:
    """[VE 4.7] Land or sea to an area that is friendly and was so when the phase began."""
    piece, memo = state.blocks[block], board_of(state).memo
    if ground.is_fortress(block):
        return []
    key = ("strategic", who, piece.at)
    targets: int | None = memo.get(key)
    if targets is None:
        targets = memo[key] = _strategic_targets(state, who, piece.side, piece.at)
    return [Route((piece.at, area), STRATEGIC) for area in GRID.codes(targets)]


def _strategic_targets(state: State, who: str, side: str, start: str) -> int:
    friendly = friendly_land(state, who)
    goals = friendly & GRID.mask(state.at_start.get(side, ())) & ~BIT[start]
    reached = 0
    if BIT[start] & board_of(state).contested:
        for first in strategic_exits(state, who, start):
            reached |= land_component(state, who, first, BIT[start])
        return reached & goals
    reached = land_component(state, who, start)
    seas = sea_reach(state, who, start, open_seas(state, who))
    if seas:
        reached |= shores_of(seas)
    if who == ALLIED and BIT[start] & _RED_PORTS:
        reached |= _PORTS | _RED_PORTS  # [VE 8.8]
    elif who == ALLIED and BIT[start] & _PORTS:
        reached |= _RED_PORTS
    return reached & goals


def strategic_exits(state: State, who: str, start: str) -> tuple[str, ...]:
    """Friendly areas by which an unpinned army may leave a battle strategically [VE 4.3]."""
    closed, friendly = closed_from(state, start, who), friendly_land(state, who)
    return tuple(area for area in MAP.borders[start] if area not in closed and BIT[area] & friendly)


# Ships


def _naval(state: State, block: str, who: str, allowance: int) -> list[Route]:
    piece = state.blocks[block]
    closed = closed_from(state, piece.at, who)
    paths = sea_paths(state, who, piece.at, piece.coast, allowance, ground.is_submarine(block), closed)
    home = friendly_land(state, who)
    found = []
    for target, path in paths.items():
        bit = BIT[target]
        if bit & LAND and not bit & home and not has_army(state, target, piece.side):
            continue  # [VE 7.15]
        if who in SIDES or bit & home:
            found.append(Route(path, MOVE))
    if not BIT[piece.at] & board_of(state).contested and who in SIDES:
        reached = _ports_for(state, who, piece.at, piece.coast)
        goals = reached & home & GRID.mask(state.at_start.get(piece.side, ())) & ~BIT[piece.at]
        found += [Route((piece.at, area), REBASE) for area in GRID.codes(goals) if area not in paths]
    return found


def _ports_for(state: State, who: str, place: str, coast: int) -> int:
    """[VE 7.17] Land areas whose ports a ship reaches over vacant or friendly seas, not past enemy straits or ice."""
    memo = board_of(state).memo
    key = ("ports", who, place, coast)
    found: int | None = memo.get(key)
    if found is None:
        seas = open_seas(state, who)
        near = (place,) if BIT[place] & SEAS else MAP.areas[place].coasts[coast].seas if coast >= 0 else ()
        found = memo[key] = shores_of(flood_seas(state, who, GRID.mask(near), seas))
    return found


# Aircraft


def _raids(block: str) -> bool:
    """Whether the block can bomb factories [VE 6.3]."""
    kind = BLOCKS[block].type
    return "factory" in kind.primary | kind.secondary


def _air(state: State, block: str, who: str, allowance: int) -> list[Route]:
    """[VE 6.1] To battles, enemies, open seas and areas taken this turn within range; [VE 6.14] rebase anywhere."""
    piece, board = state.blocks[block], board_of(state)
    home, start = friendly_land(state, who), BIT[piece.at]
    found = []
    since_start = home & GRID.mask(state.at_start.get(piece.side, ()))
    if who in SIDES:
        ranges = air_ranges(state, who, piece.at, allowance)
        near = 0
        for layer in ranges[1:]:
            near |= layer
        presence = enemy_presence(state, who)
        targets = near & (board.contested | presence | SEAS | (home & ~since_start))
        if _raids(block):
            targets |= near & enemy_land(state, who) & GRID.mask(state.factories)
        found = [Route(_flight(state, who, ranges, piece.at, place), MOVE) for place in GRID.codes(targets)]
    goals = since_start & air_component(state, who, piece.at) & ~start
    return found + [Route((piece.at, area), REBASE) for area in GRID.codes(goals)]


def _flight(state: State, who: str, ranges: tuple[int, ...], start: str, target: str) -> Path:
    gate = air_gate(state, who, ranges, target)
    return (start, target) if gate == start else (start, gate, target)


# [VE 3.3] events that lengthen moves


def _bonus(state: State, block: str) -> int:
    """Areas that an event adds to the block's normal move [VE 3.3]."""
    piece = state.blocks[block]
    event = event_of(state, piece.seat)
    if event is None or event.kind != "movement_bonus" or used(state, piece.seat, "bonus") >= event.units:
        return 0
    fits = piece.nation in event.nations and (not event.types or ground.kind(block) in event.types)
    return event.amount if fits else 0
