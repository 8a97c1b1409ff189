"""The map as a drawing [RV 2.0, RV 9.1]: hexes, rivers, borders, cities, control.

    backdrop(state) -> list of SVG elements     everything that lies under the counters
    center(code)                                pixel position of a hex
    SIZE                                        width and height of the sheet in pixels

A pointy-top hex is WIDTH pixels between its flat sides; positions come from the map's own coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from math import cos, pi, sin
from typing import Final

from stavka.games.red_vengeance.combat.strength import city_terrain
from stavka.games.red_vengeance.control import controls_alone
from stavka.games.red_vengeance.datum import HexDatum
from stavka.games.red_vengeance.ground import MAP
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.hexgrid import DIRECTIONS

WIDTH: Final = 58.0
RADIUS: Final = WIDTH / 3**0.5
MARGIN: Final = 40.0
TOP: Final = 92.0

FILLS: Final = {"clear": "#efe8cf", "rough": "#cfae83", "forest": "#a9c58d", "swamp": "#a8c7b9", "sea": "#a9cbe4"}
NEUTRAL: Final = "#d9d6d0"
CONTROL: Final = {AXIS: "#59636e", ALLIED: "#b3261e"}
_CORNERS: Final = [(RADIUS * sin(pi / 3 * k), -RADIUS * cos(pi / 3 * k)) for k in range(6)]
"""Corners from the top, clockwise: top, upper right, lower right, bottom, lower left, upper left."""
_SIDE_CORNERS: Final = {"E": (1, 2), "SE": (2, 3), "SW": (3, 4), "W": (4, 5), "NW": (5, 0), "NE": (0, 1)}

_LEFT: Final = min(h.at[0] for h in MAP.hexes)
_UP: Final = min(h.at[1] for h in MAP.hexes)
SIZE: Final = (
    2 * MARGIN + WIDTH * (max(h.at[0] for h in MAP.hexes) - _LEFT + 1),
    TOP + MARGIN + WIDTH * (max(h.at[1] for h in MAP.hexes) - _UP) + 2 * RADIUS,
)


def center(code: str) -> tuple[float, float]:
    x, y = MAP.hex(code).at
    return MARGIN + WIDTH * (x - _LEFT + 0.5), TOP + RADIUS + WIDTH * (y - _UP)


def backdrop(state: State) -> list[str]:
    return [*_ground(), *_hexsides(), *_places(state), *_control(state)]


def points(code: str, scale: float = 1.0) -> list[str]:
    """Corners of a hex as "x,y", from the top, clockwise."""
    x, y = center(code)
    return [f"{x + scale * dx:.1f},{y + scale * dy:.1f}" for dx, dy in _CORNERS]


@cache
def _ground() -> tuple[str, ...]:
    """Every hex with its number."""
    found = []
    for h in MAP.hexes:
        fill = FILLS[h.terrain] if h.playable or h.terrain == "sea" else NEUTRAL
        x, y = center(h.id)
        found.append(f'<polygon points="{" ".join(points(h.id))}" fill="{fill}" stroke="#b9b199" stroke-width="0.7"/>')
        found.append(f'<text x="{x:.1f}" y="{y - RADIUS * 0.72:.1f}" class="number">{h.id}</text>')
        found += _texture(h, x, y)
    return tuple(found)


def _texture(h: HexDatum, x: float, y: float) -> Iterator[str]:
    """A sign for terrain, so that a print without color can be read."""
    if h.terrain == "rough":
        yield f'<path d="M{x - 9:.1f},{y + 22:.1f} l6,-9 l5,7 l4,-5 l5,7" class="relief"/>'
    elif h.terrain == "forest":
        for dx in (-7, 0, 7):
            yield f'<path d="M{x + dx:.1f},{y + 23:.1f} v-4 m-3,1 l3,-7 l3,7 z" class="trees"/>'
    elif h.terrain == "swamp":
        yield f'<path d="M{x - 10:.1f},{y + 20:.1f} h8 m3,0 h8 m-15,3 h10" class="reeds"/>'


@cache
def _hexsides() -> tuple[str, ...]:
    """Rivers and borders, each hexside once."""
    rivers, borders = [], []
    for h in MAP.hexes:
        for place, direction in enumerate(DIRECTIONS):
            n = h.neighbours[place]
            if n <= h.index:
                continue
            a, b = _SIDE_CORNERS[direction]
            ends = points(h.id)
            line = f"M{ends[a]} L{ends[b]}"
            if h.rivers[place]:
                rivers.append(line)
            other = MAP.hexes[n]
            if h.country and other.country and h.country != other.country:
                borders.append(line)
    return (
        f'<path d="{" ".join(borders)}" class="border"/>',
        f'<path d="{" ".join(rivers)}" class="river"/>',
    )


def _places(state: State) -> Iterator[str]:
    """Cities, ports, fortresses and oil fields."""
    for h in MAP.hexes:
        x, y = center(h.id)
        if h.oil:
            yield f'<path d="M{x + 17:.1f},{y + 20:.1f} l5,-12 l5,12 z m2,-5 h6" class="oil"/>'
        if h.city is None:
            continue
        major = city_terrain(state, h.id) == "major_city"
        if h.city.fortress:
            yield f'<polygon points="{" ".join(points(h.id, 0.88))}" class="fortress"/>'
        if major:
            yield f'<rect x="{x - 8:.1f}" y="{y - 8:.1f}" width="16" height="16" class="city"/>'
        else:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" class="city"/>'
        if h.city.port:
            yield f'<text x="{x - 22:.1f}" y="{y + 18:.1f}" class="anchor">⚓</text>'
        name = escape(h.city.name)
        yield f'<text x="{x:.1f}" y="{y + 26:.1f}" class="{"major" if major else "town"}">{name}</text>'


def _control(state: State) -> Iterator[str]:
    """A dot in the corner of every hex that one side alone controls."""
    for h in MAP.hexes:
        if h.id not in state.control:
            continue
        for side, color in CONTROL.items():
            if controls_alone(state, side, h.id):
                x, y = center(h.id)
                yield f'<circle cx="{x - WIDTH * 0.36:.1f}" cy="{y - 9:.1f}" r="2.6" fill="{color}"/>'
