"""Questions and their answers, charts and drawings [VE 8.1] [VE 4.6] [VE 5.3]; none tells what its asker may not know."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.explain import QUESTIONS
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import ARBITER, SPECTATOR, Viewer, seat
from stavka.views.redact import redact

from tests.support.table import Table

from .field import scene

AXIS, ALLIED = seat("axis"), seat("allied")


def ask(table: Table, viewer: Viewer, question: str, **args: str) -> dict[str, Any]:
    return dict(GAME.explain(table.state, viewer, question, args))


def refused(table: Table, viewer: Viewer, question: str, **args: str) -> str:
    with pytest.raises(MalformedCommand) as error:
        ask(table, viewer, question, **args)
    return error.value.reason


POCKET = "[axis]\nparis: ger_inf_1a\nberlin: ger_inf_3a\n[allied]\ncalais: bri_inf_bef\n[control]\ngermany: paris"


class TestSupply:
    """VE 8.1"""

    def test_a_line_is_told_step_by_step(self) -> None:
        table = scene("[axis]\nparis: ger_inf_1a\n[control]\ngermany: paris metz")
        answer = ask(table, AXIS, "supply", block="ger_inf_1a")
        assert answer["supplied"] and (answer["line"][0], answer["line"][1], answer["source"]) == (
            "paris",
            "metz",
            "berlin",
        )

    def test_what_cuts_it_is_named(self) -> None:
        answer = ask(scene(POCKET), AXIS, "supply", block="ger_inf_1a")
        assert not answer["supplied"]
        assert answer["pocket"] == ["paris"]
        assert set(answer["cut_by"]["enemy area"]) == {"calais", "le_havre", "metz", "lyon", "bordeaux"}

    def test_ships_fortresses_and_the_lake(self) -> None:
        """VE 8.4 VE 8.2 VE 1.9"""
        table = scene(
            "[axis]\nnorth_sea: ger_ca_1\n[allied]\ngibraltar: bri_fort_gibraltar\n[soviet]\nleningrad: sov_inf4_1\n"
            "[control]\ngermany: london riga lithuania novgorod viipuri belomorsk",
            turn=13,
            alternate=["britain"],
        )
        assert ask(table, AXIS, "supply", block="ger_ca_1")["rule"] == "VE 8.4"
        assert ask(table, ALLIED, "supply", block="sov_inf4_1")["rule"] == "VE 1.9"
        assert ask(table, ALLIED, "supply", block="bri_fort_gibraltar")["supplied"]

    def test_an_enemys_block_does_not_exist_for_the_asker(self) -> None:
        table = scene(POCKET)
        for viewer in (ALLIED, SPECTATOR):
            assert refused(table, viewer, "supply", block="ger_inf_1a") == "UNKNOWN_BLOCK"
            assert refused(table, viewer, "supply", block="ger_inf_2a") == "UNKNOWN_BLOCK"
        assert ask(table, ARBITER, "supply", block="ger_inf_1a")["block"] == "ger_inf_1a"


class TestBorder:
    """VE 4.6"""

    def test_the_limit_has_its_reason(self) -> None:
        answer = ask(scene(""), ALLIED, "border", a="metz", b="frankfurt")
        assert (answer["limit"], answer["reasons"]) == (1, [{"rule": "VE 1.2", "what": "fortified"}])

    def test_each_side_hears_of_its_own_crossings(self) -> None:
        table = scene("", camps={"axis": {"crossed": ["frankfurt|metz"]}})
        assert ask(table, AXIS, "border", a="metz", b="frankfurt")["crossed"] == {"axis": 1}
        assert ask(table, ALLIED, "border", a="metz", b="frankfurt")["crossed"] == {"allied": 0, "soviet": 0}
        assert ask(table, SPECTATOR, "border", a="metz", b="frankfurt")["crossed"] == {}

    def test_places_must_touch(self) -> None:
        assert refused(scene(""), AXIS, "border", a="paris", b="berlin") == "NOT_ADJACENT"
        assert refused(scene(""), AXIS, "border", a="paris", b="atlantis") == "UNKNOWN_SPACE"
        assert refused(scene(""), AXIS, "border", a="paris") == "MISSING_ARGUMENT"


class TestMoves:
    """VE 4.2"""

    def test_each_route_has_its_price_or_its_refusal(self) -> None:
        table = scene("[axis]\nfrankfurt: ger_inf_1a\n[allied]\nmetz: fra_inf_1a", commands={"axis": 0, "allied": 1})
        found = ask(table, AXIS, "moves", block="ger_inf_1a")["routes"]
        routes = {tuple(r["path"]): r for r in found if r["by"] == "move"}
        assert routes["frankfurt", "metz"]["refused"] == {"rule": "VE 3.2", "reason": "NOT_ENOUGH_COMMANDS"}
        assert routes["frankfurt", "ruhr"] == {"path": ["frankfurt", "ruhr"], "by": "move", "commands": 0}

    def test_a_revealed_block_keeps_its_moves_to_itself(self) -> None:
        table = scene("[axis]\nparis: ger_inf_1a(4,shown=allied)\n[control]\ngermany: paris")
        assert refused(table, ALLIED, "moves", block="ger_inf_1a") == "UNKNOWN_BLOCK"


class TestBattle:
    """VE 5.3"""

    def test_what_a_roll_needs_is_asked_here_too(self) -> None:
        table = (
            scene(
                "[axis]\nvilna: ger_inf_1a(4,from=warsaw)\n[soviet]\nvilna: sov_guard_1(3)\n[control]\ngermany: warsaw",
                phase="combat",
                turn=13,
                clashes={"vilna": {"attacker": "axis", "defender": "soviet", "land": True}},
            )
            .goes_on()
            .after()
        )
        assert ask(table, ALLIED, "roll", block="sov_guard_1", target="army")
        assert refused(table, SPECTATOR, "roll", block="sov_guard_1", target="army") == "UNKNOWN_BLOCK"

    def test_outside_of_battle_there_is_nothing_to_tell(self) -> None:
        assert refused(scene(POCKET), AXIS, "roll", block="ger_inf_1a") == "NO_BATTLE"


class TestPlacesAndCommands:
    """VE 1.1 VE 3.2"""

    def test_a_place_tells_what_lies_open(self) -> None:
        for viewer in (AXIS, ALLIED, SPECTATOR):
            answer = ask(scene(POCKET), viewer, "place", place="paris")
            assert answer["blocks"] == [{"seat": "axis", "nation": "germany", "blocks": 1}]
            assert answer["stance"]["britain"] == "enemy"
        assert ask(scene(POCKET), AXIS, "place", place="white_sea")["frozen"] is False

    def test_commands_left_and_cards(self) -> None:
        table = scene("", played={"axis": "axis_1939_1", "allied": "allied_1939_1"})
        answer = ask(table, SPECTATOR, "commands")
        assert answer["cards"]["axis"]["commands"] == 4
        assert answer["left"] == {"axis": 3, "allied": 3, "soviet": 3}

    def test_unknown_questions(self) -> None:
        assert refused(scene(""), AXIS, "weather_report") == "UNKNOWN_QUESTION"
        assert set(QUESTIONS) == {
            "supply",
            "border",
            "moves",
            "place",
            "commands",
            "roll",
            "retreat",
            "battle",
            "production",
            "diplomacy",
            "victory",
        }


class TestShown:
    """VE 2.0"""

    def test_chart_and_drawing_show_each_viewer_his_own(self) -> None:
        table = scene(POCKET, clashes={"paris": {"attacker": "axis", "defender": "allied"}})
        own, other = (redact(table.state, viewer, False) for viewer in (AXIS, ALLIED))
        assert "Infantry 1A" in GAME.chart(own)
        assert "Infantry 1A" not in GAME.chart(other)
        assert "Infantry BEF" in GAME.chart(other)
        for view, seen in ((own, True), (other, False)):
            drawn = GAME.draw(view)
            ElementTree.fromstring(drawn)
            assert ("Infantry 1A" in drawn) is seen

    def test_what_is_no_view_is_refused(self) -> None:
        with pytest.raises(MalformedCommand):
            GAME.chart({"blocks": {}})

    def test_the_headline_names_turn_and_phase(self) -> None:
        assert GAME.headline(scene("").state) == "Summer 1940, Axis moves (Player 1: Axis)"
        assert GAME.headline(GAME.state()) == "Not begun"
        ended = scene("", winner="axis").state
        assert GAME.headline(ended) == "Ended: Axis"

    def test_every_space_and_block_is_listed_with_its_source(self) -> None:
        assert len(GAME.spaces()) == 187
        assert all(space.source for space in GAME.spaces())
        assert all(piece["source"] for piece in GAME.pieces())
