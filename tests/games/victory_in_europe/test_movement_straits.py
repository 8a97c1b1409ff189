"""What opens and closes straits and canals to ships [VE 7.14] [VE 1.7] [VE 4.1] [VE 6.13], the Leads [VE 1.62], ice [VE 3.43]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe.reach import closed_passages

from tests.support.table import Table

from .field import SUMMER_1942, WINTER_1942, paths, scene, targets

DENMARK, KIEL = ("baltic_sea", "skaggerak"), ("baltic_sea", "north_sea")


STRAITS = ("gulf_of_cadiz", "west_mediterranean")


def raided(attacker: str, defender: str, blocks: str) -> Table:
    """Gibraltar under an air raid, in the move phase of its defender."""
    return scene(
        blocks,
        phase=f"move {defender}",
        turn=SUMMER_1942,
        order=(attacker, defender),
        clashes={"gibraltar": {"attacker": attacker, "defender": defender, "land": True}},
    )


class TestContestedShores:
    """VE 7.14: control closes a strait, and control changes by armies that have won, not by a raid [VE 4.1] [VE 6.13]."""

    def test_a_raid_does_not_shut_it_to_its_holder(self) -> None:
        table = raided(
            "axis",
            "allied",
            "[axis]\ngibraltar: ger_mb_he111_1(3,from=west_mediterranean)\n"
            "[allied]\ngibraltar: bri_fort_gibraltar\ngulf_of_cadiz: bri_ca_1",
        )
        assert "west_mediterranean" in targets(table, "bri_ca_1")
        assert STRAITS in closed_passages(table.state, "axis")

    def test_nor_open_it_to_others(self) -> None:
        table = raided(
            "allied",
            "axis",
            "[axis]\ngibraltar: ger_inf_1a\ngulf_of_cadiz: ita_ca_1\n"
            "[allied]\ngibraltar: bri_mb_wellington(3,from=bay_of_biscay)\n[control]\ngermany: gibraltar",
        )
        assert "west_mediterranean" in targets(table, "ita_ca_1")
        assert STRAITS in closed_passages(table.state, "allied")

    def test_the_other_shore_counts_as_well(self) -> None:
        """VE 13 Gibraltar: Spanish Morocco in German hands."""
        table = scene(
            "[allied]\ngulf_of_cadiz: bri_ca_1\n[control]\ngermany: spanish_morocco\n[minors]\nconquered: spain",
            phase="move allied",
        )
        assert "west_mediterranean" not in targets(table, "bri_ca_1")


class TestWhatMustBeFriendly:
    """VE 13 Denmark VE 13 Turkey VE 13 Germany: a contested area is friendly to nobody [VE 4.1]."""

    def test_denmark_under_attack_lets_nobody_through(self) -> None:
        blocks = "[axis]\nskaggerak: ger_ca_1\ndenmark: ger_inf_1a\n[allied]\n{raid}\n[control]\ngermany: denmark\n[minors]\nconquered: denmark"
        calm = scene(blocks.format(raid="scotland: bri_mb_wellington"), turn=SUMMER_1942)
        assert DENMARK not in closed_passages(calm.state, "axis")
        raided = scene(
            blocks.format(raid="denmark: bri_mb_wellington(3,from=north_sea)"),
            turn=SUMMER_1942,
            order=("allied", "axis"),
            clashes={"denmark": {"attacker": "allied", "defender": "axis", "land": True}},
        )
        assert DENMARK in closed_passages(raided.state, "axis")

    def test_the_other_shore_of_denmark_may_be_contested(self) -> None:
        """VE 7.14: Gothenburg is a shore that must not be the enemy's."""
        table = scene(
            "[axis]\nskaggerak: ger_ca_1\ngothenburg: ger_inf_1a\n[allied]\ngothenburg: bri_mb_wellington(3,from=north_sea)\n"
            "[control]\ngermany: denmark gothenburg\n[minors]\nconquered: denmark sweden",
            turn=SUMMER_1942,
            order=("allied", "axis"),
            clashes={"gothenburg": {"attacker": "allied", "defender": "axis", "land": True}},
        )
        assert "baltic_sea" in targets(table, "ger_ca_1")

    def test_an_enemy_shore_beyond_a_friendly_denmark_does_not_stop_submarines(self) -> None:
        """VE 7.14: Gothenburg is British."""
        blocks = "[axis]\nskaggerak: ger_ca_1 ger_ub_1\n[allied]\nnorth_sea: bri_ca_1\n[control]\n{control}"
        table = scene(blocks.format(control="germany: denmark\nbritain: gothenburg"))
        assert "baltic_sea" in targets(table, "ger_ub_1")
        assert "baltic_sea" not in targets(table, "ger_ca_1")
        assert DENMARK not in closed_passages(table.state, "axis", submarine=True)
        neutral = scene(blocks.format(control="britain: gothenburg"))
        assert DENMARK in closed_passages(neutral.state, "axis", submarine=True)

    def test_the_kiel_canal_is_shut_while_hamburg_is_contested(self) -> None:
        blocks = "[axis]\nnorth_sea: ger_ca_1\nhamburg: ger_inf_1a\n[allied]\n{raid}"
        calm = scene(blocks.format(raid="london: bri_mb_wellington"), turn=SUMMER_1942)
        assert "baltic_sea" in targets(calm, "ger_ca_1")
        raided = scene(
            blocks.format(raid="hamburg: bri_mb_wellington(3,from=north_sea)"),
            turn=SUMMER_1942,
            order=("allied", "axis"),
            clashes={"hamburg": {"attacker": "allied", "defender": "axis", "land": True}},
        )
        assert "baltic_sea" not in targets(raided, "ger_ca_1")
        assert KIEL in closed_passages(raided.state, "axis", resources=True)

    def test_resources_pass_a_neutral(self) -> None:
        state = scene("").state
        assert DENMARK in closed_passages(state, "axis")
        assert DENMARK not in closed_passages(state, "axis", resources=True)


