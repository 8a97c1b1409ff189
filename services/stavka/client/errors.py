"""What a server refuses, as exceptions made from google.rpc.ErrorInfo. Switch on the class or on `reason`.

Refused              every refusal of the server; the others are kinds of it
  IllegalMove        a rule of the game forbids it: `rule` names it
  Malformed          the request makes no sense
  Stale              the match moved on: look again
  NotFound           no such match, game, version
  NotAllowed         the token does not open this
  TooMuch            a limit: try again after `retry_after` seconds
  OutcomeUnknown     the command may or may not have been accepted: send it again with the same command_id
Unreachable          no answer from a server
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

STATUS_KEY = "grpc-status-details-bin"


class ClientError(Exception):
    """Base of what this package raises. `retry_after` is in seconds; 0 when the server names no delay."""

    retry_after: float = 0.0


class Unreachable(ClientError):
    """No server answered, or the connection broke; a command's outcome is unknown then."""


class Refused(ClientError):
    """The server said no. `details` are the facts of the case, as text."""

    def __init__(
        self, reason: str, message: str, code: grpc.StatusCode, details: Mapping[str, str], retry_after: float = 0.0
    ) -> None:
        super().__init__(message or reason)
        self.reason = reason
        self.code = code
        self.details = details
        self.retry_after = retry_after

    @property
    def rule(self) -> str:
        """Citation of the rule that forbids it; empty when none does."""
        return self.details.get("rule", "")


class IllegalMove(Refused):
    pass


class Malformed(Refused):
    pass


class Stale(Refused):
    pass


class NotFound(Refused):
    pass


class NotAllowed(Refused):
    pass


class TooMuch(Refused):
    pass


class OutcomeUnknown(Refused):
    pass


KINDS: Mapping[grpc.StatusCode, type[Refused]] = {
    grpc.StatusCode.FAILED_PRECONDITION: IllegalMove,
    grpc.StatusCode.INVALID_ARGUMENT: Malformed,
    grpc.StatusCode.ABORTED: Stale,
    grpc.StatusCode.OUT_OF_RANGE: NotFound,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.PERMISSION_DENIED: NotAllowed,
    grpc.StatusCode.UNAUTHENTICATED: NotAllowed,
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooMuch,
}
LOST = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED})


def from_rpc(error: grpc.aio.AioRpcError) -> ClientError:
    """The exception that says what a failed call says."""
    code = error.code()
    status = _status(error)
    info, retry_after = error_details_pb2.ErrorInfo(), 0.0
    for detail in status.details:
        retry = error_details_pb2.RetryInfo()
        if not detail.Unpack(info) and detail.Unpack(retry):
            retry_after = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
    message = error.details() or ""
    if not info.reason and code in LOST:
        return Unreachable(f"{code.name}: {message}")
    kind = OutcomeUnknown if info.reason == "OUTCOME_UNKNOWN" else KINDS.get(code, Refused)
    return kind(info.reason or code.name, message, code, dict(info.metadata), retry_after)


def is_transient(error: ClientError) -> bool:
    """Whether the same call may well succeed a little later."""
    if isinstance(error, Refused):
        busy = isinstance(error, TooMuch) and error.retry_after > 0
        return busy or isinstance(error, OutcomeUnknown) or error.code is grpc.StatusCode.UNAVAILABLE
    return isinstance(error, Unreachable)


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    metadata: Iterable[Any] = error.trailing_metadata() or ()
    for key, value in metadata:
        if key == STATUS_KEY:
            return status_pb2.Status.FromString(value)
    return status_pb2.Status()
