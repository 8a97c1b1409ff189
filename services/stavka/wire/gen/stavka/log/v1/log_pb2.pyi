from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Record(_message.Message):
    __slots__ = ("envelope_version", "match_id", "base_version", "base_hash", "proposal_id", "command_id", "topic", "writer", "ruleset", "decided_at_ms", "seat", "player", "command", "events", "rolls")
    ENVELOPE_VERSION_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    BASE_HASH_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    WRITER_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    ROLLS_FIELD_NUMBER: _ClassVar[int]
    envelope_version: int
    match_id: str
    base_version: int
    base_hash: bytes
    proposal_id: str
    command_id: str
    topic: str
    writer: str
    ruleset: str
    decided_at_ms: int
    seat: str
    player: str
    command: Payload
    events: _containers.RepeatedCompositeFieldContainer[Payload]
    rolls: _containers.RepeatedCompositeFieldContainer[Roll]
    def __init__(self, envelope_version: _Optional[int] = ..., match_id: _Optional[str] = ..., base_version: _Optional[int] = ..., base_hash: _Optional[bytes] = ..., proposal_id: _Optional[str] = ..., command_id: _Optional[str] = ..., topic: _Optional[str] = ..., writer: _Optional[str] = ..., ruleset: _Optional[str] = ..., decided_at_ms: _Optional[int] = ..., seat: _Optional[str] = ..., player: _Optional[str] = ..., command: _Optional[_Union[Payload, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Payload, _Mapping]]] = ..., rolls: _Optional[_Iterable[_Union[Roll, _Mapping]]] = ...) -> None: ...

class Payload(_message.Message):
    __slots__ = ("type", "schema", "data")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    type: str
    schema: int
    data: bytes
    def __init__(self, type: _Optional[str] = ..., schema: _Optional[int] = ..., data: _Optional[bytes] = ...) -> None: ...

class Roll(_message.Message):
    __slots__ = ("purpose", "kind", "count", "sides", "results", "input", "signature", "sealed")
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    SEALED_FIELD_NUMBER: _ClassVar[int]
    purpose: str
    kind: str
    count: int
    sides: int
    results: _containers.RepeatedScalarFieldContainer[int]
    input: bytes
    signature: bytes
    sealed: bytes
    def __init__(self, purpose: _Optional[str] = ..., kind: _Optional[str] = ..., count: _Optional[int] = ..., sides: _Optional[int] = ..., results: _Optional[_Iterable[int]] = ..., input: _Optional[bytes] = ..., signature: _Optional[bytes] = ..., sealed: _Optional[bytes] = ...) -> None: ...

class Command(_message.Message):
    __slots__ = ("match_id", "command_id", "player", "seat", "command", "expected_version", "decision_id", "received_at_ms", "privileged")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    PRIVILEGED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    command_id: str
    player: str
    seat: str
    command: Payload
    expected_version: int
    decision_id: str
    received_at_ms: int
    privileged: bool
    def __init__(self, match_id: _Optional[str] = ..., command_id: _Optional[str] = ..., player: _Optional[str] = ..., seat: _Optional[str] = ..., command: _Optional[_Union[Payload, _Mapping]] = ..., expected_version: _Optional[int] = ..., decision_id: _Optional[str] = ..., received_at_ms: _Optional[int] = ..., privileged: _Optional[bool] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("match_id", "command_id", "player", "seat", "version", "head", "fault", "reason", "rule", "message", "details")
    class DetailsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    command_id: str
    player: str
    seat: str
    version: int
    head: bytes
    fault: str
    reason: str
    rule: str
    message: str
    details: _containers.ScalarMap[str, str]
    def __init__(self, match_id: _Optional[str] = ..., command_id: _Optional[str] = ..., player: _Optional[str] = ..., seat: _Optional[str] = ..., version: _Optional[int] = ..., head: _Optional[bytes] = ..., fault: _Optional[str] = ..., reason: _Optional[str] = ..., rule: _Optional[str] = ..., message: _Optional[str] = ..., details: _Optional[_Mapping[str, str]] = ...) -> None: ...
