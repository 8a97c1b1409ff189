"""Area maps and movement on them, against a plain breadth-first search over (space, move over) states."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stavka.kernel.areamap import AreaGraph, AreaMap, Link, Space, border
from stavka.kernel.areamovement import AreaMoveRules, AreaRefusal, check_path, reach_areas
from stavka.kernel.errors import MalformedCommand

LAND = ("Coast", "Plain", "Ridge", "Valley", "Isle")
MAP = AreaMap(
    [*(Space(name, "land") for name in LAND), Space("Gulf", "sea")],
    [
        Link("Coast", "Plain", "clear"),
        Link("Plain", "Valley", "river"),
        Link("Plain", "Ridge", "mountain"),
        Link("Ridge", "Valley", "clear"),
        Link("Valley", "Isle", "strait"),
        Link("Coast", "Gulf", "coast"),
        Link("Isle", "Gulf", "coast"),
    ],
)
THROUGH = MAP.graph(["clear", "river", "strait"])
ENDING = MAP.graph(["mountain"])
WALK = AreaMoveRules(THROUGH, 2, ENDING)


class TestMap:
    def test_spaces_have_kinds_and_an_order(self) -> None:
        assert MAP.kinds == ("land", "sea")
        assert MAP.codes(MAP.kind("land")) == LAND
        assert MAP.kind_of("Gulf") == "sea"
        assert MAP.codes(MAP.all)[-1] == "Gulf"
        assert MAP.mask(["Gulf", "Coast"]) == MAP.bit("Coast") | MAP.bit("Gulf")
        assert "Gulf" in MAP
        assert "Atlantis" not in MAP

    def test_links_run_both_ways_and_keep_their_kinds(self) -> None:
        assert MAP.linked("Plain", "Coast")
        assert MAP.linked("Coast", "Plain")
        assert MAP.link_kinds("Valley", "Plain") == ("river",)
        assert MAP.link_kinds("Coast", "Isle") == ()
        assert MAP.codes(MAP.adjacent("Plain")) == ("Coast", "Ridge", "Valley")
        assert [MAP.code(index) for index in MAP.neighbors(MAP.index("Gulf"))] == ["Coast", "Isle"]

    def test_a_graph_holds_only_its_kinds_of_link(self) -> None:
        assert THROUGH.codes(THROUGH.adjacent("Plain")) == ("Coast", "Valley")
        assert THROUGH.adjacent("Gulf") == 0

    def test_closed_borders_are_closed_both_ways(self) -> None:
        for graph in (
            THROUGH.without([border("Valley", "Plain")]),
            MAP.graph(["clear", "river", "strait"], [border("Plain", "Valley")]),
        ):
            assert not graph.linked("Plain", "Valley")
            assert not graph.linked("Valley", "Plain")
            assert graph.linked("Plain", "Coast")
        assert THROUGH.linked("Plain", "Valley")

    def test_an_unknown_name_is_malformed(self) -> None:
        for ask in (MAP.bit, MAP.kind_of, MAP.adjacent):
            with pytest.raises(MalformedCommand) as error:
                ask("Atlantis")
            assert error.value.reason == "UNKNOWN_SPACE"

    @pytest.mark.parametrize(
        ("spaces", "links"),
        [
            ([Space("A", "land"), Space("A", "sea")], []),
            ([Space("A", "land")], [Link("A", "B", "clear")]),
            ([Space("A", "land")], [Link("A", "A", "clear")]),
            ([Space("A", "land"), Space("B", "land")], [Link("A", "B", "clear"), Link("B", "A", "clear")]),
        ],
    )
    def test_a_map_that_contradicts_itself_is_refused(self, spaces: list[Space], links: list[Link]) -> None:
        with pytest.raises(ValueError):
            AreaMap(spaces, links)


class TestMovement:
    def test_steps_are_counted_and_the_mountain_border_ends_the_move(self) -> None:
        found = reach_areas("Coast", replace(WALK, allowance=3))
        assert {name: found.steps(name) for name in MAP.codes(MAP.all)} == {
            "Coast": 0, "Plain": 1, "Ridge": 2, "Valley": 2, "Isle": 3, "Gulf": None,
        }  # fmt: skip
        assert found.path("Ridge") == ("Coast", "Plain", "Ridge")
        assert found.path("Gulf") == ()
        assert found.path("Coast") == ("Coast",)

    def test_a_space_first_reached_over_such_a_border_may_still_be_passed_by_a_longer_way(self) -> None:
        found = reach_areas("Plain", replace(WALK, allowance=2))
        assert found.path("Ridge") == ("Plain", "Ridge")
        assert found.check(("Plain", "Valley", "Ridge")) is None
        chain = AreaMap(
            [Space(name, "land") for name in "ABCD"],
            [Link("A", "C", "hill"), *(Link(a, b, "flat") for a, b in pairwise("ABCD"))],
        )
        onward = reach_areas("A", AreaMoveRules(chain.graph(["flat"]), 3, chain.graph(["hill"])))
        assert onward.steps("C") == 1
        assert onward.path("D") == ("A", "B", "C", "D")

    @pytest.mark.parametrize(
        ("path", "change", "reason"),
        [
            (("Coast", "Valley"), {}, AreaRefusal.NO_OPEN_LINK),
            (("Coast", "Gulf"), {}, AreaRefusal.NO_OPEN_LINK),
            (("Coast", "Plain"), {"through": THROUGH.without([("Coast", "Plain")])}, AreaRefusal.NO_OPEN_LINK),
            (("Coast", "Plain"), {"forbidden": MAP.bit("Plain")}, AreaRefusal.FORBIDDEN_SPACE),
            (("Coast", "Plain", "Valley"), {"stop": MAP.bit("Plain")}, AreaRefusal.MUST_STOP),
            (("Plain", "Ridge", "Valley"), {}, AreaRefusal.MUST_STOP),
            (("Coast", "Plain", "Valley", "Isle"), {}, AreaRefusal.ALLOWANCE_EXCEEDED),
        ],
    )
    def test_the_first_step_that_fails_is_named(
        self, path: tuple[str, ...], change: dict[str, object], reason: AreaRefusal
    ) -> None:
        failure = check_path(path, replace(WALK, **change))  # type: ignore[arg-type]
        assert failure is not None
        assert (failure.step, failure.origin, failure.target) == (len(path) - 1, path[-2], path[-1])
        assert failure.reason == reason

    def test_a_path_must_begin_where_the_unit_is(self) -> None:
        for path in ((), ("Plain", "Coast")):
            failure = reach_areas("Coast", WALK).check(path)
            assert failure is not None
            assert failure.reason == AreaRefusal.WRONG_START


@st.composite
def cases(draw: st.DrawFn) -> tuple[AreaMap, str, AreaMoveRules]:
    names = [f"a{n}" for n in range(draw(st.integers(1, 9)))]
    pairs = list(combinations(names, 2))
    kinds = draw(st.lists(st.sampled_from(["flat", "hill", "", ""]), min_size=len(pairs), max_size=len(pairs)))
    area_map = AreaMap(
        [Space(name, "land") for name in names],
        [Link(a, b, kind) for (a, b), kind in zip(pairs, kinds, strict=True) if kind],
    )
    some = st.integers(0, area_map.all)
    rules = AreaMoveRules(
        area_map.graph(["flat"]),
        draw(st.integers(0, 5)),
        draw(st.sampled_from([None, area_map.graph(["hill"])])),
        draw(some) & draw(some),
        draw(some),
    )
    return area_map, draw(st.sampled_from(names)), rules


def plain_steps(start: str, rules: AreaMoveRules) -> dict[str, int]:
    best = {start: 0}
    seen = {(start, False)}
    queue = deque([(start, False, 0)])
    while queue:
        here, over, count = queue.popleft()
        if over or count == rules.allowance:
            continue
        for name in rules.through.codes(rules.through.all & ~rules.forbidden):
            goes_on = rules.through.linked(here, name)
            if not goes_on and not (rules.ending is not None and rules.ending.linked(here, name)):
                continue
            state = (name, not goes_on or bool(rules.stop & rules.through.bit(name)))
            best.setdefault(name, count + 1)
            if state not in seen:
                seen.add(state)
                queue.append((*state, count + 1))
    return best


@settings(max_examples=200)
@given(cases())
def test_search_equals_a_plain_breadth_first_search(case: tuple[AreaMap, str, AreaMoveRules]) -> None:
    area_map, start, rules = case
    found = reach_areas(start, rules)
    plain = plain_steps(start, rules)
    assert {name: found.steps(name) for name in area_map.codes(found.spaces | area_map.bit(start))} == plain
    for name, count in plain.items():
        path = found.path(name)
        assert (path[0], path[-1], len(path)) == (start, name, count + 1)
        assert found.check(path) is None


@given(cases())
def test_expand_holds_the_neighbours_of_all(case: tuple[AreaMap, str, AreaMoveRules]) -> None:
    area_map, _, rules = case
    graphs: list[AreaGraph] = [area_map, rules.through]
    for graph in graphs:
        plain = 0
        for name in graph.codes(rules.stop):
            plain |= graph.adjacent(name)
        assert graph.expand(rules.stop) == plain
