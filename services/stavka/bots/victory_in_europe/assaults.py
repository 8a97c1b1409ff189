"""Plans of attack and relief: what the options of one decision tell together about every battle that could be fought.

    Assaults(position, options)     who could come where
    .value(area, side)              what the best plan for a place is worth, 0 if it is not worth a command
    .join(area, side, block, path)  what a block that comes to a place's battle adds

A place with an enemy in it is a battle: of ours if nobody of ours stood there, of his if he came to us. A plan takes the
strongest who can come, as many as borders and stacking let in [VE 4.5] [VE 4.6], leaders and airborne besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from stavka.bots.choosers import Option

from .outlook import NOBODY, Force, chance_to_win, exchange
from .position import Position

COMING: Final = frozenset({"move", "airdrop", "invade"})
GOOD: Final = 0.3
"""Chance below which equals do not attack; the stronger side wears the other down with less."""
GOOD_AT_SEA: Final = 0.5
SEA: Final = 0.8
SEA_SHARE: Final = 0.4
"""Worth of a won battle at sea: this much, and of the pull of the shores beyond."""
PRIZE: Final = 2.5
"""Worth of a won battle, besides the place."""
TOWARD: Final = 0.5
"""How much of a place's pull a victory there is worth."""
STEP: Final = 0.8
"""Worth of a step that is lost, on either side."""
COMMAND: Final = 0.4
"""Worth of a command."""
FLYING: Final = 0.5
GUNS: Final = 1.0
"""Hits of a round that supporting aircraft, and ships off a beach, are hoped to score."""
DROP: Final = Force(2.0, 0.6)
"""Airborne within reach."""
AIR_SHARE: Final = 0.6
"""Firepower of supporting aircraft and ships against armies, of the printed one."""


class Plan(NamedTuple):
    """`value`: of the whole; `now` and `then`: chances with those who are there, with those who come too."""

    value: float
    prize: float
    now: float
    then: float
    comers: Mapping[str, str]
    hits: float


NO_PLAN: Final = Plan(0.0, 0.0, 0.0, 0.0, {}, 1.0)


