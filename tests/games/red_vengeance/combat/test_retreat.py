"""Retreats: how far, which way, what bars them, what they cost."""

from stavka.games.red_vengeance.combat.battle import DEFENDER
from stavka.games.red_vengeance.combat.events import (
    LossTaken,
    RoleSettled,
    ShortfallOpened,
    UnitEvacuated,
    UnitRetreated,
)
from stavka.games.red_vengeance.combat.losses import OrderRetreat, TakeLoss
from stavka.games.red_vengeance.combat.retreat import RetreatBySea, RetreatUnit, ports_for, withdrawal
from stavka.games.red_vengeance.events import StepLost, UnitRemoved
from stavka.games.red_vengeance.state import DEAD, LOST

from tests.games.red_vengeance.combat.scene import ends, fought, scene
from tests.support.table import Table

STRONG = "1905: sov-1gt sov-2t"
NAMES = "sov-1gt sov-2t"


def beaten(table: Table, hits: int, *losses: str, targets: str = "1906", attackers: str = NAMES) -> Table:
    """The defenders take some of the hits and retreat from the rest."""
    table = fought(table, targets, attackers, (0, hits))
    for unit in losses:
        table = table.when(TakeLoss(unit), "axis").after() if TakeLoss(unit) in table.options("axis") else table
    return table.when(OrderRetreat(), "axis").after()


