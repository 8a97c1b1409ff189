"""The battle's dice, and the navy that may join the defense before them [RV 8.43, RV 8.54, RV 11.27, RV 12.22].

SendNavy(help)         the Axis player adds the navy's dice to this defense, once a phase, or keeps it back
roll(draft)            both sides' dice, the hits and the order in which they are applied
distribution(pool)     chances of 0, 1, 2, ... hits of a pool
odds(state, args)      explanation: both pools item by item and their chances, for a battle being fought or planned
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from stavka.games.red_vengeance.combat import declare
from stavka.games.red_vengeance.combat.battle import ATTACKER, DEFENDER, Battle
from stavka.games.red_vengeance.combat.events import BattleRolled, SupportDecided
from stavka.games.red_vengeance.combat.leaders import no_hit_on_berlin
from stavka.games.red_vengeance.combat.strength import (
    HIT_FROM,
    Pool,
    attack_pool,
    defense_pool,
    defense_support,
    levied_cities,
)
from stavka.games.red_vengeance.sequence import decision
from stavka.games.red_vengeance.state import AXIS, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice, Decision
from stavka.kernel.odds import hits
from stavka.kernel.visibility import Public

SIDES_OF_A_DIE: Final = 6


@dataclass(frozen=True, slots=True)
class SendNavy:
    help: Public[bool]


# [RV 12.22] the navy in the defense


def send_navy(draft: Draft[State], seat: str, command: SendNavy) -> None:
    state = draft.state
    if state.frames[-1].step != "support":
        raise IllegalAction("RV 12.22", "WRONG_STEP", step=state.frames[-1].step)
    draft.emit(SupportDecided(defense_support(state, _battle(state)) if command.help else 0))


COMMANDS: Final[dict[type, Handler]] = {SendNavy: Handler(frozenset({"battle"}), send_navy)}


def awaits(state: State) -> bool:
    return True


def decisions(state: State) -> tuple[Decision, ...]:
    prompt = "Send the navy to this defense, once a phase, or keep it back."
    return (decision(state, AXIS, "support", "RV 12.22", (SendNavy,), prompt),)


def legal(state: State) -> tuple[Choice, ...]:
    return (Choice(decisions(state)[0], (SendNavy(True), SendNavy(False))),)


# [RV 8.43] [RV 8.54] the dice


def roll(draft: Draft[State]) -> None:
    """Both sides roll; the role with more hits goes first, the attacker when they are equal."""
    state = draft.state
    battle = _battle(state)
    ours, theirs = attack_pool(state, battle), defense_pool(state, battle)
    label = f"battle {battle.number}"
    attack = draft.roll.dice(f"{label}, attacker", ours.dice)
    defense = draft.roll.dice(f"{label}, defender", theirs.dice)
    fortress = draft.roll.dice(f"{label}, fortress", theirs.fortress) if theirs.fortress else ()
    suffered = {
        ATTACKER: hits(defense, HIT_FROM) + hits(fortress, theirs.fortress_from),
        DEFENDER: hits(attack, HIT_FROM),
    }
    order = (DEFENDER, ATTACKER) if suffered[DEFENDER] > suffered[ATTACKER] else (ATTACKER, DEFENDER)
    draft.emit(
        BattleRolled(
            number=battle.number,
            attack=attack,
            defense=defense,
            fortress=fortress,
            fortress_from=theirs.fortress_from,
            hits=suffered,
            order=order,
            levied=levied_cities(state, battle),
        )
    )
    no_hit_on_berlin(draft)


def _battle(state: State) -> Battle:
    battle = state.battle
    assert battle is not None
    return battle


# Explanation


def distribution(pool: Pool) -> tuple[float, ...]:
    """Chance of exactly 0, 1, ... hits, up to every die."""
    chances = [1.0]
    for count, hit_from in ((pool.dice, HIT_FROM), (pool.fortress, pool.fortress_from)):
        hit = (SIDES_OF_A_DIE + 1 - hit_from) / SIDES_OF_A_DIE
        for _ in range(count):
            missed = [c * (1 - hit) for c in chances] + [0.0]
            for number, chance in enumerate(chances):
                missed[number + 1] += chance * hit
            chances = missed
    return tuple(chances)


def odds(state: State, args: Mapping[str, Any]) -> dict[str, Any]:
    """Dice of both sides with every modifier and its rule.

    Without arguments the battle being fought, else the one that the same arguments of DeclareBattle would declare
    (`targets`, `attackers`, `air`, `naval`); it is judged as the command would be, before the combat phase as if it had
    come. Raises as the command does, and IllegalAction NOBODY_ATTACKS_NOW outside player turns.
    """
    battle = state.battle
    if args or battle is None:
        if len(state.frames) < 2 or not state.frames[1].seat:
            raise IllegalAction("RV 8.0", "NOBODY_ATTACKS_NOW")
        battle = declare.plan(state, state.frames[1].seat, declare.from_args(args))
    return {
        "battle": battle.number,
        "targets": list(battle.targets),
        "out_of_supply": sorted(battle.oos),
        ATTACKER: _explained(battle.side(ATTACKER), attack_pool(state, battle)),
        DEFENDER: _explained(battle.side(DEFENDER), defense_pool(state, battle)),
        "navy": defense_support(state, battle),
    }


def _explained(side: str, pool: Pool) -> dict[str, Any]:
    return {
        "side": side,
        "dice": pool.dice,
        "hit_from": HIT_FROM,
        "fortress_dice": pool.fortress,
        "fortress_hit_from": pool.fortress_from,
        "location": list(pool.location),
        "units": [
            {
                "unit": share.unit,
                "hex": share.hex,
                "factor": share.account.base,
                "dice": share.account.value,
                "modifiers": [
                    {
                        "rule": step.modifier.rule,
                        "what": step.modifier.what,
                        "before": step.before,
                        "after": step.after,
                    }
                    for step in share.account.steps
                ],
            }
            for share in pool.units
        ],
        "extras": [
            {"rule": e.modifier.rule, "what": e.modifier.what, "hex": e.hex, "dice": e.modifier.amount}
            for e in pool.extras
        ],
        "chances": [round(chance, 6) for chance in distribution(pool)],
    }
