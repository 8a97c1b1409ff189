"""Pointy-top hex grids as bit boards.

    HexGrid(rows, cols, *, shifted="even"|"odd", columns_from="east"|"west", absent=())
      .all .rows .cols .absent                 set of every hex; extent; codes inside the rectangle that are not printed
      .index(code) .code(index) code in grid   printed code "RRCC" <-> bit index (unknown: MalformedCommand UNKNOWN_SPACE)
      .bit(code) .mask(codes) .codes(bits)     codes <-> sets; reading order
      .row(n) .column(n)                       set of a printed row or column (map edges)
      .neighbors(index) .adjacent(code)        neighbours as indices in DIRECTIONS order (fewer at an edge); as a set
      .neighbor(code, direction)               code of one neighbour, or None off the map
      .direction(a, b)                         direction of the step from a to the adjacent b, or None
      .shift(bits, direction) .spread(bits)    a set moved one hex; the six moved sets in DIRECTIONS order
      .expand(bits)                            neighbours of a set
      .distance(a, b)                          hexes between two codes: 0 for the same hex, 1 for adjacent ones
      .within(bits, n) .ring(bits, n)          hexes at most / exactly n hexes from the nearest hex of the set

Rows are numbered from the north, from 01. Columns are numbered from 01 at the side `columns_from`. The `shifted` rows
lie half a hex farther the way the columns count: with columns from the east, farther west. One padding bit a row keeps
moved sets from wrapping into the next row, so a move is a few shifts of one integer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from stavka.kernel.errors import MalformedCommand
from stavka.kernel.spaces import indices

Direction = Literal["E", "W", "NE", "NW", "SE", "SW"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("E", "W", "NE", "NW", "SE", "SW")
OPPOSITE: Final[dict[Direction, Direction]] = {"E": "W", "W": "E", "NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW"}

Six = tuple[int, int, int, int, int, int]
"""One set a direction, in DIRECTIONS order."""


class HexGrid:
    """An immutable grid; see the module for its vocabulary. Two digits a row and column: at most 99 of each."""

    __slots__ = (
        "_adjacent", "_code", "_east_first", "_index", "_plain", "_shifted", "_stride", "absent", "all", "cols", "rows"
    )  # fmt: skip

    def __init__(
        self,
        rows: int,
        cols: int,
        *,
        shifted: Literal["even", "odd"],
        columns_from: Literal["east", "west"],
        absent: Iterable[str] = (),
    ) -> None:
        """Raises ValueError when the extent is not 1..99 by 1..99 or an absent code lies outside it."""
        if not (1 <= rows <= 99 and 1 <= cols <= 99):
            raise ValueError(f"a grid of {rows} by {cols} hexes cannot be numbered RRCC")
        self.rows, self.cols, self.absent = rows, cols, frozenset(absent)
        self._east_first = columns_from == "east"
        self._stride = cols + 1
        self._code = {
            r * self._stride + c: f"{r + 1:02d}{c + 1:02d}"
            for r in range(rows)
            for c in range(cols)
            if f"{r + 1:02d}{c + 1:02d}" not in self.absent
        }
        if len(self._code) + len(self.absent) != rows * cols:
            raise ValueError("an absent hex lies outside the grid")
        self._index = {code: index for index, code in self._code.items()}
        self.all = sum(1 << index for index in self._code)
        parity = 1 if shifted == "even" else 0
        line = (1 << self._stride) - 1
        self._shifted = sum(line << (r * self._stride) for r in range(rows) if r % 2 == parity)
        self._plain = ((1 << (rows * self._stride)) - 1) ^ self._shifted
        self._adjacent = {index: self.expand(1 << index) for index in self._code}

    def __contains__(self, code: object) -> bool:
        return code in self._index

    def index(self, code: str) -> int:
        """Bit index of a printed code. Raises MalformedCommand UNKNOWN_SPACE."""
        try:
            return self._index[code]
        except KeyError:
            raise MalformedCommand("UNKNOWN_SPACE", f"there is no hex {code}", space=code) from None

    def code(self, index: int) -> str:
        """Printed code "RRCC" of a bit index. Raises KeyError for padding and beyond."""
        return self._code[index]

    def bit(self, code: str) -> int:
        """Set that holds just this hex. Raises MalformedCommand UNKNOWN_SPACE."""
        return 1 << self.index(code)

    def mask(self, codes: Iterable[str]) -> int:
        """Set of the named hexes. Raises MalformedCommand UNKNOWN_SPACE."""
        bits = 0
        for code in codes:
            bits |= 1 << self.index(code)
        return bits

    def codes(self, bits: int) -> tuple[str, ...]:
        """Printed codes of a set, in reading order. Bits off the map are left out."""
        code = self._code
        return tuple(code[index] for index in indices(bits & self.all))

    def row(self, number: int) -> int:
        """Set of the hexes in a printed row; empty beyond the map."""
        return self.all & (((1 << self._stride) - 1) << ((number - 1) * self._stride)) if number > 0 else 0

    def column(self, number: int) -> int:
        """Set of the hexes in a printed column; empty beyond the map."""
        if not 1 <= number <= self.cols:
            return 0
        return self.all & sum(1 << (r * self._stride + number - 1) for r in range(self.rows))

    def spread(self, bits: int) -> Six:
        """The set moved one hex each way, in DIRECTIONS order; what leaves the map is lost."""
        board, stride = self.all, self._stride
        shifted, plain = bits & self._shifted, bits & self._plain
        onward, back = plain | shifted << 1, shifted | plain >> 1
        far, near = bits << 1 & board, bits >> 1 & board
        up_far, up_near = onward >> stride & board, back >> stride & board
        down_far, down_near = onward << stride & board, back << stride & board
        if self._east_first:
            return near, far, up_near, up_far, down_near, down_far
        return far, near, up_far, up_near, down_far, down_near

    def shift(self, bits: int, direction: Direction) -> int:
        """The set moved one hex in a direction; what leaves the map is lost."""
        return self.spread(bits)[DIRECTIONS.index(direction)]

    def expand(self, bits: int) -> int:
        """Set of all hexes next to at least one hex of `bits`; some of `bits` may be among them."""
        touched = bits | (bits & self._shifted) << 1 | (bits & self._plain) >> 1
        stride = self._stride
        return (bits << 1 | bits >> 1 | touched << stride | touched >> stride) & self.all

    def adjacent(self, code: str) -> int:
        """Set of the neighbours of one hex (two to six of them, fewer next to absent hexes)."""
        return self._adjacent[self.index(code)]

    def neighbors(self, index: int) -> tuple[int, ...]:
        """Indices of the neighbours in DIRECTIONS order; those off the map are left out."""
        return tuple(bits.bit_length() - 1 for bits in self.spread(1 << index) if bits)

    def neighbor(self, code: str, direction: Direction) -> str | None:
        """Code of the neighbour in a direction; None off the map."""
        bits = self.shift(self.bit(code), direction)
        return self._code[bits.bit_length() - 1] if bits else None

    def direction(self, a: str, b: str) -> Direction | None:
        """Direction of the step from `a` to `b`; None when they are not adjacent."""
        target = self.bit(b)
        for direction, moved in zip(DIRECTIONS, self.spread(self.bit(a)), strict=True):
            if moved == target:
                return direction
        return None

    def distance(self, a: str, b: str) -> int:
        """Steps from one hex to another over open ground: 0 for the same hex, 1 for neighbours."""
        (row_a, x_a), (row_b, x_b) = self._doubled(self.index(a)), self._doubled(self.index(b))
        down, across = abs(row_a - row_b), abs(x_a - x_b)
        return down + max(0, (across - down) // 2)

    def within(self, bits: int, n: int) -> int:
        """Set of the hexes at most n hexes away over printed hexes (n = 0: the set itself)."""
        for _ in range(n):
            bits |= self.expand(bits)
        return bits

    def ring(self, bits: int, n: int) -> int:
        """Set of the hexes exactly n hexes from the nearest hex of the set."""
        return bits if n == 0 else self.within(bits, n) & ~self.within(bits, n - 1)

    def _doubled(self, index: int) -> tuple[int, int]:
        """Row and twice the position along the row, so that half a hex is 1."""
        row, column = divmod(index, self._stride)
        return row, 2 * column + (self._shifted >> index & 1)
