"""After a battle: landing and regrouping [VE 5.8] [VE 6.22] [VE 7.4].

Frame "regroup", one for each seat of the victor. The blocks stand upright again; whatever moves now shows no more than a
nation.

    Regroup StartBlitz EndRegroup           commands (the blitz itself is `blitz`)
    note_fliers(draft, standing)            before the blocks are hidden: who came by air
    open_frames(draft, seats)               after the battle's frame is gone
    moves(state, seat)                      every move that the seat may make now
    must_go(state, block)                   whether a block may not stay where it has won
    flag_of(state, block)                   nation in whose name an army takes an area
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.battle import Corps
from stavka.games.victory_in_europe.battle.events import BlitzBegun, BlockRegrouped, FliersNoted
from stavka.games.victory_in_europe.battle.ways import harbors, has_way, landings
from stavka.games.victory_in_europe.bearings import seas_beside
from stavka.games.victory_in_europe.board import (
    bloc_of,
    blocks_at,
    border_key,
    enemies_at,
    enemy_land,
    friendly_land,
    friendly_seas,
    open_seas,
    room,
    viewers_of,
)
from stavka.games.victory_in_europe.control import take
from stavka.games.victory_in_europe.events import BlockMoved
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, COUNTRY_MASK, GRID, MAP, SEAS
from stavka.games.victory_in_europe.losses import lose_steps, remove
from stavka.games.victory_in_europe.reach import URALS
from stavka.games.victory_in_europe.state import CONQUERED, SIDES, State
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FramePopped, FramePushed
from stavka.kernel.visibility import Owner, OwnSeat

FRAME: Final = "regroup"
_LEADING_POWER: Final = {"axis": "germany", "allied": "britain", "soviet": "soviet_union"}


@dataclass(frozen=True, slots=True)
class Regroup(OwnSeat):
    """Move a block out of the place of the victory; an aircraft that flew there lands. `coast` as for a retreat."""

    seat: Owner[str]
    block: Owner[str]
    target: Owner[str]
    coast: Owner[int] = -1


@dataclass(frozen=True, slots=True)
class StartBlitz(OwnSeat):
    """Spend a step of a leader to go on from the victory [VE 5.9]."""

    seat: Owner[str]
    leader: Owner[str]


@dataclass(frozen=True, slots=True)
class EndRegroup(OwnSeat):
    """All others stay."""

    seat: Owner[str]


# Opening the frames


def note_fliers(draft: Draft[State], standing: Iterable[str]) -> None:
    """[VE 6.22] Keep in mind who came by air, seat by seat; earlier victories are forgotten."""
    blocks = draft.state.blocks
    standing = tuple(standing)
    for seat in sorted({blocks[block].seat for block in standing}):
        mine = (block for block in standing if blocks[block].seat == seat)
        fliers = frozenset(block for block in mine if ground.is_air(block) and blocks[block].came)
        draft.emit(FliersNoted(seat, fliers))


def open_frames(draft: Draft[State], seats: Iterable[str]) -> None:
    """A frame for each seat of the victor; the first seat in the order of play acts first."""
    wanted = set(seats)
    for seat in reversed([seat for seat in draft.state.order if seat in wanted]):
        draft.emit(FramePushed(FRAME, "combat", seat))


# Who may go where


def corps_of(state: State, seat: str) -> Corps:
    return state.fights.corps.get(seat, Corps(seat))


def present(state: State, seat: str) -> tuple[str, ...]:
    """Blocks of a seat in the place of the victory that have not moved since."""
    moved = corps_of(state, seat).moved
    here = blocks_at(state, state.fights.won)
    return tuple(block for block in here if state.blocks[block].seat == seat and block not in moved)


def must_go(state: State, block: str) -> bool:
    """[VE 6.22] [VE 7.13] Aircraft stay on friendly land alone, ships not in an enemy's coastal area."""
    piece = state.blocks[block]
    if BIT[piece.at] & SEAS:
        return ground.is_air(block)
    return not ground.is_army(block) and not BIT[piece.at] & friendly_land(state, bloc_of(state, piece))


def moves(state: State, seat: str) -> Iterator[Regroup]:
    """[VE 5.8] [VE 6.22] [VE 7.4] Everything that the seat's blocks may do but stay."""
    for block in present(state, seat):
        for target, coast in _goals(state, seat, block):
            yield Regroup(seat, block, target, coast)


def _goals(state: State, seat: str, block: str) -> tuple[tuple[str, int], ...]:
    branch = ground.branch(block)
    if ground.is_air(block):
        flew = must_go(state, block) or block in corps_of(state, seat).fliers
        return tuple((area, -1) for area in (landings(state, block) if flew else _next_airfields(state, block)))
    if branch == "naval" and (state.fights.battled or must_go(state, block)):
        return _anchorages(state, block)
    if branch == "army" and state.fights.battled and BLOCKS[block].move:
        return tuple((area, -1) for area in _open_areas(state, seat, block))
    return ()


def _next_airfields(state: State, block: str) -> tuple[str, ...]:
    """[VE 5.8] Adjacent friendly areas with room for an aircraft that was there before."""
    piece = state.blocks[block]
    if not state.fights.battled:
        return ()
    near = GRID.adjacent(piece.at) & friendly_land(state, bloc_of(state, piece))
    return tuple(area for area in GRID.codes(near) if room(state, piece.side, area, block) > 0)


