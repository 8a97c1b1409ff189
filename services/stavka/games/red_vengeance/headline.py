"""What the state is about, in a line [RV 4.0], and the state behind a view.

headline(state)     turn, side and phase for people
restore(view)       the state of a viewer's plain data: nothing is hidden in this game, so all of it
who_acts(state)     sides that have an open decision
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from stavka.games.red_vengeance import play
from stavka.games.red_vengeance.ground import SEA_BOXES, WEATHER
from stavka.games.red_vengeance.sequence import turn_name
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.errors import MalformedCommand

PHASES: Final = {
    "setup_infantry": "sets up infantry",
    "setup_allied": "sets up",
    "setup_armor": "sets up armor",
    "bombing": "Dresden is bombed",
    "weather": "weather",
    "supply": "command: supply",
    "politics": "command: minor nations",
    "hitler": "command: Berlin",
    "replacements": "command: replacements",
    "reinforcements": "command: reinforcements",
    "air": "command: air power",
    "movement": "movement",
    "stacking": "stacking after movement",
    "combat": "combat",
    "exploitation_movement": "exploitation movement",
    "exploitation_stacking": "stacking after exploitation",
    "exploitation_combat": "exploitation combat",
    "victory": "scoring",
}
SIDE_TITLES: Final = {AXIS: "Axis", ALLIED: "Allied", "draw": "Draw"}

_STATE: Final[TypeAdapter[State]] = TypeAdapter(State)


def headline(state: State) -> str:
    """Such as "July 1944, Allied movement (clear, German Lake)"."""
    if state.winner:
        score = ", ".join(f"{SIDE_TITLES[side]} {points}" for side, points in state.points.items())
        return f"Ended: {SIDE_TITLES[state.winner]} ({score})"
    if len(state.frames) < 2:
        return "Not begun"
    phase = state.frames[1]
    side = f"{SIDE_TITLES[phase.seat]} " if phase.seat else ""
    inner = f", {state.frames[-1].kind}" if len(state.frames) > 2 else ""
    sky = f"{WEATHER[state.weather].title.lower()}, {SEA_BOXES[state.sea].title}"
    return f"{turn_name(state.turn)}, {side}{PHASES[phase.kind]}{inner} ({sky})"


def who_acts(state: State) -> tuple[str, ...]:
    """Sides that have an open decision, in the order of the decisions."""
    return tuple(dict.fromkeys(decision.seat for decision in play.decisions(state)))


def restore(view: Mapping[str, Any]) -> State:
    """Raises MalformedCommand NOT_A_VIEW when the data is not a view of this game."""
    try:
        return _STATE.validate_python(dict(view))
    except ValidationError as problem:
        raise MalformedCommand("NOT_A_VIEW", problem.title) from problem
