"""The sequence of play [VE Game Turn] and how chapters take part in it.

    SEQUENCE                        the phases of a game turn in order, as Phase(kind, topic, rule)
    advance(draft)                  ends the present phase and begins the next one
    decision(state, ...)            a Decision with an id that is never used twice

Cards [VE [1]], moves [VE [2]], combat [VE [3]], supply [VE [4]], diplomacy [VE [5]], production [VE [6]]; what the book does
at the edges of these has a phase of its own: the start of a turn, ice, landing aircraft, events for battles, surrenders,
victory, the end of a turn.

A phase is the frame above the frame "match"; whatever a phase opens meanwhile (a battle, a neutral's set-up) is pushed
on top of it. Chapters take part as `kernel/chapters.py` says, with one function more:

    legal(state, seat) -> tuple[Choice, ...]   those of one seat, with their options

`play.py` checks frame and seat before it calls `run`: the seat must have an open decision that names the command.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe.board import friendly_places
from stavka.games.victory_in_europe.events import PhaseBegun
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft
from stavka.kernel.game import Command, Decision

LAST_TURN: Final = 26  # fall 1945 [VE 9.3]


@dataclass(frozen=True, slots=True)
class Phase:
    """`each` tells phases that every seat has for itself, in the order of play of the turn."""

    kind: str
    topic: str
    rule: str
    each: bool = False


SETUP: Final = (Phase("deployment", "diplomacy", "VE Deployment"),)
SEQUENCE: Final = (
    Phase("year", "diplomacy", "VE 13 United States"),
    Phase("cards", "cards", "VE 3.2"),
    Phase("winter", "supply", "VE 3.43"),
    Phase("move", "movement", "VE 4.2", each=True),
    Phase("landing", "movement", "VE 6.22"),
    Phase("events", "cards", "VE 3.3"),
    Phase("combat", "combat", "VE 5.1"),
    Phase("supply", "supply", "VE 8.7"),
    Phase("surrender", "diplomacy", "VE 10.0"),
    Phase("victory", "diplomacy", "VE 9.0"),
    Phase("diplomacy", "diplomacy", "VE 10.2"),
    Phase("production", "diplomacy", "VE 11.1"),
    Phase("turn_end", "diplomacy", "VE 10.3"),
)
RULE_OF: Final = {phase.kind: phase.rule for phase in (*SETUP, *SEQUENCE)}


def following(state: State) -> tuple[int, Phase, str]:
    """Turn, phase and seat that come after the present ones."""
    now = state.frames[1]
    if now.kind == SETUP[-1].kind:
        return state.turn, SEQUENCE[0], ""
    place = next(i for i, phase in enumerate(SEQUENCE) if phase.kind == now.kind)
    if SEQUENCE[place].each and now.seat != state.order[-1]:
        return state.turn, SEQUENCE[place], state.order[state.order.index(now.seat) + 1]
    if place + 1 == len(SEQUENCE):
        return state.turn + 1, SEQUENCE[0], ""
    phase = SEQUENCE[place + 1]
    return state.turn, phase, state.order[0] if phase.each else ""


def advance(draft: Draft[State]) -> None:
    """Begin the next phase. Whoever calls it has seen to it that the match is not over."""
    turn, phase, seat = following(draft.state)
    at_start = friendly_places(draft.state) if phase.kind == "move" else {}
    draft.emit(PhaseBegun(turn, phase.kind, phase.topic, seat, at_start))


def phase_of(state: State) -> str:
    """Kind of the present phase, "match" before the first and after the last one."""
    return state.frames[min(1, len(state.frames) - 1)].kind


def decision(
    state: State, seat: str, kind: str, rule: str, commands: tuple[type[Command], ...], counter: str, prompt: str
) -> Decision:
    """A decision. `counter` tells it from all others of its kind and seat in this phase, of this match.

    It must be made of what every viewer may know, and must not change while the decision is open: so not of what
    another seat has answered meanwhile.
    """
    id = f"t{state.turn}.{phase_of(state)}.{kind}.{seat}.{state.stamp}.{counter}"
    return Decision(id, seat, kind, rule, tuple(command.__name__ for command in commands), prompt)
