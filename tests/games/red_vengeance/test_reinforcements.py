"""Reinforcements, withdrawal and the winter offensive [RV 10.4, RV 10.5, RV 11.24, RV 12.22, RV 14.6]."""

from __future__ import annotations

from stavka.games.red_vengeance.events import (
    BulgePlaced,
    CommanderPlaced,
    CommanderRemoved,
    NationSurrendered,
    PhaseBegun,
    PiecePlaced,
    ReinforcementScheduled,
)
from stavka.games.red_vengeance.reinforcements import PlaceBulgeUnit, PlaceReinforcement, WithdrawUnit
from stavka.kernel.frames import FrameStepped

from tests.games.red_vengeance.field import scene
from tests.support.table import Table

FAR_AXIS = "1925: ger-ix"
FAR_ALLIED = "0101: sov-3"


def arrivals(
    side: str,
    boxes: str,
    *,
    axis: str = FAR_AXIS,
    allied: str = FAR_ALLIED,
    turn: int = 5,
    step: str = "place",
    control: str = "",
) -> Table:
    phase = f"reinforcements {side} {step}".strip()
    return scene(axis, allied, phase=phase, turn=turn, boxes=boxes, control=control)


def places(table: Table, side: str, piece: str) -> set[str]:
    return {o.hex for o in table.options(side) if isinstance(o, PlaceReinforcement) and o.piece == piece}


class TestReinforcements:
    """RV 10.4"""

    def test_axis_units_come_to_five_german_cities_in_their_hands(self) -> None:
        table = arrivals("axis", "track: ger-hg-pz(due5)", control="allied: 0101 1623")
        assert places(table, "axis", "ger-hg-pz") == {"1422", "1619", "1622", "0623"}
        after = table.when(PlaceReinforcement("ger-hg-pz", "1422"), "axis").then(
            PiecePlaced("ger-hg-pz", "axis", "1422", 2)
        )
        assert after.state.steps["ger-hg-pz"] == 2 and "ger-hg-pz" not in after.state.due

    def test_allied_units_come_to_four_cities_in_their_hands(self) -> None:
        table = arrivals("allied", "track: sov-8(due5)", control="allied: 0101 2602 1802 1007")
        assert places(table, "allied", "sov-8") == {"2602", "1802", "1007"}
        table.when(PlaceReinforcement("sov-8", "0705"), "allied").refused("RV 10.4", "NOT_AN_ARRIVAL_HEX")

    def test_a_unit_comes_in_its_turn_and_not_before(self) -> None:
        table = arrivals("axis", "track: ger-hg-pz(due5) ger-gd-pz(due7)")
        table.when(PlaceReinforcement("ger-gd-pz", "1422"), "axis").refused("RV 10.4", "NOT_DUE")
        table.when(PlaceReinforcement("ger-x", "1422"), "axis").refused("RV 10.4", "NOT_DUE")
        table.when(PlaceReinforcement("ger-99", "1422"), "axis").malformed("UNKNOWN_UNIT")
        table.when(PlaceReinforcement("ger-hg-pz", "Berlin"), "axis").malformed("UNKNOWN_SPACE")
        assert places(table, "axis", "ger-gd-pz") == set()

    def test_a_full_city_takes_no_more(self) -> None:
        table = arrivals("axis", "track: ger-hg-pz(due5)", axis="1422: ger-ix ger-x")
        assert places(table, "axis", "ger-hg-pz") == {"1619", "1622", "1623", "0623"}

    def test_what_finds_no_place_waits(self) -> None:
        control = "allied: 0101 1422 1619 1622 1623 0623"
        table = arrivals("axis", "track: ger-hg-pz(due5)", control=control)
        assert table.decisions() == []
        waiting = table.goes_on(rolls=[1]).includes(PhaseBegun(5, "air", "diplomacy", "axis"))
        assert waiting.state.at["ger-hg-pz"] == "track"
        later = arrivals("axis", "track: ger-hg-pz(due5)", turn=6)
        assert places(later, "axis", "ger-hg-pz")

    def test_a_single_place_is_taken_at_once(self) -> None:
        table = arrivals("allied", "track: sov-8(due5)", control="allied: 0101 2602")
        table.goes_on(rolls=[1]).includes(PiecePlaced("sov-8", "allied", "2602", 2))

    def test_yugoslavs_come_to_belgrade_or_to_their_own_hexes(self) -> None:
        home = arrivals("allied", "track: yug-4(due10)", turn=10, axis="2818: ger-lxviii; 3021: ger-xv-mtn")
        assert places(home, "allied", "yug-4") == {"2825", "2925", "3117", "3220"}
        freed = arrivals("allied", "track: yug-4(due10)", turn=10, allied="2818: sov-3")
        freed.goes_on(rolls=[1]).includes(PiecePlaced("yug-4", "allied", "2818", 2))

    def test_while_belgrade_is_allied_yugoslavs_come_there_or_wait(self) -> None:
        """RV 11.41"""
        full = arrivals("allied", "track: yug-4(due10)", turn=10, allied="2818: yug-1 sov-3")
        assert full.goes_on(rolls=[1]).lacks(PiecePlaced).state.at["yug-4"] == "track"
        room = arrivals("allied", "track: yug-4(due10)", turn=10, allied="2818: yug-1")
        room.goes_on(rolls=[1]).includes(PiecePlaced("yug-4", "allied", "2818", 2))

    def test_the_soviet_marines_come_to_any_allied_port(self) -> None:
        table = arrivals("allied", "track: sov-marine(due5)", control="allied: 0101 0311 2602")
        assert places(table, "allied", "sov-marine") == {"0311", "2602"}

    def test_in_a_bulgarian_port_they_make_bulgaria_surrender(self) -> None:
        """RV 11.32, RV 12.22"""
        out = "romania=surrendered bulgaria=axis hungary=axis"
        table = scene(
            f"{FAR_AXIS}; 3113: bul-1",
            FAR_ALLIED,
            phase="reinforcements allied place",
            turn=5,
            boxes="track: sov-marine(due5)",
            control="allied: 0101 2602 3007",
            minors=out,
        )
        table.when(PlaceReinforcement("sov-marine", "3007"), "allied").includes(NationSurrendered("bulgaria", False))
        table.when(PlaceReinforcement("sov-marine", "2602"), "allied").lacks(NationSurrendered)

    def test_marines_need_no_room(self) -> None:
        table = arrivals("allied", "track: sov-marine(due5)", allied="0311: sov-3 sov-31; 2602: sov-5")
        assert places(table, "allied", "sov-marine") == {"0311", "2602"}


