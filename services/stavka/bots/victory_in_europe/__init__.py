"""The heuristic for Victory in Europe: every option gets a score from what its seat can see, and the best one is taken.

    bot(rules) -> Bot

atlas.py        map and blocks: what never changes
realm.py        who holds what, what it is worth, where goals pull
position.py     one table: who stands where, what is in danger
outlook.py      what a battle promises, in numbers
assaults.py     plans of attack and relief
moves.py        moves, landings, regroups, blitzes, declarations of war
battles.py      firing, retreating, prolonging
home.py         production, diplomacy, events, set-up

Commands go to the battles that promise most, with everybody who can come; places that nobody holds are taken; the rest stands
where the enemy could break through, or draws nearer to what he holds. A hidden enemy block counts as an average one of its
nation. Nothing looks ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stavka.bots.chance import Chance
from stavka.bots.choosers import Bot, Offer, Option, Pick, Rules, View, pick

from . import battles, home, moves
from .atlas import Atlas
from .position import Position

Score = Callable[[Position, Sequence[Option]], list[float]]

SCORES: Final[Mapping[str, Score]] = {**moves.SCORES, **battles.SCORES, **home.SCORES}
"""Command name -> scores of its options; they are compared within one decision. Others score 0."""
NOISE: Final = 0.02
"""Scores nearer than this are drawn for."""


def bot(rules: Rules) -> Bot:
    """The bot for the map and blocks that the rules service lists."""
    atlas = Atlas(rules)

    def choose(chance: Chance, view: View, offers: Sequence[Offer]) -> Pick:
        offer = next(offer for offer in offers if offer.options)
        return best(chance, Position(atlas, view, offer), offer)

    return Bot("heuristic", choose, needs_view=True)


def best(chance: Chance, position: Position, offer: Offer) -> Pick:
    """The option with the best score; equals are drawn for."""
    groups: dict[str, list[Option]] = {}
    for option in offer.options:
        groups.setdefault(option.command, []).append(option)
    scored: list[tuple[float, Option]] = []
    for name, options in groups.items():
        scores = SCORES[name](position, options) if name in SCORES else [0.0] * len(options)
        scored += zip(scores, options, strict=True)
    top = max(score for score, _ in scored)
    return pick(offer, chance.one_of([option for score, option in scored if score >= top - NOISE]))
