"""The data files of Victory in Europe as they stand on disk: one pydantic model a file, strict and without extras.

`read_toml` and `read_csv` find a file below `data/`; `check` validates what was read. Whatever is wrong becomes a
`DataError` with the file, the key and the reason. What the rules use is built from these in `load.py`.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from stavka.kernel.errors import DataError

DATA = Path(__file__).parent / "data"

Source = Literal["printed", "public", "derived", "history", "design"]
Branch = Literal["air", "naval", "army", "convoy", "factory"]
Target = Literal["air", "army", "naval", "submarine", "convoy", "factory"]
Fire = Annotated[str, Field(pattern=r"^([A-D][1-4])?$")]
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Player = Literal["axis", "allies", "soviets"]
Season = Literal["winter", "spring", "summer", "fall"]
Winter = Literal["none", "all", "russia"]
Yes = Annotated[bool, BeforeValidator({"yes": True, "": False}.get)]
OptionalInt = Annotated[int | None, BeforeValidator(lambda cell: None if cell == "" else cell)]
Names = Annotated[tuple[str, ...], BeforeValidator(lambda cell: tuple(n for n in cell.split(";") if n))]

M = TypeVar("M", bound=BaseModel)


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AreaRow(Strict):
    id: Id
    name: str
    kind: Literal["land", "sea", "ocean", "convoy"]
    terrain: Literal["clear", "forest", "mountain", "desert", ""]
    stacking: OptionalInt
    small_island: Yes
    country: str
    homeland: str
    owner_1939: str
    capital: str
    city: Literal["major", "minor", ""]
    factory_max: OptionalInt
    resource: OptionalInt
    lat: float
    lon: float
    aliases: Names
    name_source: Source
    features_source: Source


class BorderRow(Strict):
    a: Id
    b: Id
    terrain: Literal["clear", "forest", "mountain", "desert", "river", "strait", "fortified"]
    limit: OptionalInt
    freezes: Yes
    tree_lined: Yes
    name: str
    source: Source


class CoastRow(Strict):
    area: Id
    port: str
    kind: Literal["port", "base", "red"]
    sea: str
    invadable: Yes
    source: Source


class SeaLinkRow(Strict):
    a: Id
    b: Id
    passage: str
    source: Source


class PassageRow(Strict):
    id: Id
    name: str
    shores: tuple[Id, ...]
    counts: str = ""
    needs_friendly: str = ""
    only: Literal["axis", ""] = ""
    submarines: bool
    rule: str
    source: Source


class ConvoyZoneRow(Strict):
    area: Id
    builder: Id
    receiver: Id
    gives: Literal["pp", "resources"]
    source: Source


class MapFile(Strict):
    middle_east: tuple[Id, ...]
    north_africa: tuple[Id, ...]
    freezing_seas: tuple[Id, ...]
    norwegian_leads: tuple[tuple[Id, Id], ...]
    lake_supply: tuple[tuple[Id, Id], ...]
    ocean_cost_mp: int
    alternate_supply: dict[str, Id]
    passage: tuple[PassageRow, ...]
    convoy_zone: tuple[ConvoyZoneRow, ...]
    source: Source


class TypeRow(Strict):
    branch: Branch
    primary: tuple[Target, ...]
    secondary: tuple[Target, ...]
    fire_at: dict[str, Fire] = Field(default_factory=dict)
    infantry: bool = False
    bombards: bool = False
    double_defense: bool = False
    rebuildable: bool = True
    stacks: bool = True
    source: Source


class BlockRow(Strict):
    id: Id
    name: str
    type: str
    steps: int = Field(ge=1, le=4)
    fire: Fire
    move: int = Field(ge=0, le=6)
    cost: int = Field(ge=1, le=3)
    year: int = Field(ge=1939, le=1945)
    fire_at: dict[str, Fire] = Field(default_factory=dict)
    printed: tuple[Literal["name", "steps", "fire", "move", "cost", "year"], ...] = ()


class BlockList(Strict):
    blocks: tuple[BlockRow, ...]


class TerrainRow(Strict):
    stop: Literal["none", "enemy", "area_or_border", "crossing"]
    stacking: int
    border: int
    border_frozen: int | None = None
    defense: Literal["none", "fire", "double"]
    source: Source


class DiplomacyRow(Strict):
    country: Id
    axis: int = Field(ge=0, le=12)
    allies: int = Field(ge=0, le=12)
    soviets: int = Field(ge=0, le=12)
    first_year: int = 1939
    source: Source
    printed: tuple[Player, ...] = ()


class DiplomacyModifiers(Strict):
    proximity: int
    rebuff: int
    defender: int
    spain_axis_if_portugal_british: int
    no_proximity: tuple[Id, ...]
    source: Source


class DiplomacyFile(Strict):
    modifiers: DiplomacyModifiers
    row: tuple[DiplomacyRow, ...]


class TurnRow(Strict):
    number: int
    year: int
    season: Season
    winter: Winter


class DeckSize(Strict):
    deck: int
    draw: int


class CalendarFile(Strict):
    source: Source
    cards: dict[Literal["1939", "later"], DeckSize]
    turn: tuple[TurnRow, ...]


class CountryRow(Strict):
    id: Id
    name: str
    kind: Literal["major", "minor", "territory"]
    side: Literal["axis", "allies", "soviets", "neutral"]
    capital: str = ""
    section: str
    owner: str = ""
    areas: tuple[Id, ...] = ()
    resources_axis_only: bool = False
    exports: tuple[tuple[Id, Id, int], ...] = ()
    deploy: tuple[tuple[Id, Id, int], ...] = ()
    free_forces: tuple[Id, ...] = ()
    mobilization: tuple[tuple[Id, Id, int], ...] = ()
    mobilization_factories: int = 0
    values: dict[str, int] = Field(default_factory=dict)


class CountryFile(Strict):
    country: tuple[CountryRow, ...]


OrderRow = tuple[str, str, str, int, Source]
"""Location as printed, unit as printed, block id (or "factory", "marker"), steps, source."""

OrderKey = Literal["axis", "allies", "usa", "italy", "vichy", "soviets"]


class DeploymentRow(Strict):
    id: Id
    player: Player
    kind: Literal["switch", "areas"]
    nations: tuple[Id, ...]
    areas: tuple[Id, ...] = ()
    at_least_one: tuple[Id, ...] = ()
    source: Source


class ScenarioFile(Strict):
    id: Id
    title: str
    section: str
    start_turn: int
    cards_in_hand: int
    three_player_soviet_cards: int
    usa_entry_option: bool = False
    powers: dict[Id, Literal["at_war", "neutral", "surrendered"]]
    minors: dict[Id, Literal["axis", "allies", "soviets", "conquered"]] = Field(default_factory=dict)
    control: dict[Id, tuple[Id, ...]] = Field(default_factory=dict)
    conquered_by: dict[Id, Id] = Field(default_factory=dict)
    eliminated: tuple[Id, ...] = ()
    notes: tuple[str, ...] = ()
    deployment: tuple[DeploymentRow, ...] = ()
    order_of_battle: dict[OrderKey, tuple[OrderRow, ...]]


class SectionRow(Strict):
    id: str
    title: str
    status: Literal["code", "data", "heading", "none"]
    ruling: str = ""


class RulebookFile(Strict):
    section: tuple[SectionRow, ...]


class EventRow(Strict):
    """One event. Which keys go with which kind is the vocabulary's business (load_setup.py)."""

    kind: Id
    nations: tuple[Id, ...] = ()
    types: tuple[Id, ...] = ()
    amount: int = 0
    units: int = 0
    role: Literal["attacker", "defender", "any", ""] = ""
    areas: tuple[str, ...] = ()
    countries: tuple[Id, ...] = ()
    blocks: tuple[Id, ...] = ()


