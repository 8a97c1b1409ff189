"""Declarations of war, factories on the move, the Urals, powers that are not at war [VE 10.3] [VE 11.32] [VE 13.0]."""

from __future__ import annotations

from typing import Any

from stavka.games.victory_in_europe.events import (
    ClashBegun,
    CommandsSpent,
    EffectUsed,
    FactoryMoved,
    PowerEntered,
    WarDeclared,
)
from stavka.games.victory_in_europe.factories import MoveFactory
from stavka.games.victory_in_europe.moves import DeclareWar

from tests.support.table import Table

from .field import (
    FALL_1941,
    SPRING_1941,
    SUMMER_1940,
    SUMMER_1941,
    SUMMER_1942,
    WINTER_1942,
    card_with,
    move,
    paths,
    scene,
    spent,
    targets,
)

WEST = ("germany", "britain", "france")


class TestAttackingMinors:
    """VE 10.3"""

    def test_war_opens_the_country(self) -> None:
        table = scene("[axis]\nruhr: ger_inf_1a", at_war=WEST)
        assert "belgium" not in targets(table, "ger_inf_1a")
        after = table.when(DeclareWar("axis", "belgium"), "axis").includes(WarDeclared("axis", "belgium"))
        assert after.state.attacked == {"belgium": "axis"}

    def test_only_what_an_army_could_enter_now(self) -> None:
        table = scene("[axis]\nruhr: ger_inf_1a", at_war=WEST)
        table.when(DeclareWar("axis", "spain"), "axis").refused("VE 10.3", "CANNOT_ATTACK")
        table.when(DeclareWar("axis", "britain"), "axis").refused("VE 10.3", "CANNOT_ATTACK")

    def test_a_coast_within_reach_of_an_invasion_counts(self) -> None:
        blocks = "[axis]\nhamburg: ger_inf_1a\nnorth_sea: {ship}"
        table = scene(blocks.format(ship="ger_ca_1"), at_war=WEST)
        assert DeclareWar("axis", "norway") in table.options("axis")
        air = scene(blocks.format(ship="ger_nb_fw200"), at_war=WEST)
        air.when(DeclareWar("axis", "norway"), "axis").refused("VE 10.3", "CANNOT_ATTACK")

    def test_each_war_needs_a_command_for_its_battle(self) -> None:
        table = scene("[axis]\nruhr: ger_inf_1a", at_war=WEST, commands={"axis": 0, "allied": 1})
        table.when(DeclareWar("axis", "belgium"), "axis").refused("VE 10.3", "NOT_ENOUGH_COMMANDS")

    def test_only_for_ones_own_side(self) -> None:
        table = scene("[axis]\nruhr: ger_inf_1a", at_war=WEST)
        table.when(DeclareWar("soviet", "finland"), "axis").refused("VE 10.3", "NOT_YOUR_SIDE")

    def test_the_allied_player_declares_for_the_soviets(self) -> None:
        table = scene("[soviet]\nleningrad: sov_inf4_1", phase="move allied", at_war=WEST)
        assert DeclareWar("soviet", "finland") in table.options("allied")

    def test_axis_and_soviets_attack_each_other_so(self) -> None:
        """VE 13 Soviet Union"""
        table = scene("[axis]\nwarsaw: ger_inf_1a\n[control]\ngermany: warsaw", at_war=WEST, turn=SUMMER_1941)
        assert "brest_litovsk" not in targets(table, "ger_inf_1a")
        assert DeclareWar("axis", "soviet_union") in table.options("axis")
        other = scene(
            "[soviet]\nbrest_litovsk: sov_inf4_1\n[control]\ngermany: warsaw", at_war=WEST, phase="move allied"
        )
        assert DeclareWar("soviet", "germany") in other.options("allied")

    def test_nobody_declares_war_on_an_enemy_of_his(self) -> None:
        """A contested beach is neither friendly nor enemy, so it looks like one that a declaration would open."""
        text = "[soviet]\nodessa: sov_inf4_1\nwest_black_sea: sov_ca_1\nsevastopol: sov_inf4_2\n[axis]\nsevastopol: ger_inf_1a"
        at_war = (*WEST, "soviet_union")
        table = scene(
            text + "\n[control]\ngermany: sevastopol", phase="move allied", turn=SUMMER_1942, at_war=at_war,
            clashes={"sevastopol": {"attacker": "soviet", "defender": "axis"}},
        )  # fmt: skip
        assert DeclareWar("soviet", "germany") not in table.options("allied")
        table.when(DeclareWar("soviet", "germany"), "allied").refused("VE 10.3", "CANNOT_ATTACK")

    def test_a_garrison_stays_at_home(self) -> None:
        """VE 10.1"""
        table = scene(
            "[allied]\nathens: gre_inf_1a\n[control]\nitaly: albania", phase="move allied", attacked={"greece": "axis"}
        )
        assert targets(table, "gre_inf_1a") <= {"crete"}


