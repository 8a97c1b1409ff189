"""Scores in battle [VE 5.0]: fire while there is hope, go back when there is none, prolong what is being won."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stavka.bots.choosers import Option

from .outlook import NOBODY, Force, chance_to_win
from .position import Position

HOPELESS: Final = 0.75
"""Chance of the enemy's victory above which a worn defender leaves, once leaving is free."""
TO_THE_LAST: Final = 9.0
"""Worth of a place that nobody leaves: as long as one army stands, the attackers must go [VE 5.1]."""
TARGETS: Final = {"army": 1.0, "air": 0.9, "naval": 0.8, "convoy": 0.7, "submarine": 0.5, "factory": 0.4}
"""What is fired at first."""
ENOUGH: Final = 0.45
"""Chance of winning in one round more at which a battle is prolonged by a leader's step."""


def sides(position: Position) -> tuple[bool, Force, Force]:
    """Whether we attack in the present battle, and the armies of both: the attackers', the defenders' on their ground."""
    battle = position.view["battle"]
    if battle is None:
        return False, NOBODY, NOBODY
    area = battle["area"]
    ours = position.standing(area)
    spot = position.enemies.get(area)
    if position.is_enemy(battle["attacker"]):
        return False, spot.attack if spot else NOBODY, position.entrenched(ours, area)
    return True, ours, spot.defense if spot else NOBODY


def enemy_hope(position: Position) -> float:
    """The attackers' chance, for what is left of the battle; 0 if we attack."""
    battle = position.view["battle"]
    attacking, attack, defense = sides(position)
    if attacking or battle is None:
        return 0.0
    left = max(1, int(battle["last"]) - int(battle["round"]) + 1)
    return chance_to_win(attack, defense, left)


def score_fire(position: Position, options: Sequence[Option]) -> list[float]:
    return [1.0 + 0.5 * TARGETS.get(option.arguments["target"], 0.3) for option in options]


def score_retreats(position: Position, options: Sequence[Option]) -> list[float]:
    """Where friends stand and worth is; better than firing only for worn defenders without hope."""
    battle = position.view["battle"]
    late = battle is not None and int(battle["round"]) >= 2
    spare = battle is not None and position.worth.get(battle["area"], 0.0) < TO_THE_LAST
    lost = late and spare and enemy_hope(position) > HOPELESS
    scores = []
    for option in options:
        piece, end = position.ours.get(option.arguments["block"]), option.arguments["target"]
        score = 0.05 * position.shield.get(end, 0.0) + (0.2 if position.friends.get(end) else 0.0)
        if end in position.worth:
            score -= 0.3 * position.danger(end, position.standing(end))
        if (
            lost
            and piece is not None
            and int(piece["steps"]) <= 2
            and position.atlas.is_army(option.arguments["block"])
        ):
            score += 2.0
        scores.append(score)
    return scores


def score_hold(position: Position, options: Sequence[Option]) -> list[float]:
    return [0.9 for _ in options]


def score_extensions(position: Position, options: Sequence[Option]) -> list[float]:
    """Another round if it may well bring the victory; a card's is free."""
    _, attack, defense = sides(position)
    hope = chance_to_win(attack, defense, 1)
    return [hope - (ENOUGH if option.arguments["leader"] else 0.1) for option in options]


def score_hits(position: Position, options: Sequence[Option]) -> list[float]:
    """The cheapest of equals."""
    return [-float(position.atlas.blocks[option.arguments["block"]]["cost"]) for option in options]


def score_battles(position: Position, options: Sequence[Option]) -> list[float]:
    """The battles that are likely to be won first: they open ways, and close them to the enemy."""
    scores = []
    for option in options:
        area = option.arguments["area"]
        spot = position.enemies.get(area)
        ours = position.standing(area)
        scores.append(chance_to_win(ours, spot.defense) if spot is not None and ours.steps else 0.0)
    return scores


SCORES: Final[Mapping[str, Callable[[Position, Sequence[Option]], list[float]]]] = {
    "Fire": score_fire,
    "Retreat": score_retreats,
    "Hold": score_hold,
    "ExtendBattle": score_extensions,
    "TakeHit": score_hits,
    "ChooseBattle": score_battles,
}
"""EndBattle has no entry: it scores 0."""
