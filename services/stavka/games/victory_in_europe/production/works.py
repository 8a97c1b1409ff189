"""What the production phase remembers until it is carried out [VE 11.1].

Both sides answer at once and unseen, so every seat has its plan from the start, empty until it answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from stavka.kernel.visibility import Owner, OwnSeat, Public

Order = tuple[str, str, str]
"""Payer, block id or "factory", and the area of a new block or of the factory ("" for a step of a block on the map)."""
Orders = tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Plan(OwnSeat):
    """What a seat builds in this phase."""

    seat: Public[str]
    orders: Owner[Orders] = ()


@dataclass(frozen=True, slots=True)
class Loan:
    """Three players: PP that the Allied player lends the Soviet one in this phase [VE 7.81]."""

    amount: Owner[int] = 0

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset(("allied", "soviet"))


@dataclass(frozen=True, slots=True)
class Works:
    """Emptied at the end of each production phase."""

    plans: Public[tuple[Plan, ...]] = (Plan("axis"), Plan("allied"), Plan("soviet"))
    loan: Public[Loan] = Loan()

    def orders_of(self, seat: str) -> Orders:
        return next(plan.orders for plan in self.plans if plan.seat == seat)
