"""Answers to questions about a state, made of the very objects that the rules use [RV 5.1, RV 6.2, RV 7.3, RV 8.43].

    QUESTIONS                              name -> what it answers and its arguments
    explain(state, viewer, name, args)     plain data, every item with its citation

Nothing is hidden in this game, so the viewer makes no difference. Raises MalformedCommand UNKNOWN_QUESTION,
MISSING_ARGUMENT, UNKNOWN_UNIT, UNKNOWN_SPACE and what `odds` adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stavka.games.red_vengeance.board import BIT, board_of, room, side_of, stacking_limit, units_at
from stavka.games.red_vengeance.combat.chapter import odds
from stavka.games.red_vengeance.control import controls
from stavka.games.red_vengeance.ground import COMMANDERS, GRID, MAP, PIECES, UNITS, YUGOSLAVIA, title_of
from stavka.games.red_vengeance.movement import (
    EXPLOITATION,
    MOVE,
    STRATEGIC,
    allowance,
    is_in_enemy_zoc,
    move_rules,
)
from stavka.games.red_vengeance.state import AXIS, SIDES, State, is_on_map, other
from stavka.games.red_vengeance.supply import is_in_supply, passable, sources
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.movement import PathCost, reach
from stavka.kernel.supply import blockade, supply_line
from stavka.kernel.visibility import Viewer

QUESTIONS: Final[Mapping[str, str]] = {
    "supply": "unit: its supply line, or what cuts it [RV 5.1]",
    "path": "unit, to or path (hexes joined by blanks), mode (move, strategic, exploitation): MP of each step [RV 6.2]",
    "reach": "unit, mode: every hex that it can reach and its MP [RV 6.2]",
    "hex": "hex: terrain, control, stacking, zones of control [RV 6.3, RV 7.2]",
    "odds": "attackers and targets (ids and hexes joined by blanks), or none for the present battle: dice [RV 8.43]",
}


def explain(state: State, viewer: Viewer, question: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
    if question not in QUESTIONS:
        raise MalformedCommand("UNKNOWN_QUESTION", question=question)
    if question == "odds":
        return odds(state, args)
    return {"supply": supply, "path": path, "reach": reachable, "hex": place}[question](state, args)


def _word(args: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = args.get(name, default)
    if not isinstance(value, str) or not value:
        raise MalformedCommand("MISSING_ARGUMENT", argument=name)
    return value


def _piece(state: State, args: Mapping[str, Any]) -> str:
    """The piece asked about, which must be on the map."""
    piece = _word(args, "unit")
    if piece not in PIECES:
        raise MalformedCommand("UNKNOWN_UNIT", unit=piece)
    if not is_on_map(state.at.get(piece, "")):
        raise MalformedCommand("NOT_ON_MAP", unit=piece)
    return piece


# [RV 5.1]


def supply(state: State, args: Mapping[str, Any]) -> dict[str, Any]:
    """Whether a unit is in supply; for each source a shortest line, or the hexes that bar the way and why."""
    unit = _piece(state, args)
    if unit in COMMANDERS:
        raise MalformedCommand("UNKNOWN_UNIT", unit=unit)
    side, here = side_of(state, unit), state.at[unit]
    ground = passable(state, side)
    board, enemy = board_of(state), other(side)
    barred = {
        "enemy unit": board.units[enemy],
        "enemy zone of control": board.zoc[enemy] & ~board.units[side] & ~board.units[enemy],
    }
    lines = []
    for source in sources(state, unit):
        line = supply_line(GRID, source.hexes, ground, here)
        entry: dict[str, Any] = {"to": source.what, "rule": source.rule, "by_sea": source.at_sea, "line": list(line)}
        if not line:
            cut = blockade(GRID, ground, here, barred)
            entry["barred"] = {cause: list(GRID.codes(bits)) for cause, bits in cut.blocked_by.items() if bits}
        lines.append(entry)
    return {
        "unit": unit,
        "hex": here,
        "in_supply": is_in_supply(state, unit),
        "marked_out_of_supply": unit in state.oos,
        "lines": lines,
        "exceptions": _exceptions(state, unit),
        "rule": "RV 5.1",
    }


def _exceptions(state: State, unit: str) -> list[dict[str, str]]:
    """Exceptions that bear on the unit now."""
    found = []
    if UNITS[unit].nation == "yugoslav" and BIT[state.at[unit]] & YUGOSLAVIA:
        found.append({"rule": "RV 11.41", "what": "always in supply inside Yugoslavia"})
    if unit == state.shore_supplied:
        found.append({"rule": "RV 12.21", "what": "treated as in supply on the Black Sea"})
    if side_of(state, unit) == AXIS:
        found.append({"rule": "RV 12.22", "what": f"Baltic Sea control: {state.sea}"})
    return found


# [RV 6.2]


def _mode(args: Mapping[str, Any]) -> str:
    mode = _word(args, "mode", MOVE)
    if mode not in (MOVE, STRATEGIC, EXPLOITATION):
        raise MalformedCommand("UNKNOWN_MODE", mode=mode)
    return mode


def path(state: State, args: Mapping[str, Any]) -> dict[str, Any]:
    """MP of a path step by step: the cheapest one to `to`, or the one given."""
    piece, mode = _piece(state, args), _mode(args)
    found = reach(GRID, state.at[piece], move_rules(state, piece, mode))
    given = str(args.get("path") or "").split()
    walk = tuple(given) if given else found.path(_word(args, "to"))
    cost = found.cost_of(walk) if walk else None
    return {
        "unit": piece,
        "mode": mode,
        "allowance": allowance(state, piece, mode),
        "spent": state.spent.get(piece, 0),
        "rule": {MOVE: "RV 6.2", STRATEGIC: "RV 6.5", EXPLOITATION: "RV 6.6"}[mode],
        "reachable": cost is not None and cost.is_legal,
        **(_steps(cost) if cost is not None else {"path": [], "steps": [], "total": 0}),
        **({"conditions": _strategic(state, piece)} if mode == STRATEGIC and piece in UNITS else {}),
    }


def _strategic(state: State, unit: str) -> list[dict[str, Any]]:
    """What a unit must fulfil to move strategically at all [RV 6.5]."""
    return [
        {"what": "in supply", "holds": is_in_supply(state, unit), "rule": "RV 6.5"},
        {"what": "starts outside enemy zones", "holds": not is_in_enemy_zoc(state, unit), "rule": "RV 6.5"},
    ]


def _steps(cost: PathCost) -> dict[str, Any]:
    steps = [
        {
            "from": step.origin,
            "to": step.target,
            "terrain": step.terrain,
            "base": step.base,
            "river": step.hexside,
            "zoc": step.zoc,
            "paid": step.paid,
            "rule": "RV 6.43" if step.zoc else "RV 9.1",
        }
        for step in cost.steps
    ]
    told: dict[str, Any] = {"path": list(cost.path), "steps": steps, "total": cost.total}
    if cost.failure is not None:
        told["failure"] = {"step": cost.failure.step, "hex": cost.failure.target, "reason": cost.failure.reason.value}
    return told


def reachable(state: State, args: Mapping[str, Any]) -> dict[str, Any]:
    piece, mode = _piece(state, args), _mode(args)
    found = reach(GRID, state.at[piece], move_rules(state, piece, mode))
    costs = {code: cost for cost, layer in enumerate(found.layers) for code in GRID.codes(layer & found.spaces)}
    return {"unit": piece, "mode": mode, "rule": "RV 6.2", "costs": dict(sorted(costs.items()))}


# [RV 6.3] [RV 7.2] [RV 7.3]


def place(state: State, args: Mapping[str, Any]) -> dict[str, Any]:
    code = _word(args, "hex")
    bit = GRID.bit(code)
    datum, board = MAP.hex(code), board_of(state)
    in_yugoslavia = bool(bit & YUGOSLAVIA)
    units = units_at(state, code)
    return {
        "hex": code,
        "title": title_of(code),
        "terrain": datum.terrain,
        "country": datum.country,
        "controlled_by": [side for side in SIDES if code in state.control and controls(state, side, code)],
        "control_rule": "RV 7.3" if in_yugoslavia else "RV 7.2",
        "zoc_of": [side for side in SIDES if board.zoc[side] & bit],
        "pieces": list(board.stacks.get(code, ())),
        "stacking_limit": stacking_limit(state, code, units),
        "room": room(state, code),
        "stacking_rule": "RV 6.3",
    }
