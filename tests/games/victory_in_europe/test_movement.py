"""Moving armies in the Move Phase [VE 1.1] [VE 4.1] to [VE 4.7] [VE 3.41]."""

from __future__ import annotations

from stavka.games.victory_in_europe.board import border_limit, friendly_places
from stavka.games.victory_in_europe.events import ClashBegun, CommandsSpent, ControlChanged, PhaseBegun
from stavka.games.victory_in_europe.moves import EndMoves, MoveBlock, RecallBlock

from tests.support.table import Table

from .field import FALL_1941, SUMMER_1941, WINTER_1942, card_with, move, paths, scene, spent, targets

POLAND = """
[axis]
poznan: ger_inf_1a ger_inf_3a ger_pz_1a
[allied]
warsaw: bri_inf_bef
[control]
germany: poznan danzig
britain: warsaw krakow
"""


class TestAreasAndBorders:
    """VE 1.1"""

    def test_clear_ground_stops_nobody(self) -> None:
        """VE 1.11"""
        table = scene("[axis]\nberlin: ger_inf_1a")
        assert {"leipzig", "frankfurt", "munich"} <= targets(table, "ger_inf_1a")

    def test_enemy_forest_stops_and_friendly_forest_does_not(self) -> None:
        """VE 1.12: an area that the enemy controls stops the unit even if it is empty."""
        table = scene("[axis]\nvilna: ger_pz_1a\n[control]\ngermany: vilna", turn=SUMMER_1941)
        assert ("vilna", "minsk") in paths(table, "ger_pz_1a")
        assert not {path for path in paths(table, "ger_pz_1a") if path[:2] == ("vilna", "minsk") and len(path) > 2}
        friendly = scene("[axis]\nvilna: ger_pz_1a\n[control]\ngermany: vilna minsk gomel", turn=SUMMER_1941)
        assert ("vilna", "minsk", "gomel") in paths(friendly, "ger_pz_1a")

    def test_mountains_stop_by_area_and_by_border(self) -> None:
        """VE 1.13: Prague is forest, the border to it a mountain one."""
        table = scene("[axis]\nbreslau: ger_pz_1a")
        reached = paths(table, "ger_pz_1a")
        assert ("breslau", "prague") in reached
        assert not {path for path in reached if path[:2] == ("breslau", "prague") and len(path) > 2}

    def test_a_strait_ends_the_move(self) -> None:
        """VE 1.7"""
        table = scene("[axis]\ntaranto: ger_pz_1a\n[control]\nitaly: sicily naples")
        assert ("taranto", "sicily") in paths(table, "ger_pz_1a")

    def test_limits_follow_the_border_and_not_the_areas(self) -> None:
        """VE 4.6 VE 1.2 VE 1.3 VE 3.44"""
        summer, fall = scene("", turn=SUMMER_1941).state, scene("", turn=FALL_1941).state
        assert border_limit(summer, "warsaw", "poznan").value == 2
        assert border_limit(summer, "frankfurt", "metz").value == 1
        assert border_limit(summer, "kiev", "odessa").value == 1
        assert border_limit(fall, "kiev", "odessa").value == 2
        assert border_limit(fall, "moscow", "gorky").value == 1
        assert border_limit(fall, "bessarabia", "odessa").value == 1
        assert [rule for rule, _ in border_limit(fall, "kiev", "odessa").reasons] == ["VE 1.3", "VE 3.44"]
        assert [rule for rule, _ in border_limit(fall, "moscow", "gorky").reasons] == ["VE 1.3", "VE 1.3"]

    def test_desert_borders_let_two_through_but_two_of_them_only_one(self) -> None:
        """VE 1.14"""
        state = scene("").state
        assert border_limit(state, "tobruk", "benghazi").value == 2
        assert border_limit(state, "tripoli", "tunis").value == 1
        assert border_limit(state, "cairo", "mersa_matruh").value == 1


