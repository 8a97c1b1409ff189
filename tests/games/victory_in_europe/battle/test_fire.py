"""Firepower and targets, on land and from the air [VE 5.3] [VE 5.4] [VE 3.42] [VE 3.3] [VE 6.3] [VE 11.33]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.fire import double_defense
from stavka.games.victory_in_europe.battle.turns import Fire

from tests.support.table import Table

from .cards import allied_card, axis_card, card
from .scene import FALL_1941, SUMMER_1941, SUMMER_1943, WINTER_1941, clash, fire, scene, steps, targets

KIEV = "[control]\ngermany: kiev dnepropetrovsk smolensk"


def kharkov(axis: str, soviet: str, sections: str = "", **more: object) -> Table:
    """A German attack from Kiev on Kharkov, clear ground."""
    return scene(
        f"[axis]\nkharkov: {axis}\n[soviet]\nkharkov: {soviet}\n{KIEV}\n{sections}",
        {"kharkov": clash("axis", "soviet", land=True)},
        **{"turn": SUMMER_1941, **more},  # type: ignore[arg-type]
    )


class TestFirepower:
    """VE 5.3: as many dice as steps; a die at or under the firepower hits."""

    def test_only_as_many_dice_count_as_the_block_has_steps(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_inf3_1(2)")
        table = fire(table, "sov_inf3_1", "army", 2, 2, 1, 1)  # two steps: the last two dice do not count
        assert steps(table, "ger_inf_16a") == 4
        table = fire(table, "ger_inf_16a", "army", 2)
        assert steps(table, "sov_inf3_1") == 1

    def test_a_leader_at_his_zero_step_rolls_nothing(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_ldr_guderian(0,from=kiev)", "sov_inf3_1")
        table = fire(table, "sov_inf3_1", "army")
        table.when(Fire("axis", "ger_ldr_guderian", "army"), "axis").refused("VE 5.3", "NO_STEPS")
        table.when(Fire("axis", "ger_inf_16a", "army"), "axis", [(6, 6, 6, 6)]).after()

    def test_without_firepower_nobody_fires(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_inf3_1")
        table = fire(table, "ger_fa_me109_1", "army")
        assert targets(table, "sov_inf3_1") == {"army": "D1"}
        table.when(Fire("allied", "sov_inf3_1", "air"), "allied").refused("VE 5.3", "NO_FIREPOWER")


class TestTargets:
    """VE 5.4 and VE Target Type: primary targets at full firepower, secondary ones at one less, nothing else."""

    def test_a_fighter(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_inf3_1 sov_fa_i16")
        assert targets(table, "ger_fa_me109_1") == {"air": "A2", "army": "A1"}

    def test_a_fighter_that_hits_on_one_alone_has_no_secondary_target(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_inf3_1 sov_fa_i16")
        table = fire(table, "ger_fa_me109_1", "army")
        assert targets(table, "sov_fa_i16") == {"air": "B1"}

    def test_a_target_type_that_is_not_in_its_row(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_inf3_1")
        table.when(Fire("axis", "ger_fa_me109_1", "factory"), "axis").refused("VE 5.4", "NOT_A_TARGET")

    def test_nobody_of_that_type_is_there(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_inf3_1")
        table.when(Fire("axis", "ger_fa_me109_1", "air"), "axis").refused("VE 5.4", "NO_TARGET")

    def test_infantry_fires_at_aircraft_one_lower(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_guard_1")
        table = fire(table, "ger_fa_me109_1", "army")
        assert targets(table, "sov_guard_1") == {"air": "D1", "army": "D2"}


class TestForest:
    """VE 5.31 and VE 1.12: infantry that defends a forest has one more."""

    def test_defending_infantry_and_nobody_else(self) -> None:
        table = scene(
            f"[axis]\nmoscow: ger_inf_16a(from=smolensk) ger_pz_4a(from=smolensk)\n[soviet]\n"
            f"moscow: sov_guard_1 sov_tank_1\n{KIEV}",
            {"moscow": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        assert targets(table, "sov_guard_1") == {"army": "D3"}
        assert targets(table, "sov_tank_1") == {"army": "C2"}
        assert targets(table, "ger_inf_16a") == {"army": "D2"}


class TestWinter:
    """VE 3.42 and VE 5.32: everybody fires at 1 at primary and not at all at secondary targets; terrain and cards come on top."""

    def test_by_the_place_of_the_battle(self) -> None:
        table = kharkov(
            "ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_guard_1 sov_fa_yak1_1", turn=WINTER_1941
        )
        assert targets(table, "ger_fa_me109_1") == {"air": "A1"}
        assert targets(table, "sov_guard_1") == {"army": "D1"}

    def test_the_last_turn_of_a_year_is_winter_in_russia(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1", turn=FALL_1941)
        assert targets(table, "sov_guard_1") == {"army": "D1"}

    def test_infantry_in_a_forest_fires_at_two_and_one(self) -> None:
        table = scene(
            f"[axis]\nmoscow: ger_inf_16a(from=smolensk) ger_fa_me109_1(from=smolensk)\n[soviet]\n"
            f"moscow: sov_guard_1\n{KIEV}",
            {"moscow": clash("axis", "soviet", land=True)},
            turn=FALL_1941,
        )
        assert targets(table, "sov_guard_1") == {"air": "D1", "army": "D2"}


class TestCardEvents:
    """VE 3.3: an event works in the battle that was named, on its nations and on minors beside them."""

    def test_a_bonus_for_attacking_infantry(self) -> None:
        table = kharkov(
            "ger_inf_16a(from=kiev) hun_inf_1a(from=kiev) ger_pz_4a(from=kiev)",
            "sov_guard_1",
            "[minors]\naxis: hungary",
            header=card("axis", axis_card("firepower_bonus", role="attacker", types={"infantry"}), "kharkov"),
        )
        assert targets(table, "ger_inf_16a") == {"army": "D3"}
        assert targets(table, "hun_inf_1a") == {"army": "D2"}
        assert targets(table, "ger_pz_4a") == {"army": "C2"}

    def test_a_minor_alone_has_no_part_in_it(self) -> None:
        table = kharkov(
            "hun_inf_1a(from=kiev)",
            "sov_guard_1",
            "[minors]\naxis: hungary",
            header=card("axis", axis_card("firepower_bonus", role="attacker", types={"infantry"}), "kharkov"),
        )
        assert targets(table, "hun_inf_1a") == {"army": "D1"}

    def test_not_in_another_battle(self) -> None:
        table = kharkov(
            "ger_inf_16a(from=kiev)",
            "sov_guard_1",
            header=card("axis", axis_card("firepower_bonus", role="attacker", types={"infantry"}), "moscow"),
        )
        assert targets(table, "ger_inf_16a") == {"army": "D2"}

    def test_not_for_the_other_role(self) -> None:
        table = kharkov(
            "ger_inf_16a(from=kiev)",
            "sov_guard_1",
            header=card("axis", axis_card("firepower_bonus", role="defender", types={"infantry"}), "kharkov"),
        )
        assert targets(table, "ger_inf_16a") == {"army": "D2"}

    def test_units_that_are_used_to_winter(self) -> None:
        table = kharkov(
            "ger_inf_16a(from=kiev)",
            "sov_guard_1",
            turn=WINTER_1941,
            header=card("allied", allied_card("winter_fire"), "kharkov"),
        )
        assert targets(table, "sov_guard_1") == {"army": "D2"}
        assert targets(table, "ger_inf_16a") == {"army": "D1"}

    def test_double_defense_by_card(self) -> None:
        table = scene(
            "[axis]\nkharkov: ger_inf_16a ger_pz_4a\n[soviet]\nkharkov: sov_tank_1(from=kursk)\n"
            "[control]\ngermany: kharkov",
            {"kharkov": clash("soviet", "axis", land=True)},
            turn=SUMMER_1943,
            header=card("axis", axis_card("double_defense", types={"infantry"}), "kharkov"),
        )
        assert [why.rule for why in double_defense(table.state, "ger_inf_16a")] == ["VE 3.3"]
        assert double_defense(table.state, "ger_pz_4a") == ()


class TestBombing:
    """VE 6.2 and VE 6.3: bombs do not take an army's last step, but sink ships and destroy factories."""

    def test_the_last_step_is_safe(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_guard_1(1)")
        table.when(Fire("axis", "ger_fa_me109_1", "army"), "axis").refused("VE 6.3", "LAST_STEPS")

    def test_surplus_hits_stop_at_the_last_step(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_db_ju87(from=kiev)", "sov_guard_1(2)")
        table = fire(table, "ger_db_ju87", "army", 1, 1, 1)
        assert steps(table, "sov_guard_1") == 1

    def test_a_leader_goes_down_to_his_zero_step(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_db_ju87(from=kiev)", "sov_guard_1(1) sov_ldr_zhukov(1)")
        table = fire(table, "ger_db_ju87", "army", 1, 1)
        assert (steps(table, "sov_guard_1"), steps(table, "sov_ldr_zhukov")) == (1, 0)

    def test_ships_can_be_sunk(self) -> None:
        table = scene(
            "[axis]\nenglish_channel: ger_db_ju87(from=le_havre)\n[allied]\nenglish_channel: bri_ca_1(1)\n"
            "[control]\ngermany: le_havre",
            {"english_channel": clash("axis", "allied")},
        )
        table = fire(table, "ger_db_ju87", "naval", 1)
        assert steps(table, "bri_ca_1") is None

    def test_a_medium_bomber_chooses_between_factory_and_army(self) -> None:
        table = raid("ger_mb_he111_1(from=le_havre)", "london: bri_inf_bef", [(6, 6, 6, 6)])
        assert targets(table, "ger_mb_he111_1") == {"army": "B2", "factory": "B2"}


def raid(bomber: str, allied: str, rolls: list[tuple[int, ...]], london: str = "4") -> Table:
    """A raid on London."""
    return scene(
        f"[axis]\nlondon: {bomber}\n[allied]\n{allied}\n[control]\ngermany: le_havre calais\n[factories]\nlondon: {london}",
        {"london": clash("axis", "allied")},
        rolls=rolls,
    )


class TestFactories:
    """VE 11.33: factories are bombed by heavy and medium bombers and defend themselves with flak A1."""

    def test_flak_fires_first_and_hits_on_one(self) -> None:
        table = raid("ger_mb_he111_1(from=le_havre)", "wales: bri_inf_bef", [(1, 2, 6, 6)])
        assert steps(table, "ger_mb_he111_1") == 2

    def test_a_marker_fires_with_its_own_steps(self) -> None:
        table = raid("ger_mb_he111_1(from=le_havre)", "wales: bri_inf_bef", [(6, 6, 1, 1)], london="2")
        assert steps(table, "ger_mb_he111_1") == 3

    def test_bombs_take_its_steps_and_can_destroy_it(self) -> None:
        table = raid("ger_mb_he111_1(from=le_havre)", "wales: bri_inf_bef", [(6, 6, 6, 6)], london="2")
        table = fire(table, "ger_mb_he111_1", "factory", 1, after=[(6, 6, 6, 6)])
        assert table.state.factories["london"] == (1,)
        table = fire(table, "ger_mb_he111_1", "factory", 1, 1)
        assert "london" not in table.state.factories

    def test_an_army_alone_with_it_destroys_it_without_more_bombing(self) -> None:
        table = scene(
            f"[axis]\nkharkov: ger_inf_16a(from=kiev) ger_mb_he111_1(from=kiev)\n[factories]\nkharkov: 2\n{KIEV}",
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        assert "kharkov" not in table.state.factories
        assert table.state.control["kharkov"] == "germany"

    def test_no_flak_against_fighters(self) -> None:
        table = raid("ger_fa_me109_1(from=calais)", "london: bri_inf_bef", [])
        assert targets(table, "ger_fa_me109_1") == {"army": "A1"}

    def test_land_battles_leave_it_alone(self) -> None:
        table = scene(
            "[axis]\nkharkov: ger_inf_16a(from=kiev)\n[soviet]\nkharkov: sov_guard_1\n[factories]\nkharkov: 2\n" + KIEV,
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table.when(Fire("allied", "sov_guard_1", "factory"), "allied").refused("VE 5.4", "NOT_A_TARGET")
        assert targets(table, "ger_inf_16a") == {"army": "D2"}

    def test_a_bomber_without_a_factory_below(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_mb_he111_1(from=kiev)", "sov_guard_1", "[factories]\nlondon: 4")
        table.when(Fire("axis", "ger_mb_he111_1", "factory"), "axis").refused("VE 11.33", "NO_TARGET")
