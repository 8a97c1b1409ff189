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


INVARIANTS: Final[Mapping[str, Callable[[Any], None]]] = {
    "skirmish": skirmish_conserved,
    "red_vengeance": red_vengeance_conserved,
}