class TestControl:
    """VE 4.1 VE 1.17"""

    def test_passing_through_takes_each_area(self) -> None:
        table = scene("[axis]\npoznan: ger_pz_1a\n[control]\ngermany: poznan\nbritain: warsaw krakow lvov danzig")
        after = move(table, "ger_pz_1a", "poznan", "danzig", "warsaw").includes(
            ControlChanged("danzig", "germany"), ControlChanged("warsaw", "germany")
        )
        assert after.state.control["danzig"] == "germany"
        assert spent(after) == 0

    def test_a_country_takes_its_own_areas_back(self) -> None:
        table = scene("[allied]\ncalais: bri_inf_bef\n[control]\ngermany: paris", phase="move allied")
        move(table, "bri_inf_bef", "calais", "paris").includes(ControlChanged("paris", "france"))

    def test_factories_left_alone_with_an_enemy_army_are_lost(self) -> None:
        """VE 11.33"""
        table = scene("[axis]\ncalais: ger_inf_1a\n[control]\ngermany: calais\n[factories]\nparis: 2")
        assert "paris" not in move(table, "ger_inf_1a", "calais", "paris").after().state.factories

    def test_resources_taken_count_from_the_next_turn(self) -> None:
        """VE 11.2"""
        table = scene("[axis]\nlvov: ger_inf_1a\n[control]\ngermany: lvov\nbritain: bucharest iasi", turn=SUMMER_1941)
        after = move(table, "ger_inf_1a", "lvov", "iasi", "bucharest").after()
        assert after.state.conquests == {"bucharest"}


class TestMovingUnits:
    """VE 4.2 VE [2]"""

    def test_a_battle_costs_one_command_however_many_join(self) -> None:
        table = scene(POLAND)
        after = move(table, "ger_inf_1a", "poznan", "warsaw").includes(
            CommandsSpent("axis", 1, "battle"), ClashBegun("warsaw", "axis", "allied", land=True)
        )
        after = move(after, "ger_pz_1a", "poznan", "warsaw").lacks(CommandsSpent, ClashBegun)
        assert spent(after) == 1
        assert after.state.blocks["ger_pz_1a"].came == "poznan"

    def test_no_battle_without_a_command(self) -> None:
        """VE 3.2"""
        table = scene(POLAND, commands={"axis": 0, "allied": 1})
        move(table, "ger_inf_1a", "poznan", "warsaw").refused("VE 3.2", "NOT_ENOUGH_COMMANDS")
        assert ("poznan", "krakow") in paths(table, "ger_inf_1a")

    def test_nobody_goes_on_through_an_enemy(self) -> None:
        table = scene(POLAND)
        move(table, "ger_pz_1a", "poznan", "warsaw", "lvov").refused("VE 4.2", "OUT_OF_REACH")

    def test_nobody_goes_beyond_his_allowance(self) -> None:
        table = scene("[axis]\nruhr: ger_inf_1a")
        assert ("ruhr", "frankfurt", "leipzig") in paths(table, "ger_inf_1a")
        move(table, "ger_inf_1a", "ruhr", "frankfurt", "leipzig", "breslau").refused("VE 4.2", "OUT_OF_REACH")

    def test_of_ways_that_come_to_the_same_one_is_listed(self) -> None:
        table = scene("[axis]\nruhr: ger_inf_1a")
        move(table, "ger_inf_1a", "ruhr", "hannover", "leipzig").refused("VE 4.2", "NOT_A_LISTED_WAY")

    def test_one_move_a_phase(self) -> None:
        after = move(scene(POLAND), "ger_inf_1a", "poznan", "danzig").after()
        move(after, "ger_inf_1a", "danzig", "poznan").refused("VE 4.2", "ALREADY_MOVED")

    def test_only_ones_own_blocks(self) -> None:
        """An enemy's block and one that nobody has are refused alike: the answer tells nothing."""
        table = scene(POLAND)
        for block in ("bri_inf_bef", "ger_inf_2a", "no_such_block"):
            table.when(MoveBlock("axis", block, ("warsaw", "poznan")), "axis").refused("VE 4.2", "NOT_YOUR_BLOCK")

    def test_paths_begin_where_the_block_stands_and_hold_known_places(self) -> None:
        table = scene(POLAND)
        move(table, "ger_inf_1a", "danzig", "warsaw").refused("VE 4.2", "NOT_THERE")
        move(table, "ger_inf_1a", "poznan", "atlantis").malformed("BAD_PATH")
        move(table, "ger_inf_1a", "poznan").malformed("BAD_PATH")

    def test_fortresses_stay(self) -> None:
        """VE 2.6"""
        table = scene("[allied]\ngibraltar: bri_fort_gibraltar", phase="move allied")
        move(table, "bri_fort_gibraltar", "gibraltar", "granada").refused("VE 2.6", "CANNOT_MOVE")

    def test_neutral_ground_is_closed(self) -> None:
        table = scene("[axis]\nruhr: ger_inf_1a")
        assert "belgium" not in targets(table, "ger_inf_1a")

    def test_the_battle_of_others_is_closed(self) -> None:
        table = scene(
            "[axis]\nhamburg: ger_inf_1a\n[allied]\ndenmark: den_inf_1a\n[minors]\nneutral: denmark",
            clashes={"denmark": {"attacker": "soviet", "defender": "allied"}},
        )
        move(table, "ger_inf_1a", "hamburg", "denmark").refused("VE 4.2", "NOT_YOUR_BATTLE")


