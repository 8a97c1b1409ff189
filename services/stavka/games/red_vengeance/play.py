"""Deciding and reacting: the chapters joined [RV 4.0].

decide(state, seat, command, roll) -> events      refuses with IllegalAction or MalformedCommand
react(state, roll) -> events                      automatic progress of the top frame's topic
decisions(state)   legal(state, seat)   result(state)
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Final

from stavka.games.red_vengeance import (
    minors,
    moves,
    production,
    reinforcements,
    scoring,
    sea,
    setup,
    stacking,
    supply,
    weather,
)
from stavka.games.red_vengeance.combat import chapter as combat
from stavka.games.red_vengeance.fold import evolve
from stavka.games.red_vengeance.sequence import RULE_OF, phase_of
from stavka.games.red_vengeance.state import SIDES, State
from stavka.kernel import chapters
from stavka.kernel.chapters import by_frame, handlers
from stavka.kernel.dice import Roll
from stavka.kernel.draft import Draft, Event
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Choice, Command, Decision, Result

CHAPTERS: Final[tuple[ModuleType, ...]] = (
    setup,
    weather,
    supply,
    minors,
    production,
    reinforcements,
    moves,
    stacking,
    combat,
    scoring,
)
_CHAPTER_OF: Final = by_frame(CHAPTERS)
HANDLERS: Final = handlers((*CHAPTERS, sea))
_TOPICS: Final = {"movement": (moves, sea, stacking), "combat": (combat,), "supply": (supply,)}
TOPIC_OF: Final[dict[type, str]] = {
    command: next((topic for topic, owners in _TOPICS.items() if chapter in owners), "diplomacy")
    for chapter in (*CHAPTERS, sea)
    for command in chapter.COMMANDS
}
"""Command type -> topic that decides it."""


def decide(state: State, seat: str, command: Command, roll: Roll) -> Sequence[Event]:
    """Events of a player's command.

    Raises MalformedCommand UNKNOWN_COMMAND, UNKNOWN_SEAT and what chapters add; IllegalAction WRONG_PHASE (in which the
    command does not belong to the top frame), NOT_YOUR_DECISION and what chapters add.
    """
    handler = HANDLERS.get(type(command))
    if handler is None:
        raise MalformedCommand("UNKNOWN_COMMAND", command=type(command).__name__)
    if seat not in SIDES:
        raise MalformedCommand("UNKNOWN_SEAT", seat=seat)
    kind = state.frames[-1].kind
    if kind not in handler.frames:
        raise IllegalAction("RV 4.0", "WRONG_PHASE", phase=kind)
    if not any(open_.seat == seat for open_ in decisions(state)):
        raise IllegalAction(RULE_OF.get(phase_of(state), "RV 4.0"), "NOT_YOUR_DECISION", phase=kind)
    draft = Draft(state, evolve, roll)
    handler.run(draft, seat, command)
    return tuple(draft.events)


def react(state: State, roll: Roll) -> Sequence[Event]:
    """Go on until a seat must decide, the match is over, or the top frame belongs to another topic."""
    return chapters.react(_CHAPTER_OF, Draft(state, evolve, roll))


def decisions(state: State) -> tuple[Decision, ...]:
    """Open decisions; () while automatic progress is due and after the end."""
    return chapters.decisions(_CHAPTER_OF, state)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    """The seat's decisions with their options."""
    chapter = _CHAPTER_OF.get(state.frames[-1].kind)
    if chapter is None:
        return ()
    return tuple(choice for choice in chapter.legal(state) if choice.decision.seat == seat)


def result(state: State) -> Result | None:
    """The score once the match has ended [RV 15.0]."""
    if not state.winner:
        return None
    return Result(state.winner, dict(state.points), state.reasons)
