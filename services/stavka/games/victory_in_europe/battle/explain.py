"""Answers about the battle being fought, made of the very objects that the rules use [VE 5.3] [VE 5.4] [VE 5.6].

    QUESTIONS                               name -> what it answers and its arguments
    explain(state, viewer, question, args)  plain data, each item with its citation

A block that the viewer may not see is unknown to him, whether it exists or not. Raises MalformedCommand
UNKNOWN_QUESTION, MISSING_ARGUMENT, UNKNOWN_BLOCK, UNKNOWN_TARGET, NO_BATTLE, NOT_IN_BATTLE.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.field import (
    ATTACKER,
    DEFENDER,
    battle_of,
    blocks_of,
    party,
    role_of,
    waiting,
)
from stavka.games.victory_in_europe.battle.fire import (
    TARGETS,
    Firepower,
    Modifier,
    double_defense,
    firepower,
    group,
    objection,
)
from stavka.games.victory_in_europe.battle.hits import DICE
from stavka.games.victory_in_europe.battle.turns import turn_of
from stavka.games.victory_in_europe.battle.ways import closed_to, has_way_out, retreats
from stavka.games.victory_in_europe.board import bloc_of, border_limit, friendly_land, room
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, MAP
from stavka.games.victory_in_europe.state import State
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import Viewer

QUESTIONS: Final[Mapping[str, str]] = {
    "roll": "block, target (one of air army naval submarine convoy factory; all when left out): dice and what they need",
    "retreat": "block: where it can go from its battle, and what closes the other borders",
    "battle": "the battle being fought: round, roles, whose turn; its blocks for those who fight in it",
}


def explain(state: State, viewer: Viewer, question: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer one of QUESTIONS."""
    if question not in QUESTIONS:
        raise MalformedCommand("UNKNOWN_QUESTION", question=question)
    if state.battle is None:
        raise MalformedCommand("NO_BATTLE")
    if question == "battle":
        return battle(state, viewer)
    block = _block(state, viewer, args)
    if question == "roll":
        return roll(state, block, args)
    if not viewer.may_see(frozenset((state.blocks[block].seat,)), bool(state.winner)):
        raise MalformedCommand("UNKNOWN_BLOCK", block=block)  # its ways out tell what stands in the areas around
    return retreat(state, block)


def _block(state: State, viewer: Viewer, args: Mapping[str, Any]) -> str:
    """The block asked about: one in the battle that the viewer may see."""
    block = args.get("block", "")
    if not isinstance(block, str) or not block:
        raise MalformedCommand("MISSING_ARGUMENT", argument="block")
    piece = state.blocks.get(block)
    if piece is None or not viewer.may_see(piece.seen_by, bool(state.winner)):
        raise MalformedCommand("UNKNOWN_BLOCK", block=block)
    now = battle_of(state)
    sides = (party(state, now.area, now.attacker, now.defender, attacks) for attacks in (True, False))
    if not any(block in side for side in sides):
        raise MalformedCommand("NOT_IN_BATTLE", block=block)
    return block


# [VE 5.3] [VE 5.4] [VE 5.5]


def roll(state: State, block: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """Dice, class and highest roll that hits, for each target type or the one asked for."""
    target = args.get("target", "")
    if target and target not in TARGETS:
        raise MalformedCommand("UNKNOWN_TARGET", target=target)
    return {
        "block": block,
        "role": role_of(state, block),
        "dice": state.blocks[block].steps,
        "rolled": DICE,
        "rule": "VE 5.3",
        "targets": [_target(state, block, name) for name in TARGETS if target in ("", name)],
        "double_defense": _items(double_defense(state, block)),
    }


def _target(state: State, block: str, target: str) -> dict[str, Any]:
    power = firepower(state, block, target)
    if power is None:
        return {"target": target, "may": False, "rule": "VE Target Type", "reason": "NOT_A_TARGET"}
    refused = objection(state, block, target)
    answer: dict[str, Any] = {"target": target, "may": refused is None and power.value > 0, **_power(power)}
    if refused is not None:
        answer |= {"rule": refused[0], "reason": refused[1]}
    elif not power.value:
        answer |= {"rule": "VE 5.3", "reason": "NO_FIREPOWER"}
    answer["can_hit"] = list(group(state, block, target)) if target != "factory" else []
    return answer


def _power(power: Firepower) -> dict[str, Any]:
    return {
        "class": power.letter,
        "column": power.column,
        "to_hit": power.value,
        "modifiers": _items(power.items),
    }


def _items(items: tuple[Modifier, ...]) -> list[dict[str, Any]]:
    return [{"rule": item.rule, "what": item.what, "amount": item.amount} for item in items]


# [VE 5.6] [VE 6.4] [VE 7.3] [VE 7.7]


def retreat(state: State, block: str) -> dict[str, Any]:
    """Ways out, and for an army why each other adjacent area is closed to it."""
    ways = retreats(state, block)
    answer: dict[str, Any] = {
        "block": block,
        "ways": [{"target": w.target, "coast": w.coast, "by": w.by, "border": w.border, "loss": w.loss} for w in ways],
        "rule": "VE 6.4" if ground.is_air(block) else "VE 7.3" if ground.is_ship(block) else "VE 5.6",
    }
    if ground.is_army(block) and not state.blocks[block].aloft:
        reached = {way.target for way in ways}
        here = state.blocks[block].at
        answer["closed"] = [_closed(state, block, area) for area in MAP.borders.get(here, {}) if area not in reached]
    return answer


def _closed(state: State, block: str, area: str) -> dict[str, Any]:
    piece = state.blocks[block]
    if not BLOCKS[block].move:
        return {"area": area, "rule": "VE 2.6", "reason": "CANNOT_MOVE"}
    if not BIT[area] & friendly_land(state, bloc_of(state, piece)):
        return {"area": area, "rule": "VE 5.6", "reason": "NOT_FRIENDLY"}
    if area in closed_to(state, role_of(state, block)):
        return {"area": area, "rule": "VE 5.6", "reason": "ENEMY_CAME_THIS_WAY"}
    if room(state, piece.side, area, block) < 1:
        return {"area": area, "rule": "VE 4.5", "reason": "NO_ROOM"}
    limit = border_limit(state, piece.at, area)
    if not ground.is_leader(block) and not has_way_out(state, block, area):
        why = [{"rule": rule, "what": what} for rule, what in limit.reasons]
        return {"area": area, "rule": "VE 4.6", "reason": "BORDER_LIMIT", "limit": limit.value, "because": why}
    return {"area": area, "rule": "VE 1.7", "reason": "ONLY_ACROSS_THE_STRAIT"}


# [VE 5.1]


def battle(state: State, viewer: Viewer) -> dict[str, Any]:
    """What the table shows of the battle to everybody; the blocks and the turn only to those who fight in it."""
    now = battle_of(state)
    answer: dict[str, Any] = {
        "area": now.area,
        "number": now.number,
        "round": now.round,
        "attacker": now.attacker,
        "defender": now.defender,
        "rule": "VE 5.1",
    }
    if not viewer.may_see(now.seen_by, bool(state.winner)):
        return answer
    turn = turn_of(state)
    answer["last_round"] = now.last
    answer["turn"] = None if turn is None else {"class": turn.letter, "role": turn.role, "blocks": list(turn.blocks)}
    for role in (ATTACKER, DEFENDER):
        answer[f"{role}s"] = [{"block": b, "steps": state.blocks[b].steps} for b in blocks_of(state, role)]
        answer[f"{role}s_in_round_2"] = len(waiting(state, role))
    return answer
