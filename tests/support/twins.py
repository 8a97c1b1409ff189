"""Twins: worlds that differ only in what one viewer may not know, one maker a game with hidden information.

    TWINS[game id](state, viewer, chance) -> Twin | None     None: this viewer knows everything that differs here

A twin's `translate` turns a command that another seat could give in the first world into the one that looks the same
to the viewer in the second. Games whose every field is public have no twins, and `is_open` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from stavka.bots.chance import Chance
from stavka.kernel.game import Command, Game
from stavka.kernel.visibility import Role, Viewer, is_all_public

from tests.support import skirmish


@dataclass(frozen=True, slots=True)
class Twin:
    state: Any
    translate: Callable[[Command], Command]


def is_open(game: Game) -> bool:
    """Whether nothing in the game is hidden from anybody."""
    return all(is_all_public(cls) for cls in (type(game.state()), *game.events, *game.commands))


def skirmish_twin(table: skirmish.Table, viewer: Viewer, chance: Chance) -> Twin | None:
    """Deal again what the viewer cannot see: the deck, and the hands and chosen cards of others."""
    if viewer.role is Role.ARBITER or not table.round:
        return None
    others = [camp for camp in table.camps.values() if viewer.role is not Role.SEAT or camp.side != viewer.seat]
    pool = [card for camp in others for card in (*camp.hand, *([camp.chosen] if camp.chosen else []))]
    pool += table.deck
    for place in range(len(pool) - 1, 0, -1):
        other = chance.below(place + 1)
        pool[place], pool[other] = pool[other], pool[place]
    twin = table.copy()
    swap: dict[tuple[str, int], int] = {}
    for camp in others:
        hand = tuple(pool.pop() for _ in camp.hand)
        chosen = pool.pop() if camp.chosen else 0
        twin.camps[camp.side] = replace(camp, hand=hand, chosen=chosen)
        swap |= {(camp.side, old): new for old, new in zip(camp.hand, hand, strict=True)}
    twin.deck = tuple(pool)

    def translate(command: Command) -> Command:
        assert isinstance(command, skirmish.ChooseCard)
        return replace(command, card=swap.get((command.side, command.card), command.card))

    return Twin(twin, translate)


def victory_in_europe_twin(state: Any, viewer: Viewer, chance: Chance) -> Twin | None:
    """Hidden blocks and cards of others trade places; see tests/games/victory_in_europe/twin.py."""
    from tests.games.victory_in_europe.twin import twin

    made = twin(state, viewer, chance)
    return None if made is None else Twin(*made)


TWINS: Final[Mapping[str, Callable[[Any, Viewer, Chance], Twin | None]]] = {
    "skirmish": skirmish_twin,
    "victory_in_europe": victory_in_europe_twin,
}
