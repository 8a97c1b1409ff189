"""Tokens and key files."""

from __future__ import annotations

import time
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from stavka.gateway.identity import (
    BadKeyFile,
    Caller,
    Identity,
    Role,
    TokenKey,
    Unauthenticated,
    development_key,
    issue,
    load_key,
)
from stavka.kernel.errors import StavkaError

NOW = 1_800_000_000_000  # ms


def pem(private: Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    return private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def public_pem(private: Ed25519PrivateKey) -> bytes:
    return private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


@pytest.fixture(params=["EdDSA", "HS256"])
def key(request: pytest.FixtureRequest, tmp_path: Path) -> TokenKey:
    path = tmp_path / "token.key"
    path.write_bytes(pem(Ed25519PrivateKey.generate()) if request.param == "EdDSA" else b"k" * 32 + b"\n")
    found = load_key(path)
    assert found.algorithm == request.param
    return found


def test_a_token_says_who_its_bearer_is(key: TokenKey) -> None:
    token = issue(key, Role.PLAYER, now_ms=NOW, seconds=60, player="anna", match_id="07-X", seat="allied")
    identity = Identity(key)
    for _ in range(2):
        assert identity.check(token, NOW + 59_999) == Caller("anna", Role.PLAYER, "07-X", "allied")


def test_a_token_expires_also_when_it_has_been_seen(key: TokenKey) -> None:
    token = issue(key, Role.ARBITER, now_ms=NOW, seconds=60)
    identity = Identity(key)
    assert identity.check(token, NOW).player == "arbiter"
    for _ in range(2):
        with pytest.raises(Unauthenticated) as refusal:
            identity.check(token, NOW + 60_000)
        assert refusal.value.reason == "TOKEN_EXPIRED"


def claims(**changed: object) -> dict[str, object]:
    whole = {"iss": "stavka", "sub": "anna", "role": "player", "exp": NOW // 1000 + 60, **changed}
    return {name: value for name, value in whole.items() if value is not None}


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "another"}, {"iss": None}, {"exp": None}, {"exp": "soon"}, {"sub": None}, {"sub": "an\nna"},
        {"sub": ""}, {"sub": "a" * 65}, {"role": "king"}, {"role": None}, {"seat": "allied"},
    ],
    ids=str,
)  # fmt: skip
def test_claims_that_no_issuer_writes_are_refused(key: TokenKey, changed: dict[str, object]) -> None:
    assert key.signing is not None
    refuses(Identity(key), jwt.encode(claims(**changed), key.signing, algorithm=key.algorithm))


def test_foreign_signatures_are_refused(key: TokenKey) -> None:
    good = issue(key, Role.PLAYER, now_ms=NOW, seconds=60, player="anna")
    head, body, signature = good.split(".")
    stranger = Ed25519PrivateKey.generate()
    none = jwt.encode(claims(), "", algorithm="none")
    for token in (
        f"{head}.{body}.{'A' * len(signature)}",
        jwt.encode(claims(), stranger, algorithm="EdDSA"),
        jwt.encode(claims(), b"z" * 32, algorithm="HS256"),
        none,
        "",
        "x" * 5000,
        "a.b",
    ):
        refuses(Identity(key), token)


def test_a_public_key_is_no_shared_secret(tmp_path: Path) -> None:
    path = tmp_path / "token.key"
    private = Ed25519PrivateKey.generate()
    path.write_bytes(public_pem(private))
    checking = load_key(path)
    forged = jwt.api_jws.PyJWS().encode  # signs with bytes that the library would not take for a secret
    with pytest.raises(jwt.exceptions.InvalidKeyError):
        forged(b"{}", public_pem(private), algorithm="HS256")
    good = issue(TokenKey("EdDSA", private.public_key(), private), Role.PLAYER, now_ms=NOW, seconds=60, player="anna")
    assert Identity(checking).check(good, NOW).player == "anna"
    with pytest.raises(StavkaError) as refusal:
        issue(checking, Role.PLAYER, now_ms=NOW, seconds=60)
    assert refusal.value.reason == "CANNOT_SIGN"


def test_issuing_refuses_what_checking_would(key: TokenKey) -> None:
    for player in ("an na", "-anna", "a" * 65, "änna", "a\n"):
        with pytest.raises(StavkaError) as refusal:
            issue(key, Role.PLAYER, now_ms=NOW, seconds=60, player=player)
        assert refusal.value.reason == "BAD_PLAYER"
    for role, match_id in ((Role.PLAYER, ""), (Role.SPECTATOR, "07-X")):
        with pytest.raises(StavkaError) as refusal:
            issue(key, role, now_ms=NOW, seconds=60, match_id=match_id, seat="allied")
        assert refusal.value.reason == "BAD_BINDING"


@pytest.mark.parametrize("content", [b"short", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", b""])
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token.key"
    path.write_bytes(content)
    with pytest.raises(BadKeyFile):
        load_key(path)


def test_another_kind_of_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token.key"
    path.write_bytes(pem(ec.generate_private_key(ec.SECP256R1())))
    with pytest.raises(BadKeyFile):
        load_key(path)


def test_a_development_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    first = development_key(folder)
    token = issue(first, Role.PLAYER, now_ms=int(time.time() * 1000), seconds=60, player="anna")
    second = development_key(folder)
    assert first.development
    assert second.development
    assert Identity(second).check(token, int(time.time() * 1000)).player == "anna"
    assert [path.stat().st_mode & 0o777 for path in folder.iterdir()] == [0o600]


def refuses(identity: Identity, token: str) -> None:
    with pytest.raises(Unauthenticated) as refusal:
        identity.check(token, NOW)
    assert refusal.value.reason == "BAD_TOKEN"
