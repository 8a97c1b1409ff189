"""How many dice each side rolls, item by item [RV 8.43, RV 8.44, RV 8.46, RV 9.1, RV 9.2, RV 11.21, RV 13.0, RV 14.8].

    attack_pool(state, battle) -> Pool       the attacker's dice, with the one terrain location that counts
    defense_pool(state, battle) -> Pool      the defender's dice, those that hit more easily apart
    levied_cities(state, battle)             attacked cities whose levies fight now [RV 11.8]

A unit's factor takes additions, subtractions and halvings in this order, fractions up after each halving, and is never
below 0 [RV 9.2]. What is added to a hex, a stack or a battle is added afterwards and is never halved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import BIT, is_ss, strength_of
from stavka.games.red_vengeance.charts import SeaBox
from stavka.games.red_vengeance.combat.battle import ATTACKER, DEFENDER, HITLER, Battle
from stavka.games.red_vengeance.ground import (
    BALTIC_COAST,
    CITY_HEX,
    COMMANDERS,
    DATA,
    GRID,
    MAP,
    RIVERS,
    UNITS,
)
from stavka.games.red_vengeance.sequence import DRESDEN_TURN
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.hexgrid import DIRECTIONS
from stavka.kernel.odds import HALF, Modifier, Rounding, Strength, strength

HIT_FROM: Final = 6
"""Lowest die that hits [RV 8.43]."""
BERLIN: Final = CITY_HEX["Berlin"]
DRESDEN: Final = CITY_HEX["Dresden"]
RIVALS: Final = ("zhukov", "konev")
"""Only one of them counts in a stack; near Berlin they help no other attack [RV 11.25]."""
UNSLOWED: Final = ("shock", "mountain")
"""Branches that attack at full strength in snow [RV 13.0]."""

_RIVER: Final = DATA.terrain["river"]
_FORTRESS: Final = DATA.terrain["fortress"]


@dataclass(frozen=True, slots=True)
class UnitDice:
    """A unit's share: its factor with every modifier."""

    unit: str
    hex: str
    account: Strength


@dataclass(frozen=True, slots=True)
class ExtraDice:
    """Dice added to a stack, a hex or the battle. `hex` is "" for the whole battle."""

    hex: str
    modifier: Modifier


@dataclass(frozen=True, slots=True)
class Pool:
    """One side's dice. `dice` hit on HIT_FROM, `fortress` on `fortress_from` or more; `location` is (), a hex, or the
    hexes on both sides of a hexside, and names where the attacker's subtractions come from [RV 8.44]."""

    units: tuple[UnitDice, ...]
    extras: tuple[ExtraDice, ...]
    location: tuple[str, ...]
    dice: int
    fortress: int = 0
    fortress_from: int = HIT_FROM

    @property
    def total(self) -> int:
        return self.dice + self.fortress


# [RV 8.44] terrain against the attacker: one location for the whole battle


def locations(battle: Battle) -> tuple[tuple[str, ...], ...]:
    """Places whose terrain may count against the attacker: attacked hexes, then hexsides (from, into)."""
    origins = sorted({battle.places[unit] for unit in battle.attackers})
    sides = tuple((o, t) for o in origins for t in battle.targets if BIT[t] & GRID.adjacent(o))
    return tuple((t,) for t in battle.targets) + sides


def _subtractions(state: State, battle: Battle, unit: str, location: tuple[str, ...]) -> list[Modifier]:
    """What one location takes from one attacker. A fortress counts on each of its hexsides [RV 9.1]."""
    taken: list[Modifier] = []
    if not location:
        return taken
    target = location[-1]
    if len(location) == 2:
        if battle.places[unit] != location[0]:
            return taken
        if _is_river(location[0], target):
            taken.append(Modifier("RV 9.1", "river", _RIVER.attacker_each))
    else:
        city = city_terrain(state, target)
        if city and UNITS[unit].branch == "armor":
            taken.append(Modifier("RV 9.1", city, DATA.terrain[city].attacker_armor))
    if is_fortress(state, target) and battle.attacker == _FORTRESS.only_against:
        taken.append(Modifier("RV 9.1", "fortress", _FORTRESS.attacker_each))
    return taken


def _is_river(origin: str, target: str) -> bool:
    direction = GRID.direction(origin, target)
    return direction is not None and bool(RIVERS[DIRECTIONS.index(direction)] & BIT[target])


def city_terrain(state: State, code: str) -> str:
    """ "small_city", "major_city" or "" for a hex without a city. Dresden is small after February 1945 [RV 11.5]."""
    city = MAP.hex(code).city
    if city is None:
        return ""
    return (
        "major_city" if city.size == "major" and not (code == DRESDEN and state.turn > DRESDEN_TURN) else "small_city"
    )


def is_fortress(state: State, code: str) -> bool:
    """Whether a hex still has the effects of a fortress: no Allied unit has ever been there [RV 9.1]."""
    city = MAP.hex(code).city
    return city is not None and city.fortress and code not in state.visited


