"""Full areas: who may crowd in, who can be called back, what is taken on the way [VE 4.5] [VE 4.1]."""

from __future__ import annotations

from typing import Any

from stavka.games.victory_in_europe.events import ControlChanged
from stavka.games.victory_in_europe.moves import EndMoves, RecallBlock

from tests.support.table import Table

from .field import SUMMER_1942, move, paths, scene, targets


class TestSeasOfOnePlayer:
    """VE 7.12: a player has three ships in a sea, whichever of his sides they belong to; VE 6.12: and one aircraft."""

    def table(self, barents: str, soviet: str = "", **header: Any) -> Table:
        return scene(
            f"[allied]\nbarents_sea: {barents}\nnorwegian_sea: bri_ca_3\nscapa_flow: bri_fa_spitfire_1\n"
            f"[soviet]\nbarents_sea: {soviet}\nmurmansk: {'' if soviet else 'sov_ca_1 sov_fa_i16'}",
            **{"phase": "move allied", **header},
        )

    def test_allied_ships_leave_no_room_for_a_soviet_one(self) -> None:
        table = self.table("bri_ca_1 bri_ca_2 usa_ca_1")
        assert "barents_sea" not in targets(table, "sov_ca_1")
        move(table, "sov_ca_1", "murmansk", "barents_sea").refused("VE 4.5", "OVERSTACKED")
        assert "barents_sea" in targets(self.table("bri_ca_1 bri_ca_2"), "sov_ca_1")

    def test_nor_a_soviet_one_for_a_third_of_theirs(self) -> None:
        table = self.table("bri_ca_1 bri_ca_2", "sov_ca_1")
        assert "barents_sea" not in targets(table, "bri_ca_3")
        move(table, "bri_ca_3", "norwegian_sea", "barents_sea").refused("VE 4.5", "OVERSTACKED")
        assert "barents_sea" in targets(self.table("bri_ca_1", "sov_ca_1"), "bri_ca_3")

    def test_of_three_players_each_has_three(self) -> None:
        table = self.table("bri_ca_1 bri_ca_2 usa_ca_1", phase="move soviet", scenario="campaign_1939_three")
        assert "barents_sea" in targets(table, "sov_ca_1")
        move(table, "sov_ca_1", "murmansk", "barents_sea").after()

    def test_so_it_is_in_the_air(self) -> None:
        table = self.table("bri_nb_sunderland")
        assert "barents_sea" not in targets(table, "sov_fa_i16")
        move(table, "sov_fa_i16", "murmansk", "barents_sea").refused("VE 4.5", "OVERSTACKED")
        assert "barents_sea" in targets(self.table("bri_ca_1"), "sov_fa_i16")


class TestTakingOnTheWay:
    """VE 4.1: moving through an area changes its control."""

    def test_on_the_way_to_a_battle_too(self) -> None:
        table = scene(
            "[axis]\nruhr: ger_pz_1a\n[allied]\nparis: fra_inf_1a\n[control]\ngermany: belgium\nfrance: calais paris"
        )
        after = move(table, "ger_pz_1a", "ruhr", "belgium", "calais", "paris").includes(
            ControlChanged("calais", "germany", True)
        )
        assert after.state.control["paris"] == "france"

    def test_an_airdrop_takes_nothing_that_it_flies_over(self) -> None:
        """VE 2.6"""
        table = scene(
            "[axis]\nbelgium: ger_airborne\ncalais: ger_inf_1a\n[allied]\nparis: fra_inf_1a\n[control]\ngermany: belgium calais metz"
        )
        table = move(table, "ger_inf_1a", "calais", "paris").after()
        (path,) = paths(table, "ger_airborne", "airdrop")
        move(table, "ger_airborne", *path, by="airdrop").lacks(ControlChanged)


class TestPlacesOfThoseCalledBack:
    """VE 4.5: an army that crowds elsewhere keeps its place from armies that cannot be called back."""

    def table(self, guard_moves: bool = True) -> Table:
        table = scene(
            "[soviet]\nkiev: sov_guard_1\nbryansk: sov_inf3_1 sov_inf3_2\ngomel: sov_cav_1\nstalino: sov_cav_2\n"
            "bessarabia: sov_tank_1\n[axis]\nriga: ger_inf_1a\n[control]\ngermany: vinnitsa dnepropetrovsk odessa riga",
            phase="move allied",
            turn=SUMMER_1942,
        )
        table = move(table, "sov_cav_1", "gomel", "vinnitsa", "kiev").after()
        table = move(table, "sov_cav_2", "stalino", "dnepropetrovsk", "kiev").after()
        return move(table, "sov_guard_1", "kiev", "bryansk" if guard_moves else "kursk").after()

    def test_nobody_takes_it_by_a_way_that_takes_areas(self) -> None:
        table = self.table()
        assert ("bessarabia", "odessa", "kiev") not in paths(table, "sov_tank_1")
        move(table, "sov_tank_1", "bessarabia", "odessa", "kiev").refused("VE 4.5", "OVERSTACKED")
        table.when(EndMoves(), "allied").refused("VE 4.5", "OVERSTACKED")
        after = table.when(RecallBlock("allied", "sov_guard_1"), "allied").after()
        after.when(EndMoves(), "allied").after()

    def test_one_that_crowds_nowhere_has_left(self) -> None:
        table = self.table(guard_moves=False)
        after = move(table, "sov_tank_1", "bessarabia", "odessa", "kiev").after()
        after.when(EndMoves(), "allied").after()


