"""New blocks, steps, ships, free forces, minors [VE 11.4] [VE 11.41] [VE 11.42] [VE 11.5] [VE 2.1] [VE 2.2] [VE 7.8] [VE 8.2]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe.events import BlockPlaced, StepsSet
from stavka.games.victory_in_europe.production.chapter import Produce

from ..field import SPRING_1941, SUMMER_1942, scene
from .build import EVERYBODY, WEST, built, factory_floor, plan, ring, steps

USA = "united_states"


class TestSteps:
    """VE 11.4: one step a unit, of supplied units anywhere."""

    def test_a_step_costs_what_the_block_says(self) -> None:
        table = factory_floor("[axis]\nkonigsberg: ger_inf_1a(2)\n[factories]\nberlin: 2")
        after = built(table, axis=["germany ger_inf_1a"])
        assert steps(after, "ger_inf_1a") == 3
        dear = factory_floor("[axis]\nkonigsberg: ger_pz_1a(2)\n[factories]\nberlin: 2")
        plan(dear, "axis", "germany ger_pz_1a").refused("VE 11.1", "NOT_ENOUGH_PRODUCTION")

    def test_one_step_a_unit(self) -> None:
        table = factory_floor("[axis]\nkonigsberg: ger_inf_1a(1)")
        plan(table, "axis", "germany ger_inf_1a", "germany ger_inf_1a").refused("VE 11.4", "ONE_STEP_A_UNIT")

    def test_not_above_full_strength(self) -> None:
        table = factory_floor("[axis]\nkonigsberg: ger_inf_1a(4)")
        plan(table, "axis", "germany ger_inf_1a").refused("VE 11.4", "FULL_STRENGTH")

    def test_unsupplied_units_get_none(self) -> None:
        table = factory_floor(f"[allied]\nlyon: fra_inf_1a(1)\n{ring('lyon')}")
        plan(table, "allied", "france fra_inf_1a").refused("VE 11.4", "NOT_SUPPLIED")

    def test_nor_do_fortresses(self) -> None:
        """VE 8.2"""
        table = factory_floor(f"[allied]\nmetz: fra_fort_maginot(1)\n{ring('metz')}")
        plan(table, "allied", "france fra_fort_maginot").refused("VE 8.2", "NOT_SUPPLIED")
        free = factory_floor("[allied]\nmetz: fra_fort_maginot(1)")
        assert plan(free, "allied", "france fra_fort_maginot").error is None

    def test_a_leader_goes_from_his_last_step_to_two(self) -> None:
        """VE 5.7"""
        table = factory_floor("[axis]\nberlin: ger_ldr_guderian(1)")
        assert steps(built(table, axis=["germany ger_ldr_guderian"]), "ger_ldr_guderian") == 2

    def test_a_block_on_the_map_is_not_built_elsewhere(self) -> None:
        table = factory_floor("[axis]\nkonigsberg: ger_inf_1a(1)")
        plan(table, "axis", "germany ger_inf_1a berlin").refused("VE 11.4", "ON_THE_MAP_ALREADY")

    def test_a_power_pays_for_its_own(self) -> None:
        table = factory_floor("[axis]\nkonigsberg: ger_inf_1a(1)")
        plan(table, "axis", "italy ger_inf_1a").refused("VE 11.4", "NOT_ITS_PAYER")
        plan(table, "axis", "britain ger_inf_1a").refused("VE 11.4", "NOT_ITS_PAYER")


class TestNewBlocks:
    """VE 11.4, VE 2.1: one step, in a supplied homeland factory."""

    def test_at_one_step(self) -> None:
        table = plan(factory_floor(""), "axis", "germany ger_inf_1a berlin").after()
        table = plan(table, "allied").after()
        table.goes_on().includes(BlockPlaced("ger_inf_1a", "germany", "berlin", "axis", "axis", 1, -1))

    def test_a_leader_at_his_last_step_for_two_points(self) -> None:
        """VE 2.6"""
        table = factory_floor("[factories]\nberlin: 2")
        assert steps(built(table, axis=["germany ger_ldr_guderian berlin"]), "ger_ldr_guderian") == 0
        poor = factory_floor("[factories]\nberlin: 1")
        plan(poor, "axis", "germany ger_ldr_guderian berlin").refused("VE 11.1", "NOT_ENOUGH_PRODUCTION")

    def test_only_where_a_factory_is(self) -> None:
        plan(factory_floor(""), "axis", "germany ger_inf_1a munich").refused("VE 11.4", "NO_FACTORY")

    def test_only_at_home(self) -> None:
        table = factory_floor("[control]\ngermany: paris\n[factories]\nparis: 2\nberlin: 4")
        plan(table, "axis", "germany ger_inf_1a paris").refused("VE 11.4", "NOT_HOMELAND")
        lost = factory_floor("[control]\nbritain: ruhr\n[factories]\nruhr: 2\nberlin: 4")
        plan(lost, "axis", "germany ger_inf_1a ruhr").refused("VE 11.4", "NOT_HOMELAND")

    def test_only_in_supply(self) -> None:
        table = factory_floor(f"[factories]\nberlin: 2\nprague: 2\n{ring('prague', side='allied', holder='britain')}")
        plan(table, "axis", "germany ger_inf_1a prague").refused("VE 11.4", "AREA_NOT_SUPPLIED")

    def test_within_stacking_new_ones_included(self) -> None:
        """VE 4.5"""
        table = factory_floor("[axis]\nberlin: ger_inf_1a ger_inf_3a\n[factories]\nberlin: 4")
        one, two = "germany ger_inf_4a berlin", "germany ger_inf_7a berlin"
        assert plan(table, "axis", one).error is None
        plan(table, "axis", one, two).refused("VE 4.5", "OVERSTACKED")

    def test_from_their_year_on(self) -> None:
        early = factory_floor("")
        plan(early, "axis", "germany ger_pz_5a berlin").refused("VE 2.1", "NOT_YET_AVAILABLE")
        late = factory_floor("", turn=15)
        assert plan(late, "axis", "germany ger_pz_5a berlin").error is None

    def test_from_the_own_pool(self) -> None:
        table = factory_floor("[allied]\nlondon: bri_inf_bef(1)\n[dead]\naxis: ger_airborne")
        for block in ("ger_airborne", "bri_inf_8a", "bri_inf_bef", "rom_inf_3a"):
            plan(table, "axis", f"germany {block} berlin").refused("VE 11.4", "NOT_YOURS_TO_BUILD")
        plan(table, "axis", "germany bri_inf_bef").refused("VE 11.4", "NOT_YOURS_TO_BUILD")

    def test_the_place_must_be_named(self) -> None:
        plan(factory_floor(""), "axis", "germany ger_inf_1a").refused("VE 11.4", "NO_AREA_NAMED")

    def test_a_fortress_in_the_city_that_it_is_named_for(self) -> None:
        """VE 2.6"""
        table = factory_floor("", turn=SUMMER_1942, at_war=EVERYBODY)
        plan(table, "allied", "soviet_union sov_fort_stalingrad moscow").refused("VE 2.6", "FORTRESS_STANDS_ELSEWHERE")
        assert plan(table, "allied", "soviet_union sov_fort_stalingrad stalingrad").error is None

    def test_neutral_italy_builds_at_home(self) -> None:
        """VE 13 Italy"""
        assert plan(factory_floor(""), "axis", "italy ita_inf_1a milan").error is None


class TestNavies:
    """VE 11.41, VE 1.44"""

    def test_new_ships_in_a_homeland_base_with_a_factory(self) -> None:
        table = factory_floor("[factories]\nhamburg: 2\nberlin: 4")
        plan(table, "axis", "germany ger_ca_1 berlin").refused("VE 11.41", "NO_NAVAL_BASE")
        after = built(table, axis=["germany ger_ca_1 hamburg"])
        assert after.state.blocks["ger_ca_1"].coast == 0

    def test_steps_in_any_friendly_supplied_base(self) -> None:
        in_base = "[allied]\nbrest: bri_ca_1(1)"
        assert plan(factory_floor(in_base), "allied", "britain bri_ca_1").error is None

    @pytest.mark.parametrize("place", ["north_sea", "london"])
    def test_not_at_sea_or_in_another_port(self, place: str) -> None:
        table = factory_floor(f"[allied]\n{place}: bri_ca_1(1)")
        plan(table, "allied", "britain bri_ca_1").refused("VE 11.41", "NOT_IN_NAVAL_BASE")

    def test_not_in_a_base_out_of_supply(self) -> None:
        table = factory_floor(f"[allied]\nmarseilles: bri_ca_1(1)\n{ring('marseilles')}")
        plan(table, "allied", "britain bri_ca_1").refused("VE 11.41", "NOT_IN_NAVAL_BASE")


class TestConvoys:
    """VE 7.8, VE 7.81: in their own zone, free of the enemy, one step a turn for one point."""

    def test_built_in_the_zone(self) -> None:
        table = built(factory_floor(""), allied=["britain bri_convoy_c convoy_c"])
        assert table.state.blocks["bri_convoy_c"].at == "convoy_c"
        plan(factory_floor(""), "allied", "britain bri_convoy_c canada").refused("VE 7.8", "NOT_ITS_ZONE")

    def test_a_step_in_the_zone(self) -> None:
        table = factory_floor("[allied]\nconvoy_c: bri_convoy_c(1)\n[factories]\nlondon: 1")
        assert steps(built(table, allied=["britain bri_convoy_c"]), "bri_convoy_c") == 2

    def test_not_while_the_enemy_is_there(self) -> None:
        table = factory_floor("[axis]\nconvoy_c: ger_ub_1")
        plan(table, "allied", "britain bri_convoy_c convoy_c").refused("VE 7.8", "ENEMY_IN_ZONE")

    def test_lend_lease_to_britain_from_1941_even_by_a_neutral(self) -> None:
        more = "[factories]\nusa: 4"
        early = factory_floor(more)
        plan(early, "allied", f"{USA} usa_convoy_b convoy_b").refused("VE 2.1", "NOT_YET_AVAILABLE")
        later = factory_floor(more, turn=SPRING_1941)
        assert plan(later, "allied", f"{USA} usa_convoy_b convoy_b").error is None
        watched = factory_floor(f"[axis]\nconvoy_b: ger_ub_1\n{more}", turn=SPRING_1941)
        plan(watched, "allied", f"{USA} usa_convoy_b convoy_b").refused("VE 7.8", "ENEMY_IN_ZONE")

    def test_lend_lease_to_the_soviets_once_both_are_at_war(self) -> None:
        more = "[factories]\nusa: 4"
        for war in ((*WEST, USA), (*WEST, "soviet_union")):
            table = factory_floor(more, turn=SUMMER_1942, at_war=war)
            plan(table, "allied", f"{USA} usa_convoy_a convoy_a").refused("VE 7.81", "NOT_BOTH_AT_WAR")
        table = factory_floor(more, turn=SUMMER_1942, at_war=EVERYBODY)
        assert plan(table, "allied", f"{USA} usa_convoy_a convoy_a").error is None


class TestFreeForces:
    """VE 11.42: built and rebuilt by Britain."""

    HOME = "[allied]\nwales: pol_inf_1a(1)\n[pools]\nallied: fra_ca_1 fra_inf_3a\n[minors]\nconquered: poland"

    def test_britain_pays(self) -> None:
        table = factory_floor(self.HOME, fallen=["france"], at_war=("germany", "britain"))
        after = built(table, allied=["britain pol_inf_1a", "britain fra_inf_3a london"])
        assert (steps(after, "pol_inf_1a"), after.state.blocks["fra_inf_3a"].at) == (2, "london")
        plan(table, "allied", "france fra_inf_3a london").refused("VE 11.4", "NOT_ITS_PAYER")


class TestMinors:
    """VE 11.5"""

    BULGARIA = "[axis]\nsofia: bul_inf_1a(1)\n[minors]\naxis: bulgaria"

    def test_a_power_of_its_side_pays(self) -> None:
        table = factory_floor(self.BULGARIA + " yugoslavia")
        assert steps(built(table, axis=["germany bul_inf_1a"]), "bul_inf_1a") == 2

    def test_a_line_to_the_powers_capital_is_needed(self) -> None:
        table = factory_floor(self.BULGARIA)
        plan(table, "axis", "germany bul_inf_1a").refused("VE 11.5", "NOT_ITS_PAYER")

    def test_neutral_italy_pays_for_nobody(self) -> None:
        table = factory_floor(self.BULGARIA + " yugoslavia")
        plan(table, "axis", "italy bul_inf_1a").refused("VE 11.4", "NOT_ITS_PAYER")

    def test_a_neutrals_garrison_gets_nothing(self) -> None:
        table = factory_floor("[allied]\noslo: nor_inf_1a(1)", attacked={"norway": "axis"})
        plan(table, "allied", "britain nor_inf_1a").refused("VE 11.5", "NOT_AN_ALLY")

    def test_the_eliminated_stay_away(self) -> None:
        """VE 2.2"""
        table = factory_floor("[dead]\naxis: rom_inf_3a\n[minors]\naxis: romania hungary")
        plan(table, "axis", "germany rom_inf_3a berlin").refused("VE 11.4", "NOT_YOURS_TO_BUILD")


class TestShape:
    """VE 11.1: what no player could mean."""

    @pytest.mark.parametrize(
        "order",
        [
            "atlantis ger_inf_1a",
            "germany dragon",
            "germany ger_inf_1a atlantis",
            "germany factory",
            "germany factory north_sea",
        ],
    )
    def test_unknown_words(self, order: str) -> None:
        plan(factory_floor(""), "axis", order).malformed("BAD_ORDER")

    def test_another_number_of_words(self) -> None:
        for order in (("germany", "ger_inf_1a"), "abc"):
            factory_floor("").when(Produce("axis", (order,)), "axis").malformed("BAD_ORDER")  # type: ignore[arg-type]

    def test_too_much_of_it(self) -> None:
        plan(factory_floor(""), "axis", *["germany ger_inf_1a berlin"] * 301).malformed("TOO_MANY_ORDERS")

    def test_in_another_phase(self) -> None:
        scene("[axis]\nberlin: ger_inf_1a").when(Produce("axis", ()), "axis").refused("VE Game Turn", "WRONG_PHASE")

    def test_a_refused_order_stops_the_whole_plan(self) -> None:
        table = factory_floor("[axis]\nkonigsberg: ger_inf_1a(1) ger_inf_3a(4)")
        outcome = plan(table, "axis", "germany ger_inf_1a", "germany ger_inf_3a")
        outcome.refused("VE 11.4", "FULL_STRENGTH")

    def test_nothing_to_build_is_a_plan(self) -> None:
        assert not [e for e in plan(factory_floor(""), "axis").events if isinstance(e, StepsSet)]
