"""What a game is to everything above it: one value of type `Game`, made of data and pure functions.

    begin(setup) -> events           the first events of a match: the table as it is before the first decision
    decide(state, seat, command, roll) -> events | IllegalAction | MalformedCommand
    react(state, roll) -> events     automatic progress of the top frame; () when a seat must act or it is over
    evolve(state, event) -> state    applies a fact in place on the caller's own state and returns it; never judges
    decisions(state) -> decisions    all that are open, of all seats
    legal(state, seat) -> choices    exactly what `decide` accepts from that seat now
    result(state) -> Result | None   None while the match goes on
    explain(state, viewer, question) the same objects that the engine used, with citations

States are classes with `copy()`, `frames: Frames` and classified fields; `state()` makes the empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .dice import Roll
from .draft import Event
from .errors import MalformedCommand
from .visibility import Viewer

Command = object
"""A frozen, slotted dataclass whose fields are classified; its type name is its class name."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that a seat has to decide now.

    `id` is stable while the decision stays open and never used again in the match; `commands` are the names of the
    command types that answer it; `rule` is the citation; `prompt` one line for a person, in our words.
    """

    id: str
    seat: str
    kind: str
    rule: str
    commands: tuple[str, ...]
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision with its options, each a command that `decide` accepts.

    `complete` means that the options are all there is. Otherwise they are a fair sample, never empty, and `domain`
    describes the whole set in plain data (numbers, strings, lists, maps).
    """

    decision: Decision
    options: tuple[Command, ...]
    complete: bool = True
    domain: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is begun from. `position` (notation text) replaces the scenario's own set-up when given."""

    ruleset: int
    scenario: str
    options: Mapping[str, str]
    position: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `winner` is a side or "draw"; points by side; `reasons` are (rule, side, points, what)."""

    winner: str
    points: Mapping[str, int]
    reasons: tuple[tuple[str, str, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    id: str
    title: str
    seats: tuple[str, ...]
    turns: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """A match option: an optional rule or a variant. The first choice is the default."""

    id: str
    title: str
    rule: str
    choices: tuple[str, ...] = ("off", "on")
    favors: str = ""


def check_options(offered: Mapping[str, OptionInfo], chosen: Mapping[str, str]) -> dict[str, str]:
    """The chosen value of each option, its default where none was chosen.

    Raises MalformedCommand UNKNOWN_OPTION, UNKNOWN_CHOICE.
    """
    for id, value in chosen.items():
        if id not in offered:
            raise MalformedCommand("UNKNOWN_OPTION", option=id)
        if value not in offered[id].choices:
            raise MalformedCommand("UNKNOWN_CHOICE", option=id, choice=value, choices=offered[id].choices)
    return {id: chosen.get(id, option.choices[0]) for id, option in offered.items()}


@dataclass(frozen=True, slots=True)
class Space:
    """A place on the map, for listings and drawings. `at` is (x, y), y growing southward, in map units."""

    id: str
    kind: str
    at: tuple[float, float]
    facts: Mapping[str, Any]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    id: str
    title: str
    citation: str
    rulesets: tuple[int, ...]
    scenarios: Mapping[str, ScenarioInfo]
    options: Mapping[str, OptionInfo]
    state: Callable[[], Any]
    events: tuple[type, ...]
    commands: Mapping[type, str]
    """Command type -> topic that decides it."""
    begin: Callable[[Setup], Sequence[Event]]
    decide: Callable[[Any, str, Command, Roll], Sequence[Event]]
    react: Callable[[Any, Roll], Sequence[Event]]
    evolve: Callable[[Any, Event], Any]
    decisions: Callable[[Any], tuple[Decision, ...]]
    legal: Callable[[Any, str], tuple[Choice, ...]]
    result: Callable[[Any], Result | None]
    questions: Mapping[str, str]
    """Question name -> what it answers and its arguments, one line."""
    explain: Callable[[Any, Viewer, str, Mapping[str, Any]], Mapping[str, Any]]
    headline: Callable[[Any], str]
    """Turn and phase in one line, for people."""
    export: Callable[[Any], str]
    """Position notation of a state, complete: arbiters' and analysis' view."""
    spaces: Callable[[], tuple[Space, ...]]
    pieces: Callable[[], tuple[Mapping[str, Any], ...]]
    """Manifest: one mapping a piece with its printed or reconstructed facts and `source`."""
    draw: Callable[[Mapping[str, Any]], str]
    """A redacted view (plain data, as `views` makes it for one viewer) -> an SVG document of map and pieces."""
    chart: Callable[[Mapping[str, Any]], str]
    """The same view as text for a terminal: map, turn, who must act."""
    rulebook: Callable[[], tuple[Mapping[str, str], ...]]
    """Every section: id, title, status (code | data | none | heading), ruling."""

    @property
    def ruleset(self) -> str:
        """The current ruleset's name, such as "red_vengeance/1"."""
        return f"{self.id}/{self.rulesets[-1]}"
