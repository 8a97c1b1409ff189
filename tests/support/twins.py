"""Twins: worlds that differ only in what one viewer may not know, one maker a game with hidden information.

    TWINS[game id](state, viewer, chance) -> Twin | None     None: this viewer knows everything that differs here
    masked(value, names)                                     plain data in which the one world's names read as the other's

A twin's `translate` turns a command that another seat could give in the first world into the one that looks the same
to the viewer in the second, if there is one. `revealed` says which names the rules open to the viewer with events; only
these may differ in what he reads of them. Games whose every field is public have no twins, and `is_open` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from stavka.bots.chance import Chance
from stavka.kernel.game import Command, Game
from stavka.kernel.visibility import Role, Viewer, is_all_public

from tests.support import skirmish


@dataclass(frozen=True, slots=True)
class Twin:
    """`names`: name in the first world -> the one that stands in its place in the second, an exchange or a rotation.

    `loose`: so unlike that what the rules force everybody sees, such as the loss of a block that finds no room.
    """

    state: Any
    translate: Callable[[Command], Command | None]
    names: Mapping[str, str] = field(default_factory=dict)
    revealed: Callable[[Sequence[object]], frozenset[str]] = lambda events: frozenset()
    loose: bool = False


def is_open(game: Game) -> bool:
    """Whether nothing in the game is hidden from anybody."""
    return all(is_all_public(cls) for cls in (type(game.state()), *game.events, *game.commands))


def skirmish_twin(table: skirmish.Table, viewer: Viewer, chance: Chance) -> Twin | None:
    """Deal again what the viewer cannot see: the deck, and the hands and chosen cards of others.

    When all have chosen, the cards are about to be turned up: then they are the same in both worlds.
    """
    if viewer.role is Role.ARBITER or not table.round:
        return None
    due = all(camp.chosen for camp in table.camps.values())
    others = [camp for camp in table.camps.values() if viewer.role is not Role.SEAT or camp.side != viewer.seat]
    pool = [card for camp in others for card in (*camp.hand, *([camp.chosen] if camp.chosen and not due else []))]
    pool += table.deck
    for place in range(len(pool) - 1, 0, -1):
        other = chance.below(place + 1)
        pool[place], pool[other] = pool[other], pool[place]
    twin = table.copy()
    swap: dict[tuple[str, int], int] = {}
    for camp in others:
        hand = tuple(pool.pop() for _ in camp.hand)
        chosen = camp.chosen if due or not camp.chosen else pool.pop()
        twin.camps[camp.side] = replace(camp, hand=hand, chosen=chosen)
        swap |= {(camp.side, old): new for old, new in zip(camp.hand, hand, strict=True)}
    twin.deck = tuple(pool)

    def translate(command: Command) -> Command:
        assert isinstance(command, skirmish.ChooseCard)
        return replace(command, card=swap.get((command.side, command.card), command.card))

    return Twin(twin, translate)


def victory_in_europe_twin(state: Any, viewer: Viewer, chance: Chance) -> Twin | None:
    """Hidden blocks and cards of others trade places; see tests/games/victory_in_europe/twin.py."""
    from tests.games.victory_in_europe.twin import is_loose, revealed, twin

    made = twin(state, viewer, chance)
    if made is None:
        return None
    other, translate, names = made
    return Twin(other, translate, names, lambda events: revealed(state, viewer, events), is_loose(names))


TWINS: Final[Mapping[str, Callable[[Any, Viewer, Chance], Twin | None]]] = {
    "skirmish": skirmish_twin,
    "victory_in_europe": victory_in_europe_twin,
}


def masked(value: Any, names: Iterable[str]) -> Any:
    """Plain data with "*" for these names and, where one was, everything in an order that does not hang on them."""
    wanted = frozenset(names)
    return _masked(value, wanted) if wanted else value


def _masked(value: Any, names: frozenset[str]) -> Any:
    if isinstance(value, str):
        return "*" if value.partition("@")[0] in names else value
    if isinstance(value, Mapping):
        return sorted(([_masked(key, names), _masked(item, names)] for key, item in value.items()), key=repr)
    if isinstance(value, list | tuple):
        found = [_masked(item, names) for item in value]
        return sorted(found, key=repr) if "*" in found else found
    return value
