"""Step losses: who takes the hits, one step at a time [RV 8.5, RV 8.6, RV 11.1].

    TakeLoss(unit)           the owner gives the next step loss to a unit
    OrderRetreat()           the survivors retreat instead of taking the remaining hits [RV 8.52]

    8.51 takers(state)       units that may take the next step
    8.52 retreat_hexes(state)  length of the retreat that the present role may order now
    8.53 awaits(state)         whether the owner has a choice
         progress(draft)       what is not the owner's choice: too many hits, a single taker, lapsed hits
    8.54 the order of the roles stands in `Battle.order` (see `dice`)

A step of a shock army takes two hits, of any other unit one. Hits are counted, not steps; for shock armies alone an odd
last hit lapses. The first loss is always taken; whatever is left after it may be avoided by retreat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import BIT, units_at
from stavka.games.red_vengeance.combat.battle import DEFENDER, Battle
from stavka.games.red_vengeance.combat.blows import CasualtiesClosed
from stavka.games.red_vengeance.combat.events import (
    HitsLapsed,
    LossTaken,
    RetreatOrdered,
    RoleSettled,
)
from stavka.games.red_vengeance.combat.leaders import hurt
from stavka.games.red_vengeance.combat.strength import BERLIN
from stavka.games.red_vengeance.ground import UNITS
from stavka.games.red_vengeance.sequence import decision
from stavka.games.red_vengeance.state import State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice, Command, Decision
from stavka.kernel.visibility import Public

SHOCK_HITS: Final = 2
"""Hits that make one step loss of a shock army [RV 11.1]."""
ATTACKER_RETREAT: Final = 1
"""Hexes that attacking units retreat at most [RV 8.62]."""

STEPS: Final = ("losses", "shortfall")
"""Steps of a battle in which steps are lost."""


@dataclass(frozen=True, slots=True)
class TakeLoss:
    unit: Public[str]


@dataclass(frozen=True, slots=True)
class OrderRetreat:
    pass


# [RV 8.51] step losses, [RV 11.1] shock armies


def living(state: State, units: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the units that are on the map."""
    return tuple(u for u in units if state.at[u] in BIT)


def cost_of(unit: str) -> int:
    """Hits that one step of a unit takes."""
    return SHOCK_HITS if UNITS[unit].branch == "shock" else 1


def capacity(state: State, units: tuple[str, ...]) -> int:
    """Hits that remove all of the units."""
    return sum(state.steps[u] * cost_of(u) for u in units)


def step_hits(units: tuple[str, ...]) -> int:
    """Hits that count together for a force: a pair for shock armies alone, whose odd last hit lapses."""
    return SHOCK_HITS if all(cost_of(u) > 1 for u in units) else 1


def takers(state: State) -> tuple[str, ...]:
    """Units that may take the next step of what is left, in counter order; () when nobody can."""
    casualties = state.fight.casualties
    if casualties is not None:
        return units_at(state, casualties.hex) if casualties.hits else ()
    battle = _battle(state)
    group = living(state, battle.units(battle.role))
    if state.frames[-1].step == "shortfall":
        return tuple(u for u in group if cost_of(u) <= min(battle.left, battle.short.get(u, 0)))
    return tuple(u for u in group if cost_of(u) <= battle.left)


# [RV 8.52] retreat instead


def retreat_hexes(state: State) -> int:
    """Hexes that the survivors may retreat now instead of taking what is left; 0 when they may not.

    The first loss must have been taken; an attacker may avoid one step loss only [RV 8.62].
    """
    battle = _battle(state)
    if state.frames[-1].step != "losses" or not battle.lost:
        return 0
    hexes = battle.left // step_hits(living(state, battle.units(battle.role)))
    return hexes if battle.role == DEFENDER or hexes <= ATTACKER_RETREAT else 0


# [RV 8.53] what the owner cannot choose


def awaits(state: State) -> bool:
    """Whether the owner has a choice now."""
    able = takers(state)
    if state.fight.casualties is not None:
        return len(able) > 1
    return bool(able) and not _too_many(state) and (len(able) > 1 or retreat_hexes(state) > 0)


