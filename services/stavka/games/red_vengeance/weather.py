"""The Turn Beginning Segment and the air power roll [RV 4.0, RV 12.1, RV 12.22, RV 13.0, RV 14.7].

All of it is automatic: the weather of the turn, the check of the Baltic track from July 1944 on, and in each Command
Phase the air power points of the phasing side.
"""

from __future__ import annotations

from typing import Final

from stavka.games.red_vengeance.events import (
    AirPowerRolled,
    ReinforcementScheduled,
    SeaControlChecked,
    WeatherDetermined,
)
from stavka.games.red_vengeance.ground import DATA, UNITS
from stavka.games.red_vengeance.sequence import advance, phasing, year_of
from stavka.games.red_vengeance.state import OFF, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

FRAMES: Final = frozenset({"weather", "air"})
COMMANDS: Final[dict[type, Handler]] = {}


def react(draft: Draft[State]) -> None:
    if draft.state.frames[-1].kind == "air":
        air_power(draft)
    else:
        determine_weather(draft)
        sea_control(draft)
    advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    return ()


def legal(state: State) -> tuple[Choice, ...]:
    return ()


def snows(state: State) -> bool:
    return state.weather == "snow"


# [RV 13.0] [RV 14.7]


def determine_weather(draft: Draft[State]) -> None:
    """By the historical table, or by the die where the option is on and the table leaves a choice."""
    turn = draft.state.turn
    tables = DATA.weather
    if draft.state.options.get("random_weather") != "on":
        draft.emit(WeatherDetermined(tables.historical[turn - 1], 0))
        return
    row = tables.random[turn - 1]
    if len(set(row)) == 1:
        draft.emit(WeatherDetermined(row[0], 0))
        return
    (die,) = draft.roll.dice(f"weather, turn {turn}", 1)
    draft.emit(WeatherDetermined(row[die - 1], die))


# [RV 12.22]


def sea_control(draft: Draft[State]) -> None:
    """From July 1944 the Allied player's die may move the naval marker one box to the right.

    When it comes to Heavy Surface the Soviet marine division is due in the Allied Command Phase that follows.
    """
    state, track = draft.state, DATA.sea_control
    ids: list[str] = [box.id for box in track.boxes]
    place = ids.index(state.sea)
    if state.turn < track.advance.from_turn or place == len(ids) - 1:
        return
    (die,) = draft.roll.dice(f"Baltic Sea control, turn {state.turn}", 1)
    moved = die >= track.advance.die
    box = track.boxes[place + moved]
    draft.emit(SeaControlChecked(die, box.id))
    if moved and box.marines:
        for unit, datum in UNITS.items():
            if datum.arrival == "B" and state.at[unit] == OFF:
                draft.emit(ReinforcementScheduled(unit, state.turn))


# [RV 12.1]


def air_power(draft: Draft[State]) -> None:
    """Points by side, year and die; the Axis player does not roll in 1945."""
    state = draft.state
    side, turn = phasing(state), state.turn
    row = next(row for row in DATA.air_power if row.side == side and row.year == year_of(turn))
    if not row.points:
        draft.emit(AirPowerRolled(side, 0, 0))
        return
    (die,) = draft.roll.dice(f"air power, {side}, turn {turn}", 1)
    draft.emit(AirPowerRolled(side, die, row.points[die - 1]))
