"""Movement search on hexes: behaviour of each hindrance, and equality with a plain Dijkstra search."""

from __future__ import annotations

import heapq
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.hexgrid import DIRECTIONS, HexGrid
from stavka.kernel.movement import MoveRules, StepRefusal, ZocRule, cost_of, reach
from stavka.kernel.terrain import Entry, Side, hexsides, step_costs, uniform_costs

GRID = HexGrid(8, 7, shifted="even", columns_from="east")
PLAIN = uniform_costs(GRID.all)
WALK = MoveRules(PLAIN, 3)


class TestOpenGround:
    def test_all_hexes_within_the_allowance_are_reached(self) -> None:
        found = reach(GRID, "0404", WALK)
        assert found.spaces == GRID.within(GRID.bit("0404"), 3) & ~GRID.bit("0404")
        assert found.cost("0404") == 0
        assert found.path("0404") == ("0404",)
        assert found.cost("0101") is None
        assert found.path("0101") == ()

    def test_ties_are_broken_in_reading_order_from_the_target(self) -> None:
        assert reach(GRID, "0404", WALK).path("0206") == ("0404", "0305", "0205", "0206")

    def test_a_unit_without_allowance_stays(self) -> None:
        assert reach(GRID, "0404", replace(WALK, allowance=0, minimum_step=True)).spaces == 0

    def test_an_unknown_start_is_malformed(self) -> None:
        with pytest.raises(MalformedCommand):
            reach(GRID, "9999", WALK)


class TestHindrances:
    marsh = GRID.bit("0403")
    river = hexsides(GRID, [("0404", "0405")])
    costs = step_costs((Entry("clear", 1, GRID.all & ~marsh), Entry("marsh", 3, marsh)), (Side("river", 1, river),))

    def test_terrain_and_hexside_are_paid_and_listed(self) -> None:
        rules = MoveRules(self.costs, 6)
        account = cost_of(GRID, ("0404", "0405", "0404", "0403"), rules)
        assert account.is_legal is False
        assert [(s.terrain, s.base, s.hexsides, s.paid) for s in account.steps] == [
            ("clear", 1, (("river", 1),), 2),
            ("clear", 1, (("river", 1),), 2),
        ]
        assert account.total == 4
        assert account.failure is not None
        assert (account.failure.step, account.failure.reason) == (3, StepRefusal.ALLOWANCE_EXCEEDED)

    def test_the_minimum_step_takes_all_mp(self) -> None:
        rules = MoveRules(self.costs, 2, minimum_step=True)
        found = reach(GRID, "0404", rules)
        assert found.cost("0403") == 2
        assert found.path("0403") == ("0404", "0403")
        account = found.cost_of(("0404", "0403"))
        assert account.is_legal
        assert (account.steps[0].base, account.total) == (3, 2)
        onward = found.cost_of(("0404", "0403", "0402"))
        assert onward.failure is not None
        assert onward.failure.reason == StepRefusal.ALLOWANCE_EXCEEDED
        assert reach(GRID, "0404", replace(rules, minimum_step=False)).cost("0403") is None

    def test_only_the_first_step_may_be_the_minimum_step(self) -> None:
        rules = MoveRules(self.costs, 2, minimum_step=True)
        account = cost_of(GRID, ("0405", "0404", "0403"), rules)
        assert account.failure is not None
        assert account.failure.step == 2

    def test_the_minimum_step_does_not_enter_a_forbidden_hex(self) -> None:
        rules = MoveRules(self.costs, 1, forbidden=self.marsh, minimum_step=True)
        assert reach(GRID, "0404", rules).cost("0403") is None

    @pytest.mark.parametrize(
        ("path", "change", "reason"),
        [
            (("0404", "0406"), {}, StepRefusal.NOT_ADJACENT),
            (("0404", "0404"), {}, StepRefusal.NOT_ADJACENT),
            (("0404", "0405"), {"forbidden": GRID.bit("0405")}, StepRefusal.FORBIDDEN_SPACE),
            (("0404", "0403"), {"costs": uniform_costs(GRID.all & ~GRID.bit("0403"))}, StepRefusal.IMPASSABLE_TERRAIN),
            (
                ("0404", "0405"),
                {"costs": step_costs((Entry("clear", 1, GRID.all),), (), hexsides(GRID, [("0404", "0405")]))},
                StepRefusal.IMPASSABLE_HEXSIDE,
            ),
            (("0404", "0405", "0406"), {"stop": GRID.bit("0405")}, StepRefusal.MUST_STOP),
            (
                ("0404", "0405"),
                {"zoc": ZocRule(GRID.mask(["0404", "0405"]), leave=GRID.bit("0404"), enter=0)},
                StepRefusal.ZOC_TO_ZOC,
            ),
            (
                ("0404", "0405"),
                {"zoc": ZocRule(GRID.mask(["0404", "0405"]), leave=0)},
                StepRefusal.ZOC_TO_ZOC,
            ),
            (("0404", "0405", "0406", "0407", "0307"), {}, StepRefusal.ALLOWANCE_EXCEEDED),
        ],
    )
    def test_the_first_step_that_fails_is_named(
        self, path: tuple[str, ...], change: dict[str, object], reason: StepRefusal
    ) -> None:
        rules = replace(WALK, **change)  # type: ignore[arg-type]
        found = reach(GRID, path[0], rules)
        account = found.cost_of(path)
        assert account.failure is not None
        assert account.failure.reason == reason
        assert account.failure.step == len(path) - 1
        assert len(account.steps) == len(path) - 2

    def test_a_path_must_begin_where_the_unit_is(self) -> None:
        for path in ((), ("0405", "0404")):
            failure = reach(GRID, "0404", WALK).cost_of(path).failure
            assert failure is not None
            assert (failure.step, failure.reason) == (0, StepRefusal.WRONG_START)


