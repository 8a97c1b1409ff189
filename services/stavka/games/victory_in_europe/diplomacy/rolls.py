"""Diplomatic rolls [VE [5]] [VE 10.2] [VE 3.31] [VE 13 Portugal] [VE 13 Italy] [VE 13 United States].

Frame "diplomacy": its step is the seat whose roll is next, "over" when nobody's is.

    RollFor Pass                       commands
    candidates(state, seat)            countries that the seat may roll for
    modifiers(state, seat, country)    (citation, what, amount) of each that applies
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from stavka.games.victory_in_europe.board import (
    bloc,
    friendly_land,
    friendly_seas,
    seat_of,
    viewers_of,
)
from stavka.games.victory_in_europe.cards import card_of, event_of, side_of_card
from stavka.games.victory_in_europe.diplomacy.events import DiplomacyRolled
from stavka.games.victory_in_europe.diplomacy.garrison import grounds_of, muster
from stavka.games.victory_in_europe.diplomacy.handover import blocks_of
from stavka.games.victory_in_europe.diplomacy.patrons import LEADING
from stavka.games.victory_in_europe.events import (
    BlockPlaced,
    BlockRemoved,
    EffectUsed,
    MinorTurned,
    PowerEntered,
)
from stavka.games.victory_in_europe.ground import COUNTRY_MASK, GRID, SIDE_OF_DATA
from stavka.games.victory_in_europe.load import diplomacy
from stavka.games.victory_in_europe.season import turn_of
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import ALLIED, AXIS, NEUTRAL, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Public

FRAMES: Final = frozenset({"diplomacy"})
OVER: Final = "over"
TABLE: Final = diplomacy()
_COLUMN: Final = {side: column for column, side in SIDE_OF_DATA.items()}
USA: Final = "united_states"


@dataclass(frozen=True, slots=True)
class RollFor:
    country: Public[str]


@dataclass(frozen=True, slots=True)
class Pass:
    """Make no roll."""


# Who rolls, for what


def roller(state: State, seat: str) -> str:
    """[VE 3.31] [VE 10.2] Major power for which the seat rolls by the color of the card, "" when it has no roll."""
    card = card_of(state, seat)
    if card is None:
        return ""
    return "italy" if card.color == "green" else LEADING[side_of_card(card)]


def rollers(state: State) -> tuple[str, ...]:
    """Seats with a roll, Player 1 first."""
    return tuple(seat for seat in state.order if roller(state, seat))


def side_of_roll(state: State, seat: str) -> str:
    """Side that rolls: the card's."""
    card = card_of(state, seat)
    assert card is not None
    return side_of_card(card)


def candidates(state: State, seat: str) -> tuple[str, ...]:
    """[VE 10.2] Neutral countries with a target number for the seat's side, in the table's order."""
    if USA in state.at_war or not roller(state, seat):
        return ()
    column = _COLUMN[side_of_roll(state, seat)]
    year = turn_of(state).year
    return tuple(
        country
        for country, targets in TABLE.targets.items()
        if column in targets and year >= TABLE.first_year[country] and is_neutral(state, country)
    )


def is_neutral(state: State, country: str) -> bool:
    """A major that has not entered the war, or a neutral minor that holds ground (Vichy does once it is formed)."""
    if country in state.minors:
        return state.minors[country] == NEUTRAL and bool(grounds_of(state, country))
    return country not in state.at_war and country not in state.fallen


def target_of(state: State, seat: str, country: str) -> int:
    """[VE Diplomatic Table] Lowest total that wins the country for the seat's side."""
    return TABLE.targets[country][_COLUMN[side_of_roll(state, seat)]]


# [VE 10.2] modifiers


def modifiers(state: State, seat: str, country: str) -> tuple[tuple[str, str, int], ...]:
    """Everything that is added to the seat's roll for a country."""
    side, found = side_of_roll(state, seat), []
    if country not in TABLE.no_proximity and _is_near(state, seat, country):
        found.append(("VE 10.2", "proximity", TABLE.proximity))
    if seat != rollers(state)[0] and state.affairs.rebuff == (state.turn, country):
        found.append(("VE 10.2", "rebuff", TABLE.rebuff))
    if state.affairs.defended.get(country) == side:
        found.append(("VE 10.2", "defender", TABLE.defender))
    if country == "spain" and side == AXIS and state.minors["portugal"] == ALLIED:
        found.append(("VE 13 Portugal", "portugal", TABLE.spain_axis_if_portugal_british))
    event = event_of(state, seat)
    if event is not None and event.kind == "diplomacy_bonus" and country in event.countries:
        found.append(("VE 3.3", "card", event.amount))
    return tuple(found)


