"""Supply [RV 5.0 to RV 5.5] with the exceptions of RV 11.41, RV 11.43, RV 12.21 and RV 12.22."""

from __future__ import annotations

from typing import Any

from stavka.games.red_vengeance.events import PhaseBegun, SeaSupplyGiven, SupplyDetermined
from stavka.games.red_vengeance.supply import ChooseSeaSupply

from tests.games.red_vengeance.field import explained, scene
from tests.support.table import Table

FAR = "0101: sov-3"
CORNER = "2925: ger-ix"
COURLAND = "0410: sov-13; 0412: sov-31"
"""Two armies that close Courland by land."""


def supplied(table: Table, unit: str) -> bool:
    return bool(explained(table, "supply", unit=unit)["in_supply"])


def jutland(unit: str, guard: str, side: str) -> Table:
    """A unit north of Kiel whose only way out passes a guard at 0724."""
    if side == "allied":
        return scene(f"0724: {guard}", f"0524: {unit}")
    return scene(f"0524: {unit}", f"0724: {guard}")


class TestWhenSupplyIsJudged:
    """RV 5.0"""

    def test_the_command_phase_marks_and_clears(self) -> None:
        table = scene("0724: ger-ix", "0524: sov-13; 1905: sov-31(oos)", phase="supply allied")
        marked = table.goes_on(rolls=[]).includes(SupplyDetermined("allied", ("sov-13",), ("sov-31",)))
        assert marked.state.oos == {"sov-13"}

    def test_nothing_is_said_when_nothing_changes(self) -> None:
        table = scene(CORNER, "1905: sov-13", phase="supply allied")
        table.goes_on().lacks(SupplyDetermined).goes_on(rolls=[])

    def test_the_enemys_marks_stay(self) -> None:
        table = scene("1925: ger-ix(oos)", "1905: sov-13", phase="supply allied")
        assert "ger-ix" in table.goes_on().after().state.oos


class TestSupplyLines:
    """RV 5.1"""

    def test_the_axis_trace_west_and_the_allies_east(self) -> None:
        table = scene("1917: ger-ix", "1905: sov-13")
        assert explained(table, "supply", unit="ger-ix")["lines"][0]["line"][-1].endswith("25")
        assert explained(table, "supply", unit="sov-13")["lines"][0]["line"][-1].endswith("01")

    def test_enemy_units_and_their_zones_cut_it(self) -> None:
        table = jutland("sov-13", "ger-ix", "allied")
        assert not supplied(table, "sov-13")
        barred = explained(table, "supply", unit="sov-13")["lines"][0]["barred"]
        assert barred["enemy zone of control"] == ["0623", "0624"]

    def test_a_friend_in_the_zone_opens_it_but_not_a_commander(self) -> None:
        """Past the guard, whose own hex alone stays shut, along the west edge."""
        held = scene("0724: ger-ix", "0524: sov-13; 0624: sov-31; 0725: sov-5")
        assert supplied(held, "sov-13")
        led = scene("0724: ger-ix", "0524: sov-13; 0624: zhukov; 0725: konev")
        assert not supplied(led, "sov-13")

    def test_its_own_hex_may_be_in_an_enemy_zone(self) -> None:
        table = scene("1906: ger-ix", "1905: sov-13")
        assert supplied(table, "sov-13")

    def test_a_marine_division_cuts_only_its_own_hex(self) -> None:
        assert supplied(jutland("sov-13", "ger-marine", "allied"), "sov-13")

    def test_a_friendly_baltic_port_is_as_good_as_the_west_edge(self) -> None:
        """Courland, cut off by land: Riga serves while it is Axis."""
        pocket = scene("0312: ger-ix; 0311: ger-x", COURLAND)
        told = explained(pocket, "supply", unit="ger-ix")["lines"]
        assert [line["to"] for line in told if line["line"]] == ["Baltic port"]
        assert supplied(pocket, "ger-ix")
        lost = scene("0312: ger-ix", COURLAND, control="allied: 0311 0413")
        assert not supplied(lost, "ger-ix")


