"""Supply lines: behaviour, and equality with a plain breadth-first search on hexes and areas."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stavka.kernel.areamap import AreaMap, Link, Space
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.hexgrid import HexGrid
from stavka.kernel.spaces import SpaceIndex
from stavka.kernel.supply import blockade, supply_line, trace

GRID = HexGrid(6, 8, shifted="even", columns_from="east")
RING = AreaMap(
    [Space(f"a{n}", "land") for n in range(8)], [Link(f"a{n}", f"a{(n + 1) % 8}", "clear") for n in range(8)]
)


class TestLines:
    edge = GRID.column(8)

    def test_open_ground_is_supplied_from_an_edge_by_a_shortest_line(self) -> None:
        assert trace(GRID, self.edge, GRID.all) == GRID.all
        line = supply_line(GRID, self.edge, GRID.all, "0301")
        assert (line[0], len(line)) == ("0301", 8)
        assert supply_line(GRID, self.edge, GRID.all, "0308") == ("0308",)

    def test_a_closed_ring_cuts_a_unit_off_and_is_named(self) -> None:
        enemies, zone = GRID.bit("0205") | GRID.bit("0405"), GRID.adjacent("0304")
        passable = GRID.all & ~(enemies | zone)
        assert not trace(GRID, self.edge, passable) & GRID.bit("0304")
        assert supply_line(GRID, self.edge, passable, "0304") == ()
        why = blockade(GRID, passable, "0304", {"enemy units": enemies, "enemy ZOC": zone})
        assert why.pocket == GRID.bit("0304")
        assert why.frontier == zone
        assert why.blocked_by == {"enemy units": enemies & zone, "enemy ZOC": zone}

    def test_a_friend_in_the_zone_opens_the_line(self) -> None:
        zone, friends = GRID.adjacent("0304"), GRID.bit("0305")
        passable = GRID.all & (~zone | friends)
        line = supply_line(GRID, self.edge, passable, "0304")
        assert line[:2] == ("0304", "0305")

    def test_a_source_that_is_not_passable_is_no_source(self) -> None:
        assert trace(GRID, GRID.bit("0308"), GRID.all & ~GRID.bit("0308")) == 0
        assert supply_line(GRID, 0, GRID.all, "0304") == ()

    def test_a_target_that_is_not_passable_bars_itself(self) -> None:
        bit = GRID.bit("0304")
        why = blockade(GRID, GRID.all & ~bit, "0304", {"enemy units": bit})
        assert (why.pocket, why.frontier, why.blocked_by) == (0, bit, {"enemy units": bit})

    def test_the_limit_is_inclusive(self) -> None:
        source = GRID.bit("0301")
        assert trace(GRID, source, GRID.all, 0) == source
        assert trace(GRID, source, GRID.all, 3) == GRID.within(source, 3)
        assert len(supply_line(GRID, source, GRID.all, "0304", 3)) == 4
        assert supply_line(GRID, source, GRID.all, "0305", 3) == ()

    def test_an_unknown_space_is_malformed(self) -> None:
        with pytest.raises(MalformedCommand):
            supply_line(GRID, self.edge, GRID.all, "9999")


def plain_distances(spaces: SpaceIndex, sources: int, passable: int) -> dict[str, int]:
    found = dict.fromkeys(spaces.codes(sources & passable), 0)
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in spaces.codes(spaces.adjacent(here) & passable):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@settings(max_examples=150)
@given(st.sampled_from([GRID, RING]), st.data(), st.none() | st.integers(0, 6))
def test_searches_equal_a_plain_breadth_first_search(
    spaces: HexGrid | AreaMap, data: st.DataObject, limit: int | None
) -> None:
    some = st.integers(0, (1 << spaces.all.bit_length()) - 1)
    passable = data.draw(some) | data.draw(some)
    sources = data.draw(some) & data.draw(some)
    plain = plain_distances(spaces, sources, passable)
    supplied = {code for code, away in plain.items() if limit is None or away <= limit}
    assert set(spaces.codes(trace(spaces, sources, passable, limit))) == supplied
    for code in spaces.codes(spaces.all):
        line = supply_line(spaces, sources, passable, code, limit)
        assert len(line) == (plain[code] + 1 if code in supplied else 0)
        assert all(spaces.adjacent(a) & spaces.bit(b) for a, b in pairwise(line))
        assert not spaces.mask(line) & ~passable
        if code not in plain:
            why = blockade(spaces, passable, code, {})
            assert not why.pocket & (sources & passable)
            assert not why.frontier & passable
