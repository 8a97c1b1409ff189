"""A second world that differs from a state only in what one viewer may not know.

    twin(state, viewer, chance) -> (state, translate, names) | None
    revealed(state, viewer, events) -> names that the rules open to the viewer with these events

Hidden blocks of others trade names with hidden blocks of the same nation, on the map or in the pool: those in battle with
their equals in everything but the name, the others with any that moves and stacks alike, such as a fighter with a dive
bomber; half of the time also an army with an aircraft or a leader. Those that are in no battle have another strength too.
Hidden cards trade places with cards that nobody has seen. `translate` turns a command of the first world into the
one that looks the same to the viewer in the second, None where none does.

Whoever fights in a battle has seen its blocks and where they went: they are the same in both worlds for him, as is what is
about to be turned up.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stavka.bots.chance import Chance
from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc, enemies_at, is_enemy
from stavka.games.victory_in_europe.card_events import OffersSettled
from stavka.games.victory_in_europe.cards import players
from stavka.games.victory_in_europe.events import BlocksShown
from stavka.games.victory_in_europe.ground import BLOCKS, STACK_KEY, STACK_LIMIT
from stavka.games.victory_in_europe.moves import MoveBlock
from stavka.games.victory_in_europe.state import ALLIED, AXIS, NEUTRAL, SOVIET, Piece, State
from stavka.kernel.visibility import Role, Viewer

Made = tuple[State, Callable[[Any], Any | None], Mapping[str, str]]
TRIES: Final = 60  # exchanges of different kinds that are looked for
LASTING: Final = 2  # steps of a block that one loss does not remove
_EQUALS: Final = ("nation", "type", "steps", "fire_class", "fire", "move", "cost", "year", "fire_at")


def twin(state: State, viewer: Viewer, chance: Chance) -> Made | None:
    if viewer.role is Role.ARBITER or not state.blocks:
        return None
    blocks = _blocks(state, viewer, chance)
    if chance.happens(0.5):
        blocks |= _kinds(state, viewer, chance, blocks)
    names = {**blocks, **_cards(state, viewer, chance)}
    other: State = renamed(state.copy(), names)
    _strengths(other, viewer, chance)
    other._board = None
    return other, lambda command: _like(state, command, names), names


def revealed(state: State, viewer: Viewer, events: Sequence[object]) -> frozenset[str]:
    """[VE 5.2] [VE 12.0] Blocks that a battle shows to those who fight in it, and a partner's card that was exchanged."""
    found: set[str] = set()
    for event in events:
        if isinstance(event, BlocksShown) and viewer.seat in event.viewers:
            found |= set(event.blocks)
        if isinstance(event, OffersSettled) and event.exchanged and viewer.seat in (ALLIED, SOVIET):
            found |= {camp.offered for camp in state.camps.values() if camp.offered}
    return frozenset(found)


def is_loose(names: Mapping[str, str]) -> bool:
    """Whether blocks that stack apart have changed places, so that there is room in one world only [VE 4.5]."""
    return any(a in STACK_KEY and STACK_KEY[a] != STACK_KEY[b] for a, b in names.items())


def _like(state: State, command: Any, names: Mapping[str, str]) -> Any | None:
    """What looks the same in the second world. Nothing does if an aircraft raids an empty area of the enemy's: an army takes
    it without a fight [VE 4.1] [VE 6.21]."""
    made = listed(renamed(command, names))
    if isinstance(command, MoveBlock) and ground.branch(command.block) != ground.branch(made.block):
        nation, target = BLOCKS[command.block].nation, command.path[-1]
        if is_enemy(state, nation, target) and not enemies_at(state, target, bloc(state, nation)):
            return None
    return made


def listed(command: Any) -> Any:
    """The command with lists of blocks in manifest order, as the rules want them."""
    changes = {
        field.name: tuple(sorted(value, key=ground.ORDER.__getitem__))
        for field in dataclasses.fields(command)
        if isinstance(value := getattr(command, field.name), tuple) and value and all(b in BLOCKS for b in value)
    }
    return dataclasses.replace(command, **changes)


def _blocks(state: State, viewer: Viewer, chance: Chance) -> dict[str, str]:
    """Block -> the block that takes its place; an exchange of pairs."""
    groups: dict[Any, list[str]] = {}
    strict = state.frames[-1].kind in ("events", "production")  # where types and costs decide who may be chosen
    known = _remembered(state, viewer) | _about_to_change_hands(state)
    hidden = {b: p for b, p in state.blocks.items() if b not in known and not _sees(viewer, p)}
    for block, piece in hidden.items():
        fights = strict or piece.at in state.clashes or bool(piece.shown)
        groups.setdefault(_class(block, fights), []).append(block)
        if not fights:
            groups.setdefault(_class(block, True), []).append(block)
    for camp in state.camps.values():
        if viewer.seat == camp.seat:
            continue
        for block in sorted(camp.pool - known):
            groups.setdefault(_class(block, True), []).append(block)
    names: dict[str, str] = {}
    for group in groups.values():
        members = [block for block in group if block not in names]
        while len(members) > 1:
            a = members.pop(chance.below(len(members)))
            b = members.pop(chance.below(len(members)))
            if _fit(state, a, b):
                names |= {a: b, b: a}
    return names


