"""The events of this chapter and how the fold applies them: APPLY maps an event type to function(state, event)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from stavka.games.victory_in_europe.production.works import Loan, Orders, Plan, Works
from stavka.kernel.visibility import Owner, OwnSeat, Public

if TYPE_CHECKING:
    from stavka.games.victory_in_europe.state import State


@dataclass(frozen=True, slots=True)
class ProductionPlanned(OwnSeat):
    """A seat has laid down what it builds [VE 11.1]. Nobody else learns of it."""

    seat: Owner[str]
    orders: Owner[Orders]


@dataclass(frozen=True, slots=True)
class LoanMade:
    """Three players: the Allied player lends the Soviet one PP of the United States [VE 7.81]."""

    amount: Owner[int]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset(("allied", "soviet"))


@dataclass(frozen=True, slots=True)
class ProductionClosed:
    """All plans have been carried out in `turn`."""

    turn: Public[int]


def _production_planned(s: State, e: ProductionPlanned) -> None:
    plans = tuple(Plan(plan.seat, e.orders) if plan.seat == e.seat else plan for plan in s.works.plans)
    s.works = replace(s.works, plans=plans)


def _loan_made(s: State, e: LoanMade) -> None:
    s.works = replace(s.works, loan=Loan(e.amount))


def _production_closed(s: State, e: ProductionClosed) -> None:
    s.works = Works()


APPLY: Final[dict[type, Callable[[Any, Any], None]]] = {
    ProductionPlanned: _production_planned,
    LoanMade: _loan_made,
    ProductionClosed: _production_closed,
}
