"""Italy's surrender [VE 13 Italy]. How she enters: `diplomacy.capture` and `diplomacy.rolls`."""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.board import board_of
from stavka.games.victory_in_europe.control import heir_of
from stavka.games.victory_in_europe.diplomacy.handover import disband, pass_area, write_off
from stavka.games.victory_in_europe.events import PowerFallen
from stavka.games.victory_in_europe.ground import COUNTRIES, MAP, MINORS
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET, State
from stavka.kernel.draft import Draft

ITALY: Final = "italy"
ROME: Final = COUNTRIES[ITALY].capital
LIBYA: Final = COUNTRIES["libya"].areas


def victor_over_italy(state: State) -> str:
    """The country that holds Rome, or, with all Libya Allied, a neighbor of Rome; "" while Italy fights on."""
    if ITALY not in state.at_war:
        return ""
    if _is_allied(state, ROME):
        return state.control[ROME]
    if not all(_is_allied(state, area) for area in LIBYA):
        return ""
    return next(
        (state.control[area] for area in MAP.areas if area in MAP.borders[ROME] and _is_allied(state, area)), ""
    )


def _is_allied(state: State, area: str) -> bool:
    return board_of(state).blocs[state.control[area]] in (ALLIED, SOVIET)


def surrender(draft: Draft[State], victor: str) -> None:
    """Italy's forces and factories are gone; what she controls is Allied unless another Axis army occupies it."""
    draft.emit(PowerFallen(ITALY))
    disband(draft, ITALY)
    write_off(draft, AXIS, ITALY, free=False)
    for area in MAP.areas:
        if draft.state.control.get(area) == ITALY:
            pass_area(draft, area, heir_of(draft.state, area, victor))


def protected(state: State) -> tuple[str, ...]:
    """Minors that Italy won and that surrender with her."""
    patrons = state.affairs.patrons
    return tuple(minor for minor in MINORS if patrons.get(minor) == ITALY and state.minors[minor] == AXIS)
