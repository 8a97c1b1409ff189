"""Answers to questions about a state, made of the very objects that the rules use.

    QUESTIONS                              name -> what it answers and its arguments
    explain(state, viewer, name, args)     plain data, every item with its citation

A block that the viewer may not see does not exist for him: the answer is the one for an id that nobody has. Raises
MalformedCommand UNKNOWN_QUESTION, MISSING_ARGUMENT, UNKNOWN_BLOCK, UNKNOWN_SPACE, NOT_ADJACENT and what `battle.explain` and
`production.explain` add.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from stavka.games.victory_in_europe.battle import explain as battle
from stavka.games.victory_in_europe.board import (
    border_key,
    border_limit,
    crossings,
    seat_of,
    stance,
)
from stavka.games.victory_in_europe.cards import CARDS, card_of, commands_left
from stavka.games.victory_in_europe.entering import held_back, objection, toll
from stavka.games.victory_in_europe.ground import BLOCKS, MAP, is_land
from stavka.games.victory_in_europe.production import explain as production
from stavka.games.victory_in_europe.routes import routes_of
from stavka.games.victory_in_europe.season import is_frozen, winter_at
from stavka.games.victory_in_europe.state import SIDES, State
from stavka.games.victory_in_europe.supply import line_of
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import Viewer

QUESTIONS: Final[Mapping[str, str]] = {
    "supply": "block: its supply line, or what cuts it [VE 8.1]",
    "border": "a, b: how many armies may cross into or out of battle, why, and how many have [VE 4.6]",
    "moves": "block: every route of it now, its commands, or the rule that refuses it [VE 4.2]",
    **battle.QUESTIONS,
    "place": "place: terrain, control, stacking, season, what stands there [VE 1.1]",
    "commands": "commands left to each side, and the cards face up [VE 3.2]",
    **production.QUESTIONS,
}


def explain(state: State, viewer: Viewer, question: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
    answers = {
        "supply": supply,
        "border": border,
        "moves": moves,
        "place": place,
        "commands": commands,
    }
    if question in battle.QUESTIONS:
        return battle.explain(state, viewer, question, args)
    if question in production.QUESTIONS:
        return production.explain(state, viewer, question, args)
    if question not in answers:
        raise MalformedCommand("UNKNOWN_QUESTION", question=question)
    return answers[question](state, viewer, args)


def _word(args: Mapping[str, Any], name: str) -> str:
    value = args.get(name)
    if not isinstance(value, str) or not value:
        raise MalformedCommand("MISSING_ARGUMENT", argument=name)
    return value


def _block(state: State, viewer: Viewer, args: Mapping[str, Any]) -> str:
    """The block asked about, which the viewer must be able to see on the map."""
    block = _word(args, "block")
    piece = state.blocks.get(block)
    if piece is None or not viewer.may_see(piece.seen_by, bool(state.winner)):
        raise MalformedCommand("UNKNOWN_BLOCK", block=block)
    return block


def _place(args: Mapping[str, Any], name: str) -> str:
    found = _word(args, name)
    if found not in MAP.areas:
        raise MalformedCommand("UNKNOWN_SPACE", space=found)
    return found


def supply(state: State, viewer: Viewer, args: Mapping[str, Any]) -> dict[str, Any]:
    """[VE 8.1] A shortest line, or the pocket and what closes it."""
    block = _block(state, viewer, args)
    return {"block": block, "at": state.blocks[block].at, **line_of(state, block)}


def border(state: State, viewer: Viewer, args: Mapping[str, Any]) -> dict[str, Any]:
    """[VE 4.6] The limit with its reasons; armies that have crossed are told to their own side alone."""
    a, b = _place(args, "a"), _place(args, "b")
    if b not in MAP.borders.get(a, {}):
        raise MalformedCommand("NOT_ADJACENT", a=a, b=b)
    limit = border_limit(state, a, b)
    return {
        "border": border_key(a, b),
        "limit": limit.value,
        "reasons": [{"rule": rule, "what": what} for rule, what in limit.reasons],
        "crossed": {
            side: crossings(state, side, a, b)
            for side in SIDES
            if viewer.may_see(frozenset((seat_of(state, side),)), bool(state.winner))
        },
    }


def moves(state: State, viewer: Viewer, args: Mapping[str, Any]) -> dict[str, Any]:
    """[VE 4.2] Only the block's own seat may know where it could go."""
    block = _block(state, viewer, args)
    piece = state.blocks[block]
    if not viewer.may_see(frozenset((piece.seat,)), bool(state.winner)):
        raise MalformedCommand("UNKNOWN_BLOCK", block=block)
    held = held_back(state, block)
    found = []
    for route in routes_of(state, block):
        price = toll(state, block, route)
        refused = held or objection(state, block, route, price)
        entry: dict[str, Any] = {"path": list(route.path), "by": route.by, "commands": price.commands}
        if refused is not None:
            entry["refused"] = {"rule": refused.rule, "reason": refused.reason}
        found.append(entry)
    return {"block": block, "at": piece.at, "allowance": BLOCKS[block].move, "routes": found}


def place(state: State, viewer: Viewer, args: Mapping[str, Any]) -> dict[str, Any]:
    """[VE 1.1] What lies open about an area or a sea."""
    name = _place(args, "place")
    area = MAP.areas[name]
    standing = Counter((piece.seat, piece.nation) for piece in state.blocks.values() if piece.at == name)
    found: dict[str, Any] = {
        "place": name,
        "kind": area.kind,
        "winter": winter_at(state, name),
        "blocks": [
            {"seat": seat, "nation": nation, "blocks": count} for (seat, nation), count in sorted(standing.items())
        ],
        "contested": name in state.clashes,
        "rule": "VE 1.1",
    }
    if not is_land(name):
        return {**found, "frozen": is_frozen(state, name), "stance": _stances(state, name)}
    return {
        **found,
        "terrain": area.terrain,
        "control": state.control[name],
        "stance": _stances(state, name),
        "armies": area.stacking,
        "factories": list(state.factories.get(name, ())),
        "resource": area.resource,
    }


def _stances(state: State, name: str) -> dict[str, str]:
    """Major power at war -> what the place is to it [VE 4.1]."""
    return {power: stance(state, power, name) for power in sorted(state.at_war)}


def commands(state: State, viewer: Viewer, args: Mapping[str, Any]) -> dict[str, Any]:
    """[VE 3.2] Commands left and cards face up."""
    cards = {}
    for seat in state.order:
        card = card_of(state, seat)
        if card is not None:
            cards[seat] = {"card": card.id, "title": CARDS[card.id].title, "commands": card.cm, "color": card.color}
    left = {side: commands_left(state, side) for side in SIDES} if state.commands else {}
    return {"rule": "VE 3.2", "order": list(state.order), "left": left, "cards": cards}
