"""A second world that differs from a state only in what one viewer may not know.

    twin(state, viewer, chance) -> (state, translate, names) | None
    revealed(state, viewer, events) -> names that the rules open to the viewer with these events

Hidden blocks of others trade names with hidden blocks of the same nation, on the map or in the pool: those in battle with
their equals in everything but the name, the others with any that moves and stacks alike, such as a fighter with a dive
bomber. Hidden cards trade places with cards that nobody has seen. `translate` turns a command of the first world into the
one that looks the same to the viewer in the second.

Whoever fights in a battle has seen its blocks and where they went: they are the same in both worlds for him, as is what is
about to be turned up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stavka.bots.chance import Chance
from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.card_events import OffersSettled
from stavka.games.victory_in_europe.cards import players
from stavka.games.victory_in_europe.events import BlocksShown
from stavka.games.victory_in_europe.ground import BLOCKS
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET, State
from stavka.kernel.visibility import Role, Viewer

Made = tuple[State, Callable[[Any], Any], Mapping[str, str]]
_EQUALS: Final = ("nation", "type", "steps", "fire_class", "fire", "move", "cost", "year", "fire_at")


def twin(state: State, viewer: Viewer, chance: Chance) -> Made | None:
    if viewer.role is Role.ARBITER or not state.blocks:
        return None
    names = {**_blocks(state, viewer, chance), **_cards(state, viewer, chance)}
    other: State = renamed(state.copy(), names)
    other._board = None
    return other, lambda command: listed(renamed(command, names)), names


def revealed(state: State, viewer: Viewer, events: Sequence[object]) -> frozenset[str]:
    """[VE 5.2] [VE 12.0] Blocks that a battle shows to those who fight in it, and a partner's card that was exchanged."""
    found: set[str] = set()
    for event in events:
        if isinstance(event, BlocksShown) and viewer.seat in event.viewers:
            found |= set(event.blocks)
        if isinstance(event, OffersSettled) and event.exchanged and viewer.seat in (ALLIED, SOVIET):
            found |= {camp.offered for camp in state.camps.values() if camp.offered}
    return frozenset(found)


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
    known = _remembered(state, viewer)
    hidden = {b: p for b, p in state.blocks.items() if b not in known and not viewer.may_see(p.seen_by, False)}
    for block, piece in hidden.items():
        fights = strict or piece.at in state.clashes or bool(piece.shown)
        groups.setdefault(_class(block, fights), []).append(block)
        if not fights:
            groups.setdefault(_class(block, True), []).append(block)
    for camp in state.camps.values():
        if viewer.may_see(camp.seen_by, False):
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


def _remembered(state: State, viewer: Viewer) -> frozenset[str]:
    """Blocks that have acted in the battle being fought, for those who fight in it, wherever they have gone since."""
    battle = state.battle
    if battle is None or not viewer.may_see(battle.seen_by, False):
        return frozenset()
    return frozenset(name.partition("@")[0] for name in battle.acted)


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
            if (seat == AXIS) == (deck == AXIS) and not viewer.may_see(camp.seen_by, False):
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
