"""The map and the blocks as the rules service lists them: what never changes in a match."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from typing import Any, Final

from stavka.bots.choosers import Rules

NO_LIMIT: Final = 99
BOMBARDING: Final = frozenset({"battleship", "battlecruiser", "carrier"})
"""Ships that fire at armies on a coast [VE 7.6]."""
NEAR: Final = 2
"""Places away, over land or sea, from which help comes in time."""
CROSSING: Final = 0.7
"""What is left of a pull that crosses a sea, besides."""
SEEN_SHARE: Final = 0.85
"""Average strength of a block that cannot be seen, of its full one."""


class Atlas:
    """Map and blocks. `realms`: what `realm` has worked out."""

    def __init__(self, rules: Rules) -> None:
        self.areas: dict[str, Mapping[str, Any]] = {str(space["id"]): space for space in rules.spaces}
        self.blocks = {str(piece["id"]): piece for piece in rules.pieces}
        self.land = tuple(name for name, area in self.areas.items() if area["kind"] == "land")
        self._land = frozenset(self.land)
        self.borders: dict[str, dict[str, int]] = {
            name: {
                other: NO_LIMIT if border["limit"] is None else int(border["limit"])
                for other, border in sorted(area["borders"].items())
            }
            for name, area in self.areas.items()
        }
        self.near = {name: tuple(row) for name, row in self.borders.items()}
        self.seas: dict[str, tuple[str, ...]] = {
            name: tuple(sorted({sea for coast in area["coasts"] for sea in coast["seas"]}))
            for name, area in self.areas.items()
        }
        self.shores: dict[str, tuple[str, ...]] = {
            name: tuple(shore for shore in self.land if name in self.seas[shore])
            for name in self.areas
            if name not in self.land
        }
        self.links = {name: tuple(area["sea_links"]) for name, area in self.areas.items() if area["kind"] != "land"}
        self.average = self._averages()
        self.army_ids = frozenset(name for name, block in self.blocks.items() if block["branch"] == "army")
        self.north = frozenset(
            name for name, area in self.areas.items() if area["homeland"] in ("soviet_union", "finland")
        )
        self.flyers = frozenset(name for name, block in self.blocks.items() if block["branch"] == "air")
        self.guns = frozenset(name for name, block in self.blocks.items() if block["type"] in BOMBARDING)
        self.leaders = frozenset(name for name, block in self.blocks.items() if block["type"] == "leader")
        self._around: dict[str, frozenset[str]] = {}
        self.realms: dict[Any, object] = {}
        self.fire = {name: float(block["fire"]) for name, block in self.blocks.items()}

    def _averages(self) -> dict[str, tuple[float, float]]:
        """Nation -> mean steps of its armies, and mean firepower of a step."""
        found: dict[str, tuple[float, float]] = {}
        for nation in sorted({str(block["nation"]) for block in self.blocks.values()}):
            armies = [b for b in self.blocks.values() if b["nation"] == nation and b["branch"] == "army"]
            steps = sum(float(b["steps"]) for b in armies) or 1.0
            fire = sum(float(b["fire"]) * float(b["steps"]) for b in armies) / steps
            found[nation] = (SEEN_SHARE * steps / max(1, len(armies)), fire)
        return found

    def is_army(self, block: str) -> bool:
        return block in self.army_ids

    def stacking(self, area: str) -> int:
        """Armies that an area holds; NO_LIMIT where the map prints none."""
        limit = self.areas[area]["stacking"]
        return NO_LIMIT if limit is None else int(limit)

    def is_remote(self, area: str) -> bool:
        """Whether armies leave it at the price of a command only: off the map, or beyond it [VE 13 Soviet Union]."""
        return self.areas[area]["stacking"] is None

    def is_land(self, area: str) -> bool:
        return area in self._land

    def around(self, area: str) -> frozenset[str]:
        """Places at most NEAR away, over land or sea."""
        found = self._around.get(area)
        if found is None:
            ring = {area}
            for _ in range(NEAR):
                ring |= {
                    near
                    for place in sorted(ring)
                    for near in (
                        *self.near[place],
                        *self.seas[place],
                        *self.links.get(place, ()),
                        *self.shores.get(place, ()),
                    )
                }
            found = self._around[area] = frozenset(ring)
        return found

    def spread(self, goals: Mapping[str, float], fade: float, by_sea: bool) -> dict[str, float]:
        """Place -> the strongest of the goals' worths, each faded once for every border on the way to it."""
        found: dict[str, float] = {}
        heap = [(-worth, name) for name, worth in goals.items() if worth > 0]
        heapify(heap)
        while heap:
            lost, name = heappop(heap)
            if name in found:
                continue
            found[name] = -lost
            left = lost * fade
            for near in self.near[name]:
                if near not in found:
                    heappush(heap, (left, near))
            if by_sea:
                across = self.seas[name] if self.seas.get(name) else ()
                for sea in across or self.links.get(name, ()):
                    if sea not in found:
                        heappush(heap, (left * (CROSSING if across else 1.0), sea))
                for shore in self.shores.get(name, ()):
                    if shore not in found:
                        heappush(heap, (left, shore))
        return found
