"""Neutral powers, surrender, entry into the war, victory: what the sequence of play calls [VE 9.0] [VE 10.0] [VE 13.0]."""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.events import FramePopped, MatchEnded
from stavka.games.victory_in_europe.sequence import LAST_TURN, Handler, advance
from stavka.games.victory_in_europe.state import AXIS, State
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

FRAMES: Final = frozenset({"year", "surrender", "victory", "diplomacy", "turn_end", "garrison"})
COMMANDS: Final[dict[type, Handler]] = {}


def react(draft: Draft[State]) -> None:
    """Go on."""
    if draft.state.frames[-1].kind == "garrison":
        draft.emit(FramePopped("garrison"))
    elif draft.state.frames[1].kind == "turn_end" and draft.state.turn == LAST_TURN:
        draft.emit(MatchEnded(AXIS, {AXIS: 1}, (("VE 9.3", AXIS, 1, "Berlin"),)))
    else:
        advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    return ()


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    return ()
