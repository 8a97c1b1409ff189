"""Records of the refusals topic: refusals of commands, and notices that a match stands still. All of bounded size.

A notice is a refusal without a command id: automatic progress broke at `version` and `head` of the match. It holds
until the match moves on, as it does when a build without that bug takes it over.
"""

from __future__ import annotations

from typing import Final

from stavka.kernel.errors import IllegalAction, MalformedCommand, StaleCommand, StavkaError
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2

from .fold import MatchFold

MAX_ID_BYTES: Final = 256  # of an id, a player's name or a seat in a command
MAX_MESSAGE_BYTES: Final = 2_000
MAX_WORD_BYTES: Final = 128
MAX_DETAIL_BYTES: Final = 512
MAX_DETAILS: Final = 16
QUARANTINED: Final = "QUARANTINED"


def is_misshapen(command: log_pb2.Command) -> bool:
    """Whether a command bears names that no gateway lets through: nobody waits for an answer to it."""
    names = (command.match_id, command.command_id, command.player, command.seat)
    return not command.command_id or any(len(name.encode()) > MAX_ID_BYTES for name in names)


def refusal_of(command: log_pb2.Command, version: int, head: bytes, error: StavkaError) -> log_pb2.Refusal:
    """The durable refusal of a command that was judged on this version and head."""
    return log_pb2.Refusal(
        match_id=command.match_id,
        command_id=command.command_id,
        player=command.player,
        seat=command.seat,
        version=version,
        head=head,
        fault=fault_of(error),
        reason=cut(error.reason, MAX_WORD_BYTES),
        rule=cut(error.rule, MAX_WORD_BYTES) if isinstance(error, IllegalAction) else "",
        message=cut(str(error), MAX_MESSAGE_BYTES),
        details={
            cut(key, MAX_WORD_BYTES): cut(str(value), MAX_DETAIL_BYTES)
            for key, value in list(error.details.items())[:MAX_DETAILS]
        },
    )


def notice_of(match_id: str, version: int, head: bytes, why: str) -> log_pb2.Refusal:
    """The notice that a match cannot go on from this version and head."""
    message = cut(f"version {version}: {why}", MAX_MESSAGE_BYTES)
    return log_pb2.Refusal(
        match_id=match_id, version=version, head=head, fault="internal", reason=QUARANTINED, message=message
    )


def is_notice(refusal: log_pb2.Refusal) -> bool:
    return not refusal.command_id and refusal.reason == QUARANTINED


def fault_of(error: StavkaError) -> str:
    """The refusal's `fault` word."""
    if isinstance(error, IllegalAction):
        return "illegal"
    if isinstance(error, MalformedCommand):
        return "malformed"
    return "stale" if isinstance(error, StaleCommand) else "internal"


def cut(text: str, size: int) -> str:
    """The text, or as much of its beginning as fits `size` bytes, whatever characters it is made of."""
    raw = text.encode("utf-8", "replace")
    return (raw if len(raw) <= size else raw[: size - 3] + "…".encode()).decode("utf-8", "ignore")


def dump_of(fold: MatchFold) -> str:
    """The match's state as JSON, for the server's log."""
    if fold.state is None:
        return ""
    try:
        return to_json(fold.state).decode()
    except Exception as error:  # noqa: BLE001 (a state that broke the rules may break its dump; say so in its place)
        return f"no dump: {error!r}"
