"""Where a block goes when it leaves a battle [VE 5.6] [VE 6.4] [VE 7.3] [VE 7.7].

    Way(target, coast, by, border, loss)     a way out; `border` counts against its limit, `loss`: steps it costs
    retreats(state, block)                   all ways out, in map order; () when the block is lost if it must leave
    landings(state, block)                   places where an aircraft may come down [VE 6.1]
    harbors(state, block, allowance)         friendly ports and seas that a ship reaches

Armies go to an adjacent friendly area, or over friendly seas to a friendly coast; aircraft to a friendly area within
range; ships to a friendly port or sea within range, else with a loss to the nearest port.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.battle import Battle
from stavka.games.victory_in_europe.battle.field import (
    ATTACKER,
    battle_of,
    blocks_of,
    by_air,
    comes_by_land,
    concerned,
    crosses_strait,
    knows_events,
    other,
    role_of,
    waiting,
)
from stavka.games.victory_in_europe.bearings import air_reach, sea_reach
from stavka.games.victory_in_europe.board import (
    bloc_of,
    border_key,
    border_limit,
    friendly_land,
    friendly_seas,
    room,
)
from stavka.games.victory_in_europe.cards import event_of, used
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, GRID, MAP
from stavka.games.victory_in_europe.reach import Berth, flood_seas, seas_of, shores_of, sight_of
from stavka.games.victory_in_europe.routes import AIRDROP_RANGE
from stavka.games.victory_in_europe.state import AXIS, State

LAND: Final = "land"
SEA: Final = "sea"
AIR: Final = "air"
SHIP: Final = "ship"
FARTHEST: Final = 99  # MP: at whatever distance


@dataclass(frozen=True, slots=True)
class Way:
    target: str
    coast: int
    by: str
    border: str = ""
    loss: int = 0


def retreats(state: State, block: str) -> tuple[Way, ...]:
    """Ways out of the battle being fought, one for each target and coast."""
    branch = ground.branch(block)
    if ground.is_air(block) or state.blocks[block].aloft:
        return tuple(Way(area, -1, AIR) for area in landings(state, block))
    if branch == "army" and BLOCKS[block].move:
        found = {way.target: way for way in _by_land(state, block)}
        if _is_bound(state, block):
            return tuple(way for way in found.values() if way.target == state.blocks[block].came)
        found |= {way.target: way for way in _by_sea(state, block)}
        return tuple(found[area] for area in MAP.areas if area in found)
    if branch == "naval":
        return _by_ship(state, block)
    return ()


# Armies over land [VE 5.6]


def _by_land(state: State, block: str) -> Iterator[Way]:
    """Adjacent friendly areas with room, not over borders used by the enemy, within the border's limit."""
    piece = state.blocks[block]
    home = friendly_land(state, bloc_of(state, piece))
    shut = closed_to(state, role_of(state, block))
    for area in MAP.borders.get(piece.at, {}):
        if not BIT[area] & home or area in shut or room(state, piece.side, area, block) < 1:
            continue
        if not ground.is_leader(block) and not has_way_out(state, block, area):
            continue
        yield Way(area, -1, LAND, "" if ground.is_leader(block) else border_key(piece.at, area))


def closed_to(state: State, role: str) -> frozenset[str]:
    """Areas from which enemies have come to attack or reinforce; from those not yet shown, whatever came [VE 5.6]."""
    battle = battle_of(state)
    foe = "axis" if _is_axis(battle, other(role)) else "others"
    used = {entry.split("|")[1] for entry in battle.closed if entry.startswith(f"{foe}|")}
    return frozenset(used | {state.blocks[b].came for b in waiting(state, other(role))})


def closing(state: State, fighting: Iterable[str]) -> frozenset[str]:
    """Entries of Battle.closed for the armies that fight, those of earlier rounds included."""
    battle = battle_of(state)
    found = set(battle.closed)
    for block in fighting:
        piece = state.blocks[block]
        if piece.came in MAP.borders.get(battle.area, {}) and ground.is_army(block) and not by_air(state, block):
            found.add(f"{'axis' if piece.side == AXIS else 'others'}|{piece.came}")
    return frozenset(found)


