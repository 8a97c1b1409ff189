"""Errors on their way out: every kind has a code, and nothing of ours leaks."""

from __future__ import annotations

import base64
import importlib
import pkgutil
from collections.abc import Iterator
from urllib.parse import quote

import grpc
import pytest
import stavka
from google.rpc import error_details_pb2
from stavka.bus.errors import DamagedLog, DataDirLocked, RecordRefused, StartRefused, TopicRefused
from stavka.gateway import refusals
from stavka.gateway.refusals import OutcomeUnknown, Refused, TooMuch, code_of, status_of
from stavka.kernel.errors import IllegalAction, MalformedCommand, StavkaError
from stavka.match.ports import LogUnavailable
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2

from .stand import stand, told

PACKAGES = ("kernel", "wire", "match", "views", "audit", "games", "gateway")
MARCHING = "game red_vengeance\nphase movement allied\nturn 3\nweather clear\n\n[allied]\n1905: sov-13\n"
OWN_CODE = (OutcomeUnknown, Refused)


def leaves(cls: type[StavkaError]) -> Iterator[type[StavkaError]]:
    below = cls.__subclasses__()
    if not below:
        yield cls
    for each in below:
        yield from leaves(each)


def test_every_leaf_of_stavka_error_has_a_code() -> None:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(stavka.__path__, "stavka."):
            if module.name.split(".")[1] == package and ".gen." not in module.name:
                importlib.import_module(module.name)
    found = {cls for cls in leaves(StavkaError) if cls.__module__.startswith("stavka.")}
    assert IllegalAction in found
    unmapped = {cls for cls in found - set(OWN_CODE) if not any(base in refusals.BY_TYPE for base in cls.__mro__)}
    assert unmapped == set()


@pytest.mark.parametrize(
    ("cls", "code", "reason"),
    [
        (LogUnavailable, "UNAVAILABLE", "LOG_AWAY"),
        (RecordRefused, "INVALID_ARGUMENT", "RECORD_REFUSED"),
        (StartRefused, "INTERNAL", "START_REFUSED"),
        (DataDirLocked, "INTERNAL", "DATA_IN_USE"),
        (DamagedLog, "INTERNAL", "LOG_DAMAGED"),
        (TopicRefused, "INTERNAL", "TOPIC_UNSOUND"),
    ],
)
def test_every_error_of_a_port_has_a_code_and_a_reason(cls: type[Exception], code: str, reason: str) -> None:
    error = cls("why")
    assert code_of(error) is grpc.StatusCode[code]
    assert info_of(error).reason == reason


@pytest.mark.parametrize(
    ("fault", "reason", "code"),
    [
        ("illegal", "TOO_FAR", "FAILED_PRECONDITION"),
        ("illegal", "NOT_YOUR_SEAT", "PERMISSION_DENIED"),
        ("malformed", "UNKNOWN_UNIT", "INVALID_ARGUMENT"),
        ("malformed", "UNKNOWN_MATCH", "NOT_FOUND"),
        ("stale", "STALE_VERSION", "ABORTED"),
        ("internal", "INTERNAL", "INTERNAL"),
        ("internal", "QUARANTINED", "FAILED_PRECONDITION"),
        ("a later build's word", "WHAT", "INTERNAL"),
    ],
)
def test_a_durable_refusal_keeps_its_fault_reason_and_rule(fault: str, reason: str, code: str) -> None:
    refusal = log_pb2.Refusal(
        fault=fault, reason=reason, rule="RV 6.42", version=7, head=b"\x01", details={"hex": "1203"}
    )
    error = Refused(refusal)
    assert code_of(error) is grpc.StatusCode[code]
    info = info_of(error)
    assert (info.reason, dict(info.metadata)) == (
        reason,
        {"rule": "RV 6.42", "hex": "1203", "version": "7", "head": "01"},
    )


def test_an_unforeseen_error_tells_nothing_but_an_incident() -> None:
    status = status_of(KeyError("password"))
    assert status.code == grpc.StatusCode.INTERNAL.value[0]
    assert "password" not in str(status)


def test_the_violation_names_the_field_inside_the_arguments() -> None:
    error = MalformedCommand("BAD_ARGUMENT", "MoveUnit: Expected `str`, got `int` - at `$.path[0]`")
    bad = error_details_pb2.BadRequest()
    assert any(detail.Unpack(bad) for detail in status_of(error).details)
    assert bad.field_violations[0].field == "arguments.path[0]"


@pytest.mark.parametrize("char", ["x", "%", "\n", "é", "\U000e0001", "\ud800"])
def test_a_refusal_fits_into_headers(char: str) -> None:
    details = {"field": char * 1000, **{f"{char * 40}{n}": char * 10_000 for n in range(100)}, "version": 7}
    status = status_of(MalformedCommand("BAD", char * 100_000, **details))
    packed = len(base64.b64encode(status.SerializeToString()))
    assert len(quote(status.message, safe=" !\"#$&'()*+,/:;<=>?@[\\]^`{|}~")) + packed < 7168
    assert len(status.message) > 60
    assert info_of(MalformedCommand("BAD", "", **details)).metadata["version"] == "7"


@pytest.mark.parametrize("char", ["%", "é", "\U000e0001"])
async def test_a_long_wrong_argument_is_refused_and_not_lost_on_the_way(char: str) -> None:
    """The refusal quotes what was sent; gRPC lets 8 KiB of headers pass."""
    async with stand() as live:
        match_id = (
            await live.client("axis").create("red_vengeance", "campaign", analysis=True, position=MARCHING)
        ).match_id
        for seat in ("axis", "allied"):
            await live.client(seat).take_seat(match_id, seat)
        request = match_service_pb2.SubmitCommandRequest(
            match_id=match_id, seat="allied", command_id="c1", command="MoveUnit"
        )
        request.arguments.update({"unit": "sov-13", "to": char * 60_000})
        client = live.client("allied")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.matches.SubmitCommand(request, metadata=client.metadata)
        durable = told(caught.value)
        question = match_service_pb2.ExplainRequest(match_id=match_id, question="hex")
        question.arguments.update({"hex": char * 60_000})
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.matches.Explain(question, metadata=client.metadata)
    for found in (durable, told(caught.value)):
        assert (found.code, found.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_SPACE")


def test_a_limit_says_when_to_come_back() -> None:
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in status_of(TooMuch("RATE_LIMIT", "", 1500)).details)
    assert (retry.retry_delay.seconds, retry.retry_delay.nanos) == (1, 500_000_000)


def info_of(error: Exception) -> error_details_pb2.ErrorInfo:
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in status_of(error).details)
    assert info.domain == "stavka"
    return info
