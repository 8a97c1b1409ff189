"""Who is calling: signed, expiring bearer tokens (JWT, EdDSA or HS256) and the key file that makes them.

A token says: `sub` the player's name, `role`, `exp` (Unix seconds), `iss` "stavka", and, when it is bound, `match` and
`seat`. A bound token opens that match only, and acts for that seat only.

Key file: a PEM Ed25519 private key (issues and checks), a PEM Ed25519 public key (checks only), or at least 32 bytes of
anything else (a shared HS256 secret).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

import jwt
import structlog
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from stavka.kernel.errors import StavkaError
from stavka.match.keys import write_whole

ISSUER: Final = "stavka"
PLAYER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")
SECRET_BYTES: Final = 32  # least length of an HS256 secret
REMEMBERED: Final = 20_000  # checked tokens
MAX_TOKEN: Final = 4096  # characters
DEVELOPMENT_KEY: Final = "token-development.pem"

logger = structlog.get_logger(__name__)


class Role(Enum):
    """What a token lets its bearer be."""

    PLAYER = "player"
    SPECTATOR = "spectator"
    ARBITER = "arbiter"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a valid token. `match_id` and `seat` are empty unless the token is bound."""

    player: str
    role: Role
    match_id: str = ""
    seat: str = ""


class Unauthenticated(StavkaError):
    """No token, or one that is not valid: NO_TOKEN, BAD_TOKEN, TOKEN_EXPIRED."""


class BadKeyFile(StavkaError):
    """A key file that holds no key. Raised at start-up only."""


@dataclass(frozen=True)
class TokenKey:
    """`signing` is None for a key that only checks. `development` keys are refused off loopback."""

    algorithm: str
    checking: Ed25519PublicKey | bytes
    signing: Ed25519PrivateKey | bytes | None
    development: bool = False


def load_key(path: Path, *, development: bool = False) -> TokenKey:
    """Read a key file. Raises BadKeyFile; FileNotFoundError."""
    data = path.read_bytes()
    if b"-----BEGIN" in data:
        return _pem_key(path, data, development)
    secret = data.strip()
    if len(secret) < SECRET_BYTES:
        raise BadKeyFile(
            "BAD_KEY_FILE", f"{path} holds {len(secret)} bytes; a shared secret has {SECRET_BYTES} or more"
        )
    return TokenKey("HS256", secret, secret, development)


def _pem_key(path: Path, data: bytes, development: bool) -> TokenKey:
    try:
        if b"PRIVATE KEY" in data:
            private = serialization.load_pem_private_key(data, None)
            if isinstance(private, Ed25519PrivateKey):
                return TokenKey("EdDSA", private.public_key(), private, development)
        else:
            public = serialization.load_pem_public_key(data)
            if isinstance(public, Ed25519PublicKey):
                return TokenKey("EdDSA", public, None, development)
    except (ValueError, TypeError) as error:
        raise BadKeyFile("BAD_KEY_FILE", f"{path}: {error}") from error
    raise BadKeyFile("BAD_KEY_FILE", f"{path} holds a key, but no Ed25519 key")


def development_key(folder: Path) -> TokenKey:
    """The key of an embedded server that nobody gave one: made on first start, and said so."""
    path = folder / DEVELOPMENT_KEY
    if not path.exists():
        private = Ed25519PrivateKey.generate()
        data = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        write_whole(path, data)
        logger.warning("made a development key for tokens; loopback only", path=str(path))
    return load_key(path, development=True)


def issue(
    key: TokenKey, role: Role, *, now_ms: int, seconds: int, player: str = "", match_id: str = "", seat: str = ""
) -> str:
    """A token that is valid for `seconds`. An empty player takes the seat's or the role's name.

    Raises:
        StavkaError: CANNOT_SIGN (the key only checks), BAD_PLAYER (1 to 64 of A-Z a-z 0-9 . _ @ + -, a letter or digit
            first), BAD_BINDING (a seat without a match, or for a role that sits nowhere).
    """
    name = player or seat or role.value
    if key.signing is None:
        raise StavkaError("CANNOT_SIGN", "this key file holds a public key; it only checks tokens")
    if not PLAYER.fullmatch(name):
        raise StavkaError("BAD_PLAYER", f"{name!r} is no player name")
    if seat and (not match_id or role is not Role.PLAYER):
        raise StavkaError("BAD_BINDING", "a seat belongs to a match, and only players sit")
    claims: dict[str, Any] = {"iss": ISSUER, "sub": name, "role": role.value, "exp": now_ms // 1000 + seconds}
    claims |= {k: v for k, v in (("match", match_id), ("seat", seat)) if v}
    return jwt.encode(claims, key.signing, algorithm=key.algorithm)


class Identity:
    """Checks tokens against one key. A token that was valid once costs a look-up until it expires."""

    def __init__(self, key: TokenKey) -> None:
        self.key = key
        self._checked: dict[str, tuple[Caller, int]] = {}

    def check(self, token: str, now_ms: int) -> Caller:
        """Raises Unauthenticated."""
        known = self._checked.get(token)
        if known is None:
            known = _decoded(self.key, token)
            if len(self._checked) >= REMEMBERED:
                self._checked.clear()
            self._checked[token] = known
        caller, expires_ms = known
        if now_ms >= expires_ms:
            self._checked.pop(token, None)
            raise Unauthenticated("TOKEN_EXPIRED", "this token has expired; get a new one")
        return caller


def _decoded(key: TokenKey, token: str) -> tuple[Caller, int]:
    """Caller and expiry (Unix milliseconds) of a token with a good signature."""
    try:
        if len(token) > MAX_TOKEN:
            raise ValueError("too long")
        claims = jwt.decode(
            token, key.checking, algorithms=[key.algorithm], issuer=ISSUER,
            options={"require": ["exp", "sub", "iss"], "verify_exp": False},
        )  # fmt: skip
        caller = Caller(
            claims["sub"], Role(claims.get("role")), str(claims.get("match", "")), str(claims.get("seat", ""))
        )
        if not PLAYER.fullmatch(caller.player) or (caller.seat and not caller.match_id):
            raise ValueError("claims that no issuer writes")
        return caller, int(claims["exp"]) * 1000
    except (jwt.InvalidTokenError, ValueError, TypeError, KeyError) as error:
        raise Unauthenticated("BAD_TOKEN", "this token is not valid here") from error
