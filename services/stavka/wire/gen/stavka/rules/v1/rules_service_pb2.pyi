from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListGamesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameSummary]
    def __init__(self, games: _Optional[_Iterable[_Union[GameSummary, _Mapping]]] = ...) -> None: ...

class GameSummary(_message.Message):
    __slots__ = ("game", "title", "citation", "ruleset")
    GAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CITATION_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    game: str
    title: str
    citation: str
    ruleset: str
    def __init__(self, game: _Optional[str] = ..., title: _Optional[str] = ..., citation: _Optional[str] = ..., ruleset: _Optional[str] = ...) -> None: ...

class GetGameRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class GetGameResponse(_message.Message):
    __slots__ = ("summary", "rulesets", "scenarios", "options", "commands", "questions")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    RULESETS_FIELD_NUMBER: _ClassVar[int]
    SCENARIOS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    summary: GameSummary
    rulesets: _containers.RepeatedScalarFieldContainer[int]
    scenarios: _containers.RepeatedCompositeFieldContainer[Scenario]
    options: _containers.RepeatedCompositeFieldContainer[Option]
    commands: _containers.RepeatedCompositeFieldContainer[CommandType]
    questions: _containers.RepeatedCompositeFieldContainer[Question]
    def __init__(self, summary: _Optional[_Union[GameSummary, _Mapping]] = ..., rulesets: _Optional[_Iterable[int]] = ..., scenarios: _Optional[_Iterable[_Union[Scenario, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[Option, _Mapping]]] = ..., commands: _Optional[_Iterable[_Union[CommandType, _Mapping]]] = ..., questions: _Optional[_Iterable[_Union[Question, _Mapping]]] = ...) -> None: ...

class Scenario(_message.Message):
    __slots__ = ("scenario", "title", "seats", "turns", "about")
    SCENARIO_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    scenario: str
    title: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    turns: int
    about: str
    def __init__(self, scenario: _Optional[str] = ..., title: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ..., turns: _Optional[int] = ..., about: _Optional[str] = ...) -> None: ...

class Option(_message.Message):
    __slots__ = ("option", "title", "rule", "choices", "favors")
    OPTION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    FAVORS_FIELD_NUMBER: _ClassVar[int]
    option: str
    title: str
    rule: str
    choices: _containers.RepeatedScalarFieldContainer[str]
    favors: str
    def __init__(self, option: _Optional[str] = ..., title: _Optional[str] = ..., rule: _Optional[str] = ..., choices: _Optional[_Iterable[str]] = ..., favors: _Optional[str] = ...) -> None: ...

class CommandType(_message.Message):
    __slots__ = ("command", "about", "topic", "fields")
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    command: str
    about: str
    topic: str
    fields: _containers.RepeatedCompositeFieldContainer[CommandField]
    def __init__(self, command: _Optional[str] = ..., about: _Optional[str] = ..., topic: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[CommandField, _Mapping]]] = ...) -> None: ...

class CommandField(_message.Message):
    __slots__ = ("name", "type", "required", "default_json", "visibility")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_JSON_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: str
    required: bool
    default_json: str
    visibility: str
    def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ..., required: _Optional[bool] = ..., default_json: _Optional[str] = ..., visibility: _Optional[str] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("question", "about")
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    question: str
    about: str
    def __init__(self, question: _Optional[str] = ..., about: _Optional[str] = ...) -> None: ...

class ListSpacesRequest(_message.Message):
    __slots__ = ("game", "page_size", "page_token")
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    game: str
    page_size: int
    page_token: str
    def __init__(self, game: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSpacesResponse(_message.Message):
    __slots__ = ("spaces", "next_page_token")
    SPACES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    spaces: _containers.RepeatedCompositeFieldContainer[Space]
    next_page_token: str
    def __init__(self, spaces: _Optional[_Iterable[_Union[Space, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Space(_message.Message):
    __slots__ = ("space", "kind", "x", "y", "facts", "source")
    SPACE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    space: str
    kind: str
    x: float
    y: float
    facts: _struct_pb2.Struct
    source: str
    def __init__(self, space: _Optional[str] = ..., kind: _Optional[str] = ..., x: _Optional[float] = ..., y: _Optional[float] = ..., facts: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., source: _Optional[str] = ...) -> None: ...

class ListPiecesRequest(_message.Message):
    __slots__ = ("game", "page_size", "page_token")
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    game: str
    page_size: int
    page_token: str
    def __init__(self, game: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPiecesResponse(_message.Message):
    __slots__ = ("pieces", "next_page_token")
    PIECES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    pieces: _containers.RepeatedCompositeFieldContainer[Piece]
    next_page_token: str
    def __init__(self, pieces: _Optional[_Iterable[_Union[Piece, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Piece(_message.Message):
    __slots__ = ("facts", "source")
    FACTS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    facts: _struct_pb2.Struct
    source: str
    def __init__(self, facts: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., source: _Optional[str] = ...) -> None: ...

class ListSectionsRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class ListSectionsResponse(_message.Message):
    __slots__ = ("sections",)
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    sections: _containers.RepeatedCompositeFieldContainer[Section]
    def __init__(self, sections: _Optional[_Iterable[_Union[Section, _Mapping]]] = ...) -> None: ...

class Section(_message.Message):
    __slots__ = ("section", "title", "status", "ruling")
    SECTION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    section: str
    title: str
    status: str
    ruling: str
    def __init__(self, section: _Optional[str] = ..., title: _Optional[str] = ..., status: _Optional[str] = ..., ruling: _Optional[str] = ...) -> None: ...
