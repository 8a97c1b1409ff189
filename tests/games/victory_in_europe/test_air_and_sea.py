"""Ships and aircraft in the Move Phase, sea invasions, landing [VE 6.1] [VE 7.1] [VE 7.5] [VE 6.22]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe.events import BlockMoved, BlockRemoved, ClashBegun, CommandsSpent, SideLanded
from stavka.games.victory_in_europe.landing import LandBlock
from stavka.games.victory_in_europe.moves import EndMoves
from stavka.games.victory_in_europe.state import Clash

from tests.support.table import Table

from .field import FALL_1941, SUMMER_1940, card_with, move, paths, scene, spent, targets


class TestAirMovement:
    """VE 6.1 VE 6.0"""

    def test_aircraft_fly_over_enemies_but_not_over_neutrals(self) -> None:
        table = scene(
            "[axis]\ncalais: ger_mb_he111_1\n[allied]\nlondon: bri_inf_bef\nbirmingham: bri_home_guard\n"
            "[control]\ngermany: calais"
        )
        assert {"london", "birmingham"} <= targets(table, "ger_mb_he111_1")
        assert "belgium" not in targets(table, "ger_mb_he111_1")

    def test_oceans_take_two(self) -> None:
        """VE 7.11: from Brest to Convoy D makes three, to the West Atlantic five."""
        table = scene("[axis]\nbrest: ger_mb_he111_1\n[control]\ngermany: brest")
        assert "convoy_d" in targets(table, "ger_mb_he111_1")
        assert "west_atlantic" not in targets(table, "ger_mb_he111_1")

    def test_a_lone_raid_costs_a_command(self) -> None:
        """VE 6.21"""
        table = scene("[axis]\ncalais: ger_mb_he111_1\n[allied]\nlondon: bri_inf_bef\n[control]\ngermany: calais")
        (path,) = {path for path in paths(table, "ger_mb_he111_1") if path[-1] == "london"}
        after = move(table, "ger_mb_he111_1", *path).includes(
            CommandsSpent("axis", 1, "battle"), ClashBegun("london", "axis", "allied", land=True)
        )
        assert spent(after) == 1

    def test_factories_alone_can_be_raided_by_those_who_bomb_them(self) -> None:
        """VE 6.3 VE 11.33"""
        table = scene("[axis]\ncalais: ger_mb_he111_1 ger_db_ju87\n[control]\ngermany: calais\n[factories]\nlondon: 3")
        assert "london" in targets(table, "ger_mb_he111_1")
        assert "london" not in targets(table, "ger_db_ju87")

    def test_one_aircraft_an_area(self) -> None:
        """VE 6.12"""
        table = scene("[axis]\nberlin: ger_fa_me109_1\nleipzig: ger_fa_me109_2")
        assert "berlin" not in targets(table, "ger_fa_me109_2", "rebase")
        assert "munich" in targets(table, "ger_fa_me109_2", "rebase")

    def test_rebasing_goes_any_distance_and_is_free(self) -> None:
        """VE 6.14"""
        table = scene(
            "[axis]\nkonigsberg: ger_fa_me109_1\n[allied]\ndanzig: bri_inf_bef", commands={"axis": 0, "allied": 0}
        )
        assert spent(move(table, "ger_fa_me109_1", "konigsberg", "munich", by="rebase").after()) == 3
        move(table, "ger_fa_me109_1", "konigsberg", "danzig", by="rebase").refused("VE 6.14", "NO_REBASE")

    def test_aircraft_take_no_ground(self) -> None:
        """VE 6.13"""
        table = scene("[axis]\ncalais: ger_mb_he111_1\n[control]\ngermany: calais\n[factories]")
        assert "london" not in targets(table, "ger_mb_he111_1")

    def test_airborne_troops_drop_only_beside_an_army(self) -> None:
        """VE 2.6"""
        blocks = "[axis]\nruhr: ger_airborne\n{army}[allied]\nparis: fra_inf_1a\n[control]\ngermany: belgium calais"
        alone = scene(blocks.format(army=""))
        move(alone, "ger_airborne", "ruhr", "belgium", "paris", by="airdrop").refused("VE 2.6", "NO_AIRDROP")
        table = scene(
            blocks.format(army="calais: ger_inf_1a\nbelgium: ger_airborne\n").replace("ruhr: ger_airborne\n", "")
        )
        table = move(table, "ger_inf_1a", "calais", "paris").after()
        (path,) = paths(table, "ger_airborne", "airdrop")
        after = move(table, "ger_airborne", *path, by="airdrop").after()
        assert after.state.blocks["ger_airborne"].aloft
        assert spent(after) == 1


class TestNavalMovement:
    """VE 7.1 VE 7.0 VE 7.12 VE 7.13"""

    def test_a_port_opens_on_its_own_seas_alone(self) -> None:
        """VE 7.16: Gothenburg's ship is two seas from the Baltic, over Denmark."""
        table = scene("[axis]\nrome: ita_ca_1(3,coast1)\n")
        reached = paths(table, "ita_ca_1")
        assert ("rome", "adriatic_sea") in reached
        assert ("rome", "tyrrhenian_sea") not in reached

    def test_nobody_sails_from_port_to_port(self) -> None:
        """VE 7.15"""
        table = scene("[axis]\nrome: ita_ca_1(3,coast0)")
        assert ("rome", "naples") not in paths(table, "ita_ca_1")
        assert ("rome", "tyrrhenian_sea", "naples") in paths(table, "ita_ca_1")

    def test_the_leads_join_the_ports_of_norway(self) -> None:
        """VE 1.62"""
        table = scene(
            "[axis]\nbergen: ger_ca_1\n[control]\ngermany: bergen trondheim narvik oslo\n[minors]\nconquered: norway"
        )
        assert ("bergen", "trondheim", "narvik") in paths(table, "ger_ca_1")
        half = scene("[axis]\nbergen: ger_ca_1\n[control]\ngermany: bergen narvik oslo\n[minors]\nconquered: norway")
        assert ("bergen", "trondheim", "narvik") not in paths(half, "ger_ca_1")

    def test_enemies_stop_surface_ships_but_not_submarines(self) -> None:
        """VE 4.2"""
        table = scene(
            "[axis]\nbrest: ger_ca_1(2) ger_ub_1(2)\n[allied]\nbay_of_biscay: bri_ca_1\n[control]\ngermany: brest"
        )
        assert ("brest", "bay_of_biscay", "gulf_of_cadiz") not in paths(table, "ger_ca_1")
        assert ("brest", "bay_of_biscay", "gulf_of_cadiz") in paths(table, "ger_ub_1")

    def test_a_battle_at_sea_costs_a_command(self) -> None:
        table = scene("[axis]\nbrest: ger_ca_1(2)\n[allied]\nbay_of_biscay: bri_ca_1\n[control]\ngermany: brest")
        move(table, "ger_ca_1", "brest", "bay_of_biscay").includes(ClashBegun("bay_of_biscay", "axis", "allied"))

    def test_straits_are_closed_by_one_enemy_shore(self) -> None:
        """VE 7.14 VE 13 Gibraltar"""
        table = scene("[axis]\nwest_mediterranean: ita_ca_1 ita_ub_1")
        assert "gulf_of_cadiz" not in targets(table, "ita_ca_1")
        assert "gulf_of_cadiz" in targets(table, "ita_ub_1")
        taken = scene("[axis]\nwest_mediterranean: ita_ca_1\n[control]\nitaly: gibraltar")
        assert "gulf_of_cadiz" in targets(taken, "ita_ca_1")

    def test_denmark_must_be_friendly_and_counts(self) -> None:
        """VE 13 Denmark: neutral Denmark is closed; the straits take a point more."""
        table = scene("[axis]\nskaggerak: ger_bb_tirpitz")
        assert ("skaggerak", "baltic_sea") not in paths(table, "ger_bb_tirpitz")
        friendly = scene("[axis]\nskaggerak: ger_bb_tirpitz\n[control]\ngermany: denmark\n[minors]\nconquered: denmark")
        assert ("skaggerak", "baltic_sea") in paths(friendly, "ger_bb_tirpitz")
        assert ("skaggerak", "baltic_sea", "gulf_of_finland", "helsinki") not in paths(friendly, "ger_bb_tirpitz")

    def test_the_kiel_canal_is_for_the_axis(self) -> None:
        """VE 13 Germany"""
        assert "baltic_sea" in targets(scene("[axis]\nnorth_sea: ger_ca_1"), "ger_ca_1")
        table = scene("[allied]\nnorth_sea: bri_ca_1\n[control]\nbritain: hamburg", phase="move allied")
        assert "baltic_sea" not in targets(table, "bri_ca_1")

    def test_turkey_keeps_the_black_sea_shut_while_neutral(self) -> None:
        """VE 13 Turkey"""
        assert "sea_of_marmara" not in targets(scene("[axis]\naegean_sea: ita_ca_1"), "ita_ca_1")
        friendly = scene("[axis]\naegean_sea: ita_ca_1\n[minors]\naxis: turkey\n[control]\nturkey: istanbul mysia")
        assert "west_black_sea" in targets(friendly, "ita_ca_1")

    def test_ice_closes_three_seas(self) -> None:
        """VE 3.43"""
        table = scene("[axis]\nbaltic_sea: ger_ca_1", turn=FALL_1941)
        assert "gulf_of_finland" not in targets(table, "ger_ca_1")
        assert "gulf_of_finland" in targets(scene("[axis]\nbaltic_sea: ger_ca_1"), "ger_ca_1")

    def test_a_coast_holds_one_ship_and_a_base_two(self) -> None:
        """VE 7.12 VE 7.22"""
        table = scene("[axis]\nnorth_sea: ger_ca_1\nhamburg: ger_ca_2 ger_bc_scharnhorst", phase="move axis")
        assert "hamburg" not in targets(table, "ger_ca_1")
        assert "hamburg" in targets(scene("[axis]\nnorth_sea: ger_ca_1\nhamburg: ger_ca_2"), "ger_ca_1")

    def test_an_enemy_coast_is_entered_only_beside_an_army(self) -> None:
        """VE 7.15"""
        blocks = "[axis]\nenglish_channel: ger_ca_1\n{army}[allied]\nle_havre: fra_inf_1a\n[control]\ngermany: calais"
        assert "le_havre" not in targets(scene(blocks.format(army="")), "ger_ca_1")
        table = scene(blocks.format(army="calais: ger_inf_1a\n"))
        table = move(table, "ger_inf_1a", "calais", "le_havre").after()
        after = move(table, "ger_ca_1", "english_channel", "le_havre").after()
        assert after.state.blocks["ger_ca_1"].coast == 0

    def test_one_ship_attacks_a_naval_base(self) -> None:
        """VE 7.22"""
        table = scene(
            "[axis]\nenglish_channel: ger_ca_1 ger_ca_2\nle_havre: ger_inf_1a\n[allied]\nbrest: fra_inf_1a\n[control]\ngermany: le_havre"
        )
        table = move(table, "ger_inf_1a", "le_havre", "brest").after()
        table = move(table, "ger_ca_1", "english_channel", "brest").after()
        move(table, "ger_ca_2", "english_channel", "brest").refused("VE 4.5", "OVERSTACKED")

    def test_ships_rebase_free_over_open_seas(self) -> None:
        """VE 7.17"""
        table = scene("[allied]\nscapa_flow: bri_ca_1", phase="move allied")
        assert "gibraltar" in targets(table, "bri_ca_1", "rebase")
        barred = scene(
            "[allied]\nscapa_flow: bri_ca_1\n[axis]\nnorth_sea: ger_ca_1\nnorwegian_sea: ger_ca_2", phase="move allied"
        )
        move(barred, "bri_ca_1", "scapa_flow", "gibraltar", by="rebase").refused("VE 6.14", "NO_REBASE")


