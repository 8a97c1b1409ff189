"""Positions as bytes: the fold of a match at one version, so that a reader need not fold from the beginning.

    encode(state) -> bytes
    decode(blob) -> MatchState | None       None when another build wrote it: fold from the beginning instead
    canonical(state) -> bytes               equal for equal positions, for comparisons

A blob is JSON of the match without its table, of the table, and of a fingerprint of both classes. The order of
mappings survives (rolls name the seats in the scenario's order); sets have none. A blob whose fingerprint is not this
build's is dropped, never lifted: the log has everything that it holds.
"""

from __future__ import annotations

import dataclasses
import hashlib
import typing
from functools import cache
from typing import Any, Final

import msgspec

from stavka.match.lobby import MatchState
from stavka.match.rulebooks import rulebook
from stavka.wire.codec import to_json

FORMAT: Final = 1


class _Blob(msgspec.Struct):
    format: int
    shape: str
    match: msgspec.Raw
    table: msgspec.Raw


_ENCODER: Final = msgspec.json.Encoder()
_BLOB: Final = msgspec.json.Decoder(_Blob)
_MATCH: Final = msgspec.json.Decoder(MatchState)
_NONE: Final = msgspec.Raw(b"null")


def encode(state: MatchState) -> bytes:
    """The position. `state` is only read."""
    table = state.table
    bare = dataclasses.replace(state, table=None)
    return _ENCODER.encode(
        _Blob(
            FORMAT,
            shape(None if table is None else _table_class(state)),
            msgspec.Raw(_ENCODER.encode(bare)),
            _NONE if table is None else msgspec.Raw(_ENCODER.encode(table)),
        )
    )


def decode(blob: bytes) -> MatchState | None:
    """The state of a blob, or None when this build cannot be sure to read it as it was meant."""
    try:
        read = _BLOB.decode(blob)
        if read.format != FORMAT:
            return None
        state: MatchState = _MATCH.decode(read.match)
        table = None if bytes(read.table) == b"null" else _table_class(state)
        if read.shape != shape(table):
            return None
        if table is not None:
            state.table = _table_decoder(table).decode(read.table)
    except msgspec.MsgspecError:
        return None
    return state


def canonical(state: MatchState) -> bytes:
    """Canonical JSON of the whole state: for comparisons, never for viewers."""
    return to_json(state)


def _table_class(state: MatchState) -> type:
    return type(rulebook(state.game).game.state())


@cache
def _table_decoder(cls: type) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cls)


@cache
def shape(table: type | None) -> str:
    """Fingerprint of the classes that a blob is made of; a match whose play has not begun has no table."""
    digest = hashlib.sha256()
    seen: set[type] = set()
    queue: list[type] = [MatchState] if table is None else [MatchState, table]
    while queue:
        cls = queue.pop()
        if cls in seen:
            continue
        seen.add(cls)
        hints = typing.get_type_hints(cls)
        digest.update(f"{cls.__qualname__}\n".encode())
        for field in dataclasses.fields(cls):
            digest.update(f"{field.name}: {hints[field.name]}\n".encode())
            queue.extend(_dataclasses_in(hints[field.name]))
    return digest.hexdigest()[:16]


def _dataclasses_in(hint: object) -> list[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [hint]
    return [found for arg in typing.get_args(hint) for found in _dataclasses_in(arg)]
