"""The forces of a minor come onto the map: because it is attacked, or because it has been won [VE 10.2] [VE 10.3].

    attacked(draft, side, country)      called after WarDeclared
    muster(draft, country, side)        its blocks are set up for a side: at once if there is no choice, else in a frame
    survivors(state, country)           blocks that it still has

Frame "garrison", step = the country; its seat answers with one `SetUpMinor`. `moves` and `control` reach this module: it
must import neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from stavka.games.victory_in_europe import ground, load
from stavka.games.victory_in_europe.board import board_of, room, seat_of
from stavka.games.victory_in_europe.diplomacy.patrons import opponent
from stavka.games.victory_in_europe.events import (
    BlockPlaced,
    MinorTurned,
    PoolChanged,
    PowerEntered,
)
from stavka.games.victory_in_europe.ground import BLOCKS, COUNTRIES, SIDE_OF_MAJOR, STACK_KEY
from stavka.games.victory_in_europe.options import base_of
from stavka.games.victory_in_europe.sequence import decision
from stavka.games.victory_in_europe.state import State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.frames import FramePopped, FramePushed
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

FRAMES: Final = frozenset({"garrison"})
SAMPLE: Final = 60  # set-ups that `legal` lists; the domain tells the rest
VICHY: Final = "vichy"

Places = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SetUpMinor(OwnSeat):
    """(block, area) of all blocks of the country that find room, in manifest order."""

    seat: Public[str]
    places: Owner[tuple[tuple[str, str], ...]]


def attacked(draft: Draft[State], side: str, country: str) -> None:
    """[VE 10.3] [VE 13 France] [VE 13 Soviet Union] What a declaration of war by `side` brings about at once."""
    state = draft.state
    if country in SIDE_OF_MAJOR:
        if "soviet_union" not in state.at_war:
            draft.emit(PowerEntered("soviet_union", state.turn))
        return
    if country == VICHY:
        draft.emit(MinorTurned(VICHY, opponent(side)))
    muster(draft, country, opponent(side))


def survivors(state: State, country: str) -> tuple[str, ...]:
    """Blocks of a minor that are neither on the map nor gone for good, in manifest order."""
    gone = {block for camp in state.camps.values() for block in camp.dead | camp.pool}
    return tuple(
        b for b, datum in BLOCKS.items() if datum.nation == country and b not in state.blocks and b not in gone
    )


def grounds_of(state: State, country: str) -> tuple[str, ...]:
    """Areas of a country that it holds itself."""
    return tuple(area for area in COUNTRIES[country].areas if state.control[area] == country)


def muster(draft: Draft[State], country: str, side: str) -> None:
    """Put a minor's blocks onto the map for a side, or ask the side's seat where they go."""
    state = draft.state
    if COUNTRIES[country].deploy:
        placed = {block: area for block, (area, _) in _printed(state, country).items()}
        _place(draft, country, side, placed)
        return
    if not survivors(state, country):
        return
    found = _setups(state, country, side)
    only, second = next(found), next(found, None)
    if second is None:
        _place(draft, country, side, only)
    else:
        draft.emit(FramePushed("garrison", "diplomacy", seat_of(state, side), country))


def _printed(state: State, country: str) -> dict[str, tuple[str, int]]:
    """[VE 13 France] Block -> (area, steps) of a minor with printed places; a scenario's own numbers come first.

    Left out is who is gone, and whose place the country no longer holds.
    """
    sheet = load.scenario(base_of(state.scenario))
    printed = {row.block: (row.area, row.steps) for row in sheet.units if BLOCKS[row.block].nation == country}
    printed = printed or {block: (area, steps) for area, block, steps in COUNTRIES[country].deploy}
    alive, held = survivors(state, country), grounds_of(state, country)
    return {block: spot for block, spot in printed.items() if block in alive and spot[0] in held}


def _place(draft: Draft[State], country: str, side: str, places: Places) -> None:
    """At full strength, or at the printed one [VE 10.3]; in the order of the areas, which tells nothing.

    An ally's blocks for which there is no place are lost.
    """
    seat = seat_of(draft.state, side)
    printed = _printed(draft.state, country) if COUNTRIES[country].deploy else {}
    for block in sorted(places, key=lambda b: (places[b], ground.ORDER[b])):
        area = places[block]
        steps = printed[block][1] if block in printed else BLOCKS[block].steps
        coast = ground.main_coast(area) if ground.branch(block) == "naval" else -1
        draft.emit(BlockPlaced(block, country, area, side, seat, steps, coast))
    homeless = frozenset(survivors(draft.state, country))
    if homeless and country not in draft.state.attacked:
        camp = draft.state.camps[side]
        draft.emit(PoolChanged(side, seat, camp.pool, camp.dead | homeless))


def side_for(state: State, country: str) -> str:
    """Side for which a minor's forces are set up: its ally, or the opponent of its attacker."""
    attacker = state.attacked.get(country)
    return opponent(attacker) if attacker else state.minors[country]


# The choice


