"""Which major power stands behind a side, a minor, a block without a country of its own.

LEADING                     side -> its leading power
patron_of(state, minor)     power to which an allied minor's resources go [VE 10.2] [VE 11.2]
opponent(side)              side that sets up a neutral attacked by `side` [VE 10.3]
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET, State

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
