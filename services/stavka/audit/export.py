"""A match as a file of JSON lines: complete, and enough for a stranger to verify it offline.

Line 1, the header: {"stavka_export": 1, "match": id, "versions": n, "head": hex of the head after the last record}.
Each further line: {"version": v, "record": base64 of the raw record}, versions 1..n in order. Nothing is redacted:
hidden fields are sealed inside the records, and the record that ended the match discloses the key that opens them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from stavka.kernel.errors import MalformedCommand

FORMAT: Final = 1
MARK: Final = "stavka_export"
BAD_LINE: Final = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""What a line that is no part of an export raises when it is read as one."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the file says of itself; `verify` believes none of it unchecked."""

    match_id: str
    versions: int
    head: bytes


def lines(header: Header, records: Iterable[bytes]) -> Iterator[str]:
    """The file's lines, without line ends."""
    first = {"stavka_export": FORMAT, "match": header.match_id, "versions": header.versions, "head": header.head.hex()}
    yield json.dumps(first)
    for version, raw in enumerate(records, start=1):
        yield json.dumps({"version": version, "record": base64.b64encode(raw).decode()})


@dataclass(frozen=True, slots=True)
class Export:
    """What could be read of a file. `header` is None when the first line says no more than that it is an export.

    `broken` is why nothing can be read after the last record of `records`; None when all could.
    """

    header: Header | None
    records: list[bytes]
    broken: MalformedCommand | None = None


def read(text_lines: Iterable[str | bytes]) -> tuple[Header, list[bytes]]:
    """Header and raw records of a whole file. Raises MalformedCommand(BAD_EXPORT) naming the first bad line."""
    export = read_as_far(text_lines)
    if export.broken is not None:
        raise export.broken
    if export.header is None:
        raise AssertionError("an export that is not broken has a header")
    return export.header, export.records


def read_as_far(text_lines: Iterable[str | bytes]) -> Export:
    """As much of a file as can be read; blank lines at its end are no part of it.

    Raises MalformedCommand(BAD_EXPORT) when it is no export at all.
    """
    rows = list(text_lines)
    while rows and not rows[-1].strip():
        rows.pop()
    if not rows:
        raise MalformedCommand("BAD_EXPORT", "the file is empty", line=1)
    try:
        header = _header(_object(rows[0]))
    except BAD_LINE as error:
        broken = _broken(1, error)
        if MARK not in (rows[0] if isinstance(rows[0], str) else rows[0].decode("utf-8", "replace")):
            raise broken from error
        return Export(None, [], broken)
    records: list[bytes] = []
    for number, row in enumerate(rows[1:], start=2):
        try:
            records.append(_record(_object(row), len(records) + 1))
        except BAD_LINE as error:
            return Export(header, records, _broken(number, error))
    return Export(header, records)


def _object(row: str | bytes) -> dict[str, Any]:
    value = json.loads(row)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    return value


def _header(value: dict[str, Any]) -> Header:
    if value[MARK] != FORMAT:
        raise ValueError(f"format {value[MARK]!r}, this build reads {FORMAT}")
    return Header(str(value["match"]), int(value["versions"]), bytes.fromhex(value["head"]))


def _record(value: dict[str, Any], due: int) -> bytes:
    if value["version"] != due:
        raise ValueError(f"version {value['version']!r} where {due} is due")
    return base64.b64decode(value["record"], validate=True)


def _broken(number: int, error: Exception) -> MalformedCommand:
    why = "nested too deeply" if isinstance(error, RecursionError) else f"{error}"
    return MalformedCommand("BAD_EXPORT", f"line {number} is no part of an export: {why}", line=number)
