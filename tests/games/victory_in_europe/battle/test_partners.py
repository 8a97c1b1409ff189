"""Battles beside others: powers that are at war with neither side, partners at sea [VE 5.1] [VE 6.22] [VE 12.0]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.after import EndRegroup
from stavka.games.victory_in_europe.battle.turns import TakeHit

from tests.support.table import Table

from .scene import SUMMER_1943, clash, fire, hold, scene, step, steps, targets


class TestBystanders:
    """VE 5.1: ships and aircraft of a power that is at war with neither side take no part; its aircraft land (VE 6.22)."""

    def test_a_neutral_aircraft_over_the_battle(self) -> None:
        table = scene(
            "[axis]\nbaltic_sea: ger_ca_1(from=skaggerak)\n[allied]\nbaltic_sea: bri_ub_1(1)\n"
            "[soviet]\nbaltic_sea: sov_mb_pe2\n[control]\nsoviet_union: riga lithuania leningrad",
            {"baltic_sea": clash("axis", "allied")},
            header='at_war ["germany","italy","britain","france"]',
        )
        assert table.state.battle.viewers == ("axis", "allied")
        table = hold(table, "bri_ub_1")
        assert targets(table, "ger_ca_1") == {"submarine": "C1"}
        table = fire(table, "ger_ca_1", "submarine", 1)
        table = step(table, EndRegroup("axis"), "axis")
        assert table.state.frames[-1].kind == "landing"
        table = table.goes_on().after()
        assert table.decisions() == [("allied", "landing")]


class TestPartnersAtSea:
    """VE 12.0 and VE 5.1: Allied and Soviet ships fight side by side, each commanded by its own seat."""

    def sea(self) -> Table:
        return scene(
            "[axis]\nbarents_sea: ger_bb_tirpitz(3,from=norwegian_sea)\n[allied]\nbarents_sea: bri_ca_1(2)\n"
            "[soviet]\nbarents_sea: sov_ca_1(2)\n[control]\ngermany: narvik",
            {"barents_sea": clash("axis", "allied")},
            turn=SUMMER_1943,
            scenario="campaign_1939_three",
            order=("axis", "soviet", "allied"),
        )

    def test_the_first_in_the_order_of_play_acts_first(self) -> None:
        table = self.sea()
        assert table.state.battle.viewers == ("axis", "soviet", "allied")
        assert table.decisions() == [("soviet", "turn")]
        table = hold(table, "sov_ca_1")
        assert table.decisions() == [("allied", "turn")]

    def test_and_chooses_who_is_hit(self) -> None:
        table = fire(hold(self.sea(), "sov_ca_1", "bri_ca_1"), "ger_bb_tirpitz", "naval", 3)
        assert table.decisions() == [("soviet", "hit")]
        table = step(table, TakeHit("soviet", "bri_ca_1"), "soviet")
        assert (steps(table, "bri_ca_1"), steps(table, "sov_ca_1")) == (1, 2)

    def test_both_regroup(self) -> None:
        table = hold(self.sea(), "sov_ca_1", "bri_ca_1", "ger_bb_tirpitz", "sov_ca_1", "bri_ca_1", "ger_bb_tirpitz")
        options = table.options("axis")
        table = step(table, options[0], "axis")
        assert table.decisions() == [("soviet", "regroup")]
        table = step(table, EndRegroup("soviet"), "soviet")
        assert table.decisions() == [("allied", "regroup")]
