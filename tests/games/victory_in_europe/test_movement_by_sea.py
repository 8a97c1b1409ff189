"""Strategic moves by sea out of a battle [VE 4.3] [VE 4.7]."""

from __future__ import annotations

from stavka.games.victory_in_europe.events import BorderCrossed, CommandsSpent

from tests.support.table import Table

from .field import SUMMER_1941, move, scene, targets

FULL = ["dnepropetrovsk|odessa", "kiev|odessa", "odessa|sevastopol", "odessa|vinnitsa"]


class TestWithdrawalBySea:
    """VE 4.3 VE 4.7: unpinned armies sail from a port whose sea is open."""

    def crete(self, defenders: str, axis: str = "") -> Table:
        """Suda Bay opens on the Aegean, from which the Germans have come, and on the East Mediterranean."""
        return scene(
            f"[axis]\ncrete: ger_inf_1a(4,from=aegean_sea)\n{axis}[allied]\ncrete: {defenders}\n[control]\nbritain: crete",
            phase="move allied",
            turn=SUMMER_1941,
            clashes={"crete": {"attacker": "axis", "defender": "allied", "invaded": "aegean_sea"}},
        )

    def test_who_is_unpinned_leaves_an_island(self) -> None:
        table = self.crete("bri_inf_bef bri_inf_8a")
        after = move(table, "bri_inf_8a", "crete", "cairo", by="strategic").includes(
            CommandsSpent("allied", 1, "strategic")
        )
        assert after.state.blocks["bri_inf_8a"].at == "cairo"
        move(after, "bri_inf_bef", "crete", "cairo", by="strategic").refused("VE 4.3", "PINNED")

    def test_not_over_the_sea_of_the_attackers(self) -> None:
        """With the other sea the enemy's nobody gets away."""
        table = self.crete("bri_inf_bef bri_inf_8a", "east_mediterranean: ita_ca_1\n")
        assert not targets(table, "bri_inf_8a", "strategic")
        move(table, "bri_inf_8a", "crete", "cairo", by="strategic").refused("VE 4.7", "NO_STRATEGIC_WAY")

    def test_a_port_of_one_sea_is_shut_by_those_who_came_over_it(self) -> None:
        blocks = "[axis]\ncairo: ger_inf_1a(4,from={})\n[allied]\ncairo: bri_inf_bef bri_inf_8a\n[control]\nbritain: crete\ngermany: mersa_matruh"
        for came, away in (("east_mediterranean", False), ("mersa_matruh", True)):
            table = scene(
                blocks.format(came),
                phase="move allied",
                turn=SUMMER_1941,
                clashes={"cairo": {"attacker": "axis", "defender": "allied", "land": True}},
            )
            assert ("crete" in targets(table, "bri_inf_8a", "strategic")) is away

    def test_no_border_limit_binds_it(self) -> None:
        """VE 4.6: the borders of Odessa are full, its sea is open."""
        table = scene(
            "[axis]\nodessa: ger_inf_1a(4,from=bessarabia)\n[soviet]\nodessa: sov_guard_1 sov_guard_2\n[control]\ngermany: bessarabia",
            phase="move allied",
            turn=SUMMER_1941,
            clashes={"odessa": {"attacker": "axis", "defender": "soviet", "land": True}},
            camps={"soviet": {"crossed": FULL * 2}},
        )
        assert "kharkov" not in targets(table, "sov_guard_1", "strategic")
        move(table, "sov_guard_1", "odessa", "sevastopol", by="strategic").lacks(BorderCrossed)
