"""Cards: hands, the secret choice, initiative and commands [VE 3.1] [VE 3.2] [VE 3.31] [VE 12.0].

    CARDS                              every card by id
    event_of(state, seat)              the event of the card played this turn that is this seat's to use, or None
    effects(state, phase)              (seat, event) of the events of one phase that are not used up
    pool_of(state, side)               the pool of commands that a side spends from
    spend(draft, side, count, reason)  pay commands or refuse

Frame "cards". All seats choose at once; nobody's answer shows before all have answered. Where a card of the Allied
deck is concerned and three play, the Allied and the Soviet player first may exchange a card, then one of them plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe.board import blocks_at, board_of, seat_of
from stavka.games.victory_in_europe.card_events import (
    CardChosen,
    CardOffered,
    CardsRevealed,
    DeckLeft,
    HandDealt,
    LeaderNamed,
    OffersSettled,
)
from stavka.games.victory_in_europe.events import CommandsSpent
from stavka.games.victory_in_europe.ground import MINORS
from stavka.games.victory_in_europe.load import calendar, deck, scenario
from stavka.games.victory_in_europe.options import base_of
from stavka.games.victory_in_europe.season import turn_of
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET, Piece, State
from stavka.games.victory_in_europe.structures import Card, CardEvent
from stavka.kernel.chapters import Handler
from stavka.kernel.decks import draw
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

CARDS: Final[dict[str, Card]] = {card.id: card for player in (AXIS, ALLIED) for card in deck(player)}
NO_CARD: Final = "-"
_SIDE_OF_COLOR: Final = {"black": AXIS, "green": AXIS, "blue": ALLIED, "red": SOVIET}


@dataclass(frozen=True, slots=True)
class PlayCard(OwnSeat):
    """Lay a card of the hand face down [VE 3.2]."""

    seat: Public[str]
    card: Owner[str]


@dataclass(frozen=True, slots=True)
class OfferCard(OwnSeat):
    """Offer the partner a card in exchange for one of his; "-" offers none [VE 12.0]."""

    seat: Owner[str]
    card: Owner[str]


@dataclass(frozen=True, slots=True)
class NameLeader:
    """Say which partner plays the first card [VE 12.0]."""

    leader: Public[str]


FRAMES: Final = frozenset({"cards"})

# What others ask


def side_of_card(card: Card) -> str:
    """Side that has a card's event and diplomatic roll [VE 3.31]."""
    return _SIDE_OF_COLOR[card.color]


def card_of(state: State, seat: str) -> Card | None:
    """The card whose event and roll are this seat's this turn, or None."""
    for played in state.played.values():
        card = CARDS[played]
        if seat_of(state, side_of_card(card)) == seat:
            return card
    return None


def event_of(state: State, seat: str) -> CardEvent | None:
    """The event that is this seat's to use, None when there is none or it is used up."""
    memo = board_of(state).memo
    key = ("event", seat)
    if key not in memo:
        card = card_of(state, seat)
        memo[key] = None if card is None or seat in state.effects else card.event
    event: CardEvent | None = memo[key]
    return event


def concerns(event: CardEvent, piece: Piece, beside: Iterable[Piece]) -> bool:
    """Whether a block counts as one of the event's nations: it is of one, or of a minor power beside a unit of one [VE 3.3]."""
    if piece.nation in event.nations:
        return True
    return piece.nation in MINORS and any(p.nation in event.nations and p.nation not in MINORS for p in beside)


def concerns_here(state: State, block: str, event: CardEvent) -> bool:
    """The same for a block where it stands, outside of battle."""
    piece = state.blocks[block]
    return concerns(event, piece, (state.blocks[b] for b in blocks_at(state, piece.at, piece.side)))


def effects(state: State, phase: str) -> list[tuple[str, CardEvent]]:
    """Events of a phase that are not used up, in the order of play."""
    found = ((seat, event_of(state, seat)) for seat in state.order)
    return [(seat, event) for seat, event in found if event is not None and event.phase == phase]


