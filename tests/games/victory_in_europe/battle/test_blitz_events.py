"""Card events end where regroups and blitzes begin [VE 3.3] [VE 5.8] [VE 5.9]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.after import Regroup, StartBlitz
from stavka.games.victory_in_europe.battle.blitz import BlitzMove, EndBlitz
from stavka.games.victory_in_europe.battle.rounds import ChooseBattle

from tests.support.table import Table

from .cards import allied_card, axis_card, card
from .scene import SUMMER_1941, SUMMER_1943, clash, fire, hold, retreat, scene, step, targets, ways


def reinforced(there: str, more: str, header: str, minors: str = "") -> Table:
    """The second round at Kursk, which `there` attack from Bryansk and to which `more` come by blitz from Kharkov."""
    came = " ".join(f"{block}(from=kiev)" for block in more.split())
    table = scene(
        f"[axis]\nkharkov: ger_inf_18a(from=kiev) {came} ger_ldr_guderian(from=kiev)\nkursk: {there}\n"
        f"[soviet]\nkharkov: sov_guard_1(1)\nkursk: sov_inf3_1\n[control]\ngermany: kiev bryansk\n{minors}",
        {"kharkov": clash("axis", "soviet", land=True), "kursk": clash("axis", "soviet", land=True)},
        turn=SUMMER_1941,
        header=header,
    )
    table = step(table, ChooseBattle("kharkov"), "axis")
    while not any(getattr(option, "block", "") == "ger_inf_18a" for option in table.options("axis")):
        seat = table.decisions()[0][0]
        table = hold(table, table.options(seat)[0].block)
    table = fire(table, "ger_inf_18a", "army", 1)
    table = step(table, StartBlitz("axis", "ger_ldr_guderian"), "axis")
    for block in more.split():
        table = step(table, BlitzMove("axis", block, ("kharkov", "kursk")), "axis")
    return step(table, EndBlitz("axis"), "axis")


class TestReinforcedByBlitz:
    """VE 3.3: the event goes on for those who were in its battle, and not for those whom a blitz brings."""

    ALL_ARMIES = axis_card("firepower_bonus", role="attacker", types={"panzer", "infantry"})

    def test_firepower(self) -> None:
        table = reinforced("ger_inf_17a(from=bryansk)", "ger_pz_4a", card("axis", self.ALL_ARMIES, "kursk"))
        assert targets(table, "ger_inf_17a") == {"army": "D3"}
        table = hold(table, "sov_inf3_1", "ger_inf_17a")
        assert targets(table, "ger_pz_4a") == {"army": "C2"}
        assert targets(table, "ger_inf_17a") == {"army": "D3"}

    def test_a_minor_has_it_from_those_alone_who_have_it(self) -> None:
        header, minors = card("axis", self.ALL_ARMIES, "kursk"), "[minors]\naxis: hungary"
        table = reinforced("ger_inf_17a(from=bryansk) hun_inf_1a(from=bryansk)", "ger_pz_4a", header, minors)
        assert targets(table, "hun_inf_1a") == {"army": "D2"}
        table = reinforced("hun_inf_1a(from=bryansk)", "ger_pz_4a", header, minors)
        table = hold(table, "sov_inf3_1", "hun_inf_1a", "ger_pz_4a")
        assert targets(table, "hun_inf_1a") == {"army": "D1"}

    def test_nor_do_defenders_bring_it(self) -> None:
        """VE 4.4: a blitz may help a battle in one's own area as well."""
        table = scene(
            "[axis]\nkharkov: ger_inf_16a(1,from=kiev)\nkursk: ger_inf_17a(from=bryansk)\n"
            "[soviet]\nkharkov: sov_guard_1 sov_guard_2 sov_ldr_zhukov\nkursk: sov_inf4_1\n[control]\ngermany: kiev bryansk",
            {"kharkov": clash("axis", "soviet", land=True), "kursk": clash("axis", "soviet", land=True)},
            turn=SUMMER_1943,
            header=card("allied", allied_card("firepower_bonus", role="defender", types={"guard"}), "kursk"),
        )
        table = step(table, ChooseBattle("kharkov"), "axis")
        table = fire(table, "sov_guard_1", "army", 1)
        table = step(table, StartBlitz("allied", "sov_ldr_zhukov"), "allied")
        table = step(table, BlitzMove("allied", "sov_guard_1", ("kharkov", "kursk")), "allied")
        table = step(table, EndBlitz("allied"), "allied")
        assert targets(table, "sov_inf4_1") == {"army": "D2"}  # one better than its label
        table = hold(table, "sov_inf4_1", "ger_inf_17a")
        assert targets(table, "sov_guard_1") == {"army": "D2"}


