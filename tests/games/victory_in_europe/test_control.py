"""Whose an area is once an army has taken it [VE 4.1] [VE 10.0] [VE 11.2]."""

from __future__ import annotations

from stavka.games.victory_in_europe.production.tally import tally_of

from tests.support.table import Table

from .field import SUMMER_1942, move, scene


class TestLiberation:
    """VE 4.1: what belongs to an ally of old is his again; VE 10.0: a conquered minor is gone for good."""

    def liberated(self, minors: str, holder: str = "germany") -> Table:
        table = scene(
            f"[allied]\nbordeaux: bri_inf_bef\n[control]\nbritain: bordeaux\n{holder}: bilbao\n[minors]\n{minors}",
            phase="move allied",
            turn=SUMMER_1942,
        )
        return move(table, "bri_inf_bef", "bordeaux", "bilbao").after()

    def test_an_ally_gets_his_own_back(self) -> None:
        assert self.liberated("allied: spain").state.control["bilbao"] == "spain"

    def test_a_conquered_minor_gets_nothing(self) -> None:
        assert self.liberated("conquered: spain").state.control["bilbao"] == "britain"

    def test_so_its_resources_are_the_liberators(self) -> None:
        """VE 11.2: from the next turn on."""
        state = self.liberated("conquered: spain").state
        assert "bilbao" in state.conquests
        next_turn = scene("[control]\nbritain: bordeaux bilbao\n[minors]\nconquered: spain", turn=SUMMER_1942 + 1)
        assert ("bilbao", 1, "VE 11.2") in tally_of(next_turn.state, "britain").resources

    def test_nor_does_a_power_that_has_surrendered(self) -> None:
        """VE 13 France"""
        table = scene(
            "[allied]\nbordeaux: bri_inf_bef\n[control]\nbritain: bordeaux\ngermany: paris",
            phase="move allied",
            turn=SUMMER_1942,
            at_war=("germany", "italy", "britain", "soviet_union", "united_states"),
            fallen=["france"],
        )
        after = move(table, "bri_inf_bef", "bordeaux", "paris").after()
        assert after.state.control["paris"] == "britain"
