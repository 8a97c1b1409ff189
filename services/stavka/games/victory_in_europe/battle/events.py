"""The events of battles and how the fold applies them: APPLY maps an event type to function(state, event).

Events without public fields do not exist for those who do not fight in the battle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from stavka.games.victory_in_europe.battle.battle import LEAVE, TURNS, Battle, Corps, Shot
from stavka.games.victory_in_europe.state import State
from stavka.kernel.visibility import ItsViewers, Owner, OwnSeat, Public

# A battle


@dataclass(frozen=True, slots=True)
class BattleBegun:
    """A battle is fought now [VE 5.1]."""

    area: Public[str]
    number: Public[int]
    attacker: Public[str]
    defender: Public[str]
    viewers: Public[tuple[str, ...]]
    blitz: Public[bool]


@dataclass(frozen=True, slots=True)
class RoundBegun(ItsViewers):
    """A round begins. `closed` as in Battle; `last`: the number of the last round as things stand [VE 5.1]."""

    area: Public[str]
    round: Public[int]
    viewers: Owner[tuple[str, ...]]
    last: Owner[int]
    closed: Owner[frozenset[str]]


@dataclass(frozen=True, slots=True)
class ShotFired(ItsViewers):
    """A block has fired: the dice that count, the highest roll that hits, and the hits [VE 5.3]."""

    viewers: Owner[tuple[str, ...]]
    block: Owner[str]
    role: Owner[str]
    target: Owner[str]
    dice: Owner[tuple[int, ...]]
    to_hit: Owner[int]
    hits: Owner[int]
    spares: Owner[bool]


@dataclass(frozen=True, slots=True)
class HitsTaken(ItsViewers):
    """Hits of the last shot have been taken, or are forfeit; `left` of them wait for their owner's choice [VE 5.4]."""

    viewers: Owner[tuple[str, ...]]
    left: Owner[int]


