"""Victory [VE 9.0] [VE 12.0]. Frame "victory", after surrenders; and Berlin at the end of 1945, from "turn_end".

AXIS_GOALS ALLIED_GOAL        capitals to hold
decisive(state)               MatchEnded if a side has won, or None
minor_victory(state)          MatchEnded of whoever holds Berlin
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.board import board_of, seat_of
from stavka.games.victory_in_europe.events import MatchEnded
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET, State

BERLIN: Final = "berlin"
AXIS_GOALS: Final = (
    ("paris", "london", "cairo"),
    ("leningrad", "moscow", "baku"),
    ("london", "paris", "moscow"),
)  # one of these besides Berlin [VE 9.1]
ALLIED_GOAL: Final = ("london", "moscow", "paris", "berlin", "rome")  # [VE 9.2]
DECISIVE: Final = 2  # points
MINOR: Final = 1  # points; also for the partner of a decisive winner among three players


def holder(state: State, area: str) -> str:
    """Bloc that controls an area."""
    return board_of(state).blocs[state.control[area]]


def decisive(state: State) -> MatchEnded | None:
    """[VE 9.1] [VE 9.2] A side that holds all that it needs."""
    if holder(state, BERLIN) == AXIS:
        for goal in AXIS_GOALS:
            if all(holder(state, area) == AXIS for area in goal):
                what = " ".join((BERLIN, *goal))
                return MatchEnded(AXIS, _points(state, AXIS, DECISIVE), (("VE 9.1", AXIS, DECISIVE, what),))
        return None
    if all(holder(state, area) in (ALLIED, SOVIET) for area in ALLIED_GOAL):
        seat = seat_of(state, holder(state, BERLIN))
        reason = ("VE 9.2", seat, DECISIVE, " ".join(ALLIED_GOAL))
        return MatchEnded(seat, _points(state, seat, DECISIVE, partner=MINOR), (reason,))
    return None


def minor_victory(state: State) -> MatchEnded:
    """[VE 9.3] [VE 12.0] Nobody has won by the end of 1945: Berlin decides."""
    who = holder(state, BERLIN)
    seat = seat_of(state, who)
    return MatchEnded(seat, _points(state, seat, MINOR), (("VE 9.3", seat, MINOR, BERLIN),))


def _points(state: State, winner: str, points: int, partner: int = 0) -> dict[str, int]:
    """Seat -> points; `partner`: for the other Allied seat of three players, which wins too [VE 9.2]."""
    return {seat: points if seat == winner else partner if seat != AXIS else 0 for seat in state.seats}
