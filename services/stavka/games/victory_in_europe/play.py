"""Deciding and reacting: the chapters joined [VE Game Turn].

decide(state, seat, command, roll) -> events      refuses with IllegalAction or MalformedCommand
react(state, roll) -> events                      automatic progress of the top frame's topic
decisions(state)   legal(state, seat)   result(state)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Final

from stavka.games.victory_in_europe import attrition, cards, commitments, landing, moves, setup
from stavka.games.victory_in_europe.battle import chapter as battle
from stavka.games.victory_in_europe.diplomacy import chapter as diplomacy
from stavka.games.victory_in_europe.fold import evolve
from stavka.games.victory_in_europe.production import chapter as production
from stavka.games.victory_in_europe.sequence import RULE_OF, phase_of
from stavka.games.victory_in_europe.state import State
from stavka.kernel import chapters
from stavka.kernel.chapters import by_frame, handlers
from stavka.kernel.dice import Roll
from stavka.kernel.draft import Draft, Event
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Choice, Command, Decision, Result

_TOPICS: Final[Mapping[ModuleType, str]] = {
    setup: "diplomacy",
    cards: "cards",
    commitments: "cards",
    moves: "movement",
    landing: "movement",
    attrition: "supply",
    battle: "combat",
    diplomacy: "diplomacy",
    production: "diplomacy",
}
"""Chapter -> topic of its frames."""
_CHAPTER_OF: Final = by_frame(_TOPICS)
HANDLERS: Final = handlers(_TOPICS)
TOPIC_OF: Final[dict[type, str]] = {
    command: topic for chapter, topic in _TOPICS.items() for command in chapter.COMMANDS
}
"""Command type -> topic that decides it."""


def decide(state: State, seat: str, command: Command, roll: Roll) -> Sequence[Event]:
    """Events of a player's command.

    Raises MalformedCommand UNKNOWN_COMMAND, UNKNOWN_SEAT, FOREIGN_SEAT and what chapters add; IllegalAction WRONG_PHASE (in
    which the command does not belong to the top frame), NOT_YOUR_DECISION and what chapters add.
    """
    handler = HANDLERS.get(type(command))
    if handler is None:
        raise MalformedCommand("UNKNOWN_COMMAND", command=type(command).__name__)
    if seat not in state.seats:
        raise MalformedCommand("UNKNOWN_SEAT", seat=seat)
    if getattr(command, "seat", seat) != seat:
        raise MalformedCommand("FOREIGN_SEAT", seat=seat)
    kind = state.frames[-1].kind
    if kind not in handler.frames:
        raise IllegalAction("VE Game Turn", "WRONG_PHASE", phase=kind)
    name = type(command).__name__
    if not any(open_.seat == seat and name in open_.commands for open_ in decisions(state)):
        raise IllegalAction(RULE_OF.get(phase_of(state), "VE Game Turn"), "NOT_YOUR_DECISION", phase=kind)
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
    return chapter.legal(state, seat) if chapter is not None else ()


def result(state: State) -> Result | None:
    """How the match ended [VE 9.0]."""
    if not state.winner:
        return None
    return Result(state.winner, dict(state.points), state.reasons)
