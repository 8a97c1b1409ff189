"""The sequence of play [RV 4.0] and how chapters take part in it.

    SEQUENCE                        the phases of a game turn in order, as Phase(kind, topic, side)
    advance(draft)                  ends the present phase and begins the next one that is open
    year_of(turn) turn_name(turn)   1944 or 1945; "June 1944"
    decision(state, ...)            a Decision with an id that is never used twice

A phase is the frame above the frame "match"; whatever a phase opens meanwhile (a battle, a retreat, an uprising) is
pushed on top of it. Chapters take part as `kernel/chapters.py` says, with one function more:

    legal(state) -> tuple[Choice, ...]       the same decisions with their options

`play.py` checks phase and seat before it calls `run`.

Frame kinds of combat: bombing, hitler, combat, exploitation_combat and whatever these push (battle, losses, retreat,
advance, uprising ...). A chapter that is done with its phase calls `advance(draft)`; one that is done with a pushed
frame emits FramePopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.events import PhaseBegun
from stavka.games.red_vengeance.ground import DATA
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.draft import Draft
from stavka.kernel.game import Command, Decision

LAST_TURN: Final = 11  # April 1945 [RV 4.0]
FIRST_REPLACEMENTS: Final = 2  # July 1944 [RV 4.0]
DRESDEN_TURN: Final = 9  # February 1945 [RV 11.5]


@dataclass(frozen=True, slots=True)
class Phase:
    """`side` is the phasing side, "" where both are concerned. `rule` is its citation."""

    kind: str
    topic: str
    side: str
    rule: str


SETUP: Final = (
    Phase("setup_infantry", "diplomacy", AXIS, "RV 3.2"),
    Phase("setup_allied", "diplomacy", ALLIED, "RV 3.3"),
    Phase("setup_armor", "diplomacy", AXIS, "RV 3.4"),
)


def _player_turn(side: str) -> tuple[Phase, ...]:
    """Command, movement, combat, exploitation movement, exploitation combat of a side [RV 4.0]."""
    judged = (
        (Phase("politics", "diplomacy", side, "RV 11.3"), Phase("hitler", "combat", side, "RV 11.27"))
        if side == ALLIED
        else ()
    )
    return (
        Phase("supply", "supply", side, "RV 5.0"),
        *judged,
        Phase("replacements", "diplomacy", side, "RV 10.1"),
        Phase("reinforcements", "diplomacy", side, "RV 10.4"),
        Phase("air", "diplomacy", side, "RV 12.1"),
        Phase("movement", "movement", side, "RV 6.0"),
        Phase("stacking", "movement", side, "RV 6.3"),
        Phase("combat", "combat", side, "RV 8.1" if side == ALLIED else "RV 8.2"),
        Phase("exploitation_movement", "movement", side, "RV 6.6"),
        Phase("exploitation_stacking", "movement", side, "RV 6.3"),
        Phase("exploitation_combat", "combat", side, "RV 8.3"),
    )


SEQUENCE: Final = (
    Phase("bombing", "combat", ALLIED, "RV 11.5"),
    Phase("weather", "supply", "", "RV 13.0"),
    *_player_turn(ALLIED),
    *_player_turn(AXIS),
)
VICTORY: Final = Phase("victory", "diplomacy", "", "RV 15.0")

EXPLOITATION: Final = frozenset({"exploitation_movement", "exploitation_stacking", "exploitation_combat"})
RULE_OF: Final = {phase.kind: phase.rule for phase in (*SETUP, *SEQUENCE, VICTORY)}


def is_open(state: State, phase: Phase, turn: int) -> bool:
    """Whether a phase takes place at all in that turn; weather must have been determined [RV 4.0, RV 13.0]."""
    if phase.kind == "bombing":
        return turn == DRESDEN_TURN
    if phase.kind == "replacements":
        return turn >= FIRST_REPLACEMENTS
    if phase.kind in EXPLOITATION:
        return phase.side not in DATA.weather.kinds[state.weather].no_exploitation
    return True


def following(state: State) -> tuple[int, Phase]:
    """Turn and phase that come after the present one."""
    now, turn = state.frames[1], state.turn
    setup = [phase.kind for phase in SETUP]
    if now.kind in setup[:-1]:
        return 0, SETUP[setup.index(now.kind) + 1]
    if now.kind == setup[-1]:
        turn, place = 1, -1
    else:
        place = next(i for i, p in enumerate(SEQUENCE) if (p.kind, p.side) == (now.kind, now.seat))
    while True:
        place += 1
        if place == len(SEQUENCE):
            if turn == LAST_TURN:
                return turn, VICTORY
            turn, place = turn + 1, 0
        if is_open(state, SEQUENCE[place], turn):
            return turn, SEQUENCE[place]


def advance(draft: Draft[State]) -> None:
    """Begin the next open phase."""
    turn, phase = following(draft.state)
    draft.emit(PhaseBegun(turn, phase.kind, phase.topic, phase.side))


def phase_of(state: State) -> str:
    """Kind of the present phase, "match" before the first and after the last one."""
    return state.frames[min(1, len(state.frames) - 1)].kind


def phasing(state: State) -> str:
    """Side whose player turn it is, "" outside player turns."""
    return state.frames[1].seat if len(state.frames) > 1 else ""


def year_of(turn: int) -> int:
    return DATA.scenarios["campaign"].turn[turn - 1].year


def turn_name(turn: int) -> str:
    return DATA.scenarios["campaign"].turn[turn - 1].name if turn else "Set-up"


def decision(
    state: State, seat: str, kind: str, rule: str, commands: tuple[type[Command], ...], prompt: str
) -> Decision:
    """A decision of the top frame. Its id changes with every event, and so stays as long as nothing happens."""
    id = f"t{state.turn}.{phase_of(state)}.{kind}.{state.serial}"
    return Decision(id, seat, kind, rule, tuple(command.__name__ for command in commands), prompt)
