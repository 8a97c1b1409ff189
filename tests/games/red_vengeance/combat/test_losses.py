"""Step losses and the choice between losses and retreat."""

from stavka.games.red_vengeance.combat.advance import EndAdvance
from stavka.games.red_vengeance.combat.events import HitsLapsed, LossTaken, RetreatOrdered, RoleSettled
from stavka.games.red_vengeance.combat.losses import OrderRetreat, TakeLoss
from stavka.games.red_vengeance.events import StepLost, UnitRemoved
from stavka.games.red_vengeance.state import DEAD, LOST

from tests.games.red_vengeance.combat.scene import battle, fought, scene
from tests.support.table import Table

MANY = "1905: sov-1gt sov-2t; 1805: sov-3gt sov-4t"
ALL = "sov-1gt sov-2t sov-3gt sov-4t"


def take(table: Table, *units: str, seat: str = "axis") -> Table:
    """The owner gives steps to these units, one after the other."""
    for unit in units:
        table = table.when(TakeLoss(unit), seat).after().goes_on().after()
    return table


class TestStepLosses:
    """RV 8.51"""

    def test_a_full_unit_is_flipped(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3")
        outcome = table.when(battle("1906", "sov-3"), "allied").after().goes_on([6, 1, 1, 1, 1, 1, 1])
        outcome.includes(LossTaken("ger-i", 1), StepLost("ger-i", 1), RoleSettled("defender"))

    def test_a_reduced_unit_is_removed(self) -> None:
        table = scene(axis="1906: ger-i(reduced)", allied="1905: sov-3")
        outcome = table.when(battle("1906", "sov-3"), "allied").after().goes_on([6, 1, 1, 1, 1, 1])
        outcome.includes(LossTaken("ger-i", 1), UnitRemoved("ger-i", DEAD, "combat"))

    def test_the_owner_decides_among_his_units(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied=MANY), "1906", ALL, (0, 1))
        assert table.decisions() == [("axis", "losses")]
        assert table.options("axis") == [TakeLoss("ger-x"), TakeLoss("ger-i")]
        table.when(TakeLoss("ger-i"), "axis").includes(StepLost("ger-i", 1))
        table.when(TakeLoss("sov-1gt"), "axis").refused("RV 8.51", "UNIT_TAKES_NO_LOSS")

    def test_only_when_losses_are_due(self) -> None:
        table = fought(scene(axis="1906: ger-i(reduced)", allied=MANY), "1906", ALL, (0, 1))
        assert table.decisions() == [("allied", "advance")]
        table.when(TakeLoss("sov-1gt"), "allied").refused("RV 8.51", "WRONG_STEP")
        table.when(OrderRetreat(), "allied").refused("RV 8.51", "WRONG_STEP")

    def test_a_unit_removed_out_of_supply_is_lost_for_good(self) -> None:
        """RV 10.14"""
        around = "1905: sov-1gt; 1805: sov-5; 1806: sov-13; 1907: sov-22; 2006: sov-27; 2005: sov-28"
        table = fought(scene(axis="1906: ger-i(reduced)", allied=around), "1906", "sov-1gt", (0, 1))
        assert table.state.at["ger-i"] == LOST


class TestRetreatInstead:
    """RV 8.52"""

    def test_not_from_a_single_hit(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied=MANY), "1906", ALL, (0, 1))
        table.when(OrderRetreat(), "axis").refused("RV 8.52", "NO_RETREAT_NOW")

    def test_from_the_second_hit_on(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied=MANY), "1906", ALL, (0, 2))
        assert OrderRetreat() not in table.options("axis")
        table = take(table, "ger-i")
        assert OrderRetreat() in table.options("axis")
        table.when(OrderRetreat(), "axis").then(RetreatOrdered(1, ("ger-x", "ger-i")))


