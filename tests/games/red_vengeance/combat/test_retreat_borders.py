"""Retreats and the borders of countries: who may not cross them, and who is removed there."""

from stavka.games.red_vengeance.combat.events import RetreatStranded
from stavka.games.red_vengeance.combat.losses import OrderRetreat, TakeLoss
from stavka.games.red_vengeance.combat.retreat import RetreatUnit, withdrawal
from stavka.games.red_vengeance.events import UnitRemoved
from stavka.games.red_vengeance.ground import COUNTRY, GRID
from stavka.games.red_vengeance.state import DEAD, OFF

from tests.games.red_vengeance.combat.scene import ends, fought, scene
from tests.support.table import Table

NAMES = "sov-1gt sov-2t"


class TestYugoslavUnitsAbroad:
    """RV 11.41"""

    def ends(self, elsewhere: str) -> set[str]:
        """Two hexes east from 2518 in Hungary, over 2617 in Yugoslavia; 2616 is Romanian."""
        axis = f"2519: ger-i-ss-pz ger-iv-ss-pz; 2416: ger-ix; {elsewhere}: ger-xi"
        table = scene(axis, "2518: yug-1 yug-2", phase="combat axis")
        table = fought(table, "2518", "ger-i-ss-pz ger-iv-ss-pz", (0, 3))
        table = table.when(TakeLoss("yug-1"), "allied").after().when(OrderRetreat(), "allied").after()
        return ends(table, "yug-2")

    def test_they_do_not_pass_through_the_country_while_axis_units_are_in_it(self) -> None:
        assert self.ends("3317") == {"2717"}
        assert self.ends("1925") == {"2616", "2717"}


class TestSovietsAndYugoslavia:
    """RV 11.42"""

    def retreats(self, inside: str) -> set[str]:
        table = scene(axis="2520: ger-i-ss-pz ger-iv-ss-pz", allied=f"2519: sov-3 sov-5; {inside}", phase="combat axis")
        table = fought(table, "2519", "ger-i-ss-pz ger-iv-ss-pz", (0, 2))
        table = table.when(TakeLoss("sov-3"), "allied").after().when(OrderRetreat(), "allied").after()
        return ends(table, "sov-5")

    def test_a_third_soviet_unit_stays_out(self) -> None:
        assert "2618" in self.retreats("2717: sov-13")
        assert "2618" not in self.retreats("2717: sov-13 sov-22")


class TestRomanianUnits:
    """RV 11.31"""

    def beaten(self, allied: str) -> Table:
        table = fought(scene(axis="2209: rom-3", allied=allied), "2209", NAMES, (0, 2))
        return table.when(OrderRetreat(), "axis").after()

    def test_forced_out_of_the_country_it_is_removed(self) -> None:
        """West of 2209 lies Hungary; Allied ZOC closes the ways at home."""
        table = self.beaten("2109: sov-1gt sov-2t; 2308: sov-3")
        assert withdrawal(table.state, "rom-3").stranded
        table.goes_on([6]).includes(RetreatStranded("rom-3"), UnitRemoved("rom-3", DEAD, "stranded"))

    def test_with_a_way_at_home_it_stays(self) -> None:
        table = self.beaten("2109: sov-1gt sov-2t")
        assert not withdrawal(table.state, "rom-3").stranded
        assert ends(table, "rom-3") <= {"2208", "2309"}

    def test_german_units_leave(self) -> None:
        table = fought(scene(axis="2209: ger-i", allied="2109: sov-1gt sov-2t; 2308: sov-3"), "2209", NAMES, (0, 2))
        table = table.when(OrderRetreat(), "axis").after()
        assert ends(table, "ger-i") == {"2210", "2310"}

    def test_removal_ends_the_retreat_when_romania_gives_up(self) -> None:
        table = scene(axis="2209: rom-3; 2308: rom-4", allied="2208: sov-1gt sov-2t; 2109: sov-3")
        table = fought(table, "2209 2308", NAMES, (0, 3))
        table = table.when(TakeLoss("rom-3"), "axis").after()
        lost = table.when(TakeLoss("rom-3"), "axis", rolls=[1]).after()
        assert lost.state.at["rom-4"] == OFF
        assert lost.goes_on().after().decisions() == [("allied", "advance")]


