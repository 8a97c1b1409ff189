"""Plans become blocks, steps and factories, all at once [VE 11.1].

What others see comes in the order of places, which does not tell what was planned first.
"""

from __future__ import annotations

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import viewers_of
from stavka.games.victory_in_europe.cards import event_of
from stavka.games.victory_in_europe.events import BlockMoved, BlockPlaced, FactoriesSet, StepsSet
from stavka.games.victory_in_europe.ground import GRID, ORDER
from stavka.games.victory_in_europe.production.events import ProductionClosed
from stavka.games.victory_in_europe.production.ledger import CARD
from stavka.games.victory_in_europe.production.release import steps_of
from stavka.games.victory_in_europe.production.sites import FACTORY, grown, side_of
from stavka.games.victory_in_europe.production.works import Order
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft


def carry_out(draft: Draft[State]) -> None:
    """Every seat's plan, seats in the order of play; then the plans are forgotten."""
    for seat in draft.state.order:
        orders = draft.state.works.orders_of(seat)
        _add_steps(draft, seat, [what for _, what, area in orders if not area])
        built = [order for order in orders if order[2] and order[1] != FACTORY]
        for order in sorted(built, key=lambda order: (GRID.index(order[2]), ORDER[order[1]])):
            _bring(draft, seat, order)
        cities = [area for _, what, area in orders if what == FACTORY]
        for area in sorted(set(cities), key=GRID.index):
            draft.emit(FactoriesSet(area, grown(draft.state.factories.get(area, ()), cities.count(area))))
    draft.emit(ProductionClosed(draft.state.turn))


def _add_steps(draft: Draft[State], seat: str, blocks: list[str]) -> None:
    """[VE 11.4] One step each."""
    pieces = draft.state.blocks
    raised = {b: (pieces[b].steps + 1, pieces[b].half) for b in sorted(blocks, key=ORDER.__getitem__)}
    if raised:
        draft.emit(StepsSet((seat,), raised, "production"))


def _bring(draft: Draft[State], seat: str, order: Order) -> None:
    """[VE 11.4] A new block at one step, a leader at his last one [VE 5.7]; or a block that an event releases [VE 3.3]."""
    payer, block, area = order
    state, nation = draft.state, ground.NATION[block]
    piece = state.blocks.get(block)
    if piece is not None:
        viewers = viewers_of(state, block)
        draft.emit(BlockMoved(viewers, block, nation, piece.at, area, "", -1, False, "released"))
        return
    steps = 0 if ground.is_leader(block) else 1
    event = event_of(state, seat)
    if payer == CARD and event is not None:
        steps = steps_of(event, block)
    coast = ground.main_coast(area) if ground.branch(block) == "naval" else -1
    draft.emit(BlockPlaced(block, nation, area, side_of(state, block), seat, steps, coast))
