"""Two worlds that differ only in what a viewer may not know give that viewer the same bytes, whatever he asks.

What he can get of a state and of a step is in `tests.support.worlds`, the second world in `tests.support.twins`. Views and
journals are compared at SEEN times as many states of a match as those at which everything is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import pytest
from stavka.bots.chance import Chance
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.visibility import ARBITER, SPECTATOR, Role, Viewer
from stavka.kernel.visibility import seat as seat_viewer
from stavka.views.redact import horizon
from stavka.wire.codec import to_json

from tests.battery.conftest import MATCHES
from tests.support.battery import Case, Step, reproduction
from tests.support.twins import TWINS, Twin, is_open, masked
from tests.support.worlds import curious, journal, reads_nothing, told

Match = tuple[Case, tuple[Step, ...]]

STATES: Final = max(10, 40 // max(1, MATCHES))
"""States of a match at which everything is asked, evenly spread: fewer of each where more matches are played."""
SEEN: Final = 8
"""Times as many states at which views and journals are compared."""
DELAY: Final = 3
"""Versions by which the delayed spectator lags."""


@pytest.mark.timeout(3600)
def test_a_viewer_cannot_tell_two_worlds_apart(match: Match, seed: int) -> None:
    case, steps = match
    if is_open(case.game):
        assert case.game.id not in TWINS
        return
    compared = compare(case, steps, seed)
    assert compared["worlds"], "the twins never differed"
    assert compared["journals"], "no journal was compared"


def compare(case: Case, steps: Sequence[Step], seed: int) -> Counter[str]:
    """How many worlds and journals were compared; AssertionError at the first byte that differs."""
    compared: Counter[str] = Counter()
    offset, stride = seed % 5, max(1, len(steps) // STATES)
    for step in steps[offset :: max(1, stride // SEEN)]:
        asks = (step.number - offset) % stride == 0
        for viewer in (*map(seat_viewer, case.seats), SPECTATOR, ARBITER):
            chance = Chance(seed, viewer.seat, step.number, "twin")
            twin = TWINS[case.game.id](step.before, viewer, chance)
            if twin is None:
                continue
            compared["worlds"] += twin.state != step.before
            where = f"step {step.number} {viewer} [{reproduction(case, seed)}]"
            asked = curious(case, step, viewer, chance) if asks else None
            require_equal(
                told(case, step.before, viewer, asked), told(case, twin.state, viewer, asked), f"{where} told"
            )
            compared["journals"] += compare_journals(case, step, viewer, twin, where)
    return compared


def compare_journals(case: Case, step: Step, viewer: Viewer, twin: Twin, where: str) -> bool:
    """Whatever anybody does, or goes on by itself, must look the same wherever it can be done in both worlds. Whether it
    was compared."""
    if step.command is None and twin.loose:
        return False
    mine = viewer.role is Role.SEAT and viewer.seat == step.seat
    command = step.command if mine or step.command is None else twin.translate(step.command)
    if step.command is not None and command is None:
        return False
    ours, events = journal(case, step.before, viewer, step.seat, step.command)
    try:
        theirs, others = journal(case, twin.state, viewer, step.seat, command)
    except (IllegalAction, MalformedCommand):
        assert not mine, f"{where}: what he may do hangs on what he may not know"
        return False  # the twin's seat holds other things and cannot do the like
    open_now = twin.revealed(events) | twin.revealed(others)
    names = open_now | {twin.names.get(name, name) for name in open_now}
    require_equal(to_json(masked(ours, names)), to_json(masked(theirs, names)), f"{where} journal")
    return True


def require_equal(ours: bytes, theirs: bytes, where: str) -> None:
    """Byte for byte; the first difference with what stands around it is in the error."""
    if ours == theirs:
        return
    place = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    around = slice(max(0, place - 300), place + 200)
    raise AssertionError(
        f"{where}\n{ours[around].decode(errors='replace')}\n--\n{theirs[around].decode(errors='replace')}"
    )


def test_what_a_viewer_does_not_read_of_changes_nothing_for_him(match: Match, seed: int) -> None:
    """So it may be held back from him, and nobody waits for it."""
    case, steps = match
    for step in steps[1:]:
        for viewer in (*map(seat_viewer, case.seats), SPECTATOR):
            if (step.command is None and step.events) or not step.events:
                continue
            if reads_nothing(step, viewer, ()):
                where = f"step {step.number} {viewer} [{reproduction(case, seed)}]"
                require_equal(told(case, step.before, viewer, None), told(case, step.after, viewer, None), where)


def test_a_delayed_spectator_sees_an_earlier_state(match: Match) -> None:
    """What is new within the delay is in no version that he may see."""
    case, steps = match
    for version in range(len(steps)):
        assert horizon(SPECTATOR, version, DELAY, False) == max(0, version - DELAY)
        assert all(horizon(seat_viewer(seat), version, DELAY, False) == version for seat in case.seats)
