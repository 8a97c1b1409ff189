"""Setting up [RV 3.0 to RV 3.4, RV 7.1, RV 14.0]."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stavka.games.red_vengeance.events import PhaseBegun, PiecePlaced, TableSet, UnitConfined
from stavka.games.red_vengeance.ground import COUNTRY, DATA, GRID, MAP, UNITS
from stavka.games.red_vengeance.setup import FACING, PlaceUnit, UseHistoricalSetup, begin
from stavka.games.red_vengeance.state import HAND, OFF, TRACK
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.game import Setup

from tests.support.table import Table, given

PLAYERS = {"setup": "players"}
AXIS_LINE = MAP.marked("axis_line")


def fresh() -> Table:
    return given(options=PLAYERS, begun="red_vengeance/campaign")


def history(table: Table, seat: str) -> Table:
    """The rest of the step as history had it, and on to the next step."""
    return table.when(UseHistoricalSetup(), seat).after().goes_on().after()


def hexes(table: Table, seat: str, piece: str) -> set[str]:
    return {o.hex for o in table.options(seat) if isinstance(o, PlaceUnit) and o.piece == piece}


def rest(table: Table, seat: str, prefer: str) -> Iterator[Table]:
    """Every placement until the step is over, each in the first or last hex that is listed."""
    while table.decisions():
        options = [o for o in table.options(seat) if isinstance(o, PlaceUnit)]
        table = table.when(options[0 if prefer == "first" else -1], seat).after()
        yield table


class TestReadySetup:
    """RV 3.0"""

    def test_by_default_everything_stands_as_in_june_1944(self) -> None:
        table = given(begun="red_vengeance/campaign")
        assert table.state.turn == 1 and table.state.frames[1].kind == "weather"
        setup = DATA.scenarios["campaign"].setup
        assert all(table.state.at[piece] == code for piece, code in setup.items())

    def test_a_player_may_take_the_historical_set_up_for_his_step(self) -> None:
        table = fresh()
        for seat in ("axis", "allied", "axis"):
            table = history(table, seat)
        assert table.state.turn == 1
        assert {p: c for p, c in table.state.at.items() if p in DATA.scenarios["campaign"].setup} == dict(
            DATA.scenarios["campaign"].setup
        )


class TestTrackAndMarkers:
    """RV 3.1"""

    def test_reinforcements_wait_on_the_track_and_w_and_b_units_off_the_map(self) -> None:
        state = fresh().state
        assert state.at["ger-xxvi"] == TRACK and state.due["ger-xxvi"] == 2
        assert state.at["dietrich"] == TRACK and state.due["dietrich"] == 9
        assert state.at["pol-2"] == state.at["sov-marine"] == OFF
        assert state.sea == "german_lake"


class TestAxisInfantry:
    """RV 3.2"""

    def test_minor_units_with_printed_hexes_are_in_place(self) -> None:
        state = fresh().state
        assert (state.at["hun-3"], state.at["hun-2"], state.at["bul-1"]) == ("2215", "2313", "3113")

    def test_the_other_infantry_goes_on_the_start_line(self) -> None:
        table = fresh()
        assert table.decisions() == [("axis", "setup")]
        assert hexes(table, "axis", "ger-ix") == set(AXIS_LINE)
        assert hexes(table, "axis", "hun-1") == set(AXIS_LINE)
        table.when(PlaceUnit("ger-ix", "1422"), "axis").refused("RV 3.2", "NOT_A_SETUP_HEX")
        table.when(PlaceUnit("ger-ix", AXIS_LINE[0]), "axis").then(PiecePlaced("ger-ix", "", AXIS_LINE[0], 2))

    def test_romanians_stand_in_romania(self) -> None:
        places = hexes(fresh(), "axis", "rom-3")
        assert places and all(GRID.bit(code) & COUNTRY["romania"] for code in places)
        fresh().when(PlaceUnit("rom-3", AXIS_LINE[0]), "axis").refused("RV 3.2", "NOT_A_SETUP_HEX")

    def test_y_units_stand_on_the_white_crosses(self) -> None:
        assert hexes(fresh(), "axis", "ger-xv-mtn") == set(MAP.marked("german_y"))

    def test_no_hex_takes_more_than_two(self) -> None:
        table = fresh()
        for unit in ("ger-ix", "ger-x"):
            table = table.when(PlaceUnit(unit, AXIS_LINE[0]), "axis").after()
        table.when(PlaceUnit("ger-i", AXIS_LINE[0]), "axis").refused("RV 3.2", "NOT_A_SETUP_HEX")

    def test_armor_and_pieces_that_stand_already_are_not_placed(self) -> None:
        table = fresh()
        table.when(PlaceUnit("ger-iii-pz", AXIS_LINE[0]), "axis").refused("RV 3.2", "NOT_IN_HAND")
        table.when(PlaceUnit("bul-1", AXIS_LINE[0]), "axis").refused("RV 3.2", "NOT_IN_HAND")
        table.when(PlaceUnit("xyz", AXIS_LINE[0]), "axis").malformed("UNKNOWN_UNIT")
        table.when(PlaceUnit("sov-3", AXIS_LINE[0]), "allied").refused("RV 3.2", "NOT_YOUR_DECISION")

    def test_enough_is_left_to_man_the_whole_line(self) -> None:
        """Whoever piles up his infantry is stopped before a hex could stay bare."""
        *_, last = rest(fresh(), "axis", "first")
        bare = [code for code in AXIS_LINE if code not in last.state.at.values()]
        armor = [u for u in UNITS if last.state.at[u] == HAND and UNITS[u].side == "axis"]
        assert len(bare) == len(armor)
        assert all(last.state.at[u] != HAND for u in ("rom-3", "rom-4"))

    def test_history_fits_only_what_is_still_free(self) -> None:
        table = fresh()
        crowd = DATA.scenarios["campaign"].setup["ger-liii"]
        for unit in ("ger-ix", "ger-x"):
            table = table.when(PlaceUnit(unit, crowd), "axis").after()
        table.when(UseHistoricalSetup(), "axis").refused("RV 3.2", "HISTORY_DOES_NOT_FIT")
        assert UseHistoricalSetup() not in table.options("axis")


class TestHungarians:
    """RV 11.33"""

    def test_a_unit_set_up_in_hungary_is_bound_to_it(self) -> None:
        after = (
            fresh()
            .when(PlaceUnit("hun-1", "2210"), "axis")
            .then(PiecePlaced("hun-1", "", "2210", 2), UnitConfined("hun-1"))
        )
        assert after.state.confined == {"hun-1", "hun-2", "hun-3"}

    def test_one_set_up_outside_is_not(self) -> None:
        after = fresh().when(PlaceUnit("hun-1", AXIS_LINE[0]), "axis").then(PiecePlaced("hun-1", "", AXIS_LINE[0], 2))
        assert after.state.confined == {"hun-2", "hun-3"}
        assert given(begun="red_vengeance/campaign").state.confined == {"hun-2", "hun-3"}

    def test_nor_are_others_in_the_country(self) -> None:
        fresh().when(PlaceUnit("ger-ix", "2210"), "axis").lacks(UnitConfined)


class TestAllies:
    """RV 3.3"""

    def test_soviets_poles_and_commanders_on_the_line_yugoslavs_and_tito_on_their_stars(self) -> None:
        table = history(fresh(), "axis")
        assert table.decisions() == [("allied", "setup")]
        line = set(MAP.marked("allied_line"))
        assert hexes(table, "allied", "sov-3") == hexes(table, "allied", "pol-1") == line
        assert hexes(table, "allied", "zhukov") == line
        assert hexes(table, "allied", "yug-1") == hexes(table, "allied", "tito") == set(MAP.marked("partisan"))

    def test_every_facing_hex_gets_a_soviet_or_polish_unit(self) -> None:
        for prefer in ("first", "last"):
            *_, last = rest(history(fresh(), "axis"), "allied", prefer)
            held = {last.state.at[u] for u in UNITS if UNITS[u].nation in ("soviet", "polish")}
            assert set(FACING) <= held

    def test_a_second_unit_is_refused_when_every_one_is_needed(self) -> None:
        start = history(fresh(), "axis").when(PlaceUnit("sov-3", FACING[0]), "allied").after()
        table = next(
            later
            for later in rest(start, "allied", "last")
            if (places := hexes(later, "allied", "sov-5")) and FACING[0] not in places
        )
        assert sum(place == FACING[0] for place in table.state.at.values()) == 1
        table.when(PlaceUnit("sov-5", FACING[0]), "allied").refused("RV 3.3", "NOT_A_SETUP_HEX")

    def test_the_axis_waits(self) -> None:
        table = history(fresh(), "axis")
        table.when(UseHistoricalSetup(), "axis").refused("RV 3.3", "NOT_YOUR_DECISION")


class TestAxisArmor:
    """RV 3.4"""

    def test_armor_fills_the_gaps_and_june_begins(self) -> None:
        *_, infantry = rest(fresh(), "axis", "first")
        *_, allies = rest(infantry.goes_on().after(), "allied", "first")
        table = allies.goes_on().after()
        assert table.decisions() == [("axis", "setup")]
        bare = {code for code in AXIS_LINE if code not in table.state.at.values()}
        assert hexes(table, "axis", "ger-iii-pz") == bare
        table.when(PlaceUnit("ger-iii-pz", "1422"), "axis").refused("RV 3.4", "NOT_A_SETUP_HEX")
        table.when(UseHistoricalSetup(), "axis").refused("RV 3.4", "HISTORY_DOES_NOT_FIT")
        *_, last = rest(table, "axis", "first")
        assert set(AXIS_LINE) <= set(last.state.at.values())
        last.goes_on().includes(PhaseBegun(1, "weather", "supply", ""))


class TestOptionalRules:
    """RV 14.0"""

    def test_all_are_off_unless_chosen_and_chosen_before_the_match(self) -> None:
        state = given(begun="red_vengeance/campaign").state
        assert {k: v for k, v in state.options.items() if k != "setup"} == dict.fromkeys(DATA.options, "off")
        chosen = given(options={"arctic_peace": "on", "additional_trucks": "on"}, begun="red_vengeance/campaign").state
        assert chosen.arctic and chosen.trucks == 5

    @pytest.mark.parametrize(
        ("setup", "reason"),
        [
            (Setup(1, "campaign", {"easy_mode": "on"}), "UNKNOWN_OPTION"),
            (Setup(1, "campaign", {"last_line": "maybe"}), "UNKNOWN_CHOICE"),
            (Setup(1, "1943", {}), "UNKNOWN_SCENARIO"),
            (Setup(99, "campaign", {}), "UNKNOWN_RULESET"),
        ],
    )
    def test_what_nobody_knows_is_refused(self, setup: Setup, reason: str) -> None:
        with pytest.raises(MalformedCommand) as error:
            begin(setup)
        assert error.value.reason == reason


class TestControlWhenTheTableIsSet:
    """RV 7.1"""

    def test_every_land_hex_has_a_side(self) -> None:
        events = begin(Setup(1, "campaign", {}))
        (table,) = [event for event in events if isinstance(event, TableSet)]
        assert set(table.control.values()) == {"axis", "allied"}
        assert table.control["0106"] == "allied" and table.control["0107"] == "axis"
