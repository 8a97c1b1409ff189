"""Who stands on the field of a battle, and as what [VE 5.1] [VE 4.4] [VE 7.5].

    Roles: "attacker" and "defender".
    battle_of(state)                    the battle being fought
    blocks_of(state, role)              blocks that fight now, in manifest order
    waiting(state, role)                blocks that arrive in the second round [VE 4.4] [VE 5.9]
    party(state, area, attacks, ...)    the same before a battle has begun
    role_of(state, block)               role of a block that fights
    knows_events(state, block)          whether card events may touch it [VE 3.3]
    by_air(state, block)                an airborne block, dropped or not [VE 2.6]
    is_afloat(state, block)             an invader that has not landed [VE 7.5]
    is_ashore(state, block)             an army that fights as an army
    coast_here(state, block)            coast on which a ship or an invader is [VE 7.16]
    has_prey(state)                     whether the attackers have a factory to bomb
    crosses_strait(state, block)        an army that attacks across a strait [VE 1.7]
    rounds(state)                       how many rounds the attackers have by their ways of coming [VE 5.1] [VE 1.7]

In the first round a block that arrives in the second one is hidden still. What is said of it here, and so whatever the
enemy can derive, hangs on the place from which it came alone.
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.battle import Battle
from stavka.games.victory_in_europe.board import bloc_of, blocks_at, board_of, hostile, seat_of
from stavka.games.victory_in_europe.cards import concerns
from stavka.games.victory_in_europe.ground import BIT, MAP, SEAS
from stavka.games.victory_in_europe.state import AXIS, SIDES, Piece, State
from stavka.games.victory_in_europe.structures import CardEvent

ATTACKER: Final = "attacker"
DEFENDER: Final = "defender"
ROUNDS: Final = 2  # [VE 5.1]
STRAIT_ROUNDS: Final = 1  # [VE 1.7]


def battle_of(state: State) -> Battle:
    assert state.battle is not None, "no battle is being fought"
    return state.battle


def other(role: str) -> str:
    return DEFENDER if role == ATTACKER else ATTACKER


def side_in(battle: Battle, role: str) -> str:
    return battle.attacker if role == ATTACKER else battle.defender


# Who fights


def blocks_of(state: State, role: str) -> tuple[str, ...]:
    """Blocks of a role that fight in this round, in manifest order."""
    battle = battle_of(state)
    here = party(state, battle.area, battle.attacker, battle.defender, role == ATTACKER)
    if battle.round > 1:
        return here
    return tuple(block for block in here if not comes_late(state, block))


def waiting(state: State, role: str) -> tuple[str, ...]:
    """Blocks of a role that arrive in the second round."""
    battle = battle_of(state)
    if battle.round > 1:
        return ()
    here = party(state, battle.area, battle.attacker, battle.defender, role == ATTACKER)
    return tuple(block for block in here if comes_late(state, block))


def party(state: State, area: str, attacker: str, defender: str, attacks: bool) -> tuple[str, ...]:
    """Blocks in a place that fight for one side of a battle, late ones included.

    It is always the Axis against others, or a side against a neutral's garrison in the care of the other player; at
    sea Allies and Soviets fight side by side. Ships of powers that are at war with neither side stand by.
    """
    axis = (attacker == AXIS) == attacks
    return tuple(
        block
        for block in blocks_at(state, area)
        if (state.blocks[block].side == AXIS) == axis and _takes_part(state, state.blocks[block], attacker, defender)
    )


def _takes_part(state: State, piece: Piece, attacker: str, defender: str) -> bool:
    who = bloc_of(state, piece)
    if who not in SIDES:
        return who in state.attacked
    return who in (attacker, defender) or (AXIS in (attacker, defender) and hostile(state, AXIS, who))


def comes_late(state: State, block: str) -> bool:
    """Whether a block arrives in the second round: it came to the defenders' help, or by a blitz [VE 4.4] [VE 5.9]."""
    piece = state.blocks[block]
    if not piece.came:
        return False
    clash = state.clashes[piece.at]
    if (piece.side == AXIS) != (clash.attacker == AXIS):
        return True
    return came_by_blitz(state, block)


def came_by_blitz(state: State, block: str) -> bool:
    """Whether a blitz has brought a block to a battle that it has not begun [VE 5.9]."""
    corps = state.fights.corps.get(state.blocks[block].seat)
    return corps is not None and block in corps.late


def knows_events(state: State, block: str) -> bool:
    """[VE 3.3] Whether card events may touch a block: not in a battle that a blitz has begun, nor one brought by a blitz."""
    return not battle_of(state).blitz and not came_by_blitz(state, block)


