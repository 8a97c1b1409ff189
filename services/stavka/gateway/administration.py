"""AdminService: what an operator asks a running gateway."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from stavka.match.follower import Follower
from stavka.views.reader import MatchReader
from stavka.views.store import QUARANTINED, Query
from stavka.wire.gen.stavka.admin.v1 import admin_service_pb2 as pb

from .directory import Directory
from .edge import Call
from .limits import Meter
from .permissions import require_match, require_unbound

PAGE: Final = 200
REBUILD_SECONDS: Final = 30.0

Rebuild = Callable[[str], Awaitable[None]]
"""Forget the projection of a match, so that a running projector writes it anew."""


class Administration:
    """`rebuild` is None where there is no projection but the follower itself (embedded)."""

    def __init__(
        self, follower: Follower, reader: MatchReader, directory: Directory, meter: Meter, rebuild: Rebuild | None
    ) -> None:
        self._follower = follower
        self._reader = reader
        self._directory = directory
        self._meter = meter
        self._rebuild = rebuild

    async def get_status(self, call: Call, request: pb.GetStatusRequest) -> pb.GetStatusResponse:
        require_unbound(call.caller)
        return pb.GetStatusResponse(
            matches=len(self._follower.book.matches),
            waiting_commands=self._meter.commands,
            open_streams=self._meter.streams,
        )

    async def list_quarantined_matches(
        self, call: Call, request: pb.ListQuarantinedMatchesRequest
    ) -> pb.ListQuarantinedMatchesResponse:
        require_unbound(call.caller)
        found = self._reader.stuck()
        token = ""
        while True:
            page = await self._reader.find(Query(status=QUARANTINED, page_size=PAGE, page_token=token))
            found |= {entry.match_id: entry.quarantine for entry in page.entries}
            token = page.next_page_token
            if not token:
                matches = [pb.QuarantinedMatch(match_id=m, reason=reason) for m, reason in sorted(found.items())]
                return pb.ListQuarantinedMatchesResponse(matches=matches)

    async def rebuild_projection(
        self, call: Call, request: pb.RebuildProjectionRequest
    ) -> pb.RebuildProjectionResponse:
        require_match(call.caller, request.match_id)
        await self._directory.fresh(request.match_id)
        if self._rebuild is not None:
            await self._rebuild(request.match_id)
        head = await self._reader.head(
            request.match_id, self._directory.version(request.match_id), call.remaining or REBUILD_SECONDS
        )
        return pb.RebuildProjectionResponse(version=head.version)
