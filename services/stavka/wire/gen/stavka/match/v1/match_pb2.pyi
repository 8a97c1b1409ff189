from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATUS_UNSPECIFIED: _ClassVar[MatchStatus]
    MATCH_STATUS_OPEN: _ClassVar[MatchStatus]
    MATCH_STATUS_PLAYING: _ClassVar[MatchStatus]
    MATCH_STATUS_ENDED: _ClassVar[MatchStatus]
    MATCH_STATUS_QUARANTINED: _ClassVar[MatchStatus]
MATCH_STATUS_UNSPECIFIED: MatchStatus
MATCH_STATUS_OPEN: MatchStatus
MATCH_STATUS_PLAYING: MatchStatus
MATCH_STATUS_ENDED: MatchStatus
MATCH_STATUS_QUARANTINED: MatchStatus

class Seat(_message.Message):
    __slots__ = ("seat", "player", "taken", "resigned")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    RESIGNED_FIELD_NUMBER: _ClassVar[int]
    seat: str
    player: str
    taken: bool
    resigned: bool
    def __init__(self, seat: _Optional[str] = ..., player: _Optional[str] = ..., taken: _Optional[bool] = ..., resigned: _Optional[bool] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("winner", "points", "reasons")
    class PointsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    WINNER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    winner: str
    points: _containers.ScalarMap[str, int]
    reasons: _containers.RepeatedCompositeFieldContainer[ResultReason]
    def __init__(self, winner: _Optional[str] = ..., points: _Optional[_Mapping[str, int]] = ..., reasons: _Optional[_Iterable[_Union[ResultReason, _Mapping]]] = ...) -> None: ...

class ResultReason(_message.Message):
    __slots__ = ("rule", "side", "points", "what")
    RULE_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    WHAT_FIELD_NUMBER: _ClassVar[int]
    rule: str
    side: str
    points: int
    what: str
    def __init__(self, rule: _Optional[str] = ..., side: _Optional[str] = ..., points: _Optional[int] = ..., what: _Optional[str] = ...) -> None: ...

class Match(_message.Message):
    __slots__ = ("match_id", "game", "ruleset", "scenario", "options", "seats", "version", "head", "status", "headline", "open_decisions", "analysis", "spectator_delay", "result", "key_id", "public_key")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    SCENARIO_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    HEADLINE_FIELD_NUMBER: _ClassVar[int]
    OPEN_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    SPECTATOR_DELAY_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    ruleset: int
    scenario: str
    options: _containers.ScalarMap[str, str]
    seats: _containers.RepeatedCompositeFieldContainer[Seat]
    version: int
    head: bytes
    status: MatchStatus
    headline: str
    open_decisions: int
    analysis: bool
    spectator_delay: int
    result: Result
    key_id: str
    public_key: str
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., ruleset: _Optional[int] = ..., scenario: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., seats: _Optional[_Iterable[_Union[Seat, _Mapping]]] = ..., version: _Optional[int] = ..., head: _Optional[bytes] = ..., status: _Optional[_Union[MatchStatus, str]] = ..., headline: _Optional[str] = ..., open_decisions: _Optional[int] = ..., analysis: _Optional[bool] = ..., spectator_delay: _Optional[int] = ..., result: _Optional[_Union[Result, _Mapping]] = ..., key_id: _Optional[str] = ..., public_key: _Optional[str] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("decision_id", "seat", "kind", "rule", "commands", "prompt")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    seat: str
    kind: str
    rule: str
    commands: _containers.RepeatedScalarFieldContainer[str]
    prompt: str
    def __init__(self, decision_id: _Optional[str] = ..., seat: _Optional[str] = ..., kind: _Optional[str] = ..., rule: _Optional[str] = ..., commands: _Optional[_Iterable[str]] = ..., prompt: _Optional[str] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("command", "arguments")
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    command: str
    arguments: _struct_pb2.Struct
    def __init__(self, command: _Optional[str] = ..., arguments: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class Choice(_message.Message):
    __slots__ = ("decision", "options", "complete", "enumerated", "domain")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    ENUMERATED_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    decision: Decision
    options: _containers.RepeatedCompositeFieldContainer[Action]
    complete: bool
    enumerated: int
    domain: _struct_pb2.Struct
    def __init__(self, decision: _Optional[_Union[Decision, _Mapping]] = ..., options: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., complete: _Optional[bool] = ..., enumerated: _Optional[int] = ..., domain: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class Fact(_message.Message):
    __slots__ = ("type", "fields")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    type: str
    fields: _struct_pb2.Struct
    def __init__(self, type: _Optional[str] = ..., fields: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class Roll(_message.Message):
    __slots__ = ("purpose", "kind", "count", "sides", "results", "input", "signature", "hidden")
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    purpose: str
    kind: str
    count: int
    sides: int
    results: _containers.RepeatedScalarFieldContainer[int]
    input: bytes
    signature: bytes
    hidden: bool
    def __init__(self, purpose: _Optional[str] = ..., kind: _Optional[str] = ..., count: _Optional[int] = ..., sides: _Optional[int] = ..., results: _Optional[_Iterable[int]] = ..., input: _Optional[bytes] = ..., signature: _Optional[bytes] = ..., hidden: _Optional[bool] = ...) -> None: ...

class HistoryRecord(_message.Message):
    __slots__ = ("version", "head", "decided_at_ms", "topic", "seat", "command", "events", "rolls", "command_id")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    ROLLS_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    decided_at_ms: int
    topic: str
    seat: str
    command: Fact
    events: _containers.RepeatedCompositeFieldContainer[Fact]
    rolls: _containers.RepeatedCompositeFieldContainer[Roll]
    command_id: str
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ..., decided_at_ms: _Optional[int] = ..., topic: _Optional[str] = ..., seat: _Optional[str] = ..., command: _Optional[_Union[Fact, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Fact, _Mapping]]] = ..., rolls: _Optional[_Iterable[_Union[Roll, _Mapping]]] = ..., command_id: _Optional[str] = ...) -> None: ...
