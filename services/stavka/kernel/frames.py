"""The stack of frames: who acts next, and in what.

A match's flow is a stack: match, game turn, player turn, phase, battle, retreat, uprising, card interrupt.
The top frame's topic alone makes automatic progress; a topic that needs another one pushes a frame for it and
goes on when that frame is popped. Working data of a frame (the battle being fought) stands in a field of the
game's own state; a frame says only what it is, who owns it, whose it is and how far it has come.

FramePushed, FramePopped and FrameStepped are events of every game; FLOW applies them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from .visibility import Public

Frames = tuple["Frame", ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of the flow. `topic` is one of movement, combat, supply, diplomacy, cards."""

    kind: Public[str]
    topic: Public[str]
    seat: Public[str] = ""
    step: Public[str] = ""


def top(frames: Frames) -> Frame:
    return frames[-1]


def push(frames: Frames, frame: Frame) -> Frames:
    return (*frames, frame)


def pop(frames: Frames, kind: str) -> Frames:
    """Drop the top frame, which must be of `kind`: a mismatch is a bug of the rules, not of a player."""
    if frames[-1].kind != kind:
        raise AssertionError(f"top frame is {frames[-1].kind}, not {kind}")
    return frames[:-1]


def step(frames: Frames, name: str) -> Frames:
    """The same stack with its top frame at step `name`."""
    last = frames[-1]
    return (*frames[:-1], Frame(last.kind, last.topic, last.seat, name))


def inside(frames: Frames, kind: str) -> Frame | None:
    """The innermost frame of `kind`, or None."""
    return next((f for f in reversed(frames) if f.kind == kind), None)


@dataclass(frozen=True, slots=True)
class FramePushed:
    kind: Public[str]
    topic: Public[str]
    seat: Public[str]
    step: Public[str] = ""


@dataclass(frozen=True, slots=True)
class FramePopped:
    kind: Public[str]


@dataclass(frozen=True, slots=True)
class FrameStepped:
    """The top frame goes on to its next step."""

    step: Public[str]


class Flowing(Protocol):
    """A state with a stack of frames."""

    frames: Frames


def _pushed(state: Flowing, event: FramePushed) -> None:
    state.frames = push(state.frames, Frame(event.kind, event.topic, event.seat, event.step))


def _popped(state: Flowing, event: FramePopped) -> None:
    state.frames = pop(state.frames, event.kind)


def _stepped(state: Flowing, event: FrameStepped) -> None:
    state.frames = step(state.frames, event.step)


FLOW: Final[Mapping[type, Callable[[Any, Any], None]]] = {
    FramePushed: _pushed,
    FramePopped: _popped,
    FrameStepped: _stepped,
}
"""Event -> what it does to a state's frames."""
