"""The order of battles, rounds, control, extensions [VE 5.1] [VE 5.2] [VE 5.71] [VE 6.21] [VE 1.7] [VE 4.4]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.battle.after import EndRegroup
from stavka.games.victory_in_europe.battle.rounds import ChooseBattle, EndBattle, ExtendBattle
from stavka.games.victory_in_europe.battle.turns import Fire, Hold, Retreat
from stavka.games.victory_in_europe.ground import MAP, main_coast

from tests.support.table import Table

from .cards import allied_card, axis_card, card
from .scene import (
    SUMMER_1941,
    clash,
    dice,
    fire,
    hold,
    place,
    retreat,
    scene,
    step,
    steps,
    targets,
    ways,
)

KIEV = "[control]\ngermany: kiev dnepropetrovsk"


def kharkov(axis: str, soviet: str, **more: object) -> Table:
    return scene(
        f"[axis]\nkharkov: {axis}\n[soviet]\nkharkov: {soviet}\n{KIEV}",
        {"kharkov": clash("axis", "soviet", land=True, **more.pop("clash", {}))},  # type: ignore[arg-type]
        **{"turn": SUMMER_1941, **more},  # type: ignore[arg-type]
    )


class TestOrderOfBattles:
    """VE 5.1 and VE 6.21: Player 1 says which battle is next, his air raids before all others."""

    def two(self, axis: str, order: tuple[str, ...] = ("axis", "allied")) -> Table:
        return scene(
            f"[axis]\nkharkov: ger_inf_16a(from=kiev)\nkursk: {axis}\n[soviet]\nkharkov: sov_guard_1\nkursk: sov_inf3_1\n"
            f"{KIEV}",
            {"kharkov": clash("axis", "soviet", land=True), "kursk": clash("axis", "soviet")},
            turn=SUMMER_1941,
            order=order,
        )

    def test_player_one_chooses(self) -> None:
        table = self.two("ger_inf_18a(from=kiev)", ("allied", "axis"))
        assert table.decisions() == [("allied", "battle")]
        table = step(table, ChooseBattle("kursk"), "allied")
        assert table.state.battle.area == "kursk"

    def test_only_a_battle_can_be_chosen(self) -> None:
        self.two("ger_inf_18a(from=kiev)").when(ChooseBattle("moscow"), "axis").refused("VE 5.1", "NO_SUCH_BATTLE")

    def test_raids_come_first(self) -> None:
        table = self.two("ger_mb_he111_1(from=kiev)")
        assert table.options("axis") == [ChooseBattle("kursk")]
        table.when(ChooseBattle("kharkov"), "axis").refused("VE 6.21", "RAIDS_FIRST")

    def test_an_aircraft_with_an_army_is_no_raid(self) -> None:
        table = self.two("ger_mb_he111_1(from=kiev) ger_inf_18a(from=kiev)")
        assert table.options("axis") == [ChooseBattle("kursk"), ChooseBattle("kharkov")]

    def test_raids_of_the_other_player_wait(self) -> None:
        table = self.two("ger_mb_he111_1(from=kiev)", ("allied", "axis"))
        assert table.options("allied") == [ChooseBattle("kursk"), ChooseBattle("kharkov")]

    def test_the_last_battle_needs_no_choice(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1")
        assert table.state.battle.area == "kharkov"


class TestBattleTurns:
    """VE 5.2: by class, the defender first in each; blocks of a class in the order that their owner likes."""

    def test_only_the_class_whose_turn_it_is(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_pz_4a(from=kiev)", "sov_guard_1 sov_tank_1")
        table.when(Fire("allied", "sov_guard_1", "army"), "allied").refused("VE 5.2", "NOT_ITS_TURN")
        table.when(Fire("axis", "ger_pz_4a", "army"), "axis").refused("VE 5.1", "NOT_YOUR_DECISION")

    def test_only_ones_own_blocks(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1")
        table.when(Hold("allied", "ger_inf_16a"), "allied").refused("VE 5.2", "NOT_YOUR_BLOCK")

    def test_each_acts_once_a_round(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_inf3_1")
        table = fire(table, "sov_guard_1", "army")
        table.when(Fire("allied", "sov_guard_1", "army"), "allied").refused("VE 5.2", "NOT_ITS_TURN")
        table = fire(table, "sov_inf3_1", "army")
        assert table.decisions() == [("axis", "turn")]

    def test_whoever_can_do_nothing_is_passed_over(self) -> None:
        table = scene(
            "[axis]\nconvoy_c: ger_ub_1(from=north_atlantic)\n[allied]\nconvoy_c: bri_convoy_c\n",
            {"convoy_c": clash("axis", "allied")},
        )
        assert table.decisions() == [("axis", "turn")]
        table = fire(table, "ger_ub_1", "convoy")
        assert (table.decisions(), table.state.battle.round) == ([("axis", "turn")], 2)  # convoys never act

    def test_nobody_is_asked_before_those_are_passed_over(self) -> None:
        """What is decided must not race with the referee's own step."""
        around = " ".join(("novgorod", *MAP.borders["leningrad"]))
        table = scene(
            "[axis]\nleningrad: ger_inf_16a(from=novgorod) ger_pz_4a(from=novgorod)\n"
            f"[soviet]\nleningrad: sov_ldr_konev(0) sov_fort_leningrad\n[control]\ngermany: {around}",
            {"leningrad": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = table.when(Hold("axis", "ger_pz_4a"), "axis").after()
        assert table.decisions() == []
        table = table.goes_on().after()
        assert table.decisions() == [("allied", "turn")]
        assert {option.block for option in table.options("allied")} == {"sov_fort_leningrad"}

    def test_a_retreat_leaves_another_decision_behind(self) -> None:
        """An answer that comes late must not be taken for one to the next question."""
        table = scene(
            "[axis]\nnorth_sea: ger_ca_1(from=skaggerak)\n[allied]\nnorth_sea: bri_ca_1 bri_ca_2",
            {"north_sea": clash("axis", "allied")},
        )
        (before,) = GAME.decisions(table.state)
        (after,) = GAME.decisions(retreat(table, "bri_ca_1", "london", main_coast("london")).state)
        assert (before.seat, before.kind) == (after.seat, after.kind) == ("allied", "turn")
        assert before.id != after.id


class TestTwoRounds:
    """VE 5.1: two rounds, then the attacker leaves if a defending army is left."""

    def test_the_attacker_leaves_without_loss(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1")
        table = hold(table, "sov_guard_1", "ger_inf_16a", "sov_guard_1", "ger_inf_16a")
        assert table.decisions() == [("axis", "retreat")]
        table = retreat(table, "ger_inf_16a", "kiev")
        assert (place(table, "ger_inf_16a"), steps(table, "ger_inf_16a")) == ("kiev", 4)

    def test_only_who_attacked_leaves(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_pz_4a(from=kiev)", "sov_guard_1")
        table = hold(table, "ger_pz_4a", "sov_guard_1", "ger_inf_16a", "ger_pz_4a", "sov_guard_1", "ger_inf_16a")
        table.when(Retreat("axis", "ger_inf_18a", "kiev"), "axis").refused("VE 5.2", "NOT_YOUR_BLOCK")
        scene_with_more = Retreat("axis", "ger_inf_16a", "moscow")
        table.when(scene_with_more, "axis").refused("VE 5.6", "NO_RETREAT_THERE")

    def test_a_block_elsewhere_need_not_leave(self) -> None:
        table = scene(
            f"[axis]\nkharkov: ger_inf_16a(from=kiev) ger_pz_4a(from=kiev)\nberlin: ger_inf_3a\n"
            f"[soviet]\nkharkov: sov_guard_1\n{KIEV}",
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = hold(table, "ger_pz_4a", "sov_guard_1", "ger_inf_16a", "ger_pz_4a", "sov_guard_1", "ger_inf_16a")
        table.when(Retreat("axis", "ger_inf_3a", "kiev"), "axis").refused("VE 5.1", "NEED_NOT_LEAVE")

    def test_without_a_way_out_the_attacker_is_lost(self) -> None:
        table = scene(
            "[axis]\nkharkov: ger_inf_16a(from=kiev)\n[soviet]\nkharkov: sov_guard_1\n[control]\nsoviet_union: kiev",
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = hold(table, "sov_guard_1")
        table = fire(table, "ger_inf_16a", "army")
        table = fire(table, "sov_guard_1", "army")
        table = fire(table, "ger_inf_16a", "army")
        assert steps(table, "ger_inf_16a") is None


class TestStraits:
    """VE 1.7 and our ruling: one round if all attackers cross straits, two if some come by land."""

    def messina(self, more: str = "", control: str = "britain: sicily") -> Table:
        return scene(
            f"[axis]\ntaranto: ger_inf_16a\n[allied]\ntaranto: usa_inf_1a(from=sicily) {more}\n[control]\n{control}",
            {"taranto": clash("allied", "axis", land=True)},
            order=("allied", "axis"),
            turn=SUMMER_1941,
        )

    @pytest.mark.parametrize("gate", ["naples", "sicily", "tyrrhenian_sea"])
    def test_an_airdrop_makes_no_way_by_land(self, gate: str) -> None:
        """VE 2.6: wherever it has flown over."""
        table = self.messina(f"bri_airborne(from={gate},aloft)", "britain: sicily malta")
        assert table.state.battle is not None and table.state.battle.last == 1

    def test_one_round(self) -> None:
        table = self.messina()
        table = hold(table, "ger_inf_16a", "usa_inf_1a")
        assert place(table, "usa_inf_1a") == "sicily"

    def test_two_rounds_with_a_land_attack(self) -> None:
        table = self.messina("bri_inf_8a(from=naples)", "britain: sicily naples")
        table = hold(table, "ger_inf_16a", "usa_inf_1a", "bri_inf_8a")
        assert table.state.battle.round == 2

    def test_who_came_over_the_strait_goes_back_over_it(self) -> None:
        table = self.messina("bri_inf_8a(from=naples)", "britain: sicily naples")
        table = hold(table, "ger_inf_16a")
        table.when(Retreat("allied", "usa_inf_1a", "naples"), "allied").refused("VE 5.6", "NO_RETREAT_THERE")
        table = retreat(table, "usa_inf_1a", "sicily")
        assert steps(table, "usa_inf_1a") == 3

    def test_nor_does_it_leave_by_sea(self) -> None:
        """VE 7.7: alone across the strait it may."""
        ship, control = "\nionian_sea: bri_ca_1", "britain: sicily naples albania"
        table = hold(self.messina(f"bri_inf_8a(from=naples) {ship}", control), "ger_inf_16a")
        assert ways(table, "usa_inf_1a") == ["sicily"]
        assert "albania" in ways(table, "bri_inf_8a")
        table.when(Retreat("allied", "usa_inf_1a", "albania"), "allied").refused("VE 5.6", "NO_RETREAT_THERE")
        table = hold(self.messina(ship, control), "ger_inf_16a")
        assert {"albania", "naples"} <= set(ways(table, "usa_inf_1a"))


class TestControl:
    """VE 5.2: attackers who alone have armies at the end of a round take the area, and defend it from then on."""

    def test_they_win_when_nobody_is_left(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(1)")
        table = hold(table, "sov_guard_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert table.state.control["kharkov"] == "germany"
        assert not table.state.clashes

    def test_reinforcements_find_the_roles_changed(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(1) sov_tank_1(from=kursk)", clash={"reinforced": True})
        table = hold(table, "sov_guard_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        battle = table.state.battle
        assert table.state.control["kharkov"] == "germany"
        assert (battle.round, battle.attacker, battle.defender) == (2, "soviet", "axis")
        table = hold(table, "sov_tank_1", "ger_inf_16a")
        assert table.decisions() == [("allied", "retreat")]
        table = retreat(table, "sov_tank_1", "kursk")
        assert steps(table, "sov_tank_1") == 3

    def test_an_aircraft_takes_nothing(self) -> None:
        table = kharkov("ger_fa_me109_1(from=kiev)", "sov_fa_i16(1)")
        table = fire(table, "ger_fa_me109_1", "air", 1)
        assert table.state.control["kharkov"] == "soviet_union"
        table.when(EndRegroup("axis"), "axis").refused("VE 6.22", "MAY_NOT_STAY")

    def test_what_is_left_without_army_leaves_after_the_last_round(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(1) sov_fa_i16")
        table = hold(table, "sov_fa_i16", "sov_guard_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert table.state.battle.attacker == "soviet"
        table = hold(table, "sov_fa_i16", "ger_inf_16a")
        assert table.decisions() == [("allied", "retreat")]

    def test_attackers_at_sea_defend_it_against_late_comers(self) -> None:
        table = scene(
            "[axis]\nnorth_sea: ger_bc_scharnhorst(from=skaggerak)\n[allied]\nnorth_sea: bri_ca_1(1) bri_bb_nelson(from=norwegian_sea)",
            {"north_sea": clash("axis", "allied", reinforced=True)},
        )
        table = hold(table, "bri_ca_1")
        table = fire(table, "ger_bc_scharnhorst", "naval", 1)
        assert table.state.battle.defender == "axis"
        assert targets(table, "bri_bb_nelson") == {"naval": "C3"}

    def test_factories_fall_with_the_area(self) -> None:
        table = scene(
            f"[axis]\nkharkov: ger_inf_16a(from=kiev)\n[soviet]\nkharkov: sov_guard_1(1)\n[factories]\nkharkov: 2\n{KIEV}",
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = hold(table, "sov_guard_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert "kharkov" not in table.state.factories


class TestReinforcements:
    """VE 4.4: who comes to the defenders' help is hidden, fires at nobody and takes no hit until the second round."""

    def test_second_round(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(3) sov_tank_1(3,from=kursk)", clash={"reinforced": True})
        assert table.state.blocks["sov_tank_1"].shown == ()
        assert table.decisions() == [("allied", "turn")]
        table = hold(table, "sov_guard_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert steps(table, "sov_guard_1") == 2
        assert table.state.blocks["sov_tank_1"].shown == ("axis",)
        assert targets(table, "sov_tank_1") == {"army": "C2"}


class TestExtensions:
    """VE 5.71: an attacking leader spends steps to prolong the battle, but not his last; cards prolong it first."""

    def with_leader(self, leader: str, header: str = "") -> Table:
        table = kharkov(f"ger_inf_16a(from=kiev) {leader}(from=kiev)".replace(")(", ","), "sov_guard_1", header=header)
        name = leader.split("(")[0]
        for _ in range(2):
            table = hold(table, "sov_guard_1", "ger_inf_16a")
            if table.state.battle.acted:
                table = hold(table, name)
        return table

    def test_a_leader_extends_by_a_round(self) -> None:
        table = self.with_leader("ger_ldr_guderian(2)")
        assert table.options("axis") == [ExtendBattle("axis", "ger_ldr_guderian"), EndBattle("axis")]
        table = step(table, ExtendBattle("axis", "ger_ldr_guderian"), "axis")
        assert (table.state.battle.round, steps(table, "ger_ldr_guderian")) == (3, 1)

    def test_not_with_his_last_step(self) -> None:
        table = self.with_leader("ger_ldr_guderian(0)")
        assert table.decisions() == [("axis", "retreat")]

    def test_he_may_let_it_end(self) -> None:
        table = step(self.with_leader("ger_ldr_guderian(2)"), EndBattle("axis"), "axis")
        assert table.decisions() == [("axis", "retreat")]

    def test_whoever_is_lost_is_gone_before_the_others_leave(self) -> None:
        table = scene(
            "[axis]\nkharkov: ger_inf_16a(from=kiev) ger_ldr_guderian(2,from=kiev) ger_fa_me109_1(from=kiev)\n"
            f"kiev: ger_fa_me109_2\ndnepropetrovsk: ger_db_ju87\n[soviet]\nkharkov: sov_guard_1\n{KIEV}",
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        while table.decisions() != [("axis", "extend")]:
            ((seat, _),) = table.decisions()
            table = step(table, next(option for option in table.options(seat) if isinstance(option, Hold)), seat)
        table = table.when(EndBattle("axis"), "axis").after()
        assert table.decisions() == []
        table = table.goes_on().after()
        assert table.decisions() == [("axis", "retreat")]
        assert "ger_fa_me109_1" not in table.state.blocks

    def test_no_other_block_extends(self) -> None:
        table = self.with_leader("ger_ldr_guderian(2)")
        table.when(ExtendBattle("axis", "ger_inf_16a"), "axis").refused("VE 5.71", "CANNOT_EXTEND")
        table.when(ExtendBattle("axis", "sov_guard_1"), "axis").refused("VE 5.2", "NOT_YOUR_BLOCK")

    def test_a_card_extends_once(self) -> None:
        table = self.with_leader("ger_ldr_guderian(2)", card("axis", axis_card("extend_battle"), "kharkov"))
        table = step(table, ExtendBattle("axis", ""), "axis")
        assert (table.state.battle.round, steps(table, "ger_ldr_guderian")) == (3, 2)
        table = hold(table, "sov_guard_1", "ger_inf_16a", "ger_ldr_guderian")
        table.when(ExtendBattle("axis", ""), "axis").refused("VE 3.3", "CANNOT_EXTEND")
        table = step(table, ExtendBattle("axis", "ger_ldr_guderian"), "axis")
        assert table.state.battle.round == 4

    def test_defenders_have_no_say(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_ldr_zhukov")
        for _ in range(2):
            table = hold(table, "sov_guard_1", "sov_ldr_zhukov", "ger_inf_16a")
        assert table.decisions() == [("axis", "retreat")]


class TestOrderlyRetreat:
    """VE 3.3: an event spares the step of a first-round retreat."""

    def test_with_and_without(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(3)")
        assert steps(retreat(table, "sov_guard_1", "kursk"), "sov_guard_1") == 2
        header = card("allied", allied_card("orderly_retreat"), "kharkov")
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(3)", header=header)
        assert steps(retreat(table, "sov_guard_1", "kursk"), "sov_guard_1") == 3


class TestDice:
    """VE 5.3: one roll of four dice for every block, so that nobody outside learns its strength."""

    def test_a_weak_block_rolls_four_as_well(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(1)")
        table.when(Fire("allied", "sov_guard_1", "army"), "allied", [dice(6, 1, 1, 1)]).after()
