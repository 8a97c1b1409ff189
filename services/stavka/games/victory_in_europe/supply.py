"""Supply lines [VE 8.0] [VE 1.8] [VE 1.9].

    sources_of(state, nation)           areas that a nation's units trace to, as a set
    network(state, who, resources)      set of the places that a bloc's supply lines may run through
    supplied_by(state, who, sources)    set of the areas from which a bloc's line to one of these sources exists
    supplied(state, nation, resources)  set of the areas from which a line to a source exists
    lifeline(state, nation)             set of the places where its units are in supply, lake and siege considered
    in_supply(state, block)             whether a block on the map is supplied
    unsupplied(state, side)             its blocks that are not, in manifest order
    surrounded(state, capital, who)     [VE 8.7]
    line_of(state, block)               the line itself, or what cuts it, for explanations

Units trace over friendly areas and over friendly or vacant seas, port to port; resources over neutral areas as well.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc, bloc_of, board_of, friendly_land
from stavka.games.victory_in_europe.control import flag_of
from stavka.games.victory_in_europe.ground import BIT, COUNTRIES, GRID, LAND, MAP, SEAS
from stavka.games.victory_in_europe.reach import clear_seas, closed_passages, sight_of
from stavka.games.victory_in_europe.state import ALLIED, SIDES, State
from stavka.kernel.areamap import AreaGraph
from stavka.kernel.supply import blockade, supply_line, trace

_CANADA: Final = MAP.alternate_supply["britain"]
_RED_PORTS: Final = GRID.mask(area for area in MAP.areas if ground.is_red_port(area))
_LAKE: Final = {area: GRID.mask(others) for area, others in MAP.lake_supply.items() if area == "leningrad"}
_LAKE_SHORES: Final = {area: BIT[area] for area in _LAKE}
FREE_FORCES_POWER: Final = ground.FREE_FORCES_POWER
_HARDY: Final = frozenset(block for block in ground.BLOCKS if ground.is_ship(block) or ground.is_fortress(block))
"""Blocks that attrition never strikes [VE 8.2] [VE 8.4]."""
CANADIANS: Final = frozenset({"bri_can_1a", "bri_can_2a"})
"""Supplied from Britain or from Canada, whichever it is [VE 13 Canada]."""


@cache
def _graph(closed: frozenset[tuple[str, str]]) -> AreaGraph:
    """Land, coast and sea links less the closed passages."""
    return GRID.graph(("land", "coast", "sea"), closed)


def sources_of(state: State, nation: str) -> int:
    """[VE 8.1] [VE 1.8] [VE 8.8] [VE 11.42] The capital (London's for free forces), or for good the alternate source; red ports serve the western Allies."""
    power = flag_of(state, nation)
    country = COUNTRIES[power]
    home = MAP.alternate_supply[power] if power in state.alternate else country.capital
    sources = BIT[home]
    if country.kind == "major" and bloc(state, power) == ALLIED:
        sources |= _RED_PORTS
    return sources


def network(state: State, who: str, resources: bool = False) -> int:
    """Set of the places that supply lines of a bloc may run through [VE 8.1] [VE 8.3] [VE 8.5]."""
    sight = sight_of(state, who)
    land = sight.friendly
    if resources:
        land |= LAND & ~sight.enemy & ~sight.contested & ~sight.presence
    return land | clear_seas(sight)


def supplied(state: State, nation: str, resources: bool = False) -> int:
    """Set of the places from which a nation's supply line exists; memoised."""
    memo = board_of(state).memo
    key = ("supplied", nation, resources)
    found: int | None = memo.get(key)
    if found is None:
        found = memo[key] = _trace(state, nation, resources)
    return found


def _trace(state: State, nation: str, resources: bool) -> int:
    return supplied_by(state, bloc(state, flag_of(state, nation)), sources_of(state, nation), resources)


def supplied_by(state: State, who: str, sources: int, resources: bool = False) -> int:
    """Set of the places from which a bloc's line leads to one of these sources; each part of the network is traced once."""
    memo = board_of(state).memo
    parts: list[int] = memo.setdefault(("parts", who, resources), [])
    found = 0
    for part in parts:
        if sources & part:
            found |= part
    while left := sources & ~found:
        part = _part(state, who, left & -left, resources)
        if part:
            parts.append(part)
        found |= part
        sources &= ~(left & -left)
    return found


def _part(state: State, who: str, source: int, resources: bool) -> int:
    """Set of the places joined with a source by the bloc's network."""
    memo = board_of(state).memo
    key = ("net", who, resources)
    net: tuple[AreaGraph, int] | None = memo.get(key)
    if net is None:
        shut = closed_passages(state, who, resources=True) if resources else sight_of(state, who).shut
        net = memo[key] = (_graph(shut), network(state, who, resources))
    return trace(net[0], source, net[1])


def lake_supplied(state: State, area: str, nation: str) -> bool:
    """[VE 1.9] Leningrad over Lake Ladoga, if its far shore is supplied; enough against attrition, not for points."""
    far = _LAKE.get(area, 0) if bloc(state, nation) == bloc(state, "soviet_union") else 0
    return bool(far and far & supplied(state, nation) & friendly_land(state, bloc(state, nation)))


def lifeline(state: State, nation: str) -> int:
    """Set of the places in which a nation's armies and aircraft are in supply; memoised [VE 8.1] [VE 8.7] [VE 1.9]."""
    memo = board_of(state).memo
    found: int | None = memo.get(("lifeline", nation))
    if found is None:
        found = supplied(state, nation)
        for area, bit in _LAKE_SHORES.items():
            if lake_supplied(state, area, nation):
                found |= bit
        home, who = COUNTRIES[flag_of(state, nation)].capital, bloc(state, nation)
        if surrounded(state, home, who):
            found &= ~BIT[home]
        memo["lifeline", nation] = found
    return found


def in_supply(state: State, block: str) -> bool:
    """Whether a block is supplied. Ships always are [VE 8.4]; fortresses may be cut off but do not suffer [VE 8.2].

    Garrisons of neutrals live at home.
    """
    piece = state.blocks[block]
    if ground.is_ship(block) or piece.nation in state.attacked or BIT[piece.at] & lifeline(state, piece.nation):
        return True
    return block in CANADIANS and bool(BIT[piece.at] & supplied_by(state, ALLIED, BIT[_CANADA]))


def unsupplied(state: State, side: str) -> tuple[str, ...]:
    """Army and air blocks of a side that are out of supply, fortresses left out [VE 8.7]."""
    cut = {nation: away for nation, at in _fed(state, side).items() if (away := at & ~lifeline(state, nation))}
    if not cut:
        return ()
    found = (
        block
        for block, piece in state.blocks.items()
        if piece.side == side and BIT[piece.at] & cut.get(piece.nation, 0) and block not in _HARDY
    )
    return tuple(sorted((b for b in found if not in_supply(state, b)), key=ground.ORDER.__getitem__))


def _fed(state: State, side: str) -> dict[str, int]:
    """Nation -> set of the places of its blocks of this side that attrition may strike."""
    memo = board_of(state).memo
    found: dict[str, dict[str, int]] | None = memo.get("fed")
    if found is None:
        found = memo["fed"] = {each: {} for each in SIDES}
        for block, piece in state.blocks.items():
            if block not in _HARDY:
                places = found[piece.side]
                places[piece.nation] = places.get(piece.nation, 0) | BIT[piece.at]
    return found[side]


def surrounded(state: State, capital: str, who: str) -> bool:
    """[VE 8.7] Whether every area and sea next to a capital is the enemy's, or frozen."""
    sight = sight_of(state, who)
    return not GRID.adjacent(capital) & ~(sight.enemy | (sight.presence & SEAS) | sight.frozen)


def line_of(state: State, block: str) -> dict[str, Any]:
    """The supply line of a block, or why there is none: plain data with citations."""
    piece = state.blocks[block]
    who, nation = bloc_of(state, piece), piece.nation
    sight = sight_of(state, who)
    graph = _graph(sight.shut)
    passable = network(state, who)
    sources = sources_of(state, nation)
    if ground.is_ship(block):
        return {"supplied": True, "rule": "VE 8.4", "why": "ships need no line"}
    if who not in SIDES:
        return {"supplied": True, "rule": "VE 10.1", "why": "a garrison lives at home"}
    line = supply_line(graph, sources, passable, piece.at)
    home = COUNTRIES[flag_of(state, nation)].capital
    if piece.at == home and surrounded(state, home, who):
        return {"supplied": False, "rule": "VE 8.7", "why": "the capital is surrounded", "at": home}
    if line:
        return {"supplied": True, "rule": "VE 8.1", "line": list(line), "source": line[-1]}
    if lake_supplied(state, piece.at, nation):
        return {"supplied": True, "rule": "VE 1.9", "why": "over Lake Ladoga"}
    causes = {
        "enemy area": sight.enemy,
        "enemy at sea": sight.presence & SEAS,
        "contested": sight.contested,
        "ice": sight.frozen,
    }
    cut = blockade(graph, passable, piece.at, causes)
    return {
        "supplied": False,
        "rule": "VE 8.2" if ground.is_fortress(block) else "VE 8.1",
        "sources": list(GRID.codes(sources)),
        "pocket": list(GRID.codes(cut.pocket)),
        "frontier": list(GRID.codes(cut.frontier)),
        "cut_by": {cause: list(GRID.codes(mask)) for cause, mask in cut.blocked_by.items() if mask},
    }
