"""MatchService, the half that answers questions. What may be seen is `permissions`' and `views`' to say, never ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from stavka.client.structs import fill, to_plain
from stavka.kernel.errors import IllegalAction, MalformedCommand, StaleCommand
from stavka.kernel.game import Choice, Game
from stavka.kernel.visibility import ARBITER, SPECTATOR, Viewer
from stavka.kernel.visibility import seat as viewer_of
from stavka.match.lobby import MatchState
from stavka.match.rulebooks import open_decisions, rulebook
from stavka.match.sight import hides_anything
from stavka.views.errors import VersionNotYet
from stavka.views.index import status_of
from stavka.views.reader import Found, MatchReader, entry_view
from stavka.views.redact import redact
from stavka.views.store import ENDED, PLAYING, QUARANTINED, Entry, Query
from stavka.wire.gen.stavka.match.v1 import match_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from . import answers
from .directory import Directory
from .edge import Call
from .identity import Caller, Role
from .permissions import eyes, held, opens, require_match, require_whole, seats_asked, viewer_asked, viewer_name

PAGE: Final = 50
MAX_PAGE: Final = 200


class Reading:
    """The questions of a reader, each one method."""

    def __init__(self, reader: MatchReader, directory: Directory) -> None:
        self._reader = reader
        self._directory = directory

    async def list_matches(self, call: Call, request: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
        size = request.page_size or PAGE
        if size > MAX_PAGE:
            raise MalformedCommand("BAD_PAGE_SIZE", f"a page has 1 to {MAX_PAGE} matches", field="page_size")
        _require_known(match_pb2.MatchStatus, [request.status], "UNKNOWN_STATUS", "status")
        status = answers.STATUS_NAMES.get(request.status, "")
        page = await self._reader.find(Query(request.game, status, request.player, size, request.page_token))
        found = [await self._listed(call.caller, entry) for entry in page.entries]
        return pb.ListMatchesResponse(matches=found, next_page_token=page.next_page_token)

    async def get_match(self, call: Call, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        match = await self._known(call, request.match_id)
        seats = match.seats if call.caller.role is Role.ARBITER else held(call.caller, match)
        version = self._directory.version(match.match_id)
        head = await self._reader.seen_by(match.match_id, eyes(call.caller, match), version)
        if head.quarantine:
            found = answers.match(match, head.version, head.head, QUARANTINED, "")
            return pb.GetMatchResponse(match=found)
        state = (await self._reader.state(match.match_id, head.version, head.version)).state
        found = answers.match(state, head.version, head.head, status_of(state), _headline(state))
        if seats:
            found.open_decisions = sum(len(open_decisions(state, seat)) for seat in seats)
        return pb.GetMatchResponse(match=found)

    async def list_decisions(self, call: Call, request: pb.ListDecisionsRequest) -> pb.ListDecisionsResponse:
        seats, found = await self._for_seats(call, request.match_id, request.seat)
        decisions = [answers.decision(d) for seat in seats for d in open_decisions(found.state, seat)]
        return pb.ListDecisionsResponse(version=found.version, head=found.head, decisions=decisions)

    async def list_legal_actions(self, call: Call, request: pb.ListLegalActionsRequest) -> pb.ListLegalActionsResponse:
        seats, found = await self._for_seats(call, request.match_id, request.seat)
        choices = [choice for seat in seats for choice in _legal(found.state, seat)]
        if request.decision_id:
            choices = [choice for choice in choices if choice.decision.id == request.decision_id]
            if not choices:
                raise StaleCommand("DECISION_CLOSED", f"decision {request.decision_id} is not open")
        return pb.ListLegalActionsResponse(
            version=found.version, head=found.head,
            choices=[answers.choice(choice, request.limit, request.sample_seed) for choice in choices],
        )  # fmt: skip

    async def explain(self, call: Call, request: pb.ExplainRequest) -> pb.ExplainResponse:
        viewer, found = await self._for_viewer(call, request.match_id, request.viewer)
        game, table = _at_table(found.state)
        if request.question not in game.questions:
            known = ", ".join(sorted(game.questions))
            raise MalformedCommand("UNKNOWN_QUESTION", f"{game.title} answers: {known}", field="question")
        answer = game.explain(table, viewer, request.question, to_plain(request.arguments))
        response = pb.ExplainResponse(version=found.version, head=found.head)
        fill(response.answer, msgspec.to_builtins(answer))
        return response

    async def get_view(self, call: Call, request: pb.GetViewRequest) -> pb.GetViewResponse:
        _require_known(pb.ViewFormat, request.formats, "UNKNOWN_FORMAT", "formats")
        version = request.version if request.HasField("version") else None
        viewer, found = await self._for_viewer(call, request.match_id, request.viewer, version)
        response = pb.GetViewResponse(
            version=found.version, head=found.head, viewer=viewer_name(viewer), headline=_headline(found.state)
        )
        formats = set(request.formats) or {pb.VIEW_FORMAT_POSITION}
        if found.state.table is None:
            return response
        game, table = _at_table(found.state)
        position: Mapping[str, Any] = redact(table, viewer, found.ended)
        if formats & {pb.VIEW_FORMAT_UNSPECIFIED, pb.VIEW_FORMAT_POSITION}:
            fill(response.position, position)
        if pb.VIEW_FORMAT_TEXT in formats:
            response.text = game.chart(position)
        if pb.VIEW_FORMAT_SVG in formats:
            response.svg = game.draw(position)
        if pb.VIEW_FORMAT_NOTATION in formats:
            require_whole(position, redact(table, ARBITER, found.ended))
            response.notation = game.export(table)
        return response

    async def _listed(self, caller: Caller, entry: Entry) -> match_pb2.Match:
        """An index entry as the caller may see it: nobody finds a later version here than he is shown elsewhere."""
        seated = caller.role is Role.PLAYER and caller.player in entry.players.values()
        sees_all = opens(caller, entry.match_id) and (seated or caller.role is Role.ARBITER)
        entry = entry_view(entry, ARBITER if sees_all else SPECTATOR)
        if entry.status == PLAYING and hides_anything(entry.game):
            match = await self._directory.match(entry.match_id)
            head = await self._reader.seen_by(entry.match_id, eyes(caller, match))
            entry = replace(entry, version=head.version)
        return _entry(entry)

    async def _known(self, call: Call, match_id: str) -> MatchState:
        require_match(call.caller, match_id)
        return await self._directory.match(match_id)

    async def _for_seats(self, call: Call, match_id: str, seat: str) -> tuple[tuple[str, ...], Found]:
        match = await self._known(call, match_id)
        if not held(call.caller, match):
            match = await self._directory.fresh(match_id)
        seats = seats_asked(call.caller, match, seat)
        version = self._directory.version(match_id)
        viewers = (ARBITER,) if call.caller.role is Role.ARBITER else tuple(map(viewer_of, seats))
        return seats, await self._reader.known_as(viewers, await self._reader.state(match_id, None, version))

    async def _for_viewer(
        self, call: Call, match_id: str, name: str, version: int | None = None
    ) -> tuple[Viewer, Found]:
        """The permitted eyes, and the match at a version that they may see (the latest such when None)."""
        match = await self._known(call, match_id)
        viewer = viewer_asked(call.caller, match, name)
        head = await self._reader.visible(match_id, viewer, self._directory.version(match_id))
        if version is not None and version > head.version:
            raise VersionNotYet(match_id, version, head.version)
        wanted = head.version if version is None else version
        return viewer, await self._reader.state(match_id, wanted, head.version)


def _require_known(enum: Any, numbers: Iterable[int], reason: str, field: str) -> None:
    """Raises MalformedCommand for a number that this build's enum does not have."""
    for number in numbers:
        if number not in enum.values():
            raise MalformedCommand(reason, f"{field}: {number} is none of {', '.join(enum.keys())}", field=field)