class TestSuez:
    """VE 13 Egypt VE 8.8"""

    def test_allied_ships_rebase_through_it_whatever_the_seas_hold(self) -> None:
        blocks = "[allied]\n{at}: bri_ca_1\n[axis]\neast_mediterranean: ita_ca_1\nlevant_sea: ita_ca_2\nwest_mediterranean: ita_bb_1"
        assert "suez" in targets(scene(blocks.format(at="scapa_flow"), phase="move allied"), "bri_ca_1", "rebase")
        assert "scapa_flow" in targets(scene(blocks.format(at="suez"), phase="move allied"), "bri_ca_1", "rebase")
        assert "cairo" not in targets(scene(blocks.format(at="scapa_flow"), phase="move allied"), "bri_ca_1", "rebase")

    def test_not_the_axis(self) -> None:
        table = scene(
            "[axis]\nsuez: ita_ca_1\n[allied]\neast_mediterranean: bri_ca_1\nlevant_sea: bri_ca_2\n[control]\nitaly: suez"
        )
        assert not targets(table, "ita_ca_1", "rebase")


CHANNEL = """
[axis]
english_channel: ger_ub_1
le_havre: ger_inf_1a ger_inf_3a ger_ldr_rundstedt ger_fa_me109_1
brest: ger_ca_1(2)
{more}
[allied]
southampton: bri_inf_bef
[control]
germany: le_havre brest calais
"""


