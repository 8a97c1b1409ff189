"""Cards in piles: draw piles, discard piles and hands are tuples of card ids, top card first.

    draw(pile, count) -> (drawn, rest)                        from the top; fewer when the pile runs out
    draw_through(pile, discards, count, roll, purpose)        reshuffling the discards when the pile runs out -> Drawn
    take(cards, card) -> cards                                one card out of a hand or pile (played, removed from play)
    move(source, target, card) -> (source, target)            one card from one place to the top of another
    split(cards, key) -> {key: cards}                         a deck by year, color or owner
    missing(manifest, *piles)                                 cards that are nowhere, and cards that are somewhere twice

A card of which there are two copies needs two ids. Nothing is changed in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from stavka.kernel.dice import Roll
from stavka.kernel.errors import MalformedCommand

C = TypeVar("C", bound=Hashable)
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cards drawn and what is left. `reshuffled`: the order of the discards as they became the pile, or None."""

    cards: tuple[str, ...]
    pile: tuple[str, ...]
    discards: tuple[str, ...]
    reshuffled: tuple[str, ...] | None


def draw(pile: tuple[C, ...], count: int) -> tuple[tuple[C, ...], tuple[C, ...]]:
    """The top `count` cards, or all when there are fewer, and the rest of the pile. Raises ValueError below 0."""
    if count < 0:
        raise ValueError(f"{count} cards cannot be drawn")
    return pile[:count], pile[count:]


def draw_through(pile: tuple[str, ...], discards: tuple[str, ...], count: int, roll: Roll, purpose: str) -> Drawn:
    """Draw; when the pile runs out, the discards are shuffled, become the pile, and drawing goes on.

    Shuffles at most once, and only when a card is still wanted and there are discards; draws fewer than `count` when both
    run out.
    """
    cards, pile = draw(pile, count)
    if len(cards) == count or not discards:
        return Drawn(cards, pile, discards, None)
    order = roll.shuffle(purpose, discards)
    more, pile = draw(order, count - len(cards))
    return Drawn(cards + more, pile, (), order)


def take(cards: tuple[C, ...], card: C) -> tuple[C, ...]:
    """The cards without one. Raises MalformedCommand CARD_NOT_THERE."""
    if card not in cards:
        raise MalformedCommand("CARD_NOT_THERE", f"the card {card} is not there", card=card)
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def move(source: tuple[C, ...], target: tuple[C, ...], card: C) -> tuple[tuple[C, ...], tuple[C, ...]]:
    """One card from `source` to the top of `target`. Raises MalformedCommand CARD_NOT_THERE."""
    return take(source, card), (card, *target)


def split(cards: Iterable[C], key: Callable[[C], K]) -> dict[K, tuple[C, ...]]:
    """The cards by a key, keys in the order of their first card, cards in their order."""
    piles: dict[K, list[C]] = {}
    for card in cards:
        piles.setdefault(key(card), []).append(card)
    return {k: tuple(pile) for k, pile in piles.items()}


def missing(manifest: Iterable[C], *piles: Iterable[C]) -> tuple[tuple[C, ...], tuple[C, ...]]:
    """Cards of the manifest that are in no pile, and cards in the piles beyond the manifest; each in order of appearance."""
    wanted, found = Counter(manifest), Counter(card for pile in piles for card in pile)
    return tuple((wanted - found).elements()), tuple((found - wanted).elements())
