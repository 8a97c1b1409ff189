"""Aircraft that have fought nobody land once both players have moved [VE 6.22].

Frame "landing". landing_places(state, block) serves the battles too: friendly areas within range with room in the air.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc_of, friendly_land, room, viewers_of
from stavka.games.victory_in_europe.events import BlockMoved
from stavka.games.victory_in_europe.ground import BLOCKS, GRID
from stavka.games.victory_in_europe.losses import remove
from stavka.games.victory_in_europe.reach import air_ranges, flying, sight_of
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

FRAMES: Final = frozenset({"landing"})


@dataclass(frozen=True, slots=True)
class LandBlock(OwnSeat):
    seat: Public[str]
    block: Owner[str]
    target: Owner[str]


def landing_places(state: State, block: str) -> tuple[str, ...]:
    """Friendly areas within the aircraft's range that have room for it, its own included [VE 6.1] [VE 6.12]."""
    piece = state.blocks[block]
    who = bloc_of(state, piece)
    near = 0
    for layer in air_ranges(flying(sight_of(state, who)), piece.at, BLOCKS[block].move):
        near |= layer
    places = GRID.codes(near & friendly_land(state, who))
    return tuple(area for area in places if area == piece.at or room(state, piece.side, area, block) > 0)


def in_flight(state: State, seat: str) -> tuple[str, ...]:
    """Aircraft of a seat that are neither in a battle nor on friendly ground, in the order of their places."""
    found = [
        block
        for block, piece in state.blocks.items()
        if piece.seat == seat
        and ground.is_air(block)
        and piece.at not in state.clashes
        and not ground.BIT[piece.at] & friendly_land(state, bloc_of(state, piece))
    ]
    return tuple(sorted(found, key=lambda block: (state.blocks[block].at, ground.ORDER[block])))


def land(draft: Draft[State], block: str, target: str) -> None:
    """Put an aircraft down."""
    piece = draft.state.blocks[block]
    viewers = viewers_of(draft.state, block)
    draft.emit(BlockMoved(viewers, block, piece.nation, piece.at, target, "", -1, False, "landing"))


def react(draft: Draft[State]) -> None:
    """Land what has one place to go to, remove what has none [VE 6.22]; then go on."""
    while (found := _next(draft.state)) is not None:
        block, places = found
        if len(places) > 1:
            return
        if places:
            land(draft, block, places[0])
        else:
            remove(draft, block, "landing")
    advance(draft)


def _next(state: State) -> tuple[str, tuple[str, ...]] | None:
    """The first aircraft that is still to land, seat by seat, and where it may."""
    for seat in state.order:
        for block in in_flight(state, seat):
            return block, landing_places(state, block)
    return None


def land_block(draft: Draft[State], seat: str, command: LandBlock) -> None:
    """[VE 6.22] A friendly area within range."""
    if command.block not in in_flight(draft.state, seat):
        raise IllegalAction("VE 6.22", "NOT_IN_FLIGHT", block=command.block)
    if command.target not in landing_places(draft.state, command.block):
        raise IllegalAction("VE 6.22", "CANNOT_LAND_THERE", target=command.target)
    land(draft, command.block, command.target)


COMMANDS: Final = {LandBlock: Handler(FRAMES, land_block)}


def _lander(state: State) -> str:
    """The seat that has to say where an aircraft lands; "" while automatic progress is due."""
    found = _next(state)
    return state.blocks[found[0]].seat if found is not None and len(found[1]) > 1 else ""


def decisions(state: State) -> tuple[Decision, ...]:
    seat = _lander(state)
    if not seat:
        return ()
    count = str(len(in_flight(state, seat)))
    return (decision(state, seat, "landing", "VE 6.22", (LandBlock,), count, "land your aircraft"),)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    if seat != _lander(state):
        return ()
    options = tuple(
        LandBlock(seat, block, place) for block in in_flight(state, seat) for place in landing_places(state, block)
    )
    return (Choice(decisions(state)[0], options),)
