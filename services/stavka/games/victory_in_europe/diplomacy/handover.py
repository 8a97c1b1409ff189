"""Areas that change hands without a battle: by surrender and by treaty [VE 10.0] [VE 13 France] [VE 13 Italy].

    pass_area(draft, area, heir)            to `heir`, or to whoever of another bloc has an army there
    blocks_of(state, nation)                its blocks on the map, by place
    disband(draft, nation)                  every block of a nation leaves the map
    write_off(draft, side, nation, free)    its blocks leave its side's force pool; with `free` the free forces stay in it

Nothing here depends on the order of a dict.
"""

from __future__ import annotations

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.ways import harbors, landings
from stavka.games.victory_in_europe.bearings import air_reach, sea_reach
from stavka.games.victory_in_europe.board import bloc, bloc_of, blocks_at, open_seas, room, viewers_of
from stavka.games.victory_in_europe.control import flag_of
from stavka.games.victory_in_europe.events import BlockMoved, BlockRemoved, ControlChanged, FactoriesSet, PoolChanged
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, COUNTRIES, MAP
from stavka.games.victory_in_europe.losses import fate_of, remove
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft


def pass_area(draft: Draft[State], area: str, heir: str) -> None:
    """[VE 10.0] Give an area to a country, unless armies of another bloc occupy it: then to these.

    Its resources count from the next turn on [VE 11.2], its factories are lost [VE 11.33]; ships and aircraft of others
    leave for the nearest place that takes them.
    """
    state = draft.state
    who = bloc(state, heir)
    strangers = tuple(b for b in blocks_at(state, area) if bloc_of(state, state.blocks[b]) != who)
    armies = tuple(b for b in strangers if ground.is_army(b))
    holder = flag_of(state, state.blocks[armies[0]].nation) if armies else heir
    draft.emit(ControlChanged(area, holder, MAP.areas[area].resource > 0))
    if draft.state.factories.get(area):
        draft.emit(FactoriesSet(area, ()))
    if armies:
        return
    for block in strangers:
        _displace(draft, block)


def _displace(draft: Draft[State], block: str) -> None:
    """Move a ship or an aircraft off ground that is friendly no longer; it is lost if nothing takes it in range."""
    state = draft.state
    piece = state.blocks[block]
    target, coast = _refuge(state, block)
    if not target:
        remove(draft, block, "displaced")
        return
    viewers = viewers_of(state, block)
    draft.emit(BlockMoved(viewers, block, piece.nation, piece.at, target, "", coast, False, "displaced"))


def _refuge(state: State, block: str) -> tuple[str, int]:
    """The nearest place in reach, the first of equals in map order; ("", -1) when there is none."""
    piece = state.blocks[block]
    if ground.is_air(block):
        cost = air_reach(state, block)
        return min(((area, -1) for area in landings(state, block)), key=lambda spot: cost[spot[0]], default=("", -1))
    ports = harbors(state, block)
    if not ports:
        free = open_seas(state, bloc_of(state, piece))
        reach = sea_reach(state, block)
        ports = {b: c for b, c in reach.items() if BIT[b[0]] & free and room(state, piece.side, b[0], block) > 0}
    return min(ports, key=ports.__getitem__, default=("", -1))


def blocks_of(state: State, nation: str) -> tuple[str, ...]:
    """Blocks of a nation on the map, by place; those of one place in manifest order."""
    mine = (block for block, piece in state.blocks.items() if piece.nation == nation)
    return tuple(sorted(mine, key=lambda block: (state.blocks[block].at, ground.ORDER[block])))


def disband(draft: Draft[State], nation: str) -> None:
    """Take every block of a nation off the map, in the order of their places."""
    state = draft.state
    for block in blocks_of(state, nation):
        piece = draft.state.blocks[block]
        to = fate_of(draft.state, block)
        draft.emit(BlockRemoved(viewers_of(draft.state, block), block, nation, piece.at, to, "surrender"))


def write_off(draft: Draft[State], side: str, nation: str, free: bool) -> None:
    """Blocks of a nation that is out of the war are never built; its free forces, if any fight on, wait in the side's
    pool [VE 11.42]. Those that were lost for another side stay in that side's box."""
    state = draft.state
    camp = state.camps[side]
    nationals = frozenset(block for block, datum in BLOCKS.items() if datum.nation == nation)
    others = {b for other in state.camps.values() if other.side != side for b in other.pool | other.dead}
    mine = nationals - state.blocks.keys() - others
    kept = mine & frozenset(COUNTRIES[nation].free_forces) if free else frozenset()
    draft.emit(PoolChanged(side, camp.seat, (camp.pool - nationals) | kept, (camp.dead | mine) - kept))
