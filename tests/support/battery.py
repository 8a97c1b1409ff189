"""The battery's engine: matches of any game in process, step by step, with the bots' own choosers.

    Case(game, scenario, options)       what is played
    walk(case, seed, bots)              generator of Step: every command and every automatic progress of one match
    finish(case, seed, bots)            the same to the end: Match with result, steps and digest
    summed_up(case, seed, steps)        Match of steps that were walked already
    offers_of(game, state, seat)        legal options as the bots see them, converted as they are looked at
    reproduction(case, seed)            the line that plays the same match again

    python -m tests.support.battery GAME SCENARIO SEED [BOT,BOT]        prints the digest of that match

Nothing here knows a game. A match that cannot go on raises DeadEnd; one that does not end raises Endless.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, overload

import msgspec
from stavka.bots.chance import Chance
from stavka.bots.choosers import Bot, Offer, Option, Rules
from stavka.bots.registry import bot
from stavka.games import GAMES
from stavka.kernel.dice import SeededRoll
from stavka.kernel.game import Choice, Command, Game, Result, Setup
from stavka.kernel.visibility import seat as seat_viewer
from stavka.views.redact import redact
from stavka.wire.codec import to_json

STEPS_A_TURN: Final = 4000
"""Commands and automatic steps in a game turn; a match with more of them on average does not end."""


@dataclass(frozen=True, slots=True)
class Case:
    """A game and a scenario with the options that differ from their defaults."""

    game: Game
    scenario: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def seats(self) -> tuple[str, ...]:
        return self.game.scenarios[self.scenario].seats

    def setup(self) -> Setup:
        chosen = {name: option.choices[0] for name, option in self.game.options.items()}
        return Setup(self.game.rulesets[-1], self.scenario, {**chosen, **self.options})

    def __str__(self) -> str:
        return "-".join((self.game.id, self.scenario, *(f"{k}={v}" for k, v in self.options.items())))


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: `before` is the state it was taken on, `after` the state that its events make.

    Automatic progress has no seat and no command. `number` counts from 1; number 0 is the set-up by `begin`.
    """

    number: int
    before: Any
    after: Any
    seat: str
    command: Command | None
    events: Sequence[object]


@dataclass(frozen=True, slots=True)
class Match:
    """How a match went. `digest` is SHA-256 over every command and event in order."""

    case: Case
    seed: int
    result: Result
    steps: int
    commands: int
    digest: str
    last: Any


def drawn(game: Game, scenario: str, seed: int) -> Case:
    """The scenario with its default options for odd seeds, with every option drawn by lot for even ones."""
    if seed % 2:
        return Case(game, scenario)
    chance = Chance(seed, "", 0, f"options of {game.id} {scenario}")
    return Case(game, scenario, {name: chance.one_of(option.choices) for name, option in game.options.items()})


class DeadEnd(AssertionError):
    """Nobody has a decision, nothing goes on by itself, and there is no result."""


class Endless(AssertionError):
    """The match goes on beyond its stated length."""


def reproduction(case: Case, seed: int, bots: str = "random") -> str:
    options = "".join(f" {name}={value}" for name, value in case.options.items())
    return f"python -m tests.support.battery {case.game.id} {case.scenario} {seed} {bots}{options}"


class LazyOptions(Sequence[Option]):
    """Commands as options in plain data, converted when looked at."""

    __slots__ = ("_commands",)

    def __init__(self, commands: Sequence[Command]) -> None:
        self._commands = commands

    def __len__(self) -> int:
        return len(self._commands)

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        if isinstance(index, slice):
            return LazyOptions(self._commands[index])
        command = self._commands[index]
        return Option(type(command).__name__, msgspec.to_builtins(command))


def offer_of(choice: Choice) -> Offer:
    d = choice.decision
    return Offer(
        d.id, d.seat, d.kind, d.rule, d.commands, LazyOptions(choice.options), choice.complete, choice.domain
    )  # fmt: skip


def rules_of(case: Case) -> Rules:
    """What the rules service lists, taken from the game directly."""
    spaces = tuple(
        {"id": s.id, "kind": s.kind, "x": s.at[0], "y": s.at[1], **msgspec.to_builtins(dict(s.facts))}
        for s in case.game.spaces()
    )
    pieces = tuple(msgspec.to_builtins(dict(p)) for p in case.game.pieces())
    return Rules(case.game.id, case.scenario, spaces, pieces)