class TestLeads:
    """VE 1.62: from port to port along Norway, if all that are entered are friendly."""

    @pytest.mark.parametrize("ship", ["ger_ca_1", "ger_ub_1"])
    def test_a_port_under_attack_is_neither_passed_nor_reached_by_them(self, ship: str) -> None:
        """Help for it comes by sea [VE 4.4]; submarines run no other way."""
        blocks = (
            f"[axis]\nbergen: {ship}(2)\ntrondheim: ger_inf_20a\n[allied]\n{{raid}}\n"
            "[control]\ngermany: bergen trondheim narvik oslo\n[minors]\nconquered: norway"
        )
        header: dict[str, Any] = {"turn": SUMMER_1942, "order": ("allied", "axis")}
        calm = scene(blocks.format(raid="scotland: bri_mb_wellington"), **header)
        assert {("bergen", "trondheim"), ("bergen", "trondheim", "narvik")} <= paths(calm, ship)
        raided = scene(
            blocks.format(raid="trondheim: bri_mb_wellington(3,from=north_sea)"),
            clashes={"trondheim": {"attacker": "allied", "defender": "axis", "land": True}},
            **header,
        )
        assert {path for path in paths(raided, ship) if "trondheim" in path} == {("bergen", "north_sea", "trondheim")}
        assert "narvik" in targets(raided, ship)


class TestIce:
    """VE 3.43"""

    def test_a_battle_does_not_open_it(self) -> None:
        """Soviet bombers against a ship in the Gulf of Finland: another one comes to its help, but not in winter."""
        for turn, comes in ((SUMMER_1942, True), (WINTER_1942, False)):
            table = scene(
                "[axis]\ngulf_of_finland: ger_ca_1\nbaltic_sea: ger_ca_2\n[soviet]\n"
                "gulf_of_finland: sov_fa_yak1_1(2,from=leningrad)",
                turn=turn,
                order=("allied", "axis"),
                clashes={"gulf_of_finland": {"attacker": "soviet", "defender": "axis"}},
            )
            assert ("gulf_of_finland" in targets(table, "ger_ca_2")) is comes
