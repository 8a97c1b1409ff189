from google.protobuf import struct_pb2 as _struct_pb2
from stavka.wire.gen.stavka.match.v1 import match_pb2 as _match_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ViewFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VIEW_FORMAT_UNSPECIFIED: _ClassVar[ViewFormat]
    VIEW_FORMAT_POSITION: _ClassVar[ViewFormat]
    VIEW_FORMAT_TEXT: _ClassVar[ViewFormat]
    VIEW_FORMAT_SVG: _ClassVar[ViewFormat]
    VIEW_FORMAT_NOTATION: _ClassVar[ViewFormat]

class WatchEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WATCH_END_REASON_UNSPECIFIED: _ClassVar[WatchEndReason]
    WATCH_END_REASON_MATCH_ENDED: _ClassVar[WatchEndReason]
    WATCH_END_REASON_RESYNC: _ClassVar[WatchEndReason]
    WATCH_END_REASON_SERVER_STOPPING: _ClassVar[WatchEndReason]
    WATCH_END_REASON_QUARANTINED: _ClassVar[WatchEndReason]
VIEW_FORMAT_UNSPECIFIED: ViewFormat
VIEW_FORMAT_POSITION: ViewFormat
VIEW_FORMAT_TEXT: ViewFormat
VIEW_FORMAT_SVG: ViewFormat
VIEW_FORMAT_NOTATION: ViewFormat
WATCH_END_REASON_UNSPECIFIED: WatchEndReason
WATCH_END_REASON_MATCH_ENDED: WatchEndReason
WATCH_END_REASON_RESYNC: WatchEndReason
WATCH_END_REASON_SERVER_STOPPING: WatchEndReason
WATCH_END_REASON_QUARANTINED: WatchEndReason

class CreateMatchRequest(_message.Message):
    __slots__ = ("command_id", "game", "scenario", "options", "players", "position", "analysis", "script", "spectator_delay")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class PlayersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SCENARIO_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_FIELD_NUMBER: _ClassVar[int]
    SPECTATOR_DELAY_FIELD_NUMBER: _ClassVar[int]
    command_id: str
    game: str
    scenario: str
    options: _containers.ScalarMap[str, str]
    players: _containers.ScalarMap[str, str]
    position: str
    analysis: bool
    script: _containers.RepeatedScalarFieldContainer[int]
    spectator_delay: int
    def __init__(self, command_id: _Optional[str] = ..., game: _Optional[str] = ..., scenario: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., players: _Optional[_Mapping[str, str]] = ..., position: _Optional[str] = ..., analysis: _Optional[bool] = ..., script: _Optional[_Iterable[int]] = ..., spectator_delay: _Optional[int] = ...) -> None: ...

class CreateMatchResponse(_message.Message):
    __slots__ = ("match_id", "version", "head")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    version: int
    head: bytes
    def __init__(self, match_id: _Optional[str] = ..., version: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "game", "status", "player")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    game: str
    status: _match_pb2.MatchStatus
    player: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., game: _Optional[str] = ..., status: _Optional[_Union[_match_pb2.MatchStatus, str]] = ..., player: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[_match_pb2.Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[_match_pb2.Match, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: _match_pb2.Match
    def __init__(self, match: _Optional[_Union[_match_pb2.Match, _Mapping]] = ...) -> None: ...

class TakeSeatRequest(_message.Message):
    __slots__ = ("match_id", "seat", "command_id", "entropy")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    ENTROPY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: str
    command_id: str
    entropy: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[str] = ..., command_id: _Optional[str] = ..., entropy: _Optional[str] = ...) -> None: ...

class TakeSeatResponse(_message.Message):
    __slots__ = ("version", "head")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...

class SubmitCommandRequest(_message.Message):
    __slots__ = ("match_id", "seat", "command_id", "command", "arguments", "expected_version", "decision_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: str
    command_id: str
    command: str
    arguments: _struct_pb2.Struct
    expected_version: int
    decision_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[str] = ..., command_id: _Optional[str] = ..., command: _Optional[str] = ..., arguments: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., expected_version: _Optional[int] = ..., decision_id: _Optional[str] = ...) -> None: ...

class SubmitCommandResponse(_message.Message):
    __slots__ = ("version", "head")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...

class ResignRequest(_message.Message):
    __slots__ = ("match_id", "seat", "command_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: str
    command_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class ResignResponse(_message.Message):
    __slots__ = ("version", "head")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...

class ListDecisionsRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[str] = ...) -> None: ...

class ListDecisionsResponse(_message.Message):
    __slots__ = ("version", "head", "decisions")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    decisions: _containers.RepeatedCompositeFieldContainer[_match_pb2.Decision]
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ..., decisions: _Optional[_Iterable[_Union[_match_pb2.Decision, _Mapping]]] = ...) -> None: ...

