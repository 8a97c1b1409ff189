"""Battle turns within a round: whose turn it is, and what a block does with it [VE 5.2] [VE 5.3] [VE 5.6] [VE 7.5].

    Fire Retreat Hold TakeHit           commands
    turn_of(state) -> Turn | None       class, role and blocks of the present battle turn; None when the round is over
    options(state, seat)                what a seat may do in it
    leave(draft, block, way, ...)       a block leaves the battle
    landing_due(state)                  whether the landing phase comes before anything else

A block acts in the order of its class, the defenders first within a class; the owner says which of his blocks of the
same class is next. While invaders are at sea, armies wait until all else of their class has acted: then they land.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle import hits
from stavka.games.victory_in_europe.battle.battle import LEAVE
from stavka.games.victory_in_europe.battle.events import BorderUsed, TurnPassed
from stavka.games.victory_in_europe.battle.field import (
    ATTACKER,
    DEFENDER,
    battle_of,
    blocks_of,
    is_afloat,
    waiting,
)
from stavka.games.victory_in_europe.battle.fire import classes, firepower, is_orderly, objection, targets
from stavka.games.victory_in_europe.battle.ways import Way, retreats
from stavka.games.victory_in_europe.board import viewers_of
from stavka.games.victory_in_europe.events import BlockMoved, BlocksHidden, StepsSet
from stavka.games.victory_in_europe.losses import remove
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.visibility import Owner, OwnSeat

CLASSES: Final = "ABCD"  # [VE 5.2]
RETREAT_LOSS: Final = 1  # steps, in the first round [VE 5.6]


@dataclass(frozen=True, slots=True)
class Fire(OwnSeat):
    """Fire at a target type: air, army, naval, submarine, convoy or factory [VE 5.4]."""

    seat: Owner[str]
    block: Owner[str]
    target: Owner[str]


@dataclass(frozen=True, slots=True)
class Retreat(OwnSeat):
    """Leave the battle; `coast` tells which coast of a port area a ship goes to, -1 for all others [VE 5.6]."""

    seat: Owner[str]
    block: Owner[str]
    target: Owner[str]
    coast: Owner[int] = -1


@dataclass(frozen=True, slots=True)
class Hold(OwnSeat):
    """Let the battle turn pass, or for a block with two classes wait for the later one."""

    seat: Owner[str]
    block: Owner[str]


@dataclass(frozen=True, slots=True)
class TakeHit(OwnSeat):
    """Of equally strong blocks, the one that takes the next hit [VE 5.4]."""

    seat: Owner[str]
    block: Owner[str]


# [VE 5.2] whose turn it is


@dataclass(frozen=True, slots=True)
class Turn:
    letter: str
    role: str
    blocks: tuple[str, ...]


def turn_of(state: State) -> Turn | None:
    """The present battle turn: the first class and role with blocks that have not acted in this round."""
    first: tuple[int, bool, bool] | None = None
    found: list[str] = []
    letters: dict[str, str] = {}
    for role in (DEFENDER, ATTACKER):
        for block in blocks_of(state, role):
            letter = _next_class(state, block)
            if not letter:
                continue
            key = (CLASSES.index(letter), _lands_first(state, block, letter), role == ATTACKER)
            letters[block] = letter
            if first is None or key < first:
                first, found = key, []
            if key == first:
                found.append(block)
    if first is None:
        return None
    return Turn(CLASSES[first[0]], ATTACKER if first[2] else DEFENDER, tuple(found))


def _next_class(state: State, block: str) -> str:
    """The class in which a block acts next in this round, "" when it has acted."""
    acted = battle_of(state).acted
    if block in acted:
        return ""
    return next((letter for letter in classes(block) if f"{block}@{letter}" not in acted), "")


def _lands_first(state: State, block: str, letter: str) -> bool:
    """[VE 7.5] Whether a block waits for the landing: an army in its own class while invaders are at sea."""
    return ground.is_army(block) and letter == classes(block)[-1] and invaders_at_sea(state)


def invaders_at_sea(state: State) -> bool:
    return any(is_afloat(state, block) for block in blocks_of(state, ATTACKER))


def landing_due(state: State) -> bool:
    """[VE 7.5] Invaders land before any ground unit fires."""
    if not invaders_at_sea(state):
        return False
    turn = turn_of(state)
    return turn is None or _lands_first(state, turn.blocks[0], turn.letter)


def is_last_class(block: str, letter: str) -> bool:
    return classes(block)[-1:] == (letter,)


# What a seat may do


def fires(state: State, block: str, letter: str) -> tuple[str, ...]:
    """Target types at which a block can fire in a class."""
    return tuple(target for target, power in targets(state, block).items() if power.letter == letter)


def has_choice(state: State, block: str, letter: str) -> bool:
    """Whether a block can do anything but hold."""
    return bool(fires(state, block, letter)) or bool(retreats(state, block))


def actor(state: State) -> str:
    """Seat that acts in the present turn, "" when blocks that can only hold are to be passed; of partners the first in order."""
    turn = turn_of(state)
    if turn is None or not all(has_choice(state, block, turn.letter) for block in turn.blocks):
        return ""
    seats = {state.blocks[block].seat for block in turn.blocks}
    return next(seat for seat in state.order if seat in seats)


def options(state: State, seat: str) -> tuple[object, ...]:
    """Everything that a seat may do in the present turn."""
    turn = turn_of(state)
    found: list[object] = []
    for block in turn.blocks if turn is not None else ():
        if state.blocks[block].seat != seat or turn is None:
            continue
        found += [Fire(seat, block, target) for target in fires(state, block, turn.letter)]
        found += [Retreat(seat, block, way.target, way.coast) for way in retreats(state, block)]
        found.append(Hold(seat, block))
    return tuple(found)


def hit_options(state: State) -> tuple[object, ...]:
    return tuple(TakeHit(hit_seat(state), block) for block in hits.takers(state))


def hit_seat(state: State) -> str:
    """Seat that chooses who takes the next hit, "" when no hit is pending; of partners the first in order."""
    seats = {state.blocks[block].seat for block in hits.takers(state)}
    return next((seat for seat in state.order if seat in seats), "")


# Commands


def _require_turn(state: State, seat: str, block: str) -> Turn:
    """[VE 5.2] The block is the seat's and its turn has come."""
    turn = turn_of(state)
    assert turn is not None
    require_own(state, seat, block)
    if block not in turn.blocks:
        raise IllegalAction("VE 5.2", "NOT_ITS_TURN", block=block, turn=turn.letter)
    return turn