@dataclass(frozen=True, slots=True)
class TurnPassed(ItsViewers):
    """Blocks let their battle turn pass; "block@C" for one that may still act in a later class [VE 5.2]."""

    viewers: Owner[tuple[str, ...]]
    blocks: Owner[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class InvadersLanded:
    """The invaders are ashore [VE 7.5]."""

    area: Public[str]


@dataclass(frozen=True, slots=True)
class AirborneDropped(ItsViewers):
    """An airborne block stands on the ground [VE 2.6]."""

    viewers: Owner[tuple[str, ...]]
    block: Owner[str]


@dataclass(frozen=True, slots=True)
class BorderUsed(ItsViewers):
    """An army has left a battle by this border: "side|border" [VE 5.6]."""

    viewers: Owner[tuple[str, ...]]
    border: Owner[str]


@dataclass(frozen=True, slots=True)
class RolesSwapped(ItsViewers):
    """The attacker holds the place now and defends it; `last` as in RoundBegun [VE 5.2]."""

    area: Public[str]
    attacker: Public[str]
    defender: Public[str]
    viewers: Owner[tuple[str, ...]]
    last: Owner[int]


@dataclass(frozen=True, slots=True)
class BattleExtended(ItsViewers):
    """The attackers prolong the battle by a card, or by a leader [VE 5.71]. `last`: its last round now."""

    viewers: Owner[tuple[str, ...]]
    leader: Owner[str]
    last: Owner[int]


@dataclass(frozen=True, slots=True)
class StageReached(ItsViewers):
    """The rounds are over: the attackers may prolong the battle, or those who must leave do so."""

    viewers: Owner[tuple[str, ...]]
    stage: Owner[str]


@dataclass(frozen=True, slots=True)
class BattleEnded:
    """`victor` is the side that holds the field; `battled`: whether there was anybody to fight."""

    area: Public[str]
    victor: Public[str]
    battled: Public[bool]


# After a victory


@dataclass(frozen=True, slots=True)
class FliersNoted(OwnSeat):
    """Aircraft that came by air to the battle just won; what the seat did after earlier victories is forgotten."""

    seat: Owner[str]
    fliers: Owner[frozenset[str]]


@dataclass(frozen=True, slots=True)
class BlockRegrouped(OwnSeat):
    """A block has had its move after the victory; `borders` count against their limits [VE 5.8]."""

    seat: Owner[str]
    block: Owner[str]
    borders: Owner[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BlitzBegun(OwnSeat):
    """A leader has spent a step to go on from a victory [VE 5.9]."""

    seat: Public[str]
    area: Public[str]
    leader: Owner[str]


@dataclass(frozen=True, slots=True)
class BlitzAimed:
    """The blitz attacks, or reinforces, this place; `fresh`: there was no battle yet."""

    area: Public[str]
    fresh: Public[bool]


@dataclass(frozen=True, slots=True)
class BlocksDelayed(OwnSeat):
    """Blocks that a blitz brings to a battle, in its second round [VE 5.9]."""

    seat: Owner[str]
    blocks: Owner[tuple[str, ...]]


def _change(s: State, **fields: Any) -> None:
    battle = s.battle
    assert battle is not None
    s.battle = replace(battle, count=battle.count + 1, **fields)


def _battle(s: State) -> Battle:
    assert s.battle is not None
    return s.battle


def _battle_begun(s: State, e: BattleBegun) -> None:
    s.battle = Battle(e.area, e.number, e.attacker, e.defender, e.viewers, blitz=e.blitz)
    if s.fights.goal == e.area:
        s.fights = replace(s.fights, goal="", fresh=False)


def _round_begun(s: State, e: RoundBegun) -> None:
    _change(s, round=e.round, stage=TURNS, acted=frozenset(), spent=(), last=e.last, closed=e.closed)


def _shot_fired(s: State, e: ShotFired) -> None:
    shot = Shot(e.block, e.role, e.target, e.hits, e.spares) if e.hits else None
    _change(s, acted=_battle(s).acted | {e.block}, shot=shot)


def _hits_taken(s: State, e: HitsTaken) -> None:
    shot = _battle(s).shot
    _change(s, shot=replace(shot, hits=e.left) if shot is not None and e.left else None)


def _turn_passed(s: State, e: TurnPassed) -> None:
    _change(s, acted=_battle(s).acted | set(e.blocks))


def _invaders_landed(s: State, e: InvadersLanded) -> None:
    _change(s, landed=True)


def _airborne_dropped(s: State, e: AirborneDropped) -> None:
    s.blocks[e.block] = replace(s.blocks[e.block], aloft=False)
    _change(s, dropped=_battle(s).dropped | {e.block})
    s._board = None


def _border_used(s: State, e: BorderUsed) -> None:
    _change(s, spent=(*_battle(s).spent, e.border))


def _roles_swapped(s: State, e: RolesSwapped) -> None:
    _change(s, attacker=e.attacker, defender=e.defender, last=e.last)


def _battle_extended(s: State, e: BattleExtended) -> None:
    _change(s, last=e.last, carded=_battle(s).carded or not e.leader)


def _stage_reached(s: State, e: StageReached) -> None:
    _change(s, stage=e.stage, spent=() if e.stage == LEAVE else _battle(s).spent)


def _battle_ended(s: State, e: BattleEnded) -> None:
    corps = {seat: replace(corps, late=frozenset()) for seat, corps in s.fights.corps.items()}
    s.battle = None
    s.fights = replace(s.fights, fought=s.fights.fought + 1, won=e.area, battled=e.battled, corps=corps)


def _set_corps(s: State, seat: str, **fields: Any) -> None:
    corps = replace(s.fights.corps.get(seat, Corps(seat)), **fields)
    s.fights = replace(s.fights, corps={**s.fights.corps, seat: corps})


def _corps(s: State, seat: str) -> Corps:
    return s.fights.corps.get(seat, Corps(seat))


def _fliers_noted(s: State, e: FliersNoted) -> None:
    _set_corps(s, e.seat, fliers=e.fliers, moved=(), spent=())


def _block_regrouped(s: State, e: BlockRegrouped) -> None:
    corps = _corps(s, e.seat)
    _set_corps(
        s,
        e.seat,
        fliers=corps.fliers - {e.block},
        moved=(*corps.moved, e.block),
        spent=(*corps.spent, *e.borders),
    )


def _blitz_begun(s: State, e: BlitzBegun) -> None:
    _set_corps(s, e.seat, blitzed=_corps(s, e.seat).blitzed | {e.leader})


def _blitz_aimed(s: State, e: BlitzAimed) -> None:
    s.fights = replace(s.fights, goal=e.area, fresh=e.fresh)


def _blocks_delayed(s: State, e: BlocksDelayed) -> None:
    _set_corps(s, e.seat, late=_corps(s, e.seat).late | set(e.blocks))


APPLY: dict[type, Callable[[State, Any], None]] = {
    BattleBegun: _battle_begun,
    RoundBegun: _round_begun,
    ShotFired: _shot_fired,
    HitsTaken: _hits_taken,
    TurnPassed: _turn_passed,
    InvadersLanded: _invaders_landed,
    AirborneDropped: _airborne_dropped,
    BorderUsed: _border_used,
    RolesSwapped: _roles_swapped,
    BattleExtended: _battle_extended,
    StageReached: _stage_reached,
    BattleEnded: _battle_ended,
    FliersNoted: _fliers_noted,
    BlockRegrouped: _block_regrouped,
    BlitzBegun: _blitz_begun,
    BlitzAimed: _blitz_aimed,
    BlocksDelayed: _blocks_delayed,
}
