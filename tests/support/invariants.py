"""What must hold in every state of a game, beyond what its rules refuse: one function a game.

INVARIANTS[game id](state)      raises AssertionError
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.support import skirmish


def skirmish_conserved(table: skirmish.Table) -> None:
    """Cards in hands and deck, those chosen and those of past rounds are the twelve that were dealt from."""
    if not table.round:
        return
    cards = len(table.deck) + sum(len(c.hand) + bool(c.chosen) for c in table.camps.values())
    assert cards + 2 * (table.round - 1) == 12
    assert sum(camp.score for camp in table.camps.values()) < table.round


def red_vengeance_conserved(state: Any) -> None:
    """Every counter of the manifest is in a hex or in one box, with steps that fit; on the map + pools = manifest."""
    from stavka.games.red_vengeance.ground import COMMANDERS, UNITS
    from stavka.games.red_vengeance.state import DEAD, HAND, LOST, OFF, TRACK, is_on_map

    if not state.at:
        return
    assert set(state.at) == {*UNITS, *COMMANDERS}
    assert set(state.steps) == set(UNITS)
    for piece, place in state.at.items():
        assert is_on_map(place) or place in {TRACK, DEAD, LOST, OFF, HAND}, (piece, place)
        assert (piece in state.due) == (place == TRACK), (piece, place)
    for unit, steps in state.steps.items():
        assert 0 <= steps <= UNITS[unit].steps, (unit, steps)
        if is_on_map(state.at[unit]):
            assert steps, (unit, "on the map without steps")
        if state.at[unit] in {DEAD, LOST}:
            assert not steps, (unit, "removed with steps")


def victory_in_europe_conserved(state: Any) -> None:
    """Every block of the manifest is on the map, in one pool, dead, or at a neutral's home; steps and stacks fit."""
    from stavka.games.victory_in_europe import ground
    from stavka.games.victory_in_europe.ground import BLOCKS, MAP

    if not state.blocks:
        return
    boxes = [state.blocks, *(camp.pool for camp in state.camps.values()), *(camp.dead for camp in state.camps.values())]
    found = [block for box in boxes for block in box]
    assert len(found) == len(set(found)), "a block is in two places"
    assert set(found) <= set(BLOCKS)
    settled = len(state.frames) == 2  # a neutral's forces are nowhere while they are being set up
    for block in set(BLOCKS) - set(found) if settled else ():
        assert state.minors.get(BLOCKS[block].nation) == "neutral", (block, "is nowhere")
    for block, piece in state.blocks.items():
        lowest = 0 if ground.is_leader(block) else 1
        assert lowest <= piece.steps <= BLOCKS[block].steps, (block, piece.steps)
        assert piece.at in MAP.areas
        assert ground.is_land(piece.at) or not ground.is_army(block), (block, "an army at sea")


INVARIANTS: Final[Mapping[str, Callable[[Any], None]]] = {
    "skirmish": skirmish_conserved,
    "red_vengeance": red_vengeance_conserved,
    "victory_in_europe": victory_in_europe_conserved,
}
