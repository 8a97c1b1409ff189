"""The table as an SVG document [RV 2.0]: the map of `drawing.py` with its counters, and what stands beside it.

    draw(view) -> str

Counters have the colors of the book, a NATO symbol for the branch, combat and movement factor of the side that shows; a
bar marks a reduced unit, a turned counter one that is out of supply [RV 5.2].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from stavka.games.red_vengeance.board import board_of, is_reduced, strength_of
from stavka.games.red_vengeance.drawing import SIZE, backdrop, center
from stavka.games.red_vengeance.ground import COMMANDERS, UNITS, nation_of
from stavka.games.red_vengeance.headline import SIDE_TITLES, headline, restore, who_acts
from stavka.games.red_vengeance.state import State

SIDE: Final = 34.0  # pixels of a counter's edge
STYLE: Final = """
text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle}
.number{font-size:6.5px;fill:#8d8672}.town{font-size:8px;fill:#333}.major{font-size:9px;font-weight:bold;fill:#111}
.anchor{font-size:12px;fill:#1d4f7c}.river{fill:none;stroke:#3f7fb5;stroke-width:3.4;stroke-linecap:round}
.border{fill:none;stroke:#a3443c;stroke-width:1.8;stroke-dasharray:5 3}
.relief{fill:none;stroke:#8a6a3f;stroke-width:1.3}.trees{fill:#5f8a48;stroke:#5f8a48;stroke-width:1}
.reeds{fill:none;stroke:#5b8a7c;stroke-width:1.2}.city{fill:#4a4a4a;stroke:#fff;stroke-width:1}
.fortress{fill:none;stroke:#5a4632;stroke-width:2.2}.oil{fill:#222;stroke:#222;stroke-width:1}
.factor{font-size:10px;font-weight:bold}.id{font-size:5.2px}.headline{font-size:24px;text-anchor:start;fill:#222}
.aside{font-size:13px;text-anchor:start;fill:#444}
"""
COLORS: Final = {
    "german": ("#a9c4dc", "#111"),
    "hungarian": ("#2f6b3c", "#fff"),
    "romanian": ("#ead04e", "#111"),
    "bulgarian": ("#d9c39c", "#111"),
    "soviet": ("#c63a32", "#fff"),
    "polish": ("#d8574c", "#fff"),
    "yugoslav": ("#eeb0bf", "#111"),
}
SS_COLORS: Final = ("#3d444c", "#cfe2f2")


def draw(view: Mapping[str, Any]) -> str:
    state = restore(view)
    width, height = SIZE
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<style>{STYLE}</style>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#f7f4ea"/>',
            *_titles(state),
            *backdrop(state),
            *_stacks(state),
            "</svg>",
        )
    )


def _titles(state: State) -> Iterator[str]:
    yield f'<text x="40" y="40" class="headline">Red Vengeance: {escape(headline(state))}</text>'
    acting = " and ".join(SIDE_TITLES[side] for side in who_acts(state)) or "nobody"
    hitler = "alive" if state.hitler_alive else "dead"
    minors = ", ".join(f"{country.title()} {what}" for country, what in state.minors.items())
    beside = f"To act: {acting}. Air points: {state.air}. {minors}. Hitler {hitler}."
    yield f'<text x="40" y="64" class="aside">{escape(beside)}</text>'


def _stacks(state: State) -> Iterator[str]:
    for code, stack in sorted(board_of(state).stacks.items()):
        x, y = center(code)
        offset = min(6.0, 14.0 / max(1, len(stack) - 1)) if len(stack) > 1 else 0.0
        first = -offset * (len(stack) - 1) / 2
        for place, piece in enumerate(reversed(stack)):
            shift = first + offset * place
            yield from _counter(state, piece, x + shift, y + shift)


def _counter(state: State, piece: str, x: float, y: float) -> Iterator[str]:
    """One counter around (x, y)."""
    unit = UNITS.get(piece)
    fill, ink = SS_COLORS if unit is not None and unit.ss else COLORS[nation_of(piece)]
    half = SIDE / 2
    turned = ' transform="rotate(90)"' if piece in state.oos else ""
    yield f'<g transform="translate({x:.1f},{y:.1f})"><title>{escape(_title(state, piece))}</title><g{turned}>'
    yield (
        f'<rect x="{-half}" y="{-half}" width="{SIDE}" height="{SIDE}" rx="3" fill="{fill}" stroke="#222"'
        ' stroke-width="0.9"/>'
    )
    if unit is None:
        name = COMMANDERS[piece].name
        yield f'<path d="{_STAR}" fill="{ink}"/><text y="12" class="id" fill="{ink}">{escape(name)}</text>'
    else:
        yield f'<text y="-10.5" class="id" fill="{ink}">{escape(_short(unit.name))}</text>'
        yield f'<g fill="none" stroke="{ink}" stroke-width="1.1">{_SYMBOLS[unit.branch]}</g>'
        factors = f"{strength_of(state, piece)}-{unit.movement}"
        yield f'<text y="14" class="factor" fill="{ink}">{factors}</text>'
        if is_reduced(state, piece):
            yield f'<path d="M{-half},{-half + 3} h{SIDE}" stroke="#ffffff" stroke-width="2.5"/>'
    yield "</g></g>"


_BOX: Final = '<rect x="-9" y="-8.5" width="18" height="11.5"/>'
_CROSS: Final = '<path d="M-9,-8.5 L9,3 M-9,3 L9,-8.5"/>'
_OVAL: Final = '<rect x="-6.5" y="-6" width="13" height="6.5" rx="3.2"/>'
_SYMBOLS: Final = {
    "infantry": _BOX + _CROSS,
    "cavalry": _BOX + '<path d="M-9,3 L9,-8.5"/>',
    "armor": _BOX + _OVAL,
    "mountain": _BOX + _CROSS + '<path d="M-3,3 L0,-2 L3,3 z" fill="currentColor"/>',
    "shock": _BOX + _CROSS + '<path d="M-9,-8.5 h3.5 v11.5 h-3.5 z" fill="currentColor"/>',
    "marine": _BOX + '<path d="M0,-7 v8 M-4,-2 q0,4 4,4 q4,0 4,-4 M-2.5,-5 h5"/>',
}
_STAR: Final = "M0,-13 L3,-4 L12,-4 L5,1 L8,9 L0,4 L-8,9 L-5,1 L-12,-4 L-3,-4 z"


def _short(name: str) -> str:
    """A unit's name without the words that its symbol says."""
    for word in (" Corps", " Army", " Panzer", " Mountain", " Division"):
        name = name.replace(word, "")
    return name[:12]


def _title(state: State, piece: str) -> str:
    unit = UNITS.get(piece)
    if unit is None:
        return COMMANDERS[piece].name
    notes = [
        note for note, holds in (("reduced", is_reduced(state, piece)), ("out of supply", piece in state.oos)) if holds
    ]
    return f"{unit.name}{' (' + ', '.join(notes) + ')' if notes else ''}"
