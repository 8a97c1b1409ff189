"""Reads Red Vengeance's data files, once a process, and refuses wrong ones with file, key and reason.

`load()` gives `Data`: `.map` (hexes in reading order, by index and by printed number), `.units`, `.commanders`,
`.terrain`, `.weather`, `.air_power`, `.sea_control`, `.replacements`, `.reinforcements`, `.victory`, `.options`,
`.scenarios`. `read(folder)` does the same for another folder, uncached. `rulebook()` gives the section index.

Raises:
    DataError: a file is missing, is no TOML or CSV, a field is missing, unknown or out of range, or files disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar, get_args

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from stavka.kernel.errors import DataError

from .charts import (
    AirPowerRow,
    Arrival,
    BlackSea,
    Data,
    Option,
    Rebuilt,
    ReplacementRow,
    ScenarioDatum,
    SeaAdvance,
    SeaBox,
    SeaControl,
    Section,
    SixWeathers,
    TerrainDatum,
    Victory,
    WeatherDatum,
    WeatherTables,
)
from .check import TURNS, check
from .datum import (
    STRICT,
    BoxId,
    Commander,
    Hitler,
    Marker,
    Source,
    UnitDatum,
    WeatherId,
)
from .files import by_id, parse, read_toml
from .sheet import read_map

PACKAGE = Path(__file__).parent
SCENARIOS = ("campaign",)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, config=STRICT)
class Provenance:
    what: str
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Total:
    counters: int
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class HistoricalWeather:
    turns: tuple[WeatherId, ...]
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class RandomWeather:
    turns: tuple[SixWeathers, ...]
    source: Source
    where: str


@dataclass(frozen=True, slots=True, config=STRICT)
class UnitsFile:
    unit: tuple[UnitDatum, ...]
    provenance: tuple[Provenance, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class CommandersFile:
    commander: tuple[Commander, ...]
    hitler: Hitler


@dataclass(frozen=True, slots=True, config=STRICT)
class MarkersFile:
    marker: tuple[Marker, ...]
    total: Total


@dataclass(frozen=True, slots=True, config=STRICT)
class TerrainFile:
    terrain: tuple[TerrainDatum, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class WeatherFile:
    weather: tuple[WeatherDatum, ...]
    historical: HistoricalWeather
    random: RandomWeather


@dataclass(frozen=True, slots=True, config=STRICT)
class AirPowerFile:
    air_power: tuple[AirPowerRow, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class SeaControlFile:
    advance: SeaAdvance
    black_sea: BlackSea
    box: tuple[SeaBox, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class ReplacementsFile:
    schedule: tuple[ReplacementRow, ...]
    rebuilt: Rebuilt


@dataclass(frozen=True, slots=True, config=STRICT)
class ReinforcementsFile:
    arrival: tuple[Arrival, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class OptionsFile:
    option: tuple[Option, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class RulebookFile:
    section: tuple[Section, ...]


_UNITS: TypeAdapter[UnitsFile] = TypeAdapter(UnitsFile)
_COMMANDERS: TypeAdapter[CommandersFile] = TypeAdapter(CommandersFile)
_MARKERS: TypeAdapter[MarkersFile] = TypeAdapter(MarkersFile)
_TERRAIN: TypeAdapter[TerrainFile] = TypeAdapter(TerrainFile)
_WEATHER: TypeAdapter[WeatherFile] = TypeAdapter(WeatherFile)
_AIR_POWER: TypeAdapter[AirPowerFile] = TypeAdapter(AirPowerFile)
_SEA_CONTROL: TypeAdapter[SeaControlFile] = TypeAdapter(SeaControlFile)
_REPLACEMENTS: TypeAdapter[ReplacementsFile] = TypeAdapter(ReplacementsFile)
_REINFORCEMENTS: TypeAdapter[ReinforcementsFile] = TypeAdapter(ReinforcementsFile)
_VICTORY: TypeAdapter[Victory] = TypeAdapter(Victory)
_OPTIONS: TypeAdapter[OptionsFile] = TypeAdapter(OptionsFile)
_SCENARIO: TypeAdapter[ScenarioDatum] = TypeAdapter(ScenarioDatum)
_RULEBOOK: TypeAdapter[RulebookFile] = TypeAdapter(RulebookFile)


@cache
def load() -> Data:
    """The game's own data files, read and checked on the first call."""
    return read(PACKAGE / "data")


