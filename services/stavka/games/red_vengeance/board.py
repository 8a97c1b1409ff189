"""What the pieces on the map amount to: stacks, occupied hexes, zones of control, who may enter what [RV 6.3, RV 6.4].

    board_of(state) -> Board              worked out once for each position of the pieces
      .stacks[hex]                        pieces in a hex, units before commanders, each in counter order
      .units[side] .commanders[side]      hexes that hold a unit / a commander of the side
      .zoc[side]                          hexes in which the side's units exert a ZOC
      .memo                               room for what other chapters derive from the same position
    side_of(state, piece)                 side that a piece fights for now
    units_at / commanders_at(state, hex)  ids in a hex, of both sides (only one can have units there)
    side_units(state, side)               units of a side on the map, in counter order
    enterable(state, piece)               hexes that a piece may ever enter: land, and the bounds of its nation
    strength_of(state, unit)              printed combat factor of the side that shows
    room(state, hex)                      how many more units the stacking limit allows in a hex
    has_room(state, unit, hex)            whether it allows this one
    excess(state, side)                   hexes of a side over the limit -> units too many

A unit exerts no ZOC into a hex that it may not enter by 6.4; limits on the number of units in a country do not count.
"""

from __future__ import annotations

from typing import Any, Final

from stavka.games.red_vengeance.ground import (
    CITY_HEX,
    COMMANDERS,
    COUNTRY,
    GRID,
    LAND,
    MAP,
    PIECES,
    UNITS,
    YUGOSLAV_ROUGH,
    YUGOSLAVIA,
    nation_of,
)
from stavka.games.red_vengeance.state import ALLIED, AXIS, State

STACKING_LIMIT: Final = 2
"""Units a hex, commanders and divisions aside [RV 6.3]."""
LAST_LINE_LIMIT: Final = 3
"""German corps in Berlin under the option, if SS are among them [RV 14.5]."""

BIT: Final[dict[str, int]] = {h.id: GRID.bit(h.id) for h in MAP.hexes}
_ORDER: Final = {piece: number for number, piece in enumerate(PIECES)}
_NATION: Final = {piece: nation_of(piece) for piece in PIECES}
_FIXED_SIDE: Final = {"german": AXIS, "soviet": ALLIED, "polish": ALLIED, "yugoslav": ALLIED}
MINORS: Final = {"romanian": "romania", "bulgarian": "bulgaria", "hungarian": "hungary"}
"""Nations that may change sides -> their country, the key of `State.minors`."""


