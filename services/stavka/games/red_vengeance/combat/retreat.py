"""Retreat after combat [RV 8.6 to RV 8.65, RV 6.44, RV 11.31 to RV 11.33, RV 11.41, RV 12.22].

    RetreatUnit(unit, to, commanders)       one survivor goes back; `to` is its own hex when every way is barred
    RetreatBySea(unit, port, commanders)    an Axis unit leaves one Baltic port for another

    8.63 withdrawal(state, unit) -> Withdrawal     where a unit may end, how many hexes short it falls
    8.65 progress(draft)                           forced retreats; hits that a barred retreat leaves

Each step leads farther from the hex that the unit leaves, no nearer to an attacking unit (to where the attackers stood, when
all are dead), and toward the side's map edge;
only if that gives a shorter retreat, toward the nearest city of its own instead. (For attackers: away from the hexes that
they attacked.) Over water there is no direction. Of several ways to the same hex the first in reading order is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance import entry
from stavka.games.red_vengeance.board import BIT, MINORS, board_of, enterable, has_room, side_of, side_units
from stavka.games.red_vengeance.combat.battle import DEFENDER, Battle
from stavka.games.red_vengeance.combat.events import (
    RetreatStranded,
    RoleSettled,
    ShortfallOpened,
    UnitEvacuated,
    UnitRetreated,
)
from stavka.games.red_vengeance.combat.leaders import companions, hurt, strike_off
from stavka.games.red_vengeance.combat.losses import living, step_hits
from stavka.games.red_vengeance.combat.strength import sea_box
from stavka.games.red_vengeance.control import controls
from stavka.games.red_vengeance.ground import (
    BALTIC_PORTS,
    CITIES,
    COUNTRY,
    GRID,
    LAND,
    MAP,
    UNITS,
    YUGOSLAV_ROUGH,
    YUGOSLAVIA,
)
from stavka.games.red_vengeance.movement import MAX_SOVIETS_IN_YUGOSLAVIA, entered_for_good
from stavka.games.red_vengeance.sequence import decision
from stavka.games.red_vengeance.state import ALLIED, AXIS, State, other
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice, Decision
from stavka.kernel.retreat import Course, Retreat, RetreatRules, away_from, retreat, toward
from stavka.kernel.visibility import Public

SIX: Final = 6
FARTHEST: Final = MAP.rows
"""Hexes that a unit looks for room in a stack, at most [RV 8.64]."""


@dataclass(frozen=True, slots=True)
class RetreatUnit:
    unit: Public[str]
    to: Public[str]
    commanders: Public[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class RetreatBySea:
    unit: Public[str]
    port: Public[str]
    commanders: Public[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Ends -> paths (start first); a unit that cannot move has its own hex as only end. `short`: hexes not retreated.

    `stranded`: it fights for the Axis, is forced over its border, and is removed [RV 11.31, RV 11.32, RV 11.33].
    """

    paths: dict[str, tuple[str, ...]]
    short: int
    stranded: bool = False


# [RV 8.63] directions


def _edge_course(side: str) -> Course:
    """Steps toward the side's map edge: the Axis goes west, the Allies go east. Half hexes count."""
    columns: dict[int, int] = {}
    for datum in MAP.hexes:
        place = 2 * datum.column + (datum.row % 2 == 0)
        columns[place] = columns.get(place, 0) | BIT[datum.id]
    layers, leads, beyond = [], [], 0
    for place in sorted(columns, reverse=side == AXIS):
        layers.append(columns[place])
        leads.append(beyond)
        beyond |= columns[place]
    return Course(tuple(layers), tuple(leads))


_EDGE: Final = {side: _edge_course(side) for side in (AXIS, ALLIED)}


def withdrawal(state: State, unit: str) -> Withdrawal:
    """Where a unit of the present role may retreat by land, given everything that the others have done so far."""
    battle = _battle(state)
    memo = board_of(state).memo
    key = ("withdrawal", unit, battle.role, battle.retreat, battle.targets, battle.attackers)
    found: Withdrawal | None = memo.get(key)
    if found is None:
        found = memo[key] = _withdrawal(state, battle, unit)
    return found


