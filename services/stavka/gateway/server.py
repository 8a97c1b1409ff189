"""The gateway as a server: the four services, health and reflection on one port.

    server = GatewayServer(follower, bus, reader, keyring, identity, ...)      before the follower is started
    await server.start()        listens at once; health says NOT_SERVING until the follower has caught up
    await server.ready()        returns when it serves
    await server.stop()         typed ends for watchers, then a grace period

One process has one event loop with one server in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import grpc
import structlog
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from stavka.games import GAMES
from stavka.match.follower import Follower
from stavka.match.keys import Keyring
from stavka.match.ports import PARTITIONS, Clock, CommandBus, Entropy, LogUnavailable
from stavka.match.rulebooks import rulebook
from stavka.views.reader import MatchReader
from stavka.wire.gen.stavka.admin.v1 import admin_service_pb2
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2
from stavka.wire.gen.stavka.rules.v1 import rules_service_pb2

from . import listing
from .administration import Administration, Rebuild
from .anonymous import Health, Places, Reflection
from .auditing import Auditing
from .desk import Desk
from .directory import Directory
from .edge import Edge, Stream, Unary
from .identity import BadKeyFile, Identity
from .limits import Limits, Meter
from .playing import Playing
from .reading import Reading
from .refusals import CannotListen
from .streams import Streams

MATCH: Final = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
RULES: Final = rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"]
AUDIT: Final = audit_service_pb2.DESCRIPTOR.services_by_name["AuditService"]
ADMIN: Final = admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"]
SERVICES: Final = (MATCH, RULES, AUDIT, ADMIN)
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
LOG_RETRY: Final = 0.25  # seconds between tries while the log is away

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Tls:
    """Certificate chain and private key, PEM."""

    certificate: bytes
    key: bytes


class GatewayServer:
    """Make it before the follower is started. `address` is "host:port"; port 0 takes a free one, see `port`."""

    def __init__(
        self,
        follower: Follower,
        bus: CommandBus,
        reader: MatchReader,
        keyring: Keyring,
        identity: Identity,
        *,
        clock: Clock,
        entropy: Entropy,
        limits: Limits | None = None,
        address: str = "127.0.0.1:0",
        tls: Tls | None = None,
        rebuild: Rebuild | None = None,
    ) -> None:
        """Raises BadKeyFile when a development key would be used off loopback."""
        if identity.key.development and address.rpartition(":")[0] not in LOOPBACK:
            raise BadKeyFile(
                "DEVELOPMENT_KEY", f"a development key serves loopback only, not {address}: give a token key"
            )
        self.limits = limits or Limits()
        self.meter = Meter(self.limits)
        self.port = 0
        self._address = address
        self._tls = tls
        self._follower = follower
        self._edge = Edge(identity, self.meter, clock)
        self.anonymous = Places(self.limits)
        self._health = Health(self.anonymous)
        self._catching_up: asyncio.Task[None] | None = None
        self._watching_log: asyncio.Task[None] | None = None
        self._server: grpc.aio.Server | None = None
        reader.heed(follower.book)
        directory = Directory(follower)
        playing = Playing(Desk(follower, bus, clock, self.meter), directory, entropy)
        reading = Reading(reader, directory)
        auditing = Auditing(reader, directory, keyring, clock)
        administration = Administration(follower, reader, directory, self.meter, rebuild)
        self._streams = Streams(reader, directory, self.limits)
        self._methods: dict[ServiceDescriptor, Mapping[str, Unary | Stream]] = {
            RULES: listing.METHODS,
            MATCH: {
                "CreateMatch": playing.create_match,
                "ListMatches": reading.list_matches,
                "GetMatch": reading.get_match,
                "TakeSeat": playing.take_seat,
                "SubmitCommand": playing.submit_command,
                "Resign": playing.resign,
                "ListDecisions": reading.list_decisions,
                "ListLegalActions": reading.list_legal_actions,
                "Explain": reading.explain,
                "GetView": reading.get_view,
                "ListHistory": self._streams.list_history,
                "Watch": self._streams.watch,
            },
            AUDIT: {"ExportMatch": auditing.export_match, "GetCheckpoint": auditing.get_checkpoint},
            ADMIN: {
                "GetStatus": administration.get_status,
                "ListQuarantinedMatches": administration.list_quarantined_matches,
                "RebuildProjection": administration.rebuild_projection,
            },
        }

    async def start(self) -> None:
        """Load the games, listen, and begin to follow the whole log. Raises CannotListen; DataError."""
        for game_id in GAMES:
            rulebook(game_id)
        server = grpc.aio.server(options=_options(self.limits), maximum_concurrent_rpcs=self.limits.calls)
        server.add_generic_rpc_handlers(
            tuple(self._edge.handler(service, methods) for service, methods in self._methods.items())
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = [service.full_name for service in SERVICES]
        described = Reflection((*names, "grpc.health.v1.Health", reflection.SERVICE_NAME), self.anonymous)
        reflection_pb2_grpc.add_ServerReflectionServicer_to_server(described, server)
        await self._say(health_pb2.HealthCheckResponse.NOT_SERVING)
        try:
            self.port = self._bind(server)
        except RuntimeError as error:
            raise CannotListen(f"{self._address}: {error}") from error
        await server.start()
        self._server = server
        self._follower.start(range(PARTITIONS))
        self._catching_up = asyncio.create_task(self._catch_up(), name="gateway catches up")
        logger.info("gateway listens", address=self._address, port=self.port, tls=self._tls is not None)

    async def ready(self) -> None:
        """Return when calls are served."""
        if self._catching_up is None:
            raise AssertionError("start the gateway first")
        await asyncio.shield(self._catching_up)

    async def stop(self) -> None:
        """Refuse new calls, end the streams, let running calls finish for `stop_seconds`. Twice is harmless."""
        self._edge.serving, self._edge.why_not = False, "the gateway stops"
        self._streams.stopping.set()
        for task in (self._catching_up, self._watching_log):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self._server is not None:
            await self._say(health_pb2.HealthCheckResponse.NOT_SERVING)
            await self._server.stop(self.limits.stop_seconds)
            self._server = None

    async def _catch_up(self) -> None:
        """Serve from the moment when everything that stands in the log has been folded."""
        while True:
            try:
                await self._follower.caught_up(range(PARTITIONS))
                break
            except LogUnavailable as error:
                logger.warning("the log is away", error=str(error))
                await asyncio.sleep(LOG_RETRY)
        self._edge.serving = True
        await self._say(health_pb2.HealthCheckResponse.SERVING)
        self._watching_log = asyncio.create_task(self._when_lost(), name="gateway watches the log")

    async def _when_lost(self) -> None:
        """Serve no longer when the follower has failed; whoever composed this process decides what comes next."""
        await asyncio.wait({self._follower.failed})
        self._edge.serving, self._edge.why_not = False, "the gateway has lost the log"
        await self._say(health_pb2.HealthCheckResponse.NOT_SERVING)

    async def _say(self, status: health_pb2.HealthCheckResponse.ServingStatus) -> None:
        for name in ("", *(service.full_name for service in SERVICES)):
            await self._health.set(name, status)

    def _bind(self, server: grpc.aio.Server) -> int:
        if self._tls is None:
            return server.add_insecure_port(self._address)
        credentials = grpc.ssl_server_credentials([(self._tls.key, self._tls.certificate)])
        return server.add_secure_port(self._address, credentials)


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_concurrent_streams", 1000),
        ("grpc.max_receive_message_length", limits.hard_message_bytes),
        ("grpc.keepalive_time_ms", limits.keepalive_ms),
        ("grpc.keepalive_timeout_ms", limits.keepalive_timeout_ms),
        ("grpc.http2.ping_timeout_ms", limits.keepalive_timeout_ms),  # without it a dead peer is kept for a minute
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.max_connection_age_ms", 1_800_000),
        ("grpc.max_connection_age_grace_ms", 30_000),
    ]