@cache
def rulebook() -> tuple[Section, ...]:
    """The section index in the book's order."""
    return read_rulebook(PACKAGE)


def read(folder: Path) -> Data:
    """All data files in `folder`, checked against each other."""
    commanders = parse_file(_COMMANDERS, folder, "commanders.toml")
    markers = parse_file(_MARKERS, folder, "markers.toml")
    replacements = parse_file(_REPLACEMENTS, folder, "replacements.toml")
    data = Data(
        map=read_map(folder),
        units=by_id(parse_file(_UNITS, folder, "units.toml").unit, "units.toml", "unit"),
        commanders=by_id(commanders.commander, "commanders.toml", "commander"),
        hitler=commanders.hitler,
        markers=tuple(by_id(markers.marker, "markers.toml", "marker").values()),
        counters=markers.total.counters,
        terrain=by_id(
            parse_file(_TERRAIN, folder, "terrain.toml").terrain,
            "terrain.toml",
            "terrain",
        ),
        weather=_weather(folder),
        air_power=parse_file(_AIR_POWER, folder, "air_power.toml").air_power,
        sea_control=_sea_control(folder),
        replacements=replacements.schedule,
        rebuilt=replacements.rebuilt,
        reinforcements=_reinforcements(folder),
        victory=parse_file(_VICTORY, folder, "victory.toml"),
        options=by_id(
            parse_file(_OPTIONS, folder, "options.toml").option,
            "options.toml",
            "option",
        ),
        scenarios=MappingProxyType({id: _scenario(folder, id) for id in SCENARIOS}),
    )
    check(data)
    return data


def read_rulebook(folder: Path) -> tuple[Section, ...]:
    """The sections of `rulebook.toml` in `folder`; an id may stand once."""
    sections = parse_file(_RULEBOOK, folder, "rulebook.toml").section
    return tuple(by_id(sections, "rulebook.toml", "section").values())


def parse_file(adapter: TypeAdapter[T], folder: Path, file: str) -> T:
    """A whole TOML file as the adapter's type."""
    return parse(adapter, read_toml(folder, file), file)


def _weather(folder: Path) -> WeatherTables:
    file = "weather.toml"
    weather = parse_file(_WEATHER, folder, file)
    for table, turns in (
        ("historical", len(weather.historical.turns)),
        ("random", len(weather.random.turns)),
    ):
        if turns != TURNS:
            raise DataError(file, f"{table}.turns", f"{turns} turns, not {TURNS}")
    kinds = by_id(weather.weather, file, "weather")
    for id in get_args(WeatherId):
        if id not in kinds:
            raise DataError(file, f"weather[{id}]", "is missing")
    return WeatherTables(kinds, weather.historical.turns, weather.random.turns)


def _sea_control(folder: Path) -> SeaControl:
    track = parse_file(_SEA_CONTROL, folder, "sea_control.toml")
    boxes = by_id(track.box, "sea_control.toml", "box")
    for id in get_args(BoxId):
        if id not in boxes:
            raise DataError("sea_control.toml", f"box[{id}]", "is missing")
    return SeaControl(track.advance, track.black_sea, tuple(boxes.values()))


def _reinforcements(folder: Path) -> Mapping[str, tuple[str, ...]]:
    arrivals = parse_file(_REINFORCEMENTS, folder, "reinforcements.toml").arrival
    return MappingProxyType({arrival.group: arrival.hexes for arrival in arrivals})


def _scenario(folder: Path, id: str) -> ScenarioDatum:
    file = f"scenarios/{id}.toml"
    scenario = parse_file(_SCENARIO, folder, file)
    if scenario.id != id:
        raise DataError(file, "id", f"must be {id}")
    return replace(scenario, setup=MappingProxyType(dict(scenario.setup)))