def used(state: State, seat: str, what: str) -> int:
    """How often a part of a seat's event has been used."""
    return state.effects.count(f"{seat}:{what}")


# [VE 3.2] commands


def shares_commands(state: State) -> bool:
    """Whether Allies and Soviets split their commands: from the turn after the Soviet entry on [VE 3.2]."""
    return "soviet_union" in state.at_war and state.entered.get("soviet_union", 0) < state.turn


def pool_of(state: State, side: str) -> str:
    """The pool that a side spends from."""
    return ALLIED if side == SOVIET and SOVIET not in state.commands else side


def commands_left(state: State, side: str) -> int:
    return state.commands.get(pool_of(state, side), 0)


def spend(draft: Draft[State], side: str, count: int, reason: str) -> None:
    """Pay commands. Raises IllegalAction NOT_ENOUGH_COMMANDS."""
    if not count:
        return
    if commands_left(draft.state, side) < count:
        raise IllegalAction("VE 3.2", "NOT_ENOUGH_COMMANDS", needed=count, left=commands_left(draft.state, side))
    draft.emit(CommandsSpent(pool_of(draft.state, side), count, reason))


def commands_of(state: State, played: dict[str, str]) -> dict[str, int]:
    """Pool -> commands of the cards face up; odd ones go to the side of the card's color [VE 3.2]."""
    found = {AXIS: 0, ALLIED: 0}
    for name in played.values():
        card = CARDS[name]
        owner = side_of_card(card)
        if owner == AXIS:
            found[AXIS] = card.cm
        elif shares_commands(state):
            found[owner] = (card.cm + 1) // 2
            found[SOVIET if owner == ALLIED else ALLIED] = card.cm // 2
        else:
            found[ALLIED] = card.cm
    return found


def order_of(state: State, played: dict[str, str]) -> tuple[str, ...]:
    """Seats in the order in which they act: the higher card first, the Axis on a tie [VE 3.2].

    Of two partners the one whose color was played goes first [VE 12.0].
    """
    cards = [CARDS[name] for name in played.values()]
    axis = next(card for card in cards if side_of_card(card) == AXIS)
    other = next(card for card in cards if side_of_card(card) != AXIS)
    partners = [seat for seat in state.seats if seat != AXIS]
    partners.sort(key=lambda seat: seat != seat_of(state, side_of_card(other)))
    return (AXIS, *partners) if axis.cm >= other.cm else (*partners, AXIS)


# [VE 3.1] [VE 12.0] dealing


def deal(draft: Draft[State]) -> None:
    """Shuffle the year's cards and deal: 4 of 8, 2 of 6 in 1939, what a scenario says in its first turn [VE 3.1]."""
    state, year = draft.state, turn_of(draft.state).year
    start = scenario(base_of(state.scenario))
    first = state.turn == start.start_turn
    book = calendar()
    count = start.cards_in_hand if first else book.draw_1939 if year == 1939 else book.draw
    for name in (AXIS, ALLIED):
        cards = draft.roll.shuffle(f"{name} deck {year}", tuple(c.id for c in deck(name) if c.year == year))
        hand, rest = draw(cards, count)
        if name == ALLIED and SOVIET in state.seats:
            soviets = start.three_player_soviet_cards if first else count // 2
            draft.emit(HandDealt(SOVIET, hand[:soviets]))
            hand = hand[soviets:]
        draft.emit(HandDealt(name, hand))
        draft.emit(DeckLeft(name, rest))


# The phase: steps "", "exchange", "leader", "choose"


def players(state: State) -> tuple[str, ...]:
    """Seats that lay a card this turn: both, or of three players the Axis and the partner whose turn it is."""
    return state.seats if SOVIET not in state.seats else (AXIS, state.leader)


