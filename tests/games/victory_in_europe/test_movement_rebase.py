"""Where ships rebase to, and the coast at which they arrive [VE 7.16] [VE 7.17] [VE 4.3] [VE 7.15] [VE 13 Egypt]."""

from __future__ import annotations

from stavka.games.victory_in_europe.events import CommandsSpent

from tests.support.table import Table

from .field import SUMMER_1942, move, paths, scene, spent, targets

CLASH = {"attacker": "axis", "defender": "allied"}


def coast(table: Table, block: str) -> int:
    return table.state.blocks[block].coast


class TestCoasts:
    """VE 7.16: a rebase ends on a coast of the seas that it has crossed; nobody goes overland to the other one."""

    def test_from_the_adriatic_it_is_ancona_and_not_rome(self) -> None:
        table = scene(
            "[axis]\nadriatic_sea: ita_ca_1\n[allied]\nionian_sea: bri_ca_1", order=("allied", "axis"), turn=SUMMER_1942
        )
        after = move(table, "ita_ca_1", "adriatic_sea", "rome", by="rebase").after()
        assert coast(after, "ita_ca_1") == 1

    def test_where_both_are_reached_it_is_the_main_coast(self) -> None:
        table = scene("[axis]\nadriatic_sea: ita_ca_1")
        assert coast(move(table, "ita_ca_1", "adriatic_sea", "rome", by="rebase").after(), "ita_ca_1") == 0

    def test_a_closed_strait_is_not_passed_by_a_port_on_both_its_sides(self) -> None:
        """VE 13 Gibraltar: Granada has Cadiz outside and Malaga inside."""
        blocks = "[axis]\n{sea}: ita_ca_1\n[allied]\ngibraltar: bri_fort_gibraltar\n[minors]\naxis: spain"
        for sea, port in (("west_mediterranean", 1), ("gulf_of_cadiz", 0)):
            table = scene(blocks.format(sea=sea))
            assert coast(move(table, "ita_ca_1", sea, "granada", by="rebase").after(), "ita_ca_1") == port

    def test_normal_moves_end_on_the_coast_of_their_sea(self) -> None:
        table = scene("[axis]\nadriatic_sea: ita_ca_1")
        assert coast(move(table, "ita_ca_1", "adriatic_sea", "rome").after(), "ita_ca_1") == 1


class TestCape:
    """VE 13 Egypt VE 8.8: around the Cape to the red ports and from them, in spite of what the Mediterranean holds."""

    SHUT = (
        "[axis]\ngibraltar: ger_inf_1a\nsuez: ger_inf_3a\n{more}[control]\ngermany: gibraltar suez\nbritain: palestine"
    )

    def table(self, allied: str, more: str = "") -> Table:
        return scene(f"[allied]\n{allied}\n" + self.SHUT.format(more=more), phase="move allied", turn=SUMMER_1942)

    def test_it_ends_at_the_red_port(self) -> None:
        """Palestine: Aqaba and not Haifa."""
        table = self.table("southampton: bri_ca_1")
        after = move(table, "bri_ca_1", "southampton", "palestine", by="rebase").after()
        assert coast(after, "bri_ca_1") == 1

    def test_over_open_seas_it_ends_at_the_other_one(self) -> None:
        table = scene("[allied]\nsouthampton: bri_ca_1", phase="move allied")
        after = move(table, "bri_ca_1", "southampton", "palestine", by="rebase").after()
        assert coast(after, "bri_ca_1") == 0

    def test_it_begins_at_the_red_port(self) -> None:
        """From Haifa the ship comes to red ports only; Aqaba opens on no sea of the map."""
        levant = "levant_sea: ita_ca_1\n"
        red = self.table("palestine: bri_ca_1(3,coast1)", levant)
        assert "southampton" in targets(red, "bri_ca_1", "rebase")
        assert not paths(red, "bri_ca_1")
        haifa = self.table("palestine: bri_ca_1(3,coast0)", levant)
        assert not paths(haifa, "bri_ca_1", "rebase")
        assert "levant_sea" in targets(haifa, "bri_ca_1")


