"""Terrain charts to cost masks, and zones of control."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stavka.kernel import zoc
from stavka.kernel.hexgrid import DIRECTIONS, HexGrid
from stavka.kernel.terrain import Entry, Side, TerrainEffects, hexsides, step_costs, uniform_costs

GRID = HexGrid(6, 6, shifted="even", columns_from="west")
CHART = TerrainEffects(
    entry={"clear": {"foot": 1, "tank": 1}, "marsh": {"foot": 2, "tank": None}},
    crossing={"river": {"foot": 0, "tank": 1}, "lake": {"foot": None, "tank": None}},
)


class TestHexsides:
    def test_both_hexes_are_entered_over_their_side(self) -> None:
        sides = hexsides(GRID, [("0202", "0203")])
        assert sides[DIRECTIONS.index("E")] == GRID.bit("0203")
        assert sides[DIRECTIONS.index("W")] == GRID.bit("0202")
        assert sum(map(bool, sides)) == 2

    def test_a_slope_counts_one_way(self) -> None:
        sides = hexsides(GRID, [("0202", "0203")], one_way=True)
        assert sides[DIRECTIONS.index("W")] == 0

    def test_hexes_without_a_common_side_are_refused(self) -> None:
        with pytest.raises(ValueError):
            hexsides(GRID, [("0101", "0103")])


MARSH = GRID.mask(["0303", "0304"])
SPACES = {"clear": GRID.all & ~MARSH, "marsh": MARSH}
SIDES = {"river": hexsides(GRID, [("0202", "0203")]), "lake": hexsides(GRID, [("0101", "0102")])}


class TestCharts:
    def test_each_kind_of_unit_pays_its_column(self) -> None:
        foot, tank = (CHART.costs(kind, SPACES, SIDES) for kind in ("foot", "tank"))
        assert [(entry.label, entry.cost) for entry in foot.entries] == [("clear", 1), ("marsh", 2)]
        assert foot.surcharges == ()
        assert foot.enterable == GRID.all
        assert tank.enterable == GRID.all & ~MARSH
        assert tank.surcharges == ((1, SIDES["river"]),)
        assert foot.closed == tank.closed == SIDES["lake"]

    def test_a_terrain_or_kind_of_unit_off_the_chart_is_an_error(self) -> None:
        for kind, spaces in (("ski", SPACES), ("foot", {"sea": 1})):
            with pytest.raises(KeyError):
                CHART.costs(kind, spaces, SIDES)

    def test_costs_below_one_and_double_entries_are_refused(self) -> None:
        with pytest.raises(ValueError):
            step_costs((Entry("road", 0, 1),))
        with pytest.raises(ValueError):
            step_costs((Entry("clear", 1, 3), Entry("marsh", 2, 2)))
        with pytest.raises(ValueError):
            step_costs((Entry("clear", 1, 1),), (Side("ferry", -1, (1, 0, 0, 0, 0, 0)),))

    @given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(0, 255), min_size=6, max_size=6)), max_size=4))
    def test_surcharges_add_up_and_are_disjoint(self, drawn: list[tuple[int, list[int]]]) -> None:
        sides = [Side("side", cost, (a, b, c, d, e, f)) for cost, (a, b, c, d, e, f) in drawn]
        costs = step_costs((Entry("clear", 1, 255),), sides)
        for d in range(6):
            for bit in (1 << n for n in range(8)):
                total = sum(side.cost for side in sides if side.into[d] & bit)
                classes = [(0, costs.level), *costs.surcharges]
                assert [amount for amount, masks in classes if masks[d] & bit] == [total]

    def test_uniform_costs_ignore_terrain(self) -> None:
        costs = uniform_costs(GRID.all)
        assert [(entry.cost, entry.mask) for entry in costs.entries] == [(1, GRID.all)]


class TestZones:
    def test_a_unit_dominates_the_hexes_around_it_and_not_its_own(self) -> None:
        zone = zoc.project(GRID, GRID.bit("0303"), GRID.all)
        assert zone == GRID.adjacent("0303")
        assert not zone & GRID.bit("0303")

    def test_it_dominates_no_hex_that_it_may_not_enter(self) -> None:
        marsh = GRID.bit("0304")
        assert not zoc.project(GRID, GRID.bit("0303"), GRID.all & ~marsh) & marsh

    def test_it_dominates_nothing_across_a_closed_hexside(self) -> None:
        lake = hexsides(GRID, [("0303", "0304")])
        zone = zoc.project(GRID, GRID.mask(["0303"]), GRID.all, lake)
        assert zone == GRID.adjacent("0303") & ~GRID.bit("0304")
        both = zoc.project(GRID, GRID.mask(["0303", "0305"]), GRID.all, lake)
        assert both & GRID.bit("0304")

    def test_kinds_of_unit_are_added_up(self) -> None:
        foot, tanks, marsh = GRID.bit("0202"), GRID.bit("0505"), GRID.bit("0506")
        zone = zoc.project_all(GRID, [(foot, GRID.all, None), (tanks, GRID.all & ~marsh, None), (0, GRID.all, None)])
        assert zone == (GRID.adjacent("0202") | GRID.adjacent("0505")) & ~marsh
