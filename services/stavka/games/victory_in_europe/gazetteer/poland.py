"""Poland between attack and neutrality [VE 13 Poland]."""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe.diplomacy.attacks import is_attacked_now
from stavka.games.victory_in_europe.state import ALLIED, State

POLAND: Final = "poland"


def lapses(state: State) -> bool:
    """Whether Poland, an ally since 1939, turns neutral because Germany has not attacked it in this turn.

    A Poland that has come back by a diplomatic roll is an ally like any other.
    """
    ally = state.minors[POLAND] == ALLIED and POLAND not in state.affairs.patrons
    return ally and not is_attacked_now(state, POLAND)
