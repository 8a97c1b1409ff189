"""Scores in battle [RV 8.0]: which attack, who takes the losses, when to go back, where to, and who follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stavka.bots.choosers import Option

from .position import ALLIED, Position

HIT: Final = 1 / 6  # chance of a die [RV 8.43]
WORTH_IT: Final = 1.7
"""Odds from which an attack that is not owed is made."""
HOLD: Final = 0.9
"""A hex of this worth or more is held at the price of a unit."""


def score_attacks(position: Position, options: Sequence[Option]) -> list[float]:
    """Hits that an attack makes less those that it costs; attacks that are not owed must have good odds."""
    return [_attack(position, option.arguments) for option in options]


def _attack(position: Position, battle: Mapping[str, Any]) -> float:
    attackers, targets = battle["attackers"], battle["targets"]
    dice = sum(position.attack(unit) for unit in attackers) + bool(battle["air"]) + bool(battle["naval"])
    defense = sum(position.defense(code, position.theirs.get(code, ())) for code in targets)
    steps = sum(int(position.view["steps"][u]) for code in targets for u in position.theirs.get(code, ()))
    made, suffered = min(dice * HIT, steps + 1.0), defense * HIT
    price = 1.2 if position.side == ALLIED else 0.8  # what a lost step costs at the end [RV 15.2]
    worth = 0.5 * sum(position.values.get(code, 0.0) for code in targets)
    score = made - price * suffered + worth
    if not is_owed(position) and dice < WORTH_IT * defense:
        return score - 10.0
    return score + 0.1


def is_owed(position: Position) -> bool:
    """Whether the Allies have to attack in the end, so that a bad attack may come as well as a good one [RV 8.1]."""
    return position.side == ALLIED and position.view["frames"][1]["kind"] == "combat"


def score_losses(position: Position, options: Sequence[Option]) -> list[float]:
    """Flip before removing, the cheapest factor first; the removal of a unit is worth a retreat."""
    return [_loss(position, option.arguments["unit"]) for option in options]


def _loss(position: Position, unit: str) -> float:
    datum = position.ground.pieces[unit]
    if int(position.view["steps"][unit]) > 1:
        return 1.0 - 0.1 * (float(datum["strength"]) - float(datum["reduced"]))
    place = position.at[unit]
    return -1.0 - 0.1 * position.strength(unit) + (1.5 if position.values.get(place, 0.0) >= HOLD else 0.0)


def score_order(position: Position, options: Sequence[Option]) -> list[float]:
    """Going back is better than a removal, worse than a flip where the ground is worth it."""
    battle = position.view["battle"]
    attacks = battle["attacker"] == position.side
    held = max((position.values.get(code, 0.0) for code in battle["targets"]), default=0.0)
    cover = max((position.ground.cover[code] for code in battle["targets"]), default=0.0)
    score = 0.0 if attacks else 0.95 - 0.3 * cover - held
    return [score for _ in options]


def score_retreats(position: Position, options: Sequence[Option]) -> list[float]:
    scores = []
    for option in options:
        to = option.arguments.get("to") or option.arguments["port"]
        score = position.ground.cover[to] + position.values.get(to, 0.0)
        score -= 0.05 * position.threats.get(to, 0.0)
        score += 0.3 * len(position.ours.get(to, ())) + 0.5 * len(option.arguments["commanders"])
        if position.ground.bit[to] & position.their_zoc:
            score -= 0.5
        scores.append(
            score - (1.0 if option.command == "RetreatBySea" and position.view["sea"] != "german_lake" else 0.0)
        )
    return scores


def score_advances(position: Position, options: Sequence[Option]) -> list[float]:
    """The Allies follow up; the Axis does where the hex is worth it or the unit stays in the line."""
    scores = []
    for option in options:
        unit, to = option.arguments["unit"], option.arguments["to"]
        there = len(position.ours.get(to, ()))
        score = position.values.get(to, 0.0) * 2 + 0.1 * position.strength(unit)
        friends = sum(near in position.ours for near in position.ground.near[to])
        enemies = sum(near in position.theirs for near in position.ground.near[to])
        if position.side == ALLIED:
            score += 0.6 + 0.2 * friends - 0.35 * enemies + 0.1 * there
        else:
            score += position.ground.cover[to] * 0.3 + 0.2 * friends - 0.5 * enemies - 0.4
        scores.append(score + 0.3 * len(option.arguments["commanders"]))
    return scores


def score_navy(position: Position, options: Sequence[Option]) -> list[float]:
    return [1.0 if option.arguments["help"] else 0.0 for option in options]


def score_rising(position: Position, options: Sequence[Option]) -> list[float]:
    """The strongest enemy is struck."""
    return [position.strength(option.arguments["unit"]) if option.arguments["unit"] else 0.0 for option in options]


SCORES: Final[Mapping[str, Callable[[Position, Sequence[Option]], list[float]]]] = {
    "DeclareBattle": score_attacks,
    "TakeLoss": score_losses,
    "OrderRetreat": score_order,
    "RetreatUnit": score_retreats,
    "RetreatBySea": score_retreats,
    "AdvanceUnit": score_advances,
    "SendNavy": score_navy,
    "StrikeRising": score_rising,
}
"""EndCombat and EndAdvance have no entry: they score 0."""