class TestSharedSeas:
    """VE 5.1 VE 13 Soviet Union: ships that lay side by side in peace fight when war is declared, the declarer attacking."""

    BLOCKS = (
        "[axis]\nwarsaw: ger_inf_1a\nhamburg: ger_inf_3a\nbaltic_sea: ger_ca_1\nwest_black_sea: {italian}\n"
        "[soviet]\nvilna: sov_inf4_1\n{sea}: sov_ca_1\nwest_black_sea: sov_mb_pe2\n[control]\ngermany: warsaw"
    )

    def table(self, sea: str = "baltic_sea", italian: str = "", **header: Any) -> Table:
        return scene(
            self.BLOCKS.format(sea=sea, italian=italian),
            **{"at_war": WEST, "turn": SUMMER_1941, **header},
        )

    def test_the_battle_costs_its_command(self) -> None:
        after = self.table().when(DeclareWar("axis", "soviet_union"), "axis")
        table = after.then(
            WarDeclared("axis", "soviet_union"),
            PowerEntered("soviet_union", SUMMER_1941),
            CommandsSpent("axis", 1, "battle"),
            ClashBegun("baltic_sea", "axis", "soviet"),
        )
        move(table, "ger_ca_1", "baltic_sea", "skaggerak").refused("VE 4.3", "PINNED")

    def test_nobody_meets_in_different_seas(self) -> None:
        after = self.table("gulf_of_finland").when(DeclareWar("axis", "soviet_union"), "axis").lacks(ClashBegun)
        assert spent(after) == 0

    def test_the_soviets_attack_where_they_declare_it(self) -> None:
        table = self.table(phase="move allied", commands={"axis": 0, "allied": 3})
        table.when(DeclareWar("soviet", "germany"), "allied").includes(
            CommandsSpent("allied", 1, "battle"), ClashBegun("baltic_sea", "soviet", "axis")
        )

    def test_each_battle_needs_a_command(self) -> None:
        both = {"italian": "ita_ca_1", "at_war": (*WEST, "italy")}
        poor = self.table(commands={"axis": 1, "allied": 1}, **both)
        assert DeclareWar("axis", "soviet_union") not in poor.options("axis")
        poor.when(DeclareWar("axis", "soviet_union"), "axis").refused("VE 10.3", "NOT_ENOUGH_COMMANDS")
        rich = self.table(commands={"axis": 2, "allied": 1}, **both)
        after = rich.when(DeclareWar("axis", "soviet_union"), "axis").includes(
            ClashBegun("baltic_sea", "axis", "soviet"), ClashBegun("west_black_sea", "axis", "soviet")
        )
        assert after.state.commands["axis"] == 0

    def test_one_command_serves_the_war_and_its_battle(self) -> None:
        table = self.table(commands={"axis": 1, "allied": 1})
        assert DeclareWar("axis", "soviet_union") in table.options("axis")

    def test_neutral_italians_are_no_party_to_it(self) -> None:
        after = self.table(italian="ita_ca_1").when(DeclareWar("axis", "soviet_union"), "axis").after()
        assert set(after.state.clashes) == {"baltic_sea"}

    def test_war_on_a_minor_begins_none(self) -> None:
        table = self.table(commands={"axis": 1, "allied": 1}, italian="ita_ca_1", at_war=(*WEST, "italy"))
        after = table.when(DeclareWar("axis", "denmark"), "axis").lacks(ClashBegun)
        assert after.state.commands["axis"] == 1


