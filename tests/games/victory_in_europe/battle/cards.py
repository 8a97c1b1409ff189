"""Cards that are face up in a battle, found in the decks by their events."""

from __future__ import annotations

import json

from stavka.games.victory_in_europe.load import deck


def card(seat: str, name: str, area: str) -> str:
    """Header lines for a card that is face up, its event allotted to a battle."""
    played = json.dumps({seat: name}, separators=(",", ":"))
    allotted = json.dumps({area: [seat]}, separators=(",", ":"))
    return f"played {played}\nallotted {allotted}"


def axis_card(kind: str, **wanted: object) -> str:
    return _card("axis", kind, wanted)


def allied_card(kind: str, **wanted: object) -> str:
    return _card("allied", kind, wanted)


def _card(player: str, kind: str, wanted: dict[str, object]) -> str:
    """A card of a deck by its event: German, British or Soviet."""
    for found in deck(player):
        event = found.event
        fits = event.kind == kind and all(_fits(getattr(event, name), value) for name, value in wanted.items())
        if fits and {"germany", "soviet_union"} & set(event.nations):
            return found.id
    raise AssertionError(f"no {player} card does {kind} {wanted}")


def _fits(found: object, wanted: object) -> bool:
    return wanted <= found if isinstance(found, frozenset) and isinstance(wanted, set) else found == wanted