class ListLegalActionsRequest(_message.Message):
    __slots__ = ("match_id", "seat", "decision_id", "limit", "sample_seed")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_SEED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: str
    decision_id: str
    limit: int
    sample_seed: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[str] = ..., decision_id: _Optional[str] = ..., limit: _Optional[int] = ..., sample_seed: _Optional[int] = ...) -> None: ...

class ListLegalActionsResponse(_message.Message):
    __slots__ = ("version", "head", "choices")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    choices: _containers.RepeatedCompositeFieldContainer[_match_pb2.Choice]
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ..., choices: _Optional[_Iterable[_Union[_match_pb2.Choice, _Mapping]]] = ...) -> None: ...

class ExplainRequest(_message.Message):
    __slots__ = ("match_id", "question", "arguments", "viewer")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    question: str
    arguments: _struct_pb2.Struct
    viewer: str
    def __init__(self, match_id: _Optional[str] = ..., question: _Optional[str] = ..., arguments: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., viewer: _Optional[str] = ...) -> None: ...

class ExplainResponse(_message.Message):
    __slots__ = ("version", "head", "answer")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    answer: _struct_pb2.Struct
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ..., answer: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class GetViewRequest(_message.Message):
    __slots__ = ("match_id", "version", "viewer", "formats")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    version: int
    viewer: str
    formats: _containers.RepeatedScalarFieldContainer[ViewFormat]
    def __init__(self, match_id: _Optional[str] = ..., version: _Optional[int] = ..., viewer: _Optional[str] = ..., formats: _Optional[_Iterable[_Union[ViewFormat, str]]] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("version", "head", "viewer", "headline", "position", "text", "svg", "notation")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    HEADLINE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SVG_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    viewer: str
    headline: str
    position: _struct_pb2.Struct
    text: str
    svg: str
    notation: str
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ..., viewer: _Optional[str] = ..., headline: _Optional[str] = ..., position: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., text: _Optional[str] = ..., svg: _Optional[str] = ..., notation: _Optional[str] = ...) -> None: ...

class ListHistoryRequest(_message.Message):
    __slots__ = ("match_id", "from_version", "limit", "viewer")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    FROM_VERSION_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    from_version: int
    limit: int
    viewer: str
    def __init__(self, match_id: _Optional[str] = ..., from_version: _Optional[int] = ..., limit: _Optional[int] = ..., viewer: _Optional[str] = ...) -> None: ...

class ListHistoryResponse(_message.Message):
    __slots__ = ("record",)
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _match_pb2.HistoryRecord
    def __init__(self, record: _Optional[_Union[_match_pb2.HistoryRecord, _Mapping]] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("match_id", "from_version", "viewer")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    FROM_VERSION_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    from_version: int
    viewer: str
    def __init__(self, match_id: _Optional[str] = ..., from_version: _Optional[int] = ..., viewer: _Optional[str] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("record", "heartbeat", "end")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    record: _match_pb2.HistoryRecord
    heartbeat: Heartbeat
    end: WatchEnd
    def __init__(self, record: _Optional[_Union[_match_pb2.HistoryRecord, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., end: _Optional[_Union[WatchEnd, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("version", "head")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    version: int
    head: bytes
    def __init__(self, version: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...

class WatchEnd(_message.Message):
    __slots__ = ("reason", "version", "head")
    REASON_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    reason: WatchEndReason
    version: int
    head: bytes
    def __init__(self, reason: _Optional[_Union[WatchEndReason, str]] = ..., version: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...
