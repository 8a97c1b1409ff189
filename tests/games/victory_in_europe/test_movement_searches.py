"""The search for an army's ways against every path that there is [VE 4.2] [VE 1.13] [VE 1.7] [VE 1.12]."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.ground import BIT, LAND, MAP
from stavka.games.victory_in_europe.reach import Path, Sight, land_paths, sight_of
from stavka.games.victory_in_europe.state import SIDES
from stavka.kernel.game import Setup

from .field import move, paths, scene

Way = tuple[str, str, frozenset[str]]
"""Target, the space from which a battle is entered ("" without one), and the enemy areas taken."""


def every_path(sight: Sight, path: Path, steps: int) -> Iterator[tuple[Path, bool]]:
    """All paths of at most so many steps in good weather, and whether they end in battle: no pruning at all."""
    fought = sight.contested | (sight.enemy & sight.presence)
    for area, border in MAP.borders[path[-1]].items():
        if "urals" in (area, path[-1]):
            continue
        if BIT[area] & fought:
            yield (*path, area), True
        elif BIT[area] & (sight.friendly | sight.enemy):
            yield (*path, area), False
            terrain = MAP.areas[area].terrain
            stops = terrain == "mountain" or (terrain == "forest" and BIT[area] & sight.enemy)
            if steps > 1 and not stops and border.terrain not in ("mountain", "strait"):
                yield from every_path(sight, (*path, area), steps - 1)


def lengths(sight: Sight, found: Iterator[tuple[Path, bool]]) -> dict[Way, int]:
    """Way -> steps of its shortest path; nobody moves to where he stands already, having taken nothing."""
    shortest: dict[Way, int] = {}
    for path, battle in found:
        taken = frozenset(area for area in (path[1:-1] if battle else path[1:]) if BIT[area] & sight.enemy)
        way = (path[-1], path[-2] if battle else "", taken)
        if battle or path[-1] != path[0] or taken:
            shortest[way] = min(shortest.get(way, len(path)), len(path))
    return shortest


class TestLandPaths:
    """VE 4.2"""

    @pytest.mark.parametrize("side", SIDES)
    @pytest.mark.parametrize("scenario", ["campaign_1939", "barbarossa_1941", "bagration_1944"])
    def test_every_way_is_found_and_by_its_shortest_path(self, scenario: str, side: str) -> None:
        state = GAME.state()
        for event in GAME.begin(Setup(1, scenario, {}, "")):
            state = GAME.evolve(state, event)
        sight = sight_of(state, side)._replace(winter=0)
        for area in MAP.borders:
            if not BIT[area] & sight.friendly & LAND:
                continue
            for steps in (1, 2, 3):
                reach = land_paths(sight, area, steps)
                listed = [*((path, False) for path in reach.free), *((path, True) for path in reach.battle)]
                assert lengths(sight, iter(listed)) == lengths(sight, every_path(sight, (area,), steps)), (area, steps)

    def test_a_stop_on_the_short_way_does_not_close_the_long_one(self) -> None:
        """VE 1.13: Zagreb to Vienna crosses a mountain border and stops; by Balaton nothing does, and Munich lies beyond."""
        table = scene("[axis]\nzagreb: ger_pz_1a\n[control]\ngermany: zagreb balaton")
        assert ("zagreb", "vienna") in paths(table, "ger_pz_1a")
        assert ("zagreb", "balaton", "vienna") not in paths(table, "ger_pz_1a")
        after = move(table, "ger_pz_1a", "zagreb", "balaton", "vienna", "munich").after()
        assert after.state.blocks["ger_pz_1a"].at == "munich"

    def test_where_the_only_way_stops_nobody_goes_on(self) -> None:
        """VE 1.13: without Balaton there is the mountain border alone."""
        table = scene("[axis]\nzagreb: ger_pz_1a\n[control]\ngermany: zagreb")
        assert ("zagreb", "vienna") in paths(table, "ger_pz_1a")
        move(table, "ger_pz_1a", "zagreb", "vienna", "munich").refused("VE 4.2", "OUT_OF_REACH")
        assert not {path for path in paths(table, "ger_pz_1a") if path[-1] == "munich"}

    def test_the_long_way_is_as_long_as_the_allowance(self) -> None:
        """VE 4.2: infantry of two areas comes no further than Vienna."""
        table = scene("[axis]\nzagreb: ger_inf_1a\n[control]\ngermany: zagreb balaton")
        move(table, "ger_inf_1a", "zagreb", "balaton", "vienna", "munich").refused("VE 4.2", "OUT_OF_REACH")
