"""Events for battles, and losses by events, before the first battle is fought [VE 3.3].

Frame "events". In the order of play each seat whose event works in one battle names the battle, or lets the event
pass; then seats whose units an event hits pick the units that lose a step.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc_of, blocks_at, contested_places, hostile, seat_of
from stavka.games.victory_in_europe.cards import card_of, effects, side_of_card
from stavka.games.victory_in_europe.events import EffectUsed, EventAllotted
from stavka.games.victory_in_europe.ground import SIDE_OF_MAJOR
from stavka.games.victory_in_europe.losses import lose_steps
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import State
from stavka.games.victory_in_europe.structures import CardEvent
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

IN_BATTLE: Final = frozenset({"firepower_bonus", "extend_battle", "winter_fire", "orderly_retreat", "double_defense"})
FRAMES: Final = frozenset({"events"})


@dataclass(frozen=True, slots=True)
class AllotEvent:
    """Name the battle in which the event works; "" lets it pass [VE 3.3]."""

    area: Public[str]


@dataclass(frozen=True, slots=True)
class ChooseLosses(OwnSeat):
    """The units that lose a step by the enemy's event [VE 3.3]."""

    seat: Public[str]
    blocks: Owner[tuple[str, ...]]


def battles_for(state: State, seat: str, event: CardEvent) -> tuple[str, ...]:
    """Contested places in which a unit of the event's nations fights, in map order.

    The seat's own units alone are looked at, whatever their type: so the list tells nobody anything.
    """
    return tuple(
        place
        for place in contested_places(state)
        if any(
            state.blocks[b].seat == seat and state.blocks[b].nation in event.nations for b in blocks_at(state, place)
        )
    )


def victims(state: State, seat: str, event: CardEvent) -> tuple[str, ...]:
    """Blocks that a seat's event of step loss may hit: at war with the card's side, and never a last step [VE 3.3]."""
    card = card_of(state, seat)
    assert card is not None
    side = side_of_card(card)
    return tuple(
        block
        for block, piece in sorted(state.blocks.items(), key=lambda item: ground.ORDER[item[0]])
        if piece.nation in event.nations
        and hostile(state, side, bloc_of(state, piece))
        and (not event.types or ground.kind(block) in event.types)
        and (not event.areas or piece.at in event.areas)
        and piece.steps > 1
    )


def _task(state: State) -> tuple[str, str, CardEvent] | None:
    """Seat that must act, the event's own seat, and the event; None when all is done."""
    pending = effects(state, "combat")
    for seat, event in pending:
        if event.kind in IN_BATTLE and not any(seat in seats for seats in state.allotted.values()):
            return seat, seat, event
    for seat, event in pending:
        if event.kind == "step_loss":
            return seat_of(state, SIDE_OF_MAJOR[event.nations[0]]), seat, event
    return None


def react(draft: Draft[State]) -> None:
    """Pass events that have no battle; go on to combat when nothing is left."""
    task = _task(draft.state)
    if task is None:
        advance(draft)
    elif task[2].kind in IN_BATTLE and not battles_for(draft.state, task[0], task[2]):
        draft.emit(EffectUsed(task[1]))


def allot_event(draft: Draft[State], seat: str, command: AllotEvent) -> None:
    """[VE 3.3] The battle is named before any is fought."""
    task = _task(draft.state)
    assert task is not None
    if not command.area:
        draft.emit(EffectUsed(seat))
        return
    if command.area not in battles_for(draft.state, seat, task[2]):
        raise IllegalAction("VE 3.3", "NO_SUCH_BATTLE", area=command.area)
    draft.emit(EventAllotted(seat, command.area))


def choose_losses(draft: Draft[State], seat: str, command: ChooseLosses) -> None:
    """[VE 3.3] As many units as the event says, or all that can lose a step; at most one step each."""
    task = _task(draft.state)
    assert task is not None
    _, owner, event = task
    able = victims(draft.state, owner, event)
    if tuple(b for b in able if b in command.blocks) != command.blocks:
        raise IllegalAction("VE 3.3", "NOT_A_VICTIM")
    if len(command.blocks) != min(event.amount, len(able)):
        raise IllegalAction("VE 3.3", "WRONG_NUMBER_OF_LOSSES", wanted=min(event.amount, len(able)))
    lose_steps(draft, dict.fromkeys(command.blocks, 1), "event")
    draft.emit(EffectUsed(owner))


COMMANDS: Final = {
    AllotEvent: Handler(FRAMES, allot_event),
    ChooseLosses: Handler(FRAMES, choose_losses),
}


def decisions(state: State) -> tuple[Decision, ...]:
    task = _task(state)
    if task is None:
        return ()
    seat, _, event = task
    if event.kind in IN_BATTLE:
        if not battles_for(state, seat, event):
            return ()
        return (decision(state, seat, "event", "VE 3.3", (AllotEvent,), "1", "name the battle for your card's event"),)
    return (decision(state, seat, "losses", "VE 3.3", (ChooseLosses,), task[1], "choose the units that lose a step"),)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    task = _task(state)
    return tuple(
        Choice(open_, _options(state, *task)) for open_ in decisions(state) if open_.seat == seat and task is not None
    )


def _options(state: State, seat: str, owner: str, event: CardEvent) -> tuple[object, ...]:
    if event.kind in IN_BATTLE:
        return (AllotEvent(""), *(AllotEvent(area) for area in battles_for(state, seat, event)))
    able = victims(state, owner, event)
    return tuple(ChooseLosses(seat, blocks) for blocks in combinations(able, min(event.amount, len(able))))
