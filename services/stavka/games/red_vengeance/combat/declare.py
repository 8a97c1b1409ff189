"""Declaring attacks [RV 8.1 to RV 8.42, RV 11.42, RV 12.1, RV 12.21, RV 14.6].

    DeclareBattle(targets, attackers, air, naval)     one battle; it is fought at once, then the next may be declared
    EndCombat()                                       no more attacks in this phase

    able(state)                  units that may attack now -> enemy hexes that they may attack
    plan(state, seat, command)   the battle that a command would begin; refuses what the rules forbid
    open_battle(state)           whether the phasing side can attack at all

All attackers of a battle are next to all of its hexes [RV 8.41]. An Allied attack may leave an adjacent hex alone if other
Allied units that have not attacked yet are still next to it and free to attack it: so each declaration leaves a way to attack
everything, and the last such unit has to take it [RV 8.1]. A unit that attacks alone all that it may is never refused, so no
phase comes to a dead end. Who is adjacent is judged as battles are fought, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from stavka.games.red_vengeance.board import BIT, board_of, commanders_at, order_of, side_of, side_units, units_at
from stavka.games.red_vengeance.combat import special
from stavka.games.red_vengeance.combat.battle import HITLER, Battle
from stavka.games.red_vengeance.combat.events import BattleDeclared
from stavka.games.red_vengeance.combat.strength import BERLIN, RIVALS, defense_support, is_fortress, may_help, touches
from stavka.games.red_vengeance.ground import BLACK_SEA_COAST, GRID, UNITS, YUGOSLAVIA
from stavka.games.red_vengeance.movement import EXPLOITATION, allowance
from stavka.games.red_vengeance.state import ALLIED, AXIS, State, other
from stavka.games.red_vengeance.supply import out_of_supply
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.visibility import Public

MAX_INTO_YUGOSLAVIA: Final = 2
"""Soviet units a turn that attack into Yugoslavia [RV 11.42]."""
COMBAT: Final = "combat"
EXPLOITATION_COMBAT: Final = "exploitation_combat"
PHASES: Final = frozenset({COMBAT, EXPLOITATION_COMBAT})


@dataclass(frozen=True, slots=True)
class DeclareBattle:
    targets: Public[tuple[str, ...]]
    attackers: Public[tuple[str, ...]]
    air: Public[bool] = False
    naval: Public[bool] = False


@dataclass(frozen=True, slots=True)
class EndCombat:
    pass


# [RV 8.1] [RV 8.2] [RV 8.3] [RV 8.42] who may attack what


def able(state: State) -> dict[str, int]:
    """Units of the phasing side, in counter order, that may attack now, with the hexes that each may attack."""
    side, phase = state.frames[1].seat, combat_phase(state)
    enemy = board_of(state).units[other(side)]
    full = len(state.fight.into_yugoslavia) >= MAX_INTO_YUGOSLAVIA
    found = {}
    for unit in side_units(state, side):
        near = GRID.adjacent(state.at[unit]) & enemy
        if full and _is_southern(state, unit) and unit not in state.fight.into_yugoslavia:
            near &= ~YUGOSLAVIA
        if near and unit not in state.fight.attacked and may_attack_in(state, unit, phase):
            found[unit] = near
    return found


def combat_phase(state: State) -> str:
    """Kind of the present combat phase; of another phase the kind that comes next, for questions asked before it."""
    kind = state.frames[1].kind
    return kind if kind in PHASES else EXPLOITATION_COMBAT if kind.startswith("exploitation") else COMBAT


def may_attack_in(state: State, unit: str, phase: str) -> bool:
    """Every unit in the Combat Phase; in the other one shock armies and units with exploitation movement [RV 8.3]."""
    return phase == COMBAT or UNITS[unit].branch == "shock" or allowance(state, unit, EXPLOITATION) > 0


def _is_southern(state: State, unit: str) -> bool:
    """Whether an attack of this unit on a Yugoslav hex counts for RV 11.42: a Soviet unit outside the country."""
    return UNITS[unit].nation == "soviet" and not BIT[state.at[unit]] & YUGOSLAVIA


def open_battle(state: State) -> bool:
    return bool(able(state))


# [RV 8.43] the plan of a battle


def plan(state: State, seat: str, command: DeclareBattle) -> Battle:
    """The battle that the command declares. Raises IllegalAction or MalformedCommand."""
    targets, attackers = _named(command)
    phase, ours = combat_phase(state), able(state)
    for unit in attackers:
        _require_able(state, seat, unit, phase)
    mask = GRID.mask(targets)
    for code in targets:
        if not BIT[code] & board_of(state).units[other(seat)]:
            raise IllegalAction("RV 8.41", "NO_ENEMY_THERE", hex=code)
    southern = southerners(state, attackers, mask)
    if len(southern | state.fight.into_yugoslavia) > MAX_INTO_YUGOSLAVIA:
        raise IllegalAction("RV 11.42", "TOO_MANY_INTO_YUGOSLAVIA", units=tuple(sorted(southern)))
    for unit in attackers:
        if mask & ~GRID.adjacent(state.at[unit]):
            raise IllegalAction("RV 8.41", "NOT_ADJACENT", unit=unit, targets=targets)
    if phase == COMBAT and seat == AXIS:
        _require_all(state, attackers, mask)
    if phase == COMBAT and seat == ALLIED:
        left = uncovered(state, ours, attackers, mask)
        if left:
            raise IllegalAction("RV 8.1", "LEAVES_HEX_UNATTACKED", hexes=GRID.codes(left))
    _require_support(state, seat, command, targets, phase)
    return _muster(state, seat, targets, attackers, command)


def _named(command: DeclareBattle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Targets in reading order and attackers in counter order, checked for sense alone."""
    for unit in command.attackers:
        if unit not in UNITS:
            raise MalformedCommand("UNKNOWN_UNIT", f"there is no unit {unit}", unit=unit)
    GRID.mask(command.targets)
    if not command.attackers or not command.targets:
        raise MalformedCommand("EMPTY_BATTLE", "a battle needs attackers and targets")
    targets, attackers = set(command.targets), set(command.attackers)
    if len(targets) != len(command.targets) or len(attackers) != len(command.attackers):
        raise MalformedCommand("NAMED_TWICE", "a unit or hex is named twice")
    return tuple(sorted(targets)), tuple(sorted(attackers, key=order_of))


