"""A small client: connect, play, watch. Everything that a program needs that plays through the same door as people.

    async with connect("localhost:50051", token) as stavka:
        match_id = (await stavka.create("red_vengeance", "campaign")).match_id
        await stavka.take_seat(match_id, "allied")
        for choice in (await stavka.legal(match_id, "allied", limit=20)).choices:
            await stavka.act(match_id, "allied", choice.options[0])
        async for record in stavka.watch(match_id): ...

Commands are sent again under the same command_id until their outcome is known, so they happen once; a watch goes on
from the last version received. Give up with `asyncio.timeout`. Raises what `stavka.client.errors` lists.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final, TypeVar

import grpc

from stavka.wire.gen.stavka.admin.v1 import admin_service_pb2_grpc
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2 as audit
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2_grpc
from stavka.wire.gen.stavka.match.v1 import match_pb2, match_service_pb2_grpc
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb
from stavka.wire.gen.stavka.rules.v1 import rules_service_pb2_grpc

from .errors import ClientError, Refused, from_rpc, is_transient
from .structs import to_plain, to_struct

PAUSE: Final = 0.05  # seconds before the second try; doubles up to PAUSE_CAP
PAUSE_CAP: Final = 2.0
TRY_SECONDS: Final = 30.0  # deadline of one try
OPTIONS: Final = (
    ("grpc.max_receive_message_length", 64 << 20),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
)
T = TypeVar("T")
Metadata = tuple[tuple[str, str], ...]


@asynccontextmanager
async def connect(target: str, token: str, *, certificate: bytes | None = None) -> AsyncIterator[Client]:
    """A client of the server at "host:port".

    Args:
        token: a bearer token, as `stavka token` issues them.
        certificate: PEM of the authority that the server's certificate is checked against; turns TLS on. b"" takes
            the system's authorities. None speaks without TLS.
    """
    channel = channel_to(target, certificate=certificate)
    try:
        yield Client(channel, token)
    finally:
        await channel.close(None)


def channel_to(target: str, *, certificate: bytes | None = None) -> grpc.aio.Channel:
    """A channel, for several clients to share."""
    if certificate is None:
        return grpc.aio.insecure_channel(target, options=OPTIONS)
    credentials = grpc.ssl_channel_credentials(root_certificates=certificate or None)
    return grpc.aio.secure_channel(target, credentials, options=OPTIONS)


class Client:
    """One caller on a channel. The stubs are there for what has no method of its own: call them through `ask`.

    `patience`: seconds for which questions are asked again while the server is away or busy.
    """

    def __init__(self, channel: grpc.aio.Channel, token: str, *, patience: float = 30.0) -> None:
        self.patience = patience
        self.matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self.rules = rules_service_pb2_grpc.RulesServiceStub(channel)
        self.audit = audit_service_pb2_grpc.AuditServiceStub(channel)
        self.admin = admin_service_pb2_grpc.AdminServiceStub(channel)
        self.metadata: Metadata = (("authorization", f"Bearer {token}"),)

    # Commands.

    async def create(
        self, game: str, scenario: str, *, options: Mapping[str, str] | None = None,
        players: Mapping[str, str] | None = None, position: str = "", analysis: bool = False,
        script: Sequence[int] = (), spectator_delay: int = 0, command_id: str = "",
    ) -> pb.CreateMatchResponse:  # fmt: skip
        """Create a match."""
        request = pb.CreateMatchRequest(
            command_id=command_id or new_id(), game=game, scenario=scenario, options=options or {},
            players=players or {}, position=position, analysis=analysis, script=script,
            spectator_delay=spectator_delay,
        )  # fmt: skip
        return await self._command(self.matches.CreateMatch, request)

    async def take_seat(
        self, match_id: str, seat: str, *, entropy: str = "", command_id: str = ""
    ) -> pb.TakeSeatResponse:
        """Sit down; without `entropy` (16 to 64 hex digits) this client draws it."""
        request = pb.TakeSeatRequest(
            match_id=match_id, seat=seat, command_id=command_id or new_id(), entropy=entropy or secrets.token_hex(16)
        )
        return await self._command(self.matches.TakeSeat, request)

    async def submit(
        self, match_id: str, seat: str, command: str, arguments: Mapping[str, Any] | None = None, *,
        command_id: str = "", expected_version: int | None = None, decision_id: str = "",
    ) -> pb.SubmitCommandResponse:  # fmt: skip
        """Do something at the table."""
        action = match_pb2.Action(command=command, arguments=to_struct(arguments or {}))
        return await self.act(
            match_id, seat, action, command_id=command_id, expected_version=expected_version, decision_id=decision_id
        )

    async def act(
        self, match_id: str, seat: str, action: match_pb2.Action, *, command_id: str = "",
        expected_version: int | None = None, decision_id: str = "",
    ) -> pb.SubmitCommandResponse:  # fmt: skip
        """Submit an action, such as one of `legal`'s options, as it is."""
        request = pb.SubmitCommandRequest(
            match_id=match_id, seat=seat, command_id=command_id or new_id(), command=action.command,
            arguments=action.arguments, expected_version=expected_version, decision_id=decision_id,
        )  # fmt: skip
        return await self._command(self.matches.SubmitCommand, request)

    async def resign(self, match_id: str, seat: str, *, command_id: str = "") -> pb.ResignResponse:
        """Give a seat up."""
        request = pb.ResignRequest(match_id=match_id, seat=seat, command_id=command_id or new_id())
        return await self._command(self.matches.Resign, request)

    # Questions.

    async def match(self, match_id: str) -> match_pb2.Match:
        return (await self._question(self.matches.GetMatch, pb.GetMatchRequest(match_id=match_id))).match

    async def list_matches(self, *, game: str = "", player: str = "") -> AsyncGenerator[match_pb2.Match, None]:
        """Every match that the filters let through, newest first."""
        token = ""
        while True:
            request = pb.ListMatchesRequest(game=game, player=player, page_token=token)
            page = await self._question(self.matches.ListMatches, request)
            for match in page.matches:
                yield match
            token = page.next_page_token
            if not token:
                return

    async def decisions(self, match_id: str, seat: str = "") -> pb.ListDecisionsResponse:
        return await self._question(self.matches.ListDecisions, pb.ListDecisionsRequest(match_id=match_id, seat=seat))

    async def legal(
        self, match_id: str, seat: str = "", *, decision_id: str = "", limit: int = 0, sample_seed: int = 0
    ) -> pb.ListLegalActionsResponse:
        """Open decisions with their options; at most `limit` a decision, a uniform sample."""
        request = pb.ListLegalActionsRequest(
            match_id=match_id, seat=seat, decision_id=decision_id, limit=limit, sample_seed=sample_seed
        )
        return await self._question(self.matches.ListLegalActions, request)

    async def explain(
        self, match_id: str, question: str, arguments: Mapping[str, Any] | None = None, *, viewer: str = ""
    ) -> dict[str, Any]:
        request = pb.ExplainRequest(
            match_id=match_id, question=question, arguments=to_struct(arguments or {}), viewer=viewer
        )
        return to_plain((await self._question(self.matches.Explain, request)).answer)

    async def view(
        self, match_id: str, *, version: int | None = None, viewer: str = "", formats: Sequence[pb.ViewFormat] = ()
    ) -> pb.GetViewResponse:
        request = pb.GetViewRequest(match_id=match_id, version=version, viewer=viewer, formats=formats)
        return await self._question(self.matches.GetView, request)

    # Streams.

    async def history(
        self, match_id: str, *, after: int = 0, viewer: str = "", limit: int = 0
    ) -> AsyncGenerator[match_pb2.HistoryRecord, None]:
        """Accepted records after a version, up to the present one."""
        request = pb.ListHistoryRequest(match_id=match_id, from_version=after, viewer=viewer, limit=limit)
        async with aclosing(self._stream(self.matches.ListHistory, request)) as messages:
            async for message in messages:
                yield message.record

    async def watch(
        self, match_id: str, *, after: int = 0, viewer: str = ""
    ) -> AsyncGenerator[match_pb2.HistoryRecord, None]:
        """Records after a version, then live, across lost connections and restarts, until the match has ended.

        Raises Refused(QUARANTINED) when the match went into quarantine.
        """
        at, pause = after, PAUSE
        while True:
            try:
                request = pb.WatchRequest(match_id=match_id, from_version=at, viewer=viewer)
                async with aclosing(self._stream(self.matches.Watch, request)) as messages:
                    async for message in messages:
                        pause = PAUSE
                        if message.HasField("record"):
                            at = message.record.version
                            yield message.record
                        elif message.end.reason == pb.WATCH_END_REASON_MATCH_ENDED:
                            return
                        elif message.end.reason == pb.WATCH_END_REASON_QUARANTINED:
                            raise Refused("QUARANTINED", "the match is in quarantine", grpc.StatusCode.OK, {})
            except ClientError as error:
                if not is_transient(error):
                    raise
                await asyncio.sleep(max(pause, error.retry_after))
                pause = min(2 * pause, PAUSE_CAP)

    async def export(self, match_id: str) -> tuple[audit.ExportHeader, list[bytes]]:
        """Header and raw records of a match."""
        header, records = audit.ExportHeader(), []
        async for message in self._stream(self.audit.ExportMatch, audit.ExportMatchRequest(match_id=match_id)):
            if message.HasField("header"):
                header = message.header
            else:
                records.append(message.record.raw)
        return header, records

    # How calls are made.

    async def ask(self, method: Callable[..., Awaitable[T]], request: Any, *, seconds: float = TRY_SECONDS) -> T:
        """One call of a stub's method, tried once."""
        try:
            return await method(request, metadata=self.metadata, timeout=seconds)
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error

    async def _question(self, method: Callable[..., Awaitable[T]], request: Any) -> T:
        """Ask, and ask again for up to `patience` seconds while the server is away or busy."""
        clock = asyncio.get_running_loop().time
        until = clock() + self.patience
        pause = PAUSE
        while True:
            try:
                return await self.ask(method, request)
            except ClientError as error:
                if not is_transient(error) or clock() + pause > until:
                    raise
                await asyncio.sleep(max(pause, error.retry_after))
            pause = min(2 * pause, PAUSE_CAP)

    async def _command(self, method: Callable[..., Awaitable[T]], request: Any) -> T:
        """Send a command until its outcome is known."""
        pause = PAUSE
        while True:
            try:
                return await self.ask(method, request)
            except ClientError as error:
                if not is_transient(error):
                    raise
                await asyncio.sleep(max(pause, error.retry_after))
            pause = min(2 * pause, PAUSE_CAP)

    async def _stream(self, method: Callable[..., Any], request: Any) -> AsyncGenerator[Any, None]:
        call = method(request, metadata=self.metadata)
        try:
            async for message in call:
                yield message
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error
        finally:
            call.cancel()


def new_id() -> str:
    """A command_id that nobody else chooses."""
    return secrets.token_hex(12)


__all__ = ["Client", "ClientError", "channel_to", "connect", "new_id"]
