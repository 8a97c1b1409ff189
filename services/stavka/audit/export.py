"""A match as a file of JSON lines: complete, and enough for a stranger to verify it offline.

Line 1, the header: {"stavka_export": 1, "match": id, "versions": n, "head": hex of the head after the last record}.
Each further line: {"version": v, "record": base64 of the raw record}, versions 1..n in order. Nothing is redacted:
hidden fields are sealed inside the records, and the record that ended the match discloses the key that opens them.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from stavka.kernel.errors import MalformedCommand

FORMAT: Final = 1


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


def read(text_lines: Iterable[str]) -> tuple[Header, list[bytes]]:
    """Header and raw records of a file. Raises MalformedCommand(BAD_EXPORT) naming the first bad line."""
    header: Header | None = None
    records: list[bytes] = []
    for number, line in enumerate(text_lines, start=1):
        try:
            value = json.loads(line)
            if header is None:
                if value["stavka_export"] != FORMAT:
                    raise ValueError(f"format {value['stavka_export']!r}, this build reads {FORMAT}")
                header = Header(str(value["match"]), int(value["versions"]), bytes.fromhex(value["head"]))
                continue
            if value["version"] != len(records) + 1:
                raise ValueError(f"version {value['version']!r} where {len(records) + 1} is due")
            records.append(base64.b64decode(value["record"], validate=True))
        except (ValueError, KeyError, TypeError, binascii.Error) as error:
            raise MalformedCommand(
                "BAD_EXPORT", f"line {number} is no part of an export: {error}", line=number
            ) from error
    if header is None:
        raise MalformedCommand("BAD_EXPORT", "the file is empty", line=1)
    return header, records
