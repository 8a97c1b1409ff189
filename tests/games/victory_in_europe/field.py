"""Positions of the Move Phase and others as text, and what is usual in these tests.

scene(blocks, phase=..., ...)      a Table; `blocks` has the sections of a position
move(table, block, *path, by)      the Outcome of a MoveBlock by the block's own seat
paths(table, block, by)            paths that the referee lists for a block
spent(table, pool)                 commands of a pool that are gone
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.cards import CARDS
from stavka.games.victory_in_europe.moves import MoveBlock, block_options
from stavka.kernel.game import Setup

from tests.support.table import Outcome, Table

SUMMER_1939, FALL_1939, WINTER_1940, SUMMER_1940 = 1, 2, 3, 5
SPRING_1941, SUMMER_1941, FALL_1941, WINTER_1942, SUMMER_1942 = 8, 9, 10, 11, 13
EVERYBODY = ("germany", "italy", "britain", "france", "soviet_union", "united_states")
COMMANDS = {"axis": 3, "allied": 3, "soviet": 3}


def scene(
    blocks: str,
    *,
    phase: str = "move axis",
    turn: int = SUMMER_1940,
    commands: Mapping[str, int] | None = None,
    at_war: Sequence[str] = EVERYBODY,
    order: Sequence[str] = (),
    scenario: str = "campaign_1939",
    **header: Any,
) -> Table:
    """A table of that phase; everybody is at war and every side has three commands if nothing else is said."""
    seats = GAME.scenarios[scenario].seats
    lines: dict[str, Any] = {
        "commands": dict(COMMANDS if commands is None else commands),
        "at_war": sorted(at_war),
        "order": list(order or seats),
        **header,
    }
    text = "\n".join(
        (
            "game victory_in_europe",
            f"turn {turn}",
            f"phase {phase}",
            *(f"{name} {word(value)}" for name, value in lines.items()),
            blocks,
        )
    )
    state = GAME.state()
    for event in GAME.begin(Setup(1, scenario, {}, text)):
        state = GAME.evolve(state, event)
    return Table(GAME, state)


def word(value: object) -> str:
    """JSON as one word of a header line."""
    return json.dumps(value, separators=(",", ":"))


def move(table: Table, block: str, *path: str, by: str = "move") -> Outcome:
    seat = table.state.blocks[block].seat
    return table.when(MoveBlock(seat, block, path, by), seat)


def paths(table: Table, block: str, by: str = "move") -> set[tuple[str, ...]]:
    """Every path by which the referee lets a block move now."""
    seat = table.state.blocks[block].seat
    return {option.path for option in block_options(table.state, seat, block, everything=True) if option.by == by}


def targets(table: Table, block: str, by: str = "move") -> set[str]:
    return {path[-1] for path in paths(table, block, by)}


def spent(table: Table, pool: str = "axis") -> int:
    left: int = table.state.commands[pool]
    return COMMANDS[pool] - left


def card_with(kind: str, nation: str, **more: Any) -> str:
    """The first card of the decks whose event is of that kind and for that nation; `more`: other fields of the event."""
    return next(
        card.id
        for card in CARDS.values()
        if card.event.kind == kind
        and (not nation or nation in card.event.nations)
        and all(getattr(card.event, name) == value for name, value in more.items())
    )
