"""A table to try a rule on: a position as text, one command or automatic progress, and what comes of it.

    given(position, options=None)           a Table; the text's first line "game NAME" says which game
    given(begun="victory_in_europe/1941")   the same from a scenario's own first events
    Table.when(command, seat, rolls=())     decide it with a scripted list of rolls -> Outcome
    Table.goes_on(rolls=())                 automatic progress of the top frame -> Outcome
    Table.state  .decisions()  .options(seat)
    Outcome.then(*events)                   exactly these events, in this order -> the Table afterwards
    Outcome.includes(*events)               these among others, in this order -> the Table afterwards
    Outcome.lacks(*event types)             none of these types -> the Table afterwards
    Outcome.refused(rule, reason)           IllegalAction, and nothing has changed -> the Table
    Outcome.malformed(reason)               MalformedCommand, and nothing has changed -> the Table

Rolls are given as for `ScriptedRoll`; what is left over fails the test.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stavka.games import GAMES
from stavka.kernel.dice import ScriptedRoll
from stavka.kernel.errors import IllegalAction, MalformedCommand, StavkaError
from stavka.kernel.game import Command, Game, Setup

Rolls = Sequence[int | Sequence[int]]


def given(position: str = "", options: Mapping[str, str] | None = None, *, begun: str = "") -> Table:
    """A table from a position text, or, with `begun` = "game/scenario", from a scenario's first events."""
    if begun:
        name, scenario = begun.split("/")
        position = ""
    else:
        words = position.split()
        name = words[words.index("game") + 1]
        scenario = ""
    game = GAMES[name]()
    setup = Setup(game.rulesets[-1], scenario or next(iter(game.scenarios)), dict(options or {}), position)
    state = game.state()
    for event in game.begin(setup):
        state = game.evolve(state, event)
    return Table(game, state)


class Table:
    """A game and a state of it. Every step gives a new one; this one stays as it is."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self.state = state

    def when(self, command: Command, seat: str, rolls: Rolls = ()) -> Outcome:
        """Decide a seat's command."""
        roll = ScriptedRoll(rolls)
        return self._outcome(lambda: self.game.decide(self.state, seat, command, roll), roll)

    def goes_on(self, rolls: Rolls = ()) -> Outcome:
        """Let the top frame make its automatic progress."""
        roll = ScriptedRoll(rolls)
        return self._outcome(lambda: self.game.react(self.state, roll), roll)

    def decisions(self) -> list[tuple[str, str]]:
        """Seat and kind of every open decision."""
        return [(decision.seat, decision.kind) for decision in self.game.decisions(self.state)]

    def options(self, seat: str) -> list[Command]:
        """Everything that the referee lists for a seat."""
        return [option for choice in self.game.legal(self.state, seat) for option in choice.options]

    def _outcome(self, attempt: Callable[[], Sequence[object]], roll: ScriptedRoll) -> Outcome:
        before = copy.deepcopy(self.state)
        try:
            events = tuple(attempt())
        except StavkaError as error:
            assert self.state == before, "a refusal has changed the state"
            return Outcome(self, (), error)
        assert self.state == before, "deciding has changed the state"
        assert not roll.remaining, f"{roll.remaining} scripted rolls were not used"
        return Outcome(self, events, None)


class Outcome:
    """What came of one step."""

    def __init__(self, table: Table, events: tuple[object, ...], error: StavkaError | None) -> None:
        self._table = table
        self.events = events
        self.error = error

    def then(self, *events: object) -> Table:
        found = self._accepted()
        assert found == events, "\n".join(("emitted:", *map(str, found), "wanted:", *map(str, events)))
        return self.after()

    def includes(self, *events: object) -> Table:
        found = iter(self._accepted())
        missing = [event for event in events if event not in found]  # `in` moves the iterator on
        assert not missing, f"{missing} not in order in {self.events}"
        return self.after()

    def lacks(self, *types: type) -> Table:
        assert not [event for event in self._accepted() if isinstance(event, types)]
        return self.after()

    def refused(self, rule: str, reason: str) -> Table:
        assert isinstance(self.error, IllegalAction), f"not refused: {self.error or self.events}"
        assert (self.error.rule, self.error.reason) == (rule, reason)
        return self._table

    def malformed(self, reason: str) -> Table:
        assert isinstance(self.error, MalformedCommand), f"not malformed: {self.error or self.events}"
        assert self.error.reason == reason
        return self._table

    def after(self) -> Table:
        """The table once the events have been applied."""
        state = self._table.state.copy()
        for event in self._accepted():
            state = self._table.game.evolve(state, event)
        return Table(self._table.game, state)

    def _accepted(self) -> tuple[object, ...]:
        if self.error is not None:
            raise self.error
        return self.events