class TestPowersApart:
    """VE 13 Italy VE 13 United States"""

    def test_neutral_italy_moves_within_italy(self) -> None:
        table = scene("[axis]\nmilan: ita_inf_1a\ntaranto: ita_ca_1", at_war=WEST)
        assert "venice" in targets(table, "ita_inf_1a")
        assert "marseilles" not in targets(table, "ita_inf_1a")
        assert not {path[-1] for path in paths(table, "ita_ca_1")} & {"ionian_sea", "adriatic_sea"}

    def test_germans_do_not_enter_neutral_italy(self) -> None:
        table = scene("[axis]\ninnsbruck: ger_inf_1a", at_war=WEST)
        assert "venice" not in targets(table, "ger_inf_1a")
        assert "venice" in targets(scene("[axis]\ninnsbruck: ger_inf_1a"), "ger_inf_1a")

    def test_americans_wait_for_the_war(self) -> None:
        table = scene("[allied]\nusa: usa_inf_1a", phase="move allied", at_war=WEST, turn=SPRING_1941)
        move(table, "usa_inf_1a", "usa", "canada").refused("VE 13 United States", "NOT_AT_WAR")
        assert "canada" in targets(scene("[allied]\nusa: usa_inf_1a", phase="move allied"), "usa_inf_1a")

    def test_americans_who_are_abroad_wait_for_it_too(self) -> None:
        blocks = (
            "[axis]\ncalais: ger_inf_1a\n[allied]\nbelfast: usa_hb_b17\nconvoy_b: usa_ca_2\n[control]\ngermany: calais"
        )
        for block in ("usa_hb_b17", "usa_ca_2"):
            neutral = scene(blocks, phase="move allied", at_war=WEST, turn=SUMMER_1942)
            assert not [o for o in neutral.options("allied") if getattr(o, "block", "") == block]
            way = next(iter(sorted(paths(scene(blocks, phase="move allied", turn=SUMMER_1942), block))))
            move(neutral, block, *way).refused("VE 13 United States", "NOT_AT_WAR")
            move(scene(blocks, phase="move allied", turn=SUMMER_1942), block, *way).after()

    def test_western_allies_keep_out_of_soviet_areas(self) -> None:
        """VE 13 Soviet Union"""
        table = scene(
            "[allied]\nmurmansk: \nnarvik: bri_inf_bef\n[control]\nbritain: narvik oulu\n[minors]\nconquered: norway finland",
            phase="move allied",
        )
        assert "oulu" in targets(table, "bri_inf_bef")
        assert "murmansk" not in targets(table, "bri_inf_bef")


class TestAmericanConvoy:
    """VE 7.81"""

    def test_it_can_be_attacked_while_america_is_neutral(self) -> None:
        table = scene(
            "[axis]\nwest_atlantic: ger_ub_1\n[allied]\nconvoy_b: usa_convoy_b\nusa: usa_ca_1",
            at_war=WEST,
            turn=SPRING_1941,
        )
        move(table, "ger_ub_1", "west_atlantic", "convoy_b").includes(CommandsSpent("axis", 1, "battle"))