def _is_axis(battle: Battle, role: str) -> bool:
    return (battle.attacker == AXIS) == (role == ATTACKER)


def _is_bound(state: State, block: str) -> bool:
    """[VE 1.7] Across the strait only: for an attacker that came over it while others came by land."""
    if role_of(state, block) != ATTACKER or not crosses_strait(state, block):
        return False
    return any(comes_by_land(state, b) for b in (*blocks_of(state, ATTACKER), *waiting(state, ATTACKER)))


def has_way(state: State, block: str, a: str, b: str, spent: tuple[str, ...], bonus: int = 0) -> bool:
    """[VE 4.6] [VE 5.6] Whether a border lets one more army of the block's side through; `spent` as in Battle."""
    return spent.count(f"{state.blocks[block].side}|{border_key(a, b)}") < border_limit(state, a, b).value + bonus


def has_way_out(state: State, block: str, area: str) -> bool:
    """[VE 5.6] Whether the border to an area lets the block retreat."""
    battle = battle_of(state)
    return has_way(state, block, battle.area, area, battle.spent, _border_bonus(state, block, area))


def _border_bonus(state: State, block: str, area: str) -> int:
    """[VE 3.3] Armies by which an event widens a border, for the battle into which armies have come over it."""
    piece = state.blocks[block]
    event, part = event_of(state, piece.seat), f"border:{border_key(piece.at, area)}"
    if event is None or event.kind != "border_bonus" or not used(state, piece.seat, part):
        return 0
    came_over = area in closed_to(state, other(role_of(state, block)))
    return event.amount if came_over and concerned(state, block, event) and knows_events(state, block) else 0


# Armies over the sea [VE 7.7]


def _by_sea(state: State, block: str) -> Iterator[Way]:
    """Friendly coastal areas with room that a chain of friendly seas joins with the battle's coast."""
    piece = state.blocks[block]
    sight = sight_of(state, bloc_of(state, piece))
    start = seas_of(piece.at)
    lanes = friendly_seas(state, sight.who) & ~sight.frozen
    seas = flood_seas(start & lanes, lanes, sight.shut) if start & lanes else 0
    for area in GRID.codes(shores_of(seas) & sight.friendly) if seas else ():
        if room(state, piece.side, area, block) > 0:
            yield Way(area, -1, SEA)


# Aircraft [VE 6.1] [VE 6.4]


def landings(state: State, block: str) -> tuple[str, ...]:
    """Friendly areas within range that have room, other than the block's own place."""
    piece = state.blocks[block]
    near = air_reach(state, block, AIRDROP_RANGE if piece.aloft else None)
    home = friendly_land(state, bloc_of(state, piece))
    return tuple(
        area for area in MAP.areas if area in near and BIT[area] & home and room(state, piece.side, area, block) > 0
    )


# Ships [VE 7.3]


def _by_ship(state: State, block: str) -> tuple[Way, ...]:
    """Friendly ports and seas within range; failing these, a step and the nearest friendly port."""
    near = harbors(state, block)
    if near:
        return tuple(Way(place, coast, SHIP) for (place, coast) in near)
    ports = {berth: cost for berth, cost in harbors(state, block, FARTHEST).items() if ground.is_land(berth[0])}
    nearest = min(ports.values(), default=0)
    return tuple(Way(place, coast, SHIP, loss=1) for (place, coast), cost in ports.items() if cost == nearest)


def harbors(state: State, block: str, allowance: int | None = None) -> dict[Berth, int]:
    """Friendly ports and friendly seas with room that a ship reaches, with the MP; None: its own allowance."""
    piece = state.blocks[block]
    who = bloc_of(state, piece)
    goals = friendly_land(state, who) | friendly_seas(state, who)
    return {
        berth: cost
        for berth, cost in sorted(sea_reach(state, block, allowance).items(), key=lambda item: _place_in_order(item[0]))
        if BIT[berth[0]] & goals and room(state, piece.side, berth[0], block) > 0
    }


def _place_in_order(berth: Berth) -> tuple[int, int]:
    return GRID.index(berth[0]), berth[1]
