"""Steps lost and blocks eliminated, whatever the cause [VE 2.2] [VE 5.7] [VE 11.5].

    lose_steps(draft, losses, cause)    block -> steps lost; returns the blocks that are gone
    remove(draft, block, cause)         a block leaves the map
    fate_of(state, block)               the box that an eliminated block goes to

A leader lives on at step 0 and goes when that step is hit; all others go below step 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import viewers_of
from stavka.games.victory_in_europe.events import BlockRemoved, StepsSet
from stavka.games.victory_in_europe.state import CONQUERED, State
from stavka.kernel.draft import Draft


def lose_steps(draft: Draft[State], losses: Mapping[str, int], cause: str) -> frozenset[str]:
    """Take steps from blocks, remove those that have none left, and return these.

    They leave in the order of their places, which tells nobody what they were.
    """
    gone: list[str] = []
    reduced: dict[tuple[str, ...], dict[str, tuple[int, bool]]] = {}
    for block, lost in losses.items():
        piece = draft.state.blocks[block]
        left = piece.steps - lost
        if left < (0 if ground.is_leader(block) else 1):
            gone.append(block)
        elif lost:
            reduced.setdefault(viewers_of(draft.state, block), {})[block] = (left, piece.half)
    for viewers, steps in reduced.items():
        draft.emit(StepsSet(viewers, steps, cause))
    state = draft.state
    for block in sorted(gone, key=lambda b: (state.blocks[b].at, state.blocks[b].nation, ground.ORDER[b])):
        remove(draft, block, cause)
    return frozenset(gone)


def remove(draft: Draft[State], block: str, cause: str) -> None:
    """Take a block off the map: to its side's pool, or for good."""
    piece = draft.state.blocks[block]
    to = fate_of(draft.state, block)
    draft.emit(BlockRemoved(viewers_of(draft.state, block), block, piece.nation, piece.at, to, cause))


def fate_of(state: State, block: str) -> str:
    """ "pool", or "dead": airborne, battleships, fortresses [VE 2.2] and minors' blocks [VE 11.5] are never rebuilt.

    Free forces of conquered nations may be rebuilt by Britain [VE 11.42].
    """
    nation = ground.NATION[block]
    if not ground.BLOCKS[block].type.rebuildable:
        return "dead"
    country = ground.COUNTRIES[nation]
    if country.kind == "major" and nation not in state.fallen:
        return "pool"
    conquered = nation in state.fallen or state.minors.get(nation) == CONQUERED
    return "pool" if conquered and block in country.free_forces else "dead"
