"""What a route costs and what forbids it [VE 4.2] to [VE 4.7], [VE 7.5].

    held_back(state, block)                    why a block may not move at all now, or None
    toll(state, block, route) -> Toll          commands to pay, and what the entry does to the place
    objection(state, block, route, price)      why this route is refused, or None
    open_routes(state, block, routes)          those that are not refused

An objection is the IllegalAction that the command would get. Everything here is judged by the mover's own blocks and
by what lies open: how many enemy blocks stand where, never which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import (
    AMERICA,
    bloc_of,
    blocks_at,
    board_of,
    border_key,
    border_limit,
    crossings,
    enemies_at,
    enemies_of,
    fights,
    full_places,
    is_friendly,
    owed,
    room,
    stack_of,
)
from stavka.games.victory_in_europe.cards import commands_left, concerns_here, event_of, used
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, GRID, SEAS, STACK_KEY
from stavka.games.victory_in_europe.reach import URALS, Path, Sight, land_component, sight_of, urals_open
from stavka.games.victory_in_europe.routes import (
    AIRDROP,
    INVADE,
    MOVE,
    REBASE,
    STRATEGIC,
    Route,
    has_army,
    sails,
    strategic_exits,
)
from stavka.games.victory_in_europe.state import AXIS, SIDES, Clash, State
from stavka.kernel.errors import IllegalAction

BATTLE_COST: Final = 1  # commands [VE 3.2]
INVASION_COST: Final = 2  # commands against a defended area [VE 7.5]
VACANT_INVASION_COST: Final = 1  # commands [VE 7.5]
STRATEGIC_COST: Final = 1  # commands a unit [VE 4.7]
ATTACKING_SHIPS: Final = 1  # against a coastal area or naval base [VE 7.22]


@dataclass(frozen=True, slots=True)
class Toll:
    """Commands that a route costs; the Clash of the target after it (None: no battle); whether an event is used up.

    event    "" or the part of the seat's card event that the route uses: sm, bonus, border:..., invasion
    lands    whether this is the side's sea invasion of the turn
    """

    commands: int
    clash: Clash | None
    events: tuple[str, ...] = ()
    lands: bool = False


_QUIET: Final = frozenset({MOVE, REBASE})

# Who may move at all


def held_back(state: State, block: str) -> IllegalAction | None:
    """[VE 4.2] [VE 4.3] [VE 2.6] [VE 13 Soviet Union] Why a block cannot move now; None when it can."""
    piece = state.blocks[block]
    camp = state.camps[piece.side]
    if block in camp.moved:
        return IllegalAction("VE 4.2", "ALREADY_MOVED", block=block)
    if not BLOCKS[block].move:
        return IllegalAction("VE 2.6", "CANNOT_MOVE", block=block)
    if piece.nation == AMERICA and AMERICA not in state.at_war:
        return IllegalAction("VE 13 United States", "NOT_AT_WAR", block=block)
    if piece.at == URALS and not urals_open(state):
        return IllegalAction("VE 13 Soviet Union", "URALS_CLOSED", block=block)
    if piece.at in camp.lanes[:-1] and len(_staying(state, block)) == 0:
        return IllegalAction("VE 7.5", "MUST_HOLD_SEA", block=block)
    if BIT[piece.at] & board_of(state).contested and unpinned(state, piece.at, piece.side) <= 0:
        return IllegalAction("VE 4.3", "PINNED", block=block, place=piece.at)
    return None


def _staying(state: State, block: str) -> tuple[str, ...]:
    """Other warships of the side that have not moved in the ship's sea, or any if the block is no warship."""
    piece = state.blocks[block]
    moved = state.camps[piece.side].moved
    ships = tuple(b for b in blocks_at(state, piece.at, piece.side) if ground.branch(b) == "naval" and b not in moved)
    return tuple(b for b in ships if b != block) if block in ships else ships


def unpinned(state: State, place: str, side: str) -> int:
    """How many more of a side's blocks may leave a contested place: those beyond the attackers' number [VE 4.3].

    At sea Allies and Soviets at war with the same enemy are pinned together.
    """
    sides = [side]
    if side != AXIS and not ground.is_land(place):
        sides += [partner for partner in SIDES if partner not in (AXIS, side) and enemies_at(state, place, partner)]
    waiting = sum(b not in state.camps[s].moved for s in sides for b in blocks_at(state, place, s))
    return waiting - len(enemies_at(state, place, side))


