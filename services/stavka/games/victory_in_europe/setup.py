"""How a match begins [VE Deployment] [VE 2.1] [VE S 1941] to [VE S 1944]: the table, the camps, free deployment.

    begin(setup) -> events
    Frame "deployment"        each seat rearranges its forces by one secret command

In 1939 whoever has forces without printed places (the Poles) deploys first, the others after; in the later scenarios
all deploy at once. Blocks swap places within a group of nations, and each place keeps its number of blocks. Nothing shows
before all have answered, and then how many blocks of which nation stand where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from stavka.games.victory_in_europe import ground, load
from stavka.games.victory_in_europe.board import is_friendly, seat_of, stacker, stacking_limit
from stavka.games.victory_in_europe.events import (
    Answered,
    CampPitched,
    DeploymentPlanned,
    ForcesDeployed,
    MatchBegun,
    PhaseBegun,
    TableSet,
)
from stavka.games.victory_in_europe.ground import BLOCKS, SIDE_OF_DATA
from stavka.games.victory_in_europe.options import OPTIONS, SCENARIOS, base_of
from stavka.games.victory_in_europe.position import read_position
from stavka.games.victory_in_europe.sequence import SETUP, advance, decision
from stavka.games.victory_in_europe.standing import camps_of, piece_at, side_of_block, start_of, without_america
from stavka.games.victory_in_europe.state import State
from stavka.games.victory_in_europe.structures import Deployment
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft, Event
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Decision, Setup, check_options
from stavka.kernel.visibility import Owner, OwnSeat

RULESET: Final = 1
FRAMES: Final = frozenset({"deployment"})
ROLL_YEAR: Final = 1942  # in which the USA may still be neutral by option [VE S 1942]
SECOND: Final = "second"
PAIR: Final = 2
SAMPLE: Final = 6  # exchanges of two blocks that `legal` lists; the domain tells the rest


@dataclass(frozen=True, slots=True)
class Deploy(OwnSeat):
    """Blocks of the seat that stand elsewhere than at their printed places, as (block, place); () leaves all there."""

    seat: Owner[str]
    places: Owner[tuple[tuple[str, str], ...]]


# Beginning


def begin(setup: Setup) -> Sequence[Event]:
    """[VE Deployment] The first events of a match.

    Raises MalformedCommand UNKNOWN_SCENARIO, UNKNOWN_RULESET, UNKNOWN_OPTION, UNKNOWN_CHOICE, BAD_POSITION ...
    """
    if setup.ruleset != RULESET:
        raise MalformedCommand("UNKNOWN_RULESET", ruleset=setup.ruleset)
    if setup.scenario not in SCENARIOS:
        raise MalformedCommand("UNKNOWN_SCENARIO", scenario=setup.scenario)
    seats = SCENARIOS[setup.scenario].seats
    begun = MatchBegun(setup.ruleset, setup.scenario, check_options(OPTIONS, setup.options), seats)
    if setup.position:
        return [begun, *read_position(setup.position, begun)]
    start = start_of(base_of(setup.scenario))
    if begun.options["american_entry"] == "by_roll" and load.calendar().turns[start.turn - 1].year == ROLL_YEAR:
        start = without_america(start)
    pieces = {
        block: piece_at(block, area, steps, side_of_block(block, start.minors), seats)
        for block, (area, steps) in start.blocks.items()
    }
    camps = [
        CampPitched(side, camp.seat, start.pools[side], start.dead[side]) for side, camp in camps_of(seats).items()
    ]
    table = TableSet(
        start.turn,
        pieces,
        dict(start.control),
        dict(start.factories),
        dict(start.minors),
        start.at_war,
        start.fallen,
        dict(start.entered),
    )
    return [begun, *camps, table, PhaseBegun(start.turn, SETUP[0].kind, SETUP[0].topic, "", {})]


# Deployment


def groups_of(state: State, seat: str) -> tuple[Deployment, ...]:
    """Groups that a seat may rearrange; those that only swap places are left out when the option fixes them."""
    fixed = state.options["deployment"] == "fixed"
    return tuple(
        group
        for group in load.scenario(base_of(state.scenario)).deployments
        if seat_of(state, SIDE_OF_DATA[group.player]) == seat and (group.kind == "areas" or not fixed)
    )


def _turns(state: State) -> tuple[tuple[str, ...], ...]:
    """Seats that deploy first, then the others: first are those with forces that have no printed places."""
    able = [seat for seat in state.seats if groups_of(state, seat)]
    first = tuple(s for s in able if any(group.kind == "areas" for group in groups_of(state, s)))
    return (first, tuple(s for s in able if s not in first)) if first else (tuple(able),)


def _deployers(state: State) -> tuple[str, ...]:
    turns = _turns(state)
    return turns[1 if state.frames[-1].step == SECOND else 0]


def react(draft: Draft[State]) -> None:
    """When every seat of this turn of deployment has answered, what they have planned is carried out."""
    state = draft.state
    if any(not state.camps[seat].done for seat in _deployers(state)):
        return
    for seat in _deployers(state):
        _carry_out(draft, seat)
    if len(_turns(state)) > 1 and state.frames[-1].step != SECOND:
        draft.emit(FrameStepped(SECOND))
    else:
        advance(draft)


def blocks_of(state: State, group: Deployment) -> tuple[str, ...]:
    """Blocks of a group that may be put elsewhere: fortresses and convoys stay."""
    return tuple(
        block
        for block in BLOCKS
        if block in state.blocks
        and BLOCKS[block].nation in group.nations
        and not ground.is_fortress(block)
        and ground.branch(block) != "convoy"
    )


def deploy(draft: Draft[State], seat: str, command: Deploy) -> None:
    """[VE Deployment] All of a seat's changes at once."""
    if any(len(pair) != PAIR for pair in command.places):
        raise MalformedCommand("NOT_PAIRS")
    places = dict(command.places)
    if len(places) != len(command.places):
        raise MalformedCommand("BLOCK_TWICE")
    refused = _objection(draft.state, seat, places)
    if refused is not None:
        raise refused
    draft.emit(DeploymentPlanned(seat, places))
    draft.emit(Answered(seat))


