"""Retreat paths: behaviour, and equality with a plain enumeration of all paths."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stavka.kernel.areamap import AreaMap, Link, Space
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.hexgrid import HexGrid
from stavka.kernel.retreat import Course, RetreatRules, away_from, preferred, retreat, retreat_preferring, toward
from stavka.kernel.spaces import SpaceIndex

GRID = HexGrid(7, 8, shifted="even", columns_from="east")
WEST = toward(GRID, GRID.column(8), strict=True)
NOT_FORWARD = toward(GRID, GRID.column(8))
ANYWHERE = RetreatRules(GRID.all)
AREAS = AreaMap(
    [Space(name, "land") for name in "ABCDEF"],
    [Link(a, b, "clear") for a, b in ("AB", "AC", "BD", "CD", "DE", "BF")],
)


class TestSearch:
    def test_every_end_is_as_far_away_as_the_steps_say(self) -> None:
        found = retreat(GRID, "0404", 2, ANYWHERE)
        assert found.longest == 2
        assert found.ends(1) == GRID.adjacent("0404")
        assert found.ends() == found.ends(2) == GRID.ring(GRID.bit("0404"), 2)
        assert found.ends(0) == found.ends(3) == 0

    def test_paths_are_given_for_each_end_in_reading_order(self) -> None:
        found = retreat(GRID, "0404", 2, ANYWHERE)
        paths = found.paths()
        assert list(paths) == sorted(paths)
        assert paths["0402"] == ("0404", "0403", "0402")
        assert found.path("0403", 1) == ("0404", "0403")
        assert found.path("0403") == ()
        assert found.path("0404") == ()

    def test_a_retreat_may_be_shorter_than_asked(self) -> None:
        walls = GRID.all & ~GRID.within(GRID.bit("0404"), 1)
        found = retreat(GRID, "0404", 3, RetreatRules(GRID.all & ~walls))
        assert found.longest == 1
        assert found.ends() == GRID.adjacent("0404")
        nowhere = retreat(GRID, "0404", 3, RetreatRules(0))
        assert (nowhere.longest, nowhere.ends(), nowhere.paths()) == (0, 0, {})

    def test_a_space_may_be_entered_but_not_passed(self) -> None:
        stop = GRID.adjacent("0404")
        found = retreat(GRID, "0404", 2, RetreatRules(GRID.all, stop=stop))
        assert (found.longest, found.ends()) == (1, stop)
        assert retreat(GRID, "0404", 2, RetreatRules(GRID.all, stop=GRID.bit("0404"))).longest == 2

    def test_an_unknown_start_is_malformed(self) -> None:
        with pytest.raises(MalformedCommand):
            retreat(GRID, "9999", 1, ANYWHERE)


class TestCourses:
    def test_each_step_leads_nearer_to_the_edge(self) -> None:
        found = retreat(GRID, "0404", 1, RetreatRules(GRID.all, courses=(WEST,)))
        assert GRID.codes(found.ends()) == ("0305", "0405", "0505")

    def test_a_step_may_keep_its_distance_but_not_lead_forward(self) -> None:
        found = retreat(GRID, "0304", 1, RetreatRules(GRID.all, courses=(NOT_FORWARD,)))
        assert GRID.codes(found.ends()) == ("0204", "0305", "0404")

    def test_courses_add_up(self) -> None:
        away = away_from(GRID, GRID.bit("0305"))
        found = retreat(GRID, "0404", 1, RetreatRules(GRID.all, courses=(NOT_FORWARD, away)))
        assert GRID.codes(found.ends()) == ("0504", "0505")
        level = away_from(GRID, GRID.bit("0305"), strict=False)
        found = retreat(GRID, "0404", 1, RetreatRules(GRID.all, courses=(NOT_FORWARD, level)))
        assert GRID.codes(found.ends()) == ("0304", "0405", "0504", "0505")

    def test_no_course_leads_out_of_a_pocket_that_the_goal_does_not_reach(self) -> None:
        around = GRID.adjacent("0404")
        course = toward(GRID, GRID.column(8), GRID.all & ~around)
        assert retreat(GRID, "0404", 1, RetreatRules(GRID.all, courses=(course,))).longest == 0


class TestPreferences:
    blocked = RetreatRules(GRID.all & ~GRID.column(5), courses=(WEST,))
    short = RetreatRules(GRID.all & ~GRID.column(6), courses=(WEST,))

    def test_the_first_rules_that_allow_the_whole_retreat_win(self) -> None:
        found = retreat_preferring(GRID, "0404", 2, [self.blocked, self.short, ANYWHERE, ANYWHERE])
        assert found.rules is ANYWHERE
        assert retreat_preferring(GRID, "0404", 1, [self.short, ANYWHERE]).rules is self.short

    def test_else_the_longest_partial_retreat(self) -> None:
        found = retreat_preferring(GRID, "0404", 3, [self.blocked, self.short, RetreatRules(0)])
        assert found.rules is self.short
        with pytest.raises(ValueError):
            retreat_preferring(GRID, "0404", 1, [])

    def test_wishes_narrow_the_ends_unless_nothing_is_left(self) -> None:
        assert preferred(0b1110, 0b0110, 0b0001, 0b0100) == 0b0100
        assert preferred(0b1110) == 0b1110
        assert preferred(0, 0b1) == 0


def walks(spaces: SpaceIndex, start: str, steps: int, rules: RetreatRules, fits: list[dict[str, int]]) -> set[str]:
    """Ends of all paths of exactly `steps` steps; `fits`: distance maps that must grow with each step."""
    fronts: list[tuple[str, ...]] = [(start,)]
    for _ in range(steps):
        fronts = [
            (*path, there)
            for path in fronts
            if path[-1] == start or not rules.stop & spaces.bit(path[-1])
            for there in spaces.codes(spaces.adjacent(path[-1]) & rules.allowed)
            if all(fit.get(path[-1], 99) < fit.get(there, -1) for fit in fits)
        ]
    return {path[-1] for path in fronts}


def distances(spaces: SpaceIndex, goals: tuple[str, ...]) -> dict[str, int]:
    found = dict.fromkeys(goals, 0)
    for here in (queue := list(goals)):
        for there in spaces.codes(spaces.adjacent(here)):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@settings(max_examples=150)
@given(st.sampled_from([GRID, AREAS]), st.data(), st.integers(0, 4))
def test_search_equals_a_plain_enumeration(spaces: HexGrid | AreaMap, data: st.DataObject, steps: int) -> None:
    some = st.integers(0, (1 << spaces.all.bit_length()) - 1).map(lambda bits: bits & spaces.all)
    start = data.draw(st.sampled_from(spaces.codes(spaces.all)))
    goals = data.draw(some) & data.draw(some) & data.draw(some)
    courses: tuple[Course, ...] = (away_from(spaces, goals),) if goals else ()
    rules = RetreatRules(data.draw(some) | data.draw(some), data.draw(some) & data.draw(some), courses)
    fits = [distances(spaces, (start,)), *([distances(spaces, spaces.codes(goals))] if goals else [])]
    found = retreat(spaces, start, steps, rules)
    for count in range(1, steps + 1):
        plain = walks(spaces, start, count, rules, fits)
        assert set(spaces.codes(found.ends(count))) == plain
        for end, path in found.paths(count).items():
            assert (path[0], path[-1], len(path)) == (start, end, count + 1)
            assert all(spaces.adjacent(a) & spaces.bit(b) for a, b in pairwise(path))
            assert not spaces.mask(path[1:]) & ~rules.allowed
            assert not spaces.mask(path[1:-1]) & rules.stop
            assert all(fit[a] < fit[b] for fit in fits for a, b in pairwise(path))