class TestUrals:
    """VE 13 Soviet Union"""

    def test_units_there_wait_for_1942(self) -> None:
        table = scene(
            "[soviet]\nurals: sov_inf4_1\ngorky: sov_inf4_2", phase="move allied", turn=SUMMER_1940, at_war=WEST
        )
        move(table, "sov_inf4_1", "urals", "kazan", by="strategic").refused("VE 13 Soviet Union", "URALS_CLOSED")
        assert "urals" in targets(table, "sov_inf4_2", "strategic")

    def test_or_for_the_turn_after_the_german_attack(self) -> None:
        blocks = "[soviet]\nurals: sov_inf4_1"
        same = scene(blocks, phase="move allied", turn=SUMMER_1941, barbarossa=SUMMER_1941)
        move(same, "sov_inf4_1", "urals", "kazan", by="strategic").refused("VE 13 Soviet Union", "URALS_CLOSED")
        after = scene(blocks, phase="move allied", turn=FALL_1941, barbarossa=SUMMER_1941)
        assert "kazan" in targets(after, "sov_inf4_1", "strategic")

    def test_in_and_out_it_takes_a_strategic_move(self) -> None:
        table = scene("[soviet]\nurals: sov_inf4_1\ngorky: sov_inf4_2", phase="move allied", turn=SUMMER_1942)
        assert not paths(table, "sov_inf4_1")
        move(table, "sov_inf4_1", "urals", "kazan", by="strategic").includes(CommandsSpent("soviet", 1, "strategic"))
        assert "urals" not in targets(table, "sov_inf4_2")

    def test_aircraft_pay_for_it_too(self) -> None:
        table = scene("[soviet]\nmoscow: sov_fa_i16", phase="move allied", turn=SUMMER_1942)
        move(table, "sov_fa_i16", "moscow", "urals", by="rebase").includes(CommandsSpent("soviet", 1, "strategic"))

    def test_from_there_an_attack_is_open(self) -> None:
        table = scene(
            "[axis]\nkazan: ger_inf_1a\n[soviet]\nurals: sov_inf4_1 sov_inf4_2\n[control]\ngermany: kazan",
            phase="move allied",
            turn=SUMMER_1942,
        )
        after = move(table, "sov_inf4_1", "urals", "kazan").after()
        move(after, "sov_inf4_2", "urals", "kazan").refused("VE 4.6", "BORDER_LIMIT")

    def test_no_ice_widens_it(self) -> None:
        """VE 3.44: downstream of the Urals the Kama freezes."""
        table = scene(
            "[axis]\nkazan: ger_inf_1a\n[soviet]\nurals: sov_inf4_1 sov_inf4_2\nkuibyshev: sov_inf4_3 sov_inf4_4\n[control]\ngermany: kazan",
            phase="move allied",
            turn=WINTER_1942,
        )
        after = move(table, "sov_inf4_1", "urals", "kazan").after()
        move(after, "sov_inf4_2", "urals", "kazan").refused("VE 4.6", "BORDER_LIMIT")
        after = move(table, "sov_inf4_3", "kuibyshev", "kazan").after()
        assert move(after, "sov_inf4_4", "kuibyshev", "kazan").error is None

    def test_the_axis_never_enters(self) -> None:
        table = scene("[axis]\nkazan: ger_pz_1a\n[control]\ngermany: kazan", turn=SUMMER_1942)
        assert "urals" not in targets(table, "ger_pz_1a")