class TestMinimumStepLosses:
    """RV 8.53"""

    def test_printed_example(self) -> None:
        """Two full-strength German units suffer 5 hits: both are removed, no retreat."""
        table = fought(scene(axis="1906: ger-i ger-x", allied=MANY), "1906", ALL, (0, 5))
        assert (table.state.at["ger-i"], table.state.at["ger-x"]) == (DEAD, DEAD)
        assert table.decisions() == [("allied", "advance")]

    def test_exactly_enough_hits_leave_the_choice(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied=MANY), "1906", ALL, (0, 4))
        table = take(table, "ger-i")
        assert OrderRetreat() in table.options("axis")
        table = take(table, "ger-i", "ger-x", "ger-x")
        assert table.decisions() == [("allied", "advance")]
        assert (table.state.at["ger-i"], table.state.at["ger-x"]) == (DEAD, DEAD)


class TestOrderOfResolution:
    """RV 8.54"""

    def test_more_hits_go_first(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied=MANY), "1906", ALL, (1, 2))
        assert table.decisions() == [("axis", "losses")]
        table = take(table, "ger-i", "ger-x")
        assert table.decisions() == [("allied", "losses")]

    def test_the_attacker_when_equal(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied=MANY), "1906", ALL, (2, 2))
        assert table.decisions() == [("allied", "losses")]

    def test_without_hits_the_battle_is_over(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied="1905: sov-3"), "1906", "sov-3", (0, 0))
        assert table.state.battle is None


class TestDefendersRetreat:
    """RV 8.61"""

    FIELD = ("1906: ger-i; 1806: ger-x", "1805: sov-1gt sov-2t")

    def beaten(self) -> Table:
        return fought(scene(*self.FIELD), "1806 1906", "sov-1gt sov-2t", (0, 4))

    def ordered(self, *losses: str) -> RetreatOrdered:
        outcome = take(self.beaten(), *losses).when(OrderRetreat(), "axis")
        return next(event for event in outcome.events if isinstance(event, RetreatOrdered))

    def test_printed_example_one_flipped(self) -> None:
        """One unit reduced, both retreat 3 hexes."""
        assert self.ordered("ger-i") == RetreatOrdered(3, ("ger-x", "ger-i"))

    def test_printed_example_both_flipped(self) -> None:
        """Both reduced, both retreat 2 hexes."""
        assert self.ordered("ger-i", "ger-x") == RetreatOrdered(2, ("ger-x", "ger-i"))

    def test_printed_example_one_removed(self) -> None:
        """One removed, the other retreats 2 hexes."""
        assert self.ordered("ger-i", "ger-i") == RetreatOrdered(2, ("ger-x",))

    def test_printed_example_one_removed_and_one_flipped(self) -> None:
        """One removed, the other reduced and retreats 1 hex."""
        assert self.ordered("ger-i", "ger-i", "ger-x") == RetreatOrdered(1, ("ger-x",))


class TestAttackersRetreat:
    """RV 8.62"""

    def repulsed(self, hits: int) -> Table:
        table = scene(axis="1906: ger-i-ss-pz ger-iv-ss-pz", allied="1905: sov-3 sov-5; 1904: sov-13")
        return fought(table, "1906", "sov-3 sov-5", (hits, 0))

    def test_one_hex_avoids_the_second_hit(self) -> None:
        table = take(self.repulsed(2), "sov-3", seat="allied")
        table.when(OrderRetreat(), "allied").then(RetreatOrdered(1, ("sov-3", "sov-5")))

    def test_more_hits_are_step_losses(self) -> None:
        table = take(self.repulsed(3), "sov-3", seat="allied")
        assert OrderRetreat() not in table.options("allied")
        table.when(OrderRetreat(), "allied").refused("RV 8.52", "NO_RETREAT_NOW")
        assert OrderRetreat() in take(table, "sov-5", seat="allied").options("allied")