class TestDirection:
    """RV 8.63"""

    def test_axis_units_go_west(self) -> None:
        table = beaten(scene(axis="1906: ger-i", allied=STRONG), 2)
        assert ends(table, "ger-i") == {"1907", "1806", "2006"}
        table.when(RetreatUnit("ger-i", "1805"), "axis").refused("RV 8.63", "NO_RETREAT_THERE")
        table.when(RetreatUnit("ger-i", "1907"), "axis").then(
            UnitRetreated("ger-i", "axis", ("1906", "1907"), (), 0)
        ).goes_on().includes(RoleSettled("defender"))

    def test_each_hex_leads_farther_away(self) -> None:
        table = beaten(scene(axis="1906: ger-i ger-x", allied=STRONG), 3, "ger-i")
        assert ends(table, "ger-i") == {"1908", "1807", "1707", "2007", "2107"}

    def test_allied_units_go_east(self) -> None:
        table = scene(axis="1906: ger-i-ss-pz ger-iv-ss-pz", allied="1905: sov-3 sov-5", phase="combat axis")
        table = fought(table, "1905", "ger-i-ss-pz ger-iv-ss-pz", (0, 2))
        table = table.when(TakeLoss("sov-3"), "allied").after().when(OrderRetreat(), "allied").after()
        assert ends(table, "sov-5") == {"1904", "1804", "2004"}

    def test_toward_an_own_city_when_the_west_is_closed(self) -> None:
        """Allied units hold or watch every way west; Kiev is Axis, the cities around are Allied."""
        closed = "1907: sov-1gt sov-2t; 1806: sov-3; 2006: sov-5"
        held = "allied: 1805 2005 1909 1708 1810 2307 2405"
        table = beaten(scene(axis="1906: ger-i", allied=closed, control=held), 2)
        assert ends(table, "ger-i") == {"1905"}

    def test_nowhere_without_such_a_city(self) -> None:
        closed = "1907: sov-1gt sov-2t; 1806: sov-3; 2006: sov-5"
        held = "allied: 1805 2005 1909 1708 1810 2307 2405 1802 1303 2602 1004 1512 0802"
        table = beaten(scene(axis="1906: ger-i", allied=closed, control=held), 2)
        assert ends(table, "ger-i") == {"1906"}

    def test_from_where_the_attackers_stood_when_all_of_them_died_first(self) -> None:
        """RV 8.54: equal hits, so the attackers take theirs first; the defenders still retreat and avoid a hit."""
        table = scene(axis="1906: ger-i ger-x", allied="1905: sov-3(reduced)")
        table = fought(table, "1906", "sov-3", (2, 2))
        assert table.state.at["sov-3"] == DEAD
        table = table.when(TakeLoss("ger-i"), "axis").after().when(OrderRetreat(), "axis").after()
        assert ends(table, "ger-i") == ends(table, "ger-x") == {"1907", "1806", "2006"}
        table = table.when(RetreatUnit("ger-i", "1907"), "axis").after()
        table = table.when(RetreatUnit("ger-x", "1907"), "axis").after()
        table.goes_on().lacks(ShortfallOpened, LossTaken)

    HELD = "allied: 1805 2005 1909 1708 1810 2307 2405"

    def test_and_not_over_their_empty_hex(self) -> None:
        """The west is watched, Kiev lies east: past 1905, from where the dead attacker came, but not into it."""
        watched = "1905: sov-3(reduced); 1807: sov-5; 2007: sov-22"
        table = fought(scene(axis="1906: ger-i ger-x", allied=watched, control=self.HELD), "1906", "sov-3", (2, 2))
        table = table.when(TakeLoss("ger-i"), "axis").after().when(OrderRetreat(), "axis").after()
        assert ends(table, "ger-x") == {"1805"}

    def test_a_survivor_of_the_attack_shows_the_way_alone(self) -> None:
        """The dead came from 1905, the survivor stands in 1806: the way over 1905 is open."""
        watched = "1905: sov-3(reduced); 1806: sov-13; 2007: sov-22"
        table = scene(axis="1906: ger-i ger-x", allied=watched, control=self.HELD)
        table = fought(table, "1906", "sov-3 sov-13", (2, 2))
        for unit in ("sov-3", "sov-13"):
            table = table.when(TakeLoss(unit), "allied").after()
        table = table.goes_on().after().when(TakeLoss("ger-i"), "axis").after()
        assert ends(table.when(OrderRetreat(), "axis").after(), "ger-x") == {"1905"}

    def test_attackers_retreat_from_all_that_they_attacked(self) -> None:
        table = scene(axis="1906: ger-i-ss-pz; 1806: ger-iv-ss-pz", allied="1805: sov-3 sov-5")
        table = fought(table, "1806 1906", "sov-3 sov-5", (2, 0))
        table = table.when(TakeLoss("sov-3"), "allied").after().when(OrderRetreat(), "allied").after()
        assert ends(table, "sov-5") == {"1705", "1804"}
        table.when(RetreatUnit("sov-5", "1905"), "allied").refused("RV 8.63", "NO_RETREAT_THERE")

    def test_control_follows_the_retreat(self) -> None:
        """RV 7.2"""
        table = beaten(scene(axis="1906: ger-i", allied=STRONG), 2)
        assert table.state.control["1907"] == "allied"
        assert table.when(RetreatUnit("ger-i", "1907"), "axis").after().state.control["1907"] == "axis"

    def test_only_units_that_have_to_go(self) -> None:
        table = beaten(scene(axis="1906: ger-i; 1806: ger-x", allied=STRONG), 2)
        table.when(RetreatUnit("ger-x", "1807"), "axis").refused("RV 8.61", "UNIT_DOES_NOT_RETREAT")

    def test_not_before_the_order(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied=STRONG), "1906", NAMES, (0, 2))
        table.when(RetreatUnit("ger-i", "1907"), "axis").refused("RV 8.6", "WRONG_STEP")
        table.when(RetreatBySea("ger-i", "0917"), "axis").refused("RV 8.6", "WRONG_STEP")