def concerned(state: State, block: str, event: CardEvent) -> bool:
    """Whether a block counts as one of the event's nations in this battle, whatever its kind [VE 3.3]."""
    beside = (state.blocks[b] for b in blocks_of(state, role_of(state, block)) if knows_events(state, b))
    return concerns(event, state.blocks[block], beside)


def role_of(state: State, block: str) -> str:
    """Role of a block in the battle being fought."""
    return ATTACKER if (state.blocks[block].side == AXIS) == (battle_of(state).attacker == AXIS) else DEFENDER


def seats_of(state: State, area: str, attacker: str, defender: str) -> tuple[str, ...]:
    """Seats that fight in a place, in the order of play; whoever defends it belongs to them even without a block."""
    found = {seat_of(state, side) for side in (attacker, defender) if side in SIDES}
    for attacks in (True, False):
        found |= {state.blocks[block].seat for block in party(state, area, attacker, defender, attacks)}
    return tuple(seat for seat in state.order if seat in found)


# Armies on the ground, at sea, in the air


def by_air(state: State, block: str) -> bool:
    """Whether the block flew to its battle to drop there, which it may have done by now [VE 2.6]."""
    return state.blocks[block].aloft or block in battle_of(state).dropped


def is_afloat(state: State, block: str) -> bool:
    """Whether the block is an invader that is a naval target still [VE 7.5]."""
    piece = state.blocks[block]
    return (
        not battle_of(state).landed
        and ground.is_army(block)
        and not by_air(state, block)
        and bool(piece.came)
        and bool(BIT[piece.came] & SEAS)
    )


def is_ashore(state: State, block: str) -> bool:
    """Whether the block is an army on the ground."""
    return ground.is_army(block) and not state.blocks[block].aloft and not is_afloat(state, block)


def has_army(state: State, role: str) -> bool:
    """Whether an army of this role stands on the ground of the battle's area."""
    return any(is_ashore(state, block) for block in blocks_of(state, role))


def coast_here(state: State, block: str) -> int:
    """Coast on which a ship, or an invader before it lands, is; -1 at sea and for all others [VE 7.16]."""
    piece = state.blocks[block]
    if is_afloat(state, block):
        return ground.coast_of(piece.at, piece.came)
    return piece.coast if ground.is_ship(block) else -1


def in_base(state: State, block: str) -> bool:
    """Whether a ship lies in a naval base [VE 7.22]."""
    piece = state.blocks[block]
    return ground.is_land(piece.at) and piece.coast >= 0 and MAP.areas[piece.at].coasts[piece.coast].kind == "base"


# Factories [VE 11.33]


def bombs_factories(block: str) -> bool:
    kind = ground.BLOCKS[block].type
    return kind.branch == "air" and "factory" in kind.primary | kind.secondary


def factories_of(state: State, role: str) -> tuple[int, ...]:
    """Steps of the factory markers that this role owns in the battle's area."""
    battle = battle_of(state)
    if battle.area not in state.factories:
        return ()
    holder = board_of(state).blocs[state.control[battle.area]]
    owner = DEFENDER if (holder == AXIS) == (side_in(battle, DEFENDER) == AXIS) else ATTACKER
    return state.factories[battle.area] if owner == role else ()


def has_prey(state: State) -> bool:
    """Whether the attackers have a bomber here and the defenders a factory for it."""
    return bool(factories_of(state, DEFENDER)) and any(bombs_factories(b) for b in blocks_of(state, ATTACKER))


# Rounds [VE 5.1] [VE 1.7]


def crosses_strait(state: State, block: str) -> bool:
    """Whether a block has come to its battle over a strait; one not yet shown is judged by its border alone."""
    piece = state.blocks[block]
    border = MAP.borders.get(piece.at, {}).get(piece.came)
    return border is not None and border.terrain == "strait" and (not by_air(state, block) or _is_hidden(state, block))


def comes_by_land(state: State, block: str) -> bool:
    """Whether an army attacks otherwise than across a strait; a block not yet shown is judged by its border alone."""
    piece = state.blocks[block]
    if crosses_strait(state, block):
        return False
    if _is_hidden(state, block):
        return piece.came in MAP.borders.get(piece.at, {})
    return ground.is_army(block) and bool(piece.came) and not by_air(state, block)


def _is_hidden(state: State, block: str) -> bool:
    return battle_of(state).round <= 1 and comes_late(state, block)


def rounds(state: State, role: str = ATTACKER) -> int:
    """Two when this role attacks, but one when every attacking army has come over a strait (ruling on VE 1.7)."""
    everybody = (*blocks_of(state, role), *waiting(state, role))
    if any(comes_by_land(state, block) for block in everybody):
        return ROUNDS
    return STRAIT_ROUNDS if any(ground.is_army(b) and crosses_strait(state, b) for b in everybody) else ROUNDS