class Board:
    """See the module. Never changed once built, except that `memo` fills up.

    `nations` maps a nation to the hexes of its units, `groups` (nation, whether bound to its country) to the hexes of the
    units that exert a ZOC.
    """

    __slots__ = ("commanders", "groups", "memo", "nations", "places", "sides", "stacks", "units", "zoc")

    def __init__(self, state: State) -> None:
        """Build from nothing."""
        self.sides = nation_sides(state)
        self.stacks: dict[str, tuple[str, ...]] = {}
        self.places = {piece: place for piece in PIECES if (place := state.at.get(piece, "")) in BIT}
        for piece, place in self.places.items():
            self.stacks[place] = (*self.stacks.get(place, ()), piece)
        self.units, self.commanders = {AXIS: 0, ALLIED: 0}, {AXIS: 0, ALLIED: 0}
        self.groups: dict[tuple[str, bool], int] = {}
        self.nations: dict[str, int] = {}
        for place, stack in self.stacks.items():
            self._enter(state, BIT[place], stack)
        self._finish()

    def after(self, state: State, moved: tuple[str, ...]) -> Board:
        """The board after these pieces have changed their places."""
        board: Board = object.__new__(Board)
        board.sides = self.sides
        board.stacks, board.places = self.stacks.copy(), self.places.copy()
        board.units, board.commanders = self.units.copy(), self.commanders.copy()
        board.groups, board.nations = self.groups.copy(), self.nations.copy()
        touched: set[str] = set()
        for piece in moved:
            board._shift(piece, state.at[piece], touched)
        cleared = 0
        for place in touched:
            cleared |= BIT[place]
        for masks in (board.units, board.commanders, board.groups, board.nations):
            for key in masks:
                masks[key] &= ~cleared  # type: ignore[index]
        for place in touched:
            board._enter(state, BIT[place], board.stacks.get(place, ()))
        board._finish()
        return board

    def pieces(self, side: str) -> list[str]:
        """Units and commanders of a side on the map, in counter order."""
        found: list[str] | None = self.memo.get(side)
        if found is None:
            sides, places = self.sides, self.places
            found = self.memo[side] = [p for p in PIECES if p in places and sides[_NATION[p]] == side]
        return found

    def _shift(self, piece: str, place: str, touched: set[str]) -> None:
        """Take a piece out of its stack and put it into that of its new place, if that is a hex."""
        old = self.places.pop(piece, None)
        if old is not None:
            left = tuple(p for p in self.stacks[old] if p != piece)
            if left:
                self.stacks[old] = left
            else:
                del self.stacks[old]
            touched.add(old)
        if place in BIT:
            self.places[piece] = place
            self.stacks[place] = tuple(sorted((*self.stacks.get(place, ()), piece), key=_ORDER.__getitem__))
            touched.add(place)

    def _enter(self, state: State, bit: int, stack: tuple[str, ...]) -> None:
        """Mark the hex of a stack in the masks."""
        for piece in stack:
            nation = _NATION[piece]
            side = self.sides[nation]
            unit = UNITS.get(piece)
            if unit is None:
                self.commanders[side] |= bit
                continue
            self.units[side] |= bit
            self.nations[nation] = self.nations.get(nation, 0) | bit
            if unit.branch != "marine":  # [RV 6.41]
                group = nation, piece in state.confined
                self.groups[group] = self.groups.get(group, 0) | bit

    def _finish(self) -> None:
        """Work out the zones of control."""
        self.memo: dict[Any, Any] = {}
        self.zoc = {AXIS: 0, ALLIED: 0}
        for (nation, bound), mask in self.groups.items():
            if not mask:
                continue
            if nation == "yugoslav":
                inside = GRID.expand(mask & YUGOSLAVIA) & _yugoslav_bounds(self, True)
                self.zoc[ALLIED] |= inside | GRID.expand(mask & ~YUGOSLAVIA) & LAND
            else:
                side = self.sides[nation]
                self.zoc[side] |= GRID.expand(mask) & _bounds(nation, bound, side)


def board_of(state: State) -> Board:
    """The board of the present position, worked out when something has changed since the last call."""
    known = state._board
    if type(known) is Board:
        return known
    board: Board = Board(state) if known is None or len(known) > _MANY else known[0].after(state, known[1:])
    state._board = board
    return board


_MANY: Final = 12
"""Moved pieces beyond which a board is built from nothing."""


def nation_sides(state: State) -> dict[str, str]:
    """Nation -> side. A nation that has surrendered has nothing on the map and counts with the Axis."""
    sides = dict(_FIXED_SIDE)
    for nation, country in MINORS.items():
        sides[nation] = ALLIED if state.minors.get(country) == ALLIED else AXIS
    return sides


def side_of(state: State, piece: str) -> str:
    """Side that a piece fights for. Raises KeyError for an unknown piece."""
    nation = _NATION[piece]
    fixed = _FIXED_SIDE.get(nation)
    if fixed is not None:
        return fixed
    return ALLIED if state.minors.get(MINORS[nation]) == ALLIED else AXIS


def units_at(state: State, code: str) -> tuple[str, ...]:
    return tuple(p for p in board_of(state).stacks.get(code, ()) if p in UNITS)


def commanders_at(state: State, code: str) -> tuple[str, ...]:
    return tuple(p for p in board_of(state).stacks.get(code, ()) if p in COMMANDERS)