class TestHungarianUnits:
    """RV 11.33"""

    def beaten(self, axis: str, allied: str, hits: int) -> Table:
        table = scene(axis=axis, allied=allied)
        target = axis.split(":")[0]
        table = fought(table, target, NAMES, (0, hits)).when(TakeLoss("ger-x"), "axis").after()
        return table.when(OrderRetreat(), "axis").after()

    def test_no_retreat_leads_into_hungary_and_out_again(self) -> None:
        """2511 and 2610 lie beyond the country's southern corner: Germans pass it, Hungarians end inside."""
        table = self.beaten("2309: hun-1 ger-x", "2308: sov-1gt sov-2t; 2208: sov-3gt", 4)
        assert ends(table, "ger-x") - ends(table, "hun-1") == {"2511", "2610"}
        assert ends(table, "hun-1") <= set(GRID.codes(COUNTRY["hungary"]))

    def test_a_way_around_it_is_open(self) -> None:
        table = self.beaten("2709: hun-1 ger-x", "2708: sov-1gt sov-2t", 4)
        assert withdrawal(table.state, "hun-1").paths["2511"] == ("2709", "2609", "2610", "2511")

    ROAD = "2620: hun-1 ger-x; 2521: ger-ix; 2522: ger-xi"

    def test_if_only_a_way_out_is_left_it_is_removed(self) -> None:
        """Friends hold the one road between Soviet ZOC: into Hungary at 2521, out at 2522."""
        table = self.beaten(self.ROAD, "2520: sov-1gt sov-2t; 2421: sov-5; 2721: sov-13", 3)
        assert ends(table, "ger-x") == {"2522"}
        table.when(RetreatUnit("hun-1", "2620"), "axis").includes(
            RetreatStranded("hun-1"), UnitRemoved("hun-1", DEAD, "stranded")
        )

    def test_a_retreat_that_may_end_in_hungary_is_none(self) -> None:
        table = self.beaten(self.ROAD, "2520: sov-1gt sov-2t; 2421: sov-5; 2721: sov-13", 2)
        way = withdrawal(table.state, "hun-1")
        assert (set(way.paths), way.stranded) == ({"2521"}, False)


class TestAlliedRomanianUnits:
    """RV 11.42"""

    def beaten(self, watch: str) -> Table:
        """East of 2716 lies Romania, west of it Yugoslavia, where Allied Romanians may not go."""
        axis = f"2616: ger-i-ss-pz ger-iv-ss-pz; {watch}: ger-x"
        minors = "romania=allied bulgaria=axis hungary=axis"
        table = scene(axis, "2716: rom-3 rom-4; 2711: sov-3", phase="combat axis", minors=minors)
        table = fought(table, "2716", "ger-i-ss-pz ger-iv-ss-pz", (0, 2))
        return table.when(TakeLoss("rom-3"), "allied").after().when(OrderRetreat(), "allied").after()

    def test_at_a_border_that_they_may_not_cross_they_fall_short(self) -> None:
        """RV 8.65: removal is for the time on the Axis side [RV 11.31]; now they stay and take the hit."""
        table = self.beaten("2714")
        assert not withdrawal(table.state, "rom-3").stranded
        table = table.when(RetreatUnit("rom-3", "2716"), "allied").after()
        outcome = table.goes_on().lacks(RetreatStranded, UnitRemoved)
        assert set(outcome.options("allied")) == {TakeLoss("rom-3"), TakeLoss("rom-4")}

    def test_with_a_way_at_home_they_take_it(self) -> None:
        way = withdrawal(self.beaten("2412").state, "rom-3")
        assert (set(way.paths), way.short) == ({"2715"}, 0)
