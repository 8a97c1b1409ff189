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

from collections.abc import Mapping, Sequence
from typing import Final

from stavka.bots.chance import Chance
from stavka.bots.choosers import Bot, Offer, Pick, Rules, Score, View, choose_best

from . import battles, home, moves
from .atlas import Atlas
from .position import Position

SCORES: Final[Mapping[str, Score[Position]]] = {**moves.SCORES, **battles.SCORES, **home.SCORES}
"""Command name -> scores of its options; they are compared within one decision. Others score 0."""
NOISE: Final = 0.02
"""Scores nearer than this are drawn for."""


def bot(rules: Rules) -> Bot:
    """The bot for the map and blocks that the rules service lists."""
    atlas = Atlas(rules)

    def choose(chance: Chance, view: View, offers: Sequence[Offer]) -> Pick:
        return choose_best(chance, offers, lambda offer: Position(atlas, view, offer), SCORES, NOISE)

    return Bot("heuristic", choose, needs_view=True)
