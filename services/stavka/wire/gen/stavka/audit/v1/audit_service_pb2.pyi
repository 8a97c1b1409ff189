from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExportMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class ExportMatchResponse(_message.Message):
    __slots__ = ("header", "record")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    header: ExportHeader
    record: ExportRecord
    def __init__(self, header: _Optional[_Union[ExportHeader, _Mapping]] = ..., record: _Optional[_Union[ExportRecord, _Mapping]] = ...) -> None: ...

class ExportHeader(_message.Message):
    __slots__ = ("match_id", "version", "head", "ended", "game", "ruleset", "key_id", "public_key")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    version: int
    head: bytes
    ended: bool
    game: str
    ruleset: str
    key_id: str
    public_key: str
    def __init__(self, match_id: _Optional[str] = ..., version: _Optional[int] = ..., head: _Optional[bytes] = ..., ended: _Optional[bool] = ..., game: _Optional[str] = ..., ruleset: _Optional[str] = ..., key_id: _Optional[str] = ..., public_key: _Optional[str] = ...) -> None: ...

class ExportRecord(_message.Message):
    __slots__ = ("version", "raw")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RAW_FIELD_NUMBER: _ClassVar[int]
    version: int
    raw: bytes
    def __init__(self, version: _Optional[int] = ..., raw: _Optional[bytes] = ...) -> None: ...

class GetCheckpointRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetCheckpointResponse(_message.Message):
    __slots__ = ("match_id", "version", "head", "stated_at_ms", "statement", "signature", "key_id", "public_key")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    STATED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    version: int
    head: bytes
    stated_at_ms: int
    statement: bytes
    signature: bytes
    key_id: str
    public_key: str
    def __init__(self, match_id: _Optional[str] = ..., version: _Optional[int] = ..., head: _Optional[bytes] = ..., stated_at_ms: _Optional[int] = ..., statement: _Optional[bytes] = ..., signature: _Optional[bytes] = ..., key_id: _Optional[str] = ..., public_key: _Optional[str] = ...) -> None: ...
