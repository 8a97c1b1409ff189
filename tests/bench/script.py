"""A match written down beforehand: commands that are legal, in order, so that a load generator need not ask for them.

A twin of the match is played in process by the random bot, with a scripted list of dice. Every analysis match that is
created with the same dice goes the same way, whatever its id, keys and seats' entropy: the very same commands are legal
at the very same versions. Only what dice cost is missing from such a load; it is measured apart (`rules.py`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
from stavka.bots.chance import Chance
from stavka.bots.choosers import choose_any
from stavka.match import lobby
from stavka.match.lobby import MatchKeys, MatchState, ScriptRead
from stavka.match.rulebooks import decide_match, evolve, owner, react_match, rulebook

from tests.support.battery import offer_of

DICE: Final = 1024
"""Dice of a script: a whole random match takes about 900."""
KEYS: Final = MatchKeys("0" * 16, "", "00" * 32, "00" * 32)
ENTROPY: Final = "0" * 16


@dataclass(frozen=True, slots=True)
class Line:
    """One command. `version` is the one of the match at which it is legal, and the record it makes is the next."""

    seat: str
    command: str
    arguments: Mapping[str, Any]
    version: int


@dataclass(frozen=True, slots=True)
class Script:
    """What a match is created from, and the commands that it then takes, each at its version."""

    game: str
    scenario: str
    seats: tuple[str, ...]
    dice: tuple[int, ...]
    lines: tuple[Line, ...]

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)), "utf-8")


class ScriptedDice:
    """The dice of the script from a place on. Raises IndexError when they run out, and for any other kind of roll."""

    def __init__(self, dice: Sequence[int], used: int) -> None:
        self._dice = dice
        self._first = used
        self.used = used

    @property
    def count(self) -> int:
        return self.used - self._first

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        if self.used + count > len(self._dice) or sides != 6:
            raise IndexError(purpose)
        self.used += count
        return tuple(self._dice[self.used - count : self.used])

    def shuffle(self, purpose: str, items: Sequence[Any]) -> tuple[Any, ...]:
        raise IndexError(purpose)


def write(game: str, scenario: str, seed: int, commands: int) -> Script:
    """The first `commands` commands of a random match, fewer when it ends or its dice run out before."""
    chance = random.Random(seed)
    dice = tuple(chance.randint(1, 6) for _ in range(DICE))
    seats = rulebook(game).game.scenarios[scenario].seats
    lines: list[Line] = []
    for line in _lines(game, scenario, seats, dice, seed):
        lines.append(line)
        if len(lines) == commands:
            break
    return Script(game, scenario, seats, dice, tuple(lines))


def _lines(game: str, scenario: str, seats: Sequence[str], dice: Sequence[int], seed: int) -> Iterator[Line]:
    twin = _Twin(MatchState("00-twin"))
    try:
        creation = lobby.CreateMatch(game, scenario, analysis=True, script=tuple(dice))
        twin.command("", creation)
        for seat in seats:
            twin.command(seat, lobby.TakeSeat(ENTROPY))
        while twin.goes_on():
            seat, command = _choose(twin.state, seats, Chance(seed, "", twin.version))
            line = Line(seat, type(command).__name__, msgspec.to_builtins(command), twin.version)
            twin.command(seat, command)
            yield line
    except IndexError:
        return


def _choose(state: MatchState, seats: Sequence[str], chance: Chance) -> tuple[str, Any]:
    """A random seat with a decision, and a random option of it."""
    game = rulebook(state.game).game
    waiting = {decision.seat for decision in game.decisions(state.table)}
    seat = chance.one_of([seat for seat in seats if seat in waiting])
    pick = choose_any(chance, {}, [offer_of(choice) for choice in game.legal(state.table, seat)])
    kinds = {cls.__name__: cls for cls in game.commands}
    return seat, msgspec.convert(pick.arguments, kinds[pick.command])


class _Twin:
    """The match as its referees would have it, record by record."""

    def __init__(self, state: MatchState) -> None:
        self.state = state
        self.version = 0

    def command(self, seat: str, command: object) -> None:
        self.take(lambda roll: decide_match(self.state, seat, seat, "", command, roll, KEYS))

    def take(self, decide: Callable[[ScriptedDice], list[object]]) -> bool:
        """One decision becomes one record; False when it has no events."""
        roll = ScriptedDice(self.state.script, self.state.script_used)
        events = decide(roll)
        for event in (*events, ScriptRead(roll.count)) if roll.count else events:
            evolve(self.state, event)
        self.version += bool(events)
        return bool(events)

    def goes_on(self) -> bool:
        """Make all automatic progress; whether the match still goes on then."""
        while owner(self.state) and self.take(lambda roll: react_match(self.state, roll, KEYS)):
            pass
        return self.state.playing
