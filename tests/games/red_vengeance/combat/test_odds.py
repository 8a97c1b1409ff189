"""The odds of a battle: what is asked, when, and what is told."""

import pytest
from stavka.games.red_vengeance.combat.declare import from_args
from stavka.games.red_vengeance.combat.dice import distribution, odds
from stavka.kernel.errors import IllegalAction, MalformedCommand

from tests.games.red_vengeance.combat.scene import battle, pools, scene


class TestOdds:
    """RV 8.43"""

    def test_every_die_is_accounted_for(self) -> None:
        table = scene(axis="1805: ger-i", allied="1804: sov-1gt zhukov", weather="snow", turn=8)
        answer = odds(table.state, {"targets": "1805", "attackers": ["sov-1gt"]})
        attacker = answer["attacker"]
        assert attacker["dice"] == 5
        assert [m["rule"] for m in attacker["units"][0]["modifiers"]] == ["RV 9.1", "RV 13.0"]
        assert attacker["extras"] == [{"rule": "RV 11.21", "what": "zhukov", "hex": "1804", "dice": 2}]
        assert attacker["location"] == ["1805"]

    def test_chances(self) -> None:
        table = scene(axis="2215: ger-i", allied="2214: sov-3")
        ours, theirs = pools(table, "2215", "sov-3")
        assert distribution(ours)[0] == pytest.approx((5 / 6) ** 3)
        assert distribution(theirs)[4] == pytest.approx((1 / 3) ** 4)
        assert sum(distribution(theirs)) == pytest.approx(1)

    def test_the_battle_being_fought_needs_no_arguments(self) -> None:
        table = scene(axis="0413: ger-i", allied="0412: sov-3").when(battle("0413", "sov-3"), "allied").after()
        assert odds(table.state, {})["navy"] == 2

    def test_the_question_may_be_asked_before_the_combat_phase(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3 sov-1gt", phase="movement allied")
        assert odds(table.state, {"targets": "1906", "attackers": "sov-3"})["attacker"]["dice"] == 4
        later = scene(axis="1906: ger-i", allied="1905: sov-3 sov-1gt", phase="exploitation_movement allied")
        assert odds(later.state, {"targets": "1906", "attackers": "sov-1gt"})["attacker"]["dice"] == 6
        with pytest.raises(IllegalAction) as refused:
            odds(later.state, {"targets": "1906", "attackers": "sov-3"})
        assert refused.value.reason == "MAY_NOT_EXPLOIT"

    def test_but_not_outside_player_turns(self) -> None:
        table = scene(axis="1906: ger-i", allied="1905: sov-3", phase="weather -")
        with pytest.raises(IllegalAction) as refused:
            odds(table.state, {"targets": "1906", "attackers": "sov-3"})
        assert (refused.value.rule, refused.value.reason) == ("RV 8.0", "NOBODY_ATTACKS_NOW")

    def test_arguments_have_a_shape(self) -> None:
        assert from_args({"targets": "1906 1806", "attackers": ["sov-3"], "air": "true"}).air
        with pytest.raises(MalformedCommand) as refused:
            from_args({"targets": 3, "attackers": "sov-3"})
        assert refused.value.reason == "WRONG_SHAPE"
