"""Ways out of a battle and on from it: what retreats, regroups and blitzes ask of `reach` [VE 5.9] [VE 6.4] [VE 7.3].

    sea_reach(state, block, moves=None)     berth -> MP: where a ship could end; friends and room not looked at
    seas_beside(state, block)               seas that a ship enters in one step
    air_reach(state, block, moves=None)     place -> MP, not over neutral areas
    blitz_routes(state, block)              normal moves of an army or an aircraft as in the Move Phase [VE 5.9]

All start where the block stands now. `moves` replaces the block's own allowance (99: however far).
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc_of
from stavka.games.victory_in_europe.ground import BLOCKS, GRID
from stavka.games.victory_in_europe.reach import Berth, air_ranges, flying, sea_paths, sight_of
from stavka.games.victory_in_europe.routes import MOVE, Routes, routes_of
from stavka.games.victory_in_europe.state import State

DEAREST_STEP: Final = 3  # MP into an ocean, or through a strait that counts as an area [VE 7.11] [VE 13 Denmark]


def sea_reach(state: State, block: str, moves: int | None = None) -> dict[Berth, int]:
    """Berths that a ship could come to by seas, open straits, canals and the Leads, with the MP; ice bars its way.

    Enemy seas and contested places end the way of surface ships, not of submarines.
    """
    piece = state.blocks[block]
    allowance = BLOCKS[block].move if moves is None else moves
    sight = sight_of(state, bloc_of(state, piece))
    paths = sea_paths(sight, piece.at, piece.coast, allowance, ground.is_submarine(block))
    return {berth: cost for berth, (cost, _) in paths.items()}


def seas_beside(state: State, block: str) -> tuple[str, ...]:
    """Seas that a ship enters in one step: those of its own coast [VE 7.16], at sea those joined by open straits and canals."""
    piece = state.blocks[block]
    sight = sight_of(state, bloc_of(state, piece))
    paths = sea_paths(sight, piece.at, piece.coast, DEAREST_STEP, ground.is_submarine(block))
    return tuple(path[1] for _, path in paths.values() if len(path) == 2 and not ground.is_land(path[1]))


def air_reach(state: State, block: str, moves: int | None = None) -> dict[str, int]:
    """Places that an aircraft could fly to, with the MP."""
    piece = state.blocks[block]
    allowance = BLOCKS[block].move if moves is None else moves
    ranges = air_ranges(flying(sight_of(state, bloc_of(state, piece))), piece.at, allowance)
    return {place: cost for cost, layer in enumerate(ranges) if cost for place in GRID.codes(layer)}


def blitz_routes(state: State, block: str) -> Routes:
    """Normal moves; ships never blitz [VE 5.9]. Limits of borders and stacking are left to the caller."""
    if ground.is_ship(block):
        return ()
    return tuple(route for route in routes_of(state, block) if route.by == MOVE)