class TestReinforcements:
    """VE 4.4"""

    def test_they_cost_one_command_a_battle(self) -> None:
        table = scene(
            "[axis]\nwarsaw: ger_inf_1a(4,from=poznan)\n[allied]\nwarsaw: bri_inf_bef\nkrakow: bri_inf_8a bri_inf_1a\n"
            "[control]\ngermany: poznan\nbritain: warsaw krakow",
            phase="move allied",
            clashes={"warsaw": {"attacker": "axis", "defender": "allied", "land": True}},
        )
        after = move(table, "bri_inf_8a", "krakow", "warsaw").includes(
            CommandsSpent("allied", 1, "battle"), ClashBegun("warsaw", "axis", "allied", True, land=True)
        )
        assert after.state.blocks["bri_inf_8a"].came == "krakow"
        assert spent(after, "allied") == 1


class TestStacking:
    """VE 4.5 VE 1.15"""

    def test_armies_may_crowd_while_others_can_still_leave(self) -> None:
        table = scene("[axis]\nberlin: ger_inf_1a ger_inf_3a ger_inf_4a\nleipzig: ger_inf_7a")
        after = move(table, "ger_inf_7a", "leipzig", "berlin").after()
        after.when(EndMoves(), "axis").refused("VE 4.5", "OVERSTACKED")
        settled = move(after, "ger_inf_1a", "berlin", "leipzig").after()
        settled.when(EndMoves(), "axis").includes(PhaseBegun(5, "move", "movement", "allied", settled_start(settled)))

    def test_what_is_too_much_can_be_called_back(self) -> None:
        table = scene("[axis]\nberlin: ger_inf_1a ger_inf_3a ger_inf_4a\nleipzig: ger_inf_7a")
        after = move(table, "ger_inf_7a", "leipzig", "berlin").after()
        back = after.when(RecallBlock("axis", "ger_inf_7a"), "axis").after()
        assert back.state.blocks["ger_inf_7a"].at == "leipzig"
        move(back, "ger_inf_7a", "leipzig", "munich").refused("VE 4.2", "ALREADY_MOVED")
        back.when(RecallBlock("axis", "ger_inf_7a"), "axis").refused("VE 4.5", "NOTHING_TO_RECALL")

    def test_a_battle_takes_the_limit_and_no_more(self) -> None:
        table = scene(
            "[axis]\npoznan: ger_inf_1a ger_inf_3a\ndanzig: ger_inf_4a\nkonigsberg: ger_inf_7a\n[allied]\nwarsaw: bri_inf_bef\n"
            "[control]\ngermany: poznan danzig\nbritain: warsaw"
        )
        for block, origin in (("ger_inf_1a", "poznan"), ("ger_inf_3a", "poznan"), ("ger_inf_4a", "danzig")):
            table = move(table, block, origin, "warsaw").after()
        move(table, "ger_inf_7a", "konigsberg", "warsaw").refused("VE 4.5", "OVERSTACKED")

    def test_one_leader_comes_on_top(self) -> None:
        table = scene("[axis]\nberlin: ger_inf_1a ger_inf_3a ger_inf_4a ger_ldr_guderian\nleipzig: ger_ldr_rundstedt")
        assert "hannover" in targets(table, "ger_ldr_rundstedt")
        after = move(table, "ger_ldr_guderian", "berlin", "leipzig", "munich").after()
        assert "berlin" in targets(after, "ger_ldr_rundstedt")

    def test_small_islands_hold_one(self) -> None:
        table = scene("[allied]\ngibraltar: bri_fort_gibraltar\nlondon: bri_inf_bef", phase="move allied")
        assert "gibraltar" not in targets(table, "bri_inf_bef", "strategic")


