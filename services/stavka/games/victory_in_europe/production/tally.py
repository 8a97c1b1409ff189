"""Production points of a power [VE 11.1] [VE 11.2] [VE 11.3] [VE 7.8] [VE 8.5] [VE 8.6].

    tally_of(state, power) -> Tally      resources, factories, convoys, what events add and take
    powers_of(state, seat)               major powers that a seat builds for
    home_of(state, power)                place that its lines lead to: capital or alternate source
    aid_to(state, donor, power)          PP of the donor that may be spent on the power's behalf, by source
    convoy_steps(state, zone)            steps of the convoy in a zone

A power's PP is the lesser of supplied factories and supplied resources. Convoys of lend-lease are factories of the
United States for others, and need American resources as these do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import (
    bloc,
    enemy_presence,
    friendly_land,
    open_seas,
    sides_of,
)
from stavka.games.victory_in_europe.cards import effects
from stavka.games.victory_in_europe.diplomacy.patrons import patron_of
from stavka.games.victory_in_europe.gazetteer.imports import counts_for, imports_of
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, COUNTRIES, COUNTRY_MASK, GRID, LAND_GRAPH, MAP
from stavka.games.victory_in_europe.reach import URALS, flood_seas, seas_of, sight_of
from stavka.games.victory_in_europe.season import FREEZING, turn_of
from stavka.games.victory_in_europe.state import ALLIED, SOVIET, State
from stavka.games.victory_in_europe.supply import lake_supplied, supplied, supplied_by
from stavka.kernel.supply import trace

USA: Final = "united_states"
LENINGRAD: Final = "leningrad"
ARCTIC_PORTS: Final = ("murmansk", "archangel")  # [VE 13 Soviet Union]
CONVOY_OF: Final = {MAP.by_name[BLOCKS[block].name]: block for block in BLOCKS if ground.branch(block) == "convoy"}
"""Convoy zone -> its convoy."""
LEND_LEASE: Final = {zone.receiver: area for area, zone in MAP.convoy_zones.items() if zone.gives == "pp"}
"""Power -> zone whose convoy brings it PP [VE 7.81]."""

Source = tuple[str, int, str]
"""Place, amount, citation."""


@dataclass(frozen=True, slots=True)
class Tally:
    """PP of a power in this phase.

    resources  supplied resources by source
    factories  supplied factories by area
    convoys    steps of lend-lease convoys, which its resources must support as well [VE 7.81]
    extra      PP on top of all that [VE 3.3]
    lost       PP that an enemy event takes [VE 3.3]
    pockets    areas whose factories build in their own area only -> their steps [VE 1.9] [VE 13 Soviet Union]
    """

    power: str
    resources: tuple[Source, ...]
    factories: tuple[Source, ...]
    convoys: int = 0
    extra: int = 0
    lost: int = 0
    pockets: tuple[tuple[str, int], ...] = ()

    @property
    def made(self) -> int:
        """[VE 11.1] The lesser of factories and resources, less what is lost."""
        made = min(_sum(self.factories) + self.convoys, _sum(self.resources))
        return max(0, made - self.lost)

    @property
    def points(self) -> int:
        return self.made + self.extra

    @property
    def movable(self) -> int:
        """Factory steps whose PP may be spent anywhere."""
        return _sum(self.factories) + self.convoys - sum(steps for _, steps in self.pockets)


def _sum(sources: tuple[Source, ...]) -> int:
    return sum(amount for _, amount, _ in sources)


def powers_of(state: State, seat: str) -> tuple[str, ...]:
    """Powers of the seat's sides that have not surrendered; neutral ones produce too [VE 13 Italy]."""
    sides = sides_of(state, seat)
    return tuple(p for p, side in ground.SIDE_OF_MAJOR.items() if side in sides and p not in state.fallen)


def home_of(state: State, power: str) -> str:
    """[VE 1.8] Where the power's lines lead."""
    return MAP.alternate_supply[power] if power in state.alternate else COUNTRIES[power].capital


def lines_to(state: State, power: str, resources: bool = False) -> int:
    """Set of the places with a line to the power's capital or alternate source; red ports are no such thing."""
    return supplied_by(state, bloc(state, power), BIT[home_of(state, power)], resources)


def tally_of(state: State, power: str) -> Tally:
    """[VE 11.1] Everything that makes up the power's PP."""
    factories = _factories(state, power)
    pockets = {area: steps for area, steps, rule in factories if rule != "VE 8.6"}
    if power == "soviet_union" and _is_behind_lake(state):
        pockets.setdefault(LENINGRAD, 0)
    convoys = sum(convoy_steps(state, zone) for zone in LEND_LEASE.values()) if power == USA else 0
    gained = lost = 0
    for _, event in effects(state, "production"):
        if power in event.nations and event.kind == "extra_production":
            gained += event.amount
        if power in event.nations and event.kind == "production_loss":
            lost += event.amount
    return Tally(power, _resources(state, power), factories, convoys, gained, lost, tuple(pockets.items()))


# [VE 11.2] [VE 8.5] resources


def _resources(state: State, power: str) -> tuple[Source, ...]:
    """Areas of the power and of the minors behind which it stands, treaties, convoys. Conquests wait a turn."""
    side, reached = bloc(state, power), lines_to(state, power, resources=True)
    found: list[Source] = []
    for area in _RESOURCE_AREAS:
        owned = _beneficiary(state, area) == power and area not in state.conquests
        if owned and BIT[area] & reached and counts_for(state, side, area):
            found.append((area, MAP.areas[area].resource, "VE 11.2"))
    found += imports_of(state, power)
    for area, zone in MAP.convoy_zones.items():
        if zone.gives == "resources" and _receiver(state, zone.receiver) == power and BIT[area] & reached:
            found.append((area, convoy_steps(state, area), "VE 7.82"))
    return tuple(source for source in found if source[1])


