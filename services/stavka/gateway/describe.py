"""What a command type looks like to somebody who has only JSON: its fields with shape, default and visibility."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from typing import Any, Final

from stavka.kernel.visibility import classification
from stavka.wire.codec import to_json
from stavka.wire.gen.stavka.rules.v1 import rules_service_pb2 as pb

SHAPES: Final[dict[object, str]] = {str: "string", int: "integer", float: "number", bool: "boolean"}
LISTS: Final = (tuple, list, frozenset, set)


def command_type(cls: type, topic: str) -> pb.CommandType:
    """Name, purpose, topic and fields of a command class."""
    about = inspect.cleandoc(cls.__doc__ or "")
    if about.startswith(f"{cls.__name__}("):
        about = ""  # the signature that dataclasses write for want of a docstring
    return pb.CommandType(command=cls.__name__, about=about, topic=topic, fields=_fields(cls))


def _fields(cls: Any) -> list[pb.CommandField]:
    hints = typing.get_type_hints(cls)
    marks = classification(cls)
    return [
        pb.CommandField(
            name=field.name, type=shape(hints[field.name]), required=_required(field),
            default_json="" if _required(field) else _default(field), visibility=marks[field.name].value,
        )
        for field in dataclasses.fields(cls)
    ]  # fmt: skip


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _default(field: dataclasses.Field[Any]) -> str:
    value = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    return to_json(value).decode()


def shape(hint: Any) -> str:
    """The words of `CommandField.type` for a type hint. Raises TypeError for one that JSON does not have."""
    if hint in SHAPES:
        return SHAPES[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return shape(arguments[0])
    if origin is typing.Literal:
        return "one of " + " | ".join(str(value) for value in arguments)
    if origin in (typing.Union, types.UnionType):
        return " or ".join("null" if each is types.NoneType else shape(each) for each in arguments)
    if origin is dict:
        return f"map of {shape(arguments[0])} to {shape(arguments[1])}"
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"list of {len(arguments)}: {', '.join(shape(each) for each in arguments)}"
    if origin in LISTS:
        return f"list of {shape(arguments[0])}"
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        return "{" + ", ".join(f"{f.name}: {shape(hints[f.name])}" for f in dataclasses.fields(hint)) + "}"
    raise TypeError(f"a command's field of type {hint!r} cannot be described")
