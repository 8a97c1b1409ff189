"""The service's secrets: the key that signs rolls and the key that seals hidden fields.

They live in a folder of their own, readable by their owner only, and never enter the log, traces or backups of the
log. `roll-<id>.pem` are RSA keys; the newest signs new matches, older ones stay for matches that began with them.
The id of a key is the first 16 hex digits of SHA-256 over its public part in DER.
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

RSA_BITS: Final = 2048


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
        return self.signers[key_id]


def make(folder: Path) -> Keyring:
    """Load the keyring of `folder`, making it first when the folder has none."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not list(folder.glob("roll-*.pem")):
        private = rsa.generate_private_key(65537, RSA_BITS)
        _write(
            folder / f"roll-{key_id_of(private)}.pem",
            private.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            ),
        )
    if not (folder / "sealing.key").exists():
        _write(folder / "sealing.key", secrets.token_bytes(32))
    return load(folder)


def load(folder: Path) -> Keyring:
    """Load the keyring of `folder`.

    Raises FileNotFoundError when it has no roll key or no sealing key, ValueError for a roll key that is none.
    """
    paths = sorted(folder.glob("roll-*.pem"), key=lambda p: (p.stat().st_mtime_ns, p.name))
    if not paths:
        raise FileNotFoundError(f"no roll-*.pem in {folder}")
    signers: dict[str, Signer] = {}
    for path in paths:
        try:
            private = serialization.load_pem_private_key(path.read_bytes(), None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise ValueError(f"{path} is no private key in PEM without a password") from error
        if not isinstance(private, rsa.RSAPrivateKey):
            raise ValueError(f"{path} is no RSA key")
        signers[key_id_of(private)] = Signer(key_id_of(private), private)
    return Keyring(signers, list(signers)[-1], (folder / "sealing.key").read_bytes())


def key_id_of(private: rsa.RSAPrivateKey) -> str:
    """First 16 hex digits of SHA-256 over the public key in DER."""
    der = private.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(der).hexdigest()[:16]


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
