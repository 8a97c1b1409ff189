"""Hex grids: numbering, neighbours, moved sets and distances, each against plain geometry."""

from __future__ import annotations

from itertools import product
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.hexgrid import DIRECTIONS, OPPOSITE, HexGrid
from stavka.kernel.spaces import distance_layers, indices, lowest

SHIFTED: tuple[Literal["even", "odd"], ...] = ("even", "odd")
SIDES: tuple[Literal["east", "west"], ...] = ("east", "west")
GRIDS = [
    HexGrid(rows, cols, shifted=shifted, columns_from=side)
    for (rows, cols), shifted, side in product([(7, 6), (1, 4), (5, 1)], SHIFTED, SIDES)
]
EAST = HexGrid(34, 25, shifted="even", columns_from="east")


def place(grid: HexGrid, code: str) -> tuple[int, int]:
    """(x, y) of a hex with x in half hexes, growing eastward, worked out from its printed code."""
    shifted = bool(EVEN_SHIFTED[grid]) == (int(code[:2]) % 2 == 0)
    x = 2 * int(code[2:]) + shifted
    return (-x if FROM_EAST[grid] else x), int(code[:2])


EVEN_SHIFTED = {grid: index // 2 % 2 == 0 for index, grid in enumerate(GRIDS)} | {EAST: True}
FROM_EAST = {grid: index % 2 == 0 for index, grid in enumerate(GRIDS)} | {EAST: True}
STEP = {"E": (2, 0), "W": (-2, 0), "NE": (1, -1), "NW": (-1, -1), "SE": (1, 1), "SW": (-1, 1)}


def plain_neighbor(grid: HexGrid, code: str, direction: str) -> str | None:
    x, y = place(grid, code)
    dx, dy = STEP[direction]
    found = [other for other in grid.codes(grid.all) if place(grid, other) == (x + dx, y + dy)]
    return found[0] if found else None


class TestNumbering:
    def test_codes_run_by_row_and_printed_column(self) -> None:
        grid = GRIDS[0]
        codes = grid.codes(grid.all)
        assert len(codes) == 42
        assert list(codes) == sorted(codes)
        assert codes[0] == "0101"
        assert codes[-1] == "0706"

    @pytest.mark.parametrize("code", ["0000", "0807", "0107", "0800", "1", "", "x101"])
    def test_an_unknown_hex_is_malformed(self, code: str) -> None:
        with pytest.raises(MalformedCommand) as error:
            GRIDS[0].bit(code)
        assert error.value.reason == "UNKNOWN_SPACE"
        assert code not in GRIDS[0]

    def test_absent_hexes_have_no_code_and_are_nobodys_neighbour(self) -> None:
        grid = HexGrid(3, 3, shifted="even", columns_from="west", absent=("0202", "0301"))
        assert "0202" not in grid
        assert grid.codes(grid.all) == ("0101", "0102", "0103", "0201", "0203", "0302", "0303")
        assert grid.neighbor("0201", "E") is None
        assert not grid.expand(grid.all) & ~grid.all

    def test_extents_and_absent_hexes_are_checked(self) -> None:
        for rows, cols in ((0, 5), (5, 0), (100, 5), (5, 100)):
            with pytest.raises(ValueError):
                HexGrid(rows, cols, shifted="odd", columns_from="west")
        with pytest.raises(ValueError):
            HexGrid(3, 3, shifted="odd", columns_from="west", absent=("0404",))

    def test_rows_and_columns_are_the_printed_ones(self) -> None:
        assert EAST.codes(EAST.row(3))[:2] == ("0301", "0302")
        assert len(EAST.codes(EAST.row(34))) == 25
        assert EAST.codes(EAST.column(25))[-1] == "3425"
        assert EAST.row(0) == EAST.row(35) == EAST.column(0) == EAST.column(26) == 0


class TestNeighbours:
    def test_columns_from_the_east_with_even_rows_half_a_hex_west(self) -> None:
        assert [EAST.neighbor("1514", d) for d in DIRECTIONS] == ["1513", "1515", "1413", "1414", "1613", "1614"]
        assert [EAST.neighbor("1414", d) for d in DIRECTIONS] == ["1413", "1415", "1314", "1315", "1514", "1515"]

    @pytest.mark.parametrize("grid", GRIDS, ids=range(len(GRIDS)))
    def test_every_neighbour_lies_where_geometry_puts_it(self, grid: HexGrid) -> None:
        for code in grid.codes(grid.all):
            plain = [plain_neighbor(grid, code, direction) for direction in DIRECTIONS]
            assert [grid.neighbor(code, direction) for direction in DIRECTIONS] == plain
            there = [other for other in plain if other]
            assert [grid.code(index) for index in grid.neighbors(grid.index(code))] == there
            assert set(grid.codes(grid.adjacent(code))) == set(there)
            for direction, other in zip(DIRECTIONS, plain, strict=True):
                if other:
                    assert grid.direction(code, other) == direction
                    assert grid.direction(other, code) == OPPOSITE[direction]

    def test_hexes_apart_have_no_direction(self) -> None:
        assert EAST.direction("1414", "1416") is None
        assert EAST.direction("1414", "1414") is None


@st.composite
def grid_and_set(draw: st.DrawFn) -> tuple[HexGrid, int]:
    grid = draw(st.sampled_from(GRIDS))
    return grid, draw(st.integers(0, (1 << grid.all.bit_length()) - 1)) & grid.all


class TestSets:
    @given(grid_and_set())
    def test_a_moved_set_holds_each_hexs_neighbour(self, case: tuple[HexGrid, int]) -> None:
        grid, bits = case
        for direction, moved in zip(DIRECTIONS, grid.spread(bits), strict=True):
            plain = {grid.neighbor(code, direction) for code in grid.codes(bits)} - {None}
            assert set(grid.codes(moved)) == plain
            assert grid.shift(bits, direction) == moved

    @given(grid_and_set())
    def test_expand_holds_the_neighbours_of_all(self, case: tuple[HexGrid, int]) -> None:
        grid, bits = case
        plain = 0
        for code in grid.codes(bits):
            plain |= grid.adjacent(code)
        assert grid.expand(bits) == plain

    @given(grid_and_set(), st.integers(0, 4))
    def test_rings_and_distances_agree(self, case: tuple[HexGrid, int], n: int) -> None:
        grid, bits = case
        nearest = {
            code: min((grid.distance(code, origin) for origin in grid.codes(bits)), default=99)
            for code in grid.codes(grid.all)
        }
        assert set(grid.codes(grid.within(bits, n))) == {code for code, away in nearest.items() if away <= n}
        assert set(grid.codes(grid.ring(bits, n))) == {code for code, away in nearest.items() if away == n}

    @given(grid_and_set())
    def test_codes_and_masks_are_inverse(self, case: tuple[HexGrid, int]) -> None:
        grid, bits = case
        assert grid.mask(grid.codes(bits)) == bits
        assert [grid.code(index) for index in indices(bits)] == list(grid.codes(bits))
        assert lowest(bits) == next(indices(bits), -1)

    def test_distance_layers_walk_around_what_is_not_passable(self) -> None:
        goal, wall = EAST.bit("0101"), EAST.column(3)
        open_layers, walled = distance_layers(EAST, goal), distance_layers(EAST, goal, EAST.all & ~wall)
        assert open_layers[4] & EAST.bit("0105")
        assert not any(layer & EAST.bit("0105") for layer in walled)
        assert distance_layers(EAST, goal, wall) == ()
