"""The printed map and counters as the rules use them: bit boards, costs, counters by id [RV 2.0, RV 9.1].

    GRID                            the 34 x 25 hex grid; sets of hexes are its integers
    LAND                            hexes that a unit may be in at all: no sea, no neutral country
    TERRAIN[name] COUNTRY[name]     hexes by base terrain and by country
    BALTIC_COAST BLACK_SEA_COAST EAST_EDGE WEST_EDGE PORTS BALTIC_PORTS CITIES FORTRESSES NOTABLE
    RIVERS                          river hexsides by direction of crossing
    COSTS[kind, snow]               step costs of foot, mountain, mechanized and commander
    UNITS COMMANDERS PIECES         counters by id; `nation_of`, `is_commander`
    WEATHER SEA_BOXES               kinds of weather and boxes of the Baltic track by id

All of it is derived from `data/` once, at import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from stavka.games.red_vengeance.charts import SeaBox, WeatherDatum
from stavka.games.red_vengeance.datum import Commander, HexDatum, UnitDatum
from stavka.games.red_vengeance.load import load
from stavka.kernel.hexgrid import HexGrid
from stavka.kernel.terrain import Entry, Side, StepCosts, hexsides, step_costs, uniform_costs

DATA: Final = load()
MAP: Final = DATA.map
UNITS: Final[Mapping[str, UnitDatum]] = dict(DATA.units)
COMMANDERS: Final[Mapping[str, Commander]] = dict(DATA.commanders)
WEATHER: Final[Mapping[str, WeatherDatum]] = {kind.id: kind for kind in DATA.weather.kinds.values()}
SEA_BOXES: Final[Mapping[str, SeaBox]] = {box.id: box for box in DATA.sea_control.boxes}
PIECES: Final[tuple[str, ...]] = (*UNITS, *COMMANDERS)

GRID: Final = HexGrid(MAP.rows, MAP.columns, shifted="even", columns_from="east")


def _where(test: Callable[[HexDatum], bool]) -> int:
    return GRID.mask(h.id for h in MAP.hexes if test(h))


LAND: Final = _where(lambda h: h.playable)
TERRAIN: Final = {
    kind: GRID.mask(h.id for h in MAP.hexes if h.terrain == kind)
    for kind in ("clear", "rough", "swamp", "forest", "sea")
}
COUNTRY: Final = {country: GRID.mask(h.id for h in MAP.hexes if h.country == country) for country in MAP.countries}
YUGOSLAVIA: Final = COUNTRY["yugoslavia"]
YUGOSLAV_ROUGH: Final = YUGOSLAVIA & TERRAIN["rough"]
BALTIC_COAST: Final = LAND & _where(lambda h: "baltic" in h.seas)
BLACK_SEA_COAST: Final = LAND & _where(lambda h: "black_sea" in h.seas)
EAST_EDGE: Final = LAND & _where(lambda h: MAP.supply_edges["allied"] in h.edges)
WEST_EDGE: Final = LAND & _where(lambda h: MAP.supply_edges["axis"] in h.edges)
MAP_EDGE: Final = LAND & _where(lambda h: bool(h.edges))
CITIES: Final = _where(lambda h: h.city is not None)
PORTS: Final = _where(lambda h: h.city is not None and h.city.port)
BALTIC_PORTS: Final = PORTS & BALTIC_COAST
FORTRESSES: Final = _where(lambda h: h.city is not None and h.city.fortress)
OIL: Final = tuple(h.id for h in MAP.hexes if h.oil)
RIVERS: Final = hexsides(
    GRID,
    [
        (h.id, MAP.hexes[n].id)
        for h in MAP.hexes
        for n, river in zip(h.neighbours, h.rivers, strict=True)
        if river and n > h.index
    ],
)

CITY_HEX: Final[Mapping[str, str]] = {name: MAP.hexes[index].id for name, index in MAP.cities.items()}
"""City name, as on the map ("Berlin") -> hex."""


def _kind_costs(kind: str, snow: bool) -> StepCosts:
    """Chart costs of one kind of mover; in snow swamps are clear [RV 9.1, RV 13.0]."""
    entries = []
    for row in DATA.terrain.values():
        if row.where_on_map != "hex":
            continue
        effective = DATA.terrain[row.snow_as] if snow and row.snow_as else row
        cost = getattr(effective, kind)
        entries.append(Entry(row.id, cost, LAND & TERRAIN[row.id]))
    sides = [
        Side(row.id, getattr(row, kind), RIVERS)
        for row in DATA.terrain.values()
        if row.where_on_map == "hexside" and row.id == "river" and getattr(row, kind)
    ]
    return step_costs(entries, sides)


COSTS: Final[Mapping[tuple[str, bool], StepCosts]] = {
    **{(kind, snow): _kind_costs(kind, snow) for kind in ("foot", "mountain", "mechanized") for snow in (False, True)},
    **{("commander", snow): uniform_costs(LAND, label="commander") for snow in (False, True)},
}
"""Kind of mover and whether it snows -> costs. A commander pays 1 MP a hex [RV 11.22]."""

_KIND: Final = {"armor": "mechanized", "mountain": "mountain"}


_KINDS: Final = {
    **{unit: _KIND.get(datum.branch, "foot") for unit, datum in UNITS.items()},
    **dict.fromkeys(COMMANDERS, "commander"),
}


def kind_of(piece: str) -> str:
    """Movement column of a piece: foot, mountain, mechanized or commander [RV 9.1]."""
    return _KINDS[piece]


def is_commander(piece: str) -> bool:
    return piece in COMMANDERS


_NATIONS: Final[dict[str, str]] = {
    **{unit: datum.nation for unit, datum in UNITS.items()},
    **{commander: datum.nation for commander, datum in COMMANDERS.items()},
}


def nation_of(piece: str) -> str:
    """Nation of a unit or commander. Raises KeyError."""
    return _NATIONS[piece]


def title_of(code: str) -> str:
    """A hex for people: its number and, if it has one, its city."""
    city = MAP.hex(code).city
    return f"{code} {city.name}" if city else code