def _withdrawal(state: State, battle: Battle, unit: str) -> Withdrawal:
    start, steps = state.at[unit], battle.retreat
    best = _longest(state, battle, unit, _bounds(state, unit))
    bound = UNITS[unit].nation in MINORS and side_of(state, unit) == AXIS
    if bound and best.longest < steps and _longest(state, battle, unit, _ANYWHERE).longest > best.longest:
        return Withdrawal({start: (start,)}, 0, stranded=True)
    return _with_room(state, battle, unit, best)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Hexes that a unit may ever enter, and borders that it may cross one way only."""

    hexes: int
    borders: tuple[Course, ...] = ()


_ANYWHERE: Final = _Bounds(LAND)
_INWARD: Final = {
    country: (Course((COUNTRY[country], ~COUNTRY[country]), (COUNTRY[country], LAND)),)
    for country in ("hungary", "yugoslavia")
}
"""Steps that do not lead out of a country [RV 11.33, RV 11.41]."""


def _bounds(state: State, unit: str) -> _Bounds:
    country = entered_for_good(state, unit)
    return _Bounds(enterable(state, unit) & quota(state, unit), _INWARD.get(country, ()))


def _longest(state: State, battle: Battle, unit: str, bounds: _Bounds) -> Retreat:
    """Toward the edge, or toward a city if only that leads farther."""
    steps = battle.retreat
    edge = retreat(GRID, state.at[unit], steps, _rules(state, battle, unit, bounds, to_city=False))
    if edge.longest == steps:
        return edge
    city = retreat(GRID, state.at[unit], steps, _rules(state, battle, unit, bounds, to_city=True))
    return city if city.longest > edge.longest else edge


def _rules(state: State, battle: Battle, unit: str, bounds: _Bounds, *, to_city: bool) -> RetreatRules:
    side = side_of(state, unit)
    allowed, stop = _ground(state, unit, side, bounds.hexes)
    if battle.role == DEFENDER:
        away = away_from(GRID, _front(state, battle), strict=False)
    else:
        away = away_from(GRID, GRID.mask(battle.targets))
    return RetreatRules(allowed, stop, (_to_city(state, side) if to_city else _EDGE[side], away, *bounds.borders))


def _front(state: State, battle: Battle) -> int:
    """Hexes of the living attackers; when the battle has killed them all, those in which it found them."""
    found = [state.at[u] for u in living(state, battle.attackers)]
    return GRID.mask(found or [battle.places[u] for u in battle.attackers])


def _to_city(state: State, side: str) -> Course:
    cities = GRID.mask(code for code in GRID.codes(CITIES) if controls(state, side, code))
    return toward(GRID, cities, strict=True)


def _ground(state: State, unit: str, side: str, bounds: int) -> tuple[int, int]:
    """Hexes that a retreat may enter, and those of them where it must end [RV 8.65, RV 6.44].

    Enemy ZOC bars a hex unless a friendly unit is in it. Yugoslav units may still end in a rough hex at home.
    """
    board, enemy = board_of(state), other(side)
    free = bounds & ~board.units[enemy]
    calm = ~board.zoc[enemy] | board.units[side]
    stop = free & ~calm & YUGOSLAV_ROUGH if UNITS[unit].nation == "yugoslav" else 0
    return free & calm | stop, stop


def quota(state: State, unit: str) -> int:
    """All hexes, or those outside Yugoslavia when two Soviet units are in it already [RV 11.42]."""
    if UNITS[unit].nation != "soviet" or BIT[state.at[unit]] & YUGOSLAVIA:
        return -1
    inside = [u for u in side_units(state, ALLIED) if UNITS[u].nation == "soviet" and BIT[state.at[u]] & YUGOSLAVIA]
    return ~YUGOSLAVIA if len(inside) >= MAX_SOVIETS_IN_YUGOSLAVIA else -1


# [RV 8.64] stacking


def _with_room(state: State, battle: Battle, unit: str, best: Retreat) -> Withdrawal:
    """Ends that the stacking limit allows: at the full length, else farther, else as far as there is room."""
    start, steps = state.at[unit], battle.retreat
    for found, count in _tries(state, battle, unit, best):
        ends = _roomy(state, unit, found, count)
        if ends:
            return Withdrawal({end: found.path(end, count) for end in ends}, max(0, steps - count))
    return Withdrawal({start: (start,)}, steps)


def _tries(state: State, battle: Battle, unit: str, best: Retreat) -> Iterator[tuple[Retreat, int]]:
    steps = battle.retreat
    if best.longest == steps:
        yield best, steps
        bounds = _bounds(state, unit)
        for to_city in (False, True):
            rules = _rules(state, battle, unit, bounds, to_city=to_city)
            far = retreat(GRID, state.at[unit], FARTHEST, rules)
            for count in range(steps + 1, far.longest + 1):
                yield far, count
    for count in range(min(best.longest, steps - 1), 0, -1):
        yield best, count


def _roomy(state: State, unit: str, found: Retreat, count: int) -> list[str]:
    return [code for code in GRID.codes(found.ends(count)) if has_room(state, unit, code)]


# [RV 12.22] retreat by sea


def ports_for(state: State, unit: str) -> tuple[str, ...]:
    """Ports to which an Axis unit may sail away from a lost battle; two units out of a port at most."""
    battle, here = _battle(state), state.at[unit]
    limit = sea_box(state).sea_retreats
    if side_of(state, unit) != AXIS or not BIT[here] & BALTIC_PORTS or battle.embarked.count(here) >= limit:
        return ()
    allowed, _ = _ground(state, unit, AXIS, enterable(state, unit))
    return tuple(
        code
        for code in GRID.codes(BALTIC_PORTS & allowed & ~BIT[here])
        if controls(state, AXIS, code) and has_room(state, unit, code)
    )


# [RV 8.65] what a barred retreat leaves


def awaits(state: State) -> bool:
    """Whether the owner has a choice now."""
    return len(_options(state)) > 1


def progress(draft: Draft[State]) -> None:
    """Make a retreat that leaves no choice; when all have gone, open the hits that were not avoided."""
    state = draft.state
    battle = _battle(state)
    options = _options(state)
    if options:
        only = options[0]
        if len(options) == 1 and isinstance(only, RetreatUnit):
            retreat_unit(draft, state.frames[-1].seat, only)
        return
    short = {u: n for u, n in battle.short.items() if state.at[u] in BIT}
    if not short:
        draft.emit(RoleSettled(battle.role))
        return
    each = step_hits(living(state, battle.units(battle.role)))
    draft.emit(ShortfallOpened({u: n * each for u, n in short.items()}, max(short.values()) * each))


# Commands


def retreat_unit(draft: Draft[State], seat: str, command: RetreatUnit) -> None:
    """[RV 8.63] One unit goes back, commanders with it."""
    state = draft.state
    _require_leaving(state, command.unit)
    way = withdrawal(state, command.unit)
    if command.to not in way.paths:
        raise IllegalAction("RV 8.63", "NO_RETREAT_THERE", unit=command.unit, to=command.to, possible=tuple(way.paths))
    path = way.paths[command.to]
    _require_companions(state, command.unit, command.commanders, len(path) > 1)
    if way.stranded:
        draft.emit(RetreatStranded(command.unit))
        strike_off(draft, command.unit, "stranded", out_of_supply=command.unit in _battle(state).oos)
        return
    side = side_of(state, command.unit)
    draft.emit(UnitRetreated(command.unit, side, path, command.commanders, way.short))
    entry.arrive(draft, command.unit, path)


def retreat_by_sea(draft: Draft[State], seat: str, command: RetreatBySea) -> None:
    """[RV 12.22] Counts as the whole retreat; the Allied player's die may cost the unit a step."""
    state = draft.state
    _require_leaving(state, command.unit)
    if command.port not in ports_for(state, command.unit):
        raise IllegalAction("RV 12.22", "NO_SEA_RETREAT", unit=command.unit, port=command.port)
    _require_companions(state, command.unit, command.commanders, True)
    here = state.at[command.unit]
    threshold = sea_box(state).loss_from
    die = draft.roll.dice(f"retreat by sea, {command.unit}", 1)[0] if threshold <= SIX else 0
    out = command.unit in _battle(state).oos
    draft.emit(UnitEvacuated(command.unit, AXIS, here, command.port, command.commanders, die))
    entry.arrive(draft, command.unit, (here, command.port))
    if die >= threshold:
        hurt(draft, command.unit, "sea", out_of_supply=out)