def settled_start(table: Table) -> dict[str, frozenset[str]]:
    return friendly_places(table.state)


class TestBorderLimits:
    """VE 4.6"""

    def test_the_second_of_a_pair_is_refused_where_one_may_cross(self) -> None:
        table = scene(
            "[axis]\nfrankfurt: ger_inf_1a ger_inf_3a\n[allied]\nmetz: fra_inf_1a",
        )
        after = move(table, "ger_inf_1a", "frankfurt", "metz").after()
        move(after, "ger_inf_3a", "frankfurt", "metz").refused("VE 4.6", "BORDER_LIMIT")

    def test_leaders_are_no_army_at_a_border(self) -> None:
        """VE 5.7"""
        table = scene("[axis]\nfrankfurt: ger_inf_1a ger_ldr_guderian\n[allied]\nmetz: fra_inf_1a")
        after = move(table, "ger_inf_1a", "frankfurt", "metz").after()
        assert ("frankfurt", "metz") in paths(after, "ger_ldr_guderian")

    def test_there_is_no_limit_where_nobody_fights(self) -> None:
        table = scene("[axis]\nfrankfurt: ger_inf_1a ger_inf_3a\n[control]\ngermany: metz")
        after = move(table, "ger_inf_1a", "frankfurt", "metz").after()
        assert ("frankfurt", "metz") in paths(after, "ger_inf_3a")

    def test_limits_bind_on_the_way_out_of_a_battle(self) -> None:
        table = scene(
            "[axis]\nmetz: ger_inf_1a(4,from=frankfurt)\n[allied]\nmetz: fra_inf_1a fra_inf_2a fra_inf_3a\n",
            phase="move allied",
            clashes={"metz": {"attacker": "axis", "defender": "allied", "land": True}},
            camps={"allied": {"crossed": ["lyon|metz"]}},
        )
        move(table, "fra_inf_1a", "metz", "lyon").refused("VE 4.6", "BORDER_LIMIT")
        assert ("metz", "paris") in paths(table, "fra_inf_1a")

    def test_an_event_lets_one_more_through(self) -> None:
        """VE 3.3"""
        table = scene(
            "[allied]\nmetz: bri_inf_1a bri_inf_2a\n[axis]\nfrankfurt: ger_inf_1a\n",
            phase="move allied",
            played={"axis": "axis_1945_1", "allied": card_with("border_bonus", "britain")},
        )
        after = move(table, "bri_inf_1a", "metz", "frankfurt").after()
        after = move(after, "bri_inf_2a", "metz", "frankfurt").after()
        assert any(what.startswith("allied:border:") for what in after.state.effects)