# [RV 8.43] [RV 9.2] the attacker


def attack_pool(state: State, battle: Battle) -> Pool:
    """The attacker's dice under the location that costs most of them.

    Commanders' dice are among them: fewer factors may limit them further [RV 11.21]. Of locations that leave equally many
    dice the one that takes more factors counts, then the first of `locations`.
    """
    tries = [tuple(_attacker(state, battle, unit, place) for unit in battle.attackers) for place in locations(battle)]
    led = [_leader_dice(state, battle, ATTACKER, units) for units in tries]
    chosen = min(range(len(tries)), key=lambda number: (_dice(tries[number], led[number]), -_taken(tries[number])))
    units = tries[chosen]
    extras = (*led[chosen], *_support_dice(state, battle), *_combined_arms(state, battle, battle.attackers))
    where = locations(battle)[chosen] if _taken(units) else ()
    return Pool(units, extras, where, _dice(units, extras))


def _taken(units: tuple[UnitDice, ...]) -> int:
    """Factors subtracted before any halving."""
    return -sum(step.modifier.amount for share in units for step in share.account.steps)


def _attacker(state: State, battle: Battle, unit: str, location: tuple[str, ...]) -> UnitDice:
    branch, origin = UNITS[unit].branch, battle.places[unit]
    modifiers = _subtractions(state, battle, unit, location)
    if branch == "armor" and DATA.terrain[_terrain(state, origin)].halve_armor_from:
        modifiers.append(Modifier("RV 9.1", "attacks out of a swamp", factor=HALF))
    if unit in battle.oos:
        modifiers.append(Modifier("RV 5.2", "out of supply", factor=HALF))
    if DATA.weather.kinds[state.weather].halve_attack and branch not in UNSLOWED:
        modifiers.append(Modifier("RV 13.0", "snow", factor=HALF))
    return UnitDice(unit, origin, strength(strength_of(state, unit), modifiers, Rounding.UP))


def _support_dice(state: State, battle: Battle) -> tuple[ExtraDice, ...]:
    """Air power [RV 12.1], the Black Sea Fleet [RV 12.21] and, for the Axis, the Baltic navy [RV 12.22]."""
    extras = []
    if battle.air:
        extras.append(ExtraDice("", Modifier("RV 12.1", "air power", 1)))
    if battle.naval:
        extras.append(ExtraDice("", Modifier("RV 12.21", "Black Sea Fleet", DATA.sea_control.black_sea.attack_dice)))
    dice = sea_box(state).attack_dice
    if dice and battle.attacker == AXIS and not battle.exploitation and touches(battle.targets, BALTIC_COAST):
        extras.append(ExtraDice("", Modifier("RV 12.22", "Baltic navy", dice)))
    return tuple(extras)


# [RV 9.1] the defender


def defense_pool(state: State, battle: Battle) -> Pool:
    """The defender's dice. Of a fortress hex with German units, theirs and the hex's own dice hit more easily."""
    units = tuple(_defender(state, battle, unit) for unit in battle.defenders)
    extras = (
        *_hex_dice(state, battle),
        *_leader_dice(state, battle, DEFENDER, units),
        *_combined_arms(state, battle, battle.defenders),
        *_battle_dice(state, battle),
    )
    held = {
        battle.places[unit]
        for unit in battle.defenders
        if UNITS[unit].nation == _FORTRESS.hit_from_nation and is_fortress(state, battle.places[unit])
    }
    sure = sum(u.account.value for u in units if u.hex in held and UNITS[u.unit].nation == _FORTRESS.hit_from_nation)
    sure += sum(e.modifier.amount for e in extras if e.hex in held)
    return Pool(units, extras, (), _dice(units, extras) - sure, sure, _FORTRESS.hit_from)


def _defender(state: State, battle: Battle, unit: str) -> UnitDice:
    place = battle.places[unit]
    terrain = _terrain(state, place)
    modifiers = []
    if DATA.terrain[terrain].defender_each:
        modifiers.append(Modifier("RV 9.1", terrain, DATA.terrain[terrain].defender_each))
    if unit in battle.oos:
        modifiers.append(Modifier("RV 5.2", "out of supply", factor=HALF))
    return UnitDice(unit, place, strength(strength_of(state, unit), modifiers, Rounding.UP))


def _hex_dice(state: State, battle: Battle) -> tuple[ExtraDice, ...]:
    """Forest, swamp and major city add to the total of each defended hex [RV 9.1]."""
    extras = []
    for code in battle.targets:
        for name in (_terrain(state, code), city_terrain(state, code)):
            if name and DATA.terrain[name].defender_total:
                extras.append(ExtraDice(code, Modifier("RV 9.1", name, DATA.terrain[name].defender_total)))
    return tuple(extras)


def _battle_dice(state: State, battle: Battle) -> tuple[ExtraDice, ...]:
    """Levies [RV 11.8] and the navy in the one hex chosen for it [RV 12.22]."""
    extras = [ExtraDice("", Modifier("RV 11.8", f"levies of {code}", 1)) for code in levied_cities(state, battle)]
    if battle.support:
        extras.append(ExtraDice("", Modifier("RV 12.22", "Baltic navy", battle.support)))
    return tuple(extras)