# What a route costs


def toll(state: State, block: str, route: Route) -> Toll:
    """[VE 3.2] [VE 4.4] [VE 4.7] [VE 7.5] Commands to pay and the battle that is joined."""
    piece, side = state.blocks[block], state.blocks[block].side
    events = _bonus_used(state, block, route)
    if route.by == STRATEGIC:
        free = _free_moves(state, block)
        return Toll(0 if free else STRATEGIC_COST, None, ("sm",) if free else ())
    clash = state.clashes.get(route.target)
    if clash is not None:
        return _joined(state, block, route, clash, events)
    sight = sight_of(state, bloc_of(state, piece))
    if route.bit & sight.presence:
        defender = state.blocks[enemies_at(state, route.target, sight.who)[0]].side
        if route.by == INVADE:
            cost, event = _invasion_cost(state, block, INVASION_COST)
            return Toll(cost, Clash(side, defender, invaded=route.path[-2]), (*events, *event), True)
        return Toll(BATTLE_COST, Clash(side, defender, land=ground.is_land(route.target)), events)
    if route.by == INVADE:
        if ground.is_leader(block):
            return Toll(0, None, events)  # with the infantry that has landed
        cost, event = _invasion_cost(state, block, VACANT_INVASION_COST)
        return Toll(cost, None, (*events, *event), True)
    if ground.is_air(block) and not route.bit & (sight.friendly | SEAS):
        return Toll(
            BATTLE_COST, Clash(side, _bloc_at(state, route.target), land=True), events
        )  # factories alone [VE 11.33]
    if URALS in (route.start, route.target):
        return Toll(STRATEGIC_COST, None, events)  # [VE 13 Soviet Union]
    return Toll(0, None, events)


def _bloc_at(state: State, area: str) -> str:
    """Bloc of whoever controls an area."""
    return board_of(state).blocs[state.control[area]]


def _joined(state: State, block: str, route: Route, clash: Clash, events: tuple[str, ...]) -> Toll:
    """Entering a place that is contested already.

    An invasion that finds only aircraft attacking costs what it would have cost before they came [VE 7.5].
    """
    side = state.blocks[block].side
    if not attacks(clash, side):
        paid = clash.reinforced
        after = Clash(clash.attacker, clash.defender, True, clash.invaded, clash.land)
        return Toll(0 if paid else BATTLE_COST, after, events)
    if route.by == INVADE and not clash.invaded:
        overland = has_army(state, route.target, side)
        cost, event = _invasion_cost(state, block, INVASION_COST if overland else INVASION_COST - BATTLE_COST)
        after = Clash(clash.attacker, clash.defender, clash.reinforced, route.path[-2], overland)
        return Toll(cost, after, (*events, *event), True)
    if route.by == MOVE and ground.is_army(block) and not clash.land:
        after = Clash(clash.attacker, clash.defender, clash.reinforced, clash.invaded, True)
        return Toll(BATTLE_COST if clash.invaded else 0, after, events)
    return Toll(0, clash, events)


def attacks(clash: Clash, side: str) -> bool:
    """Whether a side is on the attackers' side of a battle; at sea Allies and Soviets fight side by side."""
    return clash.attacker == side or (AXIS not in (clash.attacker, side))


def _invasion_cost(state: State, block: str, cost: int) -> tuple[int, tuple[str, ...]]:
    """[VE 3.3] An event may make the invasion cheaper."""
    piece = state.blocks[block]
    event = event_of(state, piece.seat)
    if event is None or event.kind != "cheap_invasion" or not concerns_here(state, block, event):
        return cost, ()
    return max(0, cost - event.amount), ("invasion",)


def _free_moves(state: State, block: str) -> bool:
    """[VE 3.3] Whether an event pays for this strategic move."""
    piece = state.blocks[block]
    event = event_of(state, piece.seat)
    if event is None or event.kind != "extra_sm" or not concerns_here(state, block, event):
        return False
    return (not event.types or ground.kind(block) in event.types) and used(state, piece.seat, "sm") < event.amount


def _bonus_used(state: State, block: str, route: Route) -> tuple[str, ...]:
    """Parts of an event that the way itself uses: a longer move, an army more over a border [VE 3.3]."""
    found: list[str] = []
    if route.by == MOVE and _length(state, block, route) > BLOCKS[block].move:
        found.append("bonus")
    piece = state.blocks[block]
    for a, b in limited_borders(state, block, route):
        if crossings(state, piece.side, a, b) >= border_limit(state, a, b).value:
            found.append(f"border:{border_key(a, b)}")
    return tuple(found)


