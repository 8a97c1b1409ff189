"""Surrender after supply, and the forces that go on fighting [VE 10.0] [VE 13 France] [VE 13 Italy] [VE 11.42].

Frames "surrender" (the phase) and "free_forces" (step = the fallen nation): the Allied seat places its free forces in Britain.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc, board_of, friendly_land, room, seat_of, sides_of
from stavka.games.victory_in_europe.diplomacy.attacks import reward_defenders
from stavka.games.victory_in_europe.diplomacy.garrison import side_for
from stavka.games.victory_in_europe.diplomacy.handover import disband, pass_area, write_off
from stavka.games.victory_in_europe.diplomacy.patrons import LEADING
from stavka.games.victory_in_europe.events import BlockPlaced, MinorTurned
from stavka.games.victory_in_europe.gazetteer import france, italy
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, COUNTRIES, MAP, MINORS
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import ALLIED, AXIS, CONQUERED, NEUTRAL, SIDES, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FramePopped, FramePushed
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

FRAMES: Final = frozenset({"surrender", "free_forces"})
FREE_STEPS: Final = 1  # [VE 11.42]


@dataclass(frozen=True, slots=True)
class PlaceFreeForces(OwnSeat):
    """(free force, area of Britain) of all of a nation that find a place [VE 11.42]."""

    seat: Public[str]
    places: Owner[tuple[tuple[str, str], ...]]


# [VE 10.0] [VE 1.41] minors


def conqueror(state: State, minor: str) -> str:
    """[VE 1.41] The country that holds a minor's capital against it, "" if none does. Vichy has a rule of its own."""
    if minor == france.VICHY:
        return france.vichy_victor(state)
    if state.minors[minor] == CONQUERED:
        return ""
    holder = state.control[COUNTRIES[minor].capital]
    blocs = board_of(state).blocs
    return holder if blocs[holder] != blocs[minor] else ""


def fallen_minors(state: State) -> tuple[tuple[str, str], ...]:
    """Minors that surrender now with their conquerors, those of Player 1 first [VE 10.0]."""
    found = [(minor, victor) for minor in MINORS if (victor := conqueror(state, minor))]
    first = sides_of(state, state.order[0])
    return tuple(sorted(found, key=lambda pair: _side_of(state, pair[0]) not in first))


def _side_of(state: State, minor: str) -> str:
    """Side of an ally, or the one that plays a neutral's defense."""
    return "" if state.minors[minor] == NEUTRAL and minor not in state.attacked else side_for(state, minor)


def conquer(draft: Draft[State], minor: str, victor: str) -> None:
    """[VE 10.0] The minor is out for good. What it took abroad passes to its side's leading power."""
    state = draft.state
    side = bloc(state, minor)
    owner = _side_of(state, minor) or ALLIED
    free = owner == ALLIED and bloc(state, victor) == AXIS
    draft.emit(MinorTurned(minor, CONQUERED))
    disband(draft, minor)
    write_off(draft, owner, minor, free)
    for area in MAP.areas:
        if draft.state.control.get(area) == minor:
            abroad = area not in COUNTRIES[minor].areas and side in SIDES
            pass_area(draft, area, LEADING[side] if abroad else victor)
    if free:
        open_free_forces(draft, minor)


# [VE 11.42] free forces


def open_free_forces(draft: Draft[State], nation: str) -> None:
    """[VE 11.42] Ask where a nation's free forces stand; nations without any are passed over."""
    if COUNTRIES[nation].free_forces:
        draft.emit(FramePushed("free_forces", "diplomacy", seat_of(draft.state, ALLIED), nation))


def havens(state: State, nation: str) -> tuple[PlaceFreeForces, ...]:
    """Every way to place a nation's waiting free forces: friendly areas of Britain with room, ports for ships.

    Those for which there is none stay in the pool; () when that is all of them.
    """
    pool, home = state.camps[ALLIED].pool, friendly_land(state, ALLIED)
    found: dict[str, list[str]] = {}
    for block in COUNTRIES[nation].free_forces:
        for area in COUNTRIES["britain"].areas:
            open_ = BIT[area] & home and room(state, ALLIED, area, block) > 0
            if block in pool and open_ and (not ground.is_ship(block) or ground.main_coast(area) >= 0):
                found.setdefault(block, []).append(area)
    if not found:
        return ()
    seat = seat_of(state, ALLIED)
    return tuple(PlaceFreeForces(seat, tuple(zip(found, areas, strict=True))) for areas in product(*found.values()))


def place_free_forces(draft: Draft[State], seat: str, command: PlaceFreeForces) -> None:
    """[VE 11.42] One step each, in Britain."""
    if command not in havens(draft.state, draft.state.frames[-1].step):
        raise IllegalAction("VE 11.42", "NOT_A_PLACE_FOR_THEM", nation=draft.state.frames[-1].step)
    _land(draft, command)


def _land(draft: Draft[State], haven: PlaceFreeForces) -> None:
    """In the order of the areas, which does not tell who is who."""
    for block, area in sorted(haven.places, key=lambda item: (item[1], ground.ORDER[item[0]])):
        coast = ground.main_coast(area) if ground.is_ship(block) else -1
        draft.emit(BlockPlaced(block, BLOCKS[block].nation, area, ALLIED, haven.seat, FREE_STEPS, coast))
    draft.emit(FramePopped("free_forces"))


# The phase


def react(draft: Draft[State]) -> None:
    """One surrender at a time; when none is left, the bonus of neutrals that hold out [VE 10.2]."""
    state = draft.state
    if state.frames[-1].kind == "free_forces":
        found = havens(state, state.frames[-1].step)
        if len(found) == 1:
            _land(draft, found[0])
        elif not found:
            draft.emit(FramePopped("free_forces"))
        return
    minors = fallen_minors(state)
    victor = italy.victor_over_italy(state)
    if minors:
        conquer(draft, *minors[0])
    elif france.france_falls(state):
        france.surrender(draft)
        open_free_forces(draft, france.FRANCE)
    elif victor:
        _italy_surrenders(draft, victor)
    else:
        reward_defenders(draft)
        advance(draft)


def _italy_surrenders(draft: Draft[State], victor: str) -> None:
    """[VE 13 Italy] With the minors that she won."""
    minors = italy.protected(draft.state)
    italy.surrender(draft, victor)
    for minor in minors:
        conquer(draft, minor, victor)


COMMANDS: Final[dict[type, Handler]] = {PlaceFreeForces: Handler(frozenset({"free_forces"}), place_free_forces)}


def decisions(state: State) -> tuple[Decision, ...]:
    frame = state.frames[-1]
    if frame.kind != "free_forces" or len(found := havens(state, frame.step)) < 2:
        return ()
    prompt = f"place the free forces of {COUNTRIES[frame.step].name} in Britain"
    return (decision(state, found[0].seat, "free_forces", "VE 11.42", (PlaceFreeForces,), frame.step, prompt),)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(open_, havens(state, state.frames[-1].step)) for open_ in decisions(state) if open_.seat == seat
    )