def react(draft: Draft[State]) -> None:
    """Deal at the start of a year, pass the steps that need nobody, turn the cards up when all have chosen [VE 3.2]."""
    state, step = draft.state, draft.state.frames[-1].step
    if not step:
        if not any(state.camps[seat].hand for seat in state.seats):
            deal(draft)
        draft.emit(FrameStepped("exchange" if SOVIET in state.seats else "choose"))
    elif step == "exchange":
        partners = [state.camps[seat] for seat in (ALLIED, SOVIET)]
        if not all(camp.hand for camp in partners):
            draft.emit(FrameStepped("leader"))
        elif all(camp.offered for camp in partners):
            draft.emit(OffersSettled(all(camp.offered != NO_CARD for camp in partners)))
            draft.emit(FrameStepped("leader"))
    elif step == "leader":
        leader = next_leader(state)
        if leader:
            draft.emit(LeaderNamed(leader))
            draft.emit(FrameStepped("choose"))
    elif all(state.camps[seat].chosen for seat in players(state)):
        played = {seat: state.camps[seat].chosen for seat in players(state)}
        draft.emit(CardsRevealed(played, order_of(state, played), commands_of(state, played)))
        advance(draft)


def next_leader(state: State) -> str:
    """The partner whose turn it is to play; "" while the Allied player has to say it [VE 12.0]."""
    able = [seat for seat in (ALLIED, SOVIET) if state.camps[seat].hand]
    if len(able) == 1:
        return able[0]
    return {ALLIED: SOVIET, SOVIET: ALLIED, "": ""}[state.leader]


def play_card(draft: Draft[State], seat: str, command: PlayCard) -> None:
    """[VE 3.2] One card of the hand, face down."""
    _require_in_hand(draft.state, seat, command.card)
    draft.emit(CardChosen(seat, command.card))


def offer_card(draft: Draft[State], seat: str, command: OfferCard) -> None:
    """[VE 12.0] A card for the partner, or none."""
    if command.card != NO_CARD:
        _require_in_hand(draft.state, seat, command.card)
    draft.emit(CardOffered(seat, command.card))


def name_leader(draft: Draft[State], seat: str, command: NameLeader) -> None:
    """[VE 12.0] Who of the partners plays first; afterwards they alternate."""
    if command.leader not in (ALLIED, SOVIET):
        raise IllegalAction("VE 12.0", "NOT_A_PARTNER", leader=command.leader)
    draft.emit(LeaderNamed(command.leader))
    draft.emit(FrameStepped("choose"))


def _require_in_hand(state: State, seat: str, card: str) -> None:
    if card not in state.camps[seat].hand:
        raise IllegalAction("VE 3.2", "CARD_NOT_IN_HAND", card=card)


COMMANDS: Final = {
    PlayCard: Handler(FRAMES, play_card),
    OfferCard: Handler(FRAMES, offer_card),
    NameLeader: Handler(FRAMES, name_leader),
}


def decisions(state: State) -> tuple[Decision, ...]:
    step = state.frames[-1].step
    if step == "exchange":
        return tuple(
            decision(state, seat, "exchange", "VE 12.0", (OfferCard,), "1", "offer your partner a card, or none")
            for seat in (ALLIED, SOVIET)
            if state.camps[seat].hand and not state.camps[seat].offered
        )
    if step == "leader":
        return (decision(state, ALLIED, "leader", "VE 12.0", (NameLeader,), "1", "say which partner plays first"),)
    if step == "choose":
        return tuple(
            decision(state, seat, "card", "VE 3.2", (PlayCard,), "1", "choose a card for this turn")
            for seat in players(state)
            if not state.camps[seat].chosen
        )
    return ()


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    return tuple(Choice(open_, _options(state, open_)) for open_ in decisions(state) if open_.seat == seat)


def _options(state: State, open_: Decision) -> tuple[object, ...]:
    hand = state.camps[open_.seat].hand
    if open_.kind == "exchange":
        return tuple(OfferCard(open_.seat, card) for card in (NO_CARD, *hand))
    if open_.kind == "leader":
        return (NameLeader(ALLIED), NameLeader(SOVIET))
    return tuple(PlayCard(open_.seat, card) for card in hand)