def _length(state: State, block: str, route: Route) -> int:
    """MP of a normal move."""
    if ground.is_army(block):
        return len(route.path) - 1
    if ground.is_air(block):
        return 0  # no event lengthens a flight
    return sum(ground.move_cost(place) for place in route.path[1:])


def limited_borders(state: State, block: str, route: Route) -> tuple[tuple[str, str], ...]:
    """Borders into or out of battle that count against their limits [VE 4.6]; leaders do not count [VE 5.7]."""
    if not ground.is_army(block) or ground.is_leader(block) or route.by in (AIRDROP, INVADE, REBASE):
        return ()
    path, sight = route.path, sight_of(state, bloc_of(state, state.blocks[block]))
    if route.by == STRATEGIC:
        if not BIT[route.start] & sight.contested:
            return ()
        gate = strategic_gate(state, block, route)
        return ((route.start, gate),) if gate else ()
    found = []
    if BIT[path[0]] & sight.contested:
        found.append((path[0], path[1]))
    if route.bit & (sight.contested | sight.presence) and (path[-2], path[-1]) not in found:
        found.append((path[-2], path[-1]))
    return tuple(found)


def strategic_gate(state: State, block: str, route: Route) -> str | None:
    """The border by which a strategic move leaves a battle: the first one with room that leads to the target.

    "" for a move by sea, which no limit binds; None when there is no way.
    """
    sight = sight_of(state, bloc_of(state, state.blocks[block]))
    if sails(state, sight, route.start) & route.bit:
        return ""
    for area in strategic_exits(state, sight, route.start):
        open_ = ground.is_leader(block) or _has_way(state, block, route.start, area)
        if open_ and land_component(sight.friendly, area, BIT[route.start]) & BIT[route.target]:
            return area
    return None


def _has_way(state: State, block: str, a: str, b: str) -> bool:
    """Whether a border still lets this army through, an event's help included [VE 4.6] [VE 3.3]."""
    piece = state.blocks[block]
    limit, crossed = border_limit(state, a, b).value, crossings(state, piece.side, a, b)
    if crossed < limit:
        return True
    event = event_of(state, piece.seat)
    if event is None or event.kind != "border_bonus" or not concerns_here(state, block, event):
        return False
    key = f"border:{border_key(a, b)}"
    spent = [what for what in state.effects if what.startswith(f"{piece.seat}:border:")]
    return all(what == f"{piece.seat}:{key}" for what in spent) and crossed < limit + event.amount


# What forbids a route


def open_routes(state: State, block: str, routes: Iterable[Route]) -> list[Route]:
    """The routes that would be accepted.

    Most lead to quiet places, where stacking alone matters: these are judged by sets, all others one by one. Armies that
    crowd [VE 4.5] may be called back, so none of them takes an area on its way.
    """
    piece = state.blocks[block]
    sight = sight_of(state, bloc_of(state, piece))
    army = ground.is_army(block)
    loud = sight.contested | sight.presence | BIT[URALS]
    if army:
        loud |= GRID.mask(owed(state, piece.side, STACK_KEY[block]))
    full, packed = full_places(state, piece.side, STACK_KEY[block])
    own = sight.friendly if army else sight.friendly | SEAS
    roomy = own & ~packed if army else 0
    if BIT[piece.at] & loud:
        return [way for way in routes if objection(state, block, way, toll(state, block, way)) is None]
    left = commands_left(state, piece.side)
    paid = left >= STRATEGIC_COST or _free_moves(state, block)
    dear = (
        0 if left >= BATTLE_COST else sight.presence & ~sight.contested
    )  # each begins a battle that nobody can pay for
    found = []
    for way in routes:
        bit = way.bit
        if way.by == STRATEGIC and not bit & loud:
            if paid and not bit & full:
                found.append(way)
        elif bit & dear and way.by == MOVE:
            continue
        elif way.by not in _QUIET or bit & loud or not (army or bit & own):
            if objection(state, block, way, toll(state, block, way)) is None:
                found.append(way)
        elif not bit & full or (way.by == MOVE and bit & roomy and not takes(sight, way.path)):
            found.append(way)
    return found