class TestStacking:
    """RV 8.64"""

    def test_full_hexes_are_left_out(self) -> None:
        table = beaten(scene(axis="1906: ger-i; 1907: ger-x ger-l", allied=STRONG), 2)
        assert ends(table, "ger-i") == {"1806", "2006"}

    def test_farther_when_all_are_full(self) -> None:
        full = "1907: ger-x ger-l; 1806: ger-ii ger-vi; 2006: ger-ix ger-liii"
        table = beaten(scene(axis=f"1906: ger-i; {full}", allied=STRONG), 2)
        assert ends(table, "ger-i") == {"1908", "1807", "1707", "2007", "2107"}
        assert withdrawal(table.state, "ger-i").short == 0

    def test_a_division_finds_room_anywhere(self) -> None:
        full = "1907: ger-x ger-l; 1806: ger-ii ger-vi; 2006: ger-ix ger-liii"
        table = beaten(scene(axis=f"1906: ger-i ger-marine; {full}", allied=STRONG), 2, "ger-i")
        assert ends(table, "ger-marine") == {"1907", "1806", "2006"}

    def last_line(self, unit: str, garrison: str) -> set[str]:
        table = scene(
            axis=f"1422: {garrison}; 1421: {unit}", allied="1420: sov-1gt sov-2t", options={"last_line": "on"}
        )
        table = fought(table, "1421", NAMES, (0, 2))
        return ends(table.when(OrderRetreat(), "axis").after(), unit)

    def test_berlin_takes_a_third_corps_with_ss_among_them(self) -> None:
        """RV 14.5: what counts is the stack that the retreat would make."""
        assert "1422" in self.last_line("ger-vi-ss", "ger-i ger-x")
        assert "1422" not in self.last_line("ger-xi", "ger-i ger-x")
        assert "1422" in self.last_line("ger-xi", "ger-i ger-vi-ss")
        assert "1422" not in self.last_line("hun-1", "ger-i ger-vi-ss")

    def test_the_first_may_fill_a_hex_for_the_second(self) -> None:
        table = beaten(scene(axis="1906: ger-i ger-x; 1907: ger-l", allied=STRONG), 2, "ger-i")
        table = table.when(RetreatUnit("ger-x", "1907"), "axis").after()
        assert ends(table, "ger-i") == {"1806", "2006"}


class TestEnemyZoc:
    """RV 8.65"""

    WATCHED = f"{STRONG}; 1807: sov-3; 2007: sov-5"

    def test_a_unit_without_a_way_takes_every_hit(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied=self.WATCHED), "1906", NAMES, (0, 2))
        outcome = table.when(OrderRetreat(), "axis").after().goes_on()
        outcome.includes(
            UnitRetreated("ger-i", "axis", ("1906",), (), 1),
            ShortfallOpened({"ger-i": 1}, 1),
            LossTaken("ger-i", 1),
            UnitRemoved("ger-i", LOST, "combat"),
        )

    def test_a_friend_opens_the_way(self) -> None:
        """RV 6.44"""
        table = beaten(scene(axis="1906: ger-i; 1907: ger-x", allied=self.WATCHED), 2)
        assert ends(table, "ger-i") == {"1907"}

    def test_it_stops_where_the_zoc_begins(self) -> None:
        ring = f"{STRONG}; 1808: sov-3; 1607: sov-5; 2108: sov-13; 2206: sov-22"
        table = beaten(scene(axis="1906: ger-i ger-x", allied=ring), 3, "ger-i")
        way = withdrawal(table.state, "ger-x")
        assert (set(way.paths), way.short) == ({"1907", "1806", "2006"}, 1)
        table = table.when(RetreatUnit("ger-x", "1806"), "axis").after()
        table = table.when(RetreatUnit("ger-i", "1907"), "axis").after().goes_on().after()
        assert set(table.options("axis")) == {TakeLoss("ger-i"), TakeLoss("ger-x")}
        table.when(TakeLoss("ger-x"), "axis").includes(StepLost("ger-x", 1)).goes_on().includes(RoleSettled(DEFENDER))

    def test_only_those_who_fell_short_pay(self) -> None:
        ring = f"{STRONG}; 1807: sov-3; 2007: sov-5"
        field = scene(axis="1906: ger-i ger-x; 1907: ger-l", allied=ring)
        table = beaten(field, 2, "ger-i").when(RetreatUnit("ger-x", "1907"), "axis").after()
        outcome = table.goes_on()
        outcome.includes(
            UnitRetreated("ger-i", "axis", ("1906",), (), 1), ShortfallOpened({"ger-i": 1}, 1), LossTaken("ger-i", 1)
        )

    def test_shock_armies_pay_in_pairs_of_hits(self) -> None:
        """RV 11.1"""
        axis = "1906: ger-i-ss-pz ger-iv-ss-pz; 1803: ger-x; 2003: ger-l"
        table = scene(axis=axis, allied="1905: sov-1s", phase="combat axis")
        table = fought(table, "1905", "ger-i-ss-pz ger-iv-ss-pz", (0, 4))
        outcome = table.when(OrderRetreat(), "allied").after().goes_on()
        outcome.includes(
            ShortfallOpened({"sov-1s": 2}, 2), LossTaken("sov-1s", 2), UnitRemoved("sov-1s", LOST, "combat")
        )


