"""Who holds what, as one seat sees it, and what that is worth: everything that follows from control alone.

    realm_of(atlas, view, seat) -> Realm        worked out once for each state of control; the last few are kept

Worth is counted in production points, roughly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from stavka.bots.choosers import View

from .atlas import Atlas

AXIS: Final = "axis"
MAJORS: Final = {
    "germany": AXIS, "italy": AXIS, "britain": "allied", "france": "allied", "united_states": "allied",
    "soviet_union": "soviet",
}  # fmt: skip
"""Major power -> its side."""
VICTORY: Final = {
    "berlin": 18.0, "moscow": 8.0, "paris": 8.0, "london": 8.0, "rome": 6.0, "leningrad": 5.0, "cairo": 5.0, "baku": 5.0,
    "warsaw": 1.0,
}  # fmt: skip
"""Places that decide the war [VE 9.0]."""
FIRST_FALL: Final = {"moscow": "soviet_union", "london": "britain"}
"""Capitals at whose first fall every unit of theirs loses a step [VE 13 Soviet Union] [VE 13 Britain]."""
SHOCK: Final = 14.0
"""What that is worth."""
LATE: Final = 16
LATE_BERLIN: Final = 3.0
"""From that turn on Berlin is worth this more each turn: whoever holds it at the end has won [VE 9.3]."""
LAST: Final = 24
LAST_BERLIN: Final = 300.0
"""In the last turns hardly anything else counts."""
FADE: Final = 0.8
"""What is left of a goal's pull one area farther away."""
BEHIND: Final = 0.3
"""What is left of a place's worth for its defense one area in front of it."""
EASTWARD: Final = 6
"""Turn from which the Axis gathers in the east."""
FAR: Final = 6
KEPT: Final = 64


class Realm(NamedTuple):
    """`hostile`, `friendly`: land areas; `worth` of them all; `pull` and `shield`: place -> how goals draw, what lies behind;
    `idle`: friendly areas from which no enemy is reached over land within FAR areas."""

    hostile: frozenset[str]
    friendly: frozenset[str]
    worth: Mapping[str, float]
    pull: Mapping[str, float]
    shield: Mapping[str, float]
    idle: frozenset[str]


def sides_of(seat: str) -> tuple[str, ...]:
    """Sides on a seat's side of the war."""
    return (AXIS,) if seat == AXIS else ("allied", "soviet")


def realm_of(atlas: Atlas, view: View, seat: str) -> Realm:
    control, turn = view["control"], int(view["turn"])
    key = (
        seat,
        turn >= EASTWARD,
        max(0, turn - LATE),
        tuple(control.get(area) for area in atlas.land),
        *(tuple(sorted(view[field].items())) for field in ("minors", "attacked")),
        tuple(sorted((area, sum(steps)) for area, steps in view["factories"].items())),
        *(tuple(sorted(view[field])) for field in ("at_war", "fallen", "alternate")),
    )
    found = atlas.realms.get(key)
    if not isinstance(found, Realm):
        if len(atlas.realms) >= KEPT:
            atlas.realms.clear()
        found = atlas.realms[key] = _make(atlas, view, seat)
    return found


def _make(atlas: Atlas, view: View, seat: str) -> Realm:
    stands = {area: _standing(view, view["control"].get(area, ""), seat) for area in atlas.land}
    hostile = frozenset(area for area, stand in stands.items() if stand < 0)
    friendly = frozenset(area for area, stand in stands.items() if stand > 0)
    worth = _worth(atlas, view)
    goals = {area: worth[area] for area in atlas.land if area in hostile or _is_next(view, seat, area)}
    return Realm(
        hostile,
        friendly,
        worth,
        atlas.spread(goals, FADE, by_sea=True),
        atlas.spread({area: worth[area] for area in atlas.land if area in friendly}, BEHIND, by_sea=False),
        friendly - _fronts(atlas, hostile, friendly),
    )


def _fronts(atlas: Atlas, hostile: frozenset[str], friendly: frozenset[str]) -> set[str]:
    """Friendly areas from which an enemy area is reached over land in some moves, neutral ground apart."""
    found: set[str] = set()
    edge = set(hostile)
    for _ in range(FAR):
        edge = {near for area in edge for near in atlas.near[area] if near in friendly} - found
        found |= edge
    return found


def _standing(view: View, country: str, seat: str) -> int:
    """1 for a country on our side, -1 for one that we fight, 0 for neutrals."""
    ours = sides_of(seat)
    side = MAJORS.get(country) or view["minors"].get(country, "neutral")
    if country in MAJORS and country not in view["at_war"]:
        return 1 if side in ours else 0
    if side in ("axis", "allied", "soviet"):
        return 1 if side in ours else -1
    return -1 if view["attacked"].get(country) in ours else 0


def _is_next(view: View, seat: str, area: str) -> bool:
    """Whether the Axis makes ready to attack it: the Soviet Union, once France has fallen."""
    ready = seat == AXIS and int(view["turn"]) >= EASTWARD and "france" in view["fallen"]
    return ready and MAJORS.get(view["control"].get(area, "")) == "soviet"


def _worth(atlas: Atlas, view: View) -> dict[str, float]:
    """Land area -> what holding it is worth to either side."""
    found = {}
    for name in atlas.land:
        area: Mapping[str, Any] = atlas.areas[name]
        found[name] = (
            0.5
            + 0.5 * float(area["resource"]) ** 0.7
            + 1.2 * sum(view["factories"].get(name, ()))
            + VICTORY.get(name, 1.0 if area["capital_of"] else 0.0)
        )
    turn = int(view["turn"])
    found["berlin"] += LATE_BERLIN * max(0, turn - LATE) + (LAST_BERLIN if turn >= LAST else 0.0)
    for name, power in FIRST_FALL.items():
        if power not in view["alternate"]:
            found[name] += SHOCK
    return found
