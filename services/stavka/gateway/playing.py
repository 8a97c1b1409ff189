"""MatchService, the half that changes something: create, sit down, act, resign."""

from __future__ import annotations

from typing import Final

from stavka.client.structs import to_plain
from stavka.kernel.errors import MalformedCommand
from stavka.match.lobby import CreateMatch, Resign, TakeSeat
from stavka.match.ports import Entropy
from stavka.match.rulebooks import PREFIX
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .desk import Desk, new_match_id, require_command_id, require_game_command
from .directory import Directory
from .edge import Call
from .permissions import held, require_bound_seat, require_match, require_seat, require_unbound

ENTROPY_BYTES: Final = 16
CREATE: Final = PREFIX + CreateMatch.__name__
SIT: Final = PREFIX + TakeSeat.__name__
RESIGN: Final = PREFIX + Resign.__name__


class Playing:
    """The commands of a player, each one method."""

    def __init__(self, desk: Desk, directory: Directory, entropy: Entropy) -> None:
        self._desk = desk
        self._directory = directory
        self._entropy = entropy

    async def create_match(self, call: Call, request: pb.CreateMatchRequest) -> pb.CreateMatchResponse:
        require_unbound(call.caller)
        require_command_id(request.command_id)
        match_id = new_match_id(call.caller.player, request.command_id)
        arguments = {
            "game": request.game, "scenario": request.scenario, "options": dict(request.options),
            "players": dict(request.players), "position": request.position, "analysis": request.analysis,
            "script": list(request.script), "spectator_delay": request.spectator_delay,
        }  # fmt: skip
        outcome = await self._desk.submit(
            call.caller, match_id, "", request.command_id, "", CREATE, arguments, call.remaining
        )
        return pb.CreateMatchResponse(match_id=match_id, version=outcome.version, head=outcome.head)

    async def take_seat(self, call: Call, request: pb.TakeSeatRequest) -> pb.TakeSeatResponse:
        require_match(call.caller, request.match_id)
        require_bound_seat(call.caller, request.seat)
        match = await self._directory.match(request.match_id)
        if request.seat not in match.seats:
            raise MalformedCommand("UNKNOWN_SEAT", f"the seats are {', '.join(match.seats)}", field="seat")
        entropy = request.entropy or self._entropy.token_bytes(ENTROPY_BYTES).hex()
        outcome = await self._desk.submit(
            call.caller, request.match_id, request.seat, request.command_id, match.game, SIT, {"entropy": entropy},
            call.remaining,
        )  # fmt: skip
        return pb.TakeSeatResponse(version=outcome.version, head=outcome.head)

    async def submit_command(self, call: Call, request: pb.SubmitCommandRequest) -> pb.SubmitCommandResponse:
        game = await self._seated(call, request.match_id, request.seat)
        require_game_command(request.command)
        outcome = await self._desk.submit(
            call.caller, request.match_id, request.seat, request.command_id, game, request.command,
            to_plain(request.arguments), call.remaining,
            expected=request.expected_version if request.HasField("expected_version") else None,
            decision_id=request.decision_id,
        )  # fmt: skip
        return pb.SubmitCommandResponse(version=outcome.version, head=outcome.head)

    async def resign(self, call: Call, request: pb.ResignRequest) -> pb.ResignResponse:
        game = await self._seated(call, request.match_id, request.seat)
        outcome = await self._desk.submit(
            call.caller, request.match_id, request.seat, request.command_id, game, RESIGN, {}, call.remaining
        )
        return pb.ResignResponse(version=outcome.version, head=outcome.head)

    async def _seated(self, call: Call, match_id: str, seat: str) -> str:
        """The match's game, when the caller holds the seat."""
        require_match(call.caller, match_id)
        match = await self._directory.match(match_id)
        if seat not in held(call.caller, match):
            match = await self._directory.fresh(match_id)  # another gateway may have seated him a moment ago
            require_seat(call.caller, match, seat)
        return match.game
