"""Factory steps [VE 11.31] [VE 1.42] [VE 13 Soviet Union] [VE 13 United States]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe.production.sites import grown

from ..field import SUMMER_1940, SUMMER_1941, SUMMER_1942
from .build import EVERYBODY, WEST, built, factory_floor, plan, ring

USA = "united_states"


class TestBuildFactories:
    """VE 11.31: homeland major cities, one step a marker, two points."""

    def test_a_step_for_two_points(self) -> None:
        table = factory_floor("[factories]\nberlin: 2")
        assert built(table, axis=["germany factory berlin"]).state.factories["berlin"] == (3,)
        plan(table, "axis", "germany factory berlin", "germany factory ruhr").refused(
            "VE 11.1", "NOT_ENOUGH_PRODUCTION"
        )

    def test_a_new_marker_in_an_empty_city(self) -> None:
        table = factory_floor("[factories]\nberlin: 2")
        assert built(table, axis=["germany factory munich"]).state.factories["munich"] == (1,)

    def test_as_many_cities_as_can_be_paid(self) -> None:
        table = factory_floor("[factories]\nberlin: 2\nruhr: 2")
        after = built(table, axis=["germany factory berlin", "germany factory ruhr"])
        assert (after.state.factories["berlin"], after.state.factories["ruhr"]) == ((3,), (3,))

    def test_one_step_a_marker(self) -> None:
        table = factory_floor("[factories]\nberlin: 2\nruhr: 3")
        twice = ["germany factory berlin", "germany factory berlin"]
        plan(table, "axis", *twice).refused("VE 11.31", "ONE_STEP_A_MARKER")

    def test_within_the_citys_value(self) -> None:
        """VE 1.42"""
        table = factory_floor("[factories]\nberlin: 4\nhamburg: 2\nruhr: 4")
        plan(table, "axis", "germany factory hamburg").refused("VE 11.31", "NO_ROOM_FOR_FACTORY")
        plan(table, "axis", "germany factory berlin").refused("VE 11.31", "NO_ROOM_FOR_FACTORY")

    @pytest.mark.parametrize("area", ["hannover", "scotland"])
    def test_not_in_other_areas(self, area: str) -> None:
        payer, seat = ("germany", "axis") if area == "hannover" else ("britain", "allied")
        plan(factory_floor(""), seat, f"{payer} factory {area}").refused("VE 11.31", "NOT_A_HOMELAND_CITY")

    def test_not_in_conquered_cities(self) -> None:
        table = factory_floor("[control]\ngermany: paris")
        plan(table, "axis", "germany factory paris").refused("VE 11.31", "NOT_ITS_PAYER")

    def test_not_in_a_city_that_is_lost(self) -> None:
        table = factory_floor("[control]\nbritain: ruhr\n[factories]\nberlin: 4")
        plan(table, "axis", "germany factory ruhr").refused("VE 11.31", "NOT_FRIENDLY")

    def test_not_out_of_supply(self) -> None:
        table = factory_floor(f"[factories]\nberlin: 4\nprague: 1\n{ring('prague', side='allied', holder='britain')}")
        plan(table, "axis", "germany factory prague").refused("VE 11.31", "AREA_NOT_SUPPLIED")

    def test_new_steps_do_not_produce_in_the_same_turn(self) -> None:
        table = factory_floor("[factories]\nberlin: 2\nmunich: 1")
        orders = ("germany factory berlin", "germany ger_inf_1a munich")
        plan(table, "axis", *orders).refused("VE 11.1", "NOT_ENOUGH_PRODUCTION")


class TestManyMarkers:
    """VE 11.31: two in the Urals, four in the USA."""

    def test_each_marker_grows_by_one(self) -> None:
        assert grown((4, 1), 3) == (4, 2, 1, 1)
        assert grown((), 1) == (1,)
        assert grown((3, 2), 2) == (4, 3)

    def test_the_urals_have_two(self) -> None:
        table = factory_floor("[factories]\nmoscow: 4\nstalingrad: 2\nurals: 4", turn=SUMMER_1942, at_war=EVERYBODY)
        one = "soviet_union factory urals"
        assert built(table, allied=[one]).state.factories["urals"] == (4, 1)
        plan(table, "allied", one, one).refused("VE 11.31", "ONE_STEP_A_MARKER")

    def test_the_usa_has_four_once_at_war(self) -> None:
        table = factory_floor("[factories]\nusa: 4 4", turn=SUMMER_1942, at_war=EVERYBODY)
        two = [f"{USA} factory usa"] * 2
        assert built(table, allied=two).state.factories["usa"] == (4, 4, 1, 1)
        plan(table, "allied", *two, two[0]).refused("VE 11.31", "ONE_STEP_A_MARKER")

    def test_eight_steps_while_neutral(self) -> None:
        """VE 13 United States"""
        table = factory_floor("[factories]\nusa: 4 3", turn=SUMMER_1941)
        assert built(table, allied=[f"{USA} factory usa"]).state.factories["usa"] == (4, 4)
        full = factory_floor("[factories]\nusa: 4 4", turn=SUMMER_1941)
        plan(full, "allied", f"{USA} factory usa").refused("VE 11.31", "NO_ROOM_FOR_FACTORY")


class TestEarlyUrals:
    """VE 13 Soviet Union: not above two steps until 1942, or until the turn after the German attack."""

    @pytest.mark.parametrize(
        ("turn", "barbarossa", "open_"),
        [
            (SUMMER_1940, 0, False),
            (SUMMER_1941, SUMMER_1941, False),
            (SUMMER_1941 + 1, SUMMER_1941, True),
            (SUMMER_1942, 0, True),
        ],
    )
    def test_when_it_opens(self, turn: int, barbarossa: int, open_: bool) -> None:
        table = factory_floor(
            "[factories]\nurals: 2\nmoscow: 3", turn=turn, barbarossa=barbarossa, at_war=(*WEST, "soviet_union")
        )
        outcome = plan(table, "allied", "soviet_union factory urals")
        if open_:
            assert outcome.error is None
        else:
            outcome.refused("VE 11.31", "NO_ROOM_FOR_FACTORY")