def bots_of(case: Case, names: str) -> dict[str, Bot]:
    """Seat -> bot of "random,heuristic"; the last name serves all the seats that are left."""
    listed = names.split(",")
    rules = rules_of(case)
    return {s: bot(listed[min(i, len(listed) - 1)], rules) for i, s in enumerate(case.seats)}


def begin(case: Case) -> Any:
    """The state after the game's first events."""
    state = case.game.state()
    for event in case.game.begin(case.setup()):
        state = case.game.evolve(state, event)
    return state


def apply(game: Game, state: Any, events: Sequence[object]) -> Any:
    """A new state: `state` with the events applied."""
    after = state.copy()
    for event in events:
        after = game.evolve(after, event)
    return after


def choose(case: Case, state: Any, seat: str, chooser: Bot, seed: int, number: int) -> Command:
    """The command that a bot gives for its seat. Raises DeadEnd when a decision of the seat has no options."""
    choices = case.game.legal(state, seat)
    if not choices or not all(choice.options for choice in choices):
        raise DeadEnd(f"step {number}: {seat} has a decision without options [{reproduction(case, seed)}]")
    view = redact(state, seat_viewer(seat), False) if chooser.needs_view else {}
    offers = [offer_of(choice) for choice in choices]
    picked = chooser.choose(Chance(seed, seat, number), view, offers)
    kinds = {cls.__name__: cls for cls in case.game.commands}
    return msgspec.convert(picked.arguments, kinds[picked.command])


def walk(case: Case, seed: int, bots: Mapping[str, Bot]) -> Iterator[Step]:
    """Play one match to its end. The order in which seats with open decisions act is drawn too.

    Raises:
        DeadEnd, Endless: with the line that plays the match again.
    """
    game = case.game
    roll = SeededRoll(f"battery {case} {seed}".encode())
    state = begin(case)
    yield Step(0, game.state(), state, "", None, tuple(game.begin(case.setup())))
    bound = STEPS_A_TURN * game.scenarios[case.scenario].turns
    number = 0
    while game.result(state) is None:
        number += 1
        if number > bound:
            raise Endless(f"no result after {bound} steps [{reproduction(case, seed)}]")
        seat, command = "", None
        events = game.react(state, roll)
        if not events:
            seats = sorted({d.seat for d in game.decisions(state)})
            if not seats:
                raise DeadEnd(f"step {number}: {game.headline(state)} [{reproduction(case, seed)}]")
            seat = Chance(seed, "", number).one_of(seats)
            command = choose(case, state, seat, bots[seat], seed, number)
            events = game.decide(state, seat, command, roll)
        after = apply(game, state, events)
        yield Step(number, state, after, seat, command, events)
        state = after


def finish(case: Case, seed: int, bots: Mapping[str, Bot]) -> Match:
    """Play one match to its end and sum it up. Raises as `walk`."""
    return summed_up(case, seed, walk(case, seed, bots))


def summed_up(case: Case, seed: int, steps: Iterable[Step]) -> Match:
    """What came of all the steps of a match."""
    digest = hashlib.sha256()
    commands = 0
    step: Step | None = None
    for step in steps:
        commands += step.command is not None
        digest.update(to_json([step.seat, type(step.command).__name__, step.command]))
        for event in step.events:
            digest.update(to_json([type(event).__name__, event]))
    assert step is not None
    result = case.game.result(step.after)
    assert result is not None
    return Match(case, seed, result, step.number, commands, digest.hexdigest(), step.after)


def named(game_id: str) -> Game:
    """A game by its id, the made-up one included."""
    if game_id == "skirmish":
        from tests.support.skirmish import game

        return game()
    return GAMES[game_id]()


def main(arguments: Sequence[str]) -> None:
    game_id, scenario, seed = arguments[:3]
    names = arguments[3] if len(arguments) > 3 else "random"
    options = dict(part.split("=", 1) for part in arguments[4:])
    case = Case(named(game_id), scenario, options)
    match = finish(case, int(seed), bots_of(case, names))
    print(match.digest, match.result.winner, match.steps)


if __name__ == "__main__":
    main(sys.argv[1:])
