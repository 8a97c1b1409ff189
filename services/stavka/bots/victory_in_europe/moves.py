"""Scores of what moves [VE 4.0]: what a block's end is worth less what its start is; a phase ends when nothing gains.

Battles come first: the plan that promises most (see `assaults`). Then places that nobody holds are taken, and the rest stands
where the enemy could break through, or goes nearer to what he holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stavka.bots.choosers import Option

from .assaults import COMING, COMMAND, PRIZE, TOWARD, Assaults
from .outlook import NOBODY, Force, chance_to_win
from .position import CORE, Position
from .realm import MAJORS

GAIN: Final = 0.3
"""What a march must gain at least: blocks do not stroll."""
MARCH: Final = 0.25
"""How much of a pull a march toward it is worth."""
GARRISON: Final = 8.0
"""Steps that a capital keeps even when nobody is near."""
TAKEN: Final = 0.8
TAKEN_SHARE: Final = 0.6
"""Worth of taking a place that nobody defends: this much, and of its worth."""
CALL: Final = 0.25
"""How much of a call for help is."""
SUPPORT: Final = -0.5
"""Ships and aircraft stay unless something calls."""
REMOTE: Final = 1.0
"""Worth of bringing a step of an army from where it cannot fight."""
RECALL: Final = -0.1
OVERFULL: Final = 8.0
LEAVING: Final = 0.7
"""How much of what a place loses by a departure is charged."""
BARBAROSSA: Final = range(8, 27)
"""Turns in which the Axis goes east: from spring 1941 on."""
WESTWARD: Final = range(4, 8)
WEST: Final = ("belgium", "netherlands")


class Ground:
    """Standing and leaving, for the moves of one decision."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._bases: dict[tuple[str, str], float] = {}

    def _guarded(self, area: str, force: Force, apart: str = "") -> float:
        """Worth of holding an area with these defenders, with the enemies of a place left out."""
        position = self.position
        worth = position.shield.get(area, 0.0)
        held = 0.0
        if position.worth[area] >= CORE:
            held = 0.1 * position.worth[area] * min(1.0, force.steps / GARRISON)
        elif force.steps and position.atlas.seas[area]:
            held = 0.15 * position.worth[area]
        return worth * (1.0 - position.danger(area, force, apart)) + held

    def base(self, area: str, apart: str = "") -> float:
        found = self._bases.get((area, apart))
        if found is None:
            found = self._bases[area, apart] = self._guarded(area, self.position.standing(area), apart)
        return found

    def arriving(self, area: str, force: Force) -> float:
        """What an army adds to an area of ours by coming; the pull of goals included."""
        position = self.position
        gain = MARCH * position.pull.get(area, 0.0) + CALL * position.need.get(area, 0.0)
        if position.is_friendly(area):
            gain += self._guarded(area, position.standing(area).plus(force)) - self.base(area)
        return gain

    def leaving(self, area: str, force: Force, target: str = "") -> float:
        """What an area loses by an army's going; whom it attacks is no danger to it."""
        position = self.position
        lost = MARCH * position.pull.get(area, 0.0) + CALL * position.need.get(area, 0.0)
        if area in position.worth and position.is_friendly(area):
            stays = position.standing(area)
            stays = Force(max(0.0, stays.steps - force.steps), max(0.0, stays.hits - force.hits))
            stays = stays if stays.steps > 0.1 else NOBODY
            lost += self.base(area, target) - self._guarded(area, stays, target)
        return lost


def score_moves(position: Position, options: Sequence[Option]) -> list[float]:
    return Marches(position, options).scores(options)