def levied_cities(state: State, battle: Battle) -> tuple[str, ...]:
    """Attacked cities of RV 11.8 that Allied units attack for the first time and have never held."""
    if battle.attacker != ALLIED:
        return ()
    return tuple(
        code
        for code in battle.targets
        if (city := MAP.hex(code).city) is not None
        and city.volksgrenadier
        and code not in state.fight.levied
        and code not in state.visited
    )


def defense_support(state: State, battle: Battle) -> int:
    """Dice that the navy may give to the Axis defense, in one Baltic coastal hex a phase; 0 for none [RV 12.22]."""
    if battle.attacker != ALLIED or state.fight.baltic or not touches(battle.targets, BALTIC_COAST):
        return 0
    box = sea_box(state)
    return box.defense_dice_exploitation if battle.exploitation else box.defense_dice_combat


# [RV 11.21] [RV 11.25] commanders


def _leader_dice(state: State, battle: Battle, role: str, units: tuple[UnitDice, ...]) -> tuple[ExtraDice, ...]:
    """Commanders' dice, each no more than the factors of the units stacked with him."""
    stacks: dict[str, int] = {}
    for share in units:
        stacks[share.hex] = stacks.get(share.hex, 0) + share.account.value
    extras = []
    for leader, place in leaders_in(state, battle, role):
        bonus = _bonus(state, leader, role, place)
        amount = min(bonus, stacks.get(place, 0))
        if amount:
            extras.append(ExtraDice(place, Modifier("RV 11.21", leader, amount)))
    return tuple(extras)


def leaders_in(state: State, battle: Battle, role: str) -> tuple[tuple[str, str], ...]:
    """Commanders whose dice count, with their hexes; of the two rivals in a hex the better one only [RV 11.25]."""
    side = battle.side(role)
    if role == ATTACKER:
        present = [leader for leader in battle.leaders if leader != HITLER]
        hitler = HITLER in battle.leaders
    else:
        present = [c for c in COMMANDERS if battle.places.get(c) in battle.targets]
        hitler = side == AXIS and state.hitler_alive and BERLIN in battle.targets
    if all(r in present for r in RIVALS) and battle.places[RIVALS[0]] == battle.places[RIVALS[1]]:
        present.remove(min(RIVALS, key=lambda r: _bonus(state, r, role, "")) if role == DEFENDER else RIVALS[1])
    found = [(leader, battle.places[leader]) for leader in present]
    return (*found, (HITLER, BERLIN)) if hitler else tuple(found)


def may_help(state: State, targets: tuple[str, ...]) -> bool:
    """Whether Zhukov and Konev help an attack on these hexes: none but Berlin once one of them is next to it [RV 11.25]."""
    near = GRID.adjacent(BERLIN)
    return BERLIN in targets or not any(BIT.get(state.at.get(rival, ""), 0) & near for rival in RIVALS)


def _bonus(state: State, leader: str, role: str, place: str) -> int:
    if leader == HITLER:
        if role == ATTACKER:
            return DATA.hitler.attack
        guarded = any(is_ss(piece) and where == BERLIN for piece, where in state.at.items())
        return DATA.hitler.defense_with_ss if guarded else DATA.hitler.defense
    return COMMANDERS[leader].attack if role == ATTACKER else COMMANDERS[leader].defense


# [RV 14.8] combined arms


def _combined_arms(state: State, battle: Battle, units: tuple[str, ...]) -> tuple[ExtraDice, ...]:
    """A die for each stack of this side in the battle with both infantry and armor."""
    if state.options.get("combined_arms") != "on":
        return ()
    arms: dict[str, set[str]] = {}
    for unit in units:
        arms.setdefault(battle.places[unit], set()).add(UNITS[unit].branch)
    return tuple(
        ExtraDice(place, Modifier("RV 14.8", "combined arms", 1))
        for place, branches in sorted(arms.items())
        if {"infantry", "armor"} <= branches
    )


def sea_box(state: State) -> SeaBox:
    """Box of the Baltic track with the naval marker [RV 12.22]."""
    return next(box for box in DATA.sea_control.boxes if box.id == state.sea)


def touches(codes: tuple[str, ...], mask: int) -> bool:
    """Whether at least one of the hexes is in the set."""
    return any(BIT[code] & mask for code in codes)


def _terrain(state: State, code: str) -> str:
    """Base terrain of a hex; in snow a swamp is clear [RV 13.0]."""
    name = MAP.hex(code).terrain
    as_snow = DATA.terrain[name].snow_as
    return as_snow if state.weather == "snow" and as_snow is not None else name


def _dice(units: tuple[UnitDice, ...], extras: tuple[ExtraDice, ...]) -> int:
    return sum(share.account.value for share in units) + sum(extra.modifier.amount for extra in extras)
