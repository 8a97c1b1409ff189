"""docs/how-to/verify-a-match.md, followed by a stranger: nothing of Stavka but the shape of a record and field orders."""

from __future__ import annotations

import base64
import gzip
import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from stavka.games import GAMES
from stavka.gateway.describe import command_type
from stavka.wire.gen.stavka.log.v1 import log_pb2

FIXTURES = sorted((Path(__file__).parent.parent / "recorded").glob("*.jsonl.gz"))


def opened(value: Any, key: bytes) -> Any:
    """Section 5."""
    if not isinstance(value, dict) or set(value) != {"$sealed"}:
        return value
    box = base64.b64decode(value["$sealed"]["box"])
    plain = AESGCM(key).decrypt(box[:12], box[12:], None)
    salt, text = plain[:16], plain[16:].rstrip(b"\0")
    assert len(salt) + len(text) < len(plain)
    assert hashlib.sha256(b"stavka-commit/1" + salt + text).hexdigest() == value["$sealed"]["commitment"]
    return json.loads(text)


def digest(record: log_pb2.Record, key: bytes, orders: dict[str, list[str]]) -> str:
    """Section 3."""
    text, salt = record.command.data, ""
    if b'"$sealed"' in text:
        plain = {name: opened(value, key) for name, value in json.loads(text).items()}
        plain = {name: plain[name] for name in orders[record.command.type]}
        text = json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()
        salt = hmac.digest(key, b"stavka-command-salt/1" + record.command_id.encode(), "sha256").hex()
    words = ("stavka-command/1", record.match_id, record.command_id, record.seat, record.command.type, salt)
    return hashlib.sha256(b"".join(word.encode() + b"\n" for word in words) + text).hexdigest()


def stream(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hashlib.sha256(seed + block.to_bytes(8, "big")).digest()
        block += 1


def uniform(numbers: Iterator[int], m: int) -> int:
    return next(b for b in numbers if b < 256 - 256 % m) % m


def results(roll: log_pb2.Roll) -> list[int]:
    numbers = stream(hashlib.sha256(roll.signature).digest())
    if roll.kind == "dice":
        return [1 + uniform(numbers, roll.sides) for _ in range(roll.count)]
    places = list(range(roll.count))
    for i in range(roll.count - 1, 0, -1):
        j = uniform(numbers, i + 1)
        places[i], places[j] = places[j], places[i]
    return places


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.name.removesuffix(".jsonl.gz"))
def test_the_page_is_enough_to_check_every_roll_of_a_recorded_match(path: Path) -> None:
    _, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    raws = [base64.b64decode(json.loads(line)["record"]) for line in lines]
    records = [log_pb2.Record.FromString(raw) for raw in raws]
    created = json.loads(records[0].events[0].data)
    key = bytes.fromhex(json.loads(records[-1].events[-1].data)["seal_key"])
    assert hashlib.sha256(b"stavka-key-commitment/1" + key).hexdigest() == created["seal_commitment"]
    public = serialization.load_pem_public_key(created["public_key"].encode())
    assert isinstance(public, rsa.RSAPublicKey)
    commands = GAMES[created["game"]]().commands
    orders = {cls.__name__: [f.name for f in command_type(cls, "").fields] for cls in commands}
    taken: dict[str, str] = {}
    head, rolled, shuffled = bytes(32), 0, 0
    for version, (raw, record) in enumerate(zip(raws, records, strict=True)):
        assert (record.base_hash, record.base_version) == (head, version)
        head = hashlib.sha256(b"\0" + raw).digest()
        cause = (
            f"command {digest(record, key, orders)}"
            if record.HasField("command")
            else f"batch {record.base_hash.hex()}"
        )
        for ordinal, stored in enumerate(record.rolls):
            roll = stored
            if stored.sealed:
                roll = log_pb2.Roll.FromString(base64.b64decode(opened(json.loads(stored.sealed), key)))
                shuffled += 1
            entropy = "".join(f" {seat}={taken[seat]}" for seat in created["seats"] if seat in taken)
            want = f"dice {roll.count} {roll.sides}" if roll.kind == "dice" else f"shuffle {roll.count}"
            assert roll.input.decode() == (
                f"stavka-roll/1\nmatch {record.match_id}\nentropy{entropy}\ncause {cause}\nroll {ordinal}\n"
                f"purpose {roll.purpose}\nwant {want}\n"
            )
            public.verify(roll.signature, roll.input, padding.PKCS1v15(), hashes.SHA256())
            assert list(roll.results) == results(roll)
            rolled += 1
        for payload in record.events:
            if payload.type == "match.SeatTaken":
                event = json.loads(payload.data)
                taken[event["seat"]] = event["entropy"]
    assert rolled > 50
    assert shuffled > 0 or created["game"] == "red_vengeance"
