"""Which major power stands behind a side, a minor, a block without a country of its own.

LEADING               side -> its leading power
patron_of(state, minor)           power to which an allied minor's resources go [VE 10.2] [VE 11.2]
flag_of(state, block)             nation in whose name an army holds an area
opponent(side)                    side that sets up a neutral attacked by `side` [VE 10.3]
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.state import ALLIED, AXIS, CONQUERED, SOVIET, State

LEADING: Final = {AXIS: "germany", ALLIED: "britain", SOVIET: "soviet_union"}


def opponent(side: str) -> str:
    """[VE 10.3] The Allies against the Axis, never the Soviets; the Axis against everybody else."""
    return ALLIED if side == AXIS else AXIS


def patron_of(state: State, minor: str) -> str:
    """The power that won an allied minor, else the leading power of its side, which must be one."""
    patron = state.affairs.patrons.get(minor, "")
    if patron in state.fallen or not patron:
        return LEADING[state.minors[minor]]
    return patron


def flag_of(state: State, block: str) -> str:
    """A block's nation, or its side's leading power for free forces of conquered nations [VE 11.42]."""
    piece = state.blocks[block]
    if piece.nation in state.fallen or state.minors.get(piece.nation) == CONQUERED:
        return LEADING[piece.side]
    return piece.nation