class TestSeaInvasions:
    """VE 7.5"""

    WAY = ("le_havre", "english_channel", "southampton")

    def table(self, more: str = "", **changes: object) -> Table:
        return scene(CHANNEL.format(more=more), **changes)

    def test_a_defended_coast_costs_two(self) -> None:
        table = self.table()
        after = move(table, "ger_inf_1a", "le_havre", "english_channel", "southampton", by="invade").includes(
            CommandsSpent("axis", 2, "invade"),
            ClashBegun("southampton", "axis", "allied", False, "english_channel"),
            SideLanded("axis"),
        )
        assert after.state.blocks["ger_inf_1a"].came == "english_channel"

    def test_a_vacant_coast_costs_one_and_is_taken(self) -> None:
        after = move(self.table(), "ger_inf_1a", "le_havre", "english_channel", "london", by="invade").after()
        assert spent(after) == 1
        assert after.state.control["london"] == "germany"

    def test_one_invasion_a_turn_by_one_infantry(self) -> None:
        after = move(self.table(), "ger_inf_1a", "le_havre", "english_channel", "southampton", by="invade").after()
        move(after, "ger_inf_3a", "le_havre", "english_channel", "southampton", by="invade").refused(
            "VE 7.5", "ONE_INVASION_A_TURN"
        )

    def test_a_leader_comes_along_but_not_alone(self) -> None:
        table = self.table()
        path = ("le_havre", "english_channel", "southampton")
        move(table, "ger_ldr_rundstedt", *path, by="invade").refused("VE 7.5", "NO_INVASION_TO_JOIN")
        after = move(table, "ger_inf_1a", *path, by="invade").after()
        assert spent(move(after, "ger_ldr_rundstedt", *path, by="invade").after()) == 2

    def test_the_ship_that_holds_the_sea_stays(self) -> None:
        after = move(self.table(), "ger_inf_1a", "le_havre", "english_channel", "southampton", by="invade").after()
        move(after, "ger_ub_1", "english_channel", "irish_sea").refused("VE 7.5", "MUST_HOLD_SEA")

    def test_another_ship_may_go_and_help(self) -> None:
        table = self.table("western_approaches: ger_ca_2")
        table = move(table, "ger_inf_1a", "le_havre", "english_channel", "southampton", by="invade").after()
        after = move(table, "ger_ca_1", "brest", "english_channel", "southampton").after()
        assert after.state.blocks["ger_ca_1"].at == "southampton"

    def test_aircraft_alone_make_no_lane(self) -> None:
        table = scene(
            "[axis]\nenglish_channel: ger_fa_me109_1\nle_havre: ger_inf_1a\n[allied]\nsouthampton: bri_inf_bef\n[control]\ngermany: le_havre"
        )
        move(table, "ger_inf_1a", "le_havre", "english_channel", "southampton", by="invade").refused(
            "VE 7.5", "NO_INVASION_WAY"
        )

    def test_the_sea_was_friendly_when_the_phase_began(self) -> None:
        table = scene(
            "[axis]\nbrest: ger_ca_1(2)\nle_havre: ger_inf_1a\n[allied]\nsouthampton: bri_inf_bef\n[control]\ngermany: le_havre brest"
        )
        after = move(table, "ger_ca_1", "brest", "english_channel").after()
        assert not paths(after, "ger_inf_1a", "invade")

    def test_some_coasts_cannot_be_invaded(self) -> None:
        table = scene(
            "[allied]\nnorth_sea: bri_ca_1\nlondon: bri_inf_bef\n[axis]\nnetherlands: ger_inf_1a\ndenmark: ger_inf_3a\n"
            "[control]\ngermany: netherlands denmark\n[minors]\nconquered: netherlands denmark",
            phase="move allied",
        )
        reached = targets(table, "bri_inf_bef", "invade")
        assert "denmark" in reached
        assert not {"netherlands", "hamburg"} & reached

    def test_not_in_winter(self) -> None:
        """VE 3.41"""
        assert not paths(self.table(turn=11), "ger_inf_1a", "invade")

    def test_a_land_attack_with_it_costs_one_more(self) -> None:
        table = scene(
            "[axis]\nenglish_channel: ger_ub_1\nle_havre: ger_inf_1a\nlondon: ger_inf_3a\n[allied]\nsouthampton: bri_inf_bef\n"
            "[control]\ngermany: le_havre london"
        )
        table = move(table, "ger_inf_1a", "le_havre", "english_channel", "southampton", by="invade").after()
        after = move(table, "ger_inf_3a", "london", "southampton").after()
        assert spent(after) == 3

    def test_the_other_way_round_costs_the_same(self) -> None:
        table = scene(
            "[axis]\nenglish_channel: ger_ub_1\nle_havre: ger_inf_1a\nlondon: ger_inf_3a\n[allied]\nsouthampton: bri_inf_bef\n"
            "[control]\ngermany: le_havre london"
        )
        table = move(table, "ger_inf_3a", "london", "southampton").after()
        after = move(table, "ger_inf_1a", "le_havre", "english_channel", "southampton", by="invade").after()
        assert spent(after) == 3
        assert after.state.clashes["southampton"].invaded == "english_channel"

    @pytest.mark.parametrize("order", [("ger_fa_me109_1", "ger_inf_1a"), ("ger_inf_1a", "ger_fa_me109_1")])
    def test_its_aircraft_comes_before_or_after_it_for_the_same_price(self, order: tuple[str, ...]) -> None:
        table = self.table(commands={"axis": 2, "allied": 0})
        for block in order:
            table = move(table, block, *self.WAY, by="invade" if block == "ger_inf_1a" else "move").after()
        assert table.state.commands["axis"] == 0
        assert table.state.clashes["southampton"] == Clash("axis", "allied", invaded="english_channel")

    def with_london(self, **changes: object) -> Table:
        """An army in London may attack overland; the fighter has come already."""
        blocks = CHANNEL.format(more="london: ger_inf_4a").replace("brest calais", "brest calais london")
        return move(scene(blocks, **changes), "ger_fa_me109_1", *self.WAY).after()

    def test_a_land_attack_after_aircraft_and_invasion_costs_one_more(self) -> None:
        table = move(self.with_london(), "ger_inf_1a", *self.WAY, by="invade").after()
        assert spent(table) == 2
        assert spent(move(table, "ger_inf_4a", "london", "southampton").after()) == 3

    def test_beside_an_army_that_attacks_overland_it_costs_two(self) -> None:
        table = self.with_london(commands={"axis": 2, "allied": 0})
        table = move(table, "ger_inf_4a", "london", "southampton").after()
        move(table, "ger_inf_1a", *self.WAY, by="invade").refused("VE 3.2", "NOT_ENOUGH_COMMANDS")

    def test_an_event_makes_it_cheaper(self) -> None:
        """VE 3.3"""
        table = scene(
            "[allied]\nenglish_channel: bri_ca_1\nsouthampton: bri_inf_bef\n[axis]\nle_havre: ger_inf_1a\n[control]\ngermany: le_havre",
            phase="move allied",
            played={"axis": "axis_1939_1", "allied": card_with("cheap_invasion", "britain", amount=1)},
        )
        after = move(table, "bri_inf_bef", "southampton", "english_channel", "le_havre", by="invade").after()
        assert spent(after, "allied") == 1


