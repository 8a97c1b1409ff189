"""Movement by sea on the Baltic [RV 12.22].

    harbors(state, piece, mode)              ports to which an Axis unit may sail now
    sail_losses(draft, unit, die)            what the Allied player's die does to a unit that has sailed

One unit in each Axis movement phase goes from a port to another one, both in Axis hands, for 1 MP. It may move by land
before and after.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import BIT, board_of, enterable
from stavka.games.red_vengeance.combat.leaders import hurt
from stavka.games.red_vengeance.control import controls
from stavka.games.red_vengeance.entry import arrive
from stavka.games.red_vengeance.events import UnitSailed
from stavka.games.red_vengeance.ground import BALTIC_PORTS, GRID, PIECES, SEA_BOXES, UNITS
from stavka.games.red_vengeance.movement import EXPLOITATION, MOVE, allowance, escort, move_rules
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.visibility import Public

SAIL_COST: Final = 1  # MP [RV 12.22]


@dataclass(frozen=True, slots=True)
class SailUnit:
    """Take a unit from its port to another one [RV 12.22]."""

    unit: Public[str]
    port: Public[str]


def _mode(state: State) -> str:
    return MOVE if state.frames[-1].kind == "movement" else EXPLOITATION


def axis_ports(state: State) -> int:
    """Baltic ports in Axis hands."""
    return sum(BIT[code] for code in GRID.codes(BALTIC_PORTS) if controls(state, AXIS, code))


def _refusal(state: State, unit: str, mode: str) -> str:
    """Why the unit cannot sail anywhere now; "" when it can."""
    box = SEA_BOXES[state.sea]
    if state.sailed >= box.sea_moves:
        return "NO_SEA_MOVE_LEFT"
    if not BIT[state.at[unit]] & axis_ports(state):
        return "NOT_IN_A_PORT"
    if unit in state.spent and unit != state.mover:
        return "HAS_MOVED"
    if unit in state.spent and move_rules(state, unit, mode).stop & BIT[state.at[unit]]:
        return "MUST_STOP"
    if allowance(state, unit, mode) - state.spent.get(unit, 0) < SAIL_COST:
        return "ALLOWANCE_EXCEEDED"
    return ""


def harbors(state: State, piece: str, mode: str) -> tuple[str, ...]:
    """Ports to which the piece may sail; () for commanders, Allied units and units that cannot sail."""
    if piece not in UNITS or not BIT[state.at[piece]] & board_of(state).units[AXIS] & BALTIC_PORTS:
        return ()
    if _refusal(state, piece, mode):
        return ()
    return GRID.codes(_open_ports(state, piece) & escort(state, piece, mode))


def _open_ports(state: State, unit: str) -> int:
    return axis_ports(state) & enterable(state, unit) & ~BIT[state.at[unit]]


def _sail(draft: Draft[State], seat: str, command: SailUnit) -> None:
    state, unit = draft.state, command.unit
    if unit not in PIECES:
        raise MalformedCommand("UNKNOWN_UNIT", unit=unit)
    bit = GRID.bit(command.port)
    if seat == ALLIED or unit not in UNITS or not BIT.get(state.at[unit], 0) & board_of(state).units[AXIS]:
        raise IllegalAction("RV 12.22", "ONLY_AXIS_UNITS_SAIL", unit=unit)
    refusal = _refusal(state, unit, _mode(state))
    if refusal:
        raise IllegalAction("RV 12.22", refusal, unit=unit)
    if not bit & _open_ports(state, unit):
        raise IllegalAction("RV 12.22", "NO_SUCH_PORT", unit=unit, port=command.port)
    if not bit & escort(state, unit, _mode(state)):
        raise IllegalAction("RV 11.24", "DIETRICH_STAYS_WITH_SS", unit=unit, to=command.port)
    origin = state.at[unit]
    die = sail_die(draft, unit)
    draft.emit(UnitSailed(unit, seat, origin, command.port, SAIL_COST, die))
    arrive(draft, unit, (origin, command.port))
    sail_losses(draft, unit, die)


# The Allied player's die against those at sea


def sail_die(draft: Draft[State], unit: str) -> int:
    """Roll against a unit that moves or retreats by sea; 0 where the track asks for no die."""
    if SEA_BOXES[draft.state.sea].loss_from > 6:
        return 0
    (die,) = draft.roll.dice(f"{unit} at sea", 1)
    return die


def sail_losses(draft: Draft[State], unit: str, die: int) -> None:
    """Take the step that the die asks for, in the port of arrival: commanders there may die with the unit [RV 11.23]."""
    if die and die >= SEA_BOXES[draft.state.sea].loss_from:
        hurt(draft, unit, "sea", out_of_supply=None)


COMMANDS: Final = {SailUnit: Handler(frozenset({"movement", "exploitation_movement"}), _sail)}
