"""The events of what strikes outside of battles, and what each does to the table [RV 11.5, RV 11.7, RV 11.9].

APPLY      event type -> function(state, event)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from stavka.games.red_vengeance.combat.battle import Casualties
from stavka.kernel.frames import Frame, pop, step
from stavka.kernel.visibility import Public

if TYPE_CHECKING:
    from stavka.games.red_vengeance.state import State


@dataclass(frozen=True, slots=True)
class WarsawRose:
    """The Home Army rises. Dice against the Axis units in Warsaw; none when no Axis unit is there [RV 11.7]."""

    dice: Public[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class RisingStruck:
    """The Allied player's one die against an Axis unit near Warsaw; no unit and die 0: he let it be [RV 11.7]."""

    unit: Public[str]
    die: Public[int]


@dataclass(frozen=True, slots=True)
class RaidsPlanned:
    """The map-edge hexes with Axis units in April 1945, in reading order [RV 11.5]."""

    hexes: Public[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class HexRaided:
    """Two dice of the Western Allies against one map-edge hex [RV 11.5]."""

    hex: Public[str]
    dice: Public[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class CasualtiesOpened:
    """Hits on one hex that its owner has to take, outside of a battle. `rule` cites the cause, `cause` names it."""

    rule: Public[str]
    cause: Public[str]
    hex: Public[str]
    hits: Public[int]


@dataclass(frozen=True, slots=True)
class CasualtiesClosed:
    """Every hit has been taken, or nobody is left to take one."""

    hex: Public[str]


@dataclass(frozen=True, slots=True)
class DresdenBombed:
    """One die for each Axis unit in Dresden, which is a small city from the next turn on [RV 11.5]."""

    dice: Public[dict[str, int]]


@dataclass(frozen=True, slots=True)
class OffensiveJudged:
    """Whether the ordered offensive took place; if not, a die for each of the two armor corps [RV 11.9]."""

    obeyed: Public[bool]
    dice: Public[dict[str, int]]


def _rose(s: State, e: WarsawRose) -> None:
    s.fight = replace(s.fight, risen=True)
    s.frames = step(s.frames, "dice" if e.dice else "target")


def _raids(s: State, e: RaidsPlanned) -> None:
    s.fight = replace(s.fight, raids=e.hexes, raided=True)


def _raided(s: State, e: HexRaided) -> None:
    s.fight = replace(s.fight, raids=tuple(code for code in s.fight.raids if code != e.hex))


def _casualties(s: State, e: CasualtiesOpened) -> None:
    s.fight = replace(s.fight, casualties=Casualties(e.rule, e.cause, e.hex, e.hits))
    s.frames = (*s.frames, Frame("casualties", "combat", "axis"))


def _casualties_closed(s: State, e: CasualtiesClosed) -> None:
    s.fight = replace(s.fight, casualties=None)
    s.frames = pop(s.frames, "casualties")


def _judged(s: State, e: OffensiveJudged) -> None:
    s.fight = replace(s.fight, order_judged=True)


def _struck(s: State, e: RisingStruck | DresdenBombed) -> None:
    """Dice change nothing by themselves: each step loss follows as an event of its own."""


APPLY: Final[Mapping[type, Callable[[State, Any], None]]] = {
    WarsawRose: _rose,
    RisingStruck: _struck,
    RaidsPlanned: _raids,
    HexRaided: _raided,
    CasualtiesOpened: _casualties,
    CasualtiesClosed: _casualties_closed,
    DresdenBombed: _struck,
    OffensiveJudged: _judged,
}
