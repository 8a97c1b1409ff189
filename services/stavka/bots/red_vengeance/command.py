"""Scores of what a Command Phase asks [RV 10.0], of set-up, of excess units and of supply by sea."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stavka.bots.choosers import Option

from .position import ALLIED, Position

RESTORED: Final = 1.0
REBUILT: Final = 0.9
"""A unit that comes back comes far from the front; and it no longer counts as removed [RV 15.2]."""


def score_restoring(position: Position, options: Sequence[Option]) -> list[float]:
    scores = []
    for option in options:
        datum = position.ground.pieces[option.arguments["unit"]]
        gain = float(datum["strength"]) - float(datum["reduced"])
        near = position.enemy_distance(position.at[option.arguments["unit"]])
        scores.append(RESTORED + 0.2 * gain - 0.02 * min(10, near) + _payment(option, str(datum["branch"])))
    return scores


def score_rebuilding(position: Position, options: Sequence[Option]) -> list[float]:
    scores = []
    for option in options:
        datum = position.ground.pieces[option.arguments["unit"]]
        code = option.arguments["hex"]
        price = 0.5 if position.side == ALLIED else 0.0  # twice as many combat points [RV 15.2]
        score = REBUILT + price + 0.15 * float(datum["reduced"] or datum["strength"])
        scores.append(score - 0.02 * min(20, position.enemy_distance(code)) + _payment(option, str(datum["branch"])))
    return scores


def _payment(option: Option, branch: str) -> float:
    """Infantry points go to others than armor first, trucks before everything."""
    pay = option.arguments["pay"]
    return {"trucks": 0.3, "infantry": 0.1}.get(pay, 0.1 if branch == "armor" else -0.2)


def score_arrivals(position: Position, options: Sequence[Option]) -> list[float]:
    """A strong piece first; near the front, and where a garrison is missing."""
    scores = []
    for option in options:
        piece, code = option.arguments["piece"], option.arguments["hex"]
        datum = position.ground.pieces[piece]
        score = 0.1 * float(datum.get("strength", 3)) - 0.05 * position.enemy_distance(code)
        if position.side != ALLIED and position.enemy_distance(code) <= 6:
            score += position.values.get(code, 0.0) - 0.5 * len(position.ours.get(code, ()))
        scores.append(score)
    return scores


def score_weakest(position: Position, options: Sequence[Option]) -> list[float]:
    """The unit that is missed least."""
    return [-position.strength(option.arguments["unit"]) for option in options]


def score_strongest(position: Position, options: Sequence[Option]) -> list[float]:
    """The enemy's unit that he misses most, a reduced one less."""
    return [position.strength(option.arguments["unit"]) for option in options]


def score_sea_supply(position: Position, options: Sequence[Option]) -> list[float]:
    """The strongest unit, by its printed factor."""
    found = (position.ground.pieces.get(option.arguments["unit"]) for option in options)
    return [float(datum["strength"]) if datum else 0.0 for datum in found]


def score_placing(position: Position, options: Sequence[Option]) -> list[float]:
    """One by one when history does not fit any more."""
    return [0.0 for _ in options]


def score_at_once(position: Position, options: Sequence[Option]) -> list[float]:
    return [1.0 for _ in options]


SCORES: Final[Mapping[str, Callable[[Position, Sequence[Option]], list[float]]]] = {
    "RestoreUnit": score_restoring,
    "RebuildUnit": score_rebuilding,
    "PlaceReinforcement": score_arrivals,
    "PlaceBulgeUnit": score_arrivals,
    "WithdrawUnit": score_weakest,
    "RemoveExcess": score_strongest,
    "ChooseSeaSupply": score_sea_supply,
    "UseHistoricalSetup": score_at_once,
    "TakeArcticPoints": score_at_once,
    "PlaceUnit": score_placing,
}
"""EndReplacements has no entry: it scores 0."""
