from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("matches", "waiting_commands", "open_streams")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    WAITING_COMMANDS_FIELD_NUMBER: _ClassVar[int]
    OPEN_STREAMS_FIELD_NUMBER: _ClassVar[int]
    matches: int
    waiting_commands: int
    open_streams: int
    def __init__(self, matches: _Optional[int] = ..., waiting_commands: _Optional[int] = ..., open_streams: _Optional[int] = ...) -> None: ...

class ListQuarantinedMatchesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListQuarantinedMatchesResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[QuarantinedMatch]
    def __init__(self, matches: _Optional[_Iterable[_Union[QuarantinedMatch, _Mapping]]] = ...) -> None: ...

class QuarantinedMatch(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RebuildProjectionRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class RebuildProjectionResponse(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: int
    def __init__(self, version: _Optional[int] = ...) -> None: ...
