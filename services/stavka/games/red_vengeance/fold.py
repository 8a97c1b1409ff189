"""The fold: `evolve` applies any event of Red Vengeance to a state [RV 3.0 to RV 15.0].

    evolve(state, event) -> state      changes the caller's own state and returns it; never judges, rolls or fails
    EVENTS                             every event type of the game, those of combat included

What moves a piece, or changes its side or its bounds, tells the state, whose board is worked out anew when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from stavka.games.red_vengeance import events as ev
from stavka.games.red_vengeance.combat.events import APPLY as COMBAT_APPLY
from stavka.games.red_vengeance.state import ALLIED, AXIS, LOST, TRACK, State
from stavka.kernel.frames import FLOW, Frame, step

Event = Any


def evolve(state: State, event: Event) -> State:
    """Apply one event to `state` itself and return it."""
    state.serial += 1
    APPLY[type(event)](state, event)
    return state


# Start and flow


def _match_begun(s: State, e: ev.MatchBegun) -> None:
    s.ruleset, s.scenario, s.options = e.ruleset, e.scenario, dict(e.options)


def _table_set(s: State, e: ev.TableSet) -> None:
    s.at, s.steps, s.due = dict(e.at), dict(e.steps), dict(e.due)
    s.control, s.minors, s.sea = dict(e.control), dict(e.minors), e.sea
    s.trucks, s.arctic = e.trucks, e.arctic
    s.confined = frozenset(e.confined)
    s.forget()


def _position_set(s: State, e: ev.PositionSet) -> None:
    given = e.position
    for name in State.__dataclass_fields__:
        if name not in ("ruleset", "scenario", "options", "serial"):
            value = getattr(given, name)
            setattr(s, name, dict(value) if isinstance(value, dict) else value)
    s.forget()


def _phase_begun(s: State, e: ev.PhaseBegun) -> None:
    s.turn = e.turn
    s.frames = (s.frames[0], Frame(e.phase, e.topic, e.side))
    s.spent, s.mover, s.ashore, s.strategic, s.sailed = {}, "", "", 0, 0
    if e.phase == "supply":
        s.rebuilt, s.replacements, s.truck_used, s.air = frozenset(), {}, False, 0
    s.fight = s.fight.at_phase(e.turn, e.phase, e.side)


def _match_ended(s: State, e: ev.MatchEnded) -> None:
    s.winner, s.points, s.reasons = e.winner, dict(e.points), e.reasons
    s.frames = (s.frames[0],)


# Weather, sea, supply


def _weather_determined(s: State, e: ev.WeatherDetermined) -> None:
    s.weather = e.weather


def _sea_control_checked(s: State, e: ev.SeaControlChecked) -> None:
    s.sea = e.box
    s.forget()


def _supply_determined(s: State, e: ev.SupplyDetermined) -> None:
    s.oos = s.oos.difference(e.back).union(e.out)


def _sea_supply_given(s: State, e: ev.SeaSupplyGiven) -> None:
    if e.side == AXIS:
        s.sea_supplied = e.unit
    else:
        s.shore_supplied = e.unit


# Movement


def _moving(s: State) -> None:
    """Strategic movement is over once anything has moved otherwise [RV 6.5]."""
    if not s.frames[-1].step:
        s.frames = step(s.frames, "ordinary")


def _unit_moved(s: State, e: ev.UnitMoved) -> None:
    s.at[e.unit] = e.path[-1]
    s.spent[e.unit] = s.spent.get(e.unit, 0) + e.cost
    for code in e.path[1:]:
        s.control[code] = e.side
    s.ashore = ""
    if e.mode == "strategic":
        s.mover = ""
        s.strategic += 1
    else:
        s.mover = e.unit
        _moving(s)
    s.shifted(e.unit)


def _commander_moved(s: State, e: ev.CommanderMoved) -> None:
    s.at[e.commander] = e.path[-1]
    s.spent[e.commander] = e.cost
    s.mover = s.ashore = ""
    _moving(s)
    s.shifted(e.commander)


def _unit_sailed(s: State, e: ev.UnitSailed) -> None:
    s.at[e.unit] = e.port
    s.spent[e.unit] = s.spent.get(e.unit, 0) + e.cost
    s.mover, s.ashore = "", e.unit
    s.sailed += 1
    s.control[e.port] = e.side
    _moving(s)
    s.shifted(e.unit)


def _commander_placed(s: State, e: ev.CommanderPlaced) -> None:
    s.at[e.commander] = e.hex
    s.shifted(e.commander)


def _commander_removed(s: State, e: ev.CommanderRemoved) -> None:
    s.at[e.commander] = LOST
    s.shifted(e.commander)


def _place_first_entered(s: State, e: ev.PlaceFirstEntered) -> None:
    s.visited = s.visited | {e.hex}
    s.forget()


def _unit_confined(s: State, e: ev.UnitConfined) -> None:
    s.confined = s.confined | {e.unit}
    s.forget()


# Losses and returns


def _step_lost(s: State, e: ev.StepLost) -> None:
    s.steps[e.unit] = e.left


def _unit_removed(s: State, e: ev.UnitRemoved) -> None:
    s.at[e.unit] = e.box
    s.steps[e.unit] = 0
    if e.unit in s.oos:
        s.oos = s.oos - {e.unit}
    if e.unit in (s.mover, s.ashore):
        s.mover = s.ashore = ""
    if e.unit in s.confined:
        s.confined = s.confined - {e.unit}
        s.forget()
    else:
        s.shifted(e.unit)


def _hitler_died(s: State, e: ev.HitlerDied) -> None:
    s.hitler_alive = False


def _replacements_received(s: State, e: ev.ReplacementsReceived) -> None:
    s.replacements = {"armor": e.armor, "infantry": e.infantry}


def _extra_replacements_taken(s: State, e: ev.ExtraReplacementsTaken) -> None:
    s.replacements["infantry"] = s.replacements.get("infantry", 0) + e.infantry
    if e.source == "arctic":
        s.arctic = False
    else:
        s.garrison = False


def _pay(s: State, paid: str) -> None:
    if paid == "trucks":
        s.trucks -= 1
        s.truck_used = True
    else:
        s.replacements[paid] -= 1


def _unit_restored(s: State, e: ev.UnitRestored) -> None:
    s.steps[e.unit] = e.steps
    _pay(s, e.paid)


def _unit_rebuilt(s: State, e: ev.UnitRebuilt) -> None:
    s.at[e.unit], s.steps[e.unit], s.control[e.hex] = e.hex, e.steps, e.side
    s.rebuilt = s.rebuilt | {e.unit}
    _pay(s, e.paid)
    s.shifted(e.unit)


def _piece_placed(s: State, e: ev.PiecePlaced) -> None:
    s.at[e.piece] = e.hex
    s.due.pop(e.piece, None)
    if e.steps:
        s.steps[e.piece] = e.steps
    if e.side:
        s.control[e.hex] = e.side
    s.shifted(e.piece)


def _reinforcement_scheduled(s: State, e: ev.ReinforcementScheduled) -> None:
    s.at[e.piece] = TRACK
    s.due[e.piece] = e.turn
    if e.piece in s.steps:
        s.steps[e.piece] = 0
    s.oos = s.oos - {e.piece}
    s.shifted(e.piece)


def _bulge_placed(s: State, e: ev.BulgePlaced) -> None:
    s.bulge = e.pieces


def _air_power_rolled(s: State, e: ev.AirPowerRolled) -> None:
    s.air = e.points


# Minor powers


def _romania_wavered(s: State, e: ev.RomaniaWavered) -> None:
    s.romania_rolls += 1


def _nation_surrendered(s: State, e: ev.NationSurrendered) -> None:
    s.minors[e.nation] = "surrendered"
    s.garrison = s.garrison or e.garrison
    s.forget()


def _nation_defected(s: State, e: ev.NationDefected) -> None:
    s.minors[e.nation] = ALLIED
    s.forget()


APPLY: Final[dict[type, Callable[[State, Any], None]]] = {
    ev.MatchBegun: _match_begun,
    ev.TableSet: _table_set,
    ev.PositionSet: _position_set,
    ev.PhaseBegun: _phase_begun,
    **FLOW,
    ev.MatchEnded: _match_ended,
    ev.WeatherDetermined: _weather_determined,
    ev.SeaControlChecked: _sea_control_checked,
    ev.SupplyDetermined: _supply_determined,
    ev.SeaSupplyGiven: _sea_supply_given,
    ev.UnitMoved: _unit_moved,
    ev.CommanderMoved: _commander_moved,
    ev.UnitSailed: _unit_sailed,
    ev.CommanderPlaced: _commander_placed,
    ev.CommanderRemoved: _commander_removed,
    ev.PlaceFirstEntered: _place_first_entered,
    ev.UnitConfined: _unit_confined,
    ev.StepLost: _step_lost,
    ev.UnitRemoved: _unit_removed,
    ev.HitlerDied: _hitler_died,
    ev.ReplacementsReceived: _replacements_received,
    ev.ExtraReplacementsTaken: _extra_replacements_taken,
    ev.UnitRestored: _unit_restored,
    ev.UnitRebuilt: _unit_rebuilt,
    ev.PiecePlaced: _piece_placed,
    ev.ReinforcementScheduled: _reinforcement_scheduled,
    ev.BulgePlaced: _bulge_placed,
    ev.AirPowerRolled: _air_power_rolled,
    ev.RomaniaWavered: _romania_wavered,
    ev.NationSurrendered: _nation_surrendered,
    ev.NationDefected: _nation_defected,
    **COMBAT_APPLY,
}

EVENTS: Final = tuple(APPLY)
