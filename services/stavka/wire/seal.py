"""Sealed fields: hidden values as they stand in the log, verifiable later.

A hidden value is stored as a commitment beside a box:

    commitment   SHA-256("stavka-commit/1" || salt || value), hex; value is its canonical JSON
    box          nonce || AES-256-GCM(match key, nonce, salt || padded value), base64

The match key is derived from the service's sealing key and the match id; it is disclosed when the match ends, and
then anybody can open every box and check every commitment. Values are padded to a multiple of PAD bytes, so that
the length of a box tells nothing but very long from short. Nonce and salt derive from the attempt (proposal id), so
two attempts never share one.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from stavka.kernel.errors import CorruptHistory

PAD: Final = 128  # bytes
SALT: Final = 16  # bytes
NONCE: Final = 12  # bytes
MARK: Final = "$sealed"
KEPT: Final = 4096
"""Keys of matches that a process remembers."""


@lru_cache(maxsize=KEPT)
def match_key(sealing_key: bytes, match_id: str) -> bytes:
    """The 32-byte key of one match. Kept, because every record of it needs the key."""
    return hmac.digest(sealing_key, b"stavka-match-key/1" + match_id.encode(), "sha256")


def key_commitment(key: bytes) -> str:
    """What a match's first record says of its key, hex: whoever gets the key at the end checks it against this."""
    return hashlib.sha256(b"stavka-key-commitment/1" + key).hexdigest()


@dataclass(frozen=True, slots=True)
class Sealer:
    """Seals and opens the values of one match. `attempt` is the proposal id that boxes are made for."""

    key: bytes
    attempt: str = ""

    def seal(self, place: str, value: bytes) -> dict[str, dict[str, str]]:
        """JSON form of a sealed value. `place` is unique within the attempt, such as "event 3 block"."""
        salt = self._derive("salt", place)[:SALT]
        nonce = self._derive("nonce", place)[:NONCE]
        padded = salt + value + b"\x00" * (-(len(value) + 1) % PAD) + b"\x00"
        box = nonce + AESGCM(self.key).encrypt(nonce, padded, None)
        return {MARK: {"commitment": commitment(salt, value), "box": base64.b64encode(box).decode()}}

    def open(self, sealed: dict[str, dict[str, str]]) -> bytes:
        """The value that `seal` was given. Raises CorruptHistory when box or commitment do not fit."""
        try:
            body = sealed[MARK]
            box = base64.b64decode(body["box"], validate=True)
            padded = AESGCM(self.key).decrypt(box[:NONCE], box[NONCE:], None)
        except (KeyError, TypeError, ValueError, InvalidTag) as error:
            raise CorruptHistory("SEAL_BROKEN", f"a sealed value does not open: {error!r}") from error
        salt, value = padded[:SALT], padded[SALT:].rstrip(b"\x00")
        if commitment(salt, value) != body.get("commitment"):
            raise CorruptHistory("COMMITMENT_BROKEN", "a sealed value is not what was committed to")
        return value

    def _derive(self, what: str, place: str) -> bytes:
        return hmac.digest(self.key, f"{what}/{self.attempt}/{place}".encode(), "sha256")


def commitment(salt: bytes, value: bytes) -> str:
    return hashlib.sha256(b"stavka-commit/1" + salt + value).hexdigest()


def is_sealed(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {MARK}
