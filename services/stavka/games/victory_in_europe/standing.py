"""What a scenario starts from, in the state's own words [VE 2.1] [VE S 1941] to [VE S 1944].

start_of(scenario) -> Start         control, factories, standings, blocks
without_america(start) -> Start     the same with the United States neutral
side_of_block(block, minors)        the side that a block fights for
camps_of(seats)                     empty camps
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from stavka.games.victory_in_europe import ground, load
from stavka.games.victory_in_europe.board import AMERICA, AMERICAN_HOME
from stavka.games.victory_in_europe.ground import BLOCKS, MAJORS, MAP, MINORS, NATION, SIDE_OF_DATA, SIDE_OF_MAJOR
from stavka.games.victory_in_europe.state import ALLIED, CONQUERED, NEUTRAL, SIDES, Camp, Piece
from stavka.games.victory_in_europe.structures import Scenario

MARKER_STEPS: Final = 4  # most steps of one factory marker [VE 11.0]


@dataclass(frozen=True, slots=True)
class Start:
    """See State for the meaning of the fields. Steps are in `blocks`: block -> (area, steps)."""

    turn: int
    blocks: Mapping[str, tuple[str, int]]
    control: Mapping[str, str]
    factories: Mapping[str, tuple[int, ...]]
    minors: Mapping[str, str]
    at_war: frozenset[str]
    fallen: frozenset[str]
    entered: Mapping[str, int]
    pools: Mapping[str, frozenset[str]]
    dead: Mapping[str, frozenset[str]]


@cache
def start_of(scenario: str) -> Start:
    """The start of a scenario of data/scenarios [VE Introduction]. Forces of neutrals stand on the map only when attacked [VE 2.1]."""
    sheet = load.scenario(scenario)
    minors = {minor: _standing(sheet, minor) for minor in MINORS}
    blocks = {
        row.block: (row.area, row.steps) for row in sheet.units if minors.get(BLOCKS[row.block].nation) != NEUTRAL
    }
    at_war = frozenset(power for power, standing in sheet.powers.items() if standing == "at_war")
    pools: dict[str, set[str]] = {side: set() for side in SIDES}
    for country, names in sheet.pools.items():
        if country in MAJORS:
            pools[SIDE_OF_MAJOR[country]].update(names)
    dead: dict[str, set[str]] = {side: set() for side in SIDES}
    for block in BLOCKS:
        at_home = minors.get(BLOCKS[block].nation) == NEUTRAL
        waits = block in blocks or any(block in pool for pool in pools.values())
        if not waits and (not at_home or block in sheet.eliminated):
            dead[side_of_block(block, minors)].add(block)
    return Start(
        sheet.start_turn,
        blocks,
        sheet.control,
        {row.area: markers_of(row.steps) for row in sheet.factories},
        minors,
        at_war,
        frozenset(power for power, standing in sheet.powers.items() if standing == "surrendered"),
        dict.fromkeys(sorted(at_war), 0),
        {side: frozenset(names) for side, names in pools.items()},
        {side: frozenset(names) for side, names in dead.items()},
    )


def without_america(start: Start) -> Start:
    """[VE S 1942] [VE 13 United States] [VE 7.81] The USA at peace: her forces at home, but for the convoy to Britain; the
    one to the Soviets is still to be built."""
    convoys = {
        block: MAP.convoy_zones[area].receiver
        for block, (area, _) in start.blocks.items()
        if NATION[block] == AMERICA and ground.branch(block) == "convoy"
    }
    waiting = frozenset(block for block, receiver in convoys.items() if receiver == "soviet_union")
    return replace(
        start,
        blocks={
            block: (AMERICAN_HOME if NATION[block] == AMERICA and block not in convoys else area, steps)
            for block, (area, steps) in start.blocks.items()
            if block not in waiting
        },
        pools={**start.pools, ALLIED: start.pools[ALLIED] | waiting},
        at_war=start.at_war - {AMERICA},
        entered={power: turn for power, turn in start.entered.items() if power != AMERICA},
    )


def _standing(sheet: Scenario, minor: str) -> str:
    word = sheet.minors.get(minor, NEUTRAL)
    return word if word in (NEUTRAL, CONQUERED) else SIDE_OF_DATA[word]


def markers_of(steps: int) -> tuple[int, ...]:
    """Steps split into markers: the USA has four and the Urals two, other areas one [VE 11.31]."""
    markers = []
    while steps > 0:
        markers.append(min(steps, MARKER_STEPS))
        steps -= markers[-1]
    return tuple(markers)


def side_of_block(block: str, minors: Mapping[str, str]) -> str:
    """Side that a block fights for: its power's, its minor's, Britain's for free forces [VE 11.42]."""
    nation = BLOCKS[block].nation
    if nation in SIDE_OF_MAJOR:
        return SIDE_OF_MAJOR[nation]
    return minors[nation] if minors[nation] in SIDES else ALLIED


def piece_at(block: str, area: str, steps: int, side: str, seats: tuple[str, ...]) -> Piece:
    """A block at the start of a match."""
    coast = ground.main_coast(area) if ground.branch(block) == "naval" and ground.is_land(area) else -1
    return Piece(area, BLOCKS[block].nation, side, side if side in seats else ALLIED, "", (), steps, False, coast)


def camps_of(seats: tuple[str, ...]) -> dict[str, Camp]:
    """The three camps, empty."""
    return {side: Camp(side, side if side in seats else ALLIED) for side in SIDES}
