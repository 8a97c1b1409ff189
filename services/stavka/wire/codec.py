"""Commands, events and states as bytes, and back.

Everything typed that is stored or sent goes through here: canonical JSON by msgspec, one decoder a type, hidden
fields sealed (`stavka.wire.seal`), older shapes lifted by `stavka.wire.upcast` before they are decoded. A type is
known by its class name, within one game or within the runtime ("match." prefix).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from stavka.kernel.errors import CorruptHistory, MalformedCommand
from stavka.kernel.visibility import Visibility, classification, is_all_public, require_classified

from .gen.stavka.log.v1 import log_pb2
from .seal import Sealer, is_sealed

_ENCODER = msgspec.json.Encoder(order="deterministic")
_AS_IT_STANDS = msgspec.json.Encoder()
WHOLE_TABLE = 2048
"""Bytes from which on a payload is taken for one that lays out a table, which stays in memory as long as the match."""
Upcast = Callable[[dict[str, Any]], dict[str, Any]]


def to_json(value: object) -> bytes:
    """Canonical JSON: fields in order of declaration, sets and mapping keys sorted."""
    return _ENCODER.encode(value)


def from_json(data: bytes) -> Any:
    """Raises msgspec.DecodeError."""
    try:
        return msgspec.json.decode(data)
    except RecursionError as error:
        raise msgspec.DecodeError("JSON is nested too deeply") from error


@dataclass(frozen=True, slots=True)
class _Shape:
    cls: type
    decoder: msgspec.json.Decoder[Any]
    schema: int
    hidden: tuple[str, ...]


class Codec:
    """Encodes and decodes one family of types: the commands and events of a game and of the runtime.

    `types` maps the stored name to the class. `upcasts` maps (name, schema) to a function that lifts the plain
    data of that schema to the next one. Raises Unclassified when a field of any type has no classification.
    """

    def __init__(self, types: Mapping[str, type], upcasts: Mapping[tuple[str, int], Upcast] | None = None) -> None:
        require_classified(types.values())
        self._upcasts = dict(upcasts or {})
        self._shapes = {name: _shape(cls) for name, cls in types.items()}
        self._names = {cls: name for name, cls in types.items()}

    def encode(self, value: object, sealer: Sealer | None = None, place: str = "") -> log_pb2.Payload:
        """`sealer` is needed for types with hidden fields only; `place` must be unique within its attempt."""
        name = self._names[type(value)]
        shape = self._shapes[name]
        data = to_json(value)
        if shape.hidden:
            if sealer is None:
                raise AssertionError(f"{name} has hidden fields and no sealer was given")
            plain = from_json(data)
            for key in shape.hidden:
                plain[key] = sealer.seal(f"{place} {key}", to_json(plain[key]))
            data = _AS_IT_STANDS.encode(plain)
        return log_pb2.Payload(type=name, schema=shape.schema, data=data)

    def decode(self, payload: log_pb2.Payload, sealer: Sealer | None = None) -> Any:
        """The value of a stored payload. Raises CorruptHistory: unknown type or schema, or data that do not fit."""
        shape = self._shapes.get(payload.type)
        if shape is None:
            raise CorruptHistory("UNKNOWN_TYPE", f"no type {payload.type!r} is known here")
        if payload.schema > shape.schema:
            raise CorruptHistory(
                "UNKNOWN_SCHEMA", f"{payload.type} schema {payload.schema} is newer than {shape.schema}, known here"
            )
        try:
            if payload.schema == shape.schema and not shape.hidden and len(payload.data) < WHOLE_TABLE:
                return shape.decoder.decode(payload.data)
            plain = from_json(payload.data)
            if not isinstance(plain, dict):
                raise CorruptHistory("BAD_PAYLOAD", f"{payload.type}: no JSON object")
            if len(payload.data) >= WHOLE_TABLE:
                plain = _shared(plain)
            for key in shape.hidden:
                if is_sealed(plain.get(key)):
                    if sealer is None:
                        raise CorruptHistory("SEALED", f"{payload.type}.{key} is sealed and no key was given")
                    plain[key] = from_json(sealer.open(plain[key]))
            for schema in range(payload.schema, shape.schema):
                plain = self._upcasts[payload.type, schema](plain)
            return msgspec.convert(plain, shape.cls)
        except (msgspec.DecodeError, KeyError, RecursionError) as error:  # a ValidationError is a DecodeError
            raise CorruptHistory("BAD_PAYLOAD", f"{payload.type} schema {payload.schema}: {error}") from error

    def command(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """A command from a client's plain data. Raises MalformedCommand: unknown name, unknown or ill-typed field."""
        shape = self._shapes.get(name)
        if shape is None:
            raise MalformedCommand("UNKNOWN_COMMAND", f"there is no command {name!r}", command=name)
        unknown = set(arguments) - set(classification(shape.cls))
        if unknown:
            raise MalformedCommand("UNKNOWN_FIELD", f"{name} has no field {sorted(unknown)[0]!r}", command=name)
        try:
            return msgspec.convert(dict(arguments), shape.cls)
        except msgspec.ValidationError as error:
            raise MalformedCommand("BAD_ARGUMENT", f"{name}: {error}", command=name) from error


def _shared(plain: Any) -> Any:
    """The same data with one object for equal strings: hundreds of matches have the same pieces on the same map."""
    match plain:
        case str():
            return sys.intern(plain)
        case list():
            return [_shared(item) for item in plain]
        case dict():
            return {sys.intern(key): _shared(value) for key, value in plain.items()}
        case _:
            return plain


def _shape(cls: type) -> _Shape:
    hidden = (
        () if is_all_public(cls) else tuple(k for k, v in classification(cls).items() if v is not Visibility.PUBLIC)
    )
    return _Shape(cls, msgspec.json.Decoder(cls), getattr(cls, "SCHEMA", 1), hidden)


def names(classes: Iterable[type], prefix: str = "") -> dict[str, type]:
    """Stored name -> class."""
    return {prefix + cls.__name__: cls for cls in classes}