_RESOURCE_AREAS: Final = tuple(area.id for area in MAP.areas.values() if area.resource)


def _beneficiary(state: State, area: str) -> str:
    """Power that counts an area's resources: who controls it, or the patron of the allied minor that does."""
    holder = state.control[area]
    if holder in ground.SIDE_OF_MAJOR:
        return holder
    return patron_of(state, holder) if state.minors.get(holder) in ground.SIDE_OF_MAJOR.values() else ""


def _receiver(state: State, power: str) -> str:
    """[VE 13 Canada] Britain's imports serve the United States once Canada is Britain's source."""
    return USA if power == "britain" and power in state.alternate else power


def convoy_steps(state: State, zone: str) -> int:
    """Steps of the convoy in its zone, 0 when there is none [VE 7.8]."""
    piece = state.blocks.get(CONVOY_OF[zone])
    return piece.steps if piece is not None else 0


# [VE 11.3] [VE 8.6] factories


def _factories(state: State, power: str) -> tuple[Source, ...]:
    """Factory steps in areas that the power controls and that are supplied; moved ones rest for a turn [VE 11.32]."""
    reached, friends = supplied(state, power), friendly_land(state, bloc(state, power))
    found: list[Source] = []
    for area in sorted(state.factories, key=GRID.index):
        if state.control[area] != power or not BIT[area] & friends:
            continue
        if area == URALS:
            rule = "VE 13 Soviet Union"
        elif BIT[area] & reached:
            rule = "VE 8.6"
        else:
            rule = "VE 1.9"
        if BIT[area] & reached or (area == LENINGRAD and _is_behind_lake(state)):
            found.append((area, sum(state.factories[area]) - sum(state.shifted.get(area, ())), rule))
    return tuple(source for source in found if source[1] > 0)


def _is_behind_lake(state: State) -> bool:
    """[VE 1.9] Whether Leningrad hangs on Lake Ladoga: no points get in or out."""
    cut = not BIT[LENINGRAD] & supplied(state, "soviet_union")
    return cut and lake_supplied(state, LENINGRAD, "soviet_union")


# [VE 7.81] [VE 13 France] [VE 13 Italy] [VE 13 Iran] [VE 13 Canada] points for others


def aid_to(state: State, donor: str, power: str) -> tuple[Source, ...]:
    """PP of the donor that may be spent for the power, source by source; () when there are none."""
    if donor == "britain" and power == "france":
        return _one(donor, COUNTRIES[donor].values["pp_to_france_max"], _joined(state, donor, power), "VE 13 France")
    if donor == "germany" and power == "italy":
        ready = power in state.at_war and _joined(state, donor, power)
        return _one(donor, COUNTRIES[donor].values["pp_to_italy_max"], ready, "VE 13 Italy")
    if donor == USA and power == "britain":
        if power in state.alternate:  # its convoys are the Americans' now
            return _one("canada", COUNTRIES[USA].values["pp_to_canada_max"], True, "VE 13 Canada")
        return _convoy_aid(state, power)
    if donor == USA and power == "soviet_union" and {USA, power} <= state.at_war:
        iran = _one("iran", COUNTRIES[USA].values["pp_via_iran_max"], _iran_road(state), "VE 13 Iran")
        return (*_convoy_aid(state, power), *iran)
    return ()


def _one(place: str, amount: int, open_: bool, rule: str) -> tuple[Source, ...]:
    return ((place, amount, rule),) if open_ and amount else ()


def _joined(state: State, donor: str, power: str) -> bool:
    """A supply line from one capital to the other."""
    return donor in state.at_war and bool(BIT[COUNTRIES[power].capital] & lines_to(state, donor))


def _convoy_aid(state: State, power: str) -> tuple[Source, ...]:
    """[VE 7.81] Steps of the power's lend-lease convoy, if they reach its capital or alternate source."""
    zone = LEND_LEASE[power]
    open_ = _arctic_road(state, zone) if power == "soviet_union" else bool(BIT[zone] & lines_to(state, power))
    return _one(zone, convoy_steps(state, zone), open_, "VE 7.81")


def _arctic_road(state: State, zone: str) -> bool:
    """[VE 13 Soviet Union] By sea to Murmansk or Archangel, whose sea must be open, and on to Moscow or the Urals."""
    lanes = open_seas(state, SOVIET)
    lanes &= ~(FREEZING if turn_of(state).winter != "none" else 0)
    reached = flood_seas(BIT[zone] & lanes, lanes, sight_of(state, SOVIET).shut)
    home = lines_to(state, "soviet_union")
    return any(seas_of(port) & reached and BIT[port] & home for port in ARCTIC_PORTS)


def _iran_road(state: State) -> bool:
    """[VE 13 Iran] From a friendly Iran, whichever ally holds it, to Moscow or the Urals."""
    held = (friendly_land(state, ALLIED) | friendly_land(state, SOVIET)) & COUNTRY_MASK["iran"]
    held &= ~enemy_presence(state, SOVIET)
    road = trace(LAND_GRAPH, BIT[COUNTRIES["iran"].capital], held)
    return bool(road and (GRID.expand(road) | road) & lines_to(state, "soviet_union"))
