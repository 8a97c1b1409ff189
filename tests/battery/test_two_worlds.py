"""Two worlds that differ only in what a viewer may not know give that viewer the same bytes, whatever he asks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from stavka.bots.chance import Chance
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Command
from stavka.kernel.visibility import ARBITER, SPECTATOR, Role, Viewer
from stavka.kernel.visibility import seat as seat_viewer
from stavka.views.redact import fact, facts, redact

from tests.support.battery import Case, Step, apply, reproduction
from tests.support.mutations import mutants, strings_in
from tests.support.twins import TWINS, Twin, is_open

Match = tuple[Case, tuple[Step, ...]]


STATES: Final = 40
"""States of a match at which everything is asked, evenly spread."""
SEEN: Final = 8
"""Times as many states at which views and journals are compared."""


def told(case: Case, state: Any, viewer: Viewer, asked: Sequence[Command] | None) -> str:
    """Everything that a viewer can reach at one state: view and headline, and unless `asked` is None explanations and,
    for a seat, its decisions, its options and the refusals of the commands that it tries."""
    game = case.game
    found: dict[str, Any] = {"view": redact(state, viewer, False), "headline": game.headline(state)}
    if asked is None:
        return json.dumps(found, default=str)
    found["explain"] = {name: explained(case, state, viewer, name) for name in case.game.questions}
    if viewer.role is Role.SEAT:
        found["decisions"] = [repr(d) for d in game.decisions(state) if d.seat == viewer.seat]
        found["legal"] = [repr(choice) for choice in game.legal(state, viewer.seat)]
        found["refusals"] = [answer(case, state, viewer, command) for command in asked]
    return json.dumps(found, default=str)


def explained(case: Case, state: Any, viewer: Viewer, question: str) -> str:
    """The answer to a question without arguments, or why there is none."""
    try:
        return str(case.game.explain(state, viewer, question, {}))
    except (IllegalAction, MalformedCommand) as error:
        return f"{error.reason} {error} {error.details}"


def answer(case: Case, state: Any, viewer: Viewer, command: Command) -> str:
    """What the viewer hears of his own command: the refusal with its details, or that it was accepted."""
    try:
        case.game.decide(state, viewer.seat, command, SeededRoll(b"two worlds"))
    except IllegalAction as error:
        return f"{error.rule} {error.reason} {error} {error.details}"
    except MalformedCommand as error:
        return f"{error.reason} {error} {error.details}"
    return "accepted"


def journal(case: Case, state: Any, viewer: Viewer, seat: str, command: Command) -> str:
    """What the viewer reads of a command of `seat` and what it brought about, before chance and revealing."""
    events = case.game.decide(state, seat, command, SeededRoll(b"two worlds"))
    entry = {"command": fact(command, viewer, False), "events": facts(events, viewer, False)}
    after = told(case, apply(case.game, state, events), viewer, None)
    return json.dumps(entry) + after


def test_a_viewer_cannot_tell_two_worlds_apart(match: Match, seed: int) -> None:
    """At some states everything that can be asked is compared, at more of them what is seen without asking."""
    case, steps = match
    if is_open(case.game):
        assert case.game.id not in TWINS
        return
    make = TWINS[case.game.id]
    compared = 0
    offset, stride = seed % 5, max(1, len(steps) // STATES)
    for step in steps[offset :: max(1, stride // SEEN)]:
        asks = (step.number - offset) % stride == 0
        for viewer in (*map(seat_viewer, case.seats), SPECTATOR, ARBITER):
            chance = Chance(seed, viewer.seat, step.number, "twin")
            twin = make(step.before, viewer, chance)
            if twin is None:
                continue
            compared += twin.state != step.before
            where = f"step {step.number} {viewer} [{reproduction(case, seed)}]"
            asked = questions(case, step, viewer, chance) if asks else None
            assert told(case, step.before, viewer, asked) == told(case, twin.state, viewer, asked), where
            compare_journals(case, step, viewer, twin, where)
    assert compared, "the twins never differed"


def questions(case: Case, step: Step, viewer: Viewer, chance: Chance) -> list[Command]:
    """Commands that a curious seat tries: its own options and mutants of them."""
    if viewer.role is not Role.SEAT:
        return []
    options = [option for choice in case.game.legal(step.before, viewer.seat) for option in choice.options][:20]
    words = sorted({word for option in options for word in strings_in(option)})
    return options + [mutant for option in options[:5] for mutant in mutants(option, words, chance, 4)]


def compare_journals(case: Case, step: Step, viewer: Viewer, twin: Twin, where: str) -> None:
    """What others do must look the same, wherever they may do it in both worlds."""
    if step.command is None or (viewer.role is Role.SEAT and viewer.seat == step.seat):
        return
    ours = journal(case, step.before, viewer, step.seat, step.command)
    try:
        theirs = journal(case, twin.state, viewer, step.seat, twin.translate(step.command))
    except IllegalAction:
        return  # the twin's seat holds other things and cannot do the like
    assert ours == theirs, where
