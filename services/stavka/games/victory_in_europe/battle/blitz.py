"""Blitzes: a victor goes on from the area that he has won [VE 5.9].

Frame "blitz", of the seat that blitzes. Its blocks in the area of the victory make a full normal move each; they attack
one place, or reinforce one battle, which is fought at once when the blitz ends.

    BlitzMove DeclareBlitzWar EndBlitz      commands
    options(state, seat)                    all that the seat may do now
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.after import corps_of, flag_of, present, put
from stavka.games.victory_in_europe.battle.events import BlitzAimed, BlockRegrouped, BlocksDelayed
from stavka.games.victory_in_europe.battle.ways import has_way
from stavka.games.victory_in_europe.bearings import air_reach
from stavka.games.victory_in_europe.board import (
    bloc_of,
    board_of,
    border_key,
    enemies_at,
    friendly_land,
    room,
)
from stavka.games.victory_in_europe.cards import commands_left
from stavka.games.victory_in_europe.control import take
from stavka.games.victory_in_europe.entering import BATTLE_COST, attacks
from stavka.games.victory_in_europe.events import ClashBegun
from stavka.games.victory_in_europe.ground import BIT, BLOCKS, GRID
from stavka.games.victory_in_europe.moves import declare_war, meetings, war_target
from stavka.games.victory_in_europe.reach import Path, air_gate, air_ranges, flying, land_paths, sight_of
from stavka.games.victory_in_europe.routes import has_army
from stavka.games.victory_in_europe.state import Clash, State
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FramePopped
from stavka.kernel.visibility import Owner, OwnSeat, Public

FRAME: Final = "blitz"


@dataclass(frozen=True, slots=True)
class BlitzMove(OwnSeat):
    """A block's move: the start and every area entered; of aircraft the start and the target."""

    seat: Owner[str]
    block: Owner[str]
    path: Owner[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DeclareBlitzWar:
    """War on a neutral in the way of a blitz [VE 10.3]."""

    country: Public[str]


@dataclass(frozen=True, slots=True)
class EndBlitz(OwnSeat):
    seat: Owner[str]


# Where blocks may go


def moves(state: State, seat: str) -> Iterator[BlitzMove]:
    """Moves of all blocks that may still blitz; ships never do, nor fortresses."""
    for block in present(state, seat):
        for path in _paths(state, seat, block):
            yield BlitzMove(seat, block, path)


def _paths(state: State, seat: str, block: str) -> Iterator[Path]:
    if ground.is_air(block):
        yield from _flights(state, block)
    elif ground.is_army(block) and BLOCKS[block].move:
        piece = state.blocks[block]
        reach = land_paths(sight_of(state, bloc_of(state, piece)), piece.at, BLOCKS[block].move)
        yield from (path for path in (*reach.free, *reach.battle) if _objection(state, seat, block, path) is None)


def _objection(state: State, seat: str, block: str, path: Path) -> tuple[str, str] | None:
    """Why an army may not take this way, which is within its reach: (citation, reason)."""
    piece, goal = state.blocks[block], state.fights.goal
    joins = is_battle(state, block, path[-1])
    if joins and goal and path[-1] != goal:
        return "VE 5.9", "ONE_BATTLE"
    clash = state.clashes.get(path[-1])
    if clash is not None and not _may_join(state, block, path[-1], clash):
        return "VE 4.2", "NOT_YOUR_BATTLE"
    if room(state, piece.side, path[-1], block) < 1:
        return "VE 4.5", "OVERSTACKED"
    spent = corps_of(state, seat).spent
    if not ground.is_leader(block):
        for a, b in limited(path, joins):
            if not has_way(state, block, a, b, spent):
                return "VE 4.6", "BORDER_LIMIT"
    return None


def limited(path: Path, joins: bool) -> tuple[tuple[str, str], ...]:
    """[VE 4.6] Borders that count: the one out of the battle that was won, and the one into the next."""
    first, last = (path[0], path[1]), (path[-2], path[-1])
    return (first, last) if joins and last != first else (first,)


def is_battle(state: State, block: str, area: str) -> bool:
    """Whether entering the area means a battle."""
    return bool(area in state.clashes or enemies_at(state, area, bloc_of(state, state.blocks[block])))


def _may_join(state: State, block: str, area: str, clash: Clash) -> bool:
    """[VE 4.4] As an attacker beside those who attack, as a defender of ground of one's own."""
    piece = state.blocks[block]
    if attacks(clash, piece.side):
        return clash.attacker == piece.side
    own = board_of(state).blocs[state.control[area]] == bloc_of(state, piece)
    return clash.defender == piece.side and own


def _flights(state: State, block: str) -> Iterator[Path]:
    """[VE 5.9] [VE 6.1] To a battle in which an army of its side fights, that of the blitz if there is one, or home."""
    piece = state.blocks[block]
    who = bloc_of(state, piece)
    near = GRID.mask(air_reach(state, block))
    goals = friendly_land(state, who)
    for place, clash in state.clashes.items():
        if state.fights.goal in ("", place) and has_army(state, place, piece.side):
            goals |= BIT[place] if _may_join(state, block, place, clash) else 0
    for area in GRID.codes(near & goals):
        if room(state, piece.side, area, block) > 0:
            yield (piece.at, area)


# Commands


def blitz_move(draft: Draft[State], seat: str, command: BlitzMove) -> None:
    """[VE 5.9] A full normal move out of the area of the victory."""
    state, block, path = draft.state, command.block, command.path
    if block not in present(state, seat):
        raise IllegalAction("VE 5.9", "NOT_THERE", block=block)
    if path not in tuple(_paths(state, seat, block)):
        raise _refusal(state, seat, block, path)
    piece = state.blocks[block]
    joins = is_battle(state, block, path[-1])
    came = ""
    if joins:
        came = path[-2] if ground.is_army(block) else _gate(state, block, path[-1])
        _join(draft, seat, block, path[-1])
    counted = ground.is_army(block) and not ground.is_leader(block)
    borders = tuple(f"{piece.side}|{border_key(a, b)}" for a, b in limited(path, joins)) if counted else ()
    put(draft, block, path[-1], came)
    draft.emit(BlockRegrouped(seat, block, borders))
    if ground.is_army(block):
        for area in path[1:-1] if joins else path[1:]:
            take(draft, area, flag_of(draft.state, block))


def _refusal(state: State, seat: str, block: str, path: Path) -> IllegalAction:
    piece = state.blocks[block]
    if ground.is_army(block) and BLOCKS[block].move:
        reach = land_paths(sight_of(state, bloc_of(state, piece)), piece.at, BLOCKS[block].move)
        found = _objection(state, seat, block, path) if path in (*reach.free, *reach.battle) else None
        if found is not None:
            return IllegalAction(*found, target=path[-1])
    return IllegalAction("VE 5.9", "OUT_OF_REACH", block=block)


def _gate(state: State, block: str, target: str) -> str:
    """The last place that an aircraft flies over, as `came` has it for everybody."""
    piece = state.blocks[block]
    sky = flying(sight_of(state, bloc_of(state, piece)))
    return air_gate(air_ranges(sky, piece.at, BLOCKS[block].move), target)


def _join(draft: Draft[State], seat: str, block: str, area: str) -> None:
    """Begin the battle of the blitz, or bring help to one that is to be fought; help comes in the second round."""
    state = draft.state
    side, clash, fights = state.blocks[block].side, state.clashes.get(area), state.fights
    if clash is None:
        enemies = enemies_at(state, area, bloc_of(state, state.blocks[block]))
        draft.emit(ClashBegun(area, side, state.blocks[enemies[0]].side, land=True))
        draft.emit(BlitzAimed(area, True))
        return
    if not attacks(clash, side) and not clash.reinforced:
        draft.emit(ClashBegun(area, clash.attacker, clash.defender, True, clash.invaded, clash.land))
    if not (fights.goal == area and fights.fresh):
        draft.emit(BlocksDelayed(seat, (block,)))
    if fights.goal != area:
        draft.emit(BlitzAimed(area, False))


def wars(state: State, seat: str) -> tuple[DeclareBlitzWar, ...]:
    """[VE 10.3] Neutrals that a block could enter, while the blitz has no battle yet; with commands for battles at sea that
    the war begins."""
    found = _open_wars(state, seat)
    return tuple(
        DeclareBlitzWar(country)
        for country in ground.COUNTRIES
        if country in found and BATTLE_COST * len(meetings(state, country)) <= commands_left(state, found[country])
    )


def _open_wars(state: State, seat: str) -> dict[str, str]:
    """Country that a block could enter after a declaration of war -> the side that would declare it."""
    found: dict[str, str] = {}
    for block in present(state, seat) if not state.fights.goal else ():
        if not ground.is_army(block) or not BLOCKS[block].move:
            continue
        piece = state.blocks[block]
        reach = land_paths(sight_of(state, bloc_of(state, piece)), piece.at, BLOCKS[block].move)
        for area in reach.touched:
            if country := war_target(state, piece.side, area):
                found[country] = piece.side
    return found


def declare(draft: Draft[State], seat: str, command: DeclareBlitzWar) -> None:
    """[VE 10.3] A declaration of war during a blitz."""
    side = _open_wars(draft.state, seat).get(command.country)
    if side is None:
        raise IllegalAction("VE 10.3", "CANNOT_ATTACK", country=command.country)
    declare_war(draft, side, command.country)


def end_blitz(draft: Draft[State], seat: str, command: EndBlitz) -> None:
    """[VE 5.9] The battle of the blitz is fought next."""
    draft.emit(FramePopped(FRAME))


def react(draft: Draft[State]) -> None:
    """With nothing left to move the blitz is over."""
    if not has_choice(draft.state, draft.state.frames[-1].seat):
        draft.emit(FramePopped(FRAME))


def has_choice(state: State, seat: str) -> bool:
    """Whether the seat can do anything but end."""
    return any(True for _ in moves(state, seat)) or bool(wars(state, seat))


def choices(state: State, seat: str) -> tuple[object, ...]:
    """Moves and declarations of war."""
    return (*moves(state, seat), *wars(state, seat))


def options(state: State, seat: str) -> tuple[object, ...]:
    return (*choices(state, seat), EndBlitz(seat))
