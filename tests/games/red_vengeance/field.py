"""Short words for the tests of movement, supply, production and data.

scene(...)                          a table from a few lines, as in the combat tests
costs(table, unit, mode="move")     MP by hex of everything that the unit can reach
march(unit, *path, cost, ...)       the event of a unit's move
ride(commander, *path)              the event of a commander's move
facts(table, code)                  what `explain hex` says
beside(data, hex)                   the hexes around a hex
"""

from __future__ import annotations

from typing import Any

from stavka.games.red_vengeance.charts import Data
from stavka.games.red_vengeance.datum import HexDatum
from stavka.games.red_vengeance.events import CommanderMoved, UnitMoved
from stavka.kernel.visibility import SPECTATOR

from tests.games.red_vengeance.combat.scene import scene
from tests.support.table import Table

__all__ = ["beside", "costs", "explained", "facts", "march", "ride", "scene"]


def explained(table: Table, question: str, **args: str) -> dict[str, Any]:
    return dict(table.game.explain(table.state, SPECTATOR, question, args))


def costs(table: Table, unit: str, mode: str = "move") -> dict[str, int]:
    found: dict[str, int] = explained(table, "reach", unit=unit, mode=mode)["costs"]
    return found


def facts(table: Table, code: str) -> dict[str, Any]:
    return explained(table, "hex", hex=code)


def march(unit: str, *path: str, cost: int, side: str = "allied", mode: str = "move") -> UnitMoved:
    return UnitMoved(unit, side, path, cost, mode)


def ride(commander: str, *path: str) -> CommanderMoved:
    return CommanderMoved(commander, path, len(path) - 1)


def beside(data: Data, hex: HexDatum) -> list[HexDatum]:
    return [data.map.hexes[n] for n in hex.neighbours if n >= 0]
