"""A whole match between bots, from its creation to its result, through the API alone.

played = await play("localhost:50051", token_for, "red_vengeance", bots=("random", "heuristic"), seed=7)
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc

from stavka.client import Client, NotFound, channel_to, to_plain
from stavka.wire.gen.stavka.match.v1 import match_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb
from stavka.wire.gen.stavka.rules.v1 import rules_service_pb2 as rules_pb

from .choosers import Rules
from .registry import bot, needs_rules
from .table import Chair, Move, Table, no_report

ORGANIZER = "organizer"
"""Player name that `token_for` is asked for to create the match; the others are "<seat>-<bot>"."""

OnProgress = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a match stands. `headline` (turn and phase) and `text` (map, who must act) are what a spectator may see,
    refreshed every LOOK_EVERY commands."""

    match_id: str
    version: int
    commands: int
    headline: str
    text: str
    seat: str
    command: str


@dataclass(frozen=True, slots=True)
class Played:
    """A match from its creation to its end.

    `versions` are accepted records, `events` what they hold, `head` the chain head in hex, `rejected` commands that
    were listed as legal and refused (0, or the referee has a bug), `seconds` wall time.
    """

    match: str
    game: str
    ruleset: int
    scenario: str
    versions: int
    events: int
    head: str
    winner: str
    points: Mapping[str, int]
    commands: int
    rejected: int
    seconds: float


LOOK_EVERY = 25  # commands between two looks at the position


def nobody(progress: Progress) -> None:
    """Progress that nobody looks at."""


async def play(
    target: str, token_for: Callable[[str], str], game: str, *, scenario: str = "", bots: Sequence[str] = ("random",),
    seed: int = 0, options: Mapping[str, str] | None = None, certificate: bytes | None = None, create_id: str = "",
    on_progress: OnProgress = nobody,
) -> Played:  # fmt: skip
    """Create a match on the server at "host:port" and play it to its end.

    Args:
        token_for: player name -> bearer token. May give the same token for all: then one player holds every seat.
        scenario: empty for the game's first.
        bots: one name a seat in the scenario's order; the last one serves the seats that are left.
        seed: makes every choice, every command id and every seat's entropy.
        create_id: command id of the creation; the same one leads to the same match. Empty for a new match.
        certificate: as in `stavka.client.channel_to`.

    Raises:
        UnknownBot: no such bot plays this game.
        NotFound: no such game or scenario.
        Stuck, Refused: as `Table.run`.
    """
    channel = channel_to(target, certificate=certificate)
    try:
        return await _play(channel, token_for, game, scenario, bots, seed, options, create_id, on_progress)
    finally:
        await channel.close(None)


async def _play(
    channel: grpc.aio.Channel, token_for: Callable[[str], str], game: str, scenario: str, bots: Sequence[str],
    seed: int, options: Mapping[str, str] | None, create_id: str, on_progress: OnProgress,
) -> Played:  # fmt: skip
    started = time.monotonic()
    organizer = Client(channel, token_for(ORGANIZER))
    found = await organizer.ask(organizer.rules.GetGame, rules_pb.GetGameRequest(game=game))
    chosen = next((s for s in found.scenarios if scenario in ("", s.scenario)), None)
    if chosen is None:
        raise NotFound("UNKNOWN_SCENARIO", f"{game} has no scenario {scenario!r}", grpc.StatusCode.NOT_FOUND, {})
    names = {seat: bots[min(place, len(bots) - 1)] for place, seat in enumerate(chosen.seats)}
    rules = Rules(game, chosen.scenario)
    if any(needs_rules(name) for name in names.values()):
        rules = await rules_of(organizer, game, chosen.scenario)
    chairs = tuple(
        Chair(seat, Client(channel, token_for(f"{seat}-{name}")), bot(name, rules)) for seat, name in names.items()
    )
    created = await organizer.create(game, chosen.scenario, options=options, command_id=create_id)
    for chair in chairs:
        entropy = hashlib.sha256(f"stavka-bot\n{seed}\n{chair.seat}".encode()).hexdigest()[:32]
        await chair.client.take_seat(created.match_id, chair.seat, entropy=entropy, command_id=f"sit.{chair.seat}")
    table = Table(created.match_id, chairs, seed)
    table.on_move = _reporter(table, organizer, on_progress)
    await table.run()
    return await _sum_up(table, started)


def _reporter(table: Table, client: Client, on_progress: OnProgress) -> Callable[[Move], Awaitable[None]]:
    if on_progress is nobody:
        return no_report
    seen = pb.GetViewResponse()

    async def report(move: Move) -> None:
        nonlocal seen
        if table.commands % LOOK_EVERY == 1:
            seen = await client.view(table.match_id, viewer="spectator", formats=[pb.VIEW_FORMAT_TEXT])
        on_progress(
            Progress(table.match_id, move.version, table.commands, seen.headline, seen.text, move.seat, move.command)
        )

    return report


async def _sum_up(table: Table, started: float) -> Played:
    """The result; events are counted after the end, when nothing is hidden any more."""
    client, viewer = table.chairs[0].client, table.chairs[0].seat
    match: match_pb2.Match = await client.match(table.match_id)
    events = 0
    async for record in client.history(table.match_id, viewer=viewer):
        events += len(record.events)
    return Played(
        match.match_id, match.game, match.ruleset, match.scenario, match.version, events, match.head.hex(),
        match.result.winner, dict(match.result.points), table.commands, table.rejected, time.monotonic() - started,
    )  # fmt: skip


async def rules_of(client: Client, game: str, scenario: str) -> Rules:
    """Spaces and pieces of a game, from the rules service."""
    spaces: list[Mapping[str, Any]] = []
    pieces: list[Mapping[str, Any]] = []
    token = ""
    while True:
        page = await client.ask(client.rules.ListSpaces, rules_pb.ListSpacesRequest(game=game, page_token=token))
        spaces += ({"id": s.space, "kind": s.kind, "x": s.x, "y": s.y, **to_plain(s.facts)} for s in page.spaces)
        token = page.next_page_token
        if not token:
            break
    while True:
        more = await client.ask(client.rules.ListPieces, rules_pb.ListPiecesRequest(game=game, page_token=token))
        pieces += (to_plain(p.facts) for p in more.pieces)
        token = more.next_page_token
        if not token:
            break
    return Rules(game, scenario, tuple(spaces), tuple(pieces))
