"""What a viewer can get of a state and of a step, as text of which no byte may differ between two worlds.

    told(case, state, viewer, asked)                view, headline; and when asked: explanations, decisions, options, refusals
    curious(case, step, viewer, chance)             what a curious viewer asks: Asked
    journal(case, state, viewer, seat, command)     what he reads of a command, or with command None of automatic progress
    reads_nothing(case, step, viewer)               whether a step does not exist for him

Nothing here knows a game; what a game's rules reveal with a step is the twin's to say (`tests.support.twins`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from stavka.bots.chance import Chance
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Command, Game
from stavka.kernel.visibility import Role, Viewer
from stavka.views.redact import fact, facts, redact
from stavka.wire.codec import to_json

from tests.support.battery import Case, Step, apply
from tests.support.mutations import mutants, strings_in

OWN: Final = 20
"""Options of his own that a curious seat tries."""
MUTATED: Final = 5
"""Those of them of which it tries variants, four of each."""
STRANGERS: Final = 12
"""Pieces of the manifest by whose names it asks, wherever they are."""
ASKED_ABOUT: Final = 4
"""Times that each question is asked with arguments."""
FOREIGN: Final = 60
"""Times that a piece of others that stands open is in the lot of those that are asked about."""
SEED: Final = b"two worlds"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a viewer asks: commands that he tries, and questions with their arguments."""

    commands: Sequence[Command]
    questions: Sequence[tuple[str, Mapping[str, Any]]]


@dataclass
class OpenRoll:
    """A seeded roll that keeps what everybody reads of it in a record."""

    inner: SeededRoll = field(default_factory=lambda: SeededRoll(SEED))
    shown: list[tuple[Any, ...]] = field(default_factory=list)

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        results = self.inner.dice(purpose, count, sides)
        if count:
            self.shown.append((purpose, count, sides, results))
        return results

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        self.shown.append((purpose, "hidden"))
        return self.inner.shuffle(purpose, items)


def told(case: Case, state: Any, viewer: Viewer, asked: Asked | None) -> bytes:
    """Everything that a viewer can reach at one state: view and headline, and unless `asked` is None explanations and,
    for a seat, its decisions, its options and the refusals of the commands that it tries."""
    game = case.game
    found: dict[str, Any] = {"view": redact(state, viewer, False), "headline": game.headline(state)}
    if viewer.role is Role.SEAT:
        found["decisions"] = [repr(d) for d in game.decisions(state) if d.seat == viewer.seat]
    if asked is not None:
        found["explain"] = [explained(case, state, viewer, *question) for question in asked.questions]
        if viewer.role is Role.SEAT:
            found["legal"] = [repr(choice) for choice in game.legal(state, viewer.seat)]
            found["refusals"] = [answer(case, state, viewer, command) for command in asked.commands]
    return to_json(found)


def explained(case: Case, state: Any, viewer: Viewer, question: str, arguments: Mapping[str, Any]) -> str:
    """The answer to a question, or why there is none."""
    try:
        return str(case.game.explain(state, viewer, question, arguments))
    except (IllegalAction, MalformedCommand) as error:
        return f"{error.reason} {error} {error.details}"


def answer(case: Case, state: Any, viewer: Viewer, command: Command) -> str:
    """What the viewer hears of his own command: the refusal with its details, or that it was accepted."""
    try:
        case.game.decide(state, viewer.seat, command, SeededRoll(SEED))
    except IllegalAction as error:
        return f"{error.rule} {error.reason} {error} {error.details}"
    except MalformedCommand as error:
        return f"{error.reason} {error} {error.details}"
    return "accepted"


def curious(case: Case, step: Step, viewer: Viewer, chance: Chance) -> Asked:
    """A seat's own options and mutants of them, with names of others' pieces, and questions about anything."""
    pieces = _named(case.game, redact(step.before, viewer, False), viewer)
    strangers = [chance.one_of(pieces) for _ in range(STRANGERS)] if pieces else []
    options: list[Command] = []
    if viewer.role is Role.SEAT:
        options = [option for choice in case.game.legal(step.before, viewer.seat) for option in choice.options][:OWN]
    words = sorted({word for option in options for word in strings_in(option)} | set(strangers))
    tried = options + [mutant for option in options[:MUTATED] for mutant in mutants(option, words, chance, 4)]
    asked = [(q, a) for q, about in case.game.questions.items() for a in _arguments(case.game, about, pieces, chance)]
    return Asked(tried, asked)


def _arguments(game: Game, about: str, pieces: Sequence[str], chance: Chance) -> Iterator[dict[str, Any]]:
    """No arguments, then such as the question's line names: pieces, and whatever the map has a word for, by lot."""
    yield {}
    listed = re.match(r"([a-z]+(?:, [a-z]+)*)(?: \(|:)", about)
    for _ in range(ASKED_ABOUT if listed else 0):
        assert listed is not None
        names = listed[1].split(", ")[: 1 + chance.below(3)]
        pools = {name: pieces if name in ("block", "unit") else _words(game) for name in names}
        yield {name: chance.one_of(pool) for name, pool in pools.items() if pool}


def _named(game: Game, view: Any, viewer: Viewer) -> tuple[str, ...]:
    """Every piece of the manifest once, those that the viewer sees twice, those of others that he sees many times."""
    seen = dict(_seen_in(view))
    foreign = [name for name, piece in seen.items() if piece.get("seat", viewer.seat) != viewer.seat]
    return (*_pieces(game), *seen, *foreign * FOREIGN)


def _seen_in(view: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Ids and entries of the pieces that a view shows."""
    if isinstance(view, Mapping):
        if view.keys() == {"seen", "unseen"}:
            yield from view["seen"].items()
        for value in view.values():
            yield from _seen_in(value)


def _pieces(game: Game) -> tuple[str, ...]:
    return _kept(game.id, lambda: (str(piece["id"]) for piece in game.pieces() if "id" in piece), "pieces")


def _words(game: Game) -> tuple[str, ...]:
    """Ids of the spaces, and the words that describe them: countries among them."""
    return _kept(
        game.id, lambda: (w for s in game.spaces() for w in (s.id, *filter(_is_word, dict(s.facts).values()))), "words"
    )


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value)


_KEPT: dict[tuple[str, str], tuple[str, ...]] = {}


def _kept(game_id: str, make: Callable[[], Iterable[Any]], what: str) -> tuple[str, ...]:
    if (game_id, what) not in _KEPT:
        _KEPT[game_id, what] = tuple(dict.fromkeys(make()))
    return _KEPT[game_id, what]


def journal(
    case: Case, state: Any, viewer: Viewer, seat: str, command: Command | None
) -> tuple[dict[str, Any], Sequence[Any]]:
    """What the viewer reads of a command of `seat`, or of automatic progress, and what he sees then; and the events."""
    roll = OpenRoll()
    events = case.game.react(state, roll) if command is None else case.game.decide(state, seat, command, roll)
    after = apply(case.game, state, events)
    entry = {
        "command": None if command is None else fact(command, viewer, False),
        "events": facts(events, viewer, False),
        "rolls": roll.shown,
        "view": redact(after, viewer, False),
        "headline": case.game.headline(after),
        "decisions": [repr(d) for d in case.game.decisions(after) if d.seat == viewer.seat],
    }
    return entry, events


def reads_nothing(step: Step, viewer: Viewer, rolls: Sequence[object]) -> bool:
    """Whether a step does not exist for the viewer: no command, no event, no roll of it."""
    seen = step.command is not None and fact(step.command, viewer, False) is not None
    return not (seen or rolls or facts(step.events, viewer, False))
