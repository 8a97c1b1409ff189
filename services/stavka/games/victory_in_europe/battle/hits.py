"""Rolls and the hits that they score [VE 5.3] [VE 5.4] [VE 5.5] [VE 11.33].

    DICE                                     dice rolled for any block, whatever its strength
    fire(draft, block, target)               roll, and give out the hits as far as nobody has a choice
    takers(state)                            blocks among which the owner of the next hit must choose; () when there is none
    take(draft, block)                       the owner's choice; goes on giving out

For every block the same number of dice is rolled, and as many count as it has steps: so that those who do not fight in
the battle learn nothing from the history of rolls.
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.battle import Shot
from stavka.games.victory_in_europe.battle.events import AirborneDropped, HitsTaken, ShotFired
from stavka.games.victory_in_europe.battle.field import battle_of, factories_of, other, role_of
from stavka.games.victory_in_europe.battle.fire import (
    Firepower,
    can_lose,
    double_defense,
    enemies,
    firepower,
    flak_power,
    group,
    is_spared,
)
from stavka.games.victory_in_europe.board import viewers_of
from stavka.games.victory_in_europe.events import FactoriesSet, StepsSet
from stavka.games.victory_in_europe.losses import remove
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft

DICE: Final = 4  # the strongest blocks have four steps [VE 2.2]
FACTORY: Final = "factory"


# Rolling [VE 5.3]


def fire(draft: Draft[State], block: str, target: str) -> None:
    """[VE 5.3] A block fires at a target type; whoever calls has seen to it that it may."""
    power = firepower(draft.state, block, target)
    assert power is not None
    drop(draft, block)
    steps = draft.state.blocks[block].steps
    _roll(draft, block, role_of(draft.state, block), target, steps, power, is_spared(block, target))
    _give_out(draft)


def fire_flak(draft: Draft[State], role: str, steps: int) -> None:
    """[VE 11.33] The factory markers of a role fire at aircraft with as many dice as they have steps."""
    _roll(draft, FACTORY, role, "air", steps, flak_power(), False)
    _give_out(draft)


def drop(draft: Draft[State], block: str) -> None:
    """[VE 2.6] An airborne block drops on its first battle turn."""
    if draft.state.blocks[block].aloft:
        draft.emit(AirborneDropped(viewers_of(draft.state, block), block))


def _roll(draft: Draft[State], block: str, role: str, target: str, steps: int, power: Firepower, spares: bool) -> None:
    battle = battle_of(draft.state)
    label = f"battle {battle.number} round {battle.round} roll {battle.count}"
    dice = draft.roll.dice(label, DICE)[:steps]
    hits = sum(die <= power.value for die in dice)
    draft.emit(ShotFired(battle.viewers, block, role, target, dice, power.value, hits, spares))


# Giving out [VE 5.4] [VE 5.5]


def takers(state: State) -> tuple[str, ...]:
    """Blocks on which the next hit of the pending shot may fall; () when no shot is pending."""
    shot = battle_of(state).shot
    return () if shot is None else _candidates(state, shot)


def take(draft: Draft[State], block: str) -> None:
    """[VE 5.4] The owner has chosen which of his strongest blocks takes the next hit."""
    shot = battle_of(draft.state).shot
    assert shot is not None
    _hit(draft, block)
    draft.emit(HitsTaken(battle_of(draft.state).viewers, shot.hits - 1))
    _give_out(draft)


def _give_out(draft: Draft[State]) -> None:
    """Give out the pending hits until an owner has a choice; hits that nothing can take are forfeit."""
    shot = battle_of(draft.state).shot
    if shot is None:
        return
    if shot.target == FACTORY:
        _hit_factories(draft, shot)
        return
    left = shot.hits
    while left:
        found = _candidates(draft.state, shot)
        if not found:
            left = 0
        elif len(found) > 1 and not (left >= len(found) and _all_lose_a_step(draft.state, found)):
            break
        else:
            for block in found:
                _hit(draft, block)
            left -= len(found)
    if left != shot.hits or not left:
        draft.emit(HitsTaken(battle_of(draft.state).viewers, left))


def _all_lose_a_step(state: State, found: tuple[str, ...]) -> bool:
    """Whether each takes one hit for a step, so that the order does not matter when there is a hit for each."""
    return not any(double_defense(state, block) for block in found)


def _candidates(state: State, shot: Shot) -> tuple[str, ...]:
    """[VE 5.4] The strongest of the target type, but a block with a half-hit takes the next one first [VE 5.5]."""
    found = _targets_of(state, shot)
    halves = tuple(b for b in found if state.blocks[b].half and can_lose(state, b, shot.spares))
    if halves:
        return _strongest(state, halves)
    return tuple(b for b in _strongest(state, found) if can_lose(state, b, shot.spares))


def _targets_of(state: State, shot: Shot) -> tuple[str, ...]:
    if shot.block in state.blocks:
        return group(state, shot.block, shot.target)
    return enemies(state, shot.role, shot.target)


def _strongest(state: State, blocks: tuple[str, ...]) -> tuple[str, ...]:
    most = max((state.blocks[b].steps for b in blocks), default=0)
    return tuple(b for b in blocks if state.blocks[b].steps == most)


def _hit(draft: Draft[State], block: str) -> None:
    """[VE 5.5] [VE 2.2] One hit: half a step for a block with double defense, a step for all others."""
    piece = draft.state.blocks[block]
    if double_defense(draft.state, block) and not piece.half:
        after, half = piece.steps, True
    else:
        after, half = piece.steps - 1, False
    if after < (0 if ground.is_leader(block) else 1):
        remove(draft, block, "hit")
    else:
        draft.emit(StepsSet(viewers_of(draft.state, block), {block: (after, half)}, "hit"))


def _hit_factories(draft: Draft[State], shot: Shot) -> None:
    """[VE 6.3] [VE 11.33] Hits on factory markers, the strongest one first; bombs can destroy them."""
    battle = battle_of(draft.state)
    markers = list(factories_of(draft.state, other(shot.role)))
    for _ in range(shot.hits):
        if markers:
            strongest = markers.index(max(markers))
            markers[strongest] -= 1
            markers = [steps for steps in markers if steps]
    draft.emit(FactoriesSet(battle.area, tuple(markers)))
    draft.emit(HitsTaken(battle.viewers, 0))
