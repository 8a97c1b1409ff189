"""The edge of the gateway: every call comes through here, and every error leaves through here.

    handler(service descriptor, methods, edge) -> what grpc.aio.server takes

In this order: ready? who is it? may he? how often? how large? is it the message it should be? how many at once? Only
then the method itself runs, a coroutine `(call, request) -> response`, or an async generator of responses for a server
stream. Methods raise; `stavka.gateway.refusals` says what the client is told. Cancellation passes through untouched.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from typing import Any, Final

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status import rpc_status
from prometheus_client import Counter

from stavka.kernel.errors import MalformedCommand
from stavka.match.ports import Clock

from .identity import Caller, Identity, Unauthenticated
from .limits import Meter
from .permissions import require_role
from .refusals import NotServing, TooMuch, status_of

CALLS: Final = Counter("stavka_calls_total", "Calls by method and gRPC code", ["method", "code"])
BEARER: Final = "Bearer "
COMMANDS: Final = frozenset({"CreateMatch", "TakeSeat", "SubmitCommand", "Resign", "RebuildProjection"})
"""Methods that wait for others rather than reckon: a caller's do not take turns."""
Context = grpc.aio.ServicerContext[Any, Any]

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Call:
    """One call: who makes it, how much time he gives it, and how a stream takes its turn among all that he asks."""

    caller: Caller
    context: Context
    turn: Callable[[], AbstractAsyncContextManager[None]]

    @property
    def remaining(self) -> float | None:
        """Seconds until the client's deadline; None without one."""
        seconds: float | None = self.context.time_remaining()
        return seconds


Unary = Callable[[Call, Any], Awaitable[Message]]
Stream = Callable[[Call, Any], AsyncGenerator[Message, None]]


class Edge:
    """What all calls have in common."""

    def __init__(self, identity: Identity, meter: Meter, clock: Clock) -> None:
        self.serving = False
        self.why_not = "the gateway is reading the log"
        self._identity = identity
        self._meter = meter
        self._clock = clock

    def handler(
        self, service: ServiceDescriptor, methods: Mapping[str, Unary | Stream]
    ) -> grpc.GenericRpcHandler[Any, Any]:
        """The handler of a service. `methods` names exactly the service's methods."""
        if set(methods) != {method.name for method in service.methods}:
            raise AssertionError(f"{service.full_name} has other methods than those given")
        return grpc.method_handlers_generic_handler(
            service.full_name,
            {method.name: self._method(service, method, methods[method.name]) for method in service.methods},
        )

    def _method(
        self, service: ServiceDescriptor, method: MethodDescriptor, run: Any
    ) -> grpc.RpcMethodHandler[Any, Any]:
        name = f"{service.full_name}/{method.name}"
        request_class = GetMessageClass(method.input_type)
        if method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(self._stream(name, request_class, run), None, _bytes)
        return grpc.unary_unary_rpc_method_handler(self._unary(name, request_class, run), None, _bytes)

    def _unary(self, name: str, request_class: type[Message], run: Unary) -> Any:
        ok = CALLS.labels(name, "OK")
        takes_turns = name.rpartition("/")[2] not in COMMANDS

        async def answer(raw: bytes, context: Context) -> Message:
            try:
                call = self._admit(name, context)
                request = self._parsed(request_class, raw)
                async with self._meter.call(call.caller, takes_turns=takes_turns):
                    response = await run(call, request)
            except Exception as error:
                await refuse(name, context, error)
                raise  # never reached: abort raises
            ok.inc()
            return response

        return answer

    def _stream(self, name: str, request_class: type[Message], run: Stream) -> Any:
        ok = CALLS.labels(name, "OK")

        async def answer(raw: bytes, context: Context) -> None:
            try:
                call = self._admit(name, context)
                request = self._parsed(request_class, raw)
                with self._meter.stream(call.caller):
                    async with aclosing(run(call, request)) as messages:
                        async for message in messages:
                            await self._written(context, message)
            except Exception as error:
                await refuse(name, context, error)
                raise  # never reached: abort raises
            ok.inc()

        return answer

    async def _written(self, context: Context, message: Message) -> None:
        """Write, unless the peer takes nothing for `stall_seconds`."""
        try:
            async with asyncio.timeout(self._meter.limits.stall_seconds):
                await context.write(message)
        except TimeoutError as error:
            raise TooMuch("STALLED", "you read nothing for too long; begin again where you were", 1_000) from error

    def _admit(self, name: str, context: Context) -> Call:
        if not self.serving:
            raise NotServing("NOT_SERVING", self.why_not)
        now_ms = self._clock.now_ms()
        caller = self._identity.check(_token(context), now_ms)
        require_role(caller, name)
        return Call(caller, context, self._meter.take(caller, now_ms).stream_turn)

    def _parsed(self, request_class: type[Message], raw: bytes) -> Message:
        limit = self._meter.limits.message_bytes
        if len(raw) > limit:
            raise TooMuch("MESSAGE_TOO_LARGE", f"a message has at most {limit} bytes, not {len(raw)}", 0)
        try:
            return request_class.FromString(raw)
        except DecodeError as error:
            message = f"these bytes are no {request_class.DESCRIPTOR.name}"
            raise MalformedCommand("NOT_A_MESSAGE", message, field="request") from error


def _bytes(message: Message) -> bytes:
    """Map entries sorted by key, so that equal messages are equal bytes: their order tells nothing."""
    return message.SerializeToString(deterministic=True)


def _token(context: Context) -> str:
    """Raises Unauthenticated(NO_TOKEN)."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            text = value if isinstance(value, str) else value.decode("ascii", "replace")
            if text.startswith(BEARER):
                return text[len(BEARER) :]
    raise Unauthenticated("NO_TOKEN", "send the metadata `authorization: Bearer <token>`")


async def refuse(name: str, context: Context, error: Exception) -> None:
    """Tell the client and end the call: raises what grpc.aio's abort raises."""
    status = status_of(error)
    CALLS.labels(name, _CODES[status.code]).inc()
    await context.abort_with_status(rpc_status.to_status(status))  # type: ignore[attr-defined]


_CODES: Final = {code.value[0]: code.name for code in grpc.StatusCode}
