"""Shapes of the charts, tables, options and scenarios, and of `Data`, which holds everything [RV 2.0].

Frozen, slotted structures; what joins several files is checked in `check.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass as plain
from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from .datum import (
    STRICT,
    BaseTerrain,
    BoxId,
    Commander,
    Die,
    Edge,
    Factor,
    HexId,
    Hitler,
    MapData,
    Marker,
    Nation,
    SideId,
    Source,
    Turn,
    UnitDatum,
    WeatherId,
)

SixPoints = tuple[Factor, Factor, Factor, Factor, Factor, Factor]
SixWeathers = tuple[WeatherId, WeatherId, WeatherId, WeatherId, WeatherId, WeatherId]


@dataclass(frozen=True, slots=True, config=STRICT)
class TerrainDatum:
    """A row of the terrain effects chart [RV 9.1]; the file's head says what each column means."""

    id: str
    title: str
    where_on_map: Literal["hex", "overlay", "hexside"]
    source: Source
    where: str
    foot: int | None = None
    mountain: int | None = None
    mechanized: int | None = None
    defender_each: int = 0
    defender_total: int = 0
    attacker_each: int = 0
    attacker_armor: int = 0
    halve_armor_from: bool = False
    only_against: SideId | None = None
    hit_from: Die = 6
    hit_from_nation: Nation | None = None
    snow_as: BaseTerrain | None = None


@dataclass(frozen=True, slots=True, config=STRICT)
class WeatherDatum:
    """A kind of weather [RV 13.0]; the file's head says what each field means."""

    id: WeatherId
    title: str
    no_exploitation: tuple[SideId, ...]
    halve_movement: bool
    halve_attack: bool
    exploitation_mp: Annotated[int, Field(le=0)]
    armor_zoc_limit: bool
    source: Source
    where: str


@plain(frozen=True, slots=True)
class WeatherTables:
    """`historical[turn - 1]` and `random[turn - 1][die - 1]` are kinds of weather."""

    kinds: Mapping[str, WeatherDatum]
    historical: tuple[WeatherId, ...]
    random: tuple[SixWeathers, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class AirPowerRow:
    """`points[die - 1]` air power points; empty when that side does not roll in that year [RV 12.1]."""

    side: SideId
    year: Literal[1944, 1945]
    points: SixPoints | tuple[()]
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class SeaBox:
    """A box of the Baltic track [RV 12.22]; the file's head says what each field means."""

    id: BoxId
    title: str
    defense_dice_combat: Factor
    defense_dice_exploitation: Factor
    attack_dice: Factor
    supply: Annotated[int, Field(ge=-1, le=2)]
    sea_moves: Factor
    sea_retreats: Factor
    loss_from: Die
    marines: bool
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class SeaAdvance:
    from_turn: Turn
    die: Die
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class BlackSea:
    attack_dice: Factor
    supply: Factor
    source: Source
    where: str


@plain(frozen=True, slots=True)
class SeaControl:
    """`boxes` from left to right."""

    advance: SeaAdvance
    black_sea: BlackSea
    boxes: tuple[SeaBox, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class ReplacementRow:
    """Points of one side in each turn of a span, both ends included [RV 10.2, RV 10.3]."""

    side: SideId
    first_turn: Turn
    last_turn: Turn
    armor: Factor
    infantry: Factor
    per_oil_field: Factor
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Rebuilt:
    """Where removed units come back [RV 10.11]: the Axis in these hexes, the Allies on this map edge."""

    axis: tuple[HexId, ...]
    allied_edge: Edge
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Arrival:
    group: Literal["axis", "allied", "yugoslav", "polish"]
    hexes: tuple[HexId, ...]
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Objective:
    """A victory objective [RV 15.1]. No hexes: every hex of Yugoslavia."""

    id: str
    title: str
    hexes: tuple[HexId, ...]
    points: Factor
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Losses:
    """Combat points in halves that a side earns for each enemy unit removed or reduced [RV 15.2]."""

    points: Factor
    axis_half_points_per_removed: Factor
    axis_half_points_per_reduced: Factor
    allied_half_points_per_removed: Factor
    allied_half_points_per_reduced: Factor
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class HitlerPoints:
    points: Factor
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Victory:
    objective: tuple[Objective, ...]
    losses: Losses
    hitler: HitlerPoints


@dataclass(frozen=True, slots=True, config=STRICT)
class Option:
    """An optional rule [RV 14.0]; off unless chosen."""

    id: str
    rule: Annotated[str, Field(pattern=r"^RV 14\.[1-8]$")]
    title: str
    favors: Literal["axis", "allied", "none"]
    source: Source


@dataclass(frozen=True, slots=True, config=STRICT)
class TurnDatum:
    number: Turn
    name: str
    month: Annotated[int, Field(ge=1, le=12)]
    year: Literal[1944, 1945]


@dataclass(frozen=True, slots=True, config=STRICT)
class ScenarioDatum:
    """`setup` maps every unit and commander that starts on the map to its hex: the ready historical set-up."""

    id: str
    title: str
    about: str
    naval_box: BoxId
    turn: tuple[TurnDatum, ...]
    setup: Mapping[str, HexId]
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Section:
    """A numbered section of the rulebook: our title, where it lives, our ruling if it needed one."""

    id: str
    title: str
    status: Literal["code", "data", "none", "heading"]
    ruling: str = ""


@plain(frozen=True, slots=True)
class Data:
    """Everything printed, read once. Mappings keep the order of their files."""

    map: MapData
    units: Mapping[str, UnitDatum]
    commanders: Mapping[str, Commander]
    hitler: Hitler
    markers: tuple[Marker, ...]
    counters: int
    terrain: Mapping[str, TerrainDatum]
    weather: WeatherTables
    air_power: tuple[AirPowerRow, ...]
    sea_control: SeaControl
    replacements: tuple[ReplacementRow, ...]
    rebuilt: Rebuilt
    reinforcements: Mapping[str, tuple[str, ...]]
    victory: Victory
    options: Mapping[str, Option]
    scenarios: Mapping[str, ScenarioDatum]
