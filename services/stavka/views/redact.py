"""The one place where what leaves on behalf of a viewer is redacted. By default deny.

    redact(value, viewer, ended)        a state, event, command or any part of one -> plain JSON data
    record_view(...)                    one accepted record as a viewer may have it -> plain JSON data
    horizon(viewer, version, ...)       the latest version that a viewer may know of

Plain JSON data: None, bool, int, float, str, lists, and dicts with string keys in ascending order. (Insertion order
tells in what order things came to be; so it never leaves.)

A field is there if its class says so (`stavka.kernel.visibility`), otherwise it is absent, never null:

    Public    always, itself redacted
    Owner     when viewer.may_see(instance.seen_by, ended)
    Sealed    to arbiters, and to everybody once the match has ended
    Pieces    {"seen": {id: entry}, "unseen": [entry, ...]}: entries of others lose their id and are sorted by the
              canonical JSON of what is left of them, so neither id nor place in the list can be followed

A value of a type that this module does not know is refused with `Unclassified`, whoever looks. An event or command
that has fields, none of which the viewer may see, does not exist for him: its type name would be all that is left.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Final

from stavka.kernel.visibility import Role, Unclassified, Viewer, Visibility, classification
from stavka.match import lobby
from stavka.match.rulebooks import PREFIX
from stavka.match.sight import hides_anything, reads
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2

Json = Any
"""Plain JSON data as described above."""

_LEAVES: Final = frozenset({str, int, bool, float, NoneType})
_KEYS: Final = frozenset({str, int})

_BEGINNINGS: Final = (lobby.CreateMatch, lobby.MatchCreated)

_Sight = Viewer | None
"""Who looks; None looks at everything (an arbiter, or anybody after the end)."""
_Plan = Callable[[Any, _Sight], Json]


def redact(value: object, viewer: Viewer, ended: bool) -> Json:
    """`value` as `viewer` may have it. `ended`: the match has ended. Raises Unclassified."""
    return _convert(value, _sight(viewer, ended))


def horizon(viewer: Viewer, version: int, delay: int, ended: bool) -> int:
    """The latest version that `viewer` may know of when the match is at `version`: spectators lag by `delay`."""
    if viewer.role is not Role.SPECTATOR or ended:
        return version
    return max(0, version - delay)


def fact(value: object, viewer: Viewer, ended: bool) -> dict[str, Json] | None:
    """A command or an event as {"type": name, "fields": {...}}; None when nothing of it may be seen."""
    fields = redact(value, viewer, ended)
    cls: type = type(value)
    if isinstance(value, _BEGINNINGS) and _sight(viewer, ended) is not None and hides_anything(value.game):
        del fields["position"]  # the notation tells all of the table
    if not fields and classification(cls):
        return None
    return {"type": type_name(cls), "fields": fields}


def facts(values: Iterable[object], viewer: Viewer, ended: bool) -> list[dict[str, Json]]:
    """What is left of events, in their order."""
    return [found for value in values if (found := fact(value, viewer, ended)) is not None]


def record_view(
    record: log_pb2.Record,
    head: bytes,
    events: Sequence[object],
    command: object | None,
    viewer: Viewer,
    ended: bool,
) -> dict[str, Json]:
    """One accepted record as `viewer` may have it.

    Args:
        record: the record; its hidden fields still sealed.
        head: the match's head after it.
        events: its events, decoded.
        command: its command, decoded; None for automatic progress.

    Returns:
        version, head (hex), decided_at_ms, topic, seat, events ([{type, fields}]), rolls, and where there is one
        command ({type, fields}). To the seat itself, to arbiters and after the end also command_id: a client may
        choose ids that tell something. rolls are [{purpose, kind, hidden, ...}], with count, sides, results and, unless
        scripted, the proof (input as text, signature as hex) where not hidden. A record that does not exist for the
        viewer is a version and a head to him: neither who wrote it nor when.
    """
    everything = _sight(viewer, ended) is None
    if not everything and not reads(record, events, command, viewer):
        return {
            "version": record.base_version + 1, "head": head.hex(), "decided_at_ms": 0, "topic": "", "seat": "",
            "events": [], "rolls": [],
        }  # fmt: skip
    view: dict[str, Json] = {
        "version": record.base_version + 1,
        "head": head.hex(),
        "decided_at_ms": record.decided_at_ms,
        "topic": record.topic,
        "seat": record.seat,
        "events": facts(events, viewer, ended),
    }
    if command is not None:
        shown = fact(command, viewer, ended)
        if shown is not None:
            view["command"] = shown
        if everything or (viewer.role is Role.SEAT and viewer.seat == record.seat):
            view["command_id"] = record.command_id
    view["rolls"] = [_roll(roll) for roll in record.rolls]
    return view


def type_name(cls: type) -> str:
    """The name that a command or an event is stored under."""
    return PREFIX + cls.__name__ if cls in lobby.EVENTS or cls in lobby.COMMANDS else cls.__name__


def _roll(roll: log_pb2.Roll) -> dict[str, Json]:
    if roll.sealed:
        return {"purpose": roll.purpose, "kind": roll.kind, "hidden": True}
    view: dict[str, Json] = {
        "purpose": roll.purpose,
        "kind": roll.kind,
        "hidden": False,
        "count": roll.count,
        "sides": roll.sides,
        "results": list(roll.results),
    }
    if roll.signature:
        view["input"] = roll.input.decode()
        view["signature"] = roll.signature.hex()
    return view


def _sight(viewer: Viewer, ended: bool) -> _Sight:
    return None if ended or viewer.role is Role.ARBITER else viewer


def _convert(value: Any, sight: _Sight) -> Json:
    kind: type = type(value)
    return value if kind in _LEAVES else _plan(kind)(value, sight)


@cache
def _plan(kind: type) -> _Plan:
    """How values of exactly this type are redacted. Raises Unclassified for a type that is none of ours."""
    if kind in (dict, MappingProxyType):
        return _mapping
    if kind in (tuple, list):
        return _sequence
    if kind in (frozenset, set):
        return _collection
    if issubclass(kind, Enum):
        return lambda value, sight: _convert(value.value, sight)
    if is_dataclass(kind):
        return _dataclass_plan(kind)
    raise Unclassified(f"values of type {kind.__qualname__} are not shown to anybody")


def _dataclass_plan(cls: type) -> _Plan:
    fields = tuple(classification(cls).items())
    for name, hint in typing.get_type_hints(cls).items():
        if name in dict(fields):
            _require_known(hint, f"{cls.__qualname__}.{name}")
    if all(mark is Visibility.PUBLIC for _, mark in fields):
        names = tuple(name for name, _ in fields)
        return lambda value, sight: {name: _convert(getattr(value, name), sight) for name in names}
    has_owner = any(mark is Visibility.OWNER for _, mark in fields)

    def plan(value: Any, sight: _Sight) -> Json:
        owned = sight is None or (has_owner and sight.may_see(value.seen_by, False))
        shown: dict[str, Json] = {}
        for name, mark in fields:
            if (
                mark is Visibility.PUBLIC
                or (mark is Visibility.OWNER and owned)
                or (mark is Visibility.SEALED and sight is None)
            ):
                shown[name] = _convert(getattr(value, name), sight)
            elif mark is Visibility.PIECES:
                shown[name] = _pieces(getattr(value, name), sight)
        return shown

    return plan


def _require_known(hint: Any, where: str) -> None:
    """Refuse a field whose type could hold what cannot be shown, at the first look and not in the midst of a match."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is None:
        known = (
            hint is Any
            or hint in _LEAVES
            or (isinstance(hint, type) and (issubclass(hint, Enum) or is_dataclass(hint)))
        )
    elif origin in (dict, Mapping, MappingProxyType):
        known = arguments[0] in _KEYS
        arguments = arguments[1:]
    else:
        known = origin in (tuple, list, Sequence, frozenset, set, typing.Union, UnionType)
    if not known and origin is not typing.Literal:
        raise Unclassified(f"{where}: values of type {hint} are not shown to anybody")
    for argument in arguments if origin is not typing.Literal else ():
        if argument is not ...:
            _require_known(argument, where)


