"""Victory [RV 15.0]: points for places, for losses and for Hitler's end.

    outcome(state) -> MatchEnded               the final score
    score(state) -> reasons                    every point as (rule, side, points, what), in rulebook order
    15.1 objectives(state)
    15.2 combat_points(state) -> CombatPoints  of both sides, counted in halves, with what they are for
    15.3 hitler(state)

A place of RV 15.1 counts for the side that controls it alone. All of Yugoslavia counts for a side when the enemy controls no
hex of it alone; if that is true of both, for neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import is_reduced
from stavka.games.red_vengeance.control import controls_alone, yugoslav_control
from stavka.games.red_vengeance.events import MatchEnded
from stavka.games.red_vengeance.ground import COMMANDERS, DATA, LAND, UNITS, YUGOSLAVIA
from stavka.games.red_vengeance.state import ALLIED, AXIS, DEAD, LOST, SIDES, State, other

DRAW: Final = "draw"

Reason = tuple[str, str, int, str]
"""Rule, side, victory points, what for."""

COUNTED: Final = {AXIS: ("soviet", "polish", "yugoslav"), ALLIED: ("german",)}
"""Nations whose losses earn combat points for a side: the minors that may change sides count for nobody [RV 15.2]."""


@dataclass(frozen=True, slots=True)
class LossItem:
    """A removed or reduced piece and its combat points in halves."""

    piece: str
    what: str
    halves: int


@dataclass(frozen=True, slots=True)
class CombatPoints:
    """What each side has earned [RV 15.2]."""

    items: dict[str, tuple[LossItem, ...]]

    def halves(self, side: str) -> int:
        return sum(item.halves for item in self.items[side])


def outcome(state: State) -> MatchEnded:
    """The side with more victory points wins [RV 15.0]."""
    reasons = score(state)
    points = {side: sum(value for _, scorer, value, _ in reasons if scorer == side) for side in SIDES}
    lead = points[AXIS] - points[ALLIED]
    winner = (AXIS if lead > 0 else ALLIED) if lead else DRAW
    return MatchEnded(winner, points, reasons)


def score(state: State) -> tuple[Reason, ...]:
    return (*objectives(state), *losses(state), hitler(state))


# [RV 15.1] map objectives


def objectives(state: State) -> Iterator[Reason]:
    for objective in DATA.victory.objective:
        holders = [side for side in SIDES if _holds(state, side, objective.hexes)]
        if len(holders) == 1:
            yield "RV 15.1", holders[0], objective.points, objective.title


def _holds(state: State, side: str, hexes: tuple[str, ...]) -> bool:
    """Whether the side controls each hex alone; without hexes, whether the enemy controls no Yugoslav hex alone."""
    if hexes:
        return all(controls_alone(state, side, code) for code in hexes)
    return not yugoslav_control(state, other(side)) & ~yugoslav_control(state, side) & YUGOSLAVIA & LAND


# [RV 15.2] losses


def losses(state: State) -> Iterator[Reason]:
    earned = combat_points(state)
    axis, allied = earned.halves(AXIS), earned.halves(ALLIED)
    if axis != allied:
        winner = AXIS if axis > allied else ALLIED
        yield "RV 15.2", winner, DATA.victory.losses.points, f"Losses, Axis {axis / 2:g} to Allied {allied / 2:g}"


def combat_points(state: State) -> CombatPoints:
    """Units that the enemy has removed or reduced, and his dead commanders. Withdrawn units are on the turn track."""
    rates = DATA.victory.losses
    removed = {AXIS: rates.axis_half_points_per_removed, ALLIED: rates.allied_half_points_per_removed}
    reduced = {AXIS: rates.axis_half_points_per_reduced, ALLIED: rates.allied_half_points_per_reduced}
    items: dict[str, list[LossItem]] = {AXIS: [], ALLIED: []}
    for unit, datum in UNITS.items():
        side = other(datum.side)
        if datum.nation not in COUNTED[side]:
            continue
        if state.at[unit] in (DEAD, LOST):
            items[side].append(LossItem(unit, "removed", removed[side]))
        elif is_reduced(state, unit):
            items[side].append(LossItem(unit, "reduced", reduced[side]))
    for name, commander in COMMANDERS.items():
        if state.at[name] == LOST:
            items[other(commander.side)].append(LossItem(name, "removed", 2 * (commander.attack + commander.defense)))
    return CombatPoints({side: tuple(found) for side, found in items.items()})


# [RV 15.3] Hitler


def hitler(state: State) -> Reason:
    side, what = (AXIS, "Hitler lives") if state.hitler_alive else (ALLIED, "Hitler is dead")
    return "RV 15.3", side, DATA.victory.hitler.points, what