class TestALoneCommanderWhereUnitsArrive:
    """RV 11.23"""

    def test_he_is_captured_by_the_unit_that_is_placed_there(self) -> None:
        table = arrivals("axis", "track: ger-xi-ss(due9)", allied="1422: zhukov; 0101: sov-3", turn=9)
        table.when(PlaceReinforcement("ger-xi-ss", "1422"), "axis").then(
            PiecePlaced("ger-xi-ss", "axis", "1422", 2), CommanderRemoved("zhukov", "captured")
        )

    def test_one_of_the_same_side_is_joined(self) -> None:
        table = arrivals("axis", "track: ger-xi-ss(due9)", axis="1422: ger-vi-ss dietrich", turn=9)
        table.when(PlaceReinforcement("ger-xi-ss", "1422"), "axis").lacks(CommanderRemoved)


class TestDietrichArrives:
    """RV 11.24"""

    def test_only_where_ss_are(self) -> None:
        table = arrivals("axis", "track: dietrich(due9)", axis="1422: ger-xi-ss; 1619: ger-ix; 1622: ger-vi-ss", turn=9)
        assert places(table, "axis", "dietrich") == {"1422", "1622"}
        table.when(PlaceReinforcement("dietrich", "1619"), "axis").refused("RV 10.4", "NOT_AN_ARRIVAL_HEX")
        table.when(PlaceReinforcement("dietrich", "1422"), "axis").includes(PiecePlaced("dietrich", "", "1422", 0))

    def test_he_waits_for_ss_that_come_with_him(self) -> None:
        table = arrivals("axis", "track: ger-i-ss-pz(due9) dietrich(due9)", turn=9)
        assert places(table, "axis", "dietrich") == set()
        after = table.when(PlaceReinforcement("ger-i-ss-pz", "1623"), "axis").after()
        after.goes_on(rolls=[]).includes(PiecePlaced("dietrich", "", "1623", 0))


