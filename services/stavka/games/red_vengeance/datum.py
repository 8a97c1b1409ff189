"""Shapes of the map sheet and the counters [RV 2.0]; charts, tables and scenarios are in `charts.py`.

Frozen, slotted structures. Those read from TOML check their own fields; what joins several files is checked in
`check.py`. Sides are "axis" and "allied", nations and countries lower-case words, hexes the printed four digits (row
from the north, column from the EAST). Strengths are combat factors, movement is in MP, turns run from 1 (June 1944)
to 11 (April 1945).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass as plain
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

STRICT = ConfigDict(extra="forbid")

Source = Literal["printed", "public", "derived", "history", "design"]
SideId = Literal["axis", "allied"]
Nation = Literal["german", "hungarian", "romanian", "bulgarian", "soviet", "polish", "yugoslav"]
Branch = Literal["infantry", "cavalry", "armor", "mountain", "shock", "marine"]
BaseTerrain = Literal["clear", "rough", "swamp", "forest", "sea"]
Sea = Literal["baltic", "black_sea", "adriatic", "north_sea"]
Edge = Literal["north", "east", "south", "west"]
StartMark = Literal["", "axis_line", "allied_line", "german_y", "partisan"]
Control = Literal["", "axis", "allied", "both"]
WeatherId = Literal["clear", "light_mud", "mud", "snow"]
BoxId = Literal["german_lake", "soviet_subs", "light_surface", "heavy_surface"]
HexId = Annotated[str, Field(pattern=r"^\d{4}$")]
Turn = Annotated[int, Field(ge=1, le=11)]
Factor = Annotated[int, Field(ge=0, le=9)]
Die = Annotated[int, Field(ge=1, le=7)]


@dataclass(frozen=True, slots=True, config=STRICT)
class City:
    """A city hex [RV 9.1]. `volksgrenadier`: one of the eight of RV 11.8; `port`: anchor [RV 12.22]."""

    hex: HexId
    name: str
    size: Literal["small", "major"]
    source: Source
    where: str
    port: bool = False
    fortress: bool = False
    volksgrenadier: bool = False


@dataclass(frozen=True, slots=True, config=STRICT)
class OilField:
    hex: HexId
    name: str
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Country:
    """`neutral`: no unit may enter it."""

    id: str
    name: str
    neutral: bool = False


@plain(frozen=True, slots=True)
class HexDatum:
    """One hex of the sheet, in reading order (row by row from the north, columns from the east).

    `neighbours` holds the six indices of the adjacent hexes in the order of the kernel's `hexgrid.DIRECTIONS`, -1 off
    the map; `rivers` whether that hexside is a river; `seas` the seas that a land hex touches, sorted; `edges` the map
    edges it lies on. `playable` is false for sea and neutral land. `control` is the side at the start, "both" in
    Yugoslavia [RV 7.3], "" for nobody. `at` is the center (x, y) in hex widths, growing east and south.
    """

    id: HexId
    index: int
    row: int
    column: int
    terrain: BaseTerrain
    country: str
    playable: bool
    seas: tuple[Sea, ...]
    edges: tuple[Edge, ...]
    city: City | None
    oil: bool
    start: StartMark
    control: Control
    neighbours: tuple[int, ...]
    rivers: tuple[bool, ...]
    at: tuple[float, float]
    latitude: float
    longitude: float
    source: Source

    @property
    def is_land(self) -> bool:
        return self.terrain != "sea"


@plain(frozen=True, slots=True)
class MapData:
    """The sheet. `hexes[index[id]]` is the hex printed `id`; `cities` and `oil_fields` give hex indices by name."""

    rows: int
    columns: int
    hexes: tuple[HexDatum, ...]
    index: Mapping[str, int]
    cities: Mapping[str, int]
    oil_fields: Mapping[str, int]
    countries: Mapping[str, Country]
    supply_edges: Mapping[SideId, Edge]

    def hex(self, id: str) -> HexDatum:
        """The hex with this printed number. Raises KeyError if there is none."""
        return self.hexes[self.index[id]]

    def marked(self, mark: StartMark) -> tuple[str, ...]:
        """Ids of the hexes with this set-up mark [RV 3.2, RV 3.3], in reading order."""
        return tuple(h.id for h in self.hexes if h.start == mark)


@dataclass(frozen=True, slots=True, config=STRICT)
class UnitDatum:
    """A combat unit's counter. `reduced` is the strength of the back, 0 for one-step units.

    `arrival`: 0 at the start, 2..11 the game turn, "Y" Yugoslav garrison, "W" when Warsaw is Allied, "B" with the Heavy
    Surface box. `setup`: a start mark or a hex, "" for later arrivals. `home`: the country it is bound to, or "".
    """

    id: Annotated[str, Field(pattern=r"^(ger|hun|rom|bul|sov|pol|yug)-[a-z0-9-]+$")]
    name: str
    side: SideId
    nation: Nation
    branch: Branch
    size: Literal["corps", "army", "division"]
    strength: Annotated[int, Field(ge=1, le=9)]
    movement: Annotated[int, Field(ge=1, le=9)]
    reduced: Factor
    steps: Annotated[int, Field(ge=1, le=2)]
    arrival: Annotated[int, Field(ge=0, le=11)] | Literal["Y", "W", "B"]
    source: Source
    ss: bool = False
    setup: str = ""
    home: str = ""
    where: str = ""

    @property
    def is_guards(self) -> bool:
        """Soviet infantry with movement 4 [RV 6.6]."""
        return self.nation == "soviet" and self.branch == "infantry" and self.movement == 4

    @property
    def starts_on_map(self) -> bool:
        return self.setup != ""


@dataclass(frozen=True, slots=True, config=STRICT)
class Commander:
    """A commander's counter [RV 11.21]. `moves_as` is the branch that RV 11.24 to RV 11.26 name."""

    id: str
    name: str
    side: SideId
    nation: Nation
    attack: Factor
    defense: Factor
    movement: Factor
    exploitation: Factor
    moves_as: Literal["armor", "mountain"]
    arrival: Annotated[int, Field(ge=0, le=11)]
    setup: StartMark
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Hitler:
    """No counter [RV 11.27]. The suicide fields are the lowest die result that does it."""

    hex: HexId
    attack: Factor
    defense: Factor
    defense_with_ss: Factor
    suicide_attack_without_hit: Die
    suicide_hit: Die
    suicide_surrounded: Die
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Marker:
    id: str
    name: str
    count: Annotated[int, Field(ge=1)]
    source: Source
    where: str