class TestMovingFactories:
    """VE 11.32"""

    def test_a_step_costs_a_strategic_move(self) -> None:
        table = scene("[control]\ngermany: paris metz\n[factories]\nruhr: 3\nberlin: 4")
        after = table.when(MoveFactory("ruhr", "paris", 3), "axis").then(
            CommandsSpent("axis", 3, "factory"), FactoryMoved("ruhr", "paris", 3)
        )
        assert (after.state.factories, after.state.shifted) == (
            {"berlin": (4,), "paris": (3,)},
            {"paris": (3,)},
        )

    def test_not_beyond_the_commands(self) -> None:
        """VE 3.2"""
        table = scene("[factories]\nberlin: 4")
        assert not [o for o in table.options("axis") if isinstance(o, MoveFactory)]
        table.when(MoveFactory("berlin", "ruhr", 4), "axis").refused("VE 3.2", "NOT_ENOUGH_COMMANDS")

    def test_only_into_friendly_major_cities_with_room(self) -> None:
        table = scene("[factories]\nruhr: 2\nhamburg: 1")
        refused = ("stettin", "hamburg", "munich", "london", "milan", "nowhere")
        for target in refused:
            table.when(MoveFactory("ruhr", target, 2), "axis").refused("VE 11.32", "CANNOT_MOVE_FACTORY")
        assert MoveFactory("ruhr", "prague", 2) in table.options("axis")

    def test_only_into_cities_that_were_friendly_when_the_phase_began(self) -> None:
        """VE 4.7"""
        blocks = "[axis]\nmetz: ger_inf_1a\n[control]\ngermany: metz {more}\n[factories]\nleipzig: 1"
        table = move(scene(blocks.format(more="")), "ger_inf_1a", "metz", "paris").after()
        assert table.state.control["paris"] == "germany"
        table.when(MoveFactory("leipzig", "paris", 1), "axis").refused("VE 11.32", "CANNOT_MOVE_FACTORY")
        table = move(scene(blocks.format(more="paris")), "ger_inf_1a", "metz", "paris").after()
        assert MoveFactory("leipzig", "paris", 1) in table.options("axis")

    def test_each_marker_once_and_the_old_one_after_the_new(self) -> None:
        blocks = "[factories]\nkharkov: {steps}\nurals: 2"
        table = scene(blocks.format(steps=1), phase="move allied", turn=SUMMER_1942)
        table = table.when(MoveFactory("kharkov", "urals", 1), "allied").after()
        table.when(MoveFactory("urals", "kharkov", 1), "allied").refused("VE 11.32", "CANNOT_MOVE_FACTORY")
        assert MoveFactory("urals", "kharkov", 2) in table.options("allied")
        table = scene(
            blocks.format(steps=2), phase="move allied", turn=SUMMER_1942, commands={"allied": 9, "soviet": 9}
        )
        table = table.when(MoveFactory("kharkov", "urals", 2), "allied").after()
        table = table.when(MoveFactory("urals", "kharkov", 2), "allied").after()
        table.when(MoveFactory("urals", "gorky", 2), "allied").refused("VE 11.32", "CANNOT_MOVE_FACTORY")

    def test_not_out_of_a_battle(self) -> None:
        table = scene(
            "[axis]\nruhr: ger_inf_1a\n[allied]\nruhr: bri_inf_bef(3,from=belgium)\n[factories]\nruhr: 1",
            clashes={"ruhr": {"attacker": "allied", "defender": "axis"}},
        )
        table.when(MoveFactory("ruhr", "munich", 1), "axis").refused("VE 11.32", "CANNOT_MOVE_FACTORY")

    def test_none_goes_to_the_urals_before_they_open(self) -> None:
        """VE 13 Soviet Union"""
        blocks = "[factories]\nkharkov: 1\nurals: 2"
        early = scene(blocks, phase="move allied", turn=SUMMER_1940)
        early.when(MoveFactory("kharkov", "urals", 1), "allied").refused("VE 11.32", "CANNOT_MOVE_FACTORY")
        late = scene(blocks, phase="move allied", turn=SUMMER_1942)
        assert MoveFactory("kharkov", "urals", 1) in late.options("allied")

    def test_an_event_moves_some_for_nothing(self) -> None:
        """VE 3.3"""
        table = scene(
            "[factories]\nkharkov: 2",
            phase="move allied",
            turn=SUMMER_1942,
            commands={"axis": 0, "allied": 0, "soviet": 0},
            played={"axis": "axis_1939_1", "allied": card_with("factory_moves", "soviet_union")},
        )
        table.when(MoveFactory("kharkov", "gorky", 2), "allied").then(
            EffectUsed("allied", "factory"), EffectUsed("allied", "factory"), FactoryMoved("kharkov", "gorky", 2)
        )
