"""What a bot is: a pure function from what the API returns to one of the options.

    Option      a command with its arguments, as SubmitCommand takes it
    Offer       an open decision of the bot's seat with options that the referee accepts
    Rules       what the rules service lists for a game: spaces and pieces as plain data
    Choose      (chance, view, offers) -> Pick; no memory, no clock, no I/O
    Bot         a chooser with what it needs to be asked for

The client's loop (`table.py`) and the in-process battery of the tests call the very same choosers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from .chance import Chance

P = TypeVar("P")
View = Mapping[str, Any]
"""The table as the seat may see it, in plain data (GetView)."""


@dataclass(frozen=True, slots=True)
class Option:
    command: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Offer:
    """`complete`: the options are all there are; else a sample. `commands` are the names that answer the decision."""

    decision_id: str
    seat: str
    kind: str
    rule: str
    commands: tuple[str, ...]
    options: Sequence[Option]
    complete: bool = True
    domain: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pick:
    """The answer to a decision."""

    decision_id: str
    command: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """Spaces in the map's order: {"id", "kind", "x", "y", **facts}; pieces in the manifest's order: their facts."""

    game: str
    scenario: str
    spaces: tuple[Mapping[str, Any], ...] = ()
    pieces: tuple[Mapping[str, Any], ...] = ()


Choose = Callable[[Chance, View, Sequence[Offer]], Pick]


@dataclass(frozen=True, slots=True)
class Bot:
    """`needs_view`: the chooser reads the view (otherwise it is given an empty one). `limit`: options a decision that it
    wants to see, 0 for all; with a limit it sees a uniform sample."""

    name: str
    choose: Choose
    needs_view: bool = False
    limit: int = 0


def pick(offer: Offer, option: Option) -> Pick:
    return Pick(offer.decision_id, option.command, option.arguments)


def choose_any(chance: Chance, view: View, offers: Sequence[Offer]) -> Pick:
    """The random bot: any open decision, then any of its options, each as likely. Raises ValueError without offers."""
    offer = chance.one_of([offer for offer in offers if offer.options])
    return pick(offer, chance.one_of(offer.options))


Score = Callable[[P, Sequence[Option]], list[float]]
"""(position, options of one command) -> their scores, which are compared within one decision."""


def choose_best(
    chance: Chance, offers: Sequence[Offer], see: Callable[[Offer], P], scores: Mapping[str, Score[P]], noise: float
) -> Pick:
    """A heuristic's choice in the first decision that has options: the one with the best score.

    Args:
        see: the position as the scores need it.
        scores: command name -> scores of its options; the options of other commands score 0.
        noise: scores nearer than this to the best are drawn for.
    """
    offer = next(offer for offer in offers if offer.options)
    position = see(offer)
    groups: dict[str, list[Option]] = {}
    for option in offer.options:
        groups.setdefault(option.command, []).append(option)
    scored: list[tuple[float, Option]] = []
    for name, options in groups.items():
        found = scores[name](position, options) if name in scores else [0.0] * len(options)
        scored += zip(found, options, strict=True)
    top = max(score for score, _ in scored)
    return pick(offer, chance.one_of([option for score, option in scored if score >= top - noise]))


RANDOM: Final = Bot("random", choose_any, limit=1)
SOUND: Final = 0.8
"""Share of its decisions that the erratic bot leaves to the heuristic."""


def erratic(sound: Bot) -> Bot:
    """A bot that plays soundly most of the time and draws by lot the rest of it; asks for what `sound` asks for."""

    def choose(chance: Chance, view: View, offers: Sequence[Offer]) -> Pick:
        return (sound.choose if chance.happens(SOUND) else choose_any)(chance, view, offers)

    return Bot("erratic", choose, sound.needs_view, sound.limit)
