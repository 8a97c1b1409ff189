"""The part of a match that is the same for every game: creation, seats, resignation, the end.

A match is a `MatchState`: who sits where, which ruleset and options, and the game's own state in `table`. Its
commands and events carry the prefix "match." in the log. The diplomacy process decides them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Game, Result, Setup
from stavka.kernel.visibility import Public

LOBBY: Final = "match"
TOPIC: Final = "diplomacy"
ENTROPY: Final = re.compile(r"[0-9a-f]{16,64}")
MAX_SCRIPT: Final = 10_000  # numbers


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Create a match. `players` reserves seats; an analysis match may script rolls and start from a position.

    A seat that is reserved for "" may be taken by anybody.
    """

    game: Public[str]
    scenario: Public[str]
    options: Public[dict[str, str]] = field(default_factory=dict)
    players: Public[dict[str, str]] = field(default_factory=dict)
    position: Public[str] = ""
    analysis: Public[bool] = False
    script: Public[tuple[int, ...]] = ()
    spectator_delay: Public[int] = 0


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down. `entropy` is the seat's share of all chance: 16 to 64 hex digits, chosen by the player."""

    entropy: Public[str]


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up: every other side that still plays wins."""


@dataclass(frozen=True, slots=True)
class MatchCreated:
    game: Public[str]
    ruleset: Public[int]
    scenario: Public[str]
    options: Public[dict[str, str]]
    seats: Public[tuple[str, ...]]
    players: Public[dict[str, str]]
    position: Public[str]
    analysis: Public[bool]
    script: Public[tuple[int, ...]]
    spectator_delay: Public[int]
    key_id: Public[str]
    public_key: Public[str]
    seal_commitment: Public[str]


@dataclass(frozen=True, slots=True)
class SeatTaken:
    seat: Public[str]
    player: Public[str]
    entropy: Public[str]


@dataclass(frozen=True, slots=True)
class PlayBegun:
    """Every seat is taken; the game's own first events follow."""


@dataclass(frozen=True, slots=True)
class ScriptRead:
    """Numbers of the script that this decision used."""

    count: Public[int]


