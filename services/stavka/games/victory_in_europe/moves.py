"""The Move Phase [VE 4.0] [VE 6.1] [VE 7.1] [VE 10.3] [VE 11.32].

Frame "move", one for each seat in the order of play: blocks move one by one, wars are declared, factories shifted.

    MoveBlock       an army, a ship, an aircraft, by one of its routes (see `routes`)
    RecallBlock     an army that took nothing goes back to where it came from, out of an area that is too full [VE 4.5]
    DeclareWar      opens a neutral's areas to attack [VE 10.3]
    MoveFactory     [VE 11.32], in `factories`
    EndMoves        refused while an area is too full [VE 4.5]
    declare_war(draft, side, country)     for blitzes too; meetings(state, country): the battles that this begins
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import (
    bloc_of,
    blocks_at,
    board_of,
    border_key,
    enemies_at,
    room,
    sides_of,
    stack_of,
    stacking_limit,
    viewers_of,
)
from stavka.games.victory_in_europe.cards import commands_left, spend
from stavka.games.victory_in_europe.control import take
from stavka.games.victory_in_europe.diplomacy.garrison import attacked
from stavka.games.victory_in_europe.entering import (
    BATTLE_COST,
    Toll,
    held_back,
    limited_borders,
    objection,
    open_routes,
    takes,
    toll,
)
from stavka.games.victory_in_europe.events import (
    BlockMoved,
    BorderCrossed,
    ClashBegun,
    EffectUsed,
    LanesKept,
    SideLanded,
    WarDeclared,
)
from stavka.games.victory_in_europe.factories import MoveFactory, factory_moves, move_factory
from stavka.games.victory_in_europe.ground import BLOCKS, GRID, MAP, MINORS
from stavka.games.victory_in_europe.reach import sight_of
from stavka.games.victory_in_europe.routes import (
    AIRDROP,
    INVADE,
    MOVE,
    REBASE,
    STRATEGIC,
    Route,
    near_and_far,
    routes_of,
    touched_by,
)
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import AXIS, CONQUEST, NEUTRAL, RECALL, SOVIET, State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Choice, Command, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

FRAMES: Final = frozenset({"move"})
SAMPLE: Final = 3  # strategic moves and rebases that `legal` lists for a block; the domain tells the rest


@dataclass(frozen=True, slots=True)
class MoveBlock(OwnSeat):
    """Move a block along a route: the start and every place entered, start and target alone for "strategic", "rebase"."""

    seat: Public[str]
    block: Owner[str]
    path: Owner[tuple[str, ...]]
    by: Owner[str] = MOVE


@dataclass(frozen=True, slots=True)
class RecallBlock(OwnSeat):
    seat: Public[str]
    block: Owner[str]


@dataclass(frozen=True, slots=True)
class DeclareWar:
    side: Public[str]
    country: Public[str]


@dataclass(frozen=True, slots=True)
class EndMoves:
    pass


# Moving a block


def move_block(draft: Draft[State], seat: str, command: MoveBlock) -> None:
    """[VE 4.2] One move of one block."""
    state = draft.state
    if command.block not in state.blocks or state.blocks[command.block].seat != seat:
        raise IllegalAction("VE 4.2", "NOT_YOUR_BLOCK", block=command.block)
    refused = held_back(state, command.block)
    if refused is not None:
        raise refused
    route = next((r for r in routes_of(state, command.block) if r[:2] == (command.path, command.by)), None)
    if route is None:
        raise _no_route(state, command)
    price = toll(state, command.block, route)
    refused = objection(state, command.block, route, price)
    if refused is not None:
        raise refused
    _carry_out(draft, command.block, route, price)


def _no_route(state: State, command: MoveBlock) -> IllegalAction | MalformedCommand:
    """The refusal of a route that does not exist, named by its way of moving.

    Of ways that come to the same only one is listed (see `reach`); the others are refused with that one.
    """
    path = command.path
    if len(path) < 2 or any(place not in MAP.areas for place in path):
        return MalformedCommand("BAD_PATH", path=path)
    if path[0] != state.blocks[command.block].at:
        return IllegalAction("VE 4.2", "NOT_THERE", block=command.block, place=path[0])
    if command.by == STRATEGIC:
        return IllegalAction("VE 4.7", "NO_STRATEGIC_WAY", target=path[-1])
    if command.by == REBASE:
        return IllegalAction("VE 6.14", "NO_REBASE", target=path[-1])
    if command.by == INVADE:
        return IllegalAction("VE 7.5", "NO_INVASION_WAY", target=path[-1])
    if command.by == AIRDROP:
        return IllegalAction("VE 2.6", "NO_AIRDROP", target=path[-1])
    instead = [route.path for route in routes_of(state, command.block) if route.by == MOVE and route.target == path[-1]]
    if instead:
        return IllegalAction("VE 4.2", "NOT_A_LISTED_WAY", instead=instead[0])
    return IllegalAction("VE 4.2", "OUT_OF_REACH", target=path[-1])


def _carry_out(draft: Draft[State], block: str, route: Route, price: Toll) -> None:
    state, piece = draft.state, draft.state.blocks[block]
    borders = limited_borders(state, block, route)
    battle = price.clash is not None
    marches = ground.is_army(block) and route.by in (MOVE, INVADE)
    entered = route.path[:-1] if battle else route.path
    conquest = marches and takes(sight_of(state, bloc_of(state, piece)), entered)
    came = route.path[-2] if battle or enemies_at(state, route.target, bloc_of(state, piece)) else ""
    spend(draft, piece.side, price.commands, "invade" if route.by == INVADE else "battle" if battle else "strategic")
    for what in price.events:
        draft.emit(EffectUsed(piece.seat, what))
    clash = price.clash
    if clash is not None and state.clashes.get(route.target) != clash:
        draft.emit(
            ClashBegun(route.target, clash.attacker, clash.defender, clash.reinforced, clash.invaded, clash.land)
        )
    if price.lands:
        draft.emit(SideLanded(piece.side))
        draft.emit(LanesKept(piece.side, piece.seat, route.path[1:]))
    for a, b in borders:
        draft.emit(BorderCrossed(piece.side, piece.seat, border_key(a, b)))
    draft.emit(
        BlockMoved(
            viewers_of(draft.state, block), block, piece.nation, piece.at, route.target, came,
            route.coast, True, CONQUEST if conquest else route.by, route.by == AIRDROP,
        )
    )  # fmt: skip
    if marches:
        for area in entered[1:]:
            if ground.is_land(area):
                take(draft, area, piece.nation)


def recall_block(draft: Draft[State], seat: str, command: RecallBlock) -> None:
    """[VE 4.5] Stacking is judged after all movement: what is too much goes back to where it came from."""
    if command not in _recalls(draft.state, seat):
        raise IllegalAction("VE 4.5", "NOTHING_TO_RECALL", block=command.block)
    piece = draft.state.blocks[command.block]
    origin = draft.state.camps[piece.side].moved[command.block]
    viewers = viewers_of(draft.state, command.block)
    draft.emit(BlockMoved(viewers, command.block, piece.nation, piece.at, origin, "", -1, True, RECALL))


def _crowded(state: State, seat: str) -> list[str]:
    """Armies of a seat that moved in this phase and stand in an area that is too full."""
    found = []
    for side in sides_of(state, seat):
        for block in state.camps[side].moved:
            piece = state.blocks.get(block)
            if piece is not None and ground.is_army(block) and room(state, side, piece.at, block) < 0:
                found.append(block)
    return sorted(found, key=ground.ORDER.__getitem__)


def _recalls(state: State, seat: str) -> list[RecallBlock]:
    return [RecallBlock(seat, block) for block in _crowded(state, seat) if _can_return(state, block)]


def _can_return(state: State, block: str) -> bool:
    """Whether an army took nothing on its way, and its place is not filled by armies that stay there."""
    side = state.blocks[block].side
    moved = state.camps[side].moved
    origin = moved[block]
    if origin == state.blocks[block].at:
        return False
    staying = [b for b in stack_of(state, side, origin, block) if moved.get(b) == origin or not BLOCKS[b].move]
    return len(staying) < stacking_limit(state, origin, block)


def end_moves(draft: Draft[State], seat: str, command: EndMoves) -> None:
    """[VE 4.5] Stacking is enforced once all movement is done."""
    place = _overstacked(draft.state, seat)
    if place:
        raise IllegalAction("VE 4.5", "OVERSTACKED", place=place)
    advance(draft)


def _overstacked(state: State, seat: str) -> str:
    """An area that armies of the seat have made too full, while one can still be called back or leave; "" for none."""
    for recall in _recalls(state, seat):
        return state.blocks[recall.block].at
    for area in {state.blocks[block].at: None for block in _crowded(state, seat)}:
        mine = [block for block in blocks_at(state, area) if state.blocks[block].seat == seat]
        if any(ground.is_army(b) and held_back(state, b) is None and block_options(state, seat, b) for b in mine):
            return area
    return ""


# [VE 10.3] declarations of war


def declare_war(draft: Draft[State], side: str, country: str) -> None:
    """Emit the declaration, begin the battles that follow from it and let a minor's defense be set up."""
    places = meetings(draft.state, country)
    draft.emit(WarDeclared(side, country))
    attacked(draft, side, country)
    for place in places:
        spend(draft, side, BATTLE_COST, "battle")
        draft.emit(ClashBegun(place, side, SOVIET if side == AXIS else AXIS))


