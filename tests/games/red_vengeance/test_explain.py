"""Explanations are made of what the rules use [RV 5.1, RV 6.2, RV 6.3, RV 7.2, RV 8.43]."""

from __future__ import annotations

import json

import pytest
from stavka.games.red_vengeance import GAME
from stavka.games.red_vengeance.moves import MoveUnit
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import SPECTATOR

from tests.games.red_vengeance.field import explained, facts, scene
from tests.support.table import Table


def plain(axis: str = "1906: ger-xiii", allied: str = "1904: sov-2t") -> Table:
    return scene(axis, allied, phase="movement allied", visited="1805 2005")


class TestSupplyIsExplained:
    """RV 5.1"""

    def test_a_line_leads_from_the_unit_to_a_source(self) -> None:
        told = explained(plain(), "supply", unit="sov-2t")
        assert told["in_supply"] and told["lines"][0]["line"][0] == "1904" and told["rule"] == "RV 5.1"

    def test_exceptions_are_named_with_their_rules(self) -> None:
        told = explained(scene("1906: ger-ix", "2925: yug-1"), "supply", unit="yug-1")
        assert [item["rule"] for item in told["exceptions"]] == ["RV 11.41"]
        shore = scene("1906: ger-ix", "2907: sov-13", shore_supplied="sov-13")
        assert "RV 12.21" in [item["rule"] for item in explained(shore, "supply", unit="sov-13")["exceptions"]]
        axis = explained(plain(), "supply", unit="ger-xiii")
        assert [item["rule"] for item in axis["exceptions"]] == ["RV 12.22"]


class TestPathsAreExplained:
    """RV 6.2"""

    def test_each_step_says_what_it_costs(self) -> None:
        told = explained(plain(), "path", unit="sov-2t", path="1904 1905 2004")
        assert [(step["to"], step["base"], step["zoc"], step["paid"]) for step in told["steps"]] == [
            ("1905", 1, 1, 2),
            ("2004", 1, 0, 1),
        ]
        assert told["total"] == 3 and told["allowance"] == 5 and told["steps"][0]["rule"] == "RV 6.43"

    def test_the_first_wrong_step_says_why(self) -> None:
        told = explained(plain(allied="1904: sov-13"), "path", unit="sov-13", path="1904 1905 2004")
        assert told["failure"] == {"step": 2, "hex": "2004", "reason": "MUST_STOP"} and not told["reachable"]

    def test_a_hex_out_of_reach_has_no_path(self) -> None:
        assert explained(plain(), "path", unit="sov-2t", to="1422")["path"] == []

    def test_a_strategic_path_names_its_conditions(self) -> None:
        told = explained(plain("1906: ger-xiii", "1905: sov-13"), "path", unit="sov-13", to="1903", mode="strategic")
        assert [item["holds"] for item in told["conditions"]] == [True, False] and told["rule"] == "RV 6.5"

    def test_what_is_said_to_be_reachable_may_be_moved_to(self) -> None:
        table = plain()
        reach = set(explained(table, "reach", unit="sov-2t")["costs"])
        assert reach == {o.to for o in table.options("allied") if isinstance(o, MoveUnit) and o.unit == "sov-2t"}


class TestHexesAreExplained:
    """RV 6.3"""

    def test_what_stands_there_and_how_much_more_may(self) -> None:
        told = facts(plain("1906: ger-xiii ger-marine"), "1906")
        assert told["pieces"] == ["ger-xiii", "ger-marine"] and told["room"] == 1 and told["stacking_limit"] == 2
        assert told["control_rule"] == "RV 7.2" and facts(plain(), "2818")["control_rule"] == "RV 7.3"


class TestQuestions:
    """RV 8.43"""

    @pytest.mark.parametrize(
        ("question", "args", "reason"),
        [
            ("fate", {}, "UNKNOWN_QUESTION"),
            ("supply", {}, "MISSING_ARGUMENT"),
            ("supply", {"unit": "ger-999"}, "UNKNOWN_UNIT"),
            ("supply", {"unit": "zhukov"}, "NOT_ON_MAP"),
            ("supply", {"unit": "konev"}, "UNKNOWN_UNIT"),
            ("path", {"unit": "sov-2t"}, "MISSING_ARGUMENT"),
            ("path", {"unit": "sov-2t", "to": "1905", "mode": "teleport"}, "UNKNOWN_MODE"),
            ("path", {"unit": "sov-2t", "to": "0000"}, "UNKNOWN_SPACE"),
            ("hex", {"hex": "here"}, "UNKNOWN_SPACE"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, question: str, args: dict[str, str], reason: str) -> None:
        table = plain(allied="1904: sov-2t konev")
        with pytest.raises(MalformedCommand) as error:
            GAME.explain(table.state, SPECTATOR, question, args)
        assert error.value.reason == reason

    def test_every_answer_is_plain_data(self) -> None:
        table = scene("1906: ger-xiii", "1905: sov-2t", phase="combat allied")
        for question, args in (
            ("supply", {"unit": "sov-2t"}),
            ("path", {"unit": "sov-2t", "to": "1904"}),
            ("reach", {"unit": "sov-2t"}),
            ("hex", {"hex": "1906"}),
            ("odds", {"attackers": "sov-2t", "targets": "1906"}),
        ):
            assert json.loads(json.dumps(explained(table, question, **args)))
        assert {"supply", "path", "reach", "hex", "odds"} == set(GAME.questions)