def objection(state: State, country: str, places: Places) -> IllegalAction | None:
    """[VE 10.3] [VE 10.2] [VE 4.5] Why a set-up is refused: inside the country, within stacking, nobody left out,
    and if it is attacked somebody in the capital."""
    side, held, alive = side_for(state, country), grounds_of(state, country), survivors(state, country)
    rule = "VE 10.3" if country in state.attacked else "VE 10.2"
    for block, area in places.items():
        if block not in alive:
            return IllegalAction(rule, "NOT_ITS_BLOCK", country=country)
        if area not in held or not _is_fit_for(block, area):
            return IllegalAction(rule, "NOT_ITS_AREA", area=area)
    counts = Counter((area, STACK_KEY[block]) for block, area in places.items())
    for block, area in places.items():
        if counts[area, STACK_KEY[block]] > room(state, side, area, block):
            return IllegalAction("VE 4.5", "OVERSTACKED", place=area)
    for block in alive:
        if block not in places and any(_fits(state, side, block, area, counts) for area in held):
            return IllegalAction(rule, "BLOCK_LEFT_OUT", country=country)
    capital = COUNTRIES[country].capital
    if _guards_capital(state, country, side) and capital not in places.values():
        return IllegalAction(rule, "CAPITAL_LEFT_EMPTY", area=capital)
    return None


def _guards_capital(state: State, country: str, side: str) -> bool:
    """[VE 10.3] Whether a block has to stand in the capital: of an attacked country that holds it and has one that may."""
    capital = COUNTRIES[country].capital
    if country not in state.attacked or capital not in grounds_of(state, country):
        return False
    return any(_fits(state, side, block, capital, {}) for block in survivors(state, country))


def _fits(state: State, side: str, block: str, area: str, counts: Mapping[tuple[str, str], int]) -> bool:
    return _is_fit_for(block, area) and counts.get((area, STACK_KEY[block]), 0) < room(state, side, area, block)


def _is_fit_for(block: str, area: str) -> bool:
    """Ships need a port."""
    return not ground.is_ship(block) or ground.main_coast(area) >= 0


def _setups(state: State, country: str, side: str) -> Iterator[dict[str, str]]:
    """Every set-up that is not refused, blocks and areas in their order. There is always one."""
    alive, held = survivors(state, country), grounds_of(state, country)
    capital, needed = COUNTRIES[country].capital, _guards_capital(state, country, side)

    def fill(index: int, places: dict[str, str], counts: dict[tuple[str, str], int]) -> Iterator[dict[str, str]]:
        if index == len(alive):
            if not needed or capital in places.values():
                yield dict(places)
            return
        block = alive[index]
        fitting = [area for area in held if _fits(state, side, block, area, counts)]
        for area in fitting:
            spot = (area, STACK_KEY[block])
            yield from fill(index + 1, {**places, block: area}, {**counts, spot: counts.get(spot, 0) + 1})
        if not fitting:
            yield from fill(index + 1, places, counts)

    yield from fill(0, {}, {})


def as_mapping(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Block -> area. Raises MalformedCommand BAD_PLACES for other things than pairs, and blocks out of order or twice."""
    if any(isinstance(pair, str) or len(pair) != 2 for pair in pairs) or any(b not in BLOCKS for b, _ in pairs):
        raise MalformedCommand("BAD_PLACES", places=pairs)
    order = [ground.ORDER[block] for block, _ in pairs]
    if sorted(set(order)) != order:
        raise MalformedCommand("BAD_PLACES", places=pairs)
    return dict(pairs)


def set_up_minor(draft: Draft[State], seat: str, command: SetUpMinor) -> None:
    """[VE 10.3] [VE 10.2] All blocks of the country at once."""
    country = draft.state.frames[-1].step
    places = as_mapping(command.places)
    refused = objection(draft.state, country, places)
    if refused is not None:
        raise refused
    _place(draft, country, side_for(draft.state, country), places)
    draft.emit(FramePopped("garrison"))


COMMANDS: Final[dict[type, Handler]] = {SetUpMinor: Handler(FRAMES, set_up_minor)}


def decisions(state: State) -> tuple[Decision, ...]:
    frame = state.frames[-1]
    rule = "VE 10.3" if frame.step in state.attacked else "VE 10.2"
    prompt = f"set up the forces of {COUNTRIES[frame.step].name}"
    return (decision(state, frame.seat, "garrison", rule, (SetUpMinor,), frame.step, prompt),)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    frame = state.frames[-1]
    if frame.seat != seat:
        return ()
    country = frame.step
    found = list(_setups(state, country, side_for(state, country)))
    everybody = len(survivors(state, country))
    complete = len(found) <= SAMPLE and all(len(places) == everybody for places in found)
    if len(found) > SAMPLE:
        stride = len(found) // SAMPLE + 1
        found = found[:: stride + (stride % 2 == 0)]
    options = tuple(SetUpMinor(seat, tuple(places.items())) for places in found)
    return (Choice(decisions(state)[0], options, complete, _domain(state, country)),)


def _domain(state: State, country: str) -> dict[str, Any]:
    return {
        "country": country,
        "blocks": list(survivors(state, country)),
        "areas": list(grounds_of(state, country)),
        "bloc": board_of(state).blocs[country],
        "capital": COUNTRIES[country].capital,
    }
