"""Production as text: a position in the production phase, and the orders that are usual in these tests.

factory_floor(blocks, ...)      a Table at the step in which everybody builds
plan(table, seat, *orders)      the Outcome of a plan; an order is "payer what [area]"
ring(area, ...)                 text that cuts an area off: land around it controlled, ships on the seas around it
built(table, ...)               the Table after all seats have answered, those not named with an empty plan
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stavka.games.victory_in_europe.ground import GRID, is_land
from stavka.games.victory_in_europe.production.chapter import Produce
from stavka.games.victory_in_europe.production.works import Order

from tests.support.table import Outcome, Table

from ..field import EVERYBODY, scene

WEST = ("germany", "britain", "france")
THREE = "campaign_1939_three"


def order(text: str) -> Order:
    payer, what, *area = text.split()
    return payer, what, area[0] if area else ""


def orders(texts: Sequence[str]) -> tuple[Order, ...]:
    return tuple(order(text) for text in texts)


def factory_floor(blocks: str, step: str = "build", **more: Any) -> Table:
    header = {"at_war": WEST, **more}
    return scene(blocks, phase=f"production - {step}".strip(), **header)


SHIPS = {
    "axis": ("ger_ca_1", "ger_ca_2", "ger_ub_1", "ger_ub_2", "ger_ub_3", "ger_bc_scharnhorst"),
    "allied": ("bri_ca_1", "bri_ca_2", "bri_ca_3", "bri_ca_4", "bri_bb_nelson", "bri_bb_warspite"),
}


def ring(*areas: str, side: str = "axis", holder: str = "germany", land: bool = True) -> str:
    """Neighbors of the areas, without these themselves, in the hands of a side; seas by one ship each."""
    around = dict.fromkeys(place for area in areas for place in GRID.codes(GRID.adjacent(area)) if place not in areas)
    seas = [place for place in around if not is_land(place)]
    lands = [place for place in around if is_land(place)] if land else []
    ships = "\n".join(f"{sea}: {ship}" for sea, ship in zip(seas, SHIPS[side], strict=False))
    assert len(seas) <= len(SHIPS[side])
    return f"[{side}]\n{ships}\n[control]\n{holder}: {' '.join(lands)}"


def plan(table: Table, seat: str, *texts: str) -> Outcome:
    return table.when(Produce(seat, orders(texts)), seat)


def built(table: Table, **plans: Sequence[str]) -> Table:
    for seat in table.state.seats:
        table = plan(table, seat, *plans.get(seat, ())).after()
    return table.goes_on().after()


def steps(table: Table, block: str) -> int:
    found: int = table.state.blocks[block].steps
    return found


__all__ = ["EVERYBODY", "THREE", "WEST", "built", "factory_floor", "order", "orders", "plan", "ring", "steps"]
