"""Start and end of a turn: the United States, neutrals left alone, the last turn [VE 13 United States] [VE 10.3] [VE 9.3].

Frames "year" and "turn_end".
"""

from __future__ import annotations

from stavka.games.victory_in_europe.diplomacy.attacks import lapsed, turn_neutral
from stavka.games.victory_in_europe.diplomacy.victory import minor_victory
from stavka.games.victory_in_europe.gazetteer import poland, united_states
from stavka.games.victory_in_europe.sequence import LAST_TURN, advance
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Draft


def begin_turn(draft: Draft[State]) -> None:
    """[VE 13 United States] Mobilization and entry, then the cards."""
    if united_states.mobilizes(draft.state):
        united_states.mobilize(draft)
    if united_states.enters(draft.state):
        united_states.enter(draft)
    advance(draft)


def end_turn(draft: Draft[State]) -> None:
    """[VE 10.3] [VE 13 Poland] [VE 9.3] Who has not been attacked returns to neutrality; after fall 1945 the match ends."""
    for minor in lapsed(draft.state):
        turn_neutral(draft, minor)
    if poland.lapses(draft.state):
        turn_neutral(draft, poland.POLAND)
    if draft.state.turn == LAST_TURN:
        draft.emit(minor_victory(draft.state))
    else:
        advance(draft)