class TestEffectsOfSupply:
    """RV 5.2"""

    def test_a_unit_out_of_supply_stays_on_the_map(self) -> None:
        table = jutland("sov-13", "ger-ix", "allied")
        assert table.state.at["sov-13"] == "0524"


class TestPolishSupply:
    """RV 5.3"""

    def test_poles_trace_east_until_warsaw_is_allied(self) -> None:
        before = scene(CORNER, "1905: pol-1")
        assert explained(before, "supply", unit="pol-1")["lines"][0]["to"] == "east edge"

    def test_then_to_warsaw_alone(self) -> None:
        after = scene(CORNER, "1905: pol-1; 1414: sov-13", visited="1414")
        assert explained(after, "supply", unit="pol-1")["lines"][0]["to"] == "Warsaw"
        lost = scene("1414: ger-ix", "1905: pol-1", visited="1414")
        assert not supplied(lost, "pol-1")


class TestCapitals:
    """RV 5.4"""

    def test_each_minor_axis_nation_traces_to_its_capital(self) -> None:
        table = scene("2112: hun-1; 2508: rom-3; 3109: bul-1", FAR)
        for unit, capital in (("hun-1", "Budapest"), ("rom-3", "Bucharest"), ("bul-1", "Sofia")):
            told = explained(table, "supply", unit=unit)
            assert [line["to"] for line in told["lines"]] == [capital] and told["in_supply"]

    def test_an_enemy_in_the_capital_ends_it(self) -> None:
        table = scene("2112: hun-1; 2508: rom-3; 3109: bul-1", "2215: sov-3; 2711: sov-13; 3113: sov-31")
        assert not any(supplied(table, unit) for unit in ("hun-1", "rom-3", "bul-1"))

    def test_so_does_a_zone_over_it_unless_a_friend_is_there(self) -> None:
        empty = scene("2508: rom-3", "2710: sov-13")
        assert not supplied(empty, "rom-3")
        held = scene("2508: rom-3; 2711: rom-4", "2710: sov-13")
        assert supplied(held, "rom-4")

    def test_control_of_an_empty_capital_does_not_matter(self) -> None:
        assert supplied(scene("2214: hun-3(confined)", FAR, control="allied: 0101 2215"), "hun-3")


class TestYugoslavSupply:
    """RV 5.5"""

    def test_mountains_at_home_supply(self) -> None:
        assert supplied(scene("3021: ger-xv-mtn; 3023: ger-lxix", "3022: yug-1"), "yug-1")


class TestYugoslavUnits:
    """RV 11.41"""

    def test_inside_yugoslavia_they_are_always_in_supply(self) -> None:
        """On the plain, surrounded."""
        assert supplied(scene("2720: ger-ix; 2722: ger-x", "2721: yug-1"), "yug-1")

    def test_outside_they_trace_to_allied_hexes_of_yugoslavia(self) -> None:
        assert supplied(scene(CORNER, "2520: yug-1"), "yug-1")
        cut = scene("2621: ger-ix; 2519: ger-x; 2421: ger-xx", "2520: yug-1")
        assert not supplied(cut, "yug-1")