class TestYugoslavUnits:
    """RV 6.44"""

    AXIS = "3019: ger-i-ss-pz ger-iv-ss-pz; 2919: ger-i"

    def beaten(self, axis: str, hits: int, *losses: str) -> Table:
        table = scene(axis=axis, allied="3018: yug-1 yug-2", phase="combat axis")
        table = fought(table, "3018", "ger-i-ss-pz ger-iv-ss-pz", (0, hits))
        for unit in losses:
            table = table.when(TakeLoss(unit), "allied").after()
        return table.when(OrderRetreat(), "allied").after()

    def test_they_end_in_rough_ground_under_axis_zoc(self) -> None:
        table = self.beaten(f"{self.AXIS}; 3117: ger-x", 2, "yug-1")
        assert ends(table, "yug-2") == {"3017", "3118"}

    def test_but_do_not_pass_it(self) -> None:
        table = self.beaten(f"{self.AXIS}; 3117: ger-x", 3, "yug-1")
        way = withdrawal(table.state, "yug-2")
        assert (set(way.paths), way.short) == ({"3017", "3118"}, 1)

    def test_a_friend_lets_them_pass(self) -> None:
        table = scene(axis=f"{self.AXIS}; 3117: ger-x", allied="3018: yug-1 yug-2; 3017: yug-3", phase="combat axis")
        table = fought(table, "3018", "ger-i-ss-pz ger-iv-ss-pz", (0, 3))
        table = table.when(TakeLoss("yug-1"), "allied").after().when(OrderRetreat(), "allied").after()
        assert withdrawal(table.state, "yug-2").short == 0

    def test_soviet_units_have_no_such_right(self) -> None:
        axis = "1906: ger-i-ss-pz ger-iv-ss-pz; 1803: ger-x; 2003: ger-l"
        table = scene(axis=axis, allied="1905: sov-3 sov-5", phase="combat axis")
        table = fought(table, "1905", "ger-i-ss-pz ger-iv-ss-pz", (0, 2))
        table = table.when(TakeLoss("sov-3"), "allied").after().when(OrderRetreat(), "allied").after()
        assert ends(table, "sov-5") == {"1905"}


