"""RulesService: games, maps, pieces and rulebook indexes, straight from the games themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, TypeVar

import msgspec

from stavka.client.structs import fill
from stavka.games import GAMES
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.game import Game
from stavka.match.rulebooks import find_game
from stavka.wire.gen.stavka.rules.v1 import rules_service_pb2 as pb

from .describe import command_type
from .edge import Call, Unary

PAGE: Final = 500
MAX_PAGE: Final = 1000
T = TypeVar("T")


async def list_games(call: Call, request: pb.ListGamesRequest) -> pb.ListGamesResponse:
    return pb.ListGamesResponse(games=[_summary(_game(game_id)) for game_id in sorted(GAMES)])


async def get_game(call: Call, request: pb.GetGameRequest) -> pb.GetGameResponse:
    game = _game(request.game)
    return pb.GetGameResponse(
        summary=_summary(game),
        rulesets=game.rulesets,
        scenarios=[
            pb.Scenario(scenario=s.id, title=s.title, seats=s.seats, turns=s.turns, about=s.about)
            for s in game.scenarios.values()
        ],
        options=[
            pb.Option(option=o.id, title=o.title, rule=o.rule, choices=o.choices, favors=o.favors)
            for o in game.options.values()
        ],
        commands=[
            command_type(cls, topic) for cls, topic in sorted(game.commands.items(), key=lambda c: c[0].__name__)
        ],
        questions=[pb.Question(question=name, about=about) for name, about in game.questions.items()],
    )


async def list_spaces(call: Call, request: pb.ListSpacesRequest) -> pb.ListSpacesResponse:
    page, token = _page(_spaces(request.game), request.page_size, request.page_token)
    return pb.ListSpacesResponse(spaces=page, next_page_token=token)


async def list_pieces(call: Call, request: pb.ListPiecesRequest) -> pb.ListPiecesResponse:
    page, token = _page(_pieces(request.game), request.page_size, request.page_token)
    return pb.ListPiecesResponse(pieces=page, next_page_token=token)


async def list_sections(call: Call, request: pb.ListSectionsRequest) -> pb.ListSectionsResponse:
    sections = [
        pb.Section(section=s["id"], title=s["title"], status=s["status"], ruling=s.get("ruling", ""))
        for s in _game(request.game).rulebook()
    ]
    return pb.ListSectionsResponse(sections=sections)


METHODS: Final[Mapping[str, Unary]] = {
    "ListGames": list_games,
    "GetGame": get_game,
    "ListSpaces": list_spaces,
    "ListPieces": list_pieces,
    "ListSections": list_sections,
}


def _game(game_id: str) -> Game:
    """Raises MalformedCommand(UNKNOWN_GAME)."""
    game = find_game(game_id)
    if game is None:
        raise MalformedCommand("UNKNOWN_GAME", f"no game {game_id!r}", field="game", known=", ".join(sorted(GAMES)))
    return game


def _summary(game: Game) -> pb.GameSummary:
    return pb.GameSummary(game=game.id, title=game.title, citation=game.citation, ruleset=game.ruleset)


def _spaces(game_id: str) -> Sequence[pb.Space]:
    return _all_spaces(_game(game_id).id)


def _pieces(game_id: str) -> Sequence[pb.Piece]:
    return _all_pieces(_game(game_id).id)


@cache
def _all_spaces(game_id: str) -> tuple[pb.Space, ...]:
    found = []
    for space in _game(game_id).spaces():
        message = pb.Space(space=space.id, kind=space.kind, x=space.at[0], y=space.at[1], source=space.source)
        fill(message.facts, msgspec.to_builtins(space.facts))
        found.append(message)
    return tuple(found)


@cache
def _all_pieces(game_id: str) -> tuple[pb.Piece, ...]:
    found = []
    for piece in _game(game_id).pieces():
        message = pb.Piece(source=str(piece.get("source", "")))
        fill(message.facts, msgspec.to_builtins({key: value for key, value in piece.items() if key != "source"}))
        found.append(message)
    return tuple(found)


def _page(items: Sequence[T], size: int, token: str) -> tuple[Sequence[T], str]:
    """One page and the token of the next. Raises MalformedCommand: BAD_PAGE_SIZE, BAD_PAGE_TOKEN."""
    if size > MAX_PAGE:
        raise MalformedCommand("BAD_PAGE_SIZE", f"a page has 1 to {MAX_PAGE} items", field="page_size")
    if token and not (token.isascii() and token.isdigit() and len(token) < 10):
        raise MalformedCommand("BAD_PAGE_TOKEN", "the page token is none that this service gave", field="page_token")
    start = int(token or 0)
    end = start + (size or PAGE)
    return items[start:end], str(end) if end < len(items) else ""
