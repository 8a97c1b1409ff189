"""Resources, factories, building: what the sequence of play calls [VE 11.0]."""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.sequence import Handler, advance
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

FRAMES: Final = frozenset({"production"})
COMMANDS: Final[dict[type, Handler]] = {}


def react(draft: Draft[State]) -> None:
    """Go on."""
    advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    return ()


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    return ()