class TestZocRules:
    zoc = GRID.mask(["0403", "0402", "0303"])

    def test_a_unit_that_must_stop_goes_on_only_beside_friends(self) -> None:
        def rules(friends: int) -> MoveRules:
            return MoveRules(PLAIN, 4, stop=self.zoc & ~friends, zoc=ZocRule(self.zoc, leave=friends, enter=friends))

        alone, backed = (reach(GRID, "0404", rules(GRID.mask(names))) for names in ((), ("0403", "0402")))
        assert alone.cost("0403") == 1
        assert alone.cost("0402") == 3  # around the zone
        assert backed.cost("0402") == 2
        one_friend = reach(GRID, "0404", rules(GRID.bit("0403")))
        assert one_friend.cost("0402") == 3
        assert one_friend.path("0402") != ("0404", "0403", "0402")

    def test_a_unit_that_starts_in_a_zone_may_leave_it(self) -> None:
        rules = MoveRules(PLAIN, 2, stop=self.zoc, zoc=ZocRule(self.zoc, leave=0, enter=0))
        found = reach(GRID, "0403", rules)
        assert found.path("0402") == ("0403", "0503", "0402")
        assert found.cost("0404") == 1

    def test_surcharges_for_entering_and_for_moving_between_are_separate(self) -> None:
        entering = reach(GRID, "0404", MoveRules(PLAIN, 6, zoc=ZocRule(self.zoc, entering=1)))
        between = reach(GRID, "0404", MoveRules(PLAIN, 6, zoc=ZocRule(self.zoc, between=1)))
        path = ("0404", "0403", "0402")
        assert [step.zoc for step in entering.cost_of(path).steps] == [1, 1]
        assert [step.zoc for step in between.cost_of(path).steps] == [0, 1]
        assert entering.cost("0403") == 2
        assert between.cost("0403") == 1