class Marches:
    def __init__(self, position: Position, options: Sequence[Option]) -> None:
        self.position = position
        self.assaults = Assaults(position, options)
        self.ground = Ground(position)
        self._starts: dict[tuple[str, str], float] = {}
        self._ends: dict[tuple[str, Force], float] = {}
        self._seats: dict[tuple[str, int], float] = {}

    def scores(self, options: Sequence[Option]) -> list[float]:
        return [self._score(option.arguments) for option in options]

    def _score(self, move: Mapping[str, Any]) -> float:
        position = self.position
        block, path, by = move["block"], move["path"], move.get("by", "move")
        piece = position.ours.get(block)
        if piece is None:
            return SUPPORT
        end = path[-1]
        if not position.atlas.is_army(block):
            if by == "move" and end not in position.enemies and block in position.atlas.flyers:
                return SUPPORT
            return self._support(block, piece, path, by)
        if end in position.enemies:
            if by not in COMING:
                return -OVERFULL
            return self.assaults.join(end, piece["side"], block, path[-2]) - LEAVING * self._start(block, piece, end)
        return self._march(block, piece, path, by)

    def _start(self, block: str, piece: Mapping[str, Any], target: str = "") -> float:
        found = self._starts.get((block, target))
        if found is None:
            force = self.position.force(block, piece, piece["at"])
            found = self._starts[block, target] = self.ground.leaving(piece["at"], force, target)
        return found

    def _march(self, block: str, piece: Mapping[str, Any], path: Sequence[str], by: str) -> float:
        position, end = self.position, path[-1]
        if position.is_full(end, block):
            return -OVERFULL
        force = position.force(block, piece, end)
        reached = self._ends.get((end, force))
        if reached is None:
            reached = self._ends[end, force] = self.ground.arriving(end, force)
        gain = reached - self._start(block, piece) - GAIN
        for area in path[1:]:
            if area in position.hostile:
                gain += TAKEN + TAKEN_SHARE * position.worth[area]
        if by == "strategic":
            return gain - COMMAND + REMOTE * force.steps * self._nearer(path[0], end)
        if by == "invade":
            gain += PRIZE + TOWARD * position.pull.get(end, 0.0) - COMMAND
            gain += REMOTE * force.steps * self._nearer(path[0], end)
        return gain

    def _nearer(self, start: str, end: str) -> float:
        """1 for bringing an army to a front, a half for bringing it over the ocean, 0 else."""
        atlas, idle = self.position.atlas, self.position.idle
        if end not in idle and (start in idle or atlas.is_remote(start)):
            return 1.0
        return 0.5 if atlas.is_remote(start) and not atlas.is_remote(end) else 0.0

    def _support(self, block: str, piece: Mapping[str, Any], path: Sequence[str], by: str) -> float:
        """Aircraft go where their army fights, or nearer to where it will; ships to seas from which armies could land."""
        position, end, start = self.position, path[-1], path[0]
        if end in position.enemies:
            if by not in COMING or (position.commands(piece["side"]) < 1 and end not in position.view["clashes"]):
                return SUPPORT
            return self.assaults.join(end, piece["side"], block, path[-2])
        if start in position.enemies:
            return SUPPORT
        if position.atlas.blocks[block]["branch"] == "air":
            return _airfield(position, end) - _airfield(position, start) + SUPPORT if by == "rebase" else SUPPORT
        return self._berth(end, 0) - self._berth(start, 1) + SUPPORT

    def _berth(self, place: str, here: int) -> float:
        found = self._seats.get((place, here))
        if found is None:
            found = self._seats[place, here] = _station(self.position, place, here)
        return found


def _airfield(position: Position, area: str) -> float:
    """Aircraft stand behind an army and near the front."""
    if area not in position.worth:
        return -1.0
    return 0.15 * position.pull.get(area, 0.0) + (0.6 if position.standing(area).steps else 0.0)


def _station(position: Position, place: str, here: int) -> float:
    """Ships keep the seas by which the enemy's shores can be reached, one in each [VE 7.5]; `here`: 1 for who is there."""
    atlas = position.atlas
    if atlas.is_land(place):
        return 0.0
    others = position.ships.get(place, 0) - here
    shores = (position.worth[s] for s in atlas.shores.get(place, ()) if position.is_hostile(s))
    near = any(position.is_friendly(s) for s in atlas.shores.get(place, ()))
    return (0.5 + 0.25 * max(shores, default=0.0) * (1.5 if near else 0.5)) * 0.3**others if others < 3 else -2.0