class TestRetreatBySea:
    """RV 12.22"""

    FIELD = ("0917: ger-i ger-x", "0916: sov-1gt sov-2t")

    def beaten(self, sea: str, axis: str = "") -> Table:
        table = scene(axis or self.FIELD[0], self.FIELD[1], sea=sea, fight='{"baltic":true,"levied":["0917"]}')
        return beaten(table, 2, "ger-i", targets="0917")

    def test_from_port_to_port(self) -> None:
        table = self.beaten("german_lake")
        ports = set(ports_for(table.state, "ger-i"))
        assert "0814" in ports
        assert "0917" not in ports
        table.when(RetreatBySea("ger-i", "0814"), "axis").then(UnitEvacuated("ger-i", "axis", "0917", "0814", (), 0))

    def test_submarines_take_a_step_on_five(self) -> None:
        table = self.beaten("soviet_subs")
        table.when(RetreatBySea("ger-x", "0814"), "axis", rolls=[5]).includes(
            UnitEvacuated("ger-x", "axis", "0917", "0814", (), 5), StepLost("ger-x", 1)
        )
        table.when(RetreatBySea("ger-x", "0814"), "axis", rolls=[4]).lacks(StepLost)

    def test_destroyers_on_four(self) -> None:
        table = self.beaten("light_surface")
        table.when(RetreatBySea("ger-x", "0814"), "axis", rolls=[4]).includes(StepLost("ger-x", 1))
        table.when(RetreatBySea("ger-x", "0814"), "axis", rolls=[3]).lacks(StepLost)

    def test_battleships_close_the_sea(self) -> None:
        table = self.beaten("heavy_surface")
        table.when(RetreatBySea("ger-x", "0814"), "axis").refused("RV 12.22", "NO_SEA_RETREAT")

    def test_two_units_a_port(self) -> None:
        table = self.beaten("german_lake", "0917: ger-i ger-x ger-marine")
        table = table.when(RetreatBySea("ger-i", "0814"), "axis").after()
        table = table.when(RetreatBySea("ger-x", "1020"), "axis").after()
        table.when(RetreatBySea("ger-marine", "0814"), "axis").refused("RV 12.22", "NO_SEA_RETREAT")

    def test_full_and_allied_ports_are_closed(self) -> None:
        table = self.beaten("german_lake", "0917: ger-i ger-x; 0814: ger-l ger-ii")
        assert "0814" not in ports_for(table.state, "ger-i")
        table.state.control["1020"] = "allied"
        assert "1020" not in ports_for(table.state, "ger-i")

    def test_allied_units_and_inland_units_do_not_sail(self) -> None:
        table = beaten(scene(axis="1906: ger-i", allied=STRONG), 2)
        assert ports_for(table.state, "ger-i") == ()


class TestCommandersOnRetreat:
    """RV 11.23"""

    def table(self) -> Table:
        table = scene(axis="1906: ger-i-ss-pz ger-i dietrich", allied=f"{STRONG}; 1805: sov-3gt sov-4t", turn=9)
        return beaten(table, 2, "ger-i", attackers=f"{NAMES} sov-3gt sov-4t")

    def test_he_goes_with_one_of_his_units(self) -> None:
        """RV 11.24: Dietrich leaves with SS units only, and never stays behind without one."""
        table = self.table()
        table.when(RetreatUnit("ger-i", "1907", ("dietrich",)), "axis").refused("RV 11.23", "COMMANDERS_CANNOT_PART")
        table.when(RetreatUnit("ger-i-ss-pz", "1907"), "axis").refused("RV 11.23", "COMMANDERS_CANNOT_PART")
        table = table.when(RetreatUnit("ger-i-ss-pz", "1907", ("dietrich",)), "axis").after()
        assert table.state.at["dietrich"] == "1907"

    def test_the_last_unit_takes_all_of_them(self) -> None:
        table = scene(axis="1906: ger-i-ss-pz ger-iv-ss-pz", allied="1905: sov-3 sov-5 zhukov", phase="combat axis")
        table = fought(table, "1905", "ger-i-ss-pz ger-iv-ss-pz", (0, 2))
        table = table.when(TakeLoss("sov-3"), "allied").after().when(OrderRetreat(), "allied").after()
        stays = table.when(RetreatUnit("sov-3", "1904"), "allied").after()
        assert stays.state.at["zhukov"] == "1905"
        stays.when(RetreatUnit("sov-5", "1904"), "allied").refused("RV 11.23", "COMMANDERS_CANNOT_PART")
        assert stays.when(RetreatUnit("sov-5", "1904", ("zhukov",)), "allied").after().state.at["zhukov"] == "1904"
        goes = table.when(RetreatUnit("sov-3", "1904", ("zhukov",)), "allied").after()
        assert goes.state.at["zhukov"] == "1904"
        assert set(goes.options("allied")) == {RetreatUnit("sov-5", end) for end in ends(goes, "sov-5")}
