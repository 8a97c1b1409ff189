"""Payloads: round trips, hidden fields, older shapes, and what cannot be decoded."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from stavka.kernel.errors import CorruptHistory, MalformedCommand
from stavka.kernel.visibility import Owner, Public, Unclassified
from stavka.wire.codec import Codec, names
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer


@dataclass(frozen=True, slots=True)
class Moved:
    unit: Public[str]
    path: Public[tuple[str, ...]]
    spent: Public[int] = 0


@dataclass(frozen=True, slots=True)
class Hidden:
    side: Public[str]
    block: Owner[str]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset({self.side})


@dataclass(frozen=True, slots=True)
class Renamed:
    """Schema 2 of what used to carry `hex` instead of `space`."""

    space: Public[str]
    SCHEMA = 2


@dataclass(frozen=True, slots=True)
class Careless:
    unit: str


@dataclass(frozen=True, slots=True)
class Ownerless:
    card: Owner[str]


SEALER = Sealer(bytes(range(32)), "attempt-1")


def codec() -> Codec:
    return Codec(names((Moved, Hidden, Renamed)), {("Renamed", 1): lambda old: {"space": old["hex"]}})


def test_a_public_value_round_trips_as_canonical_json() -> None:
    payload = codec().encode(Moved("a", ("0101", "0102"), 3))
    assert payload.data == b'{"unit":"a","path":["0101","0102"],"spent":3}'
    assert codec().decode(payload) == Moved("a", ("0101", "0102"), 3)


def test_matches_share_the_strings_of_a_whole_table() -> None:
    hexes = tuple(f"{column:02}{row:02}" for column in range(30) for row in range(20))
    payload = codec().encode(Moved("a", hexes, 3))
    one, other = codec().decode(payload), codec().decode(payload)
    assert one == other == Moved("a", hexes, 3)
    assert all(a is b for a, b in zip(one.path, other.path, strict=True))


def test_a_hidden_field_is_sealed_and_opens_with_the_key_only() -> None:
    payload = codec().encode(Hidden("axis", "pz-4"), SEALER, "event 0")
    assert b"pz-4" not in payload.data and payload.data.startswith(b'{"side":"axis","block":{"$sealed":{"commitment":"')
    assert codec().decode(payload, Sealer(SEALER.key)) == Hidden("axis", "pz-4")
    with pytest.raises(CorruptHistory, match="sealed"):
        codec().decode(payload)
    with pytest.raises(CorruptHistory) as broken:
        codec().decode(payload, Sealer(bytes(32)))
    assert broken.value.reason == "SEAL_BROKEN"


def test_an_older_shape_is_lifted() -> None:
    stored = log_pb2.Payload(type="Renamed", schema=1, data=b'{"hex":"1422"}')
    assert codec().decode(stored) == Renamed("1422")


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (log_pb2.Payload(type="Nonsense", schema=1, data=b"{}"), "UNKNOWN_TYPE"),
        (log_pb2.Payload(type="Moved", schema=1, data=b"{"), "BAD_PAYLOAD"),
        (log_pb2.Payload(type="Moved", schema=1, data=b'{"unit":7,"path":[]}'), "BAD_PAYLOAD"),
        (log_pb2.Payload(type="Moved", schema=1, data=b'{"unit":' + b"[" * 100_000), "BAD_PAYLOAD"),
        (log_pb2.Payload(type="Moved", schema=1, data=b"[" * 1000), "BAD_PAYLOAD"),
        (log_pb2.Payload(type="Moved", schema=2, data=b'{"unit":"a","path":[],"speed":3}'), "UNKNOWN_SCHEMA"),
        (log_pb2.Payload(type="Hidden", schema=1, data=b'["$sealed"]'), "BAD_PAYLOAD"),
        (log_pb2.Payload(type="Hidden", schema=1, data=b'"$sealed"'), "BAD_PAYLOAD"),
        (log_pb2.Payload(type="Renamed", schema=3, data=b'{"space":"1422"}'), "UNKNOWN_SCHEMA"),
        (log_pb2.Payload(type="Renamed", schema=1, data=b"{}"), "BAD_PAYLOAD"),
        (log_pb2.Payload(type="Renamed", schema=0, data=b'{"hex":"1422"}'), "BAD_PAYLOAD"),
    ],
)
def test_what_cannot_be_decoded_is_corrupt_history(payload: log_pb2.Payload, reason: str) -> None:
    with pytest.raises(CorruptHistory) as refused:
        codec().decode(payload)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("Moves", {}, "UNKNOWN_COMMAND"),
        ("Moved", {"unit": "a", "path": [], "speed": 3}, "UNKNOWN_FIELD"),
        ("Moved", {"unit": "a"}, "BAD_ARGUMENT"),
        ("Moved", {"unit": "a", "path": "0101"}, "BAD_ARGUMENT"),
    ],
)
def test_a_malformed_command_names_what_is_wrong(name: str, arguments: dict[str, object], reason: str) -> None:
    with pytest.raises(MalformedCommand) as refused:
        codec().command(name, arguments)
    assert refused.value.reason == reason


@pytest.mark.parametrize("cls", [Careless, Ownerless])
def test_an_unclassified_type_is_refused_at_start_up(cls: type) -> None:
    with pytest.raises(Unclassified):
        Codec(names((cls,)))