def _too_many(state: State) -> bool:
    """More step losses than would remove every unit of the role: no retreat then."""
    battle = _battle(state)
    if state.frames[-1].step != "losses" or battle.lost:
        return False
    group = living(state, battle.units(battle.role))
    each = step_hits(group)
    return battle.left // each * each > capacity(state, group)


def progress(draft: Draft[State]) -> None:
    """Take losses that leave no choice; settle the role when nothing is left. Emits nothing if its owner must choose."""
    state = draft.state
    if state.fight.casualties is not None:
        _casualties(draft)
        return
    battle = _battle(state)
    group = living(state, battle.units(battle.role))
    able = takers(state)
    if not battle.left:
        draft.emit(RoleSettled(battle.role))
    elif not able:
        draft.emit(HitsLapsed(battle.left))
    elif _too_many(state):
        for unit in group:
            for _ in range(state.steps[unit]):
                if draft.state.at[unit] in BIT:
                    _take(draft, unit)
    elif not awaits(state):
        _take(draft, able[0])


def _casualties(draft: Draft[State]) -> None:
    """Hits outside of a battle: all of them are step losses [RV 11.5, RV 11.7]."""
    casualties, able = draft.state.fight.casualties, takers(draft.state)
    assert casualties is not None
    if not able:
        draft.emit(CasualtiesClosed(casualties.hex))
    elif len(able) == 1:
        _take(draft, able[0])


def _take(draft: Draft[State], unit: str) -> None:
    state, battle = draft.state, draft.state.battle
    casualties = state.fight.casualties
    if casualties is not None:
        draft.emit(LossTaken(unit, 1))
        hurt(draft, unit, casualties.cause, out_of_supply=None)
        return
    assert battle is not None
    first_in_berlin = not any(battle.places[w] == BERLIN for w in battle.wounded)
    draft.emit(LossTaken(unit, cost_of(unit)))
    hurt(draft, unit, "combat", out_of_supply=unit in battle.oos, shocks_hitler=first_in_berlin)


def _battle(state: State) -> Battle:
    battle = state.battle
    assert battle is not None
    return battle


# Commands


def take_loss(draft: Draft[State], seat: str, command: TakeLoss) -> None:
    """[RV 8.51] The owner decides which unit takes the step."""
    _require_step(draft.state)
    if command.unit not in takers(draft.state):
        raise IllegalAction("RV 8.51", "UNIT_TAKES_NO_LOSS", unit=command.unit)
    _take(draft, command.unit)


def order_retreat(draft: Draft[State], seat: str, command: OrderRetreat) -> None:
    """[RV 8.52] All survivors of the role will retreat."""
    _require_step(draft.state)
    hexes = retreat_hexes(draft.state) if draft.state.fight.casualties is None else 0
    if not hexes:
        raise IllegalAction("RV 8.52", "NO_RETREAT_NOW")
    battle = _battle(draft.state)
    draft.emit(RetreatOrdered(hexes, living(draft.state, battle.units(battle.role))))


def _require_step(state: State) -> None:
    frame = state.frames[-1]
    if frame.kind == "battle" and frame.step not in STEPS:
        raise IllegalAction("RV 8.51", "WRONG_STEP", step=frame.step)


COMMANDS: Final[dict[type, Handler]] = {
    TakeLoss: Handler(frozenset({"battle", "casualties"}), take_loss),
    OrderRetreat: Handler(frozenset({"battle"}), order_retreat),
}


def decisions(state: State) -> tuple[Decision, ...]:
    frame = state.frames[-1]
    prompt = (
        "Give the next step loss to a unit, or retreat." if retreat_open(state) else "Give the step loss to a unit."
    )
    rule = state.fight.casualties.rule if state.fight.casualties is not None else "RV 8.51"
    return (decision(state, frame.seat, "losses", rule, (TakeLoss, OrderRetreat), prompt),)


def legal(state: State) -> tuple[Choice, ...]:
    options: list[Command] = [TakeLoss(unit) for unit in takers(state)]
    if retreat_open(state):
        options.append(OrderRetreat())
    return (Choice(decisions(state)[0], tuple(options)),)


def retreat_open(state: State) -> bool:
    return state.fight.casualties is None and retreat_hexes(state) > 0
