"""AuditService: the raw history and signed checkpoints. Verification happens at the reader's, not here."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Final

from stavka.match.keys import Keyring
from stavka.match.lobby import MatchState
from stavka.match.ports import Clock
from stavka.match.sight import hides_anything
from stavka.views.errors import StoreUnavailable
from stavka.views.reader import MatchReader
from stavka.views.store import Head
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2 as pb

from .directory import Directory
from .edge import Call
from .identity import Role
from .permissions import Forbidden, eyes, require_match

PAGE: Final = 64  # records read at once


class Auditing:
    """What a stranger needs to verify a match; a spectator gets as much of it as he may watch.

    Raw records tell more than a view of them (who wrote them, ids that clients chose, sizes, roll inputs), so those of
    a running match go to arbiters only, unless the game has nothing to hide.
    """

    def __init__(self, reader: MatchReader, directory: Directory, keyring: Keyring, clock: Clock) -> None:
        self._reader = reader
        self._directory = directory
        self._keyring = keyring
        self._clock = clock

    async def export_match(
        self, call: Call, request: pb.ExportMatchRequest
    ) -> AsyncGenerator[pb.ExportMatchResponse, None]:
        match, head = await self._shown(call, request.match_id)
        if not head.ended and call.caller.role is not Role.ARBITER and hides_anything(match.game):
            raise Forbidden("MATCH_RUNNING", "records of a game with hidden information are open when it has ended")
        yield pb.ExportMatchResponse(
            header=pb.ExportHeader(
                match_id=match.match_id, version=head.version, head=head.head, ended=head.ended, game=match.game,
                ruleset=f"{match.game}/{match.ruleset}", key_id=match.key_id, public_key=match.public_key,
            )
        )  # fmt: skip
        at = 0
        while at < head.version:
            async with call.turn():
                page = await self._reader.store.records(match.match_id, at, min(PAGE, head.version - at))
            if not page:
                raise StoreUnavailable(f"the records after version {at} are not there yet")
            for raw in page:
                at += 1
                yield pb.ExportMatchResponse(record=pb.ExportRecord(version=at, raw=raw))

    async def get_checkpoint(self, call: Call, request: pb.GetCheckpointRequest) -> pb.GetCheckpointResponse:
        match, head = await self._shown(call, request.match_id)
        signer = self._keyring.signer(match.key_id)
        now_ms = self._clock.now_ms()
        statement = (
            f"stavka-checkpoint/1\nmatch {match.match_id}\nversion {head.version}\nhead {head.head.hex()}\ntime {now_ms}\n"
        ).encode()
        return pb.GetCheckpointResponse(
            match_id=match.match_id, version=head.version, head=head.head, stated_at_ms=now_ms, statement=statement,
            signature=signer.sign(statement), key_id=signer.key_id, public_key=signer.public_pem,
        )  # fmt: skip

    async def _shown(self, call: Call, match_id: str) -> tuple[MatchState, Head]:
        require_match(call.caller, match_id)
        match = await self._directory.match(match_id)
        return match, await self._reader.seen_by(match_id, eyes(call.caller, match), self._directory.version(match_id))
