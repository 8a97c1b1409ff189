"""Battles as text: a position in the combat phase, and the steps that are usual in these tests.

scene(blocks, clashes, ...)         a Table before the first battle, or, with one clash, in its first round
DULL                                dice of one roll that hit nothing
dice(*wanted)                       dice of one roll, of which the first ones are given
fire(table, block, target, *wanted) a block fires; the Table after everything that follows by itself
hold retreat                        likewise
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from stavka.games.victory_in_europe import fold, play, setup
from stavka.games.victory_in_europe.battle.after import EndRegroup
from stavka.games.victory_in_europe.battle.fire import targets as fire_targets
from stavka.games.victory_in_europe.battle.turns import Fire, Hold, Retreat, TakeHit
from stavka.games.victory_in_europe.battle.ways import retreats
from stavka.games.victory_in_europe.state import State
from stavka.kernel.game import Command, Setup

from tests.support.table import Table

GAME: Any = SimpleNamespace(
    decide=play.decide, react=play.react, evolve=fold.evolve, decisions=play.decisions, legal=play.legal
)
DULL = (6, 6, 6, 6)
SUMMER_1940, WINTER_1941, SUMMER_1941, FALL_1941, SUMMER_1943 = 5, 7, 9, 10, 17
EVERYBODY = ["germany", "italy", "britain", "france", "soviet_union", "united_states"]


def dice(*wanted: int) -> tuple[int, ...]:
    """Four dice: those given, then sixes."""
    return (*wanted, *DULL)[:4]


def clash(attacker: str, defender: str, **more: Any) -> dict[str, Any]:
    return {"attacker": attacker, "defender": defender, **more}


def scene(
    blocks: str,
    clashes: Mapping[str, Mapping[str, Any]],
    *,
    turn: int = SUMMER_1940,
    order: Sequence[str] = ("axis", "allied"),
    rolls: Sequence[Any] = (),
    scenario: str = "campaign_1939",
    header: str = "",
    go_on: bool = True,
) -> Table:
    """A table with these blocks. `blocks` has the sections of a position; everybody is at war if nothing else is said.

    With one clash its battle has begun: `rolls` are those of flak and the like before the first decision.
    """
    lines = [
        "game victory_in_europe",
        f"turn {turn}",
        "phase combat",
        f"order {_word(list(order))}",
        f"clashes {_word(clashes)}",
    ]
    if "at_war" not in header:
        lines.append(f"at_war {_word(EVERYBODY)}")
    text = "\n".join([*lines, *header.split("\n"), blocks])
    state = State()
    for event in setup.begin(Setup(1, scenario, {}, text)):
        state = fold.evolve(state, event)
    table = Table(GAME, state)
    return table.goes_on(rolls).after() if go_on else table


def _word(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def seat_of(table: Table, block: str) -> str:
    seat: str = table.state.blocks[block].seat
    return seat


def step(table: Table, command: Command, seat: str, rolls: Sequence[Any] = (), after: Sequence[Any] = ()) -> Table:
    """A command and the automatic progress that follows it; `after` are the rolls of the latter."""
    return table.when(command, seat, rolls).after().goes_on(after).after()


def fire(table: Table, block: str, target: str, *wanted: int, after: Sequence[Any] = ()) -> Table:
    seat = seat_of(table, block)
    return step(table, Fire(seat, block, target), seat, [dice(*wanted)], after)


def hold(table: Table, *blocks: str) -> Table:
    for block in blocks:
        table = step(table, Hold(seat_of(table, block), block), seat_of(table, block))
    return table


def retreat(table: Table, block: str, target: str, coast: int = -1) -> Table:
    return step(table, Retreat(seat_of(table, block), block, target, coast), seat_of(table, block))


def take_hit(table: Table, block: str) -> Table:
    """The owner gives the pending hit to this block."""
    return step(table, TakeHit(seat_of(table, block), block), seat_of(table, block))


def end_regroup(table: Table, seat: str) -> Table:
    return step(table, EndRegroup(seat), seat)


def targets(table: Table, block: str) -> dict[str, str]:
    """Target types at which a block can fire now -> class and highest hitting roll."""
    return {name: f"{power.letter}{power.value}" for name, power in fire_targets(table.state, block).items()}


def ways(table: Table, block: str) -> list[str]:
    """Places to which a block could leave the battle."""
    return [way.target for way in retreats(table.state, block)]


def steps(table: Table, block: str) -> int | None:
    """Steps of a block, None when it is off the map."""
    piece = table.state.blocks.get(block)
    return None if piece is None else piece.steps


def place(table: Table, block: str) -> str:
    at: str = table.state.blocks[block].at
    return at
