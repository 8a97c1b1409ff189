"""What the referee lists as legal is what it accepts, no less and no more; a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from stavka.bots.chance import Chance
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Choice, Command, Game

from tests.battery.conftest import states
from tests.support.battery import Case, Step, apply, reproduction
from tests.support.mutations import mutants, normal, strings_in

Match = tuple[Case, tuple[Step, ...]]

STATES: Final = states(40)
"""States of a match that are looked at, evenly spread."""
TRIED: Final = 150
"""Options of a state that are tried; more are sampled."""
WRONG: Final = 60
"""Wrong commands a state."""


def sampled(steps: Sequence[Step], seed: int) -> Iterator[Step]:
    """Steps at which a seat decides, evenly spread over the match, other ones with another seed."""
    deciding = [step for step in steps if step.command is not None]
    stride = max(1, len(deciding) // STATES)
    return iter(deciding[seed % stride :: stride])


def judge(game: Game, state: Any, seat: str, command: Command, label: str) -> Sequence[object] | None:
    """Events of a command, or None for a refusal of the kinds that a player may see. Nothing else is let through."""
    try:
        return game.decide(state, seat, command, SeededRoll(label.encode()))
    except (IllegalAction, MalformedCommand):
        return None


def is_listed(command: Command, choices: Sequence[Choice]) -> bool:
    """Whether a command is among the options, the order of names and fields that the domain leaves free aside."""
    name = type(command)
    return any(
        normal(command, _free(choice)) in {normal(o, _free(choice)) for o in choice.options if type(o) is name}
        for choice in choices
    )


def _free(choice: Choice) -> tuple[str, ...]:
    return tuple(str(name) for name in choice.domain.get("free_fields", ()))


def is_enumerated(command: Command, choices: Sequence[Choice]) -> bool:
    """Whether every decision that this type of command answers lists all there is (free fields aside)."""
    name = type(command).__name__
    return all(c.complete or _free(c) for c in choices if name in c.decision.commands)


def test_every_listed_option_is_accepted_and_can_be_applied(match: Match, seed: int) -> None:
    case, steps = match
    game = case.game
    for step in sampled(steps, seed):
        chance = Chance(seed, step.seat, step.number, "options")
        for choice in game.legal(step.before, step.seat):
            assert choice.options, f"step {step.number}: {choice.decision} [{reproduction(case, seed)}]"
            assert len(set(choice.options)) == len(choice.options), f"step {step.number} [{reproduction(case, seed)}]"
            options = list(choice.options)
            if len(options) > TRIED:
                options = [chance.one_of(options) for _ in range(TRIED)]
            for option in options:
                assert type(option).__name__ in choice.decision.commands, (option, choice.decision)
                before = step.before.copy()
                events = judge(game, step.before, step.seat, option, f"{step.number}")
                assert events, f"step {step.number}: {option} [{reproduction(case, seed)}]"
                assert step.before == before, f"decide changed the state: step {step.number} {option}"
                apply(game, step.before, events)


def test_legal_and_decisions_agree(match: Match, seed: int) -> None:
    case, steps = match
    for step in sampled(steps, seed):
        decisions = case.game.decisions(step.before)
        for seat in case.seats:
            listed = [choice.decision for choice in case.game.legal(step.before, seat)]
            wanted = [decision for decision in decisions if decision.seat == seat]
            assert listed == wanted, f"step {step.number} [{reproduction(case, seed)}]"


def test_what_is_not_listed_is_refused_and_changes_nothing(match: Match, seed: int) -> None:
    """Mutants of options, options of other seats, and commands of other moments."""
    case, steps = match
    game = case.game
    past = [step.command for step in sampled(steps, seed)]
    words = sorted({word for command in past for word in strings_in(command)})
    for step in sampled(steps, seed):
        chance = Chance(seed, step.seat, step.number, "mutants")
        for seat in case.seats:
            choices = game.legal(step.before, seat)
            for command in _wrong(game, step, past, words, chance):
                if is_listed(command, choices):
                    continue
                before = step.before.copy()
                events = judge(game, step.before, seat, command, f"{step.number}")
                where = f"step {step.number}: {seat} {command} [{reproduction(case, seed)}]"
                assert step.before == before, f"decide changed the state: {where}"
                if is_enumerated(command, choices):
                    assert events is None, f"accepted but not listed: {where}"
                elif events is not None:
                    apply(game, step.before, events)


def _wrong(
    game: Game, step: Step, past: Sequence[Command | None], words: Sequence[str], chance: Chance
) -> list[Command]:
    options = [option for choice in game.legal(step.before, step.seat) for option in choice.options]
    local = [word for option in options[:40] for word in strings_in(option)]
    pool = sorted({*words, *local})
    found: list[Command] = [chance.one_of(options) for _ in range(WRONG // 6)]
    found += [command for _ in range(WRONG // 6) if (command := chance.one_of(past)) is not None]
    while len(found) < WRONG:
        made = mutants(chance.one_of(found), pool, chance, 2)
        found += made or [chance.one_of(options)]
    return found
