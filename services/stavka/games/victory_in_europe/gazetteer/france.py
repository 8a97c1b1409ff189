"""France, Vichy France and the Free French [VE 13 France] [VE 13 Algeria] [VE 13 Morocco] [VE 13 Tunisia].

france_falls(state)            whether France surrenders now
surrender(draft)               Vichy is formed, Germany gets the rest
vichy_victor(state)            country to which Vichy surrenders now, or ""
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.board import board_of
from stavka.games.victory_in_europe.diplomacy.handover import disband, pass_area, write_off
from stavka.games.victory_in_europe.diplomacy.patrons import LEADING
from stavka.games.victory_in_europe.events import PowerFallen
from stavka.games.victory_in_europe.ground import COUNTRIES, MAP
from stavka.games.victory_in_europe.state import ALLIED, AXIS, CONQUERED, NEUTRAL, SOVIET, State
from stavka.kernel.draft import Draft

FRANCE: Final = "france"
VICHY: Final = "vichy"
PARIS: Final = COUNTRIES[FRANCE].capital
MAINLAND: Final = frozenset(COUNTRIES[FRANCE].areas) - {"corsica"}
ZONE: Final = COUNTRIES[VICHY].areas


def france_falls(state: State) -> bool:
    """Paris is the Axis's and no British block is in mainland France."""
    if FRANCE not in state.at_war or board_of(state).blocs[state.control[PARIS]] != AXIS:
        return False
    return not any(piece.nation == "britain" and piece.at in MAINLAND for piece in state.blocks.values())


def surrender(draft: Draft[State]) -> None:
    """All French forces but the free ones are gone; the zone turns neutral, the rest of France German.

    Areas that the Axis or an Allied army occupies stay with them; what France holds abroad passes to Britain.
    """
    draft.emit(PowerFallen(FRANCE))
    disband(draft, FRANCE)
    write_off(draft, ALLIED, FRANCE, free=True)
    for area in MAP.areas:
        if draft.state.control.get(area) != FRANCE:
            continue
        if area in ZONE:
            pass_area(draft, area, VICHY)
        else:
            pass_area(draft, area, LEADING[AXIS] if MAP.areas[area].owner == FRANCE else LEADING[ALLIED])


def vichy_victor(state: State) -> str:
    """Who has taken Lyon; or, of Vichy's enemies or while it is neutral, the Ally who has taken Paris."""
    standing = state.minors[VICHY]
    if FRANCE not in state.fallen or standing == CONQUERED:
        return ""
    blocs = board_of(state).blocs
    capital = state.control[COUNTRIES[VICHY].capital]
    if blocs[capital] != blocs[VICHY]:
        return capital
    paris = state.control[PARIS]
    liberated = blocs[paris] in (ALLIED, SOVIET) and standing in (NEUTRAL, AXIS)
    return paris if liberated else ""