class TestWiderBorder:
    """VE 3.3, VE 4.6: the event that lets one more army over a border holds for its battle and the retreats out of it."""

    EVENT = f'played {{"allied":"{allied_card("border_bonus")}"}}\neffects ["allied:border:kharkov|kursk"]'
    THREE = ("sov_inf4_1", "sov_inf4_2", "sov_tank_1")

    def attack(self, header: str = EVENT, origin: str = "kursk", germans: str = "4", kursk: str = "") -> Table:
        """Three Soviet armies and a leader have come to Kharkov."""
        came = " ".join(f"{block}(from={origin})" for block in (*self.THREE, "sov_ldr_zhukov"))
        return scene(
            f"[axis]\nkharkov: ger_inf_16a({germans})\n{kursk}\n[soviet]\nkharkov: {came}\n"
            f"[control]\ngermany: kharkov {'kursk' if kursk else ''}",
            {"kharkov": clash("soviet", "axis", land=True)},
            turn=SUMMER_1943,
            order=("allied", "axis"),
            header=header,
        )

    def after_two(self, table: Table) -> list[str]:
        """Ways out of Kharkov for the third army of a round, when two have gone to Kursk."""
        table = retreat(table, "sov_tank_1", "kursk")
        table = retreat(hold(table, "ger_inf_16a"), "sov_inf4_1", "kursk")
        return ways(table, "sov_inf4_2")

    def test_three_retreat_over_it(self) -> None:
        assert "kursk" in self.after_two(self.attack())
        assert "kursk" not in self.after_two(self.attack(header=""))

    def test_not_out_of_a_battle_to_which_nobody_came_over_it(self) -> None:
        assert "kursk" not in self.after_two(self.attack(origin="voronezh"))

    def won(self, kursk: str = "") -> Table:
        table = hold(self.attack(germans="1", kursk=kursk), "sov_tank_1", "ger_inf_16a")
        return fire(table, "sov_inf4_1", "army", 1)

    def test_not_in_a_regroup(self) -> None:
        """VE 5.8"""
        table = self.won()
        for block in self.THREE[:2]:
            table = step(table, Regroup("allied", block, "kursk"), "allied")
        table.when(Regroup("allied", "sov_tank_1", "kursk"), "allied").refused("VE 5.8", "CANNOT_REGROUP_THERE")

    def blitz(self) -> Table:
        """On to Kursk, which was lost behind them: two armies over that border."""
        table = step(self.won("kursk: ger_inf_17a"), StartBlitz("allied", "sov_ldr_zhukov"), "allied")
        for block in ("sov_inf4_1", "sov_inf4_2"):
            table = step(table, BlitzMove("allied", block, ("kharkov", "kursk")), "allied")
        return table

    def test_not_in_a_blitz(self) -> None:
        """VE 5.9"""
        table = self.blitz()
        table.when(BlitzMove("allied", "sov_tank_1", ("kharkov", "kursk")), "allied").refused("VE 4.6", "BORDER_LIMIT")

    def test_not_out_of_its_battle_either(self) -> None:
        table = step(self.blitz(), BlitzMove("allied", "sov_tank_1", ("kharkov", "voronezh", "kursk")), "allied")
        table = step(table, EndBlitz("allied"), "allied")
        table = retreat(table, "sov_tank_1", "kharkov")
        table = retreat(hold(table, "ger_inf_17a"), "sov_inf4_1", "kharkov")
        assert "kharkov" not in ways(table, "sov_inf4_2")
        assert "voronezh" in ways(table, "sov_inf4_2")
