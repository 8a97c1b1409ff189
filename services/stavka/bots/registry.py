"""Which bots there are. A heuristic for another game is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from .choosers import RANDOM, Bot, Rules, erratic

HEURISTICS: Final[Mapping[str, str]] = {
    "red_vengeance": "stavka.bots.red_vengeance",
    "victory_in_europe": "stavka.bots.victory_in_europe",
}
"""Game -> module with `bot(rules) -> Bot`."""

NAMES: Final = ("random", "heuristic", "erratic")


class UnknownBot(ValueError):
    """No bot of this name plays this game."""


def needs_rules(name: str) -> bool:
    """Whether the bot wants the game's spaces and pieces."""
    return name != RANDOM.name


def bot(name: str, rules: Rules) -> Bot:
    """The bot of this name for the game of `rules`. Raises UnknownBot.

    random      any legal action, each as likely
    heuristic   the best one by the game's own scores
    erratic     the heuristic, one time in five the random bot
    """
    if name == "random":
        return RANDOM
    module = HEURISTICS.get(rules.game) if name in NAMES else None
    if module is None:
        raise UnknownBot(f"there is no bot {name!r} for {rules.game!r}; there are {', '.join(NAMES)}")
    make: Callable[[Rules], Bot] = import_module(module).bot
    return make(rules) if name == "heuristic" else erratic(make(rules))
