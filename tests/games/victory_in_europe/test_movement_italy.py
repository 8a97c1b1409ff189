"""What a neutral Italy does within her borders [VE 13 Italy]."""

from __future__ import annotations

from tests.support.table import Table

from .field import move, scene, spent, targets

WEST = ("germany", "britain", "france")


def italy(blocks: str) -> Table:
    return scene(blocks, at_war=WEST)


class TestStrategicMoves:
    """VE 4.7"""

    def test_over_land_and_sea_to_all_that_is_hers(self) -> None:
        table = italy("[axis]\nmilan: ita_inf_1a")
        assert {"taranto", "sicily", "sardinia", "albania", "tripoli", "tobruk"} <= targets(
            table, "ita_inf_1a", "strategic"
        )
        after = move(table, "ita_inf_1a", "milan", "tripoli", by="strategic").after()
        assert (after.state.blocks["ita_inf_1a"].at, spent(after)) == ("tripoli", 1)

    def test_to_nobody_elses(self) -> None:
        """Berlin and Marseilles have ports too."""
        table = italy("[axis]\nmilan: ita_inf_1a")
        hers = {area for area, holder in table.state.control.items() if holder == "italy"}
        assert targets(table, "ita_inf_1a", "strategic") <= hers

    def test_not_over_seas_that_others_use(self) -> None:
        """Neither enemies yet nor friends: seas of her own ships and vacant ones alone."""
        blocks = "[axis]\nsardinia: ita_inf_1a\nwest_mediterranean: ger_ca_1\ntyrrhenian_sea: {}\n[allied]\ngulf_of_lyon: bri_ca_1"
        shut = italy(blocks.format("ger_ca_2"))
        assert not targets(shut, "ita_inf_1a", "strategic")
        for ship in ("ita_ca_1", ""):
            table = italy(blocks.format(ship))
            assert {"sicily", "rome"} <= targets(table, "ita_inf_1a", "strategic")

    def test_nobody_lands(self) -> None:
        """VE 7.5: a coast contested by others is none of her business."""
        table = scene(
            "[axis]\nmilan: ita_inf_1a\ngulf_of_lyon: ita_ca_1\nmarseilles: ger_inf_1a(4,from=lyon)\n"
            "[allied]\nmarseilles: fra_inf_1a\n[control]\ngermany: lyon",
            at_war=WEST,
            clashes={"marseilles": {"attacker": "axis", "defender": "allied", "land": True}},
        )
        assert not targets(table, "ita_inf_1a", "invade")


class TestRebases:
    """VE 7.17 VE 6.14"""

    def test_ships_go_from_port_to_port(self) -> None:
        table = italy("[axis]\nmilan: ita_ca_1\nsicily: ita_fa_c202")
        hers = {area for area, holder in table.state.control.items() if holder == "italy"}
        assert {"venice", "albania", "tobruk"} <= targets(table, "ita_ca_1", "rebase") <= hers
        after = move(table, "ita_ca_1", "milan", "tobruk", by="rebase").after()
        assert (after.state.blocks["ita_ca_1"].at, spent(after)) == ("tobruk", 0)
        assert "tobruk" in targets(after, "ita_fa_c202", "rebase")

    def test_not_over_seas_that_others_use(self) -> None:
        blocks = "[axis]\nmilan: ita_ca_1\n[allied]\ngulf_of_lyon: bri_ca_1"
        table = italy(blocks)
        assert not targets(table, "ita_ca_1", "rebase")
        move(table, "ita_ca_1", "milan", "tobruk", by="rebase").refused("VE 6.14", "NO_REBASE")

    def test_those_of_an_attacked_neutral_stay(self) -> None:
        """VE 10.1"""
        blocks = "[allied]\nstockholm: swe_ca swe_inf_1a"
        table = scene(blocks, phase="move allied", at_war=WEST, attacked={"sweden": "axis"})
        assert not targets(table, "swe_ca", "rebase")
        assert not targets(table, "swe_inf_1a", "strategic")
        ally = scene(f"{blocks}\n[minors]\nallied: sweden", phase="move allied", at_war=WEST)
        assert "lulea" in targets(ally, "swe_ca", "rebase")
        assert "lulea" in targets(ally, "swe_inf_1a", "strategic")


class TestOthersBattles:
    """Neither army, ship nor aircraft goes where Germany fights, and none leaves what is hers."""

    def marseilles(self, hers: str) -> Table:
        table = italy(f"[axis]\n{hers}\nlyon: ger_inf_1a\n[allied]\nmarseilles: fra_inf_1a\n[control]\ngermany: lyon")
        return move(table, "ger_inf_1a", "lyon", "marseilles").after()

    def test_none_joins_them(self) -> None:
        table = self.marseilles("milan: ita_inf_1a ita_ca_1 ita_fa_c202")
        for block in ("ita_inf_1a", "ita_ca_1", "ita_fa_c202"):
            assert "marseilles" not in targets(table, block)
        assert "venice" in targets(table, "ita_inf_1a")
        move(table, "ita_inf_1a", "milan", "marseilles").refused("VE 4.2", "OUT_OF_REACH")

    def test_at_war_she_does(self) -> None:
        table = scene(
            "[axis]\nmilan: ita_inf_1a\nlyon: ger_inf_1a\n[allied]\nmarseilles: fra_inf_1a\n[control]\ngermany: lyon"
        )
        table = move(table, "ger_inf_1a", "lyon", "marseilles").after()
        assert "marseilles" in targets(table, "ita_inf_1a")

    def test_german_ground_is_not_hers(self) -> None:
        table = italy("[axis]\nmilan: ita_inf_1a\n[control]\ngermany: marseilles lyon innsbruck")
        hers = {area for area, holder in table.state.control.items() if holder == "italy"}
        assert targets(table, "ita_inf_1a") <= hers
