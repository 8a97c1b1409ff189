"""Where aircraft may not go [VE 13 Soviet Union] [VE 13 Canada], and those of an attacked neutral [VE 10.1]."""

from __future__ import annotations

from tests.support.table import Table

from .field import SUMMER_1941, SUMMER_1942, move, scene, targets


class TestUrals:
    """VE 13 Soviet Union: the Urals are closed to all units of the Axis, aircraft too."""

    BLOCKS = "[axis]\nkuibyshev: ger_mb_he111_1\n[soviet]\nurals: sov_inf4_1\nkazan: sov_inf4_2\n[control]\ngermany: kuibyshev\n[factories]\nurals: 2"

    def test_no_raid_there(self) -> None:
        table = scene(self.BLOCKS, turn=SUMMER_1942)
        assert "urals" not in targets(table, "ger_mb_he111_1")
        move(table, "ger_mb_he111_1", "kuibyshev", "urals").refused("VE 4.2", "OUT_OF_REACH")

    def test_what_lies_beside_them_can_be_raided(self) -> None:
        assert "kazan" in targets(scene(self.BLOCKS, turn=SUMMER_1942), "ger_mb_he111_1")

    def test_nobody_of_the_axis_flies_over_them(self) -> None:
        """Vologda is two areas from Astrakhan over the Urals, and farther in every other way."""
        blocks = "[{side}]\nastrakhan: {block}\n[{foe}]\nvologda: {target}\n[control]\n{power}: astrakhan"
        table = scene(
            blocks.format(side="axis", block="ger_fa_me109_1", foe="soviet", target="sov_inf4_1", power="germany"),
            turn=SUMMER_1942,
        )
        assert "vologda" not in targets(table, "ger_fa_me109_1")
        soviet = scene(
            blocks.format(side="soviet", block="sov_fa_yak1_1", foe="axis", target="ger_inf_1a", power="soviet_union"),
            phase="move allied",
            turn=SUMMER_1942,
        )
        assert "vologda" in targets(soviet, "sov_fa_yak1_1")


class TestCanada:
    """VE 13 Canada: it cannot be attacked."""

    BLOCKS = "[axis]\nbrest: ger_nb_fw200\n[allied]\ncanada: bri_can_1a\nconvoy_c: bri_ca_1\n[factories]\ncanada: 2\n[control]\ngermany: brest"

    def test_no_raid_there(self) -> None:
        table = scene(self.BLOCKS)
        assert "canada" not in targets(table, "ger_nb_fw200")
        move(table, "ger_nb_fw200", "brest", "convoy_c", "canada").refused("VE 4.2", "OUT_OF_REACH")

    def test_its_factories_are_out_of_reach_too(self) -> None:
        table = scene(
            "[axis]\neire: ger_mb_he111_1\n[minors]\nconquered: eire\n[control]\ngermany: eire\n[factories]\ncanada: 2\nliverpool: 1"
        )
        assert "canada" not in targets(table, "ger_mb_he111_1")
        assert "liverpool" in targets(table, "ger_mb_he111_1")

    def test_the_convoys_before_it_can_be_attacked(self) -> None:
        assert "convoy_c" in targets(scene(self.BLOCKS), "ger_nb_fw200")

    def test_its_own_side_bases_there(self) -> None:
        table = scene("[allied]\nliverpool: bri_fa_spitfire_1", phase="move allied")
        assert "canada" in targets(table, "bri_fa_spitfire_1", "rebase")


class TestAttackedNeutral:
    """VE 10.1: its aircraft stay within its borders, and move there like its armies."""

    def table(self, axis: str = "bucharest: ger_inf_1a(4,from=sofia)") -> Table:
        return scene(
            f"[axis]\n{axis}\n[allied]\nbucharest: rom_inf_4a\nconstanta: rom_fa\n[control]\ngermany: sofia",
            turn=SUMMER_1941,
            phase="move allied",
            order=("axis", "allied"),
            attacked={"romania": "axis"},
            clashes={"bucharest": {"attacker": "axis", "defender": "allied", "land": True}},
        )

    def test_they_come_to_the_battle(self) -> None:
        after = move(self.table(), "rom_fa", "constanta", "bucharest").after()
        assert after.state.clashes["bucharest"].reinforced

    def test_they_change_their_base(self) -> None:
        after = move(self.table(), "rom_fa", "constanta", "iasi").after()
        assert after.state.blocks["rom_fa"].at == "iasi"

    def test_they_leave_their_country_for_nothing(self) -> None:
        """Varna with the attackers' second army is next to Constanta; so is the Black Sea."""
        table = self.table("bucharest: ger_inf_1a(4,from=sofia)\nvarna: ger_inf_3a\n")
        assert targets(table, "rom_fa") == {"bucharest", "iasi", "cluj"}
        assert not targets(table, "rom_fa", "rebase")

    def test_those_of_a_neutral_at_peace_stay_where_they_are(self) -> None:
        """VE 10.1: Italian aircraft before the war may go from one Italian area to another and no farther."""
        table = scene(
            "[axis]\nrome: ita_fa_c202\n[allied]\nmalta: bri_fort_malta",
            at_war=("germany", "britain", "france"),
        )
        assert not targets(table, "ita_fa_c202")
        assert targets(table, "ita_fa_c202", "rebase") <= {
            a for a in table.state.control if table.state.control[a] == "italy"
        }
