"""Who may do what: one table, and nothing is allowed that does not stand in it.

Players act for the seats that they hold and look through those seats' eyes, or the public's. Spectators look through
the public's eyes. Arbiters look through anybody's and act for nobody. Administrators run the service: they create
matches and see what spectators see.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stavka.kernel.errors import StavkaError
from stavka.kernel.visibility import ARBITER, SPECTATOR, Viewer, seat
from stavka.match.lobby import MatchState

from .identity import Caller, Role

PLAYERS: Final = frozenset({Role.PLAYER})
EVERYBODY: Final = frozenset(Role)
SEATED: Final = frozenset({Role.PLAYER, Role.ARBITER})
OFFICIALS: Final = frozenset({Role.ARBITER, Role.ADMINISTRATOR})

METHODS: Final[Mapping[str, frozenset[Role]]] = {
    "stavka.rules.v1.RulesService/ListGames": EVERYBODY,
    "stavka.rules.v1.RulesService/GetGame": EVERYBODY,
    "stavka.rules.v1.RulesService/ListSpaces": EVERYBODY,
    "stavka.rules.v1.RulesService/ListPieces": EVERYBODY,
    "stavka.rules.v1.RulesService/ListSections": EVERYBODY,
    "stavka.match.v1.MatchService/CreateMatch": PLAYERS | OFFICIALS,
    "stavka.match.v1.MatchService/ListMatches": EVERYBODY,
    "stavka.match.v1.MatchService/GetMatch": EVERYBODY,
    "stavka.match.v1.MatchService/TakeSeat": PLAYERS,
    "stavka.match.v1.MatchService/SubmitCommand": PLAYERS,
    "stavka.match.v1.MatchService/Resign": PLAYERS,
    "stavka.match.v1.MatchService/ListDecisions": SEATED,
    "stavka.match.v1.MatchService/ListLegalActions": SEATED,
    "stavka.match.v1.MatchService/Explain": EVERYBODY,
    "stavka.match.v1.MatchService/GetView": EVERYBODY,
    "stavka.match.v1.MatchService/ListHistory": EVERYBODY,
    "stavka.match.v1.MatchService/Watch": EVERYBODY,
    "stavka.audit.v1.AuditService/ExportMatch": EVERYBODY,
    "stavka.audit.v1.AuditService/GetCheckpoint": EVERYBODY,
    "stavka.admin.v1.AdminService/GetStatus": OFFICIALS,
    "stavka.admin.v1.AdminService/ListQuarantinedMatches": OFFICIALS,
    "stavka.admin.v1.AdminService/RebuildProjection": frozenset({Role.ADMINISTRATOR}),
}


class Forbidden(StavkaError):
    """The caller is known and may not do this: ROLE_FORBIDDEN, TOKEN_BOUND, NOT_YOUR_SEAT, VIEWER_FORBIDDEN,
    MATCH_RUNNING."""


def require_role(caller: Caller, method: str) -> None:
    """Raises Forbidden(ROLE_FORBIDDEN), also for a method that the table does not know."""
    if caller.role not in METHODS.get(method, ()):
        raise Forbidden(
            "ROLE_FORBIDDEN", f"a token of role {caller.role.value} does not open this", role=caller.role.value
        )


def require_match(caller: Caller, match_id: str) -> None:
    """Raises Forbidden(TOKEN_BOUND) when the token is bound to another match."""
    if not opens(caller, match_id):
        raise Forbidden("TOKEN_BOUND", "this token opens another match")


def opens(caller: Caller, match_id: str) -> bool:
    """Whether the token is bound to no other match."""
    return caller.match_id in ("", match_id)


def require_unbound(caller: Caller) -> None:
    """Raises Forbidden(TOKEN_BOUND): a token for one match creates no other, and tells nothing of the whole server."""
    if caller.match_id:
        raise Forbidden("TOKEN_BOUND", "this token opens one match only")


def require_seat(caller: Caller, match: MatchState, name: str) -> None:
    """The caller may act for this seat. Raises Forbidden(NOT_YOUR_SEAT)."""
    if name not in held(caller, match):
        raise Forbidden("NOT_YOUR_SEAT", f"you do not hold seat {name!r}", seat=name)


def require_bound_seat(caller: Caller, name: str) -> None:
    """The caller may ask to take this seat. Raises Forbidden(NOT_YOUR_SEAT) when the token is bound to another."""
    if caller.seat and caller.seat != name:
        raise Forbidden("NOT_YOUR_SEAT", f"this token is for seat {caller.seat!r}", seat=name)


def held(caller: Caller, match: MatchState) -> tuple[str, ...]:
    """The seats that the caller has taken and may act for, in the scenario's order."""
    if caller.role is not Role.PLAYER or not opens(caller, match.match_id):
        return ()
    return tuple(name for name in match.seats if match.holds(caller.player, name) and caller.seat in ("", name))


def eyes(caller: Caller, match: MatchState) -> tuple[Viewer, ...]:
    """All the eyes that the caller has: an arbiter's, those of the seats that he holds, or the public's."""
    if caller.role is Role.ARBITER and opens(caller, match.match_id):
        return (ARBITER,)
    return tuple(map(seat, held(caller, match))) or (SPECTATOR,)


def seats_asked(caller: Caller, match: MatchState, name: str) -> tuple[str, ...]:
    """The seats whose decisions a question is about; "" means all that the caller may ask for. Raises Forbidden."""
    allowed = match.seats if caller.role is Role.ARBITER else held(caller, match)
    if name and name not in allowed:
        raise Forbidden("NOT_YOUR_SEAT", f"you do not hold seat {name!r}", seat=name)
    if not allowed:
        raise Forbidden("NOT_YOUR_SEAT", "you hold no seat in this match")
    return (name,) if name else allowed


def viewer_asked(caller: Caller, match: MatchState, name: str) -> Viewer:
    """The eyes that a question is answered for; "" means the caller's own. Raises Forbidden(VIEWER_FORBIDDEN)."""
    mine = held(caller, match)
    if not name:
        if caller.role is Role.ARBITER:
            return ARBITER
        if len(mine) > 1:
            raise Forbidden("VIEWER_FORBIDDEN", f"you hold {len(mine)} seats; name one", seats=", ".join(mine))
        return seat(mine[0]) if mine else SPECTATOR
    if name == SPECTATOR.role.value:
        return SPECTATOR
    if caller.role is Role.ARBITER:
        return ARBITER if name == ARBITER.role.value else _known_seat(match, name)
    if name not in mine:
        raise Forbidden("VIEWER_FORBIDDEN", f"you may not look through the eyes of {name!r}", viewer=name)
    return seat(name)


def require_whole(seen: object, there: object) -> None:
    """For what is given whole or not at all: `seen` by a viewer must be all that is `there`. Raises Forbidden."""
    if seen != there:
        raise Forbidden(
            "VIEWER_FORBIDDEN",
            "something on the table is hidden from these eyes; they may have its notation at the end",
        )


def _known_seat(match: MatchState, name: str) -> Viewer:
    if name not in match.seats:
        raise Forbidden("VIEWER_FORBIDDEN", f"this match has no seat {name!r}", viewer=name)
    return seat(name)


def viewer_name(viewer: Viewer) -> str:
    """The name that asks for these eyes again."""
    return viewer.seat or viewer.role.value
