"""What the phasing side may do in a combat phase, enumerated [RV 8.1 to RV 8.42].

    decisions(state) legal(state)     the one decision of the phase: declare a battle, or end the phase

For each set of target hexes every set of attackers is listed while at most MAX_WHOLE units could take part; of larger groups
all together, each hex alone and each unit alone. The list is complete when no group is larger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from stavka.games.red_vengeance.combat import special
from stavka.games.red_vengeance.combat.declare import (
    COMBAT,
    MAX_INTO_YUGOSLAVIA,
    DeclareBattle,
    EndCombat,
    able,
    fleet_ready,
    open_battle,
    require_may_end,
    southerners,
    uncovered,
)
from stavka.games.red_vengeance.combat.strength import is_fortress
from stavka.games.red_vengeance.ground import GRID
from stavka.games.red_vengeance.sequence import decision
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice, Command, Decision
from stavka.kernel.spaces import indices

MAX_WHOLE: Final = 3
"""Attackers of one target set whose subsets are all listed."""


def awaits(state: State) -> bool:
    """Whether the phasing side can attack; the raids of April 1945 come first [RV 11.5]."""
    return not special.raids_due(state) and open_battle(state)


def decisions(state: State) -> tuple[Decision, ...]:
    frame = state.frames[-1]
    rule = "RV 8.3" if frame.kind != COMBAT else "RV 8.1" if frame.seat == ALLIED else "RV 8.2"
    prompt = "Declare a battle or end the phase."
    return (decision(state, frame.seat, frame.kind, rule, (DeclareBattle, EndCombat), prompt),)


def legal(state: State) -> tuple[Choice, ...]:
    frame = state.frames[-1]
    ours = able(state)
    options: list[Command] = []
    complete = True
    for mask, group in _groups(state, ours).items():
        complete = complete and len(group) <= MAX_WHOLE
        for attackers in _teams(state, group):
            if _allowed(state, ours, attackers, mask):
                options += _variants(state, frame.seat, frame.kind, mask, attackers)
    try:
        require_may_end(state, frame.seat)
        options.append(EndCombat())
    except IllegalAction:
        pass
    domain = {
        "attackers": {unit: list(GRID.codes(near)) for unit, near in ours.items()},
        "air": state.air if frame.kind == COMBAT else 0,
        "rule": "every attacker next to every target; no adjacent hex left that nobody else is sure to attack [RV 8.1, RV 8.41]",
    }
    return (Choice(decisions(state)[0], tuple(options), complete, {} if complete else domain),)


def _groups(state: State, ours: Mapping[str, int]) -> dict[int, tuple[str, ...]]:
    """Target sets -> units that may attack exactly these hexes together."""
    frame = state.frames[-1]
    whole = frame.kind == COMBAT and frame.seat == AXIS
    groups: dict[int, list[str]] = {}
    if not whole:
        for near in dict.fromkeys(ours.values()):
            for mask in _subsets(near):
                groups.setdefault(mask, [])
        for mask, group in groups.items():
            group += [unit for unit, near in ours.items() if not mask & ~near]
        return {mask: tuple(group) for mask, group in groups.items()}
    for unit, near in ours.items():
        for mask in _axis_targets(state, unit, near):
            groups.setdefault(mask, []).append(unit)
    return {mask: tuple(group) for mask, group in groups.items()}


def _axis_targets(state: State, unit: str, near: int) -> list[int]:
    """[RV 8.2] everything next to the unit, or out of a fortress any single hex."""
    singles = [1 << i for i in indices(near)] if is_fortress(state, state.at[unit]) else []
    return list(dict.fromkeys((near, *singles)))


def _subsets(mask: int) -> Iterator[int]:
    """Non-empty subsets, the whole first."""
    part = mask
    while part:
        yield part
        part = (part - 1) & mask


def _teams(state: State, group: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Sets of attackers, each in counter order."""
    if len(group) <= MAX_WHOLE:
        return [team for size in range(len(group), 0, -1) for team in combinations(group, size)]
    hexes: dict[str, list[str]] = {}
    for unit in group:
        hexes.setdefault(state.at[unit], []).append(unit)
    return list(dict.fromkeys((group, *(tuple(stack) for stack in hexes.values()), *((unit,) for unit in group))))


def _allowed(state: State, ours: Mapping[str, int], attackers: tuple[str, ...], mask: int) -> bool:
    """What `plan` asks of units that are able and next to every target."""
    frame = state.frames[-1]
    into = southerners(state, attackers, mask) | state.fight.into_yugoslavia
    if len(into) > MAX_INTO_YUGOSLAVIA:
        return False
    return frame.kind != COMBAT or frame.seat != ALLIED or not uncovered(state, ours, attackers, mask)


def _variants(state: State, seat: str, phase: str, mask: int, attackers: tuple[str, ...]) -> Iterator[DeclareBattle]:
    targets = GRID.codes(mask)
    airs = (False, True) if phase == COMBAT and state.air else (False,)
    fleets = (False, True) if fleet_ready(state, seat, targets, phase) else (False,)
    for air in airs:
        for naval in fleets:
            yield DeclareBattle(targets, attackers, air, naval)
