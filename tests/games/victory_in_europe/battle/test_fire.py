"""Firepower and targets [VE 5.3] [VE 5.4] [VE 3.42] [VE 3.3] [VE 6.3] [VE 7.2] [VE 7.6] [VE 11.33]."""

from __future__ import annotations

import json

from stavka.games.victory_in_europe.battle.fire import double_defense, firepower
from stavka.games.victory_in_europe.battle.turns import Fire

from tests.support.table import Table

from .scene import (
    FALL_1941,
    SUMMER_1941,
    SUMMER_1943,
    WINTER_1941,
    clash,
    fire,
    hold,
    scene,
    steps,
    targets,
)

KIEV = "[control]\ngermany: kiev dnepropetrovsk smolensk"


def kharkov(axis: str, soviet: str, sections: str = "", **more: object) -> Table:
    """A German attack from Kiev on Kharkov, clear ground."""
    return scene(
        f"[axis]\nkharkov: {axis}\n[soviet]\nkharkov: {soviet}\n{KIEV}\n{sections}",
        {"kharkov": clash("axis", "soviet", land=True)},
        **{"turn": SUMMER_1941, **more},  # type: ignore[arg-type]
    )


def card(seat: str, name: str, area: str) -> str:
    """Header lines for a card that is face up, its event allotted to a battle."""
    played = json.dumps({seat: name}, separators=(",", ":"))
    allotted = json.dumps({area: [seat]}, separators=(",", ":"))
    return f"played {played}\nallotted {allotted}"


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


def axis_card(kind: str, **wanted: object) -> str:
    return _card("axis", kind, wanted)


def allied_card(kind: str, **wanted: object) -> str:
    return _card("allied", kind, wanted)


def _card(player: str, kind: str, wanted: dict[str, object]) -> str:
    """A card of a deck by its event: German, British or Soviet."""
    from stavka.games.victory_in_europe.load import deck

    for found in deck(player):
        event = found.event
        fits = event.kind == kind and all(_fits(getattr(event, name), value) for name, value in wanted.items())
        if fits and {"germany", "soviet_union"} & set(event.nations):
            return found.id
    raise AssertionError(f"no {player} card does {kind} {wanted}")


def _fits(found: object, wanted: object) -> bool:
    return wanted <= found if isinstance(found, frozenset) and isinstance(wanted, set) else found == wanted


class TestNavalFire:
    """VE 7.2 and VE 7.21: ships, submarines, convoys."""

    def channel(self, axis: str, allied: str) -> Table:
        return scene(f"[axis]\nconvoy_c: {axis}\n[allied]\nconvoy_c: {allied}", {"convoy_c": clash("axis", "allied")})

    def test_surface_ships_hunt_submarines_at_one(self) -> None:
        table = self.channel("ger_ub_1(from=north_atlantic)", "bri_bb_nelson bri_ca_1 bri_cv_ark_royal")
        assert targets(table, "bri_bb_nelson") == {"submarine": "C1"}
        assert targets(table, "bri_ca_1") == {"submarine": "C1"}
        assert targets(table, "bri_cv_ark_royal") == {"submarine": "B2"}

    def test_a_submarine_against_convoys_and_warships(self) -> None:
        table = self.channel("ger_ub_1(from=north_atlantic)", "bri_ca_1 bri_convoy_c(2)")
        assert targets(table, "ger_ub_1") == {"naval": "B1", "convoy": "B2"}
        table = fire(table, "ger_ub_1", "convoy", 2)
        assert (steps(table, "bri_convoy_c"), steps(table, "bri_ca_1")) == (1, 4)

    def test_a_convoy_is_a_naval_target_for_surface_ships(self) -> None:
        table = self.channel("ger_bc_scharnhorst(from=north_atlantic)", "bri_convoy_c(1)")
        table = fire(table, "ger_bc_scharnhorst", "naval", 3)
        assert steps(table, "bri_convoy_c") is None

    def test_a_submarine_aims_past_the_convoy_at_the_warship(self) -> None:
        table = self.channel("ger_ub_1(from=north_atlantic)", "bri_ca_1(1) bri_convoy_c(4)")
        table = fire(table, "ger_ub_1", "naval", 1)
        assert (steps(table, "bri_convoy_c"), steps(table, "bri_ca_1")) == (4, None)