def meetings(state: State, country: str) -> tuple[str, ...]:
    """[VE 5.1] [VE 13 Soviet Union] Seas in which a war on this country begins battles: Axis and Soviets are both there."""
    if country in MINORS:
        return ()
    board = board_of(state)
    return GRID.codes(board.here.get(AXIS, 0) & board.here.get(SOVIET, 0) & ~board.contested)


def decide_war(draft: Draft[State], seat: str, command: DeclareWar) -> None:
    """[VE 10.3] War on a neutral that the side can attack in this phase, with a command left for each such war."""
    if command.side not in sides_of(draft.state, seat):
        raise IllegalAction("VE 10.3", "NOT_YOUR_SIDE", side=command.side)
    if command.country not in _open_wars(draft.state, command.side):
        raise IllegalAction("VE 10.3", "CANNOT_ATTACK", country=command.country)
    if not _war_affordable(draft.state, command.side, command.country):
        raise IllegalAction("VE 10.3", "NOT_ENOUGH_COMMANDS", left=commands_left(draft.state, command.side))
    declare_war(draft, command.side, command.country)


def _war_affordable(state: State, side: str, country: str) -> bool:
    """A command must be left for each war that the side has declared and not yet fought, and for this one; for each of the
    battles that it begins, if there are more."""
    pending = sum(
        attacker == side and not any(area in state.clashes for area in ground.COUNTRIES[minor].areas)
        for minor, attacker in state.attacked.items()
    )
    return commands_left(state, side) >= pending + BATTLE_COST * max(1, len(meetings(state, country)))


