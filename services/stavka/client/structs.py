"""google.protobuf.Struct to plain data and back, for both ends of the wire; about 1 us a value.

A Struct knows one kind of number. Whole ones become int here, because spaces, points and dice are counted; integers
beyond 2**53 do not survive the trip and are sent as strings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.struct_pb2 import NULL_VALUE, Struct, Value


def to_plain(struct: Struct) -> dict[str, Any]:
    """Keys -> str, int, float, bool, None, list or dict of these."""
    return {key: _plain(value) for key, value in struct.fields.items()}


def to_struct(plain: Mapping[str, Any]) -> Struct:
    """Raises TypeError for a value that no Struct holds (bytes, a dataclass, a key that is no string)."""
    struct = Struct()
    fill(struct, plain)
    return struct


def fill(struct: Struct, plain: Mapping[str, Any]) -> None:
    """Put `plain` into a Struct in place, so that one inside a message needs no copy."""
    struct.SetInParent()
    fields = struct.fields
    for key, value in plain.items():
        _put(fields[key], value)


def _plain(value: Value) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return value.string_value
    if kind == "number_value":
        number = value.number_value
        return int(number) if number.is_integer() else number
    if kind == "bool_value":
        return value.bool_value
    if kind == "list_value":
        return [_plain(each) for each in value.list_value.values]
    if kind == "struct_value":
        return to_plain(value.struct_value)
    return None


def _put(target: Value, value: Any) -> None:
    if isinstance(value, str):
        target.string_value = value
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int | float):
        target.number_value = value
    elif value is None:
        target.null_value = NULL_VALUE
    elif isinstance(value, Mapping):
        fill(target.struct_value, value)
    elif isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes | bytearray):
        target.list_value.SetInParent()
        values = target.list_value.values
        for each in value:
            _put(values.add(), each)
    else:
        raise TypeError(f"a Struct holds no {type(value).__name__}")
