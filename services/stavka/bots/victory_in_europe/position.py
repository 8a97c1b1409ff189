"""The table as the scores need it, read from the view of one seat.

    Position(atlas, view, offer)    who stands where, who holds what, what draws a block where, what is in danger

An enemy block that cannot be seen counts as an average one of its nation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from stavka.bots.choosers import Offer, View

from .atlas import Atlas
from .outlook import NOBODY, Force, chance_to_win
from .realm import AXIS, FADE, realm_of

ARMY_SHARE: Final = 0.9
"""How many of the blocks that cannot be seen on land are armies."""
SURPLUS: Final = 0.5
"""What a leader and the like add, in armies."""
DOUBLE: Final = 1.8
"""Hits that a step in the mountains takes: not all there are infantry."""
SECOND_RING: Final = 0.5
"""How much enemies two areas away count."""
LEAST_ZEAL: Final = 0.8
MOST_ZEAL: Final = 3.0
GUARDED: Final = 2.0
"""Worth of a place that calls for help from afar."""
PRIZED: Final = 4.0
"""Worth of a place on a coast at which it must reckon with a landing."""
CORE: Final = 10.0
BEST: Final = 1.2
LED: Final = Force(1.5, 1.0)
"""Against places of that worth the enemy sends his best, this much above the average, led and supported from the air."""
SHORE: Final = 2.0
"""The same, for what lies behind it, when enemy ships are off the coast."""
RAID: Final = Force(3.0, 1.0)
LANDING: Final = Force(6.0, 2.0)
"""What may land: with no enemy ship off the coast yet, with some [VE 7.5]."""
OPEN_GROUND: Final = frozenset({"clear", "desert"})
"""Ground that an army may cross in the same move [VE 1.12] [VE 1.13]."""


class Spot(NamedTuple):
    """One area's enemies: as defenders of it, as attackers elsewhere, and how many blocks."""

    defense: Force
    attack: Force
    blocks: int


