"""The events of battles and what each does to the table [RV 8.0, RV 11.2].

    APPLY      event type -> function(state, event); merged into the game's own table

What strikes outside of battles stands in `blows`. Step losses, removals, dead commanders and Hitler's death are events of the game (`games.red_vengeance.events`); those
here tell what only combat does. Paths begin with the hex that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from stavka.games.red_vengeance.combat.battle import DEFENDER, Battle
from stavka.games.red_vengeance.combat.blows import APPLY as BLOWS
from stavka.kernel.frames import Frame, pop
from stavka.kernel.visibility import Public

if TYPE_CHECKING:
    from stavka.games.red_vengeance.state import State


@dataclass(frozen=True, slots=True)
class BattleDeclared:
    """A battle is on. `step` is its first step: support or roll.

    `southern` are the Soviet attackers that count for RV 11.42; `offensive` whether it is the one of RV 11.9.
    """

    battle: Public[Battle]
    step: Public[str]
    southern: Public[tuple[str, ...]]
    offensive: Public[bool]


@dataclass(frozen=True, slots=True)
class SupportDecided:
    """Dice that the navy gives to the Axis defense of this battle; 0: the Axis player keeps it back [RV 12.22]."""

    dice: Public[int]


@dataclass(frozen=True, slots=True)
class BattleRolled:
    """Both sides' dice [RV 8.43].

    `attack` and `defense` hit on a six; `fortress` are defenders' dice that hit on `fortress_from` or more [RV 9.1].
    `hits` is role -> hits suffered; `order` the roles in the order of RV 8.54; `levied` cities of RV 11.8.
    """

    number: Public[int]
    attack: Public[tuple[int, ...]]
    defense: Public[tuple[int, ...]]
    fortress: Public[tuple[int, ...]]
    fortress_from: Public[int]
    hits: Public[dict[str, int]]
    order: Public[tuple[str, ...]]
    levied: Public[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class LossTaken:
    """The owner gives this many hits, one step, to a unit of his [RV 8.51]. The step's own event follows."""

    unit: Public[str]
    hits: Public[int]


@dataclass(frozen=True, slots=True)
class HitsLapsed:
    """Hits that nobody is left to take, or one hit on shock armies alone [RV 8.53, RV 11.1]."""

    hits: Public[int]


