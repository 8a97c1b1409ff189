"""Who takes the hits [VE 5.4] [VE 5.5] [VE 2.2] [VE 2.6]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.turns import Fire, TakeHit

from tests.support.table import Table

from .scene import SUMMER_1941, clash, fire, hold, retreat, scene, steps, take_hit

KIEV = "[control]\ngermany: kiev dnepropetrovsk"


def kharkov(axis: str, soviet: str) -> Table:
    return scene(
        f"[axis]\nkharkov: {axis}\n[soviet]\nkharkov: {soviet}\n{KIEV}",
        {"kharkov": clash("axis", "soviet", land=True)},
        turn=SUMMER_1941,
    )


def athens(axis: str, allied: str) -> Table:
    """Mountains."""
    return scene(
        f"[axis]\nathens: {axis}\n[allied]\nathens: {allied}\n[control]\ngermany: sofia\nbritain: athens skopje\n"
        "[minors]\nallied: greece",
        {"athens": clash("axis", "allied", land=True)},
        turn=SUMMER_1941,
    )


class TestStrongest:
    """VE 5.4: each hit falls on the strongest block of the target type at that instant."""

    def test_one_hit_after_the_other(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_inf4_1(4) sov_inf3_1(2)")
        table = hold(table, "sov_inf4_1", "sov_inf3_1")
        table = fire(table, "ger_inf_16a", "army", 1, 1)
        assert (steps(table, "sov_inf4_1"), steps(table, "sov_inf3_1")) == (2, 2)

    def test_the_owner_chooses_between_equals(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_inf4_1(3) sov_inf3_1(3)")
        table = hold(table, "sov_inf4_1", "sov_inf3_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert table.decisions() == [("allied", "hit")]
        assert table.options("allied") == [TakeHit("allied", "sov_inf3_1"), TakeHit("allied", "sov_inf4_1")]
        table = take_hit(table, "sov_inf4_1")
        assert (steps(table, "sov_inf4_1"), steps(table, "sov_inf3_1")) == (2, 3)

    def test_a_weaker_block_cannot_take_it(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_inf4_1(3) sov_inf3_1(3) sov_cav_1(1)")
        table = hold(table, "sov_inf4_1", "sov_inf3_1", "sov_cav_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        table.when(TakeHit("allied", "sov_cav_1"), "allied").refused("VE 5.4", "NOT_THE_STRONGEST")

    def test_as_many_hits_as_equals_need_no_choice(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_inf4_1(3) sov_inf3_1(3)")
        table = hold(table, "sov_inf4_1", "sov_inf3_1")
        table = fire(table, "ger_inf_16a", "army", 1, 1)
        assert (steps(table, "sov_inf4_1"), steps(table, "sov_inf3_1")) == (2, 2)

    def test_a_choice_that_comes_later(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_inf4_1(4) sov_inf3_1(3)")
        table = hold(table, "sov_inf4_1", "sov_inf3_1")
        table = fire(table, "ger_inf_16a", "army", 1, 1)
        assert steps(table, "sov_inf4_1") == 3
        table = take_hit(table, "sov_inf4_1")
        assert (steps(table, "sov_inf4_1"), steps(table, "sov_inf3_1")) == (2, 3)

    def test_surplus_hits_are_forfeit(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_inf4_1(4) sov_fa_i16(1)")
        table = fire(table, "ger_fa_me109_1", "air", 1, 1, 1)
        assert (steps(table, "sov_fa_i16"), steps(table, "sov_inf4_1")) == (None, 4)

    def test_a_leader_dies_of_the_hit_on_his_zero_step(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_ldr_zhukov(1) sov_fa_i16(1)")
        table = hold(table, "sov_fa_i16", "sov_ldr_zhukov")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert steps(table, "sov_ldr_zhukov") == 0
        table = hold(table, "sov_fa_i16", "sov_ldr_zhukov")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert steps(table, "sov_ldr_zhukov") is None

    def test_an_airborne_block_is_an_air_target_until_it_drops(self) -> None:
        table = kharkov("ger_inf_16a(4,from=kiev) ger_airborne(3,from=kiev,aloft)", "sov_fa_yak1_1(3) sov_guard_1(1)")
        table = fire(table, "sov_fa_yak1_1", "air", 1)
        assert steps(table, "ger_airborne") == 2
        table = hold(table, "sov_guard_1", "ger_inf_16a")
        assert table.state.blocks["ger_airborne"].aloft
        table = hold(table, "ger_airborne")
        assert not table.state.blocks["ger_airborne"].aloft


class TestDoubleDefense:
    """VE 5.5: two hits a step; the half-hit stays on its block between rounds, heals with victory, costs a step in retreat."""

    def test_the_second_hit_must_complete_the_first(self) -> None:
        table = athens("ger_inf_16a(from=sofia)", "bri_inf_8a(4) bri_inf_bef(2)")
        table = hold(table, "bri_inf_8a", "bri_inf_bef")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert table.state.blocks["bri_inf_8a"].half
        table = hold(table, "bri_inf_8a", "bri_inf_bef")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert (steps(table, "bri_inf_8a"), steps(table, "bri_inf_bef")) == (3, 2)

    def test_a_half_hit_binds_the_next_one_among_equals(self) -> None:
        table = athens("ger_inf_16a(from=sofia)", "bri_inf_8a(2) bri_inf_bef(2)")
        table = hold(table, "bri_inf_8a", "bri_inf_bef")
        table = fire(table, "ger_inf_16a", "army", 1, 1, 1)
        table = take_hit(table, "bri_inf_bef")
        assert (steps(table, "bri_inf_8a"), steps(table, "bri_inf_bef")) == (2, 1)
        assert table.state.blocks["bri_inf_8a"].half

    def test_it_heals_when_the_battle_is_won(self) -> None:
        table = athens("ger_inf_16a(1,from=sofia)", "bri_inf_8a(4,half)")
        table = fire(table, "bri_inf_8a", "army", 1)
        assert steps(table, "bri_inf_8a") == 4
        assert not table.state.blocks["bri_inf_8a"].half

    def test_it_is_a_step_in_retreat(self) -> None:
        table = athens("ger_inf_16a(from=sofia)", "bri_inf_8a(4,half)")
        table = hold(table, "bri_inf_8a")
        table = hold(table, "ger_inf_16a")
        assert table.state.battle.round == 2
        table = retreat(table, "bri_inf_8a", "skopje")
        assert (steps(table, "bri_inf_8a"), table.state.blocks["bri_inf_8a"].half) == (3, False)

    def test_attackers_have_none(self) -> None:
        table = athens("ger_inf_16a(from=sofia)", "bri_inf_8a(4)")
        table = fire(table, "bri_inf_8a", "army", 1)
        assert steps(table, "ger_inf_16a") == 3

    def test_a_fortress_has_it_everywhere(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_fort_stalingrad(2)")
        table = fire(table, "sov_fort_stalingrad", "army")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert (steps(table, "sov_fort_stalingrad"), table.state.blocks["sov_fort_stalingrad"].half) == (2, True)


class TestSubmarinesInBase:
    """VE 7.22: a submarine that defends a naval base does not fire and takes two hits a step."""

    def test_in_a_base(self) -> None:
        table = scene(
            "[axis]\nbrest: ger_inf_16a(4) ger_ub_1(2)\n[allied]\n"
            "brest: bri_inf_bef(from=le_havre) bri_nb_sunderland(from=english_channel)\n"
            "[control]\ngermany: brest\nbritain: le_havre",
            {"brest": clash("allied", "axis", land=True)},
            order=("allied", "axis"),
        )
        table.when(Fire("axis", "ger_ub_1", "naval"), "axis").refused("VE 7.22", "SUBMARINE_IN_BASE")
        table = hold(table, "ger_ub_1")
        table = fire(table, "bri_nb_sunderland", "submarine", 1)
        assert (steps(table, "ger_ub_1"), table.state.blocks["ger_ub_1"].half) == (2, True)

    def test_in_another_port(self) -> None:
        table = scene(
            "[axis]\nbergen: ger_inf_16a(4) ger_ub_1(2)\n[allied]\n"
            "bergen: bri_inf_bef(from=trondheim) bri_nb_sunderland(from=north_sea)\n"
            "[control]\ngermany: bergen\nbritain: trondheim\n[minors]\nconquered: norway",
            {"bergen": clash("allied", "axis", land=True)},
            order=("allied", "axis"),
        )
        table = hold(table, "ger_ub_1")
        table = fire(table, "bri_nb_sunderland", "submarine", 1)
        assert (steps(table, "ger_ub_1"), table.state.blocks["ger_ub_1"].half) == (1, False)
