"""Stacking as it is enforced [RV 6.3, RV 11.6, RV 14.5].

At the end of each movement phase the opponent removes units of the phasing side, as he likes, until no hex holds too many.
Each may cost the life of a commander who stood with it [RV 11.23].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import excess, side_of, units_at
from stavka.games.red_vengeance.combat.leaders import strike_off
from stavka.games.red_vengeance.entry import rejoin_dietrich
from stavka.games.red_vengeance.ground import UNITS
from stavka.games.red_vengeance.sequence import advance, decision, phasing
from stavka.games.red_vengeance.state import State, other
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Public

FRAMES: Final = frozenset({"stacking", "exploitation_stacking"})


@dataclass(frozen=True, slots=True)
class RemoveExcess:
    """Remove an enemy unit from a hex that holds too many [RV 6.3]."""

    unit: Public[str]


def react(draft: Draft[State]) -> None:
    if not excess(draft.state, phasing(draft.state)):
        rejoin_dietrich(draft)
        advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    if not excess(state, phasing(state)):
        return ()
    prompt = "A hex holds too many enemy units: choose one to remove."
    return (decision(state, other(phasing(state)), "excess", "RV 6.3", (RemoveExcess,), prompt),)


def removable(state: State) -> list[str]:
    """Units of the phasing side in hexes that hold too many. Divisions do not count and stay [RV 11.6]."""
    return [u for code in excess(state, phasing(state)) for u in units_at(state, code) if UNITS[u].size != "division"]


def legal(state: State) -> tuple[Choice, ...]:
    return tuple(Choice(open_, tuple(RemoveExcess(unit) for unit in removable(state))) for open_ in decisions(state))


def _remove(draft: Draft[State], seat: str, command: RemoveExcess) -> None:
    unit = command.unit
    if unit not in UNITS:
        raise MalformedCommand("UNKNOWN_UNIT", unit=unit)
    if unit not in removable(draft.state):
        raise IllegalAction("RV 6.3", "NOT_IN_EXCESS", unit=unit, side=side_of(draft.state, unit))
    strike_off(draft, unit, "stacking", out_of_supply=False)


COMMANDS: Final = {RemoveExcess: Handler(FRAMES, _remove)}
