"""The table as an SVG document: the map of `drawing.py` with the blocks as one viewer sees them.

    draw(view) -> str

A block that the viewer may see shows its type and steps; of all others the back of the block, in the color of its
nation, and how many of them stand there [VE 2.0].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from stavka.games.victory_in_europe.chart import LABELS, Stack, places_of, title
from stavka.games.victory_in_europe.drawing import SIDE_COLORS, SIZE, backdrop, spot
from stavka.games.victory_in_europe.ground import BLOCKS, COUNTRIES, SIDE_OF_MAJOR
from stavka.games.victory_in_europe.headline import SEAT_TITLES

EDGE: Final = 15.0  # pixels of a block's edge
ROW: Final = 4  # blocks side by side in a place
STYLE: Final = """
text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle}
.name{font-size:6.4px;fill:#333}.sea{font-size:6.6px;fill:#2c5b80;font-style:italic}.resource{fill:#e8b800;stroke:#7a6200;stroke-width:.6}
.count{font-size:5px;fill:#333}.factory{fill:#777;stroke:#222;stroke-width:.6}.works{font-size:6px;fill:#fff}
.label{font-size:4.4px}.steps{font-size:6.2px;font-weight:bold}.battle{fill:none;stroke:#d21f1f;stroke-width:2}
.headline{font-size:24px;text-anchor:start;fill:#222}.aside{font-size:13px;text-anchor:start;fill:#444}
"""
COLORS: Final = {
    "germany": ("#8d9299", "#111"),
    "italy": ("#8fa394", "#111"),
    "britain": ("#c9b98a", "#111"),
    "france": ("#7fa3d8", "#111"),
    "united_states": ("#9aa86a", "#111"),
    "soviet_union": ("#d9a273", "#111"),
}
MINOR_COLOR: Final = ("#e8973f", "#111")
_SHORT: Final = {
    "infantry": "INF",
    "panzer": "PZ",
    "tank": "TK",
    "leader": "LDR",
    "airborne": "AB",
    "shock": "SH",
    "marine": "MAR",
    "cavalry": "CAV",
    "guard": "GD",
    "fortress": "FORT",
    "fighter": "FA",
    "heavy_bomber": "HB",
    "medium_bomber": "MB",
    "dive_bomber": "DB",
    "naval_bomber": "NB",
    "carrier": "CV",
    "submarine": "UB",
    "battleship": "BB",
    "battlecruiser": "BC",
    "cruiser": "CA",
    "convoy": "CON",
}


def draw(view: Mapping[str, Any]) -> str:
    """Raises MalformedCommand NOT_A_VIEW when the data is not a view of this game."""
    places = places_of(view)
    width, height = SIZE
    minors, at_war = view["minors"], view["at_war"]

    def side_of(country: str) -> str:
        side = SIDE_OF_MAJOR.get(country, minors.get(country, ""))
        apart = country in ("italy", "united_states") and country not in at_war
        return side if side in SIDE_COLORS and not apart else ""

    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<style>{STYLE}</style>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#f7f4ea"/>',
            *backdrop(view["control"], view["factories"], side_of),
            *(line for place, stack in sorted(places.items()) for line in _stack(place, stack)),
            *_battles(view),
            *_titles(view),
            "</svg>",
        )
    )


def _titles(view: Mapping[str, Any]) -> Iterator[str]:
    yield f'<text x="30" y="36" class="headline">Victory in Europe: {escape(title(view))}</text>'
    order = ", ".join(SEAT_TITLES[seat] for seat in view["order"]) or "not yet known"
    commands = ", ".join(f"{SEAT_TITLES[pool]} {count}" for pool, count in view["commands"].items()) or "none"
    beside = f"Order of play: {order}. Commands left: {commands}."
    yield f'<text x="30" y="60" class="aside">{escape(beside)}</text>'


def _battles(view: Mapping[str, Any]) -> Iterator[str]:
    for place in view["clashes"]:
        x, y = spot(place)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="24" class="battle"/>'


def _stack(place: str, stack: Stack) -> Iterator[str]:
    """Blocks of a place in rows, seen ones first."""
    x, y = spot(place)
    faces = [_face(block, steps) for block, steps in stack.known]
    faces += [_back(nation, count) for nation, count in sorted(stack.hidden.items())]
    for number, face in enumerate(faces):
        column, row = number % ROW, number // ROW
        left = x + (column - min(len(faces), ROW) / 2) * (EDGE + 1)
        yield f'<g transform="translate({left:.1f},{y - 8 + row * (EDGE + 1):.1f})">{face}</g>'


def _square(fill: str) -> str:
    return f'<rect width="{EDGE}" height="{EDGE}" rx="2" fill="{fill}" stroke="#222" stroke-width="0.7"/>'


def _face(block: str, steps: int) -> str:
    datum = BLOCKS[block]
    fill, ink = COLORS.get(datum.nation, MINOR_COLOR)
    return (
        f"<title>{escape(datum.name)} {steps}</title>{_square(fill)}"
        f'<text x="{EDGE / 2}" y="6" class="label" fill="{ink}">{_SHORT[datum.type.id]}</text>'
        f'<text x="{EDGE / 2}" y="13" class="steps" fill="{ink}">{steps}</text>'
    )


def _back(nation: str, count: int) -> str:
    fill, ink = COLORS.get(nation, MINOR_COLOR)
    name = COUNTRIES[nation].name
    return (
        f"<title>{count} of {escape(name)}</title>{_square(fill)}"
        f'<text x="{EDGE / 2}" y="6" class="label" fill="{ink}">{escape(LABELS.get(nation, name[:4]))}</text>'
        f'<text x="{EDGE / 2}" y="13" class="steps" fill="{ink}">×{count}</text>'
    )
