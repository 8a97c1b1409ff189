"""Supply lines and the Supply Phase [VE 8.0] [VE 1.8] [VE 1.9] [VE 3.43] [VE 9.3]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe.attrition import SpareBlocks
from stavka.games.victory_in_europe.events import AlternateSupplyOpened, BlockRemoved, StepsSet
from stavka.games.victory_in_europe.ground import BIT, GRID
from stavka.games.victory_in_europe.supply import in_supply, supplied, unsupplied

from tests.support.table import Table

from .field import FALL_1939, FALL_1941, SUMMER_1942, WINTER_1942, card_with, scene


def cut_off(block: str, blocks: str, **more: object) -> bool:
    return not in_supply(scene(blocks, **more).state, block)  # type: ignore[arg-type]


class TestSupplyLines:
    """VE 8.1"""

    def test_a_chain_of_friendly_areas_leads_to_the_capital(self) -> None:
        blocks = "[axis]\nparis: ger_inf_1a\n[control]\ngermany: paris {way}"
        assert not cut_off("ger_inf_1a", blocks.format(way="metz"))
        assert cut_off("ger_inf_1a", blocks.format(way=""))

    def test_an_enemy_army_cuts_it_only_by_control_or_battle(self) -> None:
        blocks = "[axis]\nparis: ger_inf_1a\n[control]\ngermany: paris metz"
        assert cut_off("ger_inf_1a", blocks, clashes={"metz": {"attacker": "allied", "defender": "axis"}})

    def test_each_power_to_its_own_capital(self) -> None:
        table = scene("[axis]\ntripoli: ita_inf_5a ger_pz_dak\n[control]\nbritain: berlin")
        assert in_supply(table.state, "ita_inf_5a")
        assert not in_supply(table.state, "ger_pz_dak")

    def test_minors_to_theirs(self) -> None:
        blocks = "[axis]\nviipuri: fin_inf_1a\n[minors]\naxis: finland\n[control]\n{holder}"
        assert not cut_off("fin_inf_1a", blocks.format(holder="finland: helsinki"))
        assert cut_off("fin_inf_1a", blocks.format(holder="soviet_union: helsinki"))

    def test_free_forces_to_london(self) -> None:
        """VE 11.42"""
        blocks = "[allied]\n{at}: pol_inf_1a\n[minors]\nconquered: poland\n[axis]\nenglish_channel: ger_ca_1\nnorth_sea: ger_ca_2\nirish_sea: ger_bc_scharnhorst\nbay_of_biscay: ger_ub_1\ngulf_of_lyon: ita_ca_1"
        assert not cut_off("pol_inf_1a", blocks.format(at="birmingham"))
        assert cut_off("pol_inf_1a", blocks.format(at="paris"))


class TestSeaSupply:
    """VE 8.3"""

    BLOCKS = "[axis]\ntripoli: ita_inf_5a\n[allied]\n{ships}\n[control]\nbritain: el_agheila benghazi"

    def test_vacant_seas_carry_it(self) -> None:
        assert not cut_off("ita_inf_5a", self.BLOCKS.format(ships="gibraltar: bri_ca_1"))

    def test_enemy_ships_and_aircraft_cut_it(self) -> None:
        assert cut_off("ita_inf_5a", self.BLOCKS.format(ships="central_mediterranean: bri_ca_1"))
        assert cut_off("ita_inf_5a", self.BLOCKS.format(ships="central_mediterranean: bri_nb_sunderland"))

    def test_not_by_an_enemy_strait(self) -> None:
        """VE 7.14"""
        blocks = "[soviet]\nrostov: sov_inf4_1\n[control]\ngermany: krasnodar stalingrad stalino {more}"
        assert cut_off("sov_inf4_1", blocks.format(more=""), turn=SUMMER_1942)

    def test_not_over_a_frozen_sea(self) -> None:
        """VE 3.43"""
        blocks = (
            "[axis]\nhelsinki: ger_inf_20a\n[minors]\naxis: finland\n[control]\nfinland: helsinki\nsoviet_union: riga"
        )
        assert not cut_off("ger_inf_20a", blocks, turn=SUMMER_1942)
        assert cut_off("ger_inf_20a", blocks, turn=FALL_1941)

    def test_turkey_and_denmark_must_be_friendly(self) -> None:
        """VE 13 Turkey VE 13 Denmark"""
        blocks = "[axis]\nconstanta: ita_inf_1a\n[minors]\naxis: romania\n[control]\nromania: constanta\nsoviet_union: bucharest iasi bessarabia"
        assert cut_off("ita_inf_1a", blocks)

    def test_resources_pass_neutral_straits_and_neutral_land(self) -> None:
        """VE 8.5 VE 13 Denmark"""
        state = scene("", at_war=("germany", "britain", "france")).state
        lulea = BIT["lulea"]
        assert not supplied(state, "germany") & lulea
        assert supplied(state, "germany", resources=True) & lulea


class TestNavalSupply:
    """VE 8.4"""

    def test_ships_need_none(self) -> None:
        assert not cut_off("ger_ub_1", "[axis]\nconvoy_c: ger_ub_1")


class TestAlternateSources:
    """VE 1.8 VE 13 Britain VE 13 Soviet Union"""

    LONDON = "[allied]\nbirmingham: bri_inf_bef(3) usa_inf_1a(2)\nscotland: fra_inf_3a(1)\ncairo: bri_inf_8a(2)\n[control]\ngermany: london"

    def test_the_first_loss_of_london_costs_a_step_in_britain(self) -> None:
        table = scene(self.LONDON, phase="supply", order=("allied", "axis"))
        after = table.goes_on().includes(AlternateSupplyOpened("britain"))
        steps = {block: piece.steps for block, piece in after.state.blocks.items()}
        assert steps == {"bri_inf_bef": 2, "usa_inf_1a": 1, "bri_inf_8a": 2}

    def test_it_happens_once(self) -> None:
        table = scene(self.LONDON, phase="supply", alternate=["britain"])
        after = table.goes_on().lacks(AlternateSupplyOpened)
        assert after.state.blocks["bri_inf_bef"].steps == 3

    def test_then_canada_supplies_for_good(self) -> None:
        blocks = "[allied]\nbirmingham: bri_inf_bef\n[axis]\n{ships}"
        table = scene(blocks.format(ships=""), alternate=["britain"])
        assert in_supply(table.state, "bri_inf_bef")
        assert cut_off(
            "bri_inf_bef",
            blocks.format(
                ships="north_sea: ger_ca_1\nirish_sea: ger_ca_2\nenglish_channel: ger_ub_1\nwestern_approaches: ger_ub_2"
            ),
            alternate=["britain"],
        )

    def test_canadians_live_from_either(self) -> None:
        """VE 13 Canada"""
        assert not cut_off("bri_can_1a", "[allied]\ncanada: bri_can_1a\n[control]\ngermany: london")
        siege = "[axis]\nwest_atlantic: ger_ub_1\nconvoy_b: ger_ub_2\nconvoy_c: ger_ub_3\n[allied]\ncanada: bri_can_1a bri_inf_bef"
        assert not cut_off("bri_can_1a", siege)
        assert cut_off("bri_inf_bef", siege)

    def test_moscow_costs_all_but_fortresses_cruiser_and_urals(self) -> None:
        blocks = (
            "[soviet]\nkiev: sov_inf4_1(2)\nurals: sov_inf4_2(2)\nleningrad: sov_fort_leningrad(2)\nsevastopol: sov_ca_1(2)\n"
            "gorky: sov_inf3_1(1)\n[control]\ngermany: moscow"
        )
        after = scene(blocks, phase="supply", turn=SUMMER_1942).goes_on().after()
        steps = {block: piece.steps for block, piece in after.state.blocks.items()}
        assert steps == {"sov_inf4_1": 1, "sov_inf4_2": 2, "sov_fort_leningrad": 2, "sov_ca_1": 2}


class TestLakeSupply:
    """VE 1.9"""

    BLOCKS = "[soviet]\nleningrad: sov_inf4_1\nnovgorod: sov_inf4_2\n[control]\ngermany: riga lithuania vilna minsk smolensk {ring}"

    def test_leningrad_lives_over_the_lake(self) -> None:
        ring = "viipuri belomorsk novgorod"
        table = scene(self.BLOCKS.format(ring=ring).replace("novgorod: sov_inf4_2\n", ""), turn=SUMMER_1942)
        assert in_supply(table.state, "sov_inf4_1")
        assert not supplied(table.state, "soviet_union") & BIT["leningrad"]

    def test_but_nobody_else_through_leningrad(self) -> None:
        table = scene(self.BLOCKS.format(ring="kalinin belomorsk viipuri"), turn=SUMMER_1942)
        assert unsupplied(table.state, "soviet") == ("sov_inf4_1", "sov_inf4_2")


class TestMiddleEast:
    """VE 8.8 VE 1.45"""

    def test_red_ports_are_sources_while_friendly(self) -> None:
        blocks = "[allied]\npalestine: bri_inf_8a\n[axis]\nlevant_sea: ita_ca_1\neast_mediterranean: ita_bb_1\n[control]\n{holder}"
        assert not cut_off("bri_inf_8a", blocks.format(holder="britain: suez"))
        assert not cut_off("bri_inf_8a", blocks.format(holder="italy: suez cairo"))
        tobruk = "[allied]\nmersa_matruh: bri_inf_8a\n[axis]\nlevant_sea: ita_ca_1\neast_mediterranean: ita_bb_1\n[control]\nitaly: cairo"
        assert cut_off("bri_inf_8a", tobruk)


class TestAttrition:
    """VE 8.7 VE [4]"""

    POCKET = "[axis]\nparis: ger_inf_1a(3) ger_fa_me109_1(1)\n[control]\ngermany: paris"

    def test_armies_and_aircraft_lose_a_step(self) -> None:
        after = (
            scene(self.POCKET, phase="supply")
            .goes_on()
            .includes(
                StepsSet(("axis",), {"ger_inf_1a": (2, False)}, "out of supply"),
                BlockRemoved(("axis",), "ger_fa_me109_1", "germany", "paris", "pool", "out of supply"),
            )
        )
        assert "ger_fa_me109_1" in after.state.camps["axis"].pool
        assert after.state.frames[1].kind == "surrender"

    def test_a_leader_lives_on_at_zero(self) -> None:
        """VE 5.7"""
        table = scene("[axis]\nparis: ger_ldr_guderian(1)\n[control]\ngermany: paris", phase="supply")
        after = table.goes_on().after()
        assert after.state.blocks["ger_ldr_guderian"].steps == 0
        again = scene("[axis]\nparis: ger_ldr_guderian(0)\n[control]\ngermany: paris", phase="supply").goes_on().after()
        assert "ger_ldr_guderian" not in again.state.blocks

    def test_fortresses_do_not_suffer(self) -> None:
        """VE 8.2"""
        table = scene(
            "[allied]\ngibraltar: bri_fort_gibraltar(2)\n[control]\ngermany: london",
            phase="supply",
            alternate=["britain"],
        )
        assert table.goes_on().after().state.blocks["bri_fort_gibraltar"].steps == 2

    def test_what_never_comes_back(self) -> None:
        """VE 2.2"""
        table = scene("[axis]\nparis: ger_airborne(1)\n[control]\ngermany: paris", phase="supply")
        table.goes_on().includes(BlockRemoved(("axis",), "ger_airborne", "germany", "paris", "dead", "out of supply"))

    def test_a_surrounded_capital_starves(self) -> None:
        ring = "le_havre calais metz lyon bordeaux"
        blocks = "[allied]\nparis: fra_inf_1a(3)\n[control]\ngermany: {ring}"
        assert cut_off("fra_inf_1a", blocks.format(ring=ring))
        assert not cut_off("fra_inf_1a", blocks.format(ring=ring.removesuffix(" bordeaux")))

    def test_without_berlin_every_german_block_loses_a_step(self) -> None:
        """VE 9.3"""
        table = scene(
            "[axis]\nmunich: ger_inf_1a(3)\nnorth_sea: ger_ub_1(2)\nrome: ita_inf_1a(3)\n[control]\nbritain: berlin",
            phase="supply",
        )
        after = table.goes_on().after()
        assert {b: p.steps for b, p in after.state.blocks.items()} == {"ger_inf_1a": 2, "ger_ub_1": 1, "ita_inf_1a": 3}

    def test_an_event_spares_some(self) -> None:
        """VE 3.3"""
        table = scene(
            "[axis]\nparis: ger_inf_1a(3) ger_inf_3a(3)\nlyon: ger_inf_4a(3) ger_inf_7a(3)\n[control]\ngermany: paris lyon",
            phase="supply",
            played={"axis": card_with("supply_exception", "germany", units=3), "allied": "allied_1939_1"},
        )
        table = table.goes_on().after()
        assert table.decisions() == [("axis", "spare")]
        assert len(table.options("axis")) == 4
        table.when(SpareBlocks("axis", ("ger_inf_1a",)), "axis").refused("VE 3.3", "WRONG_UNITS_SPARED")
        after = table.when(SpareBlocks("axis", ("ger_inf_1a", "ger_inf_4a", "ger_inf_7a")), "axis").after()
        steps = {b: p.steps for b, p in after.state.blocks.items()}
        assert steps == {"ger_inf_1a": 3, "ger_inf_3a": 2, "ger_inf_4a": 3, "ger_inf_7a": 3}

    def test_an_event_spares_minors_beside_its_power_too(self) -> None:
        """VE 3.3: the Hungarians in Lyon stand alone."""
        table = scene(
            "[axis]\nparis: ger_inf_1a(3) hun_inf_1a(2)\nlyon: hun_inf_2a(2)\n[control]\ngermany: paris lyon\n[minors]\naxis: hungary",
            phase="supply",
            played={"axis": card_with("supply_exception", "germany", units=3), "allied": "allied_1939_1"},
        )
        table = table.goes_on().after()
        table.when(SpareBlocks("axis", ("ger_inf_1a", "hun_inf_2a")), "axis").refused("VE 3.3", "WRONG_UNITS_SPARED")
        after = table.when(SpareBlocks("axis", ("ger_inf_1a", "hun_inf_1a")), "axis").after()
        steps = {b: p.steps for b, p in after.state.blocks.items()}
        assert steps == {"ger_inf_1a": 3, "hun_inf_1a": 2, "hun_inf_2a": 1}


class TestIce:
    """VE 3.43"""

    @pytest.mark.parametrize(("turn", "left"), [(FALL_1939, 2), (FALL_1941, 2), (WINTER_1942, 3), (SUMMER_1942, 3)])
    def test_ships_caught_by_it_lose_a_step_when_it_comes(self, turn: int, left: int) -> None:
        table = scene(
            "[axis]\ngulf_of_finland: ger_ca_1(3)\nbaltic_sea: ger_bc_scharnhorst(3)", phase="winter", turn=turn
        )
        after: Table = table.goes_on().after()
        assert after.state.blocks["ger_ca_1"].steps == left
        assert after.state.blocks["ger_bc_scharnhorst"].steps == 3


def test_lines_never_lead_over_a_place_twice() -> None:
    """VE 8.1: the network is a set of places; what is supplied is part of it."""
    state = scene("[control]\ngermany: paris metz").state
    assert {"paris", "metz", "berlin"} <= set(GRID.codes(supplied(state, "germany")))