def _open_wars(state: State, side: str) -> list[str]:
    """Neutral countries that an unmoved army of the side could enter if there were war."""
    touched: set[str] = set()
    for block, piece in state.blocks.items():
        if piece.side == side and bloc_of(state, piece) == side and held_back(state, block) is None:
            touched |= touched_by(state, block)
    found = {target for area in touched if (target := war_target(state, side, area))}
    return [country for country in ground.COUNTRIES if country in found]


def war_target(state: State, side: str, area: str) -> str:
    """Country on which a side must declare war to enter an area; "" when it never may, or is at war already [VE 10.3]."""
    holder = board_of(state).blocs[state.control[area]]
    if holder in MINORS:
        return holder if state.minors.get(holder, NEUTRAL) == NEUTRAL and holder not in state.attacked else ""
    if {holder, side} == {AXIS, SOVIET} and "soviet_union" not in state.at_war:
        return "soviet_union" if side == AXIS else "germany"
    return ""


COMMANDS: Final = {
    MoveBlock: Handler(FRAMES, move_block),
    RecallBlock: Handler(FRAMES, recall_block),
    DeclareWar: Handler(FRAMES, decide_war),
    MoveFactory: Handler(FRAMES, move_factory),
    EndMoves: Handler(FRAMES, end_moves),
}


def react(draft: Draft[State]) -> None:
    """The phase waits for its seat."""


def decisions(state: State) -> tuple[Decision, ...]:
    seat = state.frames[-1].seat
    commands = (MoveBlock, RecallBlock, DeclareWar, MoveFactory, EndMoves)
    return (
        decision(state, seat, "move", "VE 4.2", commands, str(state.moves), "move your blocks, then end the phase"),
    )


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    if state.frames[-1].seat != seat:
        return ()
    options: list[Command] = list(_recalls(state, seat))
    if not _overstacked(state, seat):
        options.append(EndMoves())
    mine = (block for block, piece in state.blocks.items() if piece.seat == seat)
    for block in sorted(mine, key=ground.ORDER.__getitem__):
        if held_back(state, block) is None:
            options.extend(block_options(state, seat, block))
    for side in sides_of(state, seat):
        wars = (country for country in _open_wars(state, side) if _war_affordable(state, side, country))
        options.extend(DeclareWar(side, country) for country in wars)
    options.extend(factory_moves(state, seat))
    return (Choice(decisions(state)[0], tuple(options), False, _DOMAIN),)


_DOMAIN: Final = {
    "complete_for": [MOVE, AIRDROP, INVADE],
    "sampled": [STRATEGIC, REBASE],
    "rules": ["VE 4.7", "VE 6.14", "VE 7.17"],
}


def block_options(state: State, seat: str, block: str, everything: bool = False) -> list[MoveBlock]:
    """Moves that would be accepted; of strategic moves and rebases a sample that turns with the number of moves made."""
    near, far = near_and_far(state, block)
    if not everything and len(far) > SAMPLE:
        stride, offset = len(far) // SAMPLE, state.moves % len(far)
        far = tuple(far[(offset + stride * n) % len(far)] for n in range(SAMPLE))
    return [MoveBlock(seat, block, way.path, way.by) for way in open_routes(state, block, near + far)]
