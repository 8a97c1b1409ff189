"""The one function at the edge that turns an error into a gRPC status. Nothing else tells a client what went wrong.

    status_of(error) -> google.rpc.Status      code, one sentence, ErrorInfo, and BadRequest or RetryInfo where they help

ErrorInfo: `reason` is the error's stable word, `domain` is "stavka", the metadata are its details as text, among them
`rule` for a broken rule. An error that nobody foresaw becomes INTERNAL with an incident number that the server's own
log explains; its text and its traceback stay here.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Final

import grpc
import structlog
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from stavka.audit.verify import WrongRecord
from stavka.bus.errors import RecordRefused, StartRefused
from stavka.kernel.errors import CorruptHistory, DataError, IllegalAction, MalformedCommand, StaleCommand, StavkaError
from stavka.match.ports import LogUnavailable
from stavka.views.errors import MatchQuarantined, StoreUnavailable, UnknownMatch, VersionNotYet
from stavka.wire.gen.stavka.log.v1 import log_pb2

from .identity import BadKeyFile, Unauthenticated
from .permissions import Forbidden

DOMAIN: Final = "stavka"
MAX_MESSAGE: Final = 800  # bytes of the message as it travels: percent-encoded, one header of the response
MAX_VALUE: Final = 256  # bytes of one detail
MAX_DETAILS: Final = 2048  # bytes of all details together; the status travels in base64, one more header
MAX_FIELD: Final = 128  # bytes of a field's name
RETRY_MS: Final = 250  # when the log or the projections are away

Code = grpc.StatusCode

logger = structlog.get_logger(__name__)


class Refused(StavkaError):
    """The durable answer to a command that was not accepted, as the log holds it."""

    def __init__(self, refusal: log_pb2.Refusal) -> None:
        at = {"version": refusal.version, "head": refusal.head.hex()} if refusal.head else {}
        details = {**refusal.details, **at}
        super().__init__(refusal.reason, refusal.message, **details)
        self.fault = refusal.fault
        self.rule = refusal.rule


class OutcomeUnknown(StavkaError):
    """The command may or may not have been accepted: ask again with the same command_id."""

    def __init__(self, command_id: str, message: str, code: grpc.StatusCode) -> None:
        super().__init__("OUTCOME_UNKNOWN", message, command_id=command_id)
        self.code = code


class TooMuch(StavkaError):
    """A limit was reached; `retry_ms` says when to try again, 0 that trying again is no use."""

    def __init__(self, reason: str, message: str, retry_ms: int, **details: object) -> None:
        super().__init__(reason, message, **details)
        self.retry_ms = retry_ms


class NotServing(StavkaError):
    """The server has not caught up with the log yet, or is stopping."""


class CannotListen(StavkaError):
    """The address cannot be had. Raised at start-up only."""

    def __init__(self, message: str) -> None:
        super().__init__("CANNOT_LISTEN", message)


BY_TYPE: Final[Mapping[type[Exception], grpc.StatusCode]] = {
    IllegalAction: Code.FAILED_PRECONDITION,
    MalformedCommand: Code.INVALID_ARGUMENT,
    StaleCommand: Code.ABORTED,
    CorruptHistory: Code.FAILED_PRECONDITION,
    MatchQuarantined: Code.FAILED_PRECONDITION,
    WrongRecord: Code.FAILED_PRECONDITION,
    DataError: Code.INTERNAL,
    BadKeyFile: Code.INTERNAL,
    UnknownMatch: Code.NOT_FOUND,
    VersionNotYet: Code.OUT_OF_RANGE,
    StoreUnavailable: Code.UNAVAILABLE,
    LogUnavailable: Code.UNAVAILABLE,
    RecordRefused: Code.INVALID_ARGUMENT,
    StartRefused: Code.INTERNAL,
    Unauthenticated: Code.UNAUTHENTICATED,
    Forbidden: Code.PERMISSION_DENIED,
    TooMuch: Code.RESOURCE_EXHAUSTED,
    NotServing: Code.UNAVAILABLE,
    CannotListen: Code.INTERNAL,
}
"""Error type (or the nearest of its bases) -> code."""

BY_FAULT: Final[Mapping[str, grpc.StatusCode]] = {
    "illegal": Code.FAILED_PRECONDITION,
    "malformed": Code.INVALID_ARGUMENT,
    "stale": Code.ABORTED,
    "internal": Code.INTERNAL,
}
"""Word of a durable refusal -> code."""

BY_REASON: Final[Mapping[str, grpc.StatusCode]] = {
    "UNKNOWN_MATCH": Code.NOT_FOUND,
    "UNKNOWN_GAME": Code.NOT_FOUND,
    "NOT_YOUR_SEAT": Code.PERMISSION_DENIED,
    "SEAT_RESERVED": Code.PERMISSION_DENIED,
    "QUARANTINED": Code.FAILED_PRECONDITION,
}
"""Reasons of a malformed, illegal or internal refusal that have a code of their own."""

_PATH: Final = re.compile(r"at `\$\.?([^`]*)`")


def status_of(error: Exception) -> status_pb2.Status:
    """The status that a client gets for an error."""
    code = code_of(error)
    if code is None:
        return _incident(error)
    message = _cut(str(error), MAX_MESSAGE, _on_the_wire)
    if isinstance(error, StavkaError):
        reason, details = error.reason, dict(error.details)
    else:
        reason, details = "LOG_AWAY" if isinstance(error, LogUnavailable) else "RECORD_REFUSED", {}
    rule = getattr(error, "rule", "")
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=_texts(rule, details))
    return _packed(code, message, (info, *_advice(code, error, message)))


def code_of(error: Exception) -> grpc.StatusCode | None:
    """The code of an error; None when nobody foresaw it."""
    if isinstance(error, OutcomeUnknown):
        return error.code
    if isinstance(error, Refused):
        return BY_REASON.get(error.reason, BY_FAULT.get(error.fault, Code.INTERNAL))
    for cls in type(error).__mro__:
        if cls in BY_TYPE:
            own = BY_TYPE[cls]
            return BY_REASON.get(error.reason, own) if isinstance(error, IllegalAction | MalformedCommand) else own
    return None


def _advice(code: grpc.StatusCode, error: Exception, message: str) -> Iterable[object]:
    """BadRequest for a malformed message; RetryInfo where trying again helps."""
    if code is Code.INVALID_ARGUMENT:
        violation = error_details_pb2.BadRequest.FieldViolation(field=_field(error, message), description=message)
        yield error_details_pb2.BadRequest(field_violations=[violation])
    retry_ms = error.retry_ms if isinstance(error, TooMuch) else RETRY_MS if code is Code.UNAVAILABLE else 0
    if retry_ms:
        yield error_details_pb2.RetryInfo(retry_delay=Duration(seconds=retry_ms // 1000, nanos=retry_ms % 1000 * 10**6))


def _field(error: Exception, message: str) -> str:
    """The field of the request that is wrong, as well as the error tells."""
    named = error.details.get("field") if isinstance(error, StavkaError) else None
    if named:
        return _cut(str(named), MAX_FIELD)
    path = _PATH.search(message)
    return _cut(f"arguments.{path[1]}".rstrip("."), MAX_FIELD) if path else "arguments"


def _texts(rule: str, details: Mapping[str, object]) -> dict[str, str]:
    """The details as text, the shortest first, as many as there is room for."""
    texts = [(_cut(str(key), 64), _cut(str(value), MAX_VALUE)) for key, value in details.items()]
    found, room = {"rule": rule} if rule else {}, MAX_DETAILS
    for key, value in sorted(texts, key=_room_of):
        room -= _room_of((key, value))
        if room < 0:
            break
        found[key] = value
    return found


def _room_of(text: tuple[str, str]) -> int:
    """Bytes of a detail in the status, with what protobuf adds."""
    return sum(len(part.encode()) for part in text) + 8


def _on_the_wire(char: str) -> int:
    """Bytes of a character in the header grpc-message: as it is, or percent-encoded byte by byte."""
    return 1 if " " <= char <= "~" and char != "%" else 3 * len(char.encode())


def _cut(text: str, limit: int, size: Callable[[str], int] = lambda char: len(char.encode())) -> str:
    """As much of the beginning of a text as `limit` bytes hold. Half a surrogate pair becomes a question mark."""
    text = text[:limit].encode("utf-8", "replace").decode()
    sizes = accumulate(map(size, text))
    return text[: sum(used <= limit for used in sizes)]


def _incident(error: Exception) -> status_pb2.Status:
    incident = secrets.token_hex(4)
    logger.error("unforeseen error", incident=incident, exc_info=error)
    info = error_details_pb2.ErrorInfo(reason="INTERNAL", domain=DOMAIN, metadata={"incident": incident})
    return _packed(Code.INTERNAL, f"something went wrong here; incident {incident}", (info,))


def _packed(code: grpc.StatusCode, message: str, details: Iterable[object]) -> status_pb2.Status:
    status = status_pb2.Status(code=code.value[0], message=message)
    for detail in details:
        status.details.add().Pack(detail)
    return status
