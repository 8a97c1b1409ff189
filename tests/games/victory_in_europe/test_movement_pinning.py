"""Who may leave a battle before it is fought, and how [VE 4.3]."""

from __future__ import annotations

from tests.support.table import Table

from .field import SUMMER_1941, move, paths, scene, targets


class TestPinning:
    """VE 4.3"""

    def table(self, defenders: str) -> Table:
        return scene(
            f"[axis]\nwarsaw: ger_inf_1a(4,from=poznan,moved=poznan)\n[allied]\nwarsaw: {defenders}\n"
            "[control]\ngermany: poznan\nbritain: warsaw krakow lvov danzig",
            phase="move allied",
            clashes={"warsaw": {"attacker": "axis", "defender": "allied", "land": True}},
        )

    def test_as_many_as_attack_are_held(self) -> None:
        table = self.table("bri_inf_bef")
        move(table, "bri_inf_bef", "warsaw", "krakow").refused("VE 4.3", "PINNED")

    def test_the_others_may_leave_but_not_by_the_attackers_border(self) -> None:
        table = self.table("bri_inf_bef bri_inf_8a")
        assert ("warsaw", "krakow") in paths(table, "bri_inf_bef")
        assert ("warsaw", "poznan") not in paths(table, "bri_inf_bef")
        after = move(table, "bri_inf_bef", "warsaw", "krakow").after()
        move(after, "bri_inf_8a", "warsaw", "krakow").refused("VE 4.3", "PINNED")

    def kiev(self, axis: str) -> Table:
        return scene(
            f"[axis]\nkiev: {axis}\nlvov: ger_inf_3a\n[soviet]\nkiev: sov_guard_1(from=kursk)\nvinnitsa: sov_guard_2\n"
            "[control]\ngermany: kiev lvov",
            turn=SUMMER_1941,
            clashes={"kiev": {"attacker": "soviet", "defender": "axis", "land": True}},
            order=["allied", "axis"],
        )

    def test_who_leaves_does_not_come_back_to_the_battle(self) -> None:
        """Not around the attackers' border either, to take what lies on the way and arrive as a reinforcement."""
        table = self.kiev("ger_inf_16a ger_pz_1a")
        ways = paths(table, "ger_pz_1a")
        assert ("kiev", "kharkov") in ways and not any(way[-1] == "kiev" for way in ways)
        move(table, "ger_pz_1a", "kiev", "kharkov", "kursk", "kiev").refused("VE 4.2", "OUT_OF_REACH")

    def test_an_unpinned_airborne_block_drops_elsewhere(self) -> None:
        """VE 2.6"""
        table = move(self.kiev("ger_inf_16a ger_airborne"), "ger_inf_3a", "lvov", "vinnitsa").after()
        assert "vinnitsa" in targets(table, "ger_airborne", "airdrop")
        table = move(self.kiev("ger_airborne"), "ger_inf_3a", "lvov", "vinnitsa").after()
        move(table, "ger_airborne", "kiev", "vinnitsa", by="airdrop").refused("VE 4.3", "PINNED")

    def test_unpinned_units_may_leave_strategically(self) -> None:
        """VE 4.7"""
        table = self.table("bri_inf_bef bri_inf_8a")
        assert "krakow" in targets(table, "bri_inf_bef", "strategic")
        assert "poznan" not in targets(table, "bri_inf_bef", "strategic")