class TestShockArmies:
    """RV 11.1"""

    def test_one_hit_does_nothing_to_them_alone(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-1s")
        outcome = table.when(battle("1906", "sov-1s"), "allied").after().goes_on([1] * 5 + [6, 1, 1])
        outcome.includes(HitsLapsed(1), RoleSettled("attacker"))
        assert outcome.after().state.steps["sov-1s"] == 2

    def test_two_hits_are_a_step(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied="1905: sov-1s"), "1906", "sov-1s", (2, 0))
        assert table.state.steps["sov-1s"] == 1

    def test_the_odd_hit_is_ignored(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied="1905: sov-1s"), "1906", "sov-1s", (3, 0))
        assert table.state.steps["sov-1s"] == 1
        assert table.state.battle is None

    def test_the_second_pair_may_be_avoided(self) -> None:
        table = scene(axis="1906: ger-i-ss-pz", allied="1905: sov-1s")
        table = fought(table, "1906", "sov-1s", (4, 0))
        assert table.state.steps["sov-1s"] == 1
        assert set(table.options("allied")) == {TakeLoss("sov-1s"), OrderRetreat()}

    def test_an_odd_hit_more_than_they_have_steps_for_leaves_the_choice(self) -> None:
        """RV 8.53: five hits are two step losses, no more than a full army has."""
        table = scene(axis="1906: ger-i-ss-pz ger-iv-ss-pz", allied="1905: sov-1s")
        table = fought(table, "1906", "sov-1s", (5, 0))
        assert table.state.steps["sov-1s"] == 1
        assert set(table.options("allied")) == {TakeLoss("sov-1s"), OrderRetreat()}
        table.when(OrderRetreat(), "allied").then(RetreatOrdered(1, ("sov-1s",)))
        table.when(TakeLoss("sov-1s"), "allied").includes(UnitRemoved("sov-1s", DEAD, "combat"))

    def test_a_whole_pair_more_removes_them(self) -> None:
        """RV 8.53"""
        table = scene(axis="1906: ger-i-ss-pz ger-iv-ss-pz", allied="1905: sov-1s")
        assert fought(table, "1906", "sov-1s", (6, 0)).state.at["sov-1s"] == DEAD

    def test_with_another_unit_among_them_every_hit_counts(self) -> None:
        """RV 8.53"""
        table = scene(axis="1906: ger-i-ss-pz", allied="1905: sov-1s(reduced) sov-3(reduced)")
        assert fought(table, "1906", "sov-1s sov-3", (3, 0)).state.at["sov-1s"] == "1905"
        assert fought(table, "1906", "sov-1s sov-3", (4, 0)).state.at["sov-1s"] == DEAD

    def test_a_mixed_stack_gives_one_hit_to_the_others(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied="1905: sov-1s sov-3"), "1906", "sov-1s sov-3", (1, 0))
        assert (table.state.steps["sov-1s"], table.state.steps["sov-3"]) == (2, 1)

    def test_two_hits_may_go_either_way(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied="1905: sov-1s sov-3"), "1906", "sov-1s sov-3", (2, 0))
        assert set(table.options("allied")) == {TakeLoss("sov-1s"), TakeLoss("sov-3")}
        table = take(table, "sov-1s", seat="allied")
        assert (table.state.steps["sov-1s"], table.state.steps["sov-3"]) == (1, 2)

    def test_an_odd_hit_lapses_once_only_they_are_left(self) -> None:
        table = scene(axis="1906: ger-i-ss-pz", allied="1905: sov-1s sov-3(reduced)")
        table = take(fought(table, "1906", "sov-1s sov-3", (2, 0)), "sov-3", seat="allied")
        assert table.state.steps["sov-1s"] == 2
        assert table.state.battle is None


class TestNothingElseToDo:
    """RV 8.7"""

    def test_an_advance_may_be_declined(self) -> None:
        table = fought(scene(axis="1906: ger-i(reduced)", allied="1905: sov-3"), "1906", "sov-3", (0, 1))
        assert table.when(EndAdvance(), "allied").after().state.battle is None
