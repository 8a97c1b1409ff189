"""A match written down beforehand: commands that are legal, in order, so that a load generator need not ask for them.

A twin of the match is played in process by the random bot, and what it rolls is written down. Every analysis match that
is created with this script of rolls goes the same way, whatever its id, keys and seats' entropy: the very same commands are
legal at the very same versions. Only what rolls cost is missing from such a load; it is measured apart (`rules.py`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
from stavka.bots.chance import Chance
from stavka.bots.choosers import choose_any
from stavka.match import lobby
from stavka.match.lobby import MatchKeys, MatchState
from stavka.match.rulebooks import decide_match, evolve, owner, react_match, rulebook

from tests.support.battery import offer_of

MOST: Final = 500
"""Numbers that one command and what follows it can take."""
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
    rolls: tuple[int, ...]
    lines: tuple[Line, ...]

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)), "utf-8")


class Chronicle:
    """Rolls that are drawn as they are asked for and written down as the numbers of a script."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.numbers: list[int] = []

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        return self._note([self._chance.randint(1, sides) for _ in range(count)])

    def shuffle(self, purpose: str, items: Sequence[Any]) -> tuple[Any, ...]:
        order = list(range(len(items)))
        self._chance.shuffle(order)
        return tuple(items[place] for place in self._note(order))

    def _note(self, numbers: list[int]) -> tuple[int, ...]:
        self.numbers += numbers
        return tuple(numbers)


def write(game: str, scenario: str, seed: int, commands: int) -> Script:
    """The first `commands` commands of a random match, fewer when it ends or a script cannot hold its rolls."""
    seats = rulebook(game).game.scenarios[scenario].seats
    chronicle = Chronicle(seed)
    lines: list[Line] = []
    for line in _lines(game, scenario, seats, chronicle, seed):
        lines.append(line)
        if len(lines) == commands or len(chronicle.numbers) > lobby.MAX_SCRIPT - MOST:
            break
    return Script(game, scenario, seats, tuple(chronicle.numbers), tuple(lines))


def _lines(game: str, scenario: str, seats: Sequence[str], chronicle: Chronicle, seed: int) -> Iterator[Line]:
    twin = _Twin(MatchState("00-twin"), chronicle)
    twin.command("", lobby.CreateMatch(game, scenario, analysis=True))
    for seat in seats:
        twin.command(seat, lobby.TakeSeat(ENTROPY))
    while twin.goes_on():
        seat, command = _choose(twin.state, seats, Chance(seed, "", twin.version))
        line = Line(seat, type(command).__name__, msgspec.to_builtins(command), twin.version)
        twin.command(seat, command)
        yield line


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

    def __init__(self, state: MatchState, chronicle: Chronicle) -> None:
        self.state = state
        self.version = 0
        self._roll = chronicle

    def command(self, seat: str, command: object) -> None:
        self._take(decide_match(self.state, seat, seat, "", command, self._roll, KEYS))

    def _take(self, events: Sequence[object]) -> bool:
        """One decision becomes one record; False when it has no events."""
        for event in events:
            evolve(self.state, event)
        self.version += bool(events)
        return bool(events)

    def goes_on(self) -> bool:
        """Make all automatic progress; whether the match still goes on then."""
        while owner(self.state) and self._take(react_match(self.state, self._roll, KEYS)):
            pass
        return self.state.playing
