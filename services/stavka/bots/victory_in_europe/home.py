"""Scores of what is decided at home: production, diplomacy, events, set-up [VE 10.0] [VE 11.0] [VE 3.3]."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stavka.bots.choosers import Option

from .position import Position
from .realm import MAJORS

TYPES: Final = {"panzer": 1.2, "tank": 1.2, "infantry": 1.0, "leader": 0.7, "convoy": 0.9}
"""Worth of a step by type, for a production point; others by branch."""
BRANCHES: Final = {"army": 1.0, "air": 0.7, "naval": 0.3}
FRESH: Final = 0.75
"""Worth of a new block's first step, of one that makes an old block stronger."""
REMOTE: Final = 0.6
"""Worth of a new army where it cannot fight."""
LAST_FACTORY: Final = 19
"""Turn after which a factory does not pay for itself."""
FACTORY: Final = 2.4
"""Worth of a factory's step before that."""
IMPORTS: Final = {"germany": 3, "britain": 1}
"""Resources that come from abroad, about [VE 11.0]."""
ENTRY: Final = 12.0
"""Worth of a major power's entry into the war."""
FACES: Final = {
    total: sum(a + b == total for a in range(1, 7) for b in range(1, 7)) for total in range(2, 13)
}  # of 36  # fmt: skip


def score_production(position: Position, options: Sequence[Option]) -> list[float]:
    """Armies before aircraft before ships, and as much as the points allow."""
    return [sum(_order(position, order) for order in option.arguments["orders"]) for option in options]


def _order(position: Position, order: Sequence[Any]) -> float:
    datum = position.atlas.blocks.get(order[1])
    if datum is None:
        return _factory(position, str(order[0]))
    worth = TYPES.get(datum["type"], BRANCHES.get(datum["branch"], 0.5)) * float(datum["cost"])
    piece = position.ours.get(order[1])
    at = piece["at"] if piece is not None else order[2]
    if piece is None:
        worth *= FRESH
    if position.atlas.is_army(order[1]):
        if at in position.worth and position.menace(at).steps:
            worth *= 1.2 + 0.03 * position.shield.get(at, 0.0)
        elif piece is None and position.atlas.is_remote(at):
            worth *= REMOTE
    return worth


def _factory(position: Position, power: str) -> float:
    """A step more pays as long as there are resources for it, and turns for it to produce in [VE 11.1]."""
    if position.turn > LAST_FACTORY:
        return 0.2
    side, control, minors = MAJORS.get(power, ""), position.view["control"], position.view["minors"]
    resources, steps = IMPORTS.get(power, 0), 0
    for name in position.atlas.land:
        area, holder = position.atlas.areas[name], control.get(name, "")
        if holder == power or minors.get(holder) == side:
            resources += int(area["resource"])
        if area["homeland"] == power:
            steps += int(sum(position.view["factories"].get(name, ())))
    return FACTORY if resources > steps else 0.2


def score_rolls(position: Position, options: Sequence[Option]) -> list[float]:
    """What the country has, times the chance to win it."""
    scores = []
    for option in options:
        country = option.arguments["country"]
        chart = position.offer.domain.get(country, {})
        needed = int(chart.get("target", 9)) - sum(int(modifier[2]) for modifier in chart.get("modifiers", ()))
        scores.append(sum(n for total, n in FACES.items() if total >= needed) / 36.0 * _asset(position, country))
    return scores


def _asset(position: Position, country: str) -> float:
    """Worth of a country's friendship: its armies and what its ground yields."""
    if country in MAJORS:
        return ENTRY
    blocks = (block for block in position.atlas.blocks.values() if block["nation"] == country)
    armies = sum(float(b["steps"]) * float(b["fire"]) for b in blocks if b["branch"] == "army")
    areas = (area for area in position.atlas.areas.values() if area.get("country") == country)
    return 0.4 * armies + sum(1.0 + float(area["resource"]) for area in areas if area["kind"] == "land")


def score_events(position: Position, options: Sequence[Option]) -> list[float]:
    """Where most of our power fights."""
    return [
        position.standing(option.arguments["area"]).hits + 0.1 if option.arguments["area"] else 0.0
        for option in options
    ]


def score_losses(position: Position, options: Sequence[Option]) -> list[float]:
    """Steps of those whom nobody threatens."""
    return [-sum(_needed(position, block) for block in option.arguments["blocks"]) for option in options]


def _needed(position: Position, block: str) -> float:
    piece = position.ours.get(block)
    near = piece is not None and piece["at"] in position.worth and position.menace(piece["at"]).steps > 0
    return float(position.atlas.blocks[block]["cost"]) * (2.0 if near else 1.0)


def score_most_blocks(position: Position, options: Sequence[Option]) -> list[float]:
    return [float(len(option.arguments["blocks"])) for option in options]


def score_printed(position: Position, options: Sequence[Option]) -> list[float]:
    """The printed set-up."""
    return [0.0 if option.arguments["places"] else 1.0 for option in options]


def score_loan(position: Position, options: Sequence[Option]) -> list[float]:
    return [float(option.arguments["amount"]) for option in options]


SCORES: Final[Mapping[str, Callable[[Position, Sequence[Option]], list[float]]]] = {
    "Produce": score_production,
    "RollFor": score_rolls,
    "AllotEvent": score_events,
    "SpareBlocks": score_most_blocks,
    "ChooseLosses": score_losses,
    "Deploy": score_printed,
    "LendLease": score_loan,
}
"""Cards, minors' set-ups and Pass have no entry: they score 0 and are drawn for."""
