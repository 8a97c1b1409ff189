"""Fire of ships and at ships: at sea, on coasts, for armies, from Malta [VE 7.2] [VE 7.16] [VE 7.6] [VE 13 Malta]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.fire import firepower
from stavka.games.victory_in_europe.battle.turns import Fire

from tests.support.table import Table

from .scene import SUMMER_1943, clash, fire, hold, scene, steps, targets


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
