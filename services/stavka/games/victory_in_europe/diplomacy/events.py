"""The events of this chapter and how the fold applies them: APPLY maps an event type to function(state, event)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from stavka.kernel.visibility import Public

if TYPE_CHECKING:
    from stavka.games.victory_in_europe.state import State


@dataclass(frozen=True, slots=True)
class DiplomacyRolled:
    """A diplomatic roll for a country [VE 10.2].

    power      major power for which the side rolls; the country's patron if it is won
    modifiers  (citation, what, amount)
    first      whether Player 1 rolled: his failure helps Player 2
    defended   whether the bonus of a survived attack was used
    """

    seat: Public[str]
    power: Public[str]
    country: Public[str]
    turn: Public[int]
    dice: Public[tuple[int, ...]]
    modifiers: Public[tuple[tuple[str, str, int], ...]]
    target: Public[int]
    won: Public[bool]
    first: Public[bool]
    defended: Public[bool]


@dataclass(frozen=True, slots=True)
class DefenseRewarded:
    """A neutral has survived an attack: the side's next roll for it gets the bonus [VE 10.2]."""

    minor: Public[str]
    side: Public[str]


@dataclass(frozen=True, slots=True)
class MinorAssailed:
    """An attacker has taken an area of a minor in this turn [VE 10.3]."""

    minor: Public[str]
    turn: Public[int]


def _diplomacy_rolled(s: State, e: DiplomacyRolled) -> None:
    affairs = s.affairs
    if e.defended:
        left = {minor: side for minor, side in affairs.defended.items() if minor != e.country}
        affairs = replace(affairs, defended=left, spent=affairs.spent | {e.country})
    if e.won and e.country in s.minors:
        affairs = replace(affairs, patrons={**affairs.patrons, e.country: e.power})
    if e.first and not e.won:
        affairs = replace(affairs, rebuff=(e.turn, e.country))
    s.affairs = affairs


def _defense_rewarded(s: State, e: DefenseRewarded) -> None:
    s.affairs = replace(s.affairs, defended={**s.affairs.defended, e.minor: e.side})


def _minor_assailed(s: State, e: MinorAssailed) -> None:
    s.affairs = replace(s.affairs, assailed={**s.affairs.assailed, e.minor: e.turn})


APPLY: Final[dict[type, Callable[[Any, Any], None]]] = {
    DiplomacyRolled: _diplomacy_rolled,
    DefenseRewarded: _defense_rewarded,
    MinorAssailed: _minor_assailed,
}
