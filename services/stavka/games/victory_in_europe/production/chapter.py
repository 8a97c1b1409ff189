"""Resources, factories, building: what the sequence of play calls [VE [6]] [VE 11.0] [VE 11.1].

Frame "production". Every seat is asked, whether it can build anything or not, and answers by one command that carries
its whole plan; nothing of it shows before all have answered. Of three players the Allied one first says how much
lend-lease goes to the Soviets (step "lend"), once both powers are at war.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe.events import Answered
from stavka.games.victory_in_europe.production.carry_out import carry_out
from stavka.games.victory_in_europe.production.events import LoanMade, ProductionPlanned
from stavka.games.victory_in_europe.production.ledger import Ledger, require_shape
from stavka.games.victory_in_europe.production.plans import domain, offers, plans
from stavka.games.victory_in_europe.production.tally import USA, aid_to, tally_of
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import ALLIED, SOVIET, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

FRAMES: Final = frozenset({"production"})
LEND: Final = "lend"
BUILD: Final = "build"


@dataclass(frozen=True, slots=True)
class Produce(OwnSeat):
    """All that the seat builds: (payer, block or "factory", area), the area "" for a step of a block on the map.

    The payer is a power, or "card" for what the seat's event gives.
    """

    seat: Owner[str]
    orders: Owner[tuple[tuple[str, str, str], ...]]


@dataclass(frozen=True, slots=True)
class LendLease:
    """PP of the United States that the Soviet player gets in this phase [VE 7.81]."""

    seat: Public[str]
    amount: Owner[int]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset((self.seat, SOVIET))


def produce(draft: Draft[State], seat: str, command: Produce) -> None:
    """[VE 11.1] Refuses the plan whole if one of its orders cannot be."""
    require_shape(command.orders)
    ledger = Ledger(draft.state, seat)
    for order in command.orders:
        ledger.enter(order)
    draft.emit(ProductionPlanned(seat, command.orders))
    draft.emit(Answered(seat))


def most_to_lend(state: State) -> int:
    """[VE 7.81] [VE 13 Iran] What reaches the Soviets, and no more than the United States have."""
    aid = sum(amount for _, amount, _ in aid_to(state, USA, "soviet_union"))
    return min(aid, tally_of(state, USA).points)


def lend_lease(draft: Draft[State], seat: str, command: LendLease) -> None:
    """[VE 7.81] The American player may keep lend-lease for himself."""
    if not 0 <= command.amount <= most_to_lend(draft.state):
        raise IllegalAction("VE 7.81", "NOT_ENOUGH_TO_LEND", most=most_to_lend(draft.state))
    draft.emit(LoanMade(command.amount))
    draft.emit(FrameStepped(BUILD))


COMMANDS: Final = {Produce: Handler(FRAMES, produce), LendLease: Handler(FRAMES, lend_lease)}


def react(draft: Draft[State]) -> None:
    """Open the steps; carry everything out when all have answered."""
    state, step = draft.state, draft.state.frames[-1].step
    if not step:
        lends = SOVIET in state.seats and {USA, "soviet_union"} <= state.at_war
        draft.emit(FrameStepped(LEND if lends else BUILD))
    elif step == BUILD and all(state.camps[seat].done for seat in state.seats):
        carry_out(draft)
        advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    step = state.frames[-1].step
    if step == LEND:
        return (
            decision(state, ALLIED, "lend", "VE 7.81", (LendLease,), "1", "say how much lend-lease the Soviets get"),
        )
    if step != BUILD:
        return ()
    return tuple(
        decision(state, seat, "production", "VE 11.1", (Produce,), "1", "say what you build")
        for seat in state.seats
        if not state.camps[seat].done
    )


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    found = []
    for open_ in decisions(state):
        if open_.seat != seat:
            continue
        if open_.kind == "lend":
            found.append(Choice(open_, tuple(LendLease(seat, n) for n in range(most_to_lend(state) + 1))))
        else:
            listed = offers(state, seat)
            options = tuple(Produce(seat, orders) for orders in plans(state, seat, listed))
            found.append(Choice(open_, options, False, domain(state, seat, listed)))
    return tuple(found)