class TestCoasts:
    """VE 7.16: ships fight ships and invaders on their own coast alone."""

    def test_a_ship_in_another_port_is_out_of_reach(self) -> None:
        table = scene(
            "[axis]\ndenmark: ger_inf_16a(from=hamburg) ger_ca_1(coast0,from=north_sea)\n"
            "[allied]\ndenmark: bri_inf_bef bri_ca_1(coast2)\n[control]\nbritain: denmark",
            {"denmark": clash("axis", "allied", land=True)},
        )
        assert targets(table, "ger_ca_1") == {}
        assert targets(table, "bri_ca_1") == {}

    def test_a_ship_in_the_same_port_is_not(self) -> None:
        table = scene(
            "[axis]\ndenmark: ger_inf_16a(from=hamburg) ger_ca_1(coast2,from=baltic_sea)\n"
            "[allied]\ndenmark: bri_inf_bef bri_ca_1(coast2)\n[control]\nbritain: denmark",
            {"denmark": clash("axis", "allied", land=True)},
        )
        assert targets(table, "ger_ca_1") == {"naval": "C2"}


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


class TestBombardment:
    """VE 7.6: battleships, battlecruisers and carriers support a land battle; they do not finish an army off."""

    def rome(self, ship: str, axis: str, allied: str = "usa_inf_1a(from=naples)") -> Table:
        return scene(
            f"[axis]\nrome: {axis}\n[allied]\nrome: {allied} {ship}(coast0,from=tyrrhenian_sea)\n"
            "[control]\nbritain: naples",
            {"rome": clash("allied", "axis", land=True)},
            turn=SUMMER_1943,
            order=("allied", "axis"),
        )

    def test_a_battleship_fires_at_armies_one_lower(self) -> None:
        assert targets(self.rome("bri_bb_nelson", "ger_inf_16a"), "bri_bb_nelson") == {"army": "C2"}

    def test_a_cruiser_does_not(self) -> None:
        assert targets(self.rome("bri_ca_1", "ger_inf_16a"), "bri_ca_1") == {}

    def test_not_the_last_step(self) -> None:
        table = self.rome("bri_bb_nelson", "ger_inf_16a(1)")
        table.when(Fire("allied", "bri_bb_nelson", "army"), "allied").refused("VE 7.6", "LAST_STEPS")

    def test_not_when_no_army_of_its_own_fights(self) -> None:
        table = scene(
            "[axis]\nscapa_flow: ger_inf_16a(from=north_sea)\n[allied]\nscapa_flow: bri_bb_nelson(coast0)\n",
            {"scapa_flow": clash("axis", "allied", invaded="north_sea")},
        )
        table = fire(table, "bri_bb_nelson", "naval")
        table = hold(table, "ger_inf_16a") if table.state.battle.round == 1 else table
        assert firepower(table.state, "bri_bb_nelson", "army") is not None
        assert targets(table, "bri_bb_nelson") == {}


class TestMalta:
    """VE 13 Malta: against ships and invaders the fortress fires in class C at 3, otherwise as an army."""

    def test_it_fires_at_ships_before_they_land(self) -> None:
        table = scene(
            "[axis]\nmalta: ita_inf_1a(from=ionian_sea) ita_ca_1(coast0,from=ionian_sea)\n[allied]\nmalta: bri_fort_malta",
            {"malta": clash("axis", "allied", invaded="ionian_sea")},
        )
        table.when(Fire("allied", "bri_fort_malta", "army"), "allied").refused("VE 5.4", "NO_TARGET")
        table = fire(table, "bri_fort_malta", "naval", 3)
        assert table.state.battle.shot is not None  # cruiser and infantry are equally strong

    def test_it_may_wait_and_fire_as_an_army(self) -> None:
        table = scene(
            "[axis]\nmalta: ita_inf_1a(from=ionian_sea) ita_ca_1(coast0,from=ionian_sea)\n[allied]\nmalta: bri_fort_malta",
            {"malta": clash("axis", "allied", invaded="ionian_sea")},
        )
        table = hold(table, "bri_fort_malta", "ita_ca_1")
        assert table.state.battle.landed
        assert table.decisions() == [("allied", "turn")]
        table = fire(table, "bri_fort_malta", "army", 2)
        assert steps(table, "ita_inf_1a") == 3

    def test_an_army_is_no_target_in_class_c(self) -> None:
        table = scene(
            "[axis]\nmalta: ita_inf_1a(from=tunis) ita_ca_1(coast0,from=ionian_sea)\n[allied]\nmalta: bri_fort_malta",
            {"malta": clash("axis", "allied", land=True)},
        )
        table.when(Fire("allied", "bri_fort_malta", "army"), "allied").refused("VE 5.2", "OTHER_CLASS")
