"""Commanders in danger, and Hitler's end."""

from typing import Any

import pytest
from stavka.games.red_vengeance.combat.events import CommanderRisked, HitlerWavered
from stavka.games.red_vengeance.combat.losses import TakeLoss
from stavka.games.red_vengeance.events import CommanderPlaced, CommanderRemoved, HitlerDied

from tests.games.red_vengeance.combat.scene import battle, fought, pools, scene
from tests.support.table import Outcome, Table


def rolled(table: Table, targets: str, attackers: str, hits: tuple[int, int], *then: int) -> Outcome:
    """The battle declared; its dice and what follows by itself."""
    ours, theirs = pools(table, targets, attackers)
    dice = [6] * hits[1] + [1] * (ours.dice - hits[1]) + [6] * hits[0] + [1] * (theirs.total - hits[0])
    seat = table.state.frames[1].seat
    return table.when(battle(targets, attackers), seat).after().goes_on([*dice, *then])


class TestDeathOfACommander:
    """RV 11.23"""

    FIELD = ("1906: ger-i-ss-pz ger-iv-ss-pz", "1905: sov-3(reduced) sov-5 zhukov; 1803: sov-13; 1801: sov-22")

    def lost(self, die: int) -> Outcome:
        table = fought(scene(*self.FIELD), "1906", "sov-3 sov-5", (1, 0))
        return table.when(TakeLoss("sov-3"), "allied", rolls=[die])

    def test_he_dies_on_a_one(self) -> None:
        self.lost(1).includes(CommanderRisked("zhukov", 1, 0), CommanderRemoved("zhukov", "killed"))

    def test_and_lives_on_a_two(self) -> None:
        table = self.lost(2).lacks(CommanderRemoved, CommanderPlaced)
        assert table.state.at["zhukov"] == "1905"

    def test_no_die_for_a_flipped_unit(self) -> None:
        table = fought(scene(*self.FIELD), "1906", "sov-3 sov-5", (1, 0))
        table.when(TakeLoss("sov-5"), "allied").lacks(CommanderRisked)

    def test_the_whole_stack_lost_makes_a_two_deadly(self) -> None:
        table = scene(self.FIELD[0], "1905: sov-3(reduced) zhukov; 1803: sov-13")
        rolled(table, "1906", "sov-3", (1, 0), 2).includes(
            CommanderRisked("zhukov", 2, 1), CommanderRemoved("zhukov", "killed")
        )

    def test_a_survivor_of_his_stack_joins_the_nearest_soviet_unit(self) -> None:
        table = scene(self.FIELD[0], "1905: sov-3(reduced) zhukov; 1904: pol-1; 1803: sov-13; 1801: sov-22")
        rolled(table, "1906", "sov-3", (1, 0), 3).includes(
            CommanderRisked("zhukov", 3, 1), CommanderPlaced("zhukov", "1803")
        )

    def test_tito_joins_yugoslav_units(self) -> None:
        table = scene(
            "3019: ger-i-ss-pz ger-iv-ss-pz", "3018: yug-1(reduced) tito; 3017: sov-3; 3116: yug-2", phase="combat axis"
        )
        rolled(table, "3018", "ger-i-ss-pz ger-iv-ss-pz", (0, 1), 3).includes(CommanderPlaced("tito", "3116"))

    def test_dietrich_joins_ss_units(self) -> None:
        """RV 11.24"""
        table = scene("1906: ger-i-ss-pz(reduced) dietrich; 1907: ger-i; 1910: ger-iv-ss-pz", "1905: sov-1gt", turn=9)
        rolled(table, "1906", "sov-1gt", (0, 1), 3).includes(CommanderPlaced("dietrich", "1910"))

    def test_dietrich_does_not_stay_without_them(self) -> None:
        """RV 11.24"""
        axis = "1906: ger-i-ss-pz(reduced) ger-i dietrich; 1910: ger-iv-ss-pz"
        table = fought(scene(axis, "1905: sov-1gt sov-2t", turn=9), "1906", "sov-1gt sov-2t", (0, 1))
        table.when(TakeLoss("ger-i-ss-pz"), "axis", rolls=[2]).includes(
            CommanderRisked("dietrich", 2, 0), CommanderPlaced("dietrich", "1910")
        )

    def test_without_ss_on_the_map_he_stays_with_the_others(self) -> None:
        """RV 11.24"""
        axis = "1906: ger-i-ss-pz(reduced) ger-i dietrich; 1910: ger-x"
        table = fought(scene(axis, "1905: sov-1gt sov-2t", turn=9), "1906", "sov-1gt sov-2t", (0, 1))
        after = table.when(TakeLoss("ger-i-ss-pz"), "axis", rolls=[2]).lacks(CommanderPlaced, CommanderRemoved)
        assert after.state.at["dietrich"] == "1906"

    def test_nobody_to_join_is_the_end(self) -> None:
        table = scene("1906: ger-i-ss-pz(reduced) dietrich", "1905: sov-1gt", turn=9)
        rolled(table, "1906", "sov-1gt", (0, 1), 6).includes(CommanderRemoved("dietrich", "stranded"))

    def test_each_lost_unit_is_a_die(self) -> None:
        table = scene(self.FIELD[0], "1905: sov-3(reduced) sov-5(reduced) zhukov; 1803: sov-13")
        rolled(table, "1906", "sov-3 sov-5", (3, 0), 2, 3).includes(
            CommanderRisked("zhukov", 2, 0), CommanderRisked("zhukov", 3, 1), CommanderPlaced("zhukov", "1803")
        )


