"""Firepower and targets [VE 2.3] [VE 5.3] [VE 5.4] [VE 5.5] [VE 6.3] [VE 7.2] [VE 7.6].

TARGETS                                 target types: air army naval submarine convoy factory
firepower(state, block, target)         Firepower with its modifiers, None when the block never fires at such a target
enemies(state, role, target)            blocks of a target type on the other side
group(state, block, target)             those of them that its hits could fall on, in manifest order
targets(state, block)                   target types at which it can fire now, with their firepower
classes(block)                          classes in which a block may act, first one first
is_spared(block, target)                whether its hits cannot take an army's last step
double_defense(state, block)            why a block takes two hits for a step; () when it does not
flak(state, role)                       dice of the role's factories [VE 11.33]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.field import (
    DEFENDER,
    battle_of,
    blocks_of,
    bombs_factories,
    coast_here,
    concerned,
    factories_of,
    in_base,
    is_afloat,
    is_ashore,
    knows_events,
    other,
    role_of,
)
from stavka.games.victory_in_europe.cards import event_of
from stavka.games.victory_in_europe.ground import BLOCKS, MAP, TERRAIN, TYPES
from stavka.games.victory_in_europe.season import winter_at
from stavka.games.victory_in_europe.state import State
from stavka.games.victory_in_europe.structures import CardEvent

TARGETS: Final = ("air", "army", "naval", "submarine", "convoy", "factory")
SECONDARY: Final = -1  # at secondary targets [VE 5.4]
FOREST: Final = 1  # defending infantry [VE 5.31]
WINTER_PRIMARY: Final = 1  # [VE 3.42]
WINTER_SECONDARY: Final = 0  # [VE 3.42]


@dataclass(frozen=True, slots=True)
class Modifier:
    """What changes a firepower: citation, in our words, and by how much."""

    rule: str
    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Firepower:
    """`letter`: class in which it fires; `value`: highest roll that hits, 0 for none; `items` add up to it."""

    letter: str
    value: int
    column: str
    items: tuple[Modifier, ...]


def firepower(state: State, block: str, target: str) -> Firepower | None:
    """[VE 5.3] What a roll of this block needs against a target type; None when it never fires at it."""
    counter = BLOCKS[block]
    kind = counter.type
    fixed = counter.fire_at.get(target)
    if target in kind.primary or (fixed is not None and fixed != kind.fire_at.get(target)):
        column = "primary"
    elif target in kind.secondary:
        column = "secondary"
    elif fixed is not None:
        column = "primary"
    else:
        return None
    if fixed is not None:
        letter, base = fixed[0], int(fixed[1:])
        items = [Modifier("VE 7.21" if fixed == kind.fire_at.get(target) else "VE 13 Malta", fixed, base)]
    else:
        letter, base = counter.fire_class, counter.fire
        items = [Modifier("VE 2.3", f"{letter}{base}", base)]
        if column == "secondary":
            items.append(Modifier("VE 5.4", "secondary target", SECONDARY))
    if not letter:
        return None
    items += _circumstances(state, block, column, sum(item.amount for item in items))
    return Firepower(letter, max(0, sum(item.amount for item in items)), column, tuple(items))


def _circumstances(state: State, block: str, column: str, so_far: int) -> list[Modifier]:
    """Weather, then terrain, then cards [VE 5.32] [VE 5.31] [VE 3.3]."""
    area, items = battle_of(state).area, []
    if winter_at(state, area) and not any(_works(state, block, e) for e in events(state, block, "winter_fire")):
        level = WINTER_PRIMARY if column == "primary" else WINTER_SECONDARY
        items.append(Modifier("VE 3.42", "winter", level - so_far))
    forest = ground.is_land(area) and TERRAIN[MAP.areas[area].terrain].defense == "fire"
    if forest and role_of(state, block) == DEFENDER and ground.is_infantry(block) and is_ashore(state, block):
        items.append(Modifier("VE 5.31", "infantry defending forest", FOREST))
    for event in events(state, block, "firepower_bonus"):
        if _works(state, block, event) and event.role in ("any", "", role_of(state, block)):
            items.append(Modifier("VE 3.3", "card event", event.amount))
    return items


# Card events [VE 3.3]


def events(state: State, block: str, kind: str) -> list[CardEvent]:
    """Events of a kind that the block's own seat has put into this battle; none in a blitz."""
    seat, area = state.blocks[block].seat, battle_of(state).area
    if seat not in state.allotted.get(area, ()) or not knows_events(state, block):
        return []
    event = event_of(state, seat)
    return [event] if event is not None and event.kind == kind else []


def _works(state: State, block: str, event: CardEvent) -> bool:
    """Whether an event touches a block: its nation's, or a minor's beside one of these, and of the right kind."""
    if event.types and ground.kind(block) not in event.types:
        return False
    return concerned(state, block, event)


# Targets [VE 5.4]


def _air(state: State, enemy: str) -> bool:
    return ground.is_air(enemy) or state.blocks[enemy].aloft


def _naval(state: State, enemy: str) -> bool:
    return is_afloat(state, enemy) or (ground.is_ship(enemy) and not ground.is_submarine(enemy))


def _submarine(state: State, enemy: str) -> bool:
    return ground.is_submarine(enemy)


def _convoy(state: State, enemy: str) -> bool:
    return ground.branch(enemy) == "convoy"


