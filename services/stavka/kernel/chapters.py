"""How the chapters of a rulebook join. A chapter, one module or package, answers for some kinds of frames:

    FRAMES: frozenset[str]                   the kinds
    COMMANDS: dict[type, Handler]            what players may do in them
    react(draft) -> None                     automatic progress of the top frame; emits nothing if a seat must act
    decisions(state) -> tuple[Decision, ...] open decisions of the top frame

`by_frame` finds the chapter of a kind of frame; a frame that no chapter answers for waits for nobody. A chapter
is asked to react again as long as it emits and the top frame stays with the same topic, so that one call needs to do one
thing only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from .draft import Draft, Event
from .frames import Flowing
from .game import Decision


@dataclass(frozen=True, slots=True)
class Handler:
    """A command's frames and the function that refuses or emits on a draft: run(draft, seat, command)."""

    frames: frozenset[str]
    run: Callable[[Draft[Any], str, Any], None]


def by_frame(chapters: Iterable[ModuleType]) -> Mapping[str, ModuleType]:
    """Kind of frame -> the chapter that answers for it."""
    return {kind: chapter for chapter in chapters for kind in chapter.FRAMES}


def handlers(chapters: Iterable[ModuleType]) -> Mapping[type, Handler]:
    """Command type -> its handler."""
    return {command: handler for chapter in chapters for command, handler in chapter.COMMANDS.items()}


def react(chapter_of: Mapping[str, ModuleType], draft: Draft[Any]) -> tuple[Event, ...]:
    """Go on until a seat must decide, the match is over, or the top frame belongs to another topic."""
    topic = draft.state.frames[-1].topic
    while (top := draft.state.frames[-1]).topic == topic and top.kind in chapter_of:
        before = len(draft.events)
        chapter_of[top.kind].react(draft)
        if len(draft.events) == before:
            break
    return tuple(draft.events)


def decisions(chapter_of: Mapping[str, ModuleType], state: Flowing) -> tuple[Decision, ...]:
    """Open decisions; () while automatic progress is due and after the end."""
    chapter = chapter_of.get(state.frames[-1].kind)
    return chapter.decisions(state) if chapter is not None else ()