class TestBlackSea:
    """RV 12.21"""

    def cut_off(self, allied: str = "2907: sov-13") -> Table:
        """Constanta: the Axis hold the way inland."""
        return scene("2807: ger-ix; 2909: ger-x; 2708: ger-xx; 3008: ger-xii", allied, phase="supply allied")

    def test_one_unit_on_its_coast_is_treated_as_in_supply(self) -> None:
        after = self.cut_off().goes_on().includes(SeaSupplyGiven("allied", "sov-13"))
        assert supplied(after, "sov-13") and "sov-13" not in after.state.oos

    def test_of_two_the_player_chooses_one(self) -> None:
        table = self.cut_off("2907: sov-13 sov-31")
        assert table.goes_on().events == ()
        assert table.options("allied") == [ChooseSeaSupply("sov-13"), ChooseSeaSupply("sov-31")]
        chosen = table.when(ChooseSeaSupply("sov-31"), "allied").includes(SeaSupplyGiven("allied", "sov-31"))
        chosen.goes_on().includes(SupplyDetermined("allied", ("sov-13",), ()))

    def test_nobody_else_can_be_chosen(self) -> None:
        table = self.cut_off("2907: sov-13 sov-31; 1905: sov-5")
        table.when(ChooseSeaSupply("sov-5"), "allied").refused("RV 12.21", "NOT_SUPPLIED_BY_SEA")
        table.when(ChooseSeaSupply("fleet"), "allied").malformed("UNKNOWN_UNIT")

    def test_a_unit_that_needs_it_no_more_gives_it_up(self) -> None:
        table = scene(CORNER, "2602: sov-13", phase="supply allied", shore_supplied="sov-13")
        table.goes_on().includes(SeaSupplyGiven("allied", ""))


class TestBalticSea:
    """RV 12.22"""

    def pocket(self, sea: str, axis: str = "0212: ger-ix", sea_supplied: str = "") -> Table:
        """The tip of Courland; the Allies hold Riga and Libau."""
        header: dict[str, Any] = {"sea_supplied": sea_supplied} if sea_supplied else {}
        return scene(axis, COURLAND, phase="supply axis", sea=sea, control="allied: 0311 0413", **header)

    def test_all_units_on_the_coast_are_supplied_while_the_navy_can(self) -> None:
        for sea, fed in (
            ("german_lake", True),
            ("soviet_subs", True),
            ("light_surface", False),
            ("heavy_surface", False),
        ):
            assert supplied(self.pocket(sea), "ger-ix") is fed, sea

    def test_light_surface_leaves_one_which_is_named(self) -> None:
        one = self.pocket("light_surface").goes_on().includes(SeaSupplyGiven("axis", "ger-ix"))
        assert supplied(one, "ger-ix")
        two = self.pocket("light_surface", "0212: ger-ix ger-x")
        assert two.options("axis") == [ChooseSeaSupply("ger-x"), ChooseSeaSupply("ger-ix")]
        assert two.decisions() == [("axis", "sea_supply")]
        two.when(ChooseSeaSupply("sov-13"), "axis").refused("RV 12.22", "NOT_SUPPLIED_BY_SEA")
        named = two.when(ChooseSeaSupply("ger-x"), "axis").after().goes_on()
        named.includes(SupplyDetermined("axis", ("ger-ix",), ()))

    def test_a_line_to_a_port_is_sea_supply_too(self) -> None:
        for sea, fed in (("soviet_subs", True), ("light_surface", False), ("heavy_surface", False)):
            assert supplied(scene("0312: ger-ix; 0311: ger-x", COURLAND, sea=sea), "ger-ix") is fed, sea

    def test_heavy_surface_leaves_none(self) -> None:
        table = self.pocket("heavy_surface", sea_supplied="ger-ix")
        assert not supplied(table, "ger-ix")
        table.goes_on().includes(SeaSupplyGiven("axis", ""), SupplyDetermined("axis", ("ger-ix",), ()))

    def test_hungarians_inland_have_no_port(self) -> None:
        table = scene("1016: hun-1; 0917: ger-x", "2215: sov-3", sea="german_lake")
        assert not supplied(table, "hun-1")
        on_the_coast = scene("0817: hun-1", "2215: sov-3", sea="german_lake")
        assert supplied(on_the_coast, "hun-1")


class TestPhaseAfterSupply:
    """RV 4.0"""

    def test_supply_opens_the_command_phase(self) -> None:
        table = scene(CORNER, "1905: sov-13", phase="supply allied")
        table.goes_on().includes(PhaseBegun(3, "politics", "diplomacy", "allied"))
        axis = scene(CORNER, "1905: sov-13", phase="supply axis")
        axis.goes_on().includes(PhaseBegun(3, "replacements", "diplomacy", "axis"))
