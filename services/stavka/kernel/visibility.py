"""Who may see what: the classification that every field of every state, event and command carries.

    Public[T]    everybody
    Owner[T]     the sides in the instance's `seen_by`; everybody once the match has ended
    Sealed[T]    nobody until the match has ended (deck order, a face-down card's rival)
    Pieces[T]    a mapping id -> dataclass whose ids are themselves secret: entries that the viewer may see
                 stand under their id, all others as an anonymous list, sorted by what is left of them

A dataclass with an Owner or Pieces field tells by a property `seen_by -> frozenset[str]` which sides see it;
OwnSeat and ItsViewers are that property for what one seat alone sees, or the seats that it lists.
`classification` refuses a class with an unclassified field: there is no default but to refuse (start-up check).
Redaction itself is one function in `stavka.views`; this module only classifies.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, TypeVar

T = TypeVar("T")


class Visibility(Enum):
    PUBLIC = "public"
    OWNER = "owner"
    SEALED = "sealed"
    PIECES = "pieces"


_OPEN = frozenset({Visibility.PUBLIC, Visibility.PIECES})
"""Of these everybody sees something."""

Public = Annotated[T, Visibility.PUBLIC]
Owner = Annotated[T, Visibility.OWNER]
Sealed = Annotated[T, Visibility.SEALED]
Pieces = Annotated[T, Visibility.PIECES]


class OwnSeat:
    """States, events and commands whose Owner fields are open to the seat in their field `seat`, and to no other one."""

    __slots__ = ()
    seat: str

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset((self.seat,))


class ItsViewers:
    """The same for those whose field `viewers` lists the seats that see them."""

    __slots__ = ()
    viewers: tuple[str, ...]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset(self.viewers)


class Role(Enum):
    SEAT = "seat"
    SPECTATOR = "spectator"
    ARBITER = "arbiter"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks at a match. `seat` is set for Role.SEAT only; an arbiter sees everything."""

    role: Role
    seat: str = ""

    def may_see(self, seen_by: frozenset[str], ended: bool) -> bool:
        """Whether Owner fields of an instance seen by these sides are open to this viewer."""
        if ended or self.role is Role.ARBITER:
            return True
        return self.role is Role.SEAT and self.seat in seen_by


SPECTATOR = Viewer(Role.SPECTATOR)
ARBITER = Viewer(Role.ARBITER)


def seat(name: str) -> Viewer:
    return Viewer(Role.SEAT, name)


class Unclassified(TypeError):
    """A field, or a class that has no `seen_by`, that nobody has classified."""


@cache
def classification(cls: type) -> Mapping[str, Visibility]:
    """Field name -> Visibility of a dataclass, in field order. Raises Unclassified."""
    if not dataclasses.is_dataclass(cls):
        raise Unclassified(f"{cls.__qualname__} is no dataclass")
    hints = typing.get_type_hints(cls, include_extras=True)
    found: dict[str, Visibility] = {}
    for field in dataclasses.fields(cls):
        marks = [m for m in getattr(hints[field.name], "__metadata__", ()) if isinstance(m, Visibility)]
        if len(marks) != 1:
            raise Unclassified(f"{cls.__qualname__}.{field.name} carries {len(marks)} classifications, not one")
        found[field.name] = marks[0]
    hidden = {Visibility.OWNER} & set(found.values())
    if hidden and not hasattr(cls, "seen_by"):
        raise Unclassified(f"{cls.__qualname__} has owner fields and no seen_by")
    return found


def is_all_public(cls: type) -> bool:
    return all(v is Visibility.PUBLIC for v in classification(cls).values())


def shows(value: object, viewer: Viewer, ended: bool) -> bool:
    """Whether anything of an event or a command is there for a viewer; one without fields is there for everybody."""
    cls: type = type(value)
    marks = set(classification(cls).values())
    if not marks or ended or viewer.role is Role.ARBITER or not marks.isdisjoint(_OPEN):
        return True
    return Visibility.OWNER in marks and viewer.may_see(value.seen_by, False)  # type: ignore[attr-defined]


def require_classified(classes: Iterable[type]) -> None:
    """Walk the classes and every dataclass that their fields mention. Raises Unclassified."""
    seen: set[type] = set()
    queue = list(classes)
    while queue:
        cls = queue.pop()
        if cls in seen:
            continue
        seen.add(cls)
        classification(cls)
        for hint in typing.get_type_hints(cls).values():
            queue.extend(_dataclasses_in(hint))


def _dataclasses_in(hint: object) -> list[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [hint]
    return [found for arg in typing.get_args(hint) for found in _dataclasses_in(arg)]
