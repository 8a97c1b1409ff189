"""Neutral powers, surrender, entry into the war, victory: what the sequence of play calls [VE 9.0] [VE 10.0] [VE 13.0].

Frames year and turn_end: `years`; garrison: `garrison`; surrender and free_forces: `surrender`; diplomacy: `rolls`.
"""

from __future__ import annotations

from types import ModuleType
from typing import Final

from stavka.games.victory_in_europe.diplomacy import garrison, rolls, surrender, victory, years
from stavka.games.victory_in_europe.sequence import advance
from stavka.games.victory_in_europe.state import State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

_PARTS: Final[dict[str, ModuleType]] = {kind: part for part in (garrison, surrender, rolls) for kind in part.FRAMES}
"""Frame with decisions -> module that answers for it."""
FRAMES: Final = frozenset({*_PARTS, "year", "victory", "turn_end"})
COMMANDS: Final[dict[type, Handler]] = {**garrison.COMMANDS, **surrender.COMMANDS, **rolls.COMMANDS}


def react(draft: Draft[State]) -> None:
    """One thing that needs nobody's choice."""
    kind = draft.state.frames[-1].kind
    if kind == "year":
        years.begin_turn(draft)
    elif kind == "turn_end":
        years.end_turn(draft)
    elif kind == "victory":
        ended = victory.decisive(draft.state)
        if ended is not None:
            draft.emit(ended)
        else:
            advance(draft)
    elif kind != "garrison":
        _PARTS[kind].react(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    part = _PARTS.get(state.frames[-1].kind)
    return () if part is None else part.decisions(state)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    part = _PARTS.get(state.frames[-1].kind)
    return () if part is None else part.legal(state, seat)