class Assaults:
    def __init__(self, position: Position, options: Sequence[Option]) -> None:
        self.position = position
        self._ways: dict[tuple[str, str], dict[str, list[tuple[str, str]]]] = {}
        enemies, ours = position.enemies, position.ours
        for option in options:
            move = option.arguments
            by = move.get("by", "move")
            if by not in COMING:
                continue
            end = move["path"][-1]
            piece = ours.get(move["block"]) if end in enemies else None
            if piece is not None:
                ways = self._ways.setdefault((end, piece["side"]), {})
                ways.setdefault(move["block"], []).append((move["path"][-2], by))
        self._plans: dict[tuple[str, str], Plan] = {}

    def plans(self) -> Mapping[tuple[str, str], Plan]:
        """Every place and side -> its plan."""
        for key in self._ways:
            self.plan(*key)
        return self._plans

    def plan(self, area: str, side: str) -> Plan:
        found = self._plans.get((area, side))
        if found is None:
            found = self._plans[area, side] = self._make(area, side, self._ways.get((area, side), {}))
        return found

    def best(self, side: str) -> float:
        """The best value of any new battle of a side."""
        return max((plan.value for (_, whose), plan in self.plans().items() if whose == side), default=0.0)

    def is_relief(self, area: str) -> bool:
        """Whether the enemy has come to us."""
        clash = self.position.view["clashes"].get(area)
        return clash is not None and self.position.is_enemy(clash["attacker"])

    def _make(self, area: str, side: str, ways: Mapping[str, Sequence[tuple[str, str]]]) -> Plan:
        position = self.position
        present = position.standing(area) if position.atlas.is_land(area) else _afloat(position, area)
        comers, brought, hits = self._gather(area, ways)
        if not comers:
            return NO_PLAN
        whole = present.plus(brought)
        if not position.atlas.is_land(area):
            return self._sea_fight(area, present, whole, comers, hits)
        foe = position.enemies[area]
        if self.is_relief(area):
            prize = position.shield.get(area, 0.5) + PRIZE
            now = 1.0 - chance_to_win(foe.attack, position.entrenched(present, area))
            then = 1.0 - chance_to_win(foe.attack, position.entrenched(whole, area))
            clash = position.view["clashes"][area]
            return Plan(prize * (then - now) - (0 if clash["reinforced"] else COMMAND), prize, now, then, comers, hits)
        prize = PRIZE + position.worth[area] + TOWARD * position.pull.get(area, 0.0)
        fresh = area not in position.view["clashes"]
        if fresh:
            whole = whole.plus(self._hoped_for(area, any(by == "invade" for _, by in _firsts(ways, comers))))
        now, then = chance_to_win(present, foe.defense), chance_to_win(whole, foe.defense)
        _, left, theirs = exchange(whole, foe.defense)
        trade = STEP * (position.zeal * foe.attack.steps * (1.0 - theirs) - whole.steps * (1.0 - left))
        value = prize * (then - (0.0 if fresh else now)) + trade
        if fresh:
            value -= COMMAND * (2 if all(by == "invade" for _, by in _firsts(ways, comers)) else 1)
            least = GOOD / position.zeal**3
            if then < least:
                value = min(0.0, value) - 2.0 * (least - then)
        return Plan(value, prize, now, then, comers, hits)

    def _hoped_for(self, area: str, landing: bool) -> Force:
        """Those who may come once an army of ours fights there: aircraft, guns of ships, airborne [VE 7.5] [VE 7.15]."""
        position = self.position
        near = position.atlas.around(area)
        hits = FLYING if position.flyers & near else 0.0
        if landing and position.gunships & near:
            hits += GUNS
        dropping = DROP if position.droppers & near else NOBODY
        return dropping.plus(Force(0.0, hits))

    def _gather(self, area: str, ways: Mapping[str, Sequence[tuple[str, str]]]) -> tuple[dict[str, str], Force, float]:
        """Block -> border by which it comes, and what all of them bring; `hits` of these, at least a trace."""
        position, atlas = self.position, self.position.atlas
        land = atlas.is_land(area)
        room = atlas.stacking(area) - (position.armies.get(area, 0) if land else position.ships.get(area, 0))
        spent: dict[str, int] = {}
        comers: dict[str, str] = {}
        led = area in position.captains
        total, air, ship = NOBODY, area in position.flyers, area in position.ships
        strength = {b: position.force(b, position.ours[b], area) for b in ways}
        for block in sorted(ways, key=lambda b: (-strength[b].hits, b)):
            force = strength[block]
            if land and not atlas.is_army(block):
                if block in atlas.flyers and not air:
                    air, comers[block] = True, ways[block][0][0]
                    total = total.plus(Force(0.0, AIR_SHARE * force.hits))
                elif block in atlas.guns and not ship:
                    ship, comers[block] = True, ways[block][0][0]
                    total = total.plus(Force(0.0, AIR_SHARE * force.hits))
                continue
            if not land:
                if room > 0 and atlas.blocks[block]["branch"] == "naval":
                    room, comers[block], total = room - 1, ways[block][0][0], total.plus(force)
                continue
            free = block in atlas.leaders
            if led if free else room <= 0:
                continue
            border = next(
                (b for b, by in ways[block] if free or by == "airdrop" or spent.get(b, 0) < _gate(position, b, area)),
                "",
            )
            if border:
                comers[block], total = border, total.plus(force)
                led = led or free
                if not free:
                    room -= 1
                    spent[border] = spent.get(border, 0) + 1
        if land and not any(atlas.is_army(block) for block in comers) and not position.friends.get(area):
            return {}, NOBODY, 1.0
        return comers, total, max(0.1, total.hits)

    def _sea_fight(self, area: str, present: Force, whole: Force, comers: Mapping[str, str], hits: float) -> Plan:
        """[VE 7.2] Ships fight for seas from which something could be landed, or where convoys sail."""
        position = self.position
        prize = SEA + SEA_SHARE * position.pull.get(area, 0.0)
        foe = position.enemies[area].attack
        now, then = chance_to_win(present, foe), chance_to_win(whole, foe)
        fresh = area not in position.view["clashes"]
        value = prize * (then - (0.0 if fresh else now)) - (COMMAND if fresh else 0.0)
        return Plan(value if then >= GOOD_AT_SEA else -1.0, prize, now, then, comers, hits)

    def join(self, area: str, side: str, block: str, border: str) -> float:
        """Worth of one block's coming by one border; below 0 for who is not in the plan."""
        plan = self.plan(area, side)
        if plan.comers.get(block) != border:
            return -1.0
        position = self.position
        share = position.force(block, position.ours[block], area).hits / plan.hits
        if area not in position.view["clashes"]:
            army = position.atlas.is_army(block) or not position.atlas.is_land(area)
            return plan.value + 0.2 * share if army else -1.0
        if self.is_relief(area):
            return plan.value * (0.5 + 0.5 * share)
        return plan.prize * (plan.then - plan.now) * (0.5 + 0.5 * share) + 0.1


def _gate(position: Position, border: str, area: str) -> int:
    """Armies that may come by a border; one from the sea [VE 7.5]."""
    return position.atlas.borders[area].get(border, 1)


def _afloat(position: Position, area: str) -> Force:
    total = NOBODY
    for block, piece in position.ours.items():
        if piece["at"] == area and not position.atlas.is_army(block):
            total = total.plus(position.force(block, piece, area))
    return total


def _firsts(ways: Mapping[str, Sequence[tuple[str, str]]], comers: Mapping[str, str]) -> list[tuple[str, Any]]:
    return [way for block, border in comers.items() for way in ways[block] if way[0] == border]
