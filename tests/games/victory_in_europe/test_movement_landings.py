"""Who may land from the sea, and who comes along [VE 7.5]."""

from __future__ import annotations

from typing import Any

from stavka.games.victory_in_europe.events import LanesKept, SideLanded

from tests.support.table import Table

from .field import SUMMER_1942, move, paths, scene, spent, targets

CHANNEL = ("southampton", "english_channel", "le_havre")


def contested(attacker: str, defender: str, axis: str, allied: str, control: str) -> Table:
    """A battle in Le Havre; British infantry and Montgomery wait across the Channel."""
    return scene(
        f"[axis]\nle_havre: {axis}\n[allied]\nle_havre: {allied}\n"
        "southampton: bri_inf_10a bri_inf_anzac bri_ldr_montgomery\nenglish_channel: bri_ca_1\n"
        f"[control]\n{control}",
        phase="move allied",
        turn=SUMMER_1942,
        clashes={"le_havre": {"attacker": attacker, "defender": defender, "land": True}},
    )


class TestWhoLands:
    """VE 7.5: invasions go to enemy coasts; help for a coast of one's own comes by land [VE 4.4] [VE 4.7]."""

    def test_a_defender_does_not_invade_the_coast_that_he_holds(self) -> None:
        table = contested(
            "axis", "allied", "ger_inf_1a(4,from=paris)", "bri_inf_bef", "germany: paris\nbritain: le_havre brest"
        )
        for block in ("bri_inf_10a", "bri_ldr_montgomery"):
            assert not paths(table, block, "invade")
            move(table, block, *CHANNEL, by="invade").refused("VE 7.5", "NOT_THE_ATTACKER")

    def test_an_attacker_may_land_where_he_attacks_already(self) -> None:
        """It is the invasion of the turn, at its full price, and the ship of the sea stays."""
        table = contested(
            "allied", "axis", "ger_inf_1a", "bri_inf_bef(3,from=brest)", "germany: paris le_havre\nbritain: brest"
        )
        after = move(table, "bri_inf_10a", *CHANNEL, by="invade").includes(SideLanded("allied"))
        assert spent(after, "allied") == 2
        move(after, "bri_ca_1", "english_channel", "southampton").refused("VE 7.5", "MUST_HOLD_SEA")
        assert not paths(after, "bri_inf_anzac", "invade")


UNOPPOSED = """
[axis]
calais: ger_inf_1a
[allied]
southampton: bri_inf_bef bri_ldr_montgomery
{more}
english_channel: bri_ca_1 bri_ca_2
[control]
germany: le_havre calais paris brest
"""


class TestLeadersAtLandings:
    """VE 7.5: a leader may come with the infantry, whether or not somebody defends the beach."""

    def table(self, more: str = "", **header: Any) -> Table:
        return scene(
            UNOPPOSED.format(more=more), phase="move allied", turn=SUMMER_1942, order=("allied", "axis"), **header
        )

    def test_one_comes_to_a_vacant_coast_for_the_same_command(self) -> None:
        table = self.table()
        after = move(table, "bri_inf_bef", *CHANNEL, by="invade").includes(
            LanesKept("allied", "allied", ("english_channel", "le_havre"))
        )
        assert paths(after, "bri_ldr_montgomery", "invade") == {CHANNEL}
        after = move(after, "bri_ldr_montgomery", *CHANNEL, by="invade").lacks(SideLanded, LanesKept)
        assert after.state.blocks["bri_ldr_montgomery"].at == "le_havre"
        assert spent(after, "allied") == 1

    def test_he_does_not_take_a_coast_alone(self) -> None:
        table = self.table()
        assert not paths(table, "bri_ldr_montgomery", "invade")
        move(table, "bri_ldr_montgomery", *CHANNEL, by="invade").refused("VE 7.5", "NO_INVASION_TO_JOIN")

    def test_he_comes_to_the_beach_of_the_landing_and_to_no_other(self) -> None:
        after = move(self.table(), "bri_inf_bef", *CHANNEL, by="invade").after()
        assert targets(after, "bri_ldr_montgomery", "invade") == {"le_havre"}
        move(after, "bri_ldr_montgomery", "southampton", "english_channel", "brest", by="invade").refused(
            "VE 7.5", "NO_INVASION_WAY"
        )

    def test_he_crosses_the_seas_that_the_infantry_has_crossed(self) -> None:
        """The ship in the Irish Sea holds no lane of this invasion: it is free to go."""
        table = self.table("irish_sea: bri_ca_3\nbelfast: bri_ldr_alexander\nlondon: usa_ldr_patton")
        after = move(table, "bri_inf_bef", *CHANNEL, by="invade").after()
        assert not paths(after, "bri_ldr_alexander", "invade")
        assert "irish_sea" not in after.state.camps["allied"].lanes
        assert paths(after, "usa_ldr_patton", "invade") == {("london", *CHANNEL[1:])}

    def test_more_infantry_does_not_follow(self) -> None:
        after = move(self.table("london: bri_inf_8a"), "bri_inf_bef", *CHANNEL, by="invade").after()
        assert not paths(after, "bri_inf_8a", "invade")
        move(after, "bri_inf_8a", "london", "english_channel", "brest", by="invade").refused(
            "VE 7.5", "ONE_INVASION_A_TURN"
        )

    def test_one_leader_an_area(self) -> None:
        """VE 5.7"""
        after = move(self.table("london: usa_ldr_patton"), "bri_inf_bef", *CHANNEL, by="invade").after()
        after = move(after, "bri_ldr_montgomery", *CHANNEL, by="invade").after()
        move(after, "usa_ldr_patton", "london", "english_channel", "le_havre", by="invade").refused(
            "VE 4.5", "OVERSTACKED"
        )