def score_recalls(position: Position, options: Sequence[Option]) -> list[float]:
    """Only what must: an area that is too full cannot stay so."""
    return [RECALL for _ in options]


def score_factories(position: Position, options: Sequence[Option]) -> list[float]:
    """Factories move out of danger."""
    return [
        1.0
        if position.danger(o.arguments["origin"], position.standing(o.arguments["origin"])) > 0.6
        and not position.menace(o.arguments["target"]).steps
        else -1.0
        for o in options
    ]


def score_wars(position: Position, options: Sequence[Option]) -> list[float]:
    return [_war(position, option.arguments["country"]) for option in options]


def _war(position: Position, country: str) -> float:
    """The Axis goes west until France has fallen and east from 1941 on; the Soviets answer late; nobody else is attacked."""
    fallen, minors = position.view["fallen"], position.view["minors"]
    if country in MAJORS and "soviet_union" in position.view["at_war"]:
        return -3.0  # it is war already
    if position.seat == "axis":
        if country == "soviet_union":
            return 9.0 if position.turn in BARBAROSSA else -3.0
        if country in WEST and "france" not in fallen and minors.get("poland") != "allied":
            return 4.0 if position.turn in WESTWARD else -1.0
        return -2.0
    return 4.0 if country in ("germany", "italy") and position.turn >= 12 else -2.0


def score_landings(position: Position, options: Sequence[Option]) -> list[float]:
    """Aircraft land near the front, but behind an army."""
    return [_airfield(position, option.arguments["target"]) for option in options]


def score_regroups(position: Position, options: Sequence[Option]) -> list[float]:
    """Victors stay, go back to where they are needed, or take what lies open [VE 5.8]."""
    ground, scores = Ground(position), []
    for option in options:
        block, end = option.arguments["block"], option.arguments["target"]
        piece = position.ours.get(block)
        if piece is None or not position.atlas.is_army(block):
            scores.append((_airfield(position, end) if end in position.worth else 0.0) - 1.0)
            continue
        force = position.force(block, piece, end)
        taken = TAKEN + TAKEN_SHARE * position.worth[end] if position.is_hostile(end) else 0.0
        gain = ground.arriving(end, force) - ground.leaving(piece["at"], force) + taken - GAIN
        scores.append(-OVERFULL if position.is_full(end, block) else gain)
    return scores


def score_blitzes(position: Position, options: Sequence[Option]) -> list[float]:
    """A leader goes on when weak enemies, or nobody, stand next to a strong victor [VE 5.9]."""
    scores = []
    for option in options:
        leader = position.ours.get(option.arguments["leader"])
        at = leader["at"] if leader else ""
        mine = position.standing(at)
        hopes = [0.0]
        for near in position.atlas.near.get(at, ()):
            if near in position.enemies:
                share = min(1.0, 0.7 * position.atlas.borders[at][near] / 2.0)
                foe = position.enemies[near].defense
                won = chance_to_win(mine.scaled(share), foe)
                hopes.append((won - 0.5) * (2.0 + position.worth.get(near, 0.0)))
            elif near in position.worth and position.is_hostile(near) and position.armies.get(at, 0) > 1:
                hopes.append(0.4 * position.worth[near])
        scores.append(max(hopes) - 0.6)
    return scores


def score_blitz_moves(position: Position, options: Sequence[Option]) -> list[float]:
    return Marches(position, options).scores(options)


SCORES: Final[Mapping[str, Callable[[Position, Sequence[Option]], list[float]]]] = {
    "MoveBlock": score_moves,
    "RecallBlock": score_recalls,
    "MoveFactory": score_factories,
    "DeclareWar": score_wars,
    "DeclareBlitzWar": score_wars,
    "LandBlock": score_landings,
    "Regroup": score_regroups,
    "StartBlitz": score_blitzes,
    "BlitzMove": score_blitz_moves,
}
"""EndMoves, EndRegroup and EndBlitz have no entry: they score 0."""
