"""Regroups, landings and blitzes [VE 5.8] [VE 5.9] [VE 6.22] [VE 7.4] [VE 10.3]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.after import EndRegroup, Regroup, StartBlitz
from stavka.games.victory_in_europe.battle.blitz import BlitzMove, DeclareBlitzWar, EndBlitz
from stavka.games.victory_in_europe.battle.rounds import ChooseBattle
from stavka.games.victory_in_europe.battle.turns import Hold
from stavka.games.victory_in_europe.state import Clash

from tests.support.table import Table

from .scene import SUMMER_1941, clash, end_regroup, fire, hold, place, scene, step, steps, targets

KIEV = "[control]\ngermany: kiev dnepropetrovsk"


def won(axis: str, soviet: str = "") -> Table:
    """Kharkov taken by infantry 16A in the first round; `axis` are the other attackers, `soviet` blocks elsewhere."""
    table = scene(
        f"[axis]\nkharkov: ger_inf_16a(from=kiev) {axis}\n[soviet]\nkharkov: sov_guard_1(1)\n{soviet}\n{KIEV}",
        {"kharkov": clash("axis", "soviet", land=True)},
        turn=SUMMER_1941,
    )
    while not any(getattr(option, "block", "") == "ger_inf_16a" for option in table.options("axis")):
        seat = table.decisions()[0][0]
        table = step(table, next(o for o in table.options(seat) if isinstance(o, Hold)), seat)
    return fire(table, "ger_inf_16a", "army", 1)


def targets_of(table: Table, block: str) -> set[str]:
    return {o.target for o in table.options("axis") if isinstance(o, Regroup) and o.block == block}


class TestRegroup:
    """VE 5.8: the victor may move to adjacent friendly or empty areas, within border limits and stacking."""

    def test_friendly_and_empty_enemy_areas(self) -> None:
        table = won("", "kursk: sov_inf3_1")
        assert {"kiev", "dnepropetrovsk", "stalino"} <= targets_of(table, "ger_inf_16a")
        assert "kursk" not in targets_of(table, "ger_inf_16a")
        table.when(Regroup("axis", "ger_inf_16a", "kursk"), "axis").refused("VE 5.8", "CANNOT_REGROUP_THERE")

    def test_an_empty_enemy_area_is_taken(self) -> None:
        table = step(won(""), Regroup("axis", "ger_inf_16a", "stalino"), "axis")
        assert table.state.control["stalino"] == "germany"
        assert place(table, "ger_inf_16a") == "stalino"

    def test_nobody_else_moves(self) -> None:
        table = won("")
        table.when(Regroup("axis", "ger_inf_18a", "kiev"), "axis").refused("VE 5.8", "NOT_THERE")

    def test_each_once(self) -> None:
        table = won("ger_pz_4a(from=kiev)")
        table = step(table, Regroup("axis", "ger_pz_4a", "kiev"), "axis")
        table.when(Regroup("axis", "ger_pz_4a", "kharkov"), "axis").refused("VE 5.8", "NOT_THERE")

    def test_border_limits(self) -> None:
        table = won("ger_pz_4a(from=kiev) ger_inf_18a(from=dnepropetrovsk)")
        table = step(table, Regroup("axis", "ger_pz_4a", "kiev"), "axis")
        table = step(table, Regroup("axis", "ger_inf_18a", "kiev"), "axis")
        assert "kiev" not in targets_of(table, "ger_inf_16a")
        assert "dnepropetrovsk" in targets_of(table, "ger_inf_16a")

    def test_the_victor_may_be_the_defender(self) -> None:
        table = scene(
            f"[axis]\nkharkov: ger_inf_16a(1,from=kiev)\n[soviet]\nkharkov: sov_guard_1\n{KIEV}",
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = fire(table, "sov_guard_1", "army", 1)
        assert table.decisions() == [("allied", "regroup")]
        table = end_regroup(table, "allied")
        assert not table.state.clashes

    def test_a_neutral_garrison_stays_within_its_country(self) -> None:
        table = scene(
            "[axis]\noslo: ger_inf_16a(1,from=skaggerak)\n[allied]\noslo: nor_inf_1a(2)\n[control]\ngermany: denmark",
            {"oslo": clash("axis", "allied", invaded="skaggerak")},
            header='attacked {"norway":"axis"}',
        )
        table = fire(table, "nor_inf_1a", "army", 1)
        found = {o.target for o in table.options("allied") if isinstance(o, Regroup)}
        assert "trondheim" in found
        assert all(table.state.control[area] == "norway" for area in found)

    def test_what_moves_is_hidden(self) -> None:
        assert won("").state.blocks["ger_inf_16a"].shown == ()


class TestLanding:
    """VE 6.22: aircraft land after their battle: where it was, if that is friendly now, or within range."""

    def test_it_may_stay_in_the_area_that_was_taken(self) -> None:
        table = end_regroup(won("ger_fa_me109_1(from=kiev)"), "axis")
        assert place(table, "ger_fa_me109_1") == "kharkov"

    def test_or_fly_as_far_as_it_can(self) -> None:
        table = won("ger_fa_me109_1(from=kiev)")
        assert {"kiev", "dnepropetrovsk"} <= targets_of(table, "ger_fa_me109_1")
        table.when(Regroup("axis", "ger_fa_me109_1", "berlin"), "axis").refused("VE 6.22", "CANNOT_REGROUP_THERE")

    def test_it_is_lost_without_a_place(self) -> None:
        table = scene(
            "[axis]\nkharkov: ger_fa_me109_1(from=kiev)\n[soviet]\nkharkov: sov_fa_i16(1)\n"
            "[control]\nsoviet_union: kiev dnepropetrovsk",
            {"kharkov": clash("axis", "soviet")},
            turn=SUMMER_1941,
        )
        table = fire(table, "ger_fa_me109_1", "air", 1)
        assert steps(table, "ger_fa_me109_1") is None

    def test_not_at_sea(self) -> None:
        table = scene(
            "[axis]\nenglish_channel: ger_db_ju87(from=le_havre)\n[allied]\nenglish_channel: bri_ca_1(1)\n"
            "[control]\ngermany: le_havre calais",
            {"english_channel": clash("axis", "allied")},
        )
        table = fire(table, "ger_db_ju87", "naval", 1)
        table.when(EndRegroup("axis"), "axis").refused("VE 6.22", "MAY_NOT_STAY")
        table = step(table, Regroup("axis", "ger_db_ju87", "calais"), "axis")
        assert place(table, "ger_db_ju87") == "calais"


class TestNavalRegroup:
    """VE 7.4: after a naval victory to friendly ports and seas within range, or to an adjacent vacant sea."""

    def sea(self) -> Table:
        table = scene(
            "[axis]\nnorth_sea: ger_ca_1(from=skaggerak)\nbaltic_sea: ger_ub_1\n[allied]\nnorth_sea: bri_ca_1(1)\n"
            "[control]\ngermany: hamburg",
            {"north_sea": clash("axis", "allied")},
        )
        table = hold(table, "bri_ca_1")
        return fire(table, "ger_ca_1", "naval", 1)

    def test_where_it_may_go(self) -> None:
        table = self.sea()
        assert {"hamburg", "baltic_sea", "skaggerak", "norwegian_sea"} <= targets_of(table, "ger_ca_1")
        table.when(Regroup("axis", "ger_ca_1", "barents_sea"), "axis").refused("VE 7.4", "CANNOT_REGROUP_THERE")

    def test_it_may_stay(self) -> None:
        table = end_regroup(self.sea(), "axis")
        assert place(table, "ger_ca_1") == "north_sea"


class TestBlitz:
    """VE 5.9: a leader's step, then a full move for everybody in the area; one battle, fought at once."""

    def start(self, more: str = "", soviet: str = "") -> Table:
        table = won(f"ger_pz_4a(from=kiev) ger_ldr_guderian(2,from=kiev) {more}", soviet)
        return step(table, StartBlitz("axis", "ger_ldr_guderian"), "axis")

    def test_it_costs_the_leader_a_step(self) -> None:
        table = self.start()
        assert (steps(table, "ger_ldr_guderian"), table.state.frames[-1].kind) == (1, "blitz")

    def test_not_from_his_last_step(self) -> None:
        table = won("ger_ldr_guderian(0,from=kiev)")
        table.when(StartBlitz("axis", "ger_ldr_guderian"), "axis").refused("VE 5.9", "CANNOT_BLITZ")

    def test_not_after_a_regroup(self) -> None:
        table = won("ger_pz_4a(from=kiev) ger_ldr_guderian(2,from=kiev)")
        table = step(table, Regroup("axis", "ger_pz_4a", "kiev"), "axis")
        table.when(StartBlitz("axis", "ger_ldr_guderian"), "axis").refused("VE 5.9", "CANNOT_BLITZ")

    def test_a_full_move_takes_what_it_passes(self) -> None:
        table = step(self.start(), BlitzMove("axis", "ger_pz_4a", ("kharkov", "stalino", "rostov")), "axis")
        assert (table.state.control["stalino"], table.state.control["rostov"]) == ("germany", "germany")

    def test_a_new_battle_is_fought_at_once_with_two_rounds(self) -> None:
        table = self.start(soviet="kursk: sov_inf3_1")
        table = step(table, BlitzMove("axis", "ger_pz_4a", ("kharkov", "kursk")), "axis")
        assert table.state.clashes["kursk"] == Clash("axis", "soviet", land=True)
        table = step(table, EndBlitz("axis"), "axis")
        battle = table.state.battle
        assert (battle.area, battle.blitz, battle.last) == ("kursk", True, 2)
        assert targets(table, "ger_pz_4a") == {"army": "C2"}

    def test_one_new_battle_alone(self) -> None:
        table = self.start(soviet="kursk: sov_inf3_1\nstalino: sov_inf3_2")
        table = step(table, BlitzMove("axis", "ger_pz_4a", ("kharkov", "kursk")), "axis")
        table.when(BlitzMove("axis", "ger_inf_16a", ("kharkov", "stalino")), "axis").refused("VE 5.9", "ONE_BATTLE")

    def test_border_limits(self) -> None:
        table = self.start("ger_inf_18a(from=dnepropetrovsk)", soviet="kursk: sov_inf3_1")
        for block in ("ger_pz_4a", "ger_inf_18a"):
            table = step(table, BlitzMove("axis", block, ("kharkov", "kursk")), "axis")
        table.when(BlitzMove("axis", "ger_inf_16a", ("kharkov", "kursk")), "axis").refused("VE 4.6", "BORDER_LIMIT")
        table = step(table, BlitzMove("axis", "ger_ldr_guderian", ("kharkov", "kursk")), "axis")
        assert place(table, "ger_ldr_guderian") == "kursk"

    def test_out_of_reach(self) -> None:
        table = self.start()
        table.when(BlitzMove("axis", "ger_inf_16a", ("kharkov", "moscow")), "axis").refused("VE 5.9", "OUT_OF_REACH")
        table.when(BlitzMove("axis", "ger_inf_3a", ("kharkov", "kursk")), "axis").refused("VE 5.9", "NOT_THERE")

    def test_help_for_a_battle_comes_in_its_second_round(self) -> None:
        table = self.reinforced()
        assert table.state.battle.area == "kursk"
        assert not table.state.battle.blitz
        assert table.state.blocks["ger_pz_4a"].shown == ()
        table = hold(table, "sov_inf3_1", "ger_inf_17a")
        assert table.state.battle.round == 2
        assert table.state.blocks["ger_pz_4a"].shown == ("allied",)

    def reinforced(self) -> Table:
        """Panzers go by blitz into a battle at Kursk that infantry has begun."""
        table = self.beside_kursk("ger_pz_4a")
        table = step(table, BlitzMove("axis", "ger_pz_4a", ("kharkov", "kursk")), "axis")
        return step(table, EndBlitz("axis"), "axis")

    def beside_kursk(self, more: str, soviet: str = "") -> Table:
        """A blitz from Kharkov, while the battle at Kursk is still to be fought."""
        came = " ".join(f"{block}(from=kiev)" for block in more.split())
        table = scene(
            f"[axis]\nkharkov: ger_inf_16a(from=kiev) ger_ldr_guderian(from=kiev) {came}\n"
            "kursk: ger_inf_17a(from=bryansk)\n"
            f"[soviet]\nkharkov: sov_guard_1(1)\nkursk: sov_inf3_1\n{soviet}\n[control]\ngermany: kiev bryansk",
            {"kharkov": clash("axis", "soviet", land=True), "kursk": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        return self.blitz_from_kharkov(table)

    def blitz_from_kharkov(self, table: Table) -> Table:
        """Infantry 16A wins at Kharkov in the first round, and Guderian goes on."""
        table = step(table, ChooseBattle("kharkov"), "axis")
        while not any(getattr(option, "block", "") == "ger_inf_16a" for option in table.options("axis")):
            seat = table.decisions()[0][0]
            table = hold(table, table.options(seat)[0].block)
        table = fire(table, "ger_inf_16a", "army", 1)
        return step(table, StartBlitz("axis", "ger_ldr_guderian"), "axis")

    def test_aircraft_support_an_army_but_do_not_raid(self) -> None:
        table = self.start("ger_fa_me109_1(from=kiev)", soviet="kursk: sov_inf3_1")
        flight = BlitzMove("axis", "ger_fa_me109_1", ("kharkov", "kursk"))
        assert flight not in table.options("axis")
        table = step(table, BlitzMove("axis", "ger_pz_4a", ("kharkov", "kursk")), "axis")
        table = step(table, flight, "axis")
        assert place(table, "ger_fa_me109_1") == "kursk"

    def test_an_aircraft_may_be_the_first_to_help_a_battle(self) -> None:
        table = self.beside_kursk("ger_fa_me109_1")
        table = step(table, BlitzMove("axis", "ger_fa_me109_1", ("kharkov", "kursk")), "axis")
        table = step(table, EndBlitz("axis"), "axis")
        assert (table.state.battle.area, table.state.battle.blitz) == ("kursk", False)
        table = hold(table, "sov_inf3_1", "ger_inf_17a")
        assert targets(table, "ger_fa_me109_1") == {"army": "A1"}

    def test_it_helps_no_other_battle_than_the_armies(self) -> None:
        table = self.beside_kursk("ger_fa_me109_1 ger_pz_4a", "stalino: sov_inf3_2")
        table = step(table, BlitzMove("axis", "ger_pz_4a", ("kharkov", "stalino")), "axis")
        flight = BlitzMove("axis", "ger_fa_me109_1", ("kharkov", "kursk"))
        table.when(flight, "axis").refused("VE 5.9", "OUT_OF_REACH")
        assert BlitzMove("axis", "ger_fa_me109_1", ("kharkov", "stalino")) in table.options("axis")

    def test_it_helps_to_defend_an_area_with_an_army(self) -> None:
        """VE 4.4"""
        flight = BlitzMove("axis", "ger_fa_me109_1", ("kharkov", "stalino"))
        for defender, helps in (("ger_inf_17a", True), ("ita_ca_1", False)):
            table = scene(
                "[axis]\nkharkov: ger_inf_16a(from=kiev) ger_ldr_guderian(from=kiev) ger_fa_me109_1(from=kiev)\n"
                f"stalino: {defender}\n[soviet]\nkharkov: sov_guard_1(1)\nstalino: sov_inf3_1(from=rostov)\n"
                "[control]\ngermany: kiev stalino",
                {"kharkov": clash("axis", "soviet", land=True), "stalino": clash("soviet", "axis", land=True)},
                turn=SUMMER_1941,
            )
            table = self.blitz_from_kharkov(table)
            assert (flight in table.options("axis")) is helps
        table.when(flight, "axis").refused("VE 5.9", "OUT_OF_REACH")

    def test_it_helps_no_neutral_garrison(self) -> None:
        """VE 10.3"""
        flight = BlitzMove("allied", "bri_fa_hurricane", ("calais", "belgium"))
        for header, minors in (("", "[minors]\nallied: belgium"), ('attacked {"belgium":"axis"}', "")):
            table = scene(
                "[allied]\ncalais: bri_inf_bef(from=paris) bri_ldr_montgomery(from=paris) bri_fa_hurricane(from=paris)\n"
                "belgium: bel_inf_1a\n[axis]\ncalais: ger_inf_16a(1)\nbelgium: ger_inf_17a(from=ruhr)\n"
                f"[control]\ngermany: calais\n{minors}",
                {"calais": clash("allied", "axis", land=True), "belgium": clash("axis", "allied", land=True)},
                order=("allied", "axis"),
                header=header,
            )
            table = step(table, ChooseBattle("calais"), "allied")
            table = hold(table, "bri_fa_hurricane", "ger_inf_16a", "bri_ldr_montgomery")
            table = fire(table, "bri_inf_bef", "army", 1)
            table = step(table, StartBlitz("allied", "bri_ldr_montgomery"), "allied")
            assert (flight in table.options("allied")) is bool(minors)

    def test_each_leader_once_a_turn(self) -> None:
        table = self.start(soviet="kursk: sov_inf3_1(1)")
        for block in ("ger_pz_4a", "ger_ldr_guderian"):
            table = step(table, BlitzMove("axis", block, ("kharkov", "kursk")), "axis")
        table = step(table, EndBlitz("axis"), "axis")
        table = fire(table, "ger_pz_4a", "army", 1)
        assert table.state.control["kursk"] == "germany"
        table.when(StartBlitz("axis", "ger_ldr_guderian"), "axis").refused("VE 5.9", "CANNOT_BLITZ")

    def test_war_may_be_declared(self) -> None:
        table = scene(
            "[axis]\nskopje: ger_inf_16a(from=sofia) ger_ldr_guderian(from=sofia)\n[allied]\nskopje: yug_inf_1a(1)\n"
            "[control]\ngermany: sofia\n[minors]\nallied: yugoslavia\naxis: bulgaria",
            {"skopje": clash("axis", "allied", land=True)},
            turn=SUMMER_1941,
        )
        table = hold(table, "yug_inf_1a", "ger_ldr_guderian")
        table = fire(table, "ger_inf_16a", "army", 1, 1)  # in mountains a step takes two hits
        table = step(table, StartBlitz("axis", "ger_ldr_guderian"), "axis")
        assert DeclareBlitzWar("greece") in table.options("axis")
        table.when(DeclareBlitzWar("spain"), "axis").refused("VE 10.3", "CANNOT_ATTACK")
        table = step(table, DeclareBlitzWar("greece"), "axis")
        assert table.state.attacked["greece"] == "axis"

    def at_the_border(self, commands: int) -> Table:
        """Axis tanks have won Warsaw, next to Soviet ground; a ship of each lies in the Baltic."""
        table = scene(
            "[axis]\nwarsaw: ger_pz_1a(from=krakow) ger_ldr_guderian(from=krakow)\nbaltic_sea: ger_ca_1\n"
            "[allied]\nwarsaw: pol_inf_1a(1)\n[soviet]\nbaltic_sea: sov_ca_1\n"
            "[control]\ngermany: krakow",
            {"warsaw": clash("axis", "allied", land=True)},
            turn=SUMMER_1941,
            header='at_war ["germany","britain","france"]\n' + f'commands {{"axis":{commands},"allied":2}}',
        )
        table = fire(table, "ger_pz_1a", "army", 1)
        return step(table, StartBlitz("axis", "ger_ldr_guderian"), "axis")

    def test_ships_that_meet_fight_after_it_for_a_command(self) -> None:
        """VE 13 Soviet Union"""
        table = step(self.at_the_border(1), DeclareBlitzWar("soviet_union"), "axis")
        assert table.state.commands["axis"] == 0
        table = step(table, EndBlitz("axis"), "axis")
        assert (table.state.battle.area, table.state.battle.attacker) == ("baltic_sea", "axis")

    def test_without_the_command_there_is_no_war(self) -> None:
        """VE 3.2"""
        table = self.at_the_border(0)
        assert DeclareBlitzWar("soviet_union") not in table.options("axis")
        table.when(DeclareBlitzWar("soviet_union"), "axis").refused("VE 3.2", "NOT_ENOUGH_COMMANDS")