class CardRow(Strict):
    id: Id
    title: str
    color: Literal["black", "green", "blue", "red"]
    cm: int = Field(ge=1, le=4)
    weight: int = Field(ge=1, le=4)
    event: EventRow


class DeckYear(Strict):
    year: int
    card: tuple[CardRow, ...]


class DeckFile(Strict):
    player: Literal["axis", "allied"]
    source: Source
    years: tuple[DeckYear, ...]


def check(model: type[M], data: Mapping[str, Any], file: str, key: str = "") -> M:
    """Validate `data`; the first thing that is wrong raises DataError with its key (row prefix `key` first)."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(file, ".".join([key, *map(str, first["loc"])]).strip("."), first["msg"]) from error


@cache
def read_toml(file: str) -> dict[str, Any]:
    """The TOML file `data/<file>`.

    Raises:
        DataError: no such file, or not TOML.
    """
    try:
        return tomllib.loads((DATA / file).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(file, "file", "cannot be read") from error
    except tomllib.TOMLDecodeError as error:
        raise DataError(file, "file", str(error)) from error


def read_csv(file: str, model: type[M]) -> tuple[M, ...]:
    """The rows of `data/<file>` in file order; lines that start with # are comments.

    Raises:
        DataError: no such file, or a row that the model refuses (key = "row N").
    """
    try:
        lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(file, "file", "cannot be read") from error
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return tuple(check(model, row, file, f"row {number}") for number, row in enumerate(rows, 1))