def side_units(state: State, side: str) -> list[str]:
    return [piece for piece in board_of(state).pieces(side) if piece in UNITS]


def is_ss(piece: str) -> bool:
    return piece in UNITS and UNITS[piece].ss


def strength_of(state: State, unit: str) -> int:
    """Printed factor of the side that shows: front with all its steps, back when reduced."""
    datum = UNITS[unit]
    return datum.strength if state.steps[unit] >= datum.steps else datum.reduced


def is_reduced(state: State, unit: str) -> bool:
    """Whether a unit on the map shows its back [RV 8.51]."""
    return 0 < state.steps[unit] < UNITS[unit].steps


# [RV 6.3] [RV 11.6] [RV 14.5] stacking


def stacking_limit(state: State, code: str, units: tuple[str, ...]) -> int:
    """Units of army or corps size that a stack made of these units may have in a hex."""
    if (
        code == CITY_HEX["Berlin"]
        and state.options.get("last_line") == "on"
        and any(is_ss(u) for u in units)
        and all(_NATION[u] == "german" for u in units)
    ):
        return LAST_LINE_LIMIT
    return STACKING_LIMIT


def counted(units: tuple[str, ...]) -> int:
    """Units that count toward the limit: divisions do not [RV 11.6]."""
    return sum(UNITS[u].size != "division" for u in units)


def room(state: State, code: str) -> int:
    """Units that may still be added to a hex, if they change nothing in its limit; negative when it holds too many."""
    units = units_at(state, code)
    return stacking_limit(state, code, units) - counted(units)


def has_room(state: State, unit: str, code: str) -> bool:
    """Whether the limit lets a unit join the stack of a hex, itself considered; divisions are free of it [RV 11.6]."""
    if UNITS[unit].size == "division":
        return True
    units = (*units_at(state, code), unit)
    return counted(units) <= stacking_limit(state, code, units)


def excess(state: State, side: str) -> dict[str, int]:
    """Hexes of a side that hold more than the limit -> units too many, in reading order."""
    board = board_of(state)
    found = {}
    for code in sorted(board.stacks):
        if len(board.stacks[code]) > STACKING_LIMIT and BIT[code] & board.units[side]:
            over = -room(state, code)
            if over > 0:
                found[code] = over
    return found


# [RV 11.31] [RV 11.32] [RV 11.33] [RV 11.41] [RV 11.42] bounds of nations


def enterable(state: State, piece: str) -> int:
    """Hexes that a piece may enter by movement as far as land and its nation's bounds go.

    Commanders are no units and know no bounds but land [RV 6.1].
    """
    if piece in COMMANDERS:
        return LAND
    nation = _NATION[piece]
    if nation == "yugoslav":
        return _yugoslav_bounds(board_of(state), bool(BIT.get(state.at[piece], 0) & YUGOSLAVIA))
    return _bounds(nation, piece in state.confined, side_of(state, piece))


_SOVIET_BOUNDS: Final = LAND & ~YUGOSLAV_ROUGH
_FOREIGN_BOUNDS: Final = LAND & ~YUGOSLAVIA
_HOMES: Final = {country: COUNTRY[country] & LAND for country in MINORS.values()}


def _bounds(nation: str, confined: bool, side: str) -> int:
    if nation == "soviet":
        return _SOVIET_BOUNDS
    country = MINORS.get(nation)
    if country is None or (country == "hungary" and not confined):
        return LAND
    if country != "hungary" and side == ALLIED:
        return _FOREIGN_BOUNDS
    return _HOMES[country]


def _yugoslav_bounds(board: Board, inside: bool) -> int:
    """A Yugoslav unit at home may not leave while an Axis unit is in the country [RV 11.41]."""
    return YUGOSLAVIA & LAND if inside and board.units[AXIS] & YUGOSLAVIA else LAND


def order_of(piece: str) -> int:
    """Counter order, for stable listings."""
    return _ORDER[piece]