class TestPlacesThatAreFilled:
    """VE 4.5: nobody is called back to where armies that took areas have filled his place; who crowded in goes back."""

    def table(self, *takers: str) -> Table:
        ways = {
            "sov_cav_1": ("gomel", "vinnitsa", "kiev"),
            "sov_cav_2": ("stalino", "dnepropetrovsk", "kiev"),
            "sov_tank_1": ("bessarabia", "odessa", "kiev"),
        }
        table = scene(
            "[soviet]\nkiev: sov_guard_1\nbryansk: sov_inf3_1\nkursk: sov_shock_41\ngomel: sov_cav_1\n"
            "stalino: sov_cav_2\nbessarabia: sov_tank_1\n[axis]\nriga: ger_inf_1a\n"
            "[control]\ngermany: vinnitsa dnepropetrovsk odessa riga",
            phase="move allied",
            turn=SUMMER_1942,
        )
        table = move(table, "sov_guard_1", "kiev", "bryansk").after()
        for block in takers:
            table = move(table, block, *ways[block]).after()
        return move(table, "sov_shock_41", "kursk", "bryansk").after()

    def test_his_place_is_gone(self) -> None:
        table = self.table("sov_cav_1", "sov_cav_2", "sov_tank_1")
        table.when(RecallBlock("allied", "sov_guard_1"), "allied").refused("VE 4.5", "NOTHING_TO_RECALL")
        table.when(EndMoves(), "allied").refused("VE 4.5", "OVERSTACKED")
        after = table.when(RecallBlock("allied", "sov_shock_41"), "allied").after()
        after.when(EndMoves(), "allied").after()

    def test_there_is_one_place_left(self) -> None:
        after = self.table("sov_cav_1", "sov_cav_2").when(RecallBlock("allied", "sov_guard_1"), "allied").after()
        after.when(EndMoves(), "allied").after()


class TestCrowdingConquerors:
    """VE 4.5: who crowds may be called back, so he takes nothing on his way; who has taken areas stays where he is."""

    def table(self, calais: str) -> Table:
        return scene(
            f"[axis]\nmetz: ger_pz_1a\nbelgium: ger_inf_7a\ncalais: {calais}\n"
            "[control]\ngermany: metz calais belgium\nfrance: paris le_havre"
        )

    def test_no_conquest_ends_in_a_full_area(self) -> None:
        table = self.table("ger_inf_1a ger_inf_3a ger_inf_4a")
        assert ("metz", "paris", "calais") not in paths(table, "ger_pz_1a")
        move(table, "ger_pz_1a", "metz", "paris", "calais").refused("VE 4.5", "OVERSTACKED")

    def test_without_a_conquest_the_way_there_is_open(self) -> None:
        table = self.table("ger_inf_1a ger_inf_3a ger_inf_4a")
        after = move(table, "ger_pz_1a", "metz", "calais").after()
        back = after.when(RecallBlock("axis", "ger_pz_1a"), "axis").after()
        assert (back.state.blocks["ger_pz_1a"].at, back.state.control["paris"]) == ("metz", "france")

    def test_a_conqueror_is_not_called_back_when_others_crowd_in_after_him(self) -> None:
        table = self.table("ger_inf_1a ger_inf_3a")
        after = move(table, "ger_pz_1a", "metz", "paris", "calais").after()
        after = move(after, "ger_inf_7a", "belgium", "calais").after()
        after.when(EndMoves(), "axis").refused("VE 4.5", "OVERSTACKED")
        after.when(RecallBlock("axis", "ger_pz_1a"), "axis").refused("VE 4.5", "NOTHING_TO_RECALL")
        after.when(RecallBlock("axis", "ger_inf_7a"), "axis").after().when(EndMoves(), "axis").after()

    def test_nobody_is_called_back_twice(self) -> None:
        """Leipzig has filled up behind him; one of those who have not moved must leave, and then the phase may end."""
        table = scene(
            "[axis]\nberlin: ger_inf_1a ger_inf_3a ger_inf_4a\nleipzig: ger_inf_7a ger_inf_8a ger_inf_16a\nruhr: ger_inf_18a\n"
            "[control]\nfrance: hannover"
        )
        table = move(table, "ger_inf_7a", "leipzig", "berlin").after()
        table = move(table, "ger_inf_18a", "ruhr", "hannover", "leipzig").after()
        table = table.when(RecallBlock("axis", "ger_inf_7a"), "axis").after()
        table.when(RecallBlock("axis", "ger_inf_7a"), "axis").refused("VE 4.5", "NOTHING_TO_RECALL")
        table.when(EndMoves(), "axis").refused("VE 4.5", "OVERSTACKED")
        table = move(table, "ger_inf_8a", "leipzig", "munich").after()
        table.when(EndMoves(), "axis").after()

    def test_where_nobody_can_leave_the_phase_ends_all_the_same(self) -> None:
        """All four in Leipzig have made their moves and none can be called back: nothing is left to do."""
        table = scene(
            "[axis]\nleipzig: ger_inf_7a(4,moved=leipzig) ger_inf_8a(4,moved=leipzig) ger_inf_16a(4,moved=leipzig) "
            "ger_inf_18a(4,moved=leipzig)"
        )
        table.when(EndMoves(), "axis").after()