def _anchorages(state: State, block: str) -> tuple[tuple[str, int], ...]:
    """[VE 7.4] Friendly ports and seas within range, adjacent vacant seas."""
    piece = state.blocks[block]
    who = bloc_of(state, piece)
    if who not in SIDES:
        return tuple(harbors(state, block))  # a neutral's ships stay at home [VE 10.1]
    vacant = open_seas(state, who) & ~friendly_seas(state, who)
    near = (sea for sea in seas_beside(state, block) if BIT[sea] & vacant and room(state, piece.side, sea, block) > 0)
    return (*harbors(state, block), *((sea, -1) for sea in near))


def _open_areas(state: State, seat: str, block: str) -> Iterator[str]:
    """[VE 5.8] Adjacent areas that are friendly, or enemy-held and empty, within stacking and border limits."""
    piece = state.blocks[block]
    who = bloc_of(state, piece)
    open_ = (friendly_land(state, who) | enemy_land(state, who)) & ~BIT[URALS]
    if who not in SIDES:
        open_ &= COUNTRY_MASK[who]  # a garrison stays at home [VE 10.1]
    for area in MAP.borders[piece.at]:
        if not BIT[area] & open_ or enemies_at(state, area, who) or room(state, piece.side, area, block) < 1:
            continue
        if ground.is_leader(block) or has_way(state, block, piece.at, area, corps_of(state, seat).spent):
            yield area


def flag_of(state: State, block: str) -> str:
    """The nation that takes what this army takes: its own, or its side's leading power for free forces [VE 11.42]."""
    piece = state.blocks[block]
    if piece.nation in state.fallen or state.minors.get(piece.nation) == CONQUERED:
        return _LEADING_POWER[piece.side]
    return piece.nation


def blitzers(state: State, seat: str) -> tuple[StartBlitz, ...]:
    """[VE 5.9] Leaders that may spend a step: instead of regrouping, once a turn, not from their last step."""
    corps = corps_of(state, seat)
    if not state.fights.battled or corps.moved or not ground.is_land(state.fights.won):
        return ()
    return tuple(
        StartBlitz(seat, block)
        for block in present(state, seat)
        if ground.is_leader(block) and state.blocks[block].steps > 0 and block not in corps.blitzed
    )


# Commands


def regroup(draft: Draft[State], seat: str, command: Regroup) -> None:
    """[VE 5.8] [VE 6.22] [VE 7.4] One block leaves the place of the victory."""
    state, block = draft.state, command.block
    if block not in present(state, seat):
        raise IllegalAction("VE 5.8", "NOT_THERE", block=block)
    if (command.target, command.coast) not in _goals(state, seat, block):
        rule = "VE 6.22" if ground.is_air(block) else "VE 7.4" if ground.is_ship(block) else "VE 5.8"
        raise IllegalAction(rule, "CANNOT_REGROUP_THERE", block=block, target=command.target)
    piece = state.blocks[block]
    counted = ground.is_army(block) and not ground.is_leader(block)
    borders = (f"{piece.side}|{border_key(piece.at, command.target)}",) if counted else ()
    put(draft, block, command.target, "", command.coast)
    draft.emit(BlockRegrouped(seat, block, borders))
    if ground.is_army(block):
        take(draft, command.target, flag_of(state, block))


def put(draft: Draft[State], block: str, target: str, came: str, coast: int = -1) -> None:
    """Move a block after a victory, seen by its owner."""
    piece = draft.state.blocks[block]
    viewers = viewers_of(draft.state, block)
    draft.emit(BlockMoved(viewers, block, piece.nation, piece.at, target, came, coast, False, "regroup"))


def start_blitz(draft: Draft[State], seat: str, command: StartBlitz) -> None:
    """[VE 5.9] The leader pays a step; the blitz moves follow."""
    if command not in blitzers(draft.state, seat):
        raise IllegalAction("VE 5.9", "CANNOT_BLITZ", leader=command.leader)
    lose_steps(draft, {command.leader: 1}, "blitz")
    draft.emit(BlitzBegun(seat, draft.state.fights.won, command.leader))
    draft.emit(FramePopped(FRAME))
    draft.emit(FramePushed("blitz", "combat", seat))


def end_regroup(draft: Draft[State], seat: str, command: EndRegroup) -> None:
    """[VE 6.22] [VE 7.13] Nobody who may not stay is left."""
    left = tuple(block for block in present(draft.state, seat) if must_go(draft.state, block))
    if left:
        raise IllegalAction("VE 6.22" if ground.is_air(left[0]) else "VE 7.13", "MAY_NOT_STAY", block=left[0])
    draft.emit(FramePopped(FRAME))


def react(draft: Draft[State]) -> None:
    """Blocks that may neither stay nor go anywhere are lost; with nothing to decide the frame closes."""
    state, seat = draft.state, draft.state.frames[-1].seat
    for block in present(state, seat):
        if must_go(state, block) and not _goals(state, seat, block):
            remove(draft, block, "landing")
    if not has_choice(draft.state, seat):
        draft.emit(FramePopped(FRAME))


def has_choice(state: State, seat: str) -> bool:
    """Whether the seat can do anything but end."""
    return any(True for _ in moves(state, seat)) or bool(blitzers(state, seat))


def choices(state: State, seat: str) -> tuple[object, ...]:
    """Moves and blitzes."""
    return (*moves(state, seat), *blitzers(state, seat))


def options(state: State, seat: str) -> tuple[object, ...]:
    """Moves, blitzes, and the end if it is allowed."""
    stuck = any(must_go(state, block) for block in present(state, seat))
    return choices(state, seat) if stuck else (*choices(state, seat), EndRegroup(seat))
