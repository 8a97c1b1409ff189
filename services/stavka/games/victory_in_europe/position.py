"""Position notation: a state as a few readable lines, complete, and back.

write_position(state) -> str
read_position(text, begun) -> events       raises MalformedCommand with what is wrong
"""

from __future__ import annotations

from stavka.games.victory_in_europe.events import MatchBegun
from stavka.games.victory_in_europe.state import State
from stavka.kernel.draft import Event
from stavka.kernel.errors import MalformedCommand


def write_position(state: State) -> str:
    raise MalformedCommand("BAD_POSITION")


def read_position(text: str, begun: MatchBegun) -> list[Event]:
    raise MalformedCommand("BAD_POSITION")