class TestCapeByAir:
    """VE 8.8: neutral Iraq, Turkey and the Soviets lie around a friendly Iran."""

    def table(self, blocks: str, phase: str = "move allied", friend: str = "allied") -> Table:
        war = ("germany", "italy", "britain", "france")
        return scene(f"{blocks}\n[minors]\n{friend}: iran", phase=phase, at_war=war)

    def test_allied_aircraft_come_to_its_red_port_and_no_farther(self) -> None:
        table = self.table("[allied]\nbirmingham: bri_fa_spitfire_1")
        assert "iran" in targets(table, "bri_fa_spitfire_1", "rebase")
        assert "tabriz" not in targets(table, "bri_fa_spitfire_1", "rebase")
        after = move(table, "bri_fa_spitfire_1", "birmingham", "iran", by="rebase").after()
        assert (after.state.blocks["bri_fa_spitfire_1"].at, spent(after, "allied")) == ("iran", 0)

    def test_and_from_it_to_every_port(self) -> None:
        found = targets(self.table("[allied]\niran: bri_fa_spitfire_1"), "bri_fa_spitfire_1", "rebase")
        assert {"southampton", "suez", "tabriz"} <= found
        assert "paris" not in found
        inland = targets(self.table("[allied]\ntabriz: bri_fa_spitfire_1"), "bri_fa_spitfire_1", "rebase")
        assert "southampton" not in inland

    def test_not_where_the_enemy_stands(self) -> None:
        table = self.table(
            "[allied]\nbirmingham: bri_fa_spitfire_1\n[axis]\niraq: ger_inf_1a\n[control]\ngermany: iraq"
        )
        assert "iraq" not in targets(table, "bri_fa_spitfire_1", "rebase")

    def test_others_do_not(self) -> None:
        table = self.table("[axis]\nmunich: ger_fa_me109_1", "move axis", "axis")
        assert "iran" not in targets(table, "ger_fa_me109_1", "rebase")


class TestOutOfBattle:
    """VE 4.3 VE 7.17: unpinned ships may rebase, but not the way that the enemy has come."""

    BLOCKS = (
        "[axis]\nenglish_channel: ger_ub_1(4,from=bay_of_biscay)\n{watch}"
        "[allied]\nenglish_channel: {ships}\n[control]\nbritain: brest"
    )

    def table(self, ships: str, watch: str = "") -> Table:
        return scene(
            self.BLOCKS.format(ships=ships, watch=watch),
            phase="move allied",
            order=("axis", "allied"),
            clashes={"english_channel": CLASH},
        )

    def test_one_is_pinned_and_the_other_goes(self) -> None:
        table = self.table("bri_ca_1 bri_ca_2")
        assert {"southampton", "scapa_flow"} <= targets(table, "bri_ca_1", "rebase")
        after = move(table, "bri_ca_1", "english_channel", "scapa_flow", by="rebase").after()
        assert spent(after, "allied") == 0
        move(after, "bri_ca_2", "english_channel", "scapa_flow", by="rebase").refused("VE 4.3", "PINNED")

    def test_the_enemys_way_is_closed(self) -> None:
        """Gibraltar lies beyond the Bay of Biscay; the seas to the west and the north are watched."""
        watch = "western_approaches: ger_ca_1\nnorth_sea: ger_ca_2\nirish_sea: ger_bc_scharnhorst\n"
        table = self.table("bri_ca_1 bri_ca_2", watch)
        assert "gibraltar" not in targets(table, "bri_ca_1", "rebase")
        assert {"southampton", "london"} <= targets(table, "bri_ca_1", "rebase")

    def test_a_strait_out_of_the_battle_is_a_strait(self) -> None:
        """VE 7.14"""
        table = scene(
            "[allied]\nwest_mediterranean: bri_ca_1(3,from=tyrrhenian_sea)\n[axis]\nwest_mediterranean: ita_ca_1 ita_ca_2\n"
            "gibraltar: ger_inf_1a\n[control]\ngermany: gibraltar brest bordeaux",
            order=("allied", "axis"),
            clashes={"west_mediterranean": {"attacker": "allied", "defender": "axis"}},
        )
        assert "bordeaux" in targets(table, "ita_ca_1", "rebase")
        shut = scene(
            "[allied]\nwest_mediterranean: bri_ca_1(3,from=tyrrhenian_sea)\n[axis]\nwest_mediterranean: ita_ca_1 ita_ca_2\n"
            "[control]\ngermany: brest bordeaux",
            order=("allied", "axis"),
            clashes={"west_mediterranean": {"attacker": "allied", "defender": "axis"}},
        )
        assert "bordeaux" not in targets(shut, "ita_ca_1", "rebase")


class TestOwnPorts:
    """VE 7.15: enemy coasts are closed to ships without an army; a port of one's own under attack is none."""

    def test_a_raid_does_not_close_it(self) -> None:
        """VE 4.4: the ship is a reinforcement."""
        table = scene(
            "[axis]\nbrest: ger_mb_he111_1(3,from=bay_of_biscay)\n[allied]\nbrest: bri_ca_1\nenglish_channel: bri_bb_nelson\n"
            "[control]\nbritain: brest",
            phase="move allied",
            order=("axis", "allied"),
            clashes={"brest": {**CLASH, "land": True}},
        )
        move(table, "bri_bb_nelson", "english_channel", "brest").includes(CommandsSpent("allied", 1, "battle"))

    def test_a_contested_port_of_the_enemy_stays_closed(self) -> None:
        table = scene(
            "[axis]\nbrest: ger_ca_1\n[allied]\nbrest: bri_mb_wellington(3,from=english_channel)\nenglish_channel: bri_bb_nelson\n"
            "[control]\ngermany: brest",
            phase="move allied",
            order=("allied", "axis"),
            clashes={"brest": {"attacker": "allied", "defender": "axis", "land": True}},
        )
        assert "brest" not in targets(table, "bri_bb_nelson")