def _require_able(state: State, seat: str, unit: str, phase: str) -> None:
    if state.at[unit] not in BIT or side_of(state, unit) != seat:
        raise IllegalAction("RV 8.43", "NOT_YOUR_UNIT", unit=unit)
    if unit in state.fight.attacked:
        raise IllegalAction("RV 8.42", "HAS_ATTACKED", unit=unit)
    if not may_attack_in(state, unit, phase):
        raise IllegalAction("RV 8.3", "MAY_NOT_EXPLOIT", unit=unit)


def _require_all(state: State, attackers: tuple[str, ...], mask: int) -> None:
    """[RV 8.2] An Axis attacker takes on all that is next to it; out of a fortress it may choose a single hex."""
    enemy = board_of(state).units[ALLIED]
    for unit in attackers:
        ignored = GRID.adjacent(state.at[unit]) & enemy & ~mask
        if ignored and not (is_fortress(state, state.at[unit]) and mask.bit_count() == 1):
            raise IllegalAction("RV 8.2", "MUST_ATTACK_ALL_ADJACENT", unit=unit, hexes=GRID.codes(ignored))


def uncovered(state: State, ours: Mapping[str, int], attackers: tuple[str, ...], mask: int) -> int:
    """[RV 8.1] Hexes not attacked yet in this phase that the attackers leave alone and nobody else is sure to attack.

    A Soviet unit outside Yugoslavia is not for hexes in it: others may use up the limit before its turn [RV 11.42].
    """
    beside = cover = 0
    for unit, near in ours.items():
        if unit in attackers:
            beside |= near
        else:
            cover |= near & ~YUGOSLAVIA if _is_southern(state, unit) else near
    left = beside & ~mask & ~cover
    return left and left & ~_attacked(state, left)


def _attacked(state: State, hexes: int) -> int:
    """Those of the hexes whose units have all been attacked in this phase."""
    defended = state.fight.defended
    return GRID.mask(code for code in GRID.codes(hexes) if all(u in defended for u in units_at(state, code)))


def southerners(state: State, attackers: tuple[str, ...], mask: int) -> frozenset[str]:
    """Attackers that this battle would add to those of RV 11.42."""
    return frozenset(u for u in attackers if _is_southern(state, u)) if mask & YUGOSLAVIA else frozenset()


