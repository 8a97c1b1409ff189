"""Attacks on neutrals over time [VE 10.3] [VE 10.2]: they must go on every turn, and who survives one is easier to win.

under_attack(state)               attacked neutrals
is_attacked_now(state, minor)     whether a minor has been attacked in this turn
reward_defenders(draft)           after surrenders: the bonus of neutrals that survive
lapsed(state)                     attacked neutrals that are left alone and return to neutrality
turn_neutral(draft, minor)
"""

from __future__ import annotations

from stavka.games.victory_in_europe.board import viewers_of
from stavka.games.victory_in_europe.control import owners_of
from stavka.games.victory_in_europe.diplomacy.events import DefenseRewarded
from stavka.games.victory_in_europe.diplomacy.handover import blocks_of, pass_area
from stavka.games.victory_in_europe.diplomacy.patrons import LEADING, opponent
from stavka.games.victory_in_europe.events import BlockRemoved, MinorTurned
from stavka.games.victory_in_europe.ground import COUNTRIES, MAP, MINORS
from stavka.games.victory_in_europe.state import NEUTRAL, State
from stavka.kernel.draft import Draft


def under_attack(state: State) -> tuple[str, ...]:
    """Neutral minors with which a side is at war, in the order of the countries."""
    return tuple(minor for minor in MINORS if minor in state.attacked)


def is_attacked_now(state: State, minor: str) -> bool:
    """Whether a battle was fought in one of its areas in this turn, or one was taken from it."""
    fought = any(area in state.fought for area in COUNTRIES[minor].areas)
    return fought or state.affairs.assailed.get(minor) == state.turn


def reward_defenders(draft: Draft[State]) -> None:
    """[VE 10.2] The side that defends a neutral gets its bonus for the first attack that the neutral survives."""
    affairs = draft.state.affairs
    for minor in under_attack(draft.state):
        known = minor in affairs.defended or minor in affairs.spent
        if not known and is_attacked_now(draft.state, minor):
            draft.emit(DefenseRewarded(minor, opponent(draft.state.attacked[minor])))


def lapsed(state: State) -> tuple[str, ...]:
    """[VE 10.3] Neutrals whose attacker has not kept up the attack."""
    return tuple(minor for minor in under_attack(state) if not is_attacked_now(state, minor))


def turn_neutral(draft: Draft[State], minor: str) -> None:
    """[VE 10.3] Its forces leave the map, to come back whole if it is attacked again; areas that others took stay theirs.

    Whoever else stands on its ground holds it with an army or leaves it. What it holds abroad is its old owner's again
    [VE 4.1]; if that country is gone, the leading power's of the side for which the minor fought [VE 10.0].
    """
    state = draft.state
    side = opponent(state.attacked[minor]) if minor in state.attacked else state.minors[minor]
    for block in blocks_of(state, minor):
        piece = state.blocks[block]
        draft.emit(BlockRemoved(viewers_of(state, block), block, minor, piece.at, "home", "neutral"))
    draft.emit(MinorTurned(minor, NEUTRAL))
    for area in MAP.areas:
        if draft.state.control.get(area) != minor:
            continue
        if area not in COUNTRIES[minor].areas:
            pass_area(draft, area, next(iter(owners_of(draft.state, area)), LEADING[side]))
        elif any(piece.at == area for piece in draft.state.blocks.values()):
            pass_area(draft, area, minor)