@dataclass(frozen=True, slots=True)
class SeatResigned:
    seat: Public[str]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over: from here on nothing is hidden. `seal_key` (hex) opens every sealed field."""

    winner: Public[str]
    points: Public[dict[str, int]]
    reasons: Public[tuple[tuple[str, str, int, str], ...]]
    seal_key: Public[str]


COMMANDS: Final = (CreateMatch, TakeSeat, Resign)
EVENTS: Final = (MatchCreated, SeatTaken, PlayBegun, ScriptRead, SeatResigned, MatchEnded)


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """What a decision needs of the service's keys.

    `key_id` and `public_key` (PEM) are of the key that signs the match's rolls; `seal_key` (hex) opens its hidden
    fields and is disclosed when it ends; `seal_commitment` binds the referee to it from the first record on.
    """

    key_id: str
    public_key: str
    seal_key: str
    seal_commitment: str


@dataclass(slots=True)
class MatchState:
    """Everything that the fold of one match knows. `table` is None until play has begun."""

    match_id: Public[str]
    game: Public[str] = ""
    ruleset: Public[int] = 0
    scenario: Public[str] = ""
    options: Public[dict[str, str]] = field(default_factory=dict)
    seats: Public[tuple[str, ...]] = ()
    players: Public[dict[str, str]] = field(default_factory=dict)
    entropy: Public[dict[str, str]] = field(default_factory=dict)
    position: Public[str] = ""
    analysis: Public[bool] = False
    script: Public[tuple[int, ...]] = ()
    script_used: Public[int] = 0
    spectator_delay: Public[int] = 0
    key_id: Public[str] = ""
    public_key: Public[str] = ""
    seal_commitment: Public[str] = ""
    resigned: Public[tuple[str, ...]] = ()
    playing: Public[bool] = False
    ended: Public[MatchEnded | None] = None
    table: Public[Any] = None

    PREFIX: ClassVar[str] = LOBBY

    def copy(self) -> MatchState:
        """A match whose table and seats may be changed without this one noticing."""
        return MatchState(
            self.match_id, self.game, self.ruleset, self.scenario, self.options, self.seats, dict(self.players),
            dict(self.entropy), self.position, self.analysis, self.script, self.script_used, self.spectator_delay,
            self.key_id, self.public_key, self.seal_commitment, self.resigned, self.playing, self.ended,
            None if self.table is None else self.table.copy(),
        )  # fmt: skip

    @property
    def is_open(self) -> bool:
        return bool(self.game) and not self.playing and self.ended is None

    @property
    def is_put_away(self) -> bool:
        """Whether play had begun and the table has been dropped since the match ended: fold the records to see it."""
        return self.ended is not None and self.table is None and len(self.entropy) == len(self.seats)

    def holds(self, player: str, seat: str) -> bool:
        """Whether the player has taken the seat."""
        return seat in self.entropy and self.players.get(seat) == player

    def setup(self) -> Setup:
        return Setup(self.ruleset, self.scenario, self.options, self.position)


def evolve(state: MatchState, event: object) -> MatchState:
    """Apply a runtime event in place."""
    match event:
        case MatchCreated():
            for name in (
                "game",
                "ruleset",
                "scenario",
                "options",
                "seats",
                "position",
                "analysis",
                "script",
                "spectator_delay",
                "key_id",
                "public_key",
                "seal_commitment",
            ):
                setattr(state, name, getattr(event, name))
            state.players = dict(event.players)
        case SeatTaken():
            state.players[event.seat] = event.player
            state.entropy = {
                s: state.entropy.get(s, event.entropy) for s in state.seats if s in state.entropy or s == event.seat
            }
        case PlayBegun():
            state.playing = True
        case ScriptRead():
            state.script_used += event.count
        case SeatResigned():
            state.resigned = (*state.resigned, event.seat)
        case MatchEnded():
            state.ended = event
            state.playing = False
    return state


def create(
    state: MatchState, command: CreateMatch, find: Callable[[str], Game | None], keys: MatchKeys
) -> MatchCreated:
    """Judge CreateMatch. Raises MalformedCommand: unknown game, scenario, option, seat, or a bad position."""
    if state.game:
        raise IllegalAction("", "MATCH_EXISTS", "this match has been created already")
    game = find(command.game)
    if game is None:
        raise MalformedCommand("UNKNOWN_GAME", f"no game {command.game!r}")
    scenario = game.scenarios.get(command.scenario)
    if scenario is None:
        raise MalformedCommand(
            "UNKNOWN_SCENARIO", f"{game.title} has no scenario {command.scenario!r}", known=sorted(game.scenarios)
        )
    for name, value in command.options.items():
        option = game.options.get(name)
        if option is None:
            raise MalformedCommand("UNKNOWN_OPTION", f"{game.title} has no option {name!r}", known=sorted(game.options))
        if value not in option.choices:
            raise MalformedCommand("BAD_OPTION", f"option {name} is one of {', '.join(option.choices)}", option=name)
    unknown = set(command.players) - set(scenario.seats)
    if unknown:
        raise MalformedCommand("UNKNOWN_SEAT", f"the seats are {', '.join(scenario.seats)}", seat=min(unknown))
    if (command.position or command.script) and not command.analysis:
        raise IllegalAction("", "ANALYSIS_ONLY", "only an analysis match may start from a position or script its rolls")
    if len(command.script) > MAX_SCRIPT or not 0 <= command.spectator_delay <= 1000:
        raise MalformedCommand(
            "BAD_ARGUMENT", f"a script has up to {MAX_SCRIPT} numbers, a spectator delay is 0 to 1000 batches"
        )
    options = {name: command.options.get(name, option.choices[0]) for name, option in game.options.items()}
    ruleset = game.rulesets[-1]
    game.begin(Setup(ruleset, scenario.id, options, command.position))
    return MatchCreated(
        game.id, ruleset, scenario.id, options, scenario.seats, dict(command.players), command.position,
        command.analysis, command.script, command.spectator_delay, keys.key_id, keys.public_key, keys.seal_commitment,
    )  # fmt: skip


def take_seat(state: MatchState, command: TakeSeat, seat: str, player: str) -> SeatTaken:
    """Judge TakeSeat for the caller `player`."""
    if seat not in state.seats:
        raise MalformedCommand("UNKNOWN_SEAT", f"the seats are {', '.join(state.seats)}", seat=seat)
    if seat in state.entropy:
        raise IllegalAction("", "SEAT_TAKEN", f"seat {seat} is taken")
    if (state.players.get(seat) or player) != player:
        raise IllegalAction("", "SEAT_RESERVED", f"seat {seat} is reserved for another player")
    if not ENTROPY.fullmatch(command.entropy):
        raise MalformedCommand("BAD_ENTROPY", "entropy is 16 to 64 lower-case hex digits")
    return SeatTaken(seat, player, command.entropy)


def resign(state: MatchState, seat: str) -> tuple[SeatResigned, Result | None]:
    """Judge Resign: the event, and the result when only one side is left."""
    if seat in state.resigned:
        raise IllegalAction("", "RESIGNED", f"seat {seat} has resigned already")
    left = [s for s in state.seats if s not in state.resigned and s != seat]
    result = Result(left[0], {}, ((LOBBY, left[0], 0, f"{seat} resigned"),)) if len(left) == 1 else None
    return SeatResigned(seat), result