def _require_leaving(state: State, unit: str) -> None:
    if state.frames[-1].step != "retreat":
        raise IllegalAction("RV 8.6", "WRONG_STEP", step=state.frames[-1].step)
    if unit not in living(state, _battle(state).leaving):
        raise IllegalAction("RV 8.61", "UNIT_DOES_NOT_RETREAT", unit=unit)


def _require_companions(state: State, unit: str, commanders: tuple[str, ...], moves: bool) -> None:
    if commanders not in (companions(state, unit) if moves else ((),)):
        raise IllegalAction("RV 11.23", "COMMANDERS_CANNOT_PART", unit=unit, commanders=commanders)


COMMANDS: Final[dict[type, Handler]] = {
    RetreatUnit: Handler(frozenset({"battle"}), retreat_unit),
    RetreatBySea: Handler(frozenset({"battle"}), retreat_by_sea),
}


def decisions(state: State) -> tuple[Decision, ...]:
    prompt = f"Retreat a unit {_battle(state).retreat} hexes."
    return (decision(state, state.frames[-1].seat, "retreat", "RV 8.63", tuple(COMMANDS), prompt),)


def legal(state: State) -> tuple[Choice, ...]:
    return (Choice(decisions(state)[0], tuple(_options(state))),)


def _options(state: State) -> list[RetreatUnit | RetreatBySea]:
    options: list[RetreatUnit | RetreatBySea] = []
    for unit in living(state, _battle(state).leaving):
        together = companions(state, unit)
        for to, path in withdrawal(state, unit).paths.items():
            options += [RetreatUnit(unit, to, c) for c in (together if len(path) > 1 else ((),))]
        options += [RetreatBySea(unit, port, c) for port in ports_for(state, unit) for c in together]
    return options


def _battle(state: State) -> Battle:
    battle = state.battle
    assert battle is not None
    return battle