class TestWithdrawal:
    """RV 10.5"""

    def november(self, axis: str, *, turn: int = 6, step: str = "withdraw", boxes: str = "") -> Table:
        return arrivals("axis", boxes, axis=axis, turn=turn, step=step)

    def test_ii_ss_panzer_leaves_in_november_and_is_back_in_february(self) -> None:
        table = self.november("1809: ger-ii-ss-pz(reduced); 1710: ger-iv-ss-pz", step="")
        after = table.goes_on(rolls=[1]).includes(FrameStepped("withdraw"), ReinforcementScheduled("ger-ii-ss-pz", 9))
        assert after.state.due["ger-ii-ss-pz"] == 9
        back = arrivals("axis", "track: ger-ii-ss-pz(due9)", turn=9)
        back.when(PlaceReinforcement("ger-ii-ss-pz", "1422"), "axis").includes(
            PiecePlaced("ger-ii-ss-pz", "axis", "1422", 2)
        )

    def test_in_other_months_it_stays(self) -> None:
        self.november("1809: ger-ii-ss-pz", turn=5, step="").goes_on(rolls=[1]).lacks(ReinforcementScheduled)

    def test_without_it_another_ss_armor_goes_the_players_choice(self) -> None:
        table = self.november("1809: ger-iv-ss-pz; 1710: ger-iii-ss-pz; 1610: ger-iii-pz; 1510: ger-xi-ss")
        assert {o.unit for o in table.options("axis") if isinstance(o, WithdrawUnit)} == {
            "ger-iv-ss-pz",
            "ger-iii-ss-pz",
        }
        table.when(WithdrawUnit("ger-iii-pz"), "axis").refused("RV 10.5", "NOT_WITHDRAWABLE")
        table.when(WithdrawUnit("tiger"), "axis").malformed("UNKNOWN_UNIT")
        table.when(WithdrawUnit("ger-iv-ss-pz"), "axis").then(
            ReinforcementScheduled("ger-iv-ss-pz", 9), FrameStepped("place")
        )

    def test_without_ss_armor_any_armor_goes(self) -> None:
        table = self.november("1809: ger-iii-pz; 1710: ger-xxiv-pz; 1510: ger-xi-ss")
        assert {o.unit for o in table.options("axis") if isinstance(o, WithdrawUnit)} == {"ger-iii-pz", "ger-xxiv-pz"}

    def test_without_armor_nobody_goes(self) -> None:
        self.november("1809: ger-ix", step="").goes_on(rolls=[1]).lacks(ReinforcementScheduled)

    def test_withdrawal_comes_before_placing(self) -> None:
        table = self.november("1809: ger-iv-ss-pz; 1710: ger-iii-ss-pz", boxes="track: ger-hg-pz(due5)")
        table.when(PlaceReinforcement("ger-hg-pz", "1422"), "axis").refused("RV 10.4", "NOT_DUE")
        placing = arrivals("axis", "track: ger-hg-pz(due5)", axis="1809: ger-iv-ss-pz; 1710: ger-iii-ss-pz", turn=6)
        placing.when(WithdrawUnit("ger-iv-ss-pz"), "axis").refused("RV 10.5", "NOT_WITHDRAWABLE")

    def test_dietrich_joins_other_ss_when_his_own_leave(self) -> None:
        table = self.november("1809: ger-iv-ss-pz dietrich; 1710: ger-iii-ss-pz")
        table.when(WithdrawUnit("ger-iv-ss-pz"), "axis").includes(CommanderPlaced("dietrich", "1710"))

    def test_of_equally_near_ss_he_joins_those_first_in_reading_order(self) -> None:
        """RV 11.23"""
        near = self.november("1809: ger-iv-ss-pz dietrich; 1709: ger-iii-ss-pz; 1910: ger-vi-ss")
        near.when(WithdrawUnit("ger-iv-ss-pz"), "axis").includes(CommanderPlaced("dietrich", "1709"))
        nearer = self.november("1809: ger-iv-ss-pz dietrich; 1708: ger-iii-ss-pz; 1910: ger-vi-ss")
        nearer.when(WithdrawUnit("ger-iv-ss-pz"), "axis").includes(CommanderPlaced("dietrich", "1910"))


