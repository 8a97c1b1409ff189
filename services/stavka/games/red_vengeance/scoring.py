"""The end of the match [RV 4.0, RV 15.0]: after April 1945 the score is taken; `victory.py` has the rules."""

from __future__ import annotations

from typing import Final

from stavka.games.red_vengeance.sequence import VICTORY
from stavka.games.red_vengeance.state import State
from stavka.games.red_vengeance.victory import outcome
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

FRAMES: Final = frozenset({VICTORY.kind})
COMMANDS: Final[dict[type, Handler]] = {}


def react(draft: Draft[State]) -> None:
    draft.emit(outcome(draft.state))


def decisions(state: State) -> tuple[Decision, ...]:
    return ()


def legal(state: State) -> tuple[Choice, ...]:
    return ()
