"""What the state is about, in a line [VE Game Turn]; it says nothing that any viewer may not know.

headline(state)       such as "Summer 1941, Axis moves (Player 1: Axis)"
who_acts(state)       seats that have an open decision
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe import play
from stavka.games.victory_in_europe.season import turn_of
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET, State

PHASES: Final = {
    "deployment": "deployment",
    "year": "start of the turn",
    "cards": "cards",
    "winter": "winter",
    "move": "moves",
    "landing": "aircraft land",
    "events": "events for battles",
    "combat": "combat",
    "supply": "supply",
    "surrender": "surrenders",
    "victory": "victory",
    "diplomacy": "diplomacy",
    "production": "production",
    "turn_end": "end of the turn",
}
SEAT_TITLES: Final = {AXIS: "Axis", ALLIED: "Allies", SOVIET: "Soviets", "draw": "Draw"}


def headline(state: State) -> str:
    if state.winner:
        return f"Ended: {SEAT_TITLES[state.winner]}"
    if len(state.frames) < 2:
        return "Not begun"
    season, phase = turn_of(state), state.frames[1]
    seat = f"{SEAT_TITLES[phase.seat]} " if phase.seat else ""
    inner = f", {state.frames[-1].kind}" if len(state.frames) > 2 else ""
    first = f" (Player 1: {SEAT_TITLES[state.order[0]]})" if state.order else ""
    return f"{season.season.title()} {season.year}, {seat}{PHASES[phase.kind]}{inner}{first}"


def who_acts(state: State) -> tuple[str, ...]:
    """Seats that have an open decision, in the order of the decisions."""
    return tuple(dict.fromkeys(decision.seat for decision in play.decisions(state)))
