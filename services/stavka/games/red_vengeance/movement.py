"""Movement [RV 6.0 to RV 6.6, RV 11.22 to RV 11.26, RV 11.41, RV 11.42]: what a piece may do in one move.

    allowance(state, piece, mode)       MP, with supply, weather and kind of movement [RV 6.23, RV 6.5, RV 6.6, RV 13.0]
    move_rules(state, piece, mode)      costs, allowance, ZOC and bounds for the kernel's search
    reachable(state, piece, mode)       the search itself, from where the piece stands

Modes: move (6.2), strategic (6.5), exploitation (6.6). The commands are in `moves.py`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from stavka.games.red_vengeance.board import (
    BIT,
    board_of,
    enterable,
    is_ss,
    side_of,
    side_units,
)
from stavka.games.red_vengeance.entry import DIETRICH
from stavka.games.red_vengeance.ground import (
    COMMANDERS,
    COSTS,
    COUNTRY,
    GRID,
    UNITS,
    WEATHER,
    YUGOSLAVIA,
    kind_of,
    nation_of,
)
from stavka.games.red_vengeance.state import ALLIED, AXIS, State, other
from stavka.kernel.hexgrid import Six
from stavka.kernel.movement import ANYWHERE, MoveRules, Reach, ZocRule, reach
from stavka.kernel.terrain import step_costs

MOVE: Final = "move"
STRATEGIC: Final = "strategic"
EXPLOITATION: Final = "exploitation"

STRATEGIC_FACTOR: Final = 3  # times the movement factor [RV 6.5]
ZOC_COST: Final = 1  # MP for armor, each enemy ZOC hex entered [RV 6.43]
EXPLOITATION_MP: Final = {"armor": 3, "guards": 2, "mountain": 1}  # [RV 6.6]
MAX_SOVIETS_IN_YUGOSLAVIA: Final = 2  # units [RV 11.42]
SS_UNITS: Final = tuple(unit for unit in UNITS if is_ss(unit))


# [RV 6.23] [RV 6.5] [RV 6.6] [RV 13.0] allowances


def allowance(state: State, piece: str, mode: str) -> int:
    """MP that the piece has for one move of this kind; 0 when it cannot make one.

    Halves are rounded up each time: first for supply [RV 5.2], then for mud [RV 13.0]; commanders suffer neither.
    Exploitation points are no movement factor: supply leaves them alone, snow takes 1 MP from units.
    """
    commander = COMMANDERS.get(piece)
    weather = WEATHER[state.weather]
    if mode == EXPLOITATION:
        if commander is not None:
            return commander.exploitation
        points = _exploitation_points(piece)
        return max(0, points + weather.exploitation_mp) if points else 0
    if commander is not None:
        return commander.movement if mode == MOVE else 0
    factor = UNITS[piece].movement
    if piece in state.oos:
        factor = (factor + 1) // 2
    if weather.halve_movement:
        factor = (factor + 1) // 2
    return factor * STRATEGIC_FACTOR if mode == STRATEGIC else factor


def _exploitation_points(unit: str) -> int:
    """Points before weather [RV 6.6]; shock armies have none [RV 11.1]."""
    datum = UNITS[unit]
    return EXPLOITATION_MP.get("guards" if datum.is_guards else datum.branch, 0)


# [RV 6.42] [RV 6.43] [RV 13.0] enemy ZOC


_Zoc = tuple[int, int, int, int]
"""Zone, hexes that a step from ZOC to ZOC may leave, may enter, MP for each ZOC hex entered: the terms of a ZocRule."""


def _zoc(state: State, piece: str, zone: int, friends: int) -> tuple[_Zoc, int]:
    """The rule for steps in enemy ZOC and the hexes in which the piece must stop.

    `friends` are the hexes that hold a friendly unit other than the piece.
    """
    unit = UNITS.get(piece)
    if unit is None and COMMANDERS[piece].moves_as == "armor":
        return (0, ANYWHERE, ANYWHERE, 0), 0
    held = friends & zone
    if unit is not None and unit.branch == "armor":
        limited = WEATHER[state.weather].armor_zoc_limit and side_of(state, piece) == AXIS
        return (zone, ANYWHERE, held if limited else ANYWHERE, ZOC_COST), 0
    return (zone, held, held, 0), zone & ~held


# [RV 11.33] [RV 11.41] borders that may be crossed one way only

_Chart = tuple[str, bool, str]


def _chart(state: State, piece: str) -> _Chart:
    """Column of the terrain chart, whether it snows, and the country that the piece may enter but not leave."""
    return kind_of(piece), state.weather == "snow", entered_for_good(state, piece)


def entered_for_good(state: State, piece: str) -> str:
    """Country that a piece outside of it may enter but not leave; "" for none. It holds for retreats too."""
    nation = nation_of(piece)
    if nation == "hungarian" and piece not in state.confined and side_of(state, piece) == AXIS:
        return "hungary"
    if nation == "yugoslav" and piece in UNITS and board_of(state).units[AXIS] & YUGOSLAVIA:
        return "yugoslavia"
    return ""


def _outward(country: int) -> Six:
    """By direction, the hexes outside that are entered from inside the country."""
    e, w, ne, nw, se, sw = (moved & ~country for moved in GRID.spread(country))
    return e, w, ne, nw, se, sw


_CHARTS: Final = {
    (kind, snow, country): step_costs(costs.entries, costs.sides, _outward(COUNTRY[country])) if country else costs
    for (kind, snow), costs in COSTS.items()
    for country in ("", "hungary", "yugoslavia")
}


# [RV 6.0] [RV 6.2] the move


def move_rules(state: State, piece: str, mode: str) -> MoveRules:
    """Everything that binds the piece in a move from where it stands, MP spent before taken off.

    Ending a move in a full hex is allowed: stacking is judged at the end of the phase [RV 6.3].
    """
    return _rules(*_terms(state, piece, mode))


_Terms = tuple[_Chart, int, int, int, _Zoc, bool]


def _rules(chart: _Chart, mp: int, forbidden: int, stop: int, zoc: _Zoc, minimum: bool) -> MoveRules:
    return MoveRules(_CHARTS[chart], mp, forbidden, stop, ZocRule(*zoc), minimum)


def _terms(state: State, piece: str, mode: str) -> _Terms:
    """What `move_rules` is made of: chart, MP, forbidden hexes, stopping hexes, ZOC rule, whether one hex is for free."""
    board = board_of(state)
    side = board.sides[nation_of(piece)]
    enemy = other(side)
    zone, place = board.zoc[enemy], state.at[piece]
    friends = board.units[side]
    stack = board.stacks[place]
    if piece in UNITS and (len(stack) == 1 or sum(p in UNITS for p in stack) == 1):
        friends &= ~BIT[place]
    rule, stop = _zoc(state, piece, zone, friends)
    forbidden = board.units[enemy] | ~enterable(state, piece)
    if piece in COMMANDERS:
        forbidden |= board.commanders[enemy]
    elif UNITS[piece].nation == "soviet" and yugoslavia_is_full(state, BIT[place]):
        forbidden |= YUGOSLAVIA
    if mode == STRATEGIC:
        forbidden |= zone & ~friends  # [RV 6.5]
    mp = max(0, allowance(state, piece, mode) - state.spent.get(piece, 0))
    return _chart(state, piece), mp, forbidden, stop, rule, piece not in state.spent


def yugoslavia_is_full(state: State, here: int) -> bool:
    """[RV 11.42] Two Soviet units are in Yugoslavia and this one is not among them."""
    if here & YUGOSLAVIA or not board_of(state).groups.get(("soviet", False), 0) & YUGOSLAVIA:
        return False
    inside = sum(UNITS[u].nation == "soviet" and bool(BIT[state.at[u]] & YUGOSLAVIA) for u in side_units(state, ALLIED))
    return inside >= MAX_SOVIETS_IN_YUGOSLAVIA


def reachable(state: State, piece: str, mode: str) -> Reach:
    """The search for one piece. Searches are kept, for most pieces ask the same again after another one has moved."""
    return _search(state.at[piece], *_terms(state, piece, mode))


@lru_cache(maxsize=4096)
def _search(start: str, chart: _Chart, mp: int, forbidden: int, stop: int, zoc: _Zoc, minimum: bool) -> Reach:
    return reach(GRID, start, _rules(chart, mp, forbidden, stop, zoc, minimum))


def destinations(state: State, piece: str, mode: str) -> int:
    """Hexes in which the piece may end a move."""
    spaces = reachable(state, piece, mode).spaces
    return spaces & escort(state, piece, mode) if spaces else 0


# [RV 11.24] Dietrich is always with SS


def escort(state: State, piece: str, mode: str) -> int:
    """Hexes to which the piece may go without parting Dietrich from the SS for good.

    He must end his own move with an SS unit. An SS unit may leave him if he can still follow it, or join another.
    """
    if piece == DIETRICH:
        return ss_hexes(state)
    if state.at[DIETRICH] not in BIT or not is_ss(piece):
        return ANYWHERE
    follows = BIT[state.at[DIETRICH]]
    if DIETRICH not in state.spent:
        follows |= reachable(state, DIETRICH, EXPLOITATION if mode == EXPLOITATION else MOVE).spaces
    return ANYWHERE if follows & ss_hexes(state, without=piece) else follows


def ss_hexes(state: State, without: str = "") -> int:
    """Hexes that hold an SS unit other than `without`."""
    bits = 0
    for unit in SS_UNITS:
        if unit != without:
            bits |= BIT.get(state.at[unit], 0)
    return bits


def enemy_zoc(state: State, side: str) -> int:
    return board_of(state).zoc[other(side)]


def is_in_enemy_zoc(state: State, piece: str) -> bool:
    return bool(BIT[state.at[piece]] & enemy_zoc(state, side_of(state, piece)))
