"""Retreat paths: every space where a unit may end, with a path each.

    Course(layers, grows)                           a direction: how the distance to some goal may change with each step
    toward(spaces, goals, strict=False) -> Course   the distance to the goals must not grow (strict: must shrink)
    away_from(spaces, goals, strict=True) -> Course the distance to the goals must grow (not strict: must not shrink)
    RetreatRules(allowed, stop=0, courses=())       spaces that may be entered; entered but not passed; directions
    retreat(spaces, start, steps, rules) -> Retreat
      .longest                    most steps that are possible, 0..steps
      .ends(count)                set of the spaces reached after exactly that many steps (.ends() for the longest)
      .path(end, count)           a path with start and end, () when impossible
      .paths(count)               end -> path, in reading order of the ends
    retreat_preferring(spaces, start, steps, preferences) -> Retreat     first rules that allow the most steps
    preferred(ends, *wishes)                        ends narrowed by each wish in turn that leaves any

Every step leads farther from the start, as the crow flies, so a retreat of n steps ends exactly n spaces away and never
doubles back. Examples: no enemy ZOC without a friend there: allowed = ~enemies & (~enemy_zoc | friends); over-full or
exposed spaces only when nothing else is left: preferred(ends, ~full, ~next_to_enemy).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stavka.kernel.spaces import SpaceIndex, distance_layers, indices


@dataclass(frozen=True, slots=True)
class Course:
    """A condition on every step. `leads[i]`: the spaces that may be entered from a space at distance i.

    layers   spaces at distance 0, 1, 2, ... from the goals; a space in none of them may not be left
    leads    for each layer, the spaces to which a step may go
    """

    layers: tuple[int, ...]
    leads: tuple[int, ...]

    def allowed(self, origins: int) -> tuple[tuple[int, int], ...]:
        """Split origins by the spaces that they may step to: (origins, targets)."""
        found = ((origins & layer, lead) for layer, lead in zip(self.layers, self.leads, strict=True))
        return tuple((part, lead) for part, lead in found if part)


def toward(spaces: SpaceIndex, goals: int, passable: int | None = None, *, strict: bool = False) -> Course:
    """Steps must not lead farther from the nearest goal; with `strict` each must lead nearer.

    Distances are counted over `passable` spaces, by default over the whole map. Build a course once a map, not once a
    retreat, when its goals are fixed (a map edge).
    """
    layers = distance_layers(spaces, goals, passable)
    leads: list[int] = []
    nearer = 0
    for layer in layers:
        leads.append(nearer if strict else nearer | layer)
        nearer |= layer
    return Course(layers, tuple(leads))


def away_from(spaces: SpaceIndex, goals: int, passable: int | None = None, *, strict: bool = True) -> Course:
    """Steps must lead farther from the nearest goal; without `strict` they only must not lead nearer."""
    layers = distance_layers(spaces, goals, passable)
    leads: list[int] = []
    nearer = 0
    for layer in layers:
        leads.append(~(nearer | layer if strict else nearer))
        nearer |= layer
    return Course(layers, tuple(leads))


@dataclass(frozen=True, slots=True)
class RetreatRules:
    """Where one unit may retreat.

    allowed    spaces that it may enter
    stop       spaces that it may enter but not pass
    courses    directions; every step must satisfy all of them
    """

    allowed: int
    stop: int = 0
    courses: tuple[Course, ...] = ()


@dataclass(frozen=True, slots=True)
class Retreat:
    """Result of the search. `layers[k]`: spaces reached after exactly k steps (the start at 0); never empty ones."""

    spaces: SpaceIndex
    start: str
    rules: RetreatRules
    layers: tuple[int, ...]

    @property
    def longest(self) -> int:
        """Most steps that are possible, at most those asked for; 0 when the unit cannot retreat."""
        return len(self.layers) - 1

    def ends(self, count: int | None = None) -> int:
        """Set of the spaces reached after exactly `count` steps, by default the longest retreat."""
        count = self.longest if count is None else count
        return self.layers[count] if 0 < count <= self.longest else 0

    def path(self, end: str, count: int | None = None) -> tuple[str, ...]:
        """A path of exactly `count` steps, by default of the longest retreat; () when there is none.

        Ties: seen from the end backwards, each space comes from the first possible one in reading order.
        """
        count = self.longest if count is None else count
        if not self.ends(count) & self.spaces.bit(end):
            return ()
        walk = [end]
        for number in range(count - 1, -1, -1):
            target = self.spaces.bit(walk[-1])
            layer = self.layers[number] & self.spaces.adjacent(walk[-1])
            origins = layer & ~self.rules.stop if number else layer
            walk.append(
                self.spaces.code(
                    next(i for i in indices(origins) if _targets(self.spaces, 1 << i, self.rules) & target)
                )
            )
        return tuple(reversed(walk))

    def paths(self, count: int | None = None) -> dict[str, tuple[str, ...]]:
        """A path for each end of exactly `count` steps, by default of the longest retreat, in reading order."""
        return {end: self.path(end, count) for end in self.spaces.codes(self.ends(count))}


def retreat(spaces: SpaceIndex, start: str, steps: int, rules: RetreatRules) -> Retreat:
    """Search all retreats of 1 to `steps` steps. Raises MalformedCommand UNKNOWN_SPACE."""
    here = spaces.bit(start)
    layers = [here]
    crow = nearer = here
    for _ in range(steps):
        crow = spaces.expand(crow) & ~nearer
        nearer |= crow
        origins = layers[-1] if len(layers) == 1 else layers[-1] & ~rules.stop
        front = _targets(spaces, origins, rules) & crow if origins else 0
        if not front:
            break
        layers.append(front)
    return Retreat(spaces, start, rules, tuple(layers))


def retreat_preferring(spaces: SpaceIndex, start: str, steps: int, preferences: Sequence[RetreatRules]) -> Retreat:
    """The first of several rules, in order of preference, under which the retreat is longest (at most `steps`).

    So rules that allow the whole retreat win in their order, and only when none does the longest partial one counts.
    Raises ValueError when there are no preferences.
    """
    best: Retreat | None = None
    for rules in preferences:
        found = retreat(spaces, start, steps, rules)
        if best is None or found.longest > best.longest:
            best = found
        if best.longest == steps:
            break
    if best is None:
        raise ValueError("a retreat needs at least one set of rules")
    return best


def preferred(ends: int, *wishes: int) -> int:
    """Narrow a set by each wish in turn, leaving out a wish that would leave nothing."""
    for wish in wishes:
        ends = ends & wish or ends
    return ends


def _targets(spaces: SpaceIndex, origins: int, rules: RetreatRules) -> int:
    """Spaces that one step from `origins` may enter."""
    parts = [(origins, rules.allowed)]
    for course in rules.courses:
        parts = [(some, open_to & lead) for part, open_to in parts for some, lead in course.allowed(part)]
    found = 0
    for part, open_to in parts:
        found |= spaces.expand(part) & open_to
    return found
