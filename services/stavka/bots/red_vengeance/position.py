"""The table as the scores need it, read from the view of one seat. Sets of hexes are the integers of the hex grid.

Ground(rules)                  map and counters: what never changes
Position(ground, view, side)   pieces, zones of control, threats; everything for `side` and its enemy
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final

from stavka.bots.choosers import Rules, View
from stavka.kernel.hexgrid import HexGrid

AXIS: Final = "axis"
ALLIED: Final = "allied"
HOMES: Final = {"romanian": "romania", "bulgarian": "bulgaria", "hungarian": "hungary"}
OBJECTIVES: Final = {"Berlin": 1.5, "Vienna": 1.0, "Prague": 1.0}
"""Cities that score, with Berlin's second point for Hitler [RV 15.1, RV 15.3]."""
BALKANS: Final = ("Belgrade", "Zagreb")
"""Worth a point together [RV 15.1]."""
SECONDARY: Final = {"Budapest": 0.5, "Warsaw": 0.4, "Bucharest": 0.5, "Ploesti": 0.4, "Konigsberg": 0.2, "Breslau": 0.4}
"""On the way, or worth something to one side: nations, oil, places where units arrive."""
DEFENSE: Final = {"rough": 1.0, "forest": 0.5, "swamp": 0.5}
"""Dice that a unit gains in a hex, about [RV 9.1]."""


class Ground:
    """Map and counters as the rules service lists them."""

    def __init__(self, rules: Rules) -> None:
        rows = max(int(space["id"][:2]) for space in rules.spaces)
        columns = max(int(space["id"][2:]) for space in rules.spaces)
        self.grid = HexGrid(rows, columns, shifted="even", columns_from="east")
        self.bit = {str(space["id"]): self.grid.bit(space["id"]) for space in rules.spaces}
        self.facts: dict[str, Mapping[str, Any]] = {space["id"]: space for space in rules.spaces}
        self.land = sum(self.bit[s["id"]] for s in rules.spaces if s["playable"])
        self.city = {str(s["city"]): str(s["id"]) for s in rules.spaces if s.get("city")}
        self.yugoslavia = sum(self.bit[s["id"]] for s in rules.spaces if s["country"] == "yugoslavia" and s["playable"])
        self.pieces = {str(p["id"]): p for p in rules.pieces if p["kind"] in ("unit", "commander")}
        self.cover = {code: self._cover(facts) for code, facts in self.facts.items()}
        self.near = {code: self.grid.codes(self.grid.adjacent(code)) for code in self.bit}
        self.adjacent = {code: self.grid.adjacent(code) for code in self.bit}
        self._ways: dict[str, dict[str, int]] = {}

    def distances(self, code: str) -> Mapping[str, int]:
        """Hexes from one hex to every other."""
        found = self._ways.get(code)
        if found is None:
            found = self._ways[code] = {other: self.grid.distance(code, other) for other in self.bit}
        return found

    def _cover(self, facts: Mapping[str, Any]) -> float:
        """Dice that the ground gives to a unit in defense."""
        city = 0.5 if facts.get("size") == "major" else 0.25 if facts.get("city") else 0.0
        return DEFENSE.get(facts["terrain"], 0.0) + city + (1.5 if facts.get("fortress") else 0.0)


class Position:
    """One table. `ours` and `theirs` map hexes to the ids of units there, commanders aside."""

    def __init__(self, ground: Ground, view: View, side: str) -> None:
        self.ground = ground
        self.grid = ground.grid
        self.view = view
        self.side = side
        self.enemy = AXIS if side == ALLIED else ALLIED
        self.turn = int(view["turn"])
        self.at: Mapping[str, str] = view["at"]
        self.ours: dict[str, list[str]] = {}
        self.theirs: dict[str, list[str]] = {}
        self.oos = frozenset(view["oos"])
        for piece, place in self.at.items():
            if place in ground.bit and ground.pieces[piece]["kind"] == "unit":
                where = self.ours if self.side_of(piece) == side else self.theirs
                where.setdefault(place, []).append(piece)
        bit = ground.bit
        self.our_hexes = sum(bit[code] for code in self.ours)
        self.their_hexes = sum(bit[code] for code in self.theirs)

    def side_of(self, piece: str) -> str:
        datum = self.ground.pieces[piece]
        home = HOMES.get(datum["nation"])
        if home is None:
            return str(datum["side"])
        return ALLIED if self.view["minors"].get(home) == ALLIED else AXIS

    def strength(self, unit: str) -> float:
        """Factor that shows, halved out of supply."""
        datum = self.ground.pieces[unit]
        full = int(self.view["steps"][unit]) >= int(datum["steps"])
        factor = float(datum["strength"] if full else datum["reduced"] or datum["strength"])
        return factor / 2 if unit in self.oos else factor

    def is_reduced(self, unit: str) -> bool:
        return int(self.view["steps"][unit]) < int(self.ground.pieces[unit]["steps"])

    def attack(self, unit: str) -> float:
        """Dice in attack, with the weather [RV 13.0]."""
        datum = self.ground.pieces[unit]
        halved = self.view["weather"] == "snow" and datum["branch"] not in ("shock", "mountain")
        return self.strength(unit) / 2 if halved else self.strength(unit)

    def defense(self, code: str, units: Iterable[str]) -> float:
        """Dice of units that defend in a hex."""
        return sum(self.strength(unit) + self.ground.cover[code] for unit in units)

    @cached_property
    def our_zoc(self) -> int:
        return self.grid.expand(self.our_hexes) & self.ground.land

    @cached_property
    def their_zoc(self) -> int:
        return self.grid.expand(self.their_hexes) & self.ground.land

    def controls(self, code: str) -> bool:
        """Whether the side holds a hex, by units or by last passage; Yugoslav hexes by units alone."""
        if self.ground.bit[code] & self.ground.yugoslavia:
            return code in self.ours or bool(self.ground.bit[code] & self.our_zoc & ~self.their_hexes)
        return bool(self.view["control"].get(code) == self.side)

    @cached_property
    def threats(self) -> dict[str, float]:
        """Enemy attack dice that could be next to a hex soon: by hex, those within three hexes, nearer ones more."""
        found: dict[str, float] = {}
        for code, units in self.theirs.items():
            dice = sum(self.strength(unit) for unit in units)
            around = self.ground.bit[code]
            for share in (1.0, 0.6, 0.3):
                ring = self.grid.expand(around) & ~around
                for near in self.grid.codes(ring):
                    found[near] = found.get(near, 0.0) + dice * share
                around |= ring
        return found

    @cached_property
    def values(self) -> dict[str, float]:
        """What holding a city is worth to the side that does: by hex."""
        named = {**OBJECTIVES, **dict.fromkeys(BALKANS, 0.5), **SECONDARY}
        return {self.ground.city[name]: value for name, value in named.items() if name in self.ground.city}

    def enemy_distance(self, code: str) -> int:
        """Hexes to the nearest enemy unit; 99 when there is none."""
        return self._enemy_distances.get(code, 99)

    @cached_property
    def _enemy_distances(self) -> dict[str, int]:
        found: dict[str, int] = {}
        reached, ring, distance = 0, self.their_hexes, 0
        while ring:
            found |= dict.fromkeys(self.grid.codes(ring), distance)
            reached |= ring
            ring = self.grid.expand(ring) & ~reached
            distance += 1
        return found