def _is_near(state: State, seat: str, country: str) -> bool:
    """Whether an area or sea friendly to the roller adjoins the country. Neutral Italy's own areas are near to Italy."""
    friends = 0
    for who in {side_of_roll(state, seat), bloc(state, roller(state, seat))}:
        friends |= friendly_land(state, who) | friendly_seas(state, who)
    home = GRID.mask(grounds_of(state, country)) if country in state.minors else COUNTRY_MASK[country]
    return bool(GRID.expand(home) & friends & ~home)


# The roll


def roll_for(draft: Draft[State], seat: str, command: RollFor) -> None:
    """[VE 10.2] Two dice and the modifiers against the target number."""
    state, country = draft.state, command.country
    if country not in candidates(state, seat):
        raise IllegalAction("VE 10.2", "NO_ROLL_FOR_IT", country=country)
    added = modifiers(state, seat, country)
    target = target_of(state, seat, country)
    side, power = side_of_roll(state, seat), roller(state, seat)
    dice = draft.roll.dice("diplomatic roll", 2)
    won = sum(dice) + sum(amount for _, _, amount in added) >= target
    whats = {what for _, what, _ in added}
    first = seat == rollers(state)[0]
    draft.emit(DiplomacyRolled(seat, power, country, state.turn, dice, added, target, won, first, "defender" in whats))
    if "card" in whats:
        draft.emit(EffectUsed(seat))
    _next(draft, seat)
    if won and country in state.minors:
        win_minor(draft, country, side)
    elif won:
        draft.emit(PowerEntered(country, state.turn))


def win_minor(draft: Draft[State], minor: str, side: str) -> None:
    """[VE 10.2] The minor is an ally; what it has on the map serves its new side, the rest is set up."""
    draft.emit(MinorTurned(minor, side))
    seat = seat_of(draft.state, side)
    for block in blocks_of(draft.state, minor):
        piece = draft.state.blocks[block]
        if piece.side != side:
            viewers = viewers_of(draft.state, block)
            draft.emit(BlockRemoved(viewers, block, minor, piece.at, "home", "alliance"))
            draft.emit(BlockPlaced(block, minor, piece.at, side, seat, piece.steps, piece.coast))
    muster(draft, minor, side)


def pass_roll(draft: Draft[State], seat: str, command: Pass) -> None:
    _next(draft, seat)


def _next(draft: Draft[State], seat: str) -> None:
    seats = rollers(draft.state)
    place = seats.index(seat) + 1
    draft.emit(FrameStepped(seats[place] if place < len(seats) else OVER))


def _seat(state: State) -> str:
    """Seat whose roll is next; "" when the phase is over."""
    step = state.frames[-1].step
    return "" if step == OVER else step or next(iter(rollers(state)), "")


def react(draft: Draft[State]) -> None:
    """Pass seats that have nobody to roll for; rolls end when the United States enter [VE 10.2]."""
    seat = _seat(draft.state)
    if not seat or USA in draft.state.at_war:
        advance(draft)
    elif not candidates(draft.state, seat):
        _next(draft, seat)


COMMANDS: Final[dict[type, Handler]] = {RollFor: Handler(FRAMES, roll_for), Pass: Handler(FRAMES, pass_roll)}


def decisions(state: State) -> tuple[Decision, ...]:
    seat = _seat(state)
    if not seat or not candidates(state, seat):
        return ()
    prompt = "choose a neutral country for your diplomatic roll, or pass"
    return (decision(state, seat, "diplomacy", "VE 10.2", (RollFor, Pass), "1", prompt),)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(open_, (*(RollFor(country) for country in candidates(state, seat)), Pass()), True, _domain(state, seat))
        for open_ in decisions(state)
        if open_.seat == seat
    )


def _domain(state: State, seat: str) -> dict[str, Any]:
    """Country -> lowest total of the dice that wins it, and what is added."""
    return {
        country: {
            "target": target_of(state, seat, country),
            "modifiers": [list(m) for m in modifiers(state, seat, country)],
        }
        for country in candidates(state, seat)
    }
