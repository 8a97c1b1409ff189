"""A seat's plan, order by order: what is refused, and what is left to spend [VE 11.1] [VE 11.4].

    Ledger(state, seat)
      .refused(order)        why an order cannot be added to those entered so far; None if it can
      .enter(order)          raises that, or adds the order
    require_shape(orders)    MalformedCommand for what no player could mean

Payers: a power spends on what it pays for itself, and on what it may pay for others (`tally.aid_to`); "card" stands for
the seat's own event of this turn [VE 3.3].
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import room
from stavka.games.victory_in_europe.cards import concerns_here, event_of
from stavka.games.victory_in_europe.ground import BLOCKS, MAP, SIDE_OF_MAJOR, STACK_KEY
from stavka.games.victory_in_europe.production import sites
from stavka.games.victory_in_europe.production.release import release_refused
from stavka.games.victory_in_europe.production.sites import FACTORY, FACTORY_COST
from stavka.games.victory_in_europe.production.tally import (
    LENINGRAD,
    USA,
    Tally,
    aid_to,
    powers_of,
    tally_of,
)
from stavka.games.victory_in_europe.production.works import Order, Orders
from stavka.games.victory_in_europe.reach import URALS
from stavka.games.victory_in_europe.state import SOVIET, State
from stavka.games.victory_in_europe.structures import CardEvent
from stavka.kernel.errors import IllegalAction, MalformedCommand

CARD: Final = "card"
DONORS: Final = {"france": "britain", "italy": "germany", "britain": USA, "soviet_union": USA}
"""Power -> the one that may pay for it [VE 13 France] [VE 13 Italy] [VE 7.81]."""
MOST_ORDERS: Final = 300


def require_shape(orders: Orders) -> None:
    """Raises MalformedCommand BAD_ORDER, TOO_MANY_ORDERS."""
    if len(orders) > MOST_ORDERS:
        raise MalformedCommand("TOO_MANY_ORDERS", most=MOST_ORDERS)
    for order in orders:
        if len(order) != 3 or isinstance(order, str):
            raise MalformedCommand("BAD_ORDER", order=order)
        payer, what, area = order
        if payer != CARD and payer not in SIDE_OF_MAJOR:
            raise MalformedCommand("BAD_ORDER", payer=payer)
        if (what != FACTORY and what not in BLOCKS) or (area and area not in MAP.areas):
            raise MalformedCommand("BAD_ORDER", what=what, area=area)
        if what == FACTORY and not (area and ground.is_land(area)):
            raise MalformedCommand("BAD_ORDER", what=what, area=area)


class Ledger:
    """See the module."""

    def __init__(self, state: State, seat: str) -> None:
        self._state, self._seat = state, seat
        self.powers = powers_of(state, seat)
        self.tallies: dict[str, Tally] = {power: tally_of(state, power) for power in self.powers}
        self.aid: dict[tuple[str, str], int] = {
            (donor, power): sum(amount for _, amount, _ in aid_to(state, donor, power))
            for power, donor in DONORS.items()
            if power in self.powers and donor in self.powers
        }
        if SOVIET in state.seats:
            self._share_loan(state, seat)
        self._points = {power: tally.points for power, tally in self.tallies.items()}
        self.spent: Counter[str] = Counter()
        self.given: Counter[tuple[str, str]] = Counter()
        self.pocketed: Counter[tuple[str, str]] = Counter()
        self._units: set[str] = set()
        self._factories: Counter[str] = Counter()
        self._placed: Counter[tuple[str, str, str]] = Counter()
        self._free_steps = 0

    def _share_loan(self, state: State, seat: str) -> None:
        """[VE 7.81] Of three players the Allied one has said how much the Soviets get."""
        if seat == SOVIET:
            self.aid[USA, "soviet_union"] = state.works.loan.amount
        else:
            self.aid.pop((USA, "soviet_union"), None)

    # What is left

    def points_left(self, power: str) -> int:
        """PP that a power can still spend, somewhere."""
        points = self._points.get(power)
        if points is None:
            return self.aid.get((power, "soviet_union"), 0) - self.given[power, "soviet_union"]
        lent = self._state.works.loan.amount if power == USA and SOVIET in self._state.seats else 0
        return points - lent - self.spent[power]

    def _can_pay(self, payer: str, account: str, cost: int, what: str, area: str) -> IllegalAction | None:
        """[VE 11.1] Enough PP, from where they can be spent there [VE 1.9] [VE 13 Soviet Union], on that [VE 13 Canada]."""
        if payer != account:
            if self.given[payer, account] + cost > self.aid.get((payer, account), 0):
                return IllegalAction("VE 11.1", "NOT_ENOUGH_AID", payer=payer, power=account)
            if self._only_for_units(account) and (what == FACTORY or BLOCKS[what].nation != account):
                return IllegalAction("VE 13 Canada", "FOR_ITS_UNITS_ALONE", payer=payer)
        if cost > self.points_left(payer):
            return IllegalAction("VE 11.1", "NOT_ENOUGH_PRODUCTION", payer=payer, left=self.points_left(payer))
        if payer != account and area == LENINGRAD and area in self._pockets(account):
            return IllegalAction("VE 1.9", "CUT_OFF", area=area)
        tally, own = self.tallies.get(payer), self._pockets(payer)
        if tally is None or not own:
            return None
        after = Counter(self.pocketed)
        after[payer, self._pocket(payer, what, area)] += cost
        outside = after[payer, ""]
        for pocket, steps in own.items():
            over = max(0, after[payer, pocket] - steps)
            if over and pocket == LENINGRAD:
                return IllegalAction("VE 1.9", "CUT_OFF", area=pocket)
            outside += over
        if outside > tally.movable + tally.extra:
            return IllegalAction("VE 13 Soviet Union", "POINTS_STAY_IN_URALS", payer=payer)
        return None

    def _only_for_units(self, account: str) -> bool:
        """[VE 13 Canada] Whether what others give a power pays for Canadian and British units alone."""
        return account == "britain" and account in self._state.alternate

    def _pockets(self, power: str) -> dict[str, int]:
        """Areas that live on their own factories, with the steps of these."""
        tally = self.tallies.get(power)
        return dict(tally.pockets) if tally is not None else {}

    def _pocket(self, power: str, what: str, area: str) -> str:
        """The area whose own PP an order there may use, "" if none: those of the Urals build units, no factories."""
        return area if area in self._pockets(power) and (what, area) != (FACTORY, URALS) else ""

    # Orders

    def refused(self, order: Order) -> IllegalAction | None:
        """[VE 11.4] Why an order cannot be added, or None."""
        payer, what, area = order
        if payer == CARD:
            return self._card_refused(what, area)
        if what == FACTORY:
            return self._factory_refused(payer, area)
        if what in self._units:
            return IllegalAction("VE 11.4", "ONE_STEP_A_UNIT", block=what)
        refused = self._step_refused(what, area) if self._stands(what) else self._build_refused(what, area)
        if refused is not None:
            return refused
        place = area or self._state.blocks[what].at
        accounts = sites.account_of(self._state, what)
        account = self._account(payer, accounts)
        if not account:
            return IllegalAction("VE 11.5" if not accounts else "VE 11.4", "NOT_ITS_PAYER", payer=payer, block=what)
        return self._can_pay(payer, account, sites.price(self._state, what, place), what, place)

    def _account(self, payer: str, accounts: tuple[str, ...]) -> str:
        """The power in whose stead the payer pays: itself first; "" when it may not."""
        if payer in accounts:
            return payer if payer in self.powers else ""
        return next((power for power in accounts if DONORS.get(power) == payer and power in self.powers), "")

    def _stands(self, block: str) -> bool:
        """Whether the block is one of the seat's on the map; where others' blocks are stays unsaid."""
        piece = self._state.blocks.get(block)
        return piece is not None and piece.seat == self._seat

    def _step_refused(self, block: str, area: str) -> IllegalAction | None:
        if area:
            return IllegalAction("VE 11.4", "ON_THE_MAP_ALREADY", block=block)
        return sites.step_refused(self._state, block)

    def _build_refused(self, block: str, area: str) -> IllegalAction | None:
        side = next((c.side for c in self._state.camps.values() if c.seat == self._seat and block in c.pool), "")
        if not side:
            return IllegalAction("VE 11.4", "NOT_YOURS_TO_BUILD", block=block)
        if not area:
            return IllegalAction("VE 11.4", "NO_AREA_NAMED", block=block)
        refused = sites.build_refused(self._state, block, area)
        if refused is None and self._room(side, area, block) < 1:
            return IllegalAction("VE 4.5", "OVERSTACKED", place=area)
        return refused

    def _room(self, side: str, area: str, block: str) -> int:
        return room(self._state, side, area, block) - self._placed[side, area, STACK_KEY[block]]

    def _factory_refused(self, payer: str, area: str) -> IllegalAction | None:
        """[VE 11.31] One step a marker."""
        power = MAP.areas[area].homeland
        account = self._account(payer, (power,)) if power in self.powers else ""
        if not account:
            return IllegalAction("VE 11.31", "NOT_ITS_PAYER", payer=payer, area=area)
        refused = sites.factory_refused(self._state, power, area)
        if refused is not None:
            return refused
        if self._factories[area] >= sites.factory_room(self._state, area):
            return IllegalAction("VE 11.31", "ONE_STEP_A_MARKER", area=area)
        return self._can_pay(payer, account, FACTORY_COST, FACTORY, area)

    # [VE 3.3] the card

    def _event(self) -> CardEvent | None:
        return event_of(self._state, self._seat)

    def _card_refused(self, what: str, area: str) -> IllegalAction | None:
        """[VE 3.3] Steps without PP, or a block released."""
        event = self._event()
        if event is None or what == FACTORY or event.kind not in ("free_steps", "release_unit"):
            return IllegalAction("VE 3.3", "NO_SUCH_EVENT")
        if what in self._units:
            return IllegalAction("VE 11.4", "ONE_STEP_A_UNIT", block=what)
        if event.kind == "release_unit":
            refused = release_refused(self._state, self._seat, event, what, area)
            if refused is None and self._room(SOVIET, area, what) < 1:
                return IllegalAction("VE 4.5", "OVERSTACKED", place=area)
            return refused
        if not self._stands(what):
            return IllegalAction("VE 3.3", "NOT_ON_THE_MAP", block=what)
        refused = self._step_refused(what, area)
        if refused is not None:
            return refused
        if not concerns_here(self._state, what, event) or (event.types and ground.kind(what) not in event.types):
            return IllegalAction("VE 3.3", "NOT_FOR_THIS_UNIT", block=what)
        if self._free_steps >= event.amount:
            return IllegalAction("VE 3.3", "EVENT_USED_UP", steps=event.amount)
        return None

    def enter(self, order: Order) -> None:
        """Add an order. Raises IllegalAction as `refused` says."""
        refused = self.refused(order)
        if refused is not None:
            raise refused
        payer, what, area = order
        if what == FACTORY:
            self._factories[area] += 1
            self._pay(payer, self._account(payer, (MAP.areas[area].homeland,)), FACTORY_COST, what, area)
            return
        self._units.add(what)
        if area:
            side = SOVIET if payer == CARD else sites.side_of(self._state, what)
            self._placed[side, area, STACK_KEY[what]] += 1
        if payer == CARD:
            self._free_steps += not area
            return
        place = area or self._state.blocks[what].at
        account = self._account(payer, sites.account_of(self._state, what))
        self._pay(payer, account, sites.price(self._state, what, place), what, place)

    def _pay(self, payer: str, account: str, cost: int, what: str, area: str) -> None:
        self.spent[payer] += cost
        if payer != account:
            self.given[payer, account] += cost
        self.pocketed[payer, self._pocket(payer, what, area)] += cost
