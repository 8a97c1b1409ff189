"""The service's secrets: the key that signs rolls and the key that seals hidden fields.

They live in a folder of their own, readable by their owner only, and never enter the log, traces or backups of the
log. `roll-<id>.pem` are RSA keys; the newest signs new matches, older ones stay for matches that began with them.
The id of a key is the first 16 hex digits of SHA-256 over its public part in DER.

A lost or changed key ruins every match that goes on: nothing here makes up for a lost sealing key, and a file that is cut
off is refused. Files appear whole or not at all.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from stavka.kernel.errors import CorruptHistory, DataError

RSA_BITS: Final = 2048
SEALING: Final = "sealing.key"
SEALING_BYTES: Final = 32
ROLLS: Final = "roll-*.pem"


class BadKeys(DataError):
    """The keys' folder does not hold what it must. Raised at start-up only.

    KEY_MISSING (no roll key or no sealing key), BAD_KEY (a file that holds none), FOREIGN_KEYS (keys of other matches).
    """

    def __init__(self, reason: str, folder: Path, name: str, why: str) -> None:
        super().__init__(str(folder), name, why)
        self.reason = reason


class UnknownKey(CorruptHistory):
    """A match names a roll key that this keyring does not hold."""

    def __init__(self, key_id: str) -> None:
        super().__init__("UNKNOWN_KEY", f"the roll key {key_id} of this match is not held here", key_id=key_id)


@dataclass(frozen=True)
class Signer:
    """Signs roll inputs with one RSA key: RSASSA-PKCS1-v1_5, SHA-256, so one input has one signature."""

    key_id: str
    private: rsa.RSAPrivateKey

    @cached_property
    def public_pem(self) -> str:
        return (
            self.private.public_key()
            .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            .decode()
        )

    def sign(self, data: bytes) -> bytes:
        return self.private.sign(data, padding.PKCS1v15(), hashes.SHA256())


@dataclass(frozen=True)
class Keyring:
    """`signers` by key id; `current` signs new matches; `sealing` is 32 bytes."""

    signers: dict[str, Signer]
    current: str
    sealing: bytes

    def signer(self, key_id: str) -> Signer:
        """Raises UnknownKey."""
        if key_id not in self.signers:
            raise UnknownKey(key_id)
        return self.signers[key_id]

    def is_like(self, other: Keyring) -> bool:
        """Whether both hold the same keys and sign new matches with the same one."""
        mine, theirs = (set(ring.signers) for ring in (self, other))
        return (mine, self.current, self.sealing) == (theirs, other.current, other.sealing)


def make(folder: Path) -> Keyring:
    """Load the keyring of `folder`, making it first when the folder has none. The sealing key is written first.

    So a sealing key alone is what an interrupted start left, and the rest is made; but a lost one is never made again.
    Where a log has records, `load` is what is wanted. Raises BadKeys.
    """
    if not list(folder.glob(ROLLS)):
        if not (folder / SEALING).exists():
            write_whole(folder / SEALING, secrets.token_bytes(SEALING_BYTES))
        _write_roll_key(folder, rsa.generate_private_key(65537, RSA_BITS))
    return load(folder)


def keep(folder: Path, keyring: Keyring) -> None:
    """Write a keyring into a folder without keys. Raises BadKeys when the folder has other ones."""
    if not list(folder.glob(ROLLS)) and not (folder / SEALING).exists():
        write_whole(folder / SEALING, keyring.sealing)
        for signer in keyring.signers.values():
            _write_roll_key(folder, signer.private)
    require_like(folder, keyring)


def require_like(folder: Path, keyring: Keyring) -> None:
    """Raises BadKeys unless `folder` holds this keyring."""
    if not load(folder).is_like(keyring):
        raise BadKeys("FOREIGN_KEYS", folder, SEALING, "this folder has keys of its own; take another or an empty one")


def load(folder: Path) -> Keyring:
    """Load the keyring of `folder`. Raises BadKeys: KEY_MISSING, BAD_KEY."""
    paths = sorted(folder.glob(ROLLS), key=lambda p: (p.stat().st_mtime_ns, p.name))
    if not paths:
        raise BadKeys("KEY_MISSING", folder, ROLLS, "there is no such file; restore the keys from their backup")
    signers: dict[str, Signer] = {}
    for path in paths:
        signer = _signer(path)
        signers[signer.key_id] = signer
    return Keyring(signers, list(signers)[-1], _sealing(folder))


def _signer(path: Path) -> Signer:
    try:
        private = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadKeys("BAD_KEY", path.parent, path.name, "is no private key in PEM without a password") from error
    if not isinstance(private, rsa.RSAPrivateKey):
        raise BadKeys("BAD_KEY", path.parent, path.name, "is no RSA key")
    return Signer(key_id_of(private), private)


def _sealing(folder: Path) -> bytes:
    path = folder / SEALING
    if not path.exists():
        raise BadKeys("KEY_MISSING", folder, SEALING, "there is no such file; restore the keys from their backup")
    data = path.read_bytes()
    if len(data) != SEALING_BYTES:
        raise BadKeys("BAD_KEY", folder, SEALING, f"holds {len(data)} bytes; a sealing key has {SEALING_BYTES}")
    return data


def key_id_of(private: rsa.RSAPrivateKey) -> str:
    """First 16 hex digits of SHA-256 over the public key in DER."""
    return public_key_id(private.public_key())


def public_key_id(public: rsa.RSAPublicKey) -> str:
    """The id of the key whose public part this is."""
    der = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(der).hexdigest()[:16]


def _write_roll_key(folder: Path, private: rsa.RSAPrivateKey) -> None:
    write_whole(
        folder / f"roll-{key_id_of(private)}.pem",
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )


def write_whole(path: Path, data: bytes) -> None:
    """Put a file there that is whole and on disk, or none: a kill or a full disk leaves a file of another name."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = path.with_name(f".{path.name}.unfinished")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