class TestLanding:
    """VE 6.22"""

    def aloft(self) -> Table:
        return scene("[axis]\nenglish_channel: ger_fa_me109_1\n[control]\ngermany: calais le_havre", phase="landing")

    def test_aircraft_over_the_sea_land_where_their_owner_wishes(self) -> None:
        table = self.aloft()
        table.when(LandBlock("axis", "ger_fa_me109_1", "calais"), "axis").then(
            BlockMoved(("axis",), "ger_fa_me109_1", "germany", "english_channel", "calais", "", -1, False, "landing")
        )

    def test_out_of_range_is_refused(self) -> None:
        self.aloft().when(LandBlock("axis", "ger_fa_me109_1", "berlin"), "axis").refused("VE 6.22", "CANNOT_LAND_THERE")

    def test_only_what_is_in_flight_lands(self) -> None:
        self.aloft().when(LandBlock("axis", "ger_ca_1", "calais"), "axis").refused("VE 6.22", "NOT_IN_FLIGHT")

    @pytest.mark.parametrize("at_war", [("britain", "germany"), ("britain", "germany", "united_states")])
    def test_what_stands_where_it_may_land_has_landed(self, at_war: tuple[str, ...]) -> None:
        """Also of a power that is neutral and has come abroad: it would land for ever."""
        table = scene("[allied]\nbelfast: usa_hb_b17\nlondon: bri_inf_bef", phase="landing", at_war=at_war)
        assert table.goes_on().after().state.frames[1].kind == "events"

    def test_where_there_is_one_place_it_lands_by_itself(self) -> None:
        table = scene("[axis]\nbay_of_biscay: ger_fa_me109_1\n[control]\ngermany: bordeaux", phase="landing")
        after = table.goes_on().after()
        assert after.state.blocks["ger_fa_me109_1"].at == "bordeaux"
        assert after.state.frames[1].kind == "events"

    def test_what_cannot_land_is_lost(self) -> None:
        table = scene("[axis]\nconvoy_c: ger_fa_me109_1", phase="landing")
        table.goes_on().includes(BlockRemoved(("axis",), "ger_fa_me109_1", "germany", "convoy_c", "pool", "landing"))

    def test_it_waits_for_both_players_to_move(self) -> None:
        table = scene("[axis]\nenglish_channel: ger_fa_me109_1", phase="move axis")
        after = table.when(EndMoves(), "axis").after()
        assert after.state.frames[1].seat == "allied"
        assert after.when(EndMoves(), "allied").after().state.frames[1].kind == "landing"


@pytest.mark.parametrize("turn", [SUMMER_1940])
def test_pinned_aircraft_stay(turn: int) -> None:
    """VE 4.3: all kinds of units pin and are pinned."""
    table = scene(
        "[axis]\nparis: ger_mb_he111_1(3,from=calais)\n[allied]\nparis: fra_fa_d520",
        phase="move allied",
        turn=turn,
        clashes={"paris": {"attacker": "axis", "defender": "allied"}},
    )
    move(table, "fra_fa_d520", "paris", "lyon", by="rebase").refused("VE 4.3", "PINNED")
