"""Whether a record exists for a viewer. What he sees of one that does is said in `stavka.views.redact`.

    hides_anything(game_id)                      whether any command or event of the game has a field that is not public
    reads(record, events, command, viewer)       whether he sees a command, an event or a roll of a record

A record of which a viewer sees nothing is held back from him until one follows of which he does: his version, his head,
his streams and the answers to his commands stay where they are. So nobody learns from a version that somebody else has
answered a secret decision.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from stavka.kernel.visibility import Viewer, is_all_public, shows
from stavka.wire.gen.stavka.log.v1 import log_pb2

from .rulebooks import rulebook


@cache
def hides_anything(game_id: str) -> bool:
    """Whether any command or event of the game has a field that not everybody may see."""
    game = rulebook(game_id).game
    return not all(is_all_public(cls) for cls in (*game.commands, *game.events))


def reads(record: log_pb2.Record, events: Iterable[object], command: object | None, viewer: Viewer) -> bool:
    """Whether anything of a record of a running match is there for the viewer. Rolls are: that one was made is seen."""
    return (
        bool(record.rolls)
        or (command is not None and shows(command, viewer, False))
        or any(shows(event, viewer, False) for event in events)
    )