class Position:
    """One table. "Ours" are the blocks of the seat; friends are those of allied seats too."""

    def __init__(self, atlas: Atlas, view: View, offer: Offer) -> None:
        self.atlas = atlas
        self.view = view
        self.offer = offer
        self.seat = offer.seat
        self.turn = int(view["turn"])
        self.ours: Mapping[str, Mapping[str, Any]] = {
            block: piece for block, piece in view["blocks"]["seen"].items() if piece["seat"] == self.seat
        }
        self.armies: dict[str, int] = {}
        self.flyers: set[str] = set()
        self.captains: set[str] = set()
        self.mass = 0.0
        self.droppers: set[str] = set()
        self.gunships: set[str] = set()
        self.ships: dict[str, int] = {}
        self.friends: dict[str, list[Force]] = {}
        self.enemies: dict[str, Spot] = {}
        self.hostile, self.friendly, self.worth, self.pull, self.shield, self.idle = realm_of(atlas, view, self.seat)
        self._cold, self._late = self.turn % 4 == 3, self.turn % 4 == 2
        self._forces: dict[tuple[str, bool], Force] = {}
        self._menaces: dict[tuple[str, str], Force] = {}
        self._dangers: dict[tuple[Force, Force], float] = {}
        self._stand: dict[str, Force] = {}
        self._count()

    def _count(self) -> None:
        atlas = self.atlas
        raw: dict[str, list[tuple[float, float]]] = {}
        for block, piece in self._pieces():
            at = piece["at"]
            if self.is_enemy(piece["side"]):
                raw.setdefault(at, []).append(self._strength(block, piece))
                continue
            if not block:
                self.friends.setdefault(at, []).append(Force(*self._strength(block, piece)))
            elif atlas.is_army(block):
                self.friends.setdefault(at, []).append(self.force(block, piece, at))
                self.mass += self.friends[at][-1].steps
                if self.counts(block):
                    self.armies[at] = self.armies.get(at, 0) + 1
                else:
                    self.captains.add(at)
                if atlas.blocks[block]["type"] == "airborne":
                    self.droppers.add(at)
            elif block in atlas.flyers:
                self.flyers.add(at)
            else:
                self.ships[at] = self.ships.get(at, 0) + 1
                if block in atlas.guns:
                    self.gunships.add(at)
        for at, blocks in raw.items():
            share = self._share_of_armies(at, len(blocks))
            attack = Force(sum(s for s, _ in blocks), sum(h for _, h in blocks)).scaled(share)
            self.enemies[at] = Spot(self.entrenched(attack, at), attack, len(blocks))

    def _share_of_armies(self, at: str, count: int) -> float:
        """How much of so many blocks counts: what is above stacking can only be a leader, an aircraft, a ship [VE 4.5]."""
        room = self.atlas.stacking(at) if self.atlas.is_land(at) else count
        return 1.0 if count <= room else (room + SURPLUS) / count

    def _pieces(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every block on the map; "" for the name of one that cannot be read."""
        blocks = self.view["blocks"]
        yield from blocks["seen"].items()
        for piece in blocks["unseen"]:
            yield "", piece

    def _strength(self, block: str, piece: Mapping[str, Any]) -> tuple[float, float]:
        """Steps, and hits of a round before terrain."""
        if block:
            steps = max(0.5, float(piece["steps"]))
            return steps, steps * self._fire(block, piece["at"]) / 6.0
        steps, fire = self.atlas.average.get(piece["nation"], (2.5, 1.0))
        share = ARMY_SHARE if self.atlas.is_land(piece["at"]) else 1.0
        return share * steps, share * steps * (min(1.0, fire) if self.is_winter(piece["at"]) else fire) / 6.0

    def _fire(self, block: str, at: str) -> float:
        fire = self.atlas.fire[block]
        return min(1.0, fire) if self.is_winter(at) else fire

    def force(self, block: str, piece: Mapping[str, Any], at: str) -> Force:
        """A block's strength as an attacker of a place, or a stander there."""
        key = (block, self.is_winter(at))
        found = self._forces.get(key)
        if found is None:
            steps = max(0.5, float(piece["steps"]))
            found = self._forces[key] = Force(steps, steps * self._fire(block, at) / 6.0)
        return found

    def entrenched(self, force: Force, area: str) -> Force:
        """The same as defenders: forest adds to infantry's fire, mountains take two hits a step [VE 5.31] [VE 5.5]."""
        terrain = self.atlas.areas[area]["terrain"] if self.atlas.is_land(area) else ""
        if terrain == "forest":
            return Force(force.steps, force.hits + 0.8 * force.steps / 6.0)
        if terrain == "mountain":
            return Force(DOUBLE * force.steps, force.hits)
        return force

    def is_enemy(self, side: str) -> bool:
        return side != self.seat and AXIS in (side, self.seat)

    def counts(self, block: str) -> bool:
        """Whether an army takes room in an area; leaders do not [VE 5.7]."""
        return block not in self.atlas.leaders

    def is_winter(self, place: str) -> bool:
        """[VE 3.4] Everywhere in a year's first turn, in Russia and Finland in its last one."""
        return self._cold or (self._late and place in self.atlas.north)

    def is_hostile(self, area: str) -> bool:
        """Held by somebody whom we fight, neutrals under our attack among them."""
        return area in self.hostile

    def is_friendly(self, area: str) -> bool:
        return area in self.friendly

    def standing(self, area: str) -> Force:
        """What stands in a place for us, before terrain."""
        found = self._stand.get(area)
        if found is None:
            found = NOBODY
            for force in self.friends.get(area, ()):
                found = found.plus(force)
            self._stand[area] = found
        return found

    def is_full(self, area: str, block: str) -> bool:
        """Whether an area of ours has no room for an army: leaders do not count, but there is one in an area [VE 5.7]."""
        if self.counts(block):
            return self.armies.get(area, 0) >= self.atlas.stacking(area)
        return area in self.captains

    @cached_property
    def zeal(self) -> float:
        """What an enemy's step is worth in steps of ours: the stronger side gains by mutual losses."""
        theirs = sum(spot.attack.steps for at, spot in self.enemies.items() if self.atlas.is_land(at))
        return min(MOST_ZEAL, max(LEAST_ZEAL, self.mass / max(1.0, theirs)))

    def menace(self, area: str, apart: str = "") -> Force:
        """What the enemy could bring against an area in one move: by each border what it lets through, up to stacking.

        `apart`: a place whose enemies do not count, because they are attacked.
        """
        found = self._menaces.get((area, apart))
        if found is None:
            found = self._menaces[area, apart] = self._menace_of(area, apart)
        return found

    def _menace_of(self, area: str, apart: str) -> Force:
        count, total = 0.0, NOBODY
        borders = self.atlas.borders[area]
        for near, limit in borders.items():
            number, force = self._coming(area, near, apart)
            if number:
                used = min(float(limit), number)
                count += used
                total = total.plus(force.scaled(used / number))
        most = min(float(self.atlas.stacking(area)) + 1.0, 4.0)
        if count > most:
            total = total.scaled(most / count)
        if self.worth.get(area, 0.0) >= CORE:
            total = total.scaled(BEST).plus(LED) if total.steps else total
        landing = self._landing_at(area)
        return landing if total.steps < landing.steps else total

    def _coming(self, area: str, near: str, apart: str) -> tuple[float, Force]:
        """Blocks that could come over one border, and their strength: from there, or through there from behind."""
        spot = self.enemies.get(near) if near != apart else None
        number, force = (float(spot.blocks), spot.attack) if spot else (0.0, NOBODY)
        open_ = near not in self.friends and self.atlas.areas[near]["terrain"] in OPEN_GROUND
        if near not in self.friendly or open_:
            borders = self.atlas.borders[area]
            for far in self.atlas.near[near]:
                if far not in (area, apart) and far not in borders and far in self.enemies:
                    behind = self.enemies[far]
                    number += SECOND_RING * behind.blocks
                    force = force.plus(behind.attack.scaled(SECOND_RING))
        return number, force

    def _landing_at(self, area: str) -> Force:
        if area not in self.friendly or self.atlas.is_remote(area):
            return NOBODY
        seas = self.atlas.seas[area]
        if self.shield[area] >= SHORE and any(sea in self.enemies for sea in seas):
            return LANDING
        return RAID if seas and self.worth[area] >= PRIZED else NOBODY

    def danger(self, area: str, ours: Force, apart: str = "") -> float:
        """Chance that the enemy takes an area from these defenders, 0 if nobody is near; `apart` as for `menace`."""
        menace = self.menace(area, apart)
        if not menace.steps:
            return 0.0
        if not ours.steps:
            return 1.0
        defense = self.entrenched(ours, area)
        found = self._dangers.get((menace, defense))
        if found is None:
            found = self._dangers[menace, defense] = chance_to_win(menace, defense)
        return found

    @cached_property
    def need(self) -> dict[str, float]:
        """Place -> how strongly friendly places that are too weakly held draw an army there."""
        lacking = {
            area: self.worth[area] * self.danger(area, self.standing(area))
            for area in self.atlas.land
            if area in self.friendly and self.worth[area] >= GUARDED
        }
        return self.atlas.spread(lacking, FADE, by_sea=False)

    def commands(self, side: str) -> int:
        """Commands that a side of the seat may still spend this turn."""
        pools = self.view["commands"]
        return int(pools.get(side, pools.get("allied", 0)))