def require_own(state: State, seat: str, block: str) -> None:
    """Whatever is not the seat's own gets the same answer, whether it exists or not."""
    if block not in state.blocks or state.blocks[block].seat != seat:
        raise IllegalAction("VE 5.2", "NOT_YOUR_BLOCK", block=block)


def fire(draft: Draft[State], seat: str, command: Fire) -> None:
    """[VE 5.3] [VE 5.4] A block fires at a declared target type."""
    state, block, target = draft.state, command.block, command.target
    turn = _require_turn(state, seat, block)
    power = firepower(state, block, target)
    if power is None:
        raise IllegalAction("VE 5.4", "NOT_A_TARGET", block=block, target=target)
    refused = objection(state, block, target)
    if refused is not None:
        raise IllegalAction(*refused, block=block, target=target)
    if not power.value:
        raise IllegalAction("VE 5.3", "NO_FIREPOWER", block=block, target=target)
    if power.letter != turn.letter:
        raise IllegalAction("VE 5.2", "OTHER_CLASS", block=block, target=target, turn=turn.letter)
    hits.fire(draft, block, target)


def retreat(draft: Draft[State], seat: str, command: Retreat) -> None:
    """[VE 5.6] [VE 6.4] [VE 7.3] [VE 7.7] A block retreats on its turn, or leaves because it must."""
    state, block = draft.state, command.block
    leaving = battle_of(state).stage == LEAVE
    if leaving:
        require_own(state, seat, block)
        if block not in leavers(state):
            raise IllegalAction("VE 5.1", "NEED_NOT_LEAVE", block=block)
    else:
        _require_turn(state, seat, block)
    way = next((w for w in retreats(state, block) if (w.target, w.coast) == (command.target, command.coast)), None)
    if way is None:
        raise IllegalAction(_retreat_rule(state, block), "NO_RETREAT_THERE", block=block, target=command.target)
    leave(draft, block, way, voluntary=not leaving)


def _retreat_rule(state: State, block: str) -> str:
    if ground.is_air(block) or state.blocks[block].aloft:
        return "VE 6.4"
    if ground.is_ship(block):
        return "VE 7.3"
    return "VE 5.6"


def leave(draft: Draft[State], block: str, way: Way, voluntary: bool) -> None:
    """[VE 5.6] [VE 5.5] [VE 7.3] Take what the retreat costs, then go.

    A step in the first round when it is voluntary, a step for a half-hit, a step for a port out of range.
    """
    state = draft.state
    piece, battle = state.blocks[block], battle_of(draft.state)
    left = piece.steps - way.loss - piece.half
    if voluntary and battle.round == 1 and not is_orderly(state, block):
        left -= RETREAT_LOSS
    if left < (0 if ground.is_leader(block) else 1):
        remove(draft, block, "retreat")
        return
    if left != piece.steps:
        draft.emit(StepsSet(viewers_of(state, block), {block: (left, False)}, "retreat"))
    if way.border:
        draft.emit(BorderUsed(battle.viewers, f"{piece.side}|{way.border}"))
    viewers = viewers_of(draft.state, block)
    draft.emit(BlockMoved(viewers, block, piece.nation, piece.at, way.target, "", way.coast, False, "retreat"))
    draft.emit(BlocksHidden(way.target))


def leavers(state: State) -> tuple[str, ...]:
    """[VE 5.1] Attackers when the battle is over: they leave, those that came too late to fight included."""
    if battle_of(state).stage != LEAVE:
        return ()
    return (*blocks_of(state, ATTACKER), *waiting(state, ATTACKER))


def hold(draft: Draft[State], seat: str, command: Hold) -> None:
    """[VE 5.2] Neither fire nor retreat."""
    turn = _require_turn(draft.state, seat, command.block)
    pass_turn(draft, (command.block,), turn.letter)


def pass_turn(draft: Draft[State], blocks: tuple[str, ...], letter: str) -> None:
    """Let turns pass: for the round, or for a class if the block has a later one."""
    for block in blocks:
        if is_last_class(block, letter):
            hits.drop(draft, block)
    marks = tuple(block if is_last_class(block, letter) else f"{block}@{letter}" for block in blocks)
    draft.emit(TurnPassed(battle_of(draft.state).viewers, marks))


def take_hit(draft: Draft[State], seat: str, command: TakeHit) -> None:
    """[VE 5.4] The owner picks one of his equally strong blocks."""
    if command.block not in hits.takers(draft.state):
        raise IllegalAction("VE 5.4", "NOT_THE_STRONGEST", block=command.block)
    hits.take(draft, command.block)


def pass_idle(draft: Draft[State]) -> bool:
    """Pass the turn of blocks that can only hold; whether there were any."""
    turn = turn_of(draft.state)
    if turn is None:
        return False
    idle = tuple(block for block in turn.blocks if not has_choice(draft.state, block, turn.letter))
    if idle:
        pass_turn(draft, idle, turn.letter)
    return bool(idle)