def plain_costs(grid: HexGrid, start: str, rules: MoveRules) -> dict[str, int]:
    """Dijkstra over single hexes, from the words of the rules alone."""
    costs, zoc = rules.costs, rules.zoc
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        if spent > best[here] or (here != start and rules.stop & grid.bit(here)):
            continue
        for d, direction in enumerate(DIRECTIONS):
            there = grid.neighbor(here, direction)
            if there is None:
                continue
            bit = grid.bit(there)
            base = [entry.cost for entry in costs.entries if entry.mask & bit]
            if bit & (rules.forbidden | costs.closed[d]) or not base:
                continue
            cost = base[0] + sum(side.cost for side in costs.sides if side.into[d] & bit)
            if bit & zoc.zoc:
                cost += zoc.entering
                if grid.bit(here) & zoc.zoc:
                    if not (grid.bit(here) & zoc.leave and bit & zoc.enter):
                        continue
                    cost += zoc.between
            if spent + cost > rules.allowance:
                if not (here == start and rules.minimum_step and rules.allowance):
                    continue
                cost = rules.allowance
            if spent + cost < best.get(there, 10**6):
                best[there] = spent + cost
                heapq.heappush(queue, (spent + cost, there))
    return best


@st.composite
def cases(draw: st.DrawFn) -> tuple[HexGrid, str, MoveRules]:
    grid = HexGrid(
        draw(st.integers(1, 8)),
        draw(st.integers(1, 8)),
        shifted=draw(st.sampled_from(["even", "odd"])),
        columns_from=draw(st.sampled_from(["east", "west"])),
    )
    some = st.integers(0, (1 << grid.all.bit_length()) - 1).map(lambda bits: bits & grid.all)
    few = st.tuples(some, some, some).map(lambda three: three[0] & three[1] & three[2])
    rough, swamp = draw(some), draw(few)
    entries = (
        Entry("clear", 1, grid.all & ~rough & ~swamp),
        Entry("rough", draw(st.integers(1, 3)), rough & ~swamp & ~draw(few)),
        Entry("swamp", draw(st.integers(2, 4)), swamp),
    )
    six = st.tuples(some, some, some, some, some, some)
    thin = st.tuples(few, few, few, few, few, few)
    sides = draw(st.lists(st.builds(Side, st.just("side"), st.integers(0, 2), six), max_size=2))
    zoc = ZocRule(
        draw(some), draw(some | st.just(-1)), draw(some | st.just(-1)), draw(st.integers(0, 2)), draw(st.integers(0, 2))
    )
    rules = MoveRules(
        step_costs(entries, sides, draw(thin)),
        draw(st.integers(0, 9)),
        draw(few),
        draw(few | st.just(0)),
        zoc,
        draw(st.booleans()),
    )
    return grid, draw(st.sampled_from(grid.codes(grid.all))), rules


class TestSearchEqualsDijkstra:
    @settings(max_examples=200)
    @given(cases())
    def test_costs_and_paths(self, case: tuple[HexGrid, str, MoveRules]) -> None:
        grid, start, rules = case
        found = reach(grid, start, rules)
        plain = plain_costs(grid, start, rules)
        assert {code: found.cost(code) for code in grid.codes(found.spaces | grid.bit(start))} == plain
        for code, cost in plain.items():
            path = found.path(code)
            assert (path[0], path[-1]) == (start, code)
            account = found.cost_of(path)
            assert account.is_legal
            assert account.total == cost == sum(step.paid for step in account.steps)

    @settings(max_examples=100)
    @given(cases(), st.data())
    def test_no_legal_path_is_cheaper_or_leads_elsewhere(
        self, case: tuple[HexGrid, str, MoveRules], data: st.DataObject
    ) -> None:
        grid, start, rules = case
        path = [start]
        for _ in range(data.draw(st.integers(0, 6))):
            near = grid.codes(grid.adjacent(path[-1]))
            if near:
                path.append(data.draw(st.sampled_from(near)))
        found = reach(grid, start, rules)
        account = found.cost_of(path)
        if account.is_legal:
            cheapest = found.cost(path[-1])
            assert cheapest is not None
            assert cheapest <= account.total <= rules.allowance