def _pieces(pieces: Mapping[str, Any], sight: _Sight) -> Json:
    seen: dict[str, Json] = {}
    unseen: list[Json] = []
    for key in sorted(pieces):
        piece = pieces[key]
        if not hasattr(piece, "seen_by"):
            raise Unclassified(f"{type(piece).__qualname__} is a piece and has no seen_by")
        if sight is None or sight.may_see(piece.seen_by, False):
            seen[key] = _convert(piece, sight)
        else:
            unseen.append(_convert(piece, sight))
    unseen.sort(key=to_json)
    return {"seen": seen, "unseen": unseen}


def _mapping(value: Mapping[Any, Any], sight: _Sight) -> Json:
    if not _KEYS.issuperset(map(type, value)):
        raise Unclassified("a mapping is shown only when its keys are strings or whole numbers")
    keys = sorted(value)
    if _LEAVES.issuperset(map(type, value.values())):
        return {str(key): value[key] for key in keys}
    return {str(key): _convert(value[key], sight) for key in keys}


def _sequence(value: Sequence[Any], sight: _Sight) -> Json:
    return list(value) if _LEAVES.issuperset(map(type, value)) else [_convert(item, sight) for item in value]


def _collection(value: frozenset[Any], sight: _Sight) -> Json:
    return sorted(_sequence(tuple(value), sight), key=to_json)
