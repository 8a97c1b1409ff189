"""Which commands were refused, and where in the log each answer stands: 16 bytes a refusal, none of them forgotten."""

from __future__ import annotations

import hashlib
from array import array
from typing import Final

from .fold import number_of

BUCKETS: Final = 4096


class RefusedCommands:
    """Offsets of refusals by command. A look-up searches one bucket, 1/4096 of all keys, at memory speed."""

    def __init__(self) -> None:
        self._buckets: dict[int, tuple[bytearray, array[int]]] = {}

    def add(self, match_id: str, key: int, offset: int) -> bool:
        """Take note of a refusal; False when the command has one already: the first answer counts."""
        wanted, bucket = _hashed(match_id, key)
        keys, offsets = self._buckets.setdefault(bucket, (bytearray(), array("Q")))
        if number_of(keys, wanted) is not None:
            return False
        keys += wanted
        offsets.append(offset)
        return True

    def offset_of(self, match_id: str, key: int) -> int | None:
        """Where in the match's partition the refusal of a command stands; None when it was not refused."""
        wanted, bucket = _hashed(match_id, key)
        keys, offsets = self._buckets.get(bucket, (bytearray(), array("Q")))
        number = number_of(keys, wanted)
        return None if number is None else offsets[number]


def _hashed(match_id: str, key: int) -> tuple[bytes, int]:
    digest = hashlib.sha256(f"{match_id}\n{key}".encode()).digest()
    return digest[:8], int.from_bytes(digest[8:10], "big") % BUCKETS