_MEMBERS: Final[dict[str, Callable[[State, str], bool]]] = {
    "air": _air,
    "army": is_ashore,
    "naval": _naval,
    "submarine": _submarine,
    "convoy": _convoy,
}


def enemies(state: State, role: str, target: str) -> tuple[str, ...]:
    """[VE 5.4] Blocks of a target type that fight against a role, in manifest order. "factory" has none."""
    if target == "factory":
        return ()
    return tuple(enemy for enemy in blocks_of(state, other(role)) if _MEMBERS[target](state, enemy))


def group(state: State, block: str, target: str) -> tuple[str, ...]:
    """[VE 5.4] Enemies of a target type in a block's reach; ships reach no ship or invader on another coast [VE 7.16].

    Convoys are naval targets for all but submarines, which aim at the one or the other [VE 7.8].
    """
    found = enemies(state, role_of(state, block), target)
    if target == "naval" and ground.is_submarine(block):
        found = tuple(enemy for enemy in found if not _convoy(state, enemy))
    if ground.is_ship(block) and target in ("naval", "submarine", "convoy"):
        found = tuple(enemy for enemy in found if coast_here(state, enemy) == coast_here(state, block))
    return found


def is_spared(block: str, target: str) -> bool:
    """[VE 6.3] [VE 7.6] Bombs from the air and shells from the sea cannot take the last step of an army."""
    return target == "army" and ground.branch(block) in ("air", "naval")


def can_lose(state: State, block: str, spared: bool) -> bool:
    """Whether a block can take a hit: its last step is safe from bombs and shore bombardment."""
    return not spared or state.blocks[block].steps > (0 if ground.is_leader(block) else 1)


def targets(state: State, block: str) -> dict[str, Firepower]:
    """Target types at which a block can fire now and hit something, in the order of TARGETS."""
    return {
        target: power
        for target in TARGETS
        if (power := firepower(state, block, target)) is not None
        and power.value > 0
        and not objection(state, block, target)
    }


def objection(state: State, block: str, target: str) -> tuple[str, str] | None:
    """Why a block cannot fire at a target type although it may as a rule: (citation, reason)."""
    if not state.blocks[block].steps:
        return "VE 5.3", "NO_STEPS"  # a leader's zero step rolls no dice
    if ground.is_submarine(block) and role_of(state, block) == DEFENDER and in_base(state, block):
        return "VE 7.22", "SUBMARINE_IN_BASE"
    if target == "factory":
        return None if factories_of(state, other(role_of(state, block))) else ("VE 11.33", "NO_TARGET")
    spared = is_spared(block, target)
    if spared and ground.branch(block) == "naval" and not _supports(state, block):
        return "VE 7.6", "NO_LAND_BATTLE"
    found = group(state, block, target)
    if not found:
        return "VE 5.4", "NO_TARGET"
    if not any(can_lose(state, enemy, spared) for enemy in found):
        return ("VE 6.3" if ground.is_air(block) else "VE 7.6"), "LAST_STEPS"
    return None


def _supports(state: State, block: str) -> bool:
    """Whether a ship's own armies fight here, ashore or still to land [VE 7.6]."""
    return any(ground.is_army(b) for b in blocks_of(state, role_of(state, block)))


def classes(block: str) -> tuple[str, ...]:
    """[VE 5.2] Classes in which a block may act, in order; it may let its turn pass in all but the last one.

    Only Malta has two: C against ships, D otherwise.
    """
    counter = BLOCKS[block]
    if not counter.fire_class:
        return ()
    return tuple(sorted({counter.fire_class, *(power[0] for power in counter.fire_at.values())}))


# [VE 11.33] flak


def flak(state: State, role: str) -> int:
    """Steps of the role's factories, which fire when an enemy bomber of factories takes part in the battle."""
    if not any(bombs_factories(enemy) for enemy in blocks_of(state, other(role))):
        return 0
    return sum(factories_of(state, role))


def flak_power() -> Firepower:
    """[VE 11.33] [VE 3.42] A1, in winter as well."""
    printed = TYPES["factory"].fire_at["air"]
    items = [Modifier("VE 11.33", printed, int(printed[1:]))]
    return Firepower(printed[0], int(printed[1:]), "primary", tuple(items))


# [VE 5.5] double defense


def double_defense(state: State, block: str) -> tuple[Modifier, ...]:
    """[VE 5.5] Why a step of this block costs two hits; () when it costs one."""
    area, found = battle_of(state).area, []
    defends = role_of(state, block) == DEFENDER
    if BLOCKS[block].type.double_defense:
        found.append(Modifier("VE 2.6", "fortress", 1))
    mountain = ground.is_land(area) and TERRAIN[MAP.areas[area].terrain].defense == "double"
    if mountain and defends and ground.is_infantry(block) and is_ashore(state, block):
        found.append(Modifier("VE 1.13", "infantry defending mountains", 1))
    if defends and ground.is_submarine(block) and in_base(state, block):
        found.append(Modifier("VE 7.22", "submarine in a naval base", 1))
    if defends and any(_works(state, block, e) for e in events(state, block, "double_defense")):
        found.append(Modifier("VE 3.3", "card event", 1))
    return tuple(found)


def is_orderly(state: State, block: str) -> bool:
    """[VE 3.3] Whether an event spares the block the step of a first-round retreat."""
    return any(concerned(state, block, event) for event in events(state, block, "orderly_retreat"))
