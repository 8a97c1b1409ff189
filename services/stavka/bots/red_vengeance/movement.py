"""Scores of moves [RV 6.0]: what a unit gains by being in another hex than its own.

A move's score is the worth of its end less the worth of staying; the phase ends when no move gains anything. The worth of
a hex for the Allies is the way left to the objective and the attacks that become good or bad by one unit more; for the
Axis it is ground, neighbors, cities, the gaps that a unit closes, and the danger of being struck there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stavka.bots.choosers import Option

from .position import ALLIED, Position

STACK: Final = 2  # units a hex [RV 6.3]
FORBIDDEN: Final = -50.0
GAIN: Final = 0.25
"""What a move must gain at least."""
GOOD_ODDS: Final = 2.0
GREAT_ODDS: Final = 3.5
SHARE_OF_HELP: Final = 0.5
"""Of the dice that could still come next to an enemy, those that are counted on."""
NEARER: Final = 4.0  # hexes that a goal of worth 1 seems nearer
FRONT_DEPTH: Final = 4  # hexes that the enemy is expected to run through a gap

Worth = Callable[[str, str], float]


class Plan:
    """What all options of one decision tell together: who could still come next to which enemy."""

    def __init__(self, position: Position, options: Sequence[Option]) -> None:
        self.position = position
        self.help: dict[str, float] = {}
        self._enemies: dict[str, tuple[str, ...]] = {}
        comers: dict[str, set[str]] = {}
        bit = position.ground.bit
        for option in options:
            unit, to = option.arguments["unit"], option.arguments["to"]
            if position.ground.pieces[unit]["kind"] != "unit":
                continue
            for code in self.enemies(to):
                comers.setdefault(code, set()).add(unit)
        for code, units in comers.items():
            beside = position.ground.adjacent[code]
            here = {u for u in units if bit[position.at[u]] & beside}
            self.help[code] = sum(position.attack(unit) for unit in units - here)
        self.beside = {code: self._beside(code) for code in position.theirs}
        self.dice = {code: max(1.0, position.defense(code, units)) for code, units in position.theirs.items()}

    def enemies(self, code: str) -> tuple[str, ...]:
        """Enemy hexes next to a hex."""
        found = self._enemies.get(code)
        if found is None:
            beside = self.position.ground.adjacent[code] & self.position.their_hexes
            found = self._enemies[code] = self.position.grid.codes(beside) if beside else ()
        return found

    def _beside(self, code: str) -> float:
        """Our attack dice next to an enemy hex, those of units that have several enemies shared out."""
        position = self.position
        total = 0.0
        for near in position.ground.near[code]:
            units = position.ours.get(near)
            if units:
                total += sum(position.attack(unit) for unit in units) / len(self.enemies(near)) ** 0.5
        return total

    def strike(self, unit: str, code: str) -> float:
        """Worth of one unit more next to the enemies around a hex, itself not counted there already."""
        enemies = self.enemies(code)
        if not enemies:
            return 0.0
        position = self.position
        dice = position.attack(unit)
        total = 0.0
        here = position.at[unit]
        for enemy in enemies:
            beside = self.beside[enemy]
            if position.ground.bit[here] & position.ground.adjacent[enemy]:
                beside = max(0.0, beside - dice)
            wanted = self.dice[enemy]
            likely = (beside + dice + SHARE_OF_HELP * self.help.get(enemy, 0.0)) / wanted
            if likely < GOOD_ODDS:
                total -= (GOOD_ODDS - likely) * (1.0 if position.side == ALLIED else 0.4)
            elif beside < GREAT_ODDS * wanted:
                total += min(dice / wanted, 1.0) * (1.0 + position.values.get(enemy, 0.0))
        return total / math.sqrt(len(enemies))


def score_moves(position: Position, options: Sequence[Option]) -> list[float]:
    plan = Plan(position, options)
    worth = _allied(plan) if position.side == ALLIED else _axis(plan)
    stay: dict[str, float] = {}
    scores = []
    for option in options:
        unit, to = option.arguments["unit"], option.arguments["to"]
        here = position.at[unit]
        if position.ground.pieces[unit]["kind"] != "unit":
            scores.append(_commander(position, here, to) - GAIN)
            continue
        if unit not in stay:
            stay[unit] = worth(unit, here) + _overfull(position, here, 0)
        score = worth(unit, to) + _overfull(position, to, 1) - stay[unit]
        scores.append(score - GAIN)
    return scores


def _overfull(position: Position, code: str, more: int) -> float:
    """A stack beyond the limit loses units at the end of the phase [RV 6.3]."""
    return FORBIDDEN if len(position.ours.get(code, ())) + more > STACK else 0.0


def _commander(position: Position, here: str, to: str) -> float:
    """Commanders ride with the strongest stack next to the enemy."""
    return _company(position, to) - _company(position, here)


def _company(position: Position, code: str) -> float:
    units = position.ours.get(code, ())
    if not units:
        return FORBIDDEN
    fighting = bool(position.ground.adjacent[code] & position.their_hexes)
    return sum(position.strength(unit) for unit in units) * (1.0 if fighting else 0.5) - position.enemy_distance(code)


# The Allies: west


def _allied(plan: Plan) -> Worth:
    position = plan.position
    goals = {code: value for code, value in position.values.items() if not position.controls(code)}

    tables = [(position.ground.distances(goal), NEARER * value) for goal, value in goals.items()]
    ways: dict[str, float] = {}

    def way(code: str) -> float:
        """Hexes left to the goal that is nearest, important ones being nearer."""
        found = ways.get(code)
        if found is None:
            found = ways[code] = min((table[code] - bonus for table, bonus in tables), default=0.0)
        return found

    def worth(unit: str, code: str) -> float:
        datum = position.ground.pieces[unit]
        partisan = datum["nation"] == "yugoslav"
        pace = 0.1 if partisan else 0.6
        total = plan.strike(unit, code) - pace * way(code)
        total += 2.0 * goals.get(code, 0.0)
        if partisan:
            total += position.ground.cover[code]
        friends = sum(near in position.ours for near in position.ground.near[code]) + len(position.ours.get(code, ()))
        if position.ground.bit[code] & position.their_zoc and not friends:
            total -= 1.5
        return total

    return worth


# The Axis: a line


def _axis(plan: Plan) -> Worth:
    position = plan.position
    ground = position.ground
    open_ways = _open_ways(position)
    needs = {code: _garrison(position, code) for code in position.values}

    def worth(unit: str, code: str) -> float:
        here = position.at[unit]
        others = [u for u in position.ours.get(code, ()) if u != unit]
        total = ground.cover[code] * 0.7 + 0.6 * min(1, len(others))
        neighbors = sum(
            n in position.ours and (n != here or len(position.ours[n]) > 1) for n in position.ground.near[code]
        )
        total += 0.35 * min(2, neighbors)
        threat = position.threats.get(code, 0.0)
        dice = position.defense(code, [unit, *others])
        if threat > 2.5 * dice:
            total -= min(3.0, 0.5 * (threat / dice - 2.5))
        closed = ground.adjacent[code] | ground.bit[code]
        total += 0.12 * min(8, (closed & open_ways).bit_count())
        total -= 0.12 * min(12, position.enemy_distance(code))
        if code in needs and len(others) < needs[code]:
            total += (3.0 if not others else 1.5) * position.values[code] + 1.0
        if position.ground.pieces[unit]["branch"] == "armor":
            total += 0.6 * max(0.0, plan.strike(unit, code))
        return total

    return worth


def _garrison(position: Position, code: str) -> int:
    """Units that a city should have, by the enemy's distance."""
    distance = position.enemy_distance(code)
    return 0 if distance > 8 else 1 if distance > 4 else STACK


def _open_ways(position: Position) -> int:
    """Hexes that the enemy could run through: near him, ours to lose, and under no ZOC of ours."""
    barred = position.our_hexes | position.our_zoc
    flood = position.their_hexes
    for _ in range(FRONT_DEPTH):
        flood |= position.grid.expand(flood) & position.ground.land & ~barred
    return flood & ~position.their_hexes


def score_sailing(position: Position, options: Sequence[Option]) -> list[float]:
    """By sea a unit leaves a port that is about to be cut off."""
    scores = []
    for option in options:
        here, port = position.at[option.arguments["unit"]], option.arguments["port"]
        gain = 0.3 * (position.enemy_distance(port) - position.enemy_distance(here)) - 2.0
        scores.append(gain + _overfull(position, port, 1) if position.view["sea"] == "german_lake" else -1.0)
    return scores


SCORES: Final[Mapping[str, Callable[[Position, Sequence[Option]], list[float]]]] = {
    "MoveUnit": score_moves,
    "MoveStrategically": score_moves,
    "SailUnit": score_sailing,
}
"""EndMovement has no entry: it scores 0."""