class TestHitler:
    """RV 11.27"""

    def berlin(self, axis: str = "ger-i", **more: Any) -> Table:
        return scene(axis=f"1422: {axis}", allied="1421: sov-1gt sov-2t", **more)

    @pytest.mark.parametrize(("die", "event"), [(6, HitlerDied("no_hit", 6)), (5, HitlerWavered("no_hit", 5))])
    def test_an_attack_without_a_hit(self, die: int, event: object) -> None:
        rolled(self.berlin(), "1422", "sov-1gt sov-2t", (0, 0), die).includes(event)

    @pytest.mark.parametrize(("die", "event"), [(5, HitlerDied("hit", 5)), (4, HitlerWavered("hit", 4))])
    def test_a_hit_on_the_garrison(self, die: int, event: object) -> None:
        rolled(self.berlin(), "1422", "sov-1gt sov-2t", (0, 1), die).includes(event)

    def test_one_die_a_battle_for_hits(self) -> None:
        outcome = rolled(self.berlin(), "1422", "sov-1gt sov-2t", (0, 3), 4)
        assert [event for event in outcome.events if isinstance(event, HitlerWavered)] == [HitlerWavered("hit", 4)]

    def test_attackers_from_berlin_that_are_hit_count(self) -> None:
        table = self.berlin(phase="combat axis")
        rolled(table, "1421", "ger-i", (1, 0), 5).includes(HitlerDied("hit", 5))

    def test_an_axis_attack_without_a_hit_does_not(self) -> None:
        rolled(self.berlin(phase="combat axis"), "1421", "ger-i", (0, 0)).lacks(HitlerWavered, HitlerDied)

    def test_nor_attacks_elsewhere(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3")
        rolled(table, "1906", "sov-3", (0, 0)).lacks(HitlerWavered, HitlerDied)

    def test_the_dead_do_not_die_again(self) -> None:
        rolled(self.berlin(hitler_alive="no"), "1422", "sov-1gt sov-2t", (0, 1)).lacks(HitlerWavered, HitlerDied)

    RING = "1421: sov-3; 1323: sov-5; 1523: sov-13"

    @pytest.mark.parametrize(("die", "event"), [(4, HitlerDied("surrounded", 4)), (3, HitlerWavered("surrounded", 3))])
    def test_berlin_surrounded_and_empty(self, die: int, event: object) -> None:
        table = scene(axis="2225: ger-i", allied=self.RING, phase="hitler allied", turn=10)
        table.goes_on([die]).includes(event)

    def test_a_garrison_or_a_gap_saves_him(self) -> None:
        table = scene(axis="1422: ger-i", allied=self.RING, phase="hitler allied", turn=10)
        table.goes_on().lacks(HitlerDied, HitlerWavered)
        table = scene(axis="2225: ger-i", allied="1421: sov-3; 1323: sov-5", phase="hitler allied", turn=10)
        table.goes_on().lacks(HitlerDied, HitlerWavered)
