"""An event that brings blocks out of the Urals or the pool [VE 3.3] [VE 13 Soviet Union]."""

from __future__ import annotations

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import friendly_land, seat_of
from stavka.games.victory_in_europe.ground import BIT, BLOCKS
from stavka.games.victory_in_europe.reach import URALS
from stavka.games.victory_in_europe.state import SOVIET, State
from stavka.games.victory_in_europe.structures import CardEvent
from stavka.kernel.errors import IllegalAction


def release_refused(state: State, seat: str, event: CardEvent, block: str, area: str) -> IllegalAction | None:
    """Why the event cannot put a block into an area; None if it can. It overrules years and the closed Urals."""
    if seat_of(state, SOVIET) != seat or block not in event.blocks:
        return IllegalAction("VE 3.3", "NOT_FOR_THIS_UNIT", block=block)
    piece = state.blocks.get(block)
    if (piece is not None and piece.at != URALS) or (piece is None and block not in state.camps[SOVIET].pool):
        return IllegalAction("VE 3.3", "NOT_IN_URALS_OR_POOL", block=block)
    if area not in event.areas or not BIT[area] & friendly_land(state, SOVIET):
        return IllegalAction("VE 3.3", "NOT_A_PLACE_FOR_IT", area=area)
    return None


def steps_of(event: CardEvent, block: str) -> int:
    """Steps of a block from the pool: the event's, a leader's last one [VE 5.7]."""
    return 0 if ground.is_leader(block) else min(event.amount, BLOCKS[block].steps)