class TestWinterOffensive:
    """RV 14.6"""

    DEAD = "track: ger-i-ss-pz(due9) dietrich(due9); dead: ger-x ger-xx ger-xii ger-iii-pz ger-xxiv-pz hun-1"

    def bulge(self, axis: str = "1416: ger-ix ger-vi; 1809: ger-ii-ss-pz", step: str = "bulge") -> Table:
        return scene(
            axis,
            FAR_ALLIED,
            phase=f"reinforcements axis {step}".strip(),
            turn=6,
            boxes=self.DEAD,
            options={"eastern_bulge": "on"},
        )

    def test_nothing_is_withdrawn_in_november(self) -> None:
        self.bulge(step="").goes_on().then(FrameStepped("bulge"))

    def test_dietrich_i_ss_panzer_two_infantry_and_one_armor_join_axis_units(self) -> None:
        table = self.bulge()
        pieces = {o.piece for o in table.options("axis") if isinstance(o, PlaceBulgeUnit)}
        assert pieces == {"dietrich", "ger-i-ss-pz", "ger-x", "ger-xx", "ger-xii", "ger-iii-pz", "ger-xxiv-pz"}
        for piece, code in (
            ("ger-i-ss-pz", "1416"),
            ("dietrich", "1416"),
            ("ger-x", "1416"),
            ("ger-xx", "1809"),
            ("ger-iii-pz", "1416"),
        ):
            table = table.when(PlaceBulgeUnit(piece, code), "axis").after()
        assert table.decisions() == []
        assert table.state.bulge == ("ger-i-ss-pz", "dietrich", "ger-x", "ger-xx", "ger-iii-pz")
        assert table.state.steps["ger-x"] == 2

    def test_each_comes_to_a_hex_with_axis_units_over_the_limit_if_he_likes(self) -> None:
        table = self.bulge()
        table.when(PlaceBulgeUnit("ger-x", "1422"), "axis").refused("RV 14.6", "NO_AXIS_UNIT_THERE")
        table.when(PlaceBulgeUnit("ger-x", "1416"), "axis").then(
            PiecePlaced("ger-x", "axis", "1416", 2), BulgePlaced(("ger-x",))
        )
        table.when(PlaceBulgeUnit("dietrich", "1416"), "axis").refused("RV 14.6", "NO_AXIS_UNIT_THERE")
        table.when(PlaceBulgeUnit("hun-1", "1416"), "axis").refused("RV 14.6", "NOT_IN_THE_OFFENSIVE")

    def test_no_third_infantry_and_no_second_armor_unit(self) -> None:
        table = self.bulge()
        for piece in ("ger-x", "ger-xx", "ger-iii-pz"):
            table = table.when(PlaceBulgeUnit(piece, "1416"), "axis").after()
        table.when(PlaceBulgeUnit("ger-xii", "1416"), "axis").refused("RV 14.6", "NOT_IN_THE_OFFENSIVE")
        table.when(PlaceBulgeUnit("ger-xxiv-pz", "1416"), "axis").refused("RV 14.6", "NOT_IN_THE_OFFENSIVE")
        pieces = {o.piece for o in table.options("axis") if isinstance(o, PlaceBulgeUnit)}
        assert pieces == {"dietrich", "ger-i-ss-pz"}

    def test_dietrich_waits_for_ss_where_there_are_none(self) -> None:
        table = self.bulge("1416: ger-ix ger-vi; 1809: ger-l")
        table.when(PlaceBulgeUnit("dietrich", "1416"), "axis").refused("RV 14.6", "NOT_IN_THE_OFFENSIVE")
