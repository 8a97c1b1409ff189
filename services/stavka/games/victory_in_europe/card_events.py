"""The events of dealing, choosing and turning up cards [VE 3.1] [VE 3.2] [VE 12.0]; `fold.py` applies them."""

from __future__ import annotations

from dataclasses import dataclass

from stavka.kernel.visibility import Owner, OwnSeat, Public, Sealed


@dataclass(frozen=True, slots=True)
class HandDealt(OwnSeat):
    """A seat's cards of the year [VE 3.1]."""

    seat: Public[str]
    hand: Owner[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DeckLeft:
    """Cards of the year that nobody holds; `deck` is "axis" or "allied"."""

    deck: Public[str]
    cards: Sealed[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class CardChosen(OwnSeat):
    """A card lies face down [VE 3.2]."""

    seat: Owner[str]
    card: Owner[str]


@dataclass(frozen=True, slots=True)
class CardOffered(OwnSeat):
    """Three players: a card offered for exchange, "-" for none [VE 12.0]."""

    seat: Owner[str]
    card: Owner[str]


@dataclass(frozen=True, slots=True)
class OffersSettled:
    """The Allied and the Soviet player have both answered; offered cards changed hands if both offered one."""

    exchanged: Public[bool]


@dataclass(frozen=True, slots=True)
class LeaderNamed:
    """Three players: the seat that plays the Allied card this turn [VE 12.0]."""

    seat: Public[str]


@dataclass(frozen=True, slots=True)
class CardsRevealed:
    """seat -> card; seats in the order in which they act; pool -> commands [VE 3.2]."""

    played: Public[dict[str, str]]
    order: Public[tuple[str, ...]]
    commands: Public[dict[str, int]]