def takes(sight: Sight, path: Path) -> bool:
    """Whether an army that enters these places after the first takes one of them from an enemy [VE 4.1]."""
    return any(BIT[place] & sight.enemy for place in path[1:])


def objection(state: State, block: str, route: Route, price: Toll) -> IllegalAction | None:
    """[VE 4.5] [VE 4.6] [VE 3.2] [VE 7.5] Why a route is refused; None when it is open."""
    piece = state.blocks[block]
    side = piece.side
    clash = state.clashes.get(route.target)
    if clash is not None and not _is_party(state, block, route.target, clash):
        return IllegalAction("VE 4.2", "NOT_YOUR_BATTLE", place=route.target)
    refused = _landing_objection(state, block, route, clash) if route.by == INVADE else None
    if refused is not None:
        return refused
    for a, b in limited_borders(state, block, route):
        if not _has_way(state, block, a, b):
            return IllegalAction("VE 4.6", "BORDER_LIMIT", border=border_key(a, b))
    if (
        route.by == STRATEGIC
        and BIT[route.start] & board_of(state).contested
        and strategic_gate(state, block, route) is None
    ):
        return IllegalAction("VE 4.6", "BORDER_LIMIT", border=route.start)
    if price.commands > commands_left(state, side):
        return IllegalAction("VE 3.2", "NOT_ENOUGH_COMMANDS", needed=price.commands, left=commands_left(state, side))
    return _stacking_objection(state, block, route, price)


def _is_party(state: State, block: str, place: str, clash: Clash) -> bool:
    """Whether a block may join a battle: as attacker, or as defender of ground that is its own [VE 4.4].

    At sea Allies and Soviets help each other against an enemy of both; whoever is neutral helps nobody [VE 13 Italy].
    """
    piece = state.blocks[block]
    who = bloc_of(state, piece)
    if not fights(state, who):
        return False
    if attacks(clash, piece.side):
        joins = not ground.is_land(place) and clash.defender in enemies_of(state, who)
        return clash.attacker == piece.side or joins
    if ground.is_land(place):
        return clash.defender == piece.side and _bloc_at(state, place) == who
    return clash.defender == piece.side or clash.attacker in enemies_of(state, who)


def _landing_objection(state: State, block: str, route: Route, clash: Clash | None) -> IllegalAction | None:
    """[VE 7.5] One sea invasion a turn by one infantry, on a coast that the side attacks; one leader may come with it.

    The leader lands where the infantry has, from the same sea.
    """
    side = state.blocks[block].side
    if clash is not None and not attacks(clash, side):
        return IllegalAction("VE 7.5", "NOT_THE_ATTACKER", place=route.target)
    if ground.is_leader(block):
        if state.camps[side].lanes[-2:] != route.path[-2:]:
            return IllegalAction("VE 7.5", "NO_INVASION_TO_JOIN", place=route.target)
        return None
    if side in state.landed:
        return IllegalAction("VE 7.5", "ONE_INVASION_A_TURN")
    return None


def _stacking_objection(state: State, block: str, route: Route, price: Toll) -> IllegalAction | None:
    """[VE 4.5] [VE 6.12] [VE 7.12] [VE 7.22] Room at the target.

    Armies may crowd into a friendly area as long as as many that have not moved yet can still leave it; not those that
    take an area on their way, for who crowds may be called back. Where such armies came from they keep their places from
    those who take areas.
    """
    piece = state.blocks[block]
    free = room(state, piece.side, route.target, block)
    if route.by == MOVE and ground.is_army(block) and takes(sight_of(state, bloc_of(state, piece)), route.path):
        free -= owed(state, piece.side, STACK_KEY[block]).get(route.target, 0)
    if price.clash is not None and attacks(price.clash, piece.side) and ground.is_land(route.target):
        if ground.branch(block) == "naval":
            free = min(free, ATTACKING_SHIPS - len(stack_of(state, piece.side, route.target, block)))
    elif free < 1 and route.by == MOVE and ground.is_army(block) and is_friendly(state, piece.nation, route.target):
        _, packed = full_places(state, piece.side, STACK_KEY[block])
        free = 0 if packed & route.bit or takes(sight_of(state, bloc_of(state, piece)), route.path) else 1
    if free < 1:
        return IllegalAction("VE 4.5", "OVERSTACKED", place=route.target)
    return None
