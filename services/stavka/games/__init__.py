"""The games that Stavka referees: one line a game, imported when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from stavka.kernel.game import Game


def _package(name: str) -> Callable[[], Game]:
    """A function that imports the package of a game and returns its GAME."""

    def game() -> Game:
        found: Game = import_module(f"{__name__}.{name}").GAME
        return found

    return game


GAMES: dict[str, Callable[[], Game]] = {
    name: _package(name)
    for name in (
        "red_vengeance",
        "victory_in_europe",
    )
}  # fmt: skip
