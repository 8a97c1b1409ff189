"""The heuristic for Red Vengeance: every option gets a score from the view alone, and the best one is taken.

    bot(rules) -> Bot

position.py     the table as the scores need it: stacks, zones of control, threats, the way to the objectives
movement.py     moving, by land and sea
battles.py      attacks, losses, retreats, advances
command.py      replacements, reinforcements, set-up and what else a Command Phase asks

The Allies mass on the way to Berlin, Prague, Vienna and the Balkan capitals and attack with good odds only, as far as the
rules leave them the choice; the Axis keeps a connected line on good ground in front of its cities, garrisons what counts
for victory, and hits back where it is much stronger. Nothing looks ahead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stavka.bots.chance import Chance
from stavka.bots.choosers import Bot, Offer, Pick, Rules, Score, View, choose_best

from . import battles, command, movement
from .position import Ground, Position

SCORES: Final[Mapping[str, Score[Position]]] = {**movement.SCORES, **battles.SCORES, **command.SCORES}
"""Command name -> scores of its options; they are compared within one decision."""
NOISE: Final = 0.01
"""Scores nearer than this are drawn for."""


def bot(rules: Rules) -> Bot:
    """The bot for the map and counters that the rules service lists."""
    ground = Ground(rules)

    def choose(chance: Chance, view: View, offers: Sequence[Offer]) -> Pick:
        return choose_best(chance, offers, lambda offer: Position(ground, view, offer.seat), SCORES, NOISE)

    return Bot("heuristic", choose, needs_view=True)
