"""The server's certificate, read and checked before anybody listens with it."""

from __future__ import annotations

from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization

from stavka.settings import Settings

from .identity import BadKeyFile
from .server import Tls


def tls_of(settings: Settings) -> Tls | None:
    """Certificate chain and key of the settings; None without them. Raises BadKeyFile(BAD_CERTIFICATE); OSError."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    certificate, key = settings.tls_cert.read_bytes(), settings.tls_key.read_bytes()
    try:
        first = x509.load_pem_x509_certificates(certificate)[0]
    except ValueError as error:
        raise _bad(settings.tls_cert, "is no certificate chain in PEM") from error
    try:
        private = serialization.load_pem_private_key(key, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _bad(settings.tls_key, "is no private key in PEM without a password") from error
    if private.public_key() != first.public_key():
        raise _bad(settings.tls_key, f"is not the key of {settings.tls_cert}")
    return Tls(certificate, key)


def _bad(path: Path, why: str) -> BadKeyFile:
    return BadKeyFile("BAD_CERTIFICATE", f"{path} {why}")