def _carry_out(draft: Draft[State], seat: str) -> None:
    """A seat's plan becomes what stands on the map; what is said of it does not hang on which block stands where."""
    state, places = draft.state, draft.state.camps[seat].stations
    standing: dict[str, Counter[str]] = {}
    for group in groups_of(state, seat):
        for block in blocks_of(state, group):
            counts = standing.setdefault(BLOCKS[block].nation, Counter())
            counts[places.get(block, state.blocks[block].at)] += 1
    public = {nation: dict(sorted(counts.items())) for nation, counts in sorted(standing.items())}
    draft.emit(ForcesDeployed(seat, public, {block: _station(block, area) for block, area in places.items()}))


def _station(block: str, area: str) -> tuple[str, int]:
    ship = ground.branch(block) == "naval" and ground.is_land(area)
    return area, ground.main_coast(area) if ship else -1


def _objection(state: State, seat: str, places: Mapping[str, str]) -> IllegalAction | None:
    """Why a deployment is refused, or None."""
    after = {block: piece.at for block, piece in state.blocks.items()}
    known: set[str] = set()
    for group in groups_of(state, seat):
        blocks = blocks_of(state, group)
        known.update(blocks)
        chosen = {b: places[b] for b in blocks if b in places}
        after |= chosen
        if group.kind == "areas":
            if any(area not in group.areas for area in chosen.values()):
                return IllegalAction("VE Deployment", "NOT_A_DEPLOYMENT_AREA", group=group.id)
            if any(all(after[b] != area for b in blocks) for area in group.at_least_one):
                return IllegalAction("VE Deployment", "AREA_LEFT_EMPTY", group=group.id)
        elif Counter(after[b] for b in blocks) != Counter(state.blocks[b].at for b in blocks):
            return IllegalAction("VE Deployment", "PLACES_MUST_KEEP_THEIR_NUMBERS", group=group.id)
    if set(places) - known:
        return IllegalAction("VE Deployment", "CANNOT_BE_DEPLOYED")
    return _ground_objection(state, places, after)


def _ground_objection(state: State, places: Mapping[str, str], after: Mapping[str, str]) -> IllegalAction | None:
    """Ships need water, all else land; areas must be friendly [VE 4.1]; nowhere more than may stand there [VE 4.5]."""
    for block, area in places.items():
        if not _may_stand(state, block, area):
            return IllegalAction("VE Deployment", "CANNOT_STAND_THERE", area=area)
    counts = Counter(_stack(state, block, area) for block, area in after.items())
    for block, area in places.items():
        if counts[_stack(state, block, area)] > stacking_limit(state, area, block):
            return IllegalAction("VE 4.5", "OVERSTACKED", place=area)
    return None


def _may_stand(state: State, block: str, area: str) -> bool:
    """Whether a place is fit for a block, stacking aside; so those of a power at peace stay in its own areas."""
    ship = ground.is_ship(block)
    if not ground.is_land(area):
        return ship
    return is_friendly(state, BLOCKS[block].nation, area) and (not ship or ground.main_coast(area) >= 0)


def _stack(state: State, block: str, area: str) -> tuple[str, str, str]:
    """What a block counts toward in an area [VE 4.5] [VE 7.12]."""
    return stacker(state, state.blocks[block].side, area), ground.STACK_KEY[block], area


COMMANDS: Final = {Deploy: Handler(FRAMES, deploy)}


def decisions(state: State) -> tuple[Decision, ...]:
    prompt = "rearrange your forces, or leave them as they stand"
    return tuple(
        decision(state, seat, "deployment", "VE Deployment", (Deploy,), "1", prompt)
        for seat in _deployers(state)
        if not state.camps[seat].done
    )


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(open_, tuple(_samples(state, seat)), False, _domain(state, seat))
        for open_ in decisions(state)
        if open_.seat == seat
    )


def _samples(state: State, seat: str) -> Iterator[Deploy]:
    """No change, and the first exchanges of two blocks that are possible."""
    yield Deploy(seat, ())
    found = 0
    for group in groups_of(state, seat):
        blocks = blocks_of(state, group)
        for i, a in enumerate(blocks):
            for b in blocks[i + 1 :]:
                places = {a: state.blocks[b].at, b: state.blocks[a].at}
                if state.blocks[a].at != state.blocks[b].at and _objection(state, seat, places) is None:
                    yield Deploy(seat, tuple(places.items()))
                    found += 1
                    if found >= SAMPLE:
                        return


def _domain(state: State, seat: str) -> dict[str, Any]:
    return {
        "groups": [
            {
                "id": group.id,
                "kind": group.kind,
                "blocks": list(blocks_of(state, group)),
                "areas": list(group.areas),
                "at_least_one": list(group.at_least_one),
            }
            for group in groups_of(state, seat)
        ]
    }
