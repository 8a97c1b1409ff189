"""Who pays, where points may be spent, surcharges [VE 11.1] [VE 8.8] [VE 13 Malta] [VE 13 France] [VE 13 Italy] [VE 7.81]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe.production.chapter import LendLease
from stavka.games.victory_in_europe.production.sites import price

from tests.support.table import Table

from ..field import SPRING_1941, SUMMER_1942
from .build import EVERYBODY, THREE, WEST, built, factory_floor, plan, ring, steps

USA = "united_states"


class TestPockets:
    """VE 13 Soviet Union, VE 1.9"""

    SOVIETS = "[soviet]\nurals: sov_inf4_1(1)\nmoscow: sov_inf4_2(1) sov_inf4_3(1)\n[factories]\nurals: 2\nmoscow: 1"

    def floor(self, blocks: str = SOVIETS, **more: Any) -> Table:
        return factory_floor(blocks, at_war=EVERYBODY, **more)

    def test_points_of_the_urals_stay_there(self) -> None:
        table = self.floor()
        both = ["soviet_union sov_inf4_2", "soviet_union sov_inf4_3"]
        plan(table, "allied", *both).refused("VE 13 Soviet Union", "POINTS_STAY_IN_URALS")
        assert plan(table, "allied", "soviet_union sov_inf4_1", both[0]).error is None

    def test_others_may_be_spent_in_the_urals(self) -> None:
        table = self.floor(self.SOVIETS + "\n[pools]\nsoviet: sov_inf3_1 sov_inf3_2")
        build = [f"soviet_union sov_inf3_{n} urals" for n in (1, 2)]
        assert plan(table, "allied", "soviet_union sov_inf4_1", *build).error is None
        plan(table, "allied", "soviet_union sov_inf4_2", "soviet_union sov_inf4_1", *build).refused(
            "VE 11.1", "NOT_ENOUGH_PRODUCTION"
        )

    def test_factories_there_are_paid_by_others(self) -> None:
        """VE 4.3: factories are not units."""
        build = ["soviet_union factory urals", "soviet_union sov_inf4_1"]
        poor = self.floor(turn=SUMMER_1942)
        for orders in (build, build[::-1], build[:1]):
            plan(poor, "allied", *orders).refused("VE 13 Soviet Union", "POINTS_STAY_IN_URALS")
        rich = self.floor(self.SOVIETS.replace("moscow: 1", "moscow: 2"), turn=SUMMER_1942)
        assert plan(rich, "allied", *build).error is None
        plan(rich, "allied", *build, "soviet_union sov_inf4_2").refused("VE 13 Soviet Union", "POINTS_STAY_IN_URALS")

    def test_ready_plans_keep_to_that(self) -> None:
        for blocks in (self.SOVIETS, self.SOVIETS.replace("moscow: 1", "moscow: 2")):
            table = self.floor(blocks, turn=SUMMER_1942)
            assert all(table.when(option, "allied").error is None for option in table.options("allied"))

    LENINGRAD = "[soviet]\nleningrad: sov_inf4_1(1) sov_inf4_2(1)\nmoscow: sov_inf4_3(1)\n[factories]\nleningrad: 1\nmoscow: 2\n"

    def test_leningrad_behind_the_lake_lives_on_its_own(self) -> None:
        table = self.floor(self.LENINGRAD + ring("leningrad"))
        both = ["soviet_union sov_inf4_1", "soviet_union sov_inf4_2"]
        assert plan(table, "allied", both[0]).error is None
        plan(table, "allied", *both).refused("VE 1.9", "CUT_OFF")
        assert plan(self.floor(self.LENINGRAD), "allied", *both).error is None

    def test_and_gives_nothing_out(self) -> None:
        blocks = self.LENINGRAD.replace("leningrad: 1\nmoscow: 2", "leningrad: 2\nmoscow: 1") + ring("leningrad")
        table = self.floor(blocks + "\n[pools]\nsoviet: sov_inf3_1")
        two = ["soviet_union sov_inf4_3", "soviet_union sov_inf3_1 moscow"]
        plan(table, "allied", *two).refused("VE 13 Soviet Union", "POINTS_STAY_IN_URALS")

    def test_lend_lease_does_not_cross_the_lake(self) -> None:
        convoy = "\n[allied]\nconvoy_a: usa_convoy_a(2)"
        blocks = self.LENINGRAD.replace("moscow: 2", "moscow: 2\nusa: 4") + ring("leningrad") + convoy
        table = self.floor(blocks, turn=SUMMER_1942)
        plan(table, "allied", f"{USA} sov_inf4_1").refused("VE 1.9", "CUT_OFF")
        assert plan(table, "allied", f"{USA} sov_inf4_3").error is None


class TestGifts:
    """VE 13 France, VE 13 Italy, VE 7.81, VE 13 Canada"""

    def test_one_british_point_for_france(self) -> None:
        table = factory_floor("[allied]\nmetz: fra_inf_alg(1) fra_inf_mor(1)\n[factories]\nlondon: 3")
        assert steps(built(table, allied=["britain fra_inf_alg"]), "fra_inf_alg") == 2
        both = ["britain fra_inf_alg", "britain fra_inf_mor"]
        plan(table, "allied", *both[:1], "britain fra_inf_3a paris").refused("VE 11.4", "NO_FACTORY")

    def test_more_than_that_is_refused(self) -> None:
        table = factory_floor("[allied]\nmetz: fra_inf_1a(1)\n[factories]\nlondon: 3")
        plan(table, "allied", "britain fra_inf_1a").refused("VE 11.1", "NOT_ENOUGH_AID")

    def test_two_german_points_for_italy_at_war(self) -> None:
        blocks = "[axis]\nmilan: ita_inf_1a(1) ita_inf_2a(1)\nvenice: ita_inf_4a(1)\n[control]\ngermany: switzerland\n[factories]\nberlin: 4"
        table = factory_floor(blocks, at_war=(*WEST, "italy"))
        gifts = ["germany ita_inf_1a", "germany ita_inf_2a", "germany ita_inf_4a"]
        assert plan(table, "axis", *gifts[:2]).error is None
        plan(table, "axis", *gifts).refused("VE 11.1", "NOT_ENOUGH_AID")
        plan(factory_floor(blocks), "axis", gifts[0]).refused("VE 11.1", "NOT_ENOUGH_AID")

    LEASE = "[allied]\nlondon: bri_inf_bef(1)\nwales: bri_inf_8a(1)\nconvoy_b: usa_convoy_b(2)\n[factories]\nusa: 1"

    def test_lend_lease_is_british_points(self) -> None:
        table = factory_floor(self.LEASE, turn=SPRING_1941)
        assert plan(table, "allied", f"{USA} bri_inf_bef").error is None
        plan(table, "allied", f"{USA} bri_inf_bef", f"{USA} bri_inf_8a").refused("VE 11.1", "NOT_ENOUGH_AID")

    def test_the_americans_may_take_it_for_themselves(self) -> None:
        table = factory_floor(f"{self.LEASE}\n[pools]\nallied: usa_inf_1a usa_inf_3a", turn=SPRING_1941)
        mine = f"{USA} usa_inf_1a usa"
        assert plan(table, "allied", mine).error is None
        plan(table, "allied", mine, f"{USA} bri_inf_bef").refused("VE 11.1", "NOT_ENOUGH_PRODUCTION")

    def test_lend_lease_for_the_soviets(self) -> None:
        blocks = (
            "[allied]\nconvoy_a: usa_convoy_a(1)\n[soviet]\nmoscow: sov_inf4_1(1) sov_inf4_2(1)\n[factories]\nusa: 4"
        )
        table = factory_floor(blocks, turn=SUMMER_1942, at_war=EVERYBODY)
        assert plan(table, "allied", f"{USA} sov_inf4_1").error is None
        plan(table, "allied", f"{USA} sov_inf4_1", f"{USA} sov_inf4_2").refused("VE 11.1", "NOT_ENOUGH_AID")

    def test_four_points_to_canada(self) -> None:
        blocks = "[allied]\ncanada: bri_can_1a(1)\n[factories]\nusa: 4\ncanada: 1\n[control]\ngermany: london"
        table = factory_floor(blocks, turn=SUMMER_1942, at_war=EVERYBODY, alternate=["britain"])
        gifts = [f"{USA} bri_can_1a", f"{USA} bri_can_2a canada"]
        assert plan(table, "allied", *gifts).error is None
        plan(table, "allied", *gifts, f"{USA} bri_inf_1a canada").refused("VE 11.1", "NOT_ENOUGH_AID")

    CANADA = (
        "[allied]\ncanada: bri_can_1a(1) pol_inf_1a(1)\nwest_atlantic: usa_ca_1\nconvoy_b: usa_convoy_b({lease})\n"
        "[pools]\nallied: bri_can_2a bri_inf_1a\n[factories]\nusa: 4 4\ncanada: 1\n[control]\ngermany: london\n[minors]\nconquered: poland"
    )

    def in_canada(self, lease: int) -> Table:
        blocks = self.CANADA.format(lease=lease)
        return factory_floor(blocks, turn=SUMMER_1942, at_war=EVERYBODY, alternate=["britain"])

    def test_those_are_for_canadian_and_british_units(self) -> None:
        """Lend-lease, while it comes to London, is for whatever Britain builds."""
        blocks = self.CANADA.format(lease=4).replace("germany: london", "britain: london")
        before = factory_floor(blocks, turn=SUMMER_1942, at_war=EVERYBODY)
        for what in ("factory canada", "pol_inf_1a"):
            assert plan(before, "allied", f"{USA} {what}").error is None
            plan(self.in_canada(4), "allied", f"{USA} {what}").refused("VE 13 Canada", "FOR_ITS_UNITS_ALONE")

    def test_the_convoy_adds_nothing_to_them(self) -> None:
        gifts = [f"{USA} bri_can_1a", f"{USA} bri_can_2a canada", f"{USA} bri_inf_1a canada"]
        assert plan(self.in_canada(4), "allied", *gifts[:2]).error is None
        plan(self.in_canada(4), "allied", *gifts).refused("VE 11.1", "NOT_ENOUGH_AID")


class TestThreePlayers:
    """VE 7.81, VE 12.0: the Allied player says how much goes to the Soviets, then all build unseen."""

    BLOCKS = "[allied]\nconvoy_a: usa_convoy_a(2)\n[soviet]\nmoscow: sov_inf4_1(1) sov_inf4_2(1)\n[factories]\nusa: 2"

    def floor(self, step: str = "lend", **more: Any) -> Table:
        header = {"turn": SUMMER_1942, "at_war": EVERYBODY, **more}
        return factory_floor(self.BLOCKS, step, scenario=THREE, **header)

    def test_the_loan_comes_first(self) -> None:
        table = self.floor("")
        table = table.goes_on().after()
        assert table.decisions() == [("allied", "lend")]
        assert table.options("allied") == [LendLease("allied", amount) for amount in range(3)]
        table = table.when(LendLease("allied", 1), "allied").after()
        assert {seat for seat, _ in table.decisions()} == {"axis", "allied", "soviet"}

    def test_no_more_than_there_is(self) -> None:
        for amount in (3, -1):
            self.floor().when(LendLease("allied", amount), "allied").refused("VE 7.81", "NOT_ENOUGH_TO_LEND")

    def test_the_soviets_spend_it(self) -> None:
        table = self.floor().when(LendLease("allied", 1), "allied").after()
        assert plan(table, "soviet", f"{USA} sov_inf4_1").error is None
        plan(table, "soviet", f"{USA} sov_inf4_1", f"{USA} sov_inf4_2").refused("VE 11.1", "NOT_ENOUGH_AID")

    def test_the_americans_have_that_much_less(self) -> None:
        table = self.floor().when(LendLease("allied", 1), "allied").after()
        plan(table, "allied", f"{USA} usa_inf_1a usa", f"{USA} usa_inf_3a usa").refused(
            "VE 11.1", "NOT_ENOUGH_PRODUCTION"
        )
        assert plan(table, "allied", f"{USA} usa_inf_1a usa").error is None
        plan(table, "allied", f"{USA} sov_inf4_1").refused("VE 11.4", "NOT_YOURS_TO_BUILD")

    def test_no_question_before_both_are_at_war(self) -> None:
        table = self.floor("", at_war=(*WEST, USA)).goes_on().after()
        assert {kind for _, kind in table.decisions()} == {"production"}

    def test_two_players_need_none(self) -> None:
        table = factory_floor(self.BLOCKS, "", turn=SUMMER_1942, at_war=EVERYBODY).goes_on().after()
        assert {kind for _, kind in table.decisions()} == {"production"}


class TestSurcharges:
    """VE 8.8, VE 13 Malta: one point more a step."""

    def cost(self, block: str, place: str, blocks: str = "", **more: Any) -> int:
        return price(factory_floor(blocks, **more).state, block, place)

    @pytest.mark.parametrize(
        ("place", "malta", "points"),
        [
            ("tripoli", "britain", 3),
            ("tripoli", "italy", 2),
            ("cairo", "britain", 3),
            ("spanish_morocco", "britain", 3),
            ("granada", "britain", 2),
            ("sicily", "britain", 2),
        ],
    )
    def test_axis_in_africa_while_malta_is_an_enemys(self, place: str, malta: str, points: int) -> None:
        assert self.cost("ger_inf_1a", place, f"[control]\n{malta}: malta", at_war=(*WEST, "italy")) == points

    def test_italy_only_at_war(self) -> None:
        assert self.cost("ita_inf_1a", "tripoli") == 1
        assert self.cost("ita_inf_1a", "tripoli", at_war=(*WEST, "italy")) == 2

    def test_allies_supplied_by_a_red_port_alone(self) -> None:
        assert self.cost("bri_inf_8a", "cairo") == 2
        barred = "[axis]\neast_mediterranean: ita_ca_1\nlevant_sea: ita_ca_2\n[control]\nitaly: tobruk"
        assert self.cost("bri_inf_8a", "cairo", barred, at_war=(*WEST, "italy")) == 3

    def test_the_surcharge_is_paid(self) -> None:
        table = factory_floor("[axis]\ntripoli: ger_inf_1a(1)\n[factories]\nberlin: 2", at_war=(*WEST, "italy"))
        plan(table, "axis", "germany ger_inf_1a").refused("VE 11.1", "NOT_ENOUGH_PRODUCTION")
