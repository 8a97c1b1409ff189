"""Control of hexes [RV 7.0 to RV 7.3] and what hangs on it: ports, cities, oil fields.

controls(state, side, hex)         whether the side controls the hex, alone or together with the enemy
controls_alone(state, side, hex)   whether it does so alone [RV 7.3]
oil_fields(state, side)            oil field hexes that it controls
yugoslav_control(state, side)      Yugoslav hexes that it controls, as a set
"""

from __future__ import annotations

from stavka.games.red_vengeance.board import BIT, board_of
from stavka.games.red_vengeance.ground import OIL, YUGOSLAVIA
from stavka.games.red_vengeance.state import State, other


def controls(state: State, side: str, code: str) -> bool:
    """[RV 7.2] outside Yugoslavia, the side that is in the hex or passed it last; [RV 7.3] inside.

    A Yugoslav hex without units is shared when no ZOC, or the ZOC of both sides, lies on it.
    """
    bit = BIT[code]
    if not bit & YUGOSLAVIA:
        return state.control.get(code) == side
    return bool(bit & yugoslav_control(state, side))


def controls_alone(state: State, side: str, code: str) -> bool:
    """Whether the side controls the hex and the enemy does not share it."""
    return controls(state, side, code) and not controls(state, other(side), code)


def oil_fields(state: State, side: str) -> tuple[str, ...]:
    """Oil field hexes that the side controls [RV 6.5, RV 10.2]."""
    return tuple(code for code in OIL if controls(state, side, code))


def yugoslav_control(state: State, side: str) -> int:
    """Yugoslav hexes that the side controls, alone or shared [RV 7.3]."""
    board = board_of(state)
    enemy = other(side)
    held = board.units[side] | ~board.units[enemy] & (~board.zoc[enemy] | board.zoc[side])
    return YUGOSLAVIA & held
