"""Resources that a power gets from countries that are not its own, and those that do not count for it.

    imports_of(state, power)        (area or country, resources, citation) of treaties with neutrals
    counts_for(state, side, area)   whether an area's resources count for a side that controls it

[VE 13 Sweden] [VE 13 Norway] [VE 13 Romania] [VE 13 Soviet Union] [VE 13 Algeria] [VE 13 Iran] [VE 13 Iraq]
"""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.board import board_of, hostile
from stavka.games.victory_in_europe.ground import BIT, COUNTRIES, MAP
from stavka.games.victory_in_europe.season import is_frozen
from stavka.games.victory_in_europe.state import AXIS, NEUTRAL, SIDES, State
from stavka.games.victory_in_europe.supply import supplied_by

Source = tuple[str, int, str]
ORE_PORT: Final = "lulea"
ORE_ROADS: Final = ("norway", "denmark")
ORE_SEA: Final = "gulf_of_bothnia"
ALGIERS: Final = "algiers"


def imports_of(state: State, power: str) -> tuple[Source, ...]:
    """What neutrals deliver to a power: while they are neutral, at peace with it, and the way is open [VE 8.5]."""
    found: list[Source] = []
    reached = supplied_by(state, AXIS, BIT[COUNTRIES["germany"].capital], resources=True) if power == "germany" else 0
    for country in COUNTRIES.values():
        for receiver, place, amount in country.exports:
            if receiver == power and _delivers(state, country.id, place, reached):
                found.append((place, amount, f"VE {country.section}"))
    vichy = state.minors["vichy"] == NEUTRAL and state.control[ALGIERS] == "vichy"
    if power == "germany" and vichy and BIT[ALGIERS] & reached:
        found.append((ALGIERS, MAP.areas[ALGIERS].resource, "VE 13 Algeria"))
    return tuple(found)


def _delivers(state: State, country: str, place: str, reached: int) -> bool:
    """A neutral minor from the named area; the Soviet Union, which has no such area, until it is at war."""
    if country not in state.minors:
        return country not in state.at_war
    if state.minors[country] != NEUTRAL or state.control[place] != country or not BIT[place] & reached:
        return False
    return counts_for(state, AXIS, place)


def counts_for(state: State, side: str, area: str) -> bool:
    """[VE 13 Iran] [VE 13 Iraq] [VE 13 Sweden] Middle Eastern oil is the Axis's alone; ice stops ore whose road is watched."""
    if COUNTRIES[MAP.areas[area].country].resources_axis_only and side != AXIS:
        return False
    return not (side == AXIS and area == ORE_PORT and _ore_stopped(state))


def _ore_stopped(state: State) -> bool:
    """[VE 13 Sweden] In winter, if an enemy side holds any area of Norway or Denmark. An attacked neutral joins none [VE 10.3]."""
    blocs = board_of(state).blocs
    holders = {blocs[state.control[area]] for country in ORE_ROADS for area in COUNTRIES[country].areas}
    return is_frozen(state, ORE_SEA) and any(side in holders and hostile(state, AXIS, side) for side in SIDES)