def _kinds(state: State, viewer: Viewer, chance: Chance, named: Mapping[str, str]) -> dict[str, str]:
    """More exchanges: an army with an aircraft or a leader of its nation, on land, where the limits of both places allow."""
    if state.frames[-1].kind in ("events", "production"):
        return {}
    hidden = [
        block
        for block in _idle(state, viewer)
        if block not in named and ground.branch(block) in ("army", "air") and ground.is_land(state.blocks[block].at)
    ]
    counts = Counter((piece.side, STACK_KEY[block], piece.at) for block, piece in state.blocks.items())
    names: dict[str, str] = {}
    for _ in range(TRIES if len(hidden) > 1 else 0):
        a, b = chance.one_of(hidden), chance.one_of(hidden)
        if {a, b} & names.keys() or BLOCKS[a].nation != BLOCKS[b].nation or STACK_KEY[a] == STACK_KEY[b]:
            continue
        moves = [(a, state.blocks[b]), (b, state.blocks[a])]
        after = Counter({(piece.side, STACK_KEY[block], piece.at): 1 for block, piece in moves})
        before = Counter({(state.blocks[block].side, STACK_KEY[block], state.blocks[block].at): 1 for block in (a, b)})
        fits = all(counts[spot] + 1 <= STACK_LIMIT[spot[1:]] for spot in after)
        if fits and all(0 < piece.steps <= BLOCKS[block].steps for block, piece in moves):
            counts += after
            counts -= before
            names |= {a: b, b: a}
    return names


def _strengths(other: State, viewer: Viewer, chance: Chance) -> None:
    """Give hidden blocks of two steps and more another strength, so that none is lost by one step in one world only."""
    for block in _idle(other, viewer):
        piece, most = other.blocks[block], BLOCKS[block].steps
        if piece.steps >= LASTING and not ground.is_leader(block):
            steps = LASTING + chance.below(most - LASTING + 1)
            other.blocks[block] = dataclasses.replace(piece, steps=steps)


def _idle(state: State, viewer: Viewer) -> list[str]:
    """Hidden blocks that are in no battle and nobody knows, in order; not those that their place gives away."""
    known = _remembered(state, viewer) | _about_to_change_hands(state)
    return [
        block
        for block, piece in sorted(state.blocks.items())
        if block not in known
        and not _sees(viewer, piece)
        and not (piece.at in state.clashes or piece.shown or piece.aloft)
        and BLOCKS[block].type.id not in ("convoy", "fortress", "airborne")
    ]


def _sees(viewer: Viewer, piece: Piece) -> bool:
    """[VE 2.0] [VE 5.2] Said here once more, so that the battery does not believe what it has to judge."""
    return viewer.role is Role.SEAT and viewer.seat in (piece.seat, *piece.shown)


def _remembered(state: State, viewer: Viewer) -> frozenset[str]:
    """Blocks that he knows though they are not his: those that have acted in the battle being fought, if he fights in it,
    wherever they have gone since, and those that he moved after a battle of this turn, though they may have changed hands."""
    known: set[str] = set()
    if state.battle is not None and viewer.seat in state.battle.viewers:
        known |= {name.partition("@")[0] for name in state.battle.acted}
    corps = state.fights.corps.get(viewer.seat)
    if corps is not None:
        known |= {*corps.moved, *corps.blitzed, *corps.late, *corps.fliers}
    return frozenset(known)


def _about_to_change_hands(state: State) -> frozenset[str]:
    """[VE 10.1] Blocks of attacked neutrals, in the diplomacy phase: whoever wins the country has them from then on."""
    if state.frames[-1].kind != "diplomacy":
        return frozenset()
    return frozenset(block for block in state.blocks if state.minors.get(BLOCKS[block].nation) == NEUTRAL)


def _class(block: str, strict: bool) -> Any:
    """What two blocks must share to trade places."""
    datum = BLOCKS[block]
    if datum.type.id in ("convoy", "fortress"):
        return block  # bound to its place, which tells everybody
    if strict:
        return tuple(str(getattr(datum, name)) for name in _EQUALS)
    raids = "factory" in datum.type.primary | datum.type.secondary
    lands = datum.type.infantry and datum.type.id != "airborne"
    return (
        datum.nation, datum.type.branch, datum.type.id in ("leader", "fortress", "submarine", "airborne"), datum.move,
        datum.type.rebuildable, lands, raids, datum.type.id if datum.type.id == "submarine" else "",
    )  # fmt: skip


def _fit(state: State, a: str, b: str) -> bool:
    """Whether each block has enough steps for the other's place, a leader's zero step included."""
    for here, there in ((a, b), (b, a)):
        piece = state.blocks.get(here)
        if piece is not None and piece.steps > BLOCKS[there].steps:
            return False
    return ground.is_leader(a) == ground.is_leader(b)


def _cards(state: State, viewer: Viewer, chance: Chance) -> dict[str, str]:
    """Card -> the card that takes its place, among those of one deck that the viewer has not seen."""
    names: dict[str, str] = {}
    due = all(state.camps[seat].chosen for seat in players(state) if seat)
    for deck in (AXIS, ALLIED):
        unseen = list(state.undealt.get(deck, ()))
        for seat, camp in state.camps.items():
            if (seat == AXIS) == (deck == AXIS) and viewer.seat != camp.seat:
                unseen += [*camp.hand, *([camp.chosen] if camp.chosen and not due else [])]
        shuffled = list(unseen)
        for place in range(len(shuffled) - 1, 0, -1):
            other = chance.below(place + 1)
            shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
        names |= dict(zip(unseen, shuffled, strict=True))
    return names


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The value with every name in it exchanged; orders stay as they are."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {renamed(key, names): renamed(item, names) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(renamed(item, names) for item in value)
    if isinstance(value, frozenset):
        return frozenset(renamed(item, names) for item in value)
    if isinstance(value, State):
        for name in State.__dataclass_fields__:
            setattr(value, name, renamed(getattr(value, name), names))
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changes = {f.name: renamed(getattr(value, f.name), names) for f in dataclasses.fields(value)}
        return dataclasses.replace(value, **changes)
    return value
