"""How chapters join: who answers for the top frame, and how far one call of `react` goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import pytest
from stavka.kernel import chapters
from stavka.kernel.dice import SeededRoll
from stavka.kernel.draft import Draft, Event
from stavka.kernel.frames import FLOW, Frame, FramePopped, FramePushed, Frames, FrameStepped
from stavka.kernel.game import Decision

START: Frames = (Frame("match", "diplomacy"), Frame("march", "movement", "north"))
OPEN = Decision("march-1", "north", "march", "RV 6.0", ("March",))


@dataclass(slots=True)
class Table:
    frames: Frames = START

    def copy(self) -> Table:
        return Table(self.frames)


def evolve(table: Table, event: Event) -> Table:
    FLOW[type(event)](table, event)
    return table


def chapter(kind: str, react: Callable[[Draft[Table]], None]) -> ModuleType:
    made = ModuleType(kind)
    made.FRAMES = frozenset((kind,))  # type: ignore[attr-defined]
    made.COMMANDS = {int: chapters.Handler(made.FRAMES, lambda draft, seat, command: None)}  # type: ignore[attr-defined]
    made.react = react  # type: ignore[attr-defined]
    made.decisions = lambda table: (OPEN,)  # type: ignore[attr-defined]
    return made


def march(draft: Draft[Table]) -> None:
    """Two steps on its own, then a battle; nothing while "fought"."""
    following = {"": FrameStepped("one"), "one": FrameStepped("two"), "two": FramePushed("battle", "combat", "south")}
    if draft.state.frames[-1].step in following:
        draft.emit(following[draft.state.frames[-1].step])


def battle(draft: Draft[Table]) -> None:
    draft.emit(FramePopped("battle"))


CHAPTERS = (chapter("march", march), chapter("battle", battle))
CHAPTER_OF = chapters.by_frame(CHAPTERS)


def react(table: Table) -> tuple[Event, ...]:
    return chapters.react(CHAPTER_OF, Draft(table, evolve, SeededRoll(b"")))


def test_a_topic_goes_on_until_the_top_frame_is_another_ones() -> None:
    table = Table()
    assert react(table) == (FrameStepped("one"), FrameStepped("two"), FramePushed("battle", "combat", "south"))
    assert table.frames == START, "what was given stays as it was"


def test_the_other_topic_goes_on_by_itself_and_gives_back() -> None:
    fighting = Table((*START, Frame("battle", "combat", "south")))
    assert react(fighting) == (FramePopped("battle"),)


def test_nothing_happens_while_a_seat_must_decide_or_nobody_answers() -> None:
    assert react(Table((*START[:1], Frame("march", "movement", "north", "fought")))) == ()
    assert react(Table(START[:1])) == ()


def test_decisions_are_those_of_the_top_frames_chapter() -> None:
    assert chapters.decisions(CHAPTER_OF, Table()) == (OPEN,)
    assert chapters.decisions(CHAPTER_OF, Table(START[:1])) == ()


def test_handlers_are_found_by_command() -> None:
    assert chapters.handlers(CHAPTERS[:1])[int].frames == {"march"}


def test_frames_are_pushed_stepped_and_popped_in_order() -> None:
    table = Table()
    for event in (FramePushed("battle", "combat", "south", "first"), FrameStepped("second")):
        evolve(table, event)
    assert table.frames == (*START, Frame("battle", "combat", "south", "second"))
    with pytest.raises(AssertionError, match="top frame is battle"):
        evolve(table, FramePopped("march"))
    assert evolve(table, FramePopped("battle")).frames == START