def _require_support(state: State, seat: str, command: DeclareBattle, targets: tuple[str, ...], phase: str) -> None:
    if command.air:
        if phase != COMBAT:
            raise IllegalAction("RV 12.1", "AIR_ONLY_IN_COMBAT_PHASE")
        if state.air < 1:
            raise IllegalAction("RV 12.1", "NO_AIR_POWER_LEFT")
    if command.naval and not fleet_ready(state, seat, targets, phase):
        raise IllegalAction("RV 12.21", "NO_FLEET_SUPPORT", targets=targets)


def fleet_ready(state: State, seat: str, targets: tuple[str, ...], phase: str) -> bool:
    """Whether the Black Sea Fleet can help: one Allied attack on its coast in each Allied Combat Phase [RV 12.21]."""
    return seat == ALLIED and phase == COMBAT and not state.fight.black_sea and touches(targets, BLACK_SEA_COAST)


def _muster(
    state: State, seat: str, targets: tuple[str, ...], attackers: tuple[str, ...], command: DeclareBattle
) -> Battle:
    """Everybody who takes part, where he stands, and who of them is out of supply now [RV 8.45]."""
    defenders = tuple(sorted((u for code in targets for u in units_at(state, code)), key=order_of))
    origins = {state.at[unit] for unit in attackers}
    bound = () if may_help(state, targets) else RIVALS
    free = [c for o in sorted(origins) for c in commanders_at(state, o) if c not in state.fight.attacked]
    leaders = [c for c in free if c not in bound]
    places = {piece: state.at[piece] for piece in (*attackers, *defenders, *leaders)}
    places |= {c: code for code in targets for c in commanders_at(state, code)}
    if seat == AXIS and BERLIN in origins and state.hitler_alive and HITLER not in state.fight.attacked:
        leaders.append(HITLER)
    cut_off = out_of_supply(state, AXIS) | out_of_supply(state, ALLIED)
    return Battle(
        number=state.fight.battles + 1,
        attacker=seat,
        exploitation=combat_phase(state) == EXPLOITATION_COMBAT,
        targets=targets,
        attackers=attackers,
        defenders=defenders,
        leaders=tuple(leaders),
        places=places,
        oos=frozenset(u for u in (*attackers, *defenders) if u in cut_off),
        air=command.air,
        naval=command.naval,
    )


# Commands


def declare_battle(draft: Draft[State], seat: str, command: DeclareBattle) -> None:
    state = draft.state
    battle = plan(state, seat, command)
    southern = southerners(state, battle.attackers, GRID.mask(battle.targets))
    step = "support" if defense_support(state, battle) else "roll"
    draft.emit(BattleDeclared(battle, step, tuple(sorted(southern)), special.is_ordered_offensive(state, battle)))


def end_combat(draft: Draft[State], seat: str, command: EndCombat) -> None:
    """[RV 8.1] The Allied Combat Phase ends when every attack that must be made has been made."""
    require_may_end(draft.state, seat)
    special.end_phase(draft)


def require_may_end(state: State, seat: str) -> None:
    """Raises IllegalAction while an attack is still owed."""
    ours = able(state)
    if state.frames[1].kind == COMBAT and seat == ALLIED and ours:
        raise IllegalAction("RV 8.1", "MUST_ATTACK", units=tuple(ours))
    owing = special.bulge_owing(state, ours)
    if owing:
        raise IllegalAction("RV 14.6", "OFFENSIVE_UNITS_MUST_ATTACK", pieces=owing)


def from_args(args: Mapping[str, Any]) -> DeclareBattle:
    """A command from plain data: ids and hexes as lists, or joined by blanks. Raises MalformedCommand WRONG_SHAPE."""
    flags = [args.get(name) in (True, "true", "yes") for name in ("air", "naval")]
    return DeclareBattle(_words(args, "targets"), _words(args, "attackers"), *flags)


def _words(args: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = args.get(name)
    words = value.split() if isinstance(value, str) else value
    if isinstance(words, list | tuple) and all(isinstance(word, str) for word in words):
        return tuple(words)
    raise MalformedCommand("WRONG_SHAPE", f"{name}: a list, or words joined by blanks", argument=name)


COMMANDS: Final[dict[type, Handler]] = {
    DeclareBattle: Handler(PHASES, declare_battle),
    EndCombat: Handler(PHASES, end_combat),
}
