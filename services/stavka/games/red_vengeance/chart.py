"""The table as text for a terminal [RV 2.0].

    chart(view) -> str      map, turn, weather, who must act, and what stands off the map

North is up, column 01 is at the right, even rows are half a hex farther left. A hex is one mark for its terrain and up to
four characters: a stack as nation, combat factors, and + for a commander or ! for a unit out of supply; else the name of a
city; else ' where the Allies hold the ground.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from stavka.games.red_vengeance.board import board_of, strength_of
from stavka.games.red_vengeance.control import controls_alone
from stavka.games.red_vengeance.ground import COMMANDERS, MAP, PIECES, UNITS, nation_of
from stavka.games.red_vengeance.headline import SIDE_TITLES, headline, restore, who_acts
from stavka.games.red_vengeance.state import ALLIED, DEAD, LOST, TRACK, State

TERRAIN_MARKS: Final = {"clear": ".", "rough": "^", "forest": '"', "swamp": "~", "sea": " "}
CELL: Final = 5  # characters a hex
LEGEND: Final = (
    "G German  W SS  H Hungarian  R Romanian  B Bulgarian  S Soviet  P Polish  Y Yugoslav;"
    "  number: combat factors  + commander  ! out of supply",
    ". clear  ^ rough  \" forest  ~ swamp  ' held by the Allies",
)
_LETTERS: Final = {
    "german": "G",
    "hungarian": "H",
    "romanian": "R",
    "bulgarian": "B",
    "soviet": "S",
    "polish": "P",
    "yugoslav": "Y",
}


def chart(view: Mapping[str, Any]) -> str:
    state = restore(view)
    lines = [headline(state), _act_line(state), "", *_rows(state), "", *LEGEND, "", *_boxes(state)]
    return "\n".join(lines).rstrip() + "\n"


def _act_line(state: State) -> str:
    acting = [SIDE_TITLES[side] for side in who_acts(state)]
    air = f"; air points left: {state.air}" if state.air else ""
    return (f"To act: {' and '.join(acting)}" if acting else "To act: nobody") + air


def _rows(state: State) -> Iterator[str]:
    """A header of column numbers, then one line a row."""
    numbers = range(MAP.columns, 0, -1)
    yield "   " + "".join(f"{n:02d}".ljust(CELL) for n in numbers).rstrip()
    for row in range(1, MAP.rows + 1):
        indent = " " * (CELL // 2 if row % 2 else 0)
        cells = "".join(_cell(state, f"{row:02d}{n:02d}").ljust(CELL) for n in numbers)
        yield f"{row:02d} {indent}{cells}".rstrip()


def _cell(state: State, code: str) -> str:
    datum = MAP.hex(code)
    mark = TERRAIN_MARKS[datum.terrain]
    stack = board_of(state).stacks.get(code)
    if stack:
        return mark + _stack(state, stack)
    if datum.city is not None:
        return mark + datum.city.name[:3]
    return mark + ("'" if code in state.control and controls_alone(state, ALLIED, code) else "")


def _stack(state: State, stack: tuple[str, ...]) -> str:
    units = [piece for piece in stack if piece in UNITS]
    letter = "W" if any(UNITS[u].ss for u in units) else _LETTERS[nation_of(stack[0])]
    factors = str(sum(strength_of(state, u) for u in units)) if units else ""
    flag = "!" if any(u in state.oos for u in units) else "+" if any(p in COMMANDERS for p in stack) else ""
    return letter + factors + flag


def _boxes(state: State) -> Iterator[str]:
    """What waits on the track, and what has been removed."""
    for box, title in ((TRACK, "Turn track"), (DEAD, "Removed"), (LOST, "Out of the game")):
        pieces = [piece for piece in PIECES if state.at.get(piece) == box]
        if pieces:
            named = (f"{piece} (turn {state.due[piece]})" if box == TRACK else piece for piece in pieces)
            yield f"{title}: {', '.join(named)}"