@dataclass(frozen=True, slots=True)
class RetreatOrdered:
    """The survivors (`leaving`) go back this many hexes instead of taking the remaining hits [RV 8.52]."""

    hexes: Public[int]
    leaving: Public[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class UnitRetreated:
    """A unit went back along `path`, commanders with it; `short` hexes of the retreat were barred [RV 8.6, RV 8.65]."""

    unit: Public[str]
    side: Public[str]
    path: Public[tuple[str, ...]]
    commanders: Public[tuple[str, ...]]
    short: Public[int]


@dataclass(frozen=True, slots=True)
class UnitEvacuated:
    """A unit retreated by sea; `die` is the Allied player's, 0 when the track asks for none [RV 12.22]."""

    unit: Public[str]
    side: Public[str]
    origin: Public[str]
    port: Public[str]
    commanders: Public[tuple[str, ...]]
    die: Public[int]


@dataclass(frozen=True, slots=True)
class RetreatStranded:
    """A unit of a country it may not leave was forced out of it, and is removed by the event that follows [RV 11.31]."""

    unit: Public[str]


@dataclass(frozen=True, slots=True)
class ShortfallOpened:
    """Hits that the retreat did not avoid are taken now: unit -> hits that it may take at most, and the sum [RV 8.65]."""

    short: Public[dict[str, int]]
    hits: Public[int]


@dataclass(frozen=True, slots=True)
class RoleSettled:
    """A role has taken its losses and made its retreats; the other one is next, or the advance [RV 8.54]."""

    role: Public[str]


@dataclass(frozen=True, slots=True)
class UnitAdvanced:
    """After combat, into a hex that the defenders have left [RV 8.7]."""

    unit: Public[str]
    side: Public[str]
    path: Public[tuple[str, ...]]
    commanders: Public[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BattleEnded:
    number: Public[int]


@dataclass(frozen=True, slots=True)
class CommanderRisked:
    """A die for a commander whose stack lost a unit, and what is subtracted from it [RV 11.23]."""

    commander: Public[str]
    die: Public[int]
    modifier: Public[int]


@dataclass(frozen=True, slots=True)
class HitlerWavered:
    """A die that did not make an end. `cause`: no_hit, hit or surrounded [RV 11.27]."""

    cause: Public[str]
    die: Public[int]


def _declared(s: State, e: BattleDeclared) -> None:
    battle, fight = e.battle, s.fight
    bulge = frozenset((*battle.attackers, *battle.leaders)) & frozenset(s.bulge)
    s.battle = battle
    s.fight = replace(
        fight,
        attacked=fight.attacked.union(battle.attackers, battle.leaders),
        defended=fight.defended.union(battle.defenders),
        black_sea=fight.black_sea or battle.naval,
        into_yugoslavia=fight.into_yugoslavia.union(e.southern),
        battles=battle.number,
        order_obeyed=fight.order_obeyed or e.offensive,
        bulge_attacked=fight.bulge_attacked if battle.exploitation else fight.bulge_attacked | bulge,
        bulge_exploited=fight.bulge_exploited | bulge if battle.exploitation else fight.bulge_exploited,
    )
    if battle.air:
        s.air -= 1
    seat = battle.side(DEFENDER) if e.step == "support" else battle.attacker
    s.frames = (*s.frames, Frame("battle", "combat", seat, e.step))


def _support(s: State, e: SupportDecided) -> None:
    s.battle = replace(_battle(s), support=e.dice)
    if e.dice:
        s.fight = replace(s.fight, baltic=True)
    _step(s, "roll")


def _rolled(s: State, e: BattleRolled) -> None:
    s.battle = replace(_battle(s), hits=dict(e.hits), order=e.order, left=e.hits[e.order[0]])
    if e.levied:
        s.fight = replace(s.fight, levied=s.fight.levied.union(e.levied))
    _step(s, "losses")


def _loss_taken(s: State, e: LossTaken) -> None:
    casualties = s.fight.casualties
    if casualties is not None:
        s.fight = replace(s.fight, casualties=replace(casualties, hits=casualties.hits - e.hits))
        return
    battle = _battle(s)
    short = battle.short
    if e.unit in short:
        short = {**short, e.unit: short[e.unit] - e.hits}
    s.battle = replace(
        battle, left=battle.left - e.hits, lost=battle.lost + 1, short=short, wounded=battle.wounded | {e.unit}
    )


def _lapsed(s: State, e: HitsLapsed) -> None:
    s.battle = replace(_battle(s), left=0)


def _retreat_ordered(s: State, e: RetreatOrdered) -> None:
    battle = _battle(s)
    s.battle = replace(battle, left=0, retreat=e.hexes, leaving=e.leaving, fled=battle.fled | {battle.role})
    _step(s, "retreat")


def _retreated(s: State, e: UnitRetreated) -> None:
    _walk(s, (e.unit, *e.commanders), e.side, e.path)
    battle = _battle(s)
    short = {**battle.short, e.unit: e.short} if e.short else battle.short
    s.battle = replace(battle, leaving=_without(battle.leaving, e.unit), short=short)


def _evacuated(s: State, e: UnitEvacuated) -> None:
    _walk(s, (e.unit, *e.commanders), e.side, (e.origin, e.port))
    battle = _battle(s)
    s.battle = replace(battle, leaving=_without(battle.leaving, e.unit), embarked=(*battle.embarked, e.origin))


def _stranded(s: State, e: RetreatStranded) -> None:
    battle = _battle(s)
    s.battle = replace(battle, leaving=_without(battle.leaving, e.unit))


def _shortfall(s: State, e: ShortfallOpened) -> None:
    s.battle = replace(_battle(s), short=dict(e.short), left=e.hits, retreat=0)
    _step(s, "shortfall")


def _settled(s: State, e: RoleSettled) -> None:
    battle = _battle(s)
    order = battle.order[1:]
    left = battle.hits[order[0]] if order else 0
    s.battle = replace(battle, order=order, left=left, lost=0, retreat=0, leaving=(), short={})
    _step(s, "losses" if order else "advance")


def _advanced(s: State, e: UnitAdvanced) -> None:
    _walk(s, (e.unit, *e.commanders), e.side, e.path)
    battle = _battle(s)
    s.battle = replace(battle, advanced=battle.advanced | {e.unit})


def _ended(s: State, e: BattleEnded) -> None:
    s.battle = None
    s.frames = pop(s.frames, "battle")


def _nothing(s: State, e: object) -> None:
    """A die on the table that changes nothing by itself: what it caused is told by the events that follow."""


def _battle(s: State) -> Battle:
    assert s.battle is not None
    return s.battle


def _step(s: State, step: str) -> None:
    """The top frame goes on to its next step and to the side that acts in it."""
    battle, frame = s.battle, s.frames[-1]
    seat = frame.seat
    if battle is not None and frame.kind == "battle":
        seat = battle.side(battle.role) if battle.order else battle.attacker
    s.frames = (*s.frames[:-1], Frame(frame.kind, frame.topic, seat, step))


def _walk(s: State, pieces: tuple[str, ...], side: str, path: tuple[str, ...]) -> None:
    """Pieces go to the end of a path; the hexes entered become their side's [RV 7.2]."""
    for piece in pieces:
        s.at[piece] = path[-1]
    for place in path[1:]:
        s.control[place] = side
    s._board = None


def _without(items: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(item for item in items if item != gone)


APPLY: Final[Mapping[type, Callable[[State, Any], None]]] = {
    BattleDeclared: _declared,
    SupportDecided: _support,
    BattleRolled: _rolled,
    LossTaken: _loss_taken,
    HitsLapsed: _lapsed,
    RetreatOrdered: _retreat_ordered,
    UnitRetreated: _retreated,
    UnitEvacuated: _evacuated,
    RetreatStranded: _stranded,
    ShortfallOpened: _shortfall,
    RoleSettled: _settled,
    UnitAdvanced: _advanced,
    BattleEnded: _ended,
    CommanderRisked: _nothing,
    HitlerWavered: _nothing,
    **BLOWS,
}
