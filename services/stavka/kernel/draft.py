"""A draft: the state as it will be, while a decision is being worked out.

`decide` and `react` never return a new state. They emit events on a draft, and each event is applied as it is
emitted, so the code that follows sees the table as the event left it. What counts is `draft.events`; the state
that the draft carries is thrown away (the fold makes its own from the log).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from .dice import Roll

Event = object
"""A frozen, slotted dataclass whose fields are classified; its type name is its class name."""


class Copyable(Protocol):
    def copy(self: S) -> S:
        """A state that may be changed without the original noticing."""
        ...


S = TypeVar("S", bound=Copyable)


class Draft(Generic[S]):
    """`state` is the working copy, `events` what has been emitted so far, `roll` the source of chance."""

    __slots__ = ("_evolve", "events", "roll", "state")

    def __init__(self, state: S, evolve: Callable[[S, Event], S], roll: Roll) -> None:
        self.state = state.copy()
        self.events: list[Event] = []
        self.roll = roll
        self._evolve = evolve

    def emit(self, event: Event) -> None:
        """Apply `event` to the draft and keep it."""
        self.state = self._evolve(self.state, event)
        self.events.append(event)