def _legal(state: MatchState, seat: str) -> tuple[Choice, ...]:
    """What a seat may do; before play has begun its decisions have no enumerated options."""
    if not state.playing:
        return tuple(Choice(decision, (), complete=False) for decision in open_decisions(state, seat))
    return rulebook(state.game).game.legal(state.table, seat)


def _at_table(state: MatchState) -> tuple[Game, Any]:
    """Raises IllegalAction(SEATS_FREE) before play has begun."""
    if state.table is None:
        raise IllegalAction("", "SEATS_FREE", "play begins when every seat is taken; the table is empty")
    return rulebook(state.game).game, state.table


def _headline(state: MatchState) -> str:
    return "" if state.table is None else rulebook(state.game).game.headline(state.table)


def _entry(entry: Entry) -> match_pb2.Match:
    found = match_pb2.Match(
        match_id=entry.match_id, game=entry.game, ruleset=entry.ruleset, scenario=entry.scenario,
        seats=[match_pb2.Seat(seat=seat, player=entry.players.get(seat, "")) for seat in entry.seats],
        version=entry.version, status=answers.STATUS[entry.status], analysis=entry.analysis,
        spectator_delay=entry.spectator_delay,
    )  # fmt: skip
    if entry.status == ENDED:
        found.result.winner = entry.winner
    return found
