"""The map as a drawing: areas and seas by their outlines, cities, ports, resources, who holds what [VE 1.0].

    backdrop(control, factories, side_of) -> SVG elements      all that lies under the blocks
    spot(place) -> (x, y)                                      where the blocks of a place stand, in pixels
    SIZE                                                       width and height of the sheet

Outlines come from data/areas.geojson, which only draws: no rule reads it. The projection is linear in latitude and
longitude, stretched so that shapes are right around 50 degrees north.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from math import cos, pi
from typing import Any, Final

from stavka.games.victory_in_europe.datafiles import DATA
from stavka.games.victory_in_europe.ground import MAP
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET
from stavka.games.victory_in_europe.structures import Area

SCALE: Final = 26.0  # pixels a degree of latitude
STRETCH: Final = cos(50 * pi / 180)
MARGIN: Final = 30.0
TOP: Final = 84.0
LEFT: Final = -62.0  # degrees
RIGHT: Final = 74.0
NORTH: Final = 74.5
SOUTH: Final = 23.0
SIZE: Final = (2 * MARGIN + (RIGHT - LEFT) * SCALE * STRETCH, TOP + MARGIN + (NORTH - SOUTH) * SCALE)

FILLS: Final = {
    "clear": "#efe8cf",
    "forest": "#bfd3a4",
    "mountain": "#d3b78d",
    "desert": "#f3e2b0",
    "sea": "#b9d6ea",
    "ocean": "#a3c8e2",
    "convoy": "#93bedc",
}
SIDE_COLORS: Final = {AXIS: "#3d444c", ALLIED: "#2f62a8", SOVIET: "#b3261e", "": "#c9892f"}


def spot(place: str) -> tuple[float, float]:
    """Pixel position of a place's middle."""
    area = MAP.areas[place]
    return project(area.lon, area.lat)


def project(lon: float, lat: float) -> tuple[float, float]:
    return MARGIN + (min(lon, RIGHT) - LEFT) * SCALE * STRETCH, TOP + (NORTH - lat) * SCALE


def backdrop(control: Mapping[str, str], factories: Mapping[str, Any], side_of: Callable[[str], str]) -> Iterator[str]:
    """`side_of`: country -> side that it counts with, "" for neutrals."""
    yield from _outlines()
    for area in MAP.areas.values():
        yield from _signs(area, factories.get(area.id, ()))
        if area.is_land:
            x, y = spot(area.id)
            color = SIDE_COLORS[side_of(control[area.id])]
            yield f'<rect x="{x - 30:.1f}" y="{y - 20:.1f}" width="5" height="5" fill="{color}"/>'


@cache
def _outlines() -> tuple[str, ...]:
    """One path a place, filled by terrain."""
    shapes = json.loads((DATA / "areas.geojson").read_text(encoding="utf-8"))["features"]
    found = []
    for shape in shapes:
        area = MAP.areas[shape["id"]]
        rings = (ring for polygon in shape["geometry"]["coordinates"] for ring in polygon)
        path = "".join(_ring(ring) for ring in rings)
        fill = FILLS[area.terrain if area.is_land else area.kind]
        line = "#8d8672" if area.is_land else "#7fa9c6"
        found.append(
            f'<path d="{path}" fill="{fill}" stroke="{line}" stroke-width="0.8"><title>{escape(area.name)}</title></path>'
        )
    return tuple(found)


def _ring(points: list[list[float]]) -> str:
    spots = (project(lon, lat) for lon, lat in points)
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in spots) + "Z"


def _signs(area: Area, factories: tuple[int, ...]) -> Iterator[str]:
    """Name, capital, naval base, resources and factories of a place."""
    x, y = spot(area.id)
    style = "name" if area.is_land else "sea"
    star = "★ " if area.capital_of else ""
    base = " ⚓" if any(coast.kind == "base" for coast in area.coasts) else ""
    yield f'<text x="{x:.1f}" y="{y + 17:.1f}" class="{style}">{star}{escape(area.name)}{base}</text>'
    if area.resource:
        yield f'<path d="M{x + 22:.1f},{y + 6:.1f} l5,-9 l5,9 z" class="resource"/>'
        yield f'<text x="{x + 27:.1f}" y="{y + 5:.1f}" class="count">{area.resource}</text>'
    if factories:
        total = "+".join(map(str, factories))
        yield f'<rect x="{x + 20:.1f}" y="{y - 20:.1f}" width="14" height="10" class="factory"/>'
        yield f'<text x="{x + 27:.1f}" y="{y - 12.5:.1f}" class="works">{total}</text>'