class TestStrategicMovement:
    """VE 4.7"""

    def test_it_costs_a_command_and_goes_any_distance_over_friendly_ground(self) -> None:
        table = scene("[axis]\nkonigsberg: ger_inf_1a\n[control]\ngermany: danzig")
        after = move(table, "ger_inf_1a", "konigsberg", "munich", by="strategic").includes(
            CommandsSpent("axis", 1, "strategic")
        )
        assert spent(after) == 1

    def test_it_does_not_pass_enemies_or_battles(self) -> None:
        table = scene(
            "[axis]\nrome: ita_inf_1a\n[allied]\nflorence: bri_inf_bef\nadriatic_sea: bri_ca_1\n"
            "gulf_of_lyon: bri_ca_2\ntyrrhenian_sea: bri_ca_3\n[control]\nbritain: florence"
        )
        move(table, "ita_inf_1a", "rome", "milan", by="strategic").refused("VE 4.7", "NO_STRATEGIC_WAY")

    def test_it_goes_by_sea_from_port_to_port(self) -> None:
        table = scene("[axis]\nrome: ita_inf_1a\n[control]\nitaly: tripoli")
        assert "tripoli" in targets(table, "ita_inf_1a", "strategic")
        watched = scene(
            "[axis]\nrome: ita_inf_1a\n[allied]\ncentral_mediterranean: bri_ca_1\n[control]\nitaly: tripoli"
        )
        assert "tripoli" not in targets(watched, "ita_inf_1a", "strategic")

    def test_the_target_was_friendly_when_the_phase_began(self) -> None:
        table = scene("[axis]\ncalais: ger_inf_1a\nruhr: ger_inf_3a\n[control]\ngermany: calais belgium")
        after = move(table, "ger_inf_1a", "calais", "paris").after()
        assert "paris" not in targets(after, "ger_inf_3a", "strategic")

    def test_red_ports_are_reached_from_every_port(self) -> None:
        """VE 8.8"""
        table = scene(
            "[allied]\nlondon: bri_inf_bef\n[axis]\nenglish_channel: ger_ca_1\nnorth_sea: ger_ca_2", phase="move allied"
        )
        assert "suez" in targets(table, "bri_inf_bef", "strategic")
        assert "gibraltar" not in targets(table, "bri_inf_bef", "strategic")

    def test_an_event_pays_for_some(self) -> None:
        """VE 3.3"""
        table = scene(
            "[axis]\nberlin: ger_inf_1a",
            commands={"axis": 0, "allied": 0},
            played={"axis": card_with("extra_sm", "germany"), "allied": "allied_1939_1"},
        )
        after = move(table, "ger_inf_1a", "berlin", "munich", by="strategic").lacks(CommandsSpent)
        assert after.state.effects == ("axis:sm",)

    def test_without_command_or_event_nothing_goes(self) -> None:
        table = scene("[axis]\nberlin: ger_inf_1a", commands={"axis": 0, "allied": 0})
        move(table, "ger_inf_1a", "berlin", "munich", by="strategic").refused("VE 3.2", "NOT_ENOUGH_COMMANDS")


class TestWinter:
    """VE 3.41"""

    def test_armies_move_one_area(self) -> None:
        table = scene("[axis]\nberlin: ger_pz_1a", turn=WINTER_1942)
        assert all(len(path) == 2 for path in paths(table, "ger_pz_1a"))

    def test_finland_has_the_longer_winter(self) -> None:
        """VE 13 Finland"""
        blocks = (
            "[soviet]\nviipuri: sov_cav_1\n[minors]\nconquered: finland\n[control]\nsoviet_union: viipuri helsinki oulu"
        )
        table = scene(blocks, phase="move allied", turn=FALL_1941)
        assert all(len(path) == 2 for path in paths(table, "sov_cav_1"))
        summer = scene(blocks, phase="move allied", turn=SUMMER_1941)
        assert any(len(path) > 2 for path in paths(summer, "sov_cav_1"))

    def test_the_last_turn_of_the_year_is_winter_in_russia_alone(self) -> None:
        """VE 3.4: nobody enters or leaves the winter but by a move of one area."""
        table = scene(
            "[axis]\nwarsaw: ger_pz_1a\nminsk: ger_pz_2a\n[control]\ngermany: warsaw brest_litovsk minsk vilna gomel",
            turn=FALL_1941,
        )
        assert ("warsaw", "brest_litovsk", "vilna") in paths(table, "ger_pz_1a")
        assert "minsk" not in targets(table, "ger_pz_1a")
        assert all(len(path) == 2 for path in paths(table, "ger_pz_2a"))


class TestStrategicWithdrawal:
    """VE 4.3 VE 4.7"""

    def test_limits_bind_it_on_the_way_out_of_a_battle(self) -> None:
        """VE 4.6: Metz is left over Lyon's mountains, which one army has crossed already."""
        table = scene(
            "[axis]\nmetz: ger_inf_1a(4,from=paris)\n[allied]\nmetz: fra_inf_1a fra_inf_2a\n[control]\ngermany: paris calais",
            phase="move allied",
            clashes={"metz": {"attacker": "axis", "defender": "allied", "land": True}},
            camps={"allied": {"crossed": ["lyon|metz"]}},
        )
        move(table, "fra_inf_1a", "metz", "bordeaux", by="strategic").refused("VE 4.6", "BORDER_LIMIT")
