"""Advance after combat [RV 8.7].

AdvanceUnit(unit, to, commanders)     a surviving attacker takes a hex that the defenders have left
EndAdvance()                          no more advances in this battle

candidates(state)      unit -> hexes that it may advance into
progress(draft)        ends the battle when nobody can advance
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance import entry
from stavka.games.red_vengeance.board import BIT, board_of, enterable, has_room
from stavka.games.red_vengeance.combat.battle import ATTACKER, DEFENDER, Battle
from stavka.games.red_vengeance.combat.events import BattleEnded, UnitAdvanced
from stavka.games.red_vengeance.combat.leaders import companions
from stavka.games.red_vengeance.combat.losses import living
from stavka.games.red_vengeance.combat.retreat import quota
from stavka.games.red_vengeance.sequence import decision
from stavka.games.red_vengeance.state import State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice, Command, Decision
from stavka.kernel.visibility import Public


@dataclass(frozen=True, slots=True)
class AdvanceUnit:
    unit: Public[str]
    to: Public[str]
    commanders: Public[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class EndAdvance:
    pass


def candidates(state: State) -> dict[str, tuple[str, ...]]:
    """Attackers that may still advance, in counter order, with the vacated hexes that have room for them.

    Nobody advances on a side that retreated. Stacking and national bounds hold, enemy ZOC does not matter.
    """
    battle = _battle(state)
    if ATTACKER in battle.fled:
        return {}
    held = board_of(state).units[battle.side(DEFENDER)]
    vacated = [code for code in battle.targets if not BIT[code] & held]
    found = {}
    for unit in living(state, battle.attackers) if vacated else ():
        if unit in battle.advanced or state.at[unit] != battle.places[unit]:
            continue
        open_to = enterable(state, unit) & quota(state, unit)
        hexes = tuple(code for code in vacated if BIT[code] & open_to and has_room(state, unit, code))
        if hexes:
            found[unit] = hexes
    return found


def awaits(state: State) -> bool:
    """Whether the attacker has a choice now."""
    return bool(candidates(state))


def progress(draft: Draft[State]) -> None:
    if not awaits(draft.state):
        draft.emit(BattleEnded(_battle(draft.state).number))


def advance_unit(draft: Draft[State], seat: str, command: AdvanceUnit) -> None:
    """[RV 8.7] One attacker goes into a vacated hex, commanders with it."""
    state = draft.state
    _require_step(state)
    hexes = candidates(state).get(command.unit)
    if hexes is None:
        raise IllegalAction("RV 8.7", "UNIT_CANNOT_ADVANCE", unit=command.unit)
    if command.to not in hexes:
        raise IllegalAction("RV 8.7", "NO_ADVANCE_THERE", unit=command.unit, to=command.to, possible=hexes)
    if command.commanders not in companions(state, command.unit):
        raise IllegalAction("RV 8.7", "COMMANDERS_CANNOT_PART", unit=command.unit, commanders=command.commanders)
    path = (state.at[command.unit], command.to)
    draft.emit(UnitAdvanced(command.unit, _battle(state).attacker, path, command.commanders))
    entry.arrive(draft, command.unit, path)


def end_advance(draft: Draft[State], seat: str, command: EndAdvance) -> None:
    _require_step(draft.state)
    draft.emit(BattleEnded(_battle(draft.state).number))


def _require_step(state: State) -> None:
    if state.frames[-1].step != "advance":
        raise IllegalAction("RV 8.7", "WRONG_STEP", step=state.frames[-1].step)


COMMANDS: Final[dict[type, Handler]] = {
    AdvanceUnit: Handler(frozenset({"battle"}), advance_unit),
    EndAdvance: Handler(frozenset({"battle"}), end_advance),
}


def decisions(state: State) -> tuple[Decision, ...]:
    prompt = "Advance into the hexes that the defenders have left, or end the battle."
    return (decision(state, state.frames[-1].seat, "advance", "RV 8.7", tuple(COMMANDS), prompt),)


def legal(state: State) -> tuple[Choice, ...]:
    options: list[Command] = [
        AdvanceUnit(unit, to, together)
        for unit, hexes in candidates(state).items()
        for to in hexes
        for together in companions(state, unit)
    ]
    return (Choice(decisions(state)[0], (*options, EndAdvance())),)


def _battle(state: State) -> Battle:
    battle = state.battle
    assert battle is not None
    return battle
