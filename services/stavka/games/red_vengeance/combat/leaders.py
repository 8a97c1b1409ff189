"""Commanders in danger and Hitler's end [RV 11.23, RV 11.24, RV 11.27].

hurt(draft, unit, cause, out_of_supply)         a step loss with all that it does to commanders and to Hitler
strike_off(draft, unit, cause, out_of_supply)   a unit removed whatever its steps, with the dice of its commanders
companions(state, unit)                         sets of commanders that may go along when a unit retreats or advances
no_hit_on_berlin(draft)                         Hitler's die after an attack on Berlin that failed
judge_hitler(draft)                             Hitler's die in the Allied Command Phase
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from stavka.games.red_vengeance import losses
from stavka.games.red_vengeance.board import BIT, board_of, commanders_at, is_ss, side_of, units_at
from stavka.games.red_vengeance.combat.battle import DEFENDER
from stavka.games.red_vengeance.combat.events import CommanderRisked, HitlerWavered
from stavka.games.red_vengeance.combat.strength import BERLIN
from stavka.games.red_vengeance.entry import DIETRICH, rejoin_dietrich
from stavka.games.red_vengeance.events import CommanderPlaced, CommanderRemoved, HitlerDied
from stavka.games.red_vengeance.ground import COMMANDERS, DATA, GRID, UNITS
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.draft import Draft

KILLED_ON: Final = 1
"""A commander dies on this die result or less [RV 11.23]."""


def hurt(draft: Draft[State], unit: str, cause: str, *, out_of_supply: bool | None, shocks_hitler: bool = True) -> None:
    """One step of a unit is lost. Rolls for commanders when that removes it, and for Hitler when it stood in Berlin.

    `shocks_hitler` is false from the second loss in Berlin of one battle on: one die a battle [RV 11.27].
    """
    place, side = draft.state.at[unit], side_of(draft.state, unit)
    losses.lose_step(draft, unit, cause, out_of_supply=out_of_supply)
    if draft.state.steps[unit] == 0:
        _mourn(draft, unit, place, side)
    if shocks_hitler and side == AXIS and place == BERLIN:
        _tempt(draft, "hit", DATA.hitler.suicide_hit, f"Hitler, {unit} hit")


# [RV 11.23] death of a commander


def strike_off(draft: Draft[State], unit: str, cause: str, *, out_of_supply: bool) -> None:
    """A unit leaves the map at once, for good if it was out of supply; a die for each commander of its stack."""
    place, side = draft.state.at[unit], side_of(draft.state, unit)
    losses.remove(draft, unit, cause, out_of_supply=out_of_supply)
    _mourn(draft, unit, place, side)


def _mourn(draft: Draft[State], unit: str, place: str, side: str) -> None:
    """A unit of a side is gone from a hex: a die for each commander who stood there."""
    for commander in commanders_at(draft.state, place):
        if COMMANDERS[commander].side == side:
            _risk(draft, commander, unit, place)


def _risk(draft: Draft[State], commander: str, unit: str, place: str) -> None:
    alone = not units_at(draft.state, place)
    die = draft.roll.dice(f"commander {commander}, {unit} lost", 1)[0]
    modifier = 1 if alone else 0
    draft.emit(CommanderRisked(commander, die, modifier))
    if die - modifier <= KILLED_ON:
        draft.emit(CommanderRemoved(commander, "killed"))
    elif alone:
        _displace(draft, commander, place)
    elif commander == DIETRICH:
        rejoin_dietrich(draft)


def _displace(draft: Draft[State], commander: str, place: str) -> None:
    """To the nearest unit of his own: Yugoslav, Soviet or SS; of equally near hexes the first in reading order."""
    board = board_of(draft.state)
    homes = [code for code, pieces in board.stacks.items() if any(_follows(commander, piece) for piece in pieces)]
    if homes:
        nearest = min(homes, key=lambda code: (GRID.distance(place, code), code))
        draft.emit(CommanderPlaced(commander, nearest))
    else:
        draft.emit(CommanderRemoved(commander, "stranded"))


def _follows(commander: str, unit: str) -> bool:
    """Whether a commander may save himself to this unit. Dietrich stays with SS units [RV 11.24]."""
    if unit not in UNITS:
        return False
    return is_ss(unit) if commander == DIETRICH else UNITS[unit].nation == COMMANDERS[commander].nation


def companions(state: State, unit: str) -> tuple[tuple[str, ...], ...]:
    """Which commanders may leave a hex together with a unit; all of them when nobody else stays there.

    Dietrich goes with SS units only and never stays without one [RV 11.24].
    """
    place, side = state.at[unit], side_of(state, unit)
    present = tuple(c for c in commanders_at(state, place) if COMMANDERS[c].side == side)
    stay = [u for u in units_at(state, place) if u != unit]
    if not stay:
        return (present,)
    forced = {c for c in present if c == DIETRICH and not any(is_ss(u) for u in stay)}
    free = [c for c in present if c not in forced and (c != DIETRICH or is_ss(unit))]
    return tuple(
        tuple(c for c in present if c in forced or c in chosen)
        for size in range(len(free) + 1)
        for chosen in combinations(free, size)
    )


# [RV 11.27] Hitler


def no_hit_on_berlin(draft: Draft[State]) -> None:
    """A die when an Allied attack on Berlin has scored no hit."""
    battle = draft.state.battle
    assert battle is not None
    if battle.attacker == ALLIED and BERLIN in battle.targets and battle.hits[DEFENDER] == 0:
        _tempt(draft, "no_hit", DATA.hitler.suicide_attack_without_hit, f"Hitler, battle {battle.number}")


def judge_hitler(draft: Draft[State]) -> None:
    """A die in the Allied Command Phase if Berlin is surrounded and no Axis unit is in it."""
    board = board_of(draft.state)
    around = GRID.adjacent(BERLIN)
    if not around & ~(board.units[ALLIED] | board.zoc[ALLIED]) and not BIT[BERLIN] & board.units[AXIS]:
        _tempt(draft, "surrounded", DATA.hitler.suicide_surrounded, "Hitler, Berlin surrounded")


def _tempt(draft: Draft[State], cause: str, needed: int, label: str) -> None:
    if not draft.state.hitler_alive:
        return
    die = draft.roll.dice(label, 1)[0]
    draft.emit(HitlerDied(cause, die) if die >= needed else HitlerWavered(cause, die))
