"""Ready plans for a seat, so that a list of options is never empty and never endless [VE 11.1].

offers(state, seat)        every single order that would be accepted, with its price
plans(state, seat, offers)      a fair sample of whole plans, the empty one first
domain(state, seat, offers)     points, aid, offers as plain data
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.cards import event_of
from stavka.games.victory_in_europe.ground import BLOCKS, MAP, ORDER
from stavka.games.victory_in_europe.production import sites
from stavka.games.victory_in_europe.production.ledger import CARD, DONORS, Ledger
from stavka.games.victory_in_europe.production.sites import FACTORY, FACTORY_COST
from stavka.games.victory_in_europe.production.works import Order, Orders
from stavka.games.victory_in_europe.state import SOVIET, State

Offer = tuple[Order, int]
"""An order and its PP, 0 for the card's."""


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    """Every order that would be accepted by itself, in manifest order."""
    ledger = Ledger(state, seat)
    return tuple((order, cost) for order, cost in _conceivable(state, seat, ledger) if ledger.refused(order) is None)


def _conceivable(state: State, seat: str, ledger: Ledger) -> Iterator[Offer]:
    mine = sorted((b for b, piece in state.blocks.items() if piece.seat == seat), key=ORDER.__getitem__)
    for block in mine:
        cost = sites.price(state, block, state.blocks[block].at)
        yield from (((payer, block, ""), cost) for payer in _payers(sites.account_of(state, block)))
    pool = [block for camp in state.camps.values() if camp.seat == seat for block in camp.pool]
    for block in sorted(pool, key=ORDER.__getitem__):
        for area in sites.new_sites(state, block):
            cost = sites.price(state, block, area)
            yield from (((payer, block, area), cost) for payer in _payers(sites.account_of(state, block)))
    for area in MAP.areas:
        power = MAP.areas[area].homeland
        if MAP.areas[area].major_city and power in ledger.powers:
            yield from (((payer, FACTORY, area), FACTORY_COST) for payer in _payers((power,)))
    event = event_of(state, seat)
    if event is not None and event.kind == "free_steps":
        yield from (((CARD, block, ""), 0) for block in mine)
    elif event is not None and event.kind == "release_unit":
        for block in event.blocks:
            yield from (((CARD, block, area), 0) for area in sorted(event.areas))


def _payers(accounts: Iterable[str]) -> tuple[str, ...]:
    """Powers that pay, donors after those for whom they would."""
    own = tuple(accounts)
    return tuple(dict.fromkeys((*own, *(DONORS[power] for power in own if power in DONORS))))


# Whole plans

_Taste = Callable[[State, Offer], tuple[int, ...]]


def _is_new(offer: Offer) -> bool:
    return bool(offer[0][2]) and offer[0][1] != FACTORY


def _rank(block: str) -> int:
    """0 armies, 1 aircraft, 2 ships, 3 convoys, 4 factories."""
    if block == FACTORY:
        return 4
    return ("army", "air", "naval", "convoy").index(ground.branch(block))


_TASTES: Final[tuple[_Taste, ...]] = (
    lambda state, offer: (_is_new(offer), _rank(offer[0][1]), -offer[1]),
    lambda state, offer: (_rank(offer[0][1]), -_is_new(offer), offer[1]),
    lambda state, offer: (_rank(offer[0][1]) != 1, _is_new(offer), -offer[1]),
    lambda state, offer: (_rank(offer[0][1]) not in (2, 3), _is_new(offer)),
    lambda state, offer: (_rank(offer[0][1]) not in (3, 4), _rank(offer[0][1]), -offer[1]),
    lambda state, offer: (_weakness(state, offer), offer[1]),
)
"""What a plan prefers: steps for armies, new armies, aircraft, ships, industry, the weakest."""


def _weakness(state: State, offer: Offer) -> int:
    piece = state.blocks.get(offer[0][1])
    return BLOCKS[offer[0][1]].steps if piece is None and offer[0][1] != FACTORY else piece.steps if piece else 9


def plans(state: State, seat: str, listed: tuple[Offer, ...]) -> tuple[Orders, ...]:
    """The empty plan, then for each taste a plan that spends what it can; equal ones once."""
    found: dict[Orders, None] = {(): None}
    for number, taste in enumerate(_TASTES):
        shift = (state.stamp + number * 7) % max(1, len(listed))
        turned = (*listed[shift:], *listed[:shift])
        found[_greedy(state, seat, sorted(turned, key=lambda offer: (offer[0][0] != CARD, *taste(state, offer))))] = (
            None
        )
    return tuple(found)


def _greedy(state: State, seat: str, wanted: Iterable[Offer]) -> Orders:
    """Enter orders as long as they are accepted; a factory city several times."""
    ledger, entered = Ledger(state, seat), []
    for order, cost in wanted:
        while (order[0] == CARD or cost <= ledger.points_left(order[0])) and ledger.refused(order) is None:
            ledger.enter(order)
            entered.append(order)
    return tuple(entered)


def domain(state: State, seat: str, listed: tuple[Offer, ...]) -> dict[str, Any]:
    """Points of each power, aid between powers, and every single order that would be accepted."""
    ledger = Ledger(state, seat)
    return {
        "points": {power: ledger.points_left(power) for power in ledger.powers},
        "aid": [[donor, power, amount] for (donor, power), amount in ledger.aid.items() if amount],
        "pockets": {power: dict(tally.pockets) for power, tally in ledger.tallies.items() if tally.pockets},
        "loan": state.works.loan.amount if SOVIET in state.seats and seat != "axis" else 0,
        "offers": [[list(order), cost] for order, cost in listed],
        "free": ["orders"],
    }
