"""What a battle shows, and to whom [VE 5.2] [VE 4.4]: nothing to those who do not fight in it, late comers to nobody."""

from __future__ import annotations

import json

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.battle import chapter
from stavka.games.victory_in_europe.battle.events import APPLY
from stavka.games.victory_in_europe.battle.explain import explain
from stavka.games.victory_in_europe.battle.turns import Fire, Retreat
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import ARBITER, SPECTATOR, Viewer, require_classified
from stavka.kernel.visibility import seat as seat_viewer
from stavka.views.redact import fact, facts, redact

from tests.support.table import Table
from tests.support.worlds import OpenRoll

from .scene import SUMMER_1941, clash, dice, fire, hold, scene

KIEV = "[control]\ngermany: kiev dnepropetrovsk"
THREE = "campaign_1939_three"


def kharkov(axis: str, soviet: str, scenario: str = "campaign_1939") -> Table:
    return scene(
        f"[axis]\nkharkov: {axis}\n[soviet]\nkharkov: {soviet}\n{KIEV}",
        {"kharkov": clash("axis", "soviet", land=True, reinforced=True)},
        turn=SUMMER_1941,
        scenario=scenario,
        order=("axis", "allied", "soviet") if scenario == THREE else ("axis", "allied"),
    )


def seen(table: Table, viewer: Viewer) -> str:
    """Everything that a viewer has of a state, and a seat of its decisions."""
    view = redact(table.state, viewer, False)
    offers = [repr(choice) for choice in table.game.legal(table.state, viewer.seat)] if viewer.seat else []
    return json.dumps([view, offers], default=str)


class TestClassification:
    def test_every_field_says_who_may_see_it(self) -> None:
        require_classified([*APPLY, *chapter.COMMANDS])


class TestReveal:
    """Blocks in a battle stand open to those who fight there, and are hidden again when it is over."""

    def test_both_sides_see_them(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1")
        assert "sov_guard_1" in seen(table, seat_viewer("axis"))
        assert "ger_inf_16a" in seen(table, seat_viewer("allied"))

    def test_spectators_see_nothing(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1")
        text = seen(table, SPECTATOR)
        assert "sov_guard_1" not in text and "ger_inf_16a" not in text

    def test_nor_does_a_third_player(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1", THREE)
        text = seen(table, seat_viewer("allied"))
        assert "sov_guard_1" not in text and "ger_inf_16a" not in text
        assert "sov_guard_1" in seen(table, seat_viewer("soviet"))

    def test_afterwards_they_are_hidden(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(1)")
        table = hold(table, "sov_guard_1")
        table = fire(table, "ger_inf_16a", "army", 1)
        assert "ger_inf_16a" not in seen(table, seat_viewer("allied"))


class TestLateComers:
    """Two worlds that differ in what comes late look alike to the enemy until the second round."""

    @pytest.mark.parametrize("late", ["sov_tank_1(3,from=dnepropetrovsk)", "sov_guard_2(4,from=dnepropetrovsk)"])
    def test_an_army_and_an_aircraft_look_alike(self, late: str) -> None:
        worlds = [
            kharkov("ger_inf_16a(from=kiev)", f"sov_guard_1 {block}")
            for block in (late, "sov_fa_yak1_1(from=dnepropetrovsk)")
        ]
        assert seen(worlds[0], seat_viewer("axis")) == seen(worlds[1], seat_viewer("axis"))
        worlds = [hold(table, "sov_guard_1") for table in worlds]
        assert seen(worlds[0], seat_viewer("axis")) == seen(worlds[1], seat_viewer("axis"))
        command = Retreat("axis", "ger_inf_16a", "dnepropetrovsk")
        answers = [table.when(command, "axis").error for table in worlds]
        assert repr(answers[0]) == repr(answers[1])
        assert answers[0].details == answers[1].details  # type: ignore[union-attr]

    def test_they_appear_with_the_second_round(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_tank_1(from=dnepropetrovsk)")
        assert "sov_tank_1" not in seen(table, seat_viewer("axis"))
        table = hold(table, "sov_guard_1", "ger_inf_16a")
        assert "sov_tank_1" in seen(table, seat_viewer("axis"))


class TestOutsiders:
    """Events and commands of a battle tell outsiders of blocks that go and of nothing else."""

    OUTSIDERS = (SPECTATOR, seat_viewer("allied"))

    def test_a_shot(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1", THREE)
        command = Fire("soviet", "sov_guard_1", "army")
        outcome = table.when(command, "soviet", [dice(1)])
        for viewer in self.OUTSIDERS:
            assert facts(outcome.events, viewer, False) == []
            assert fact(command, viewer, False) is None
        assert facts(outcome.events, seat_viewer("axis"), False)
        assert fact(command, seat_viewer("axis"), False) is None

    def test_a_drop(self) -> None:
        """VE 2.6: nobody else sees which of them has flown."""
        table = kharkov("ger_inf_16a(from=kiev) ger_airborne(from=kursk,aloft)", "sov_guard_1", THREE)
        table = hold(table, "sov_guard_1")
        before = {viewer: seen(table, viewer) for viewer in self.OUTSIDERS}
        table = hold(table, "ger_airborne")
        assert table.state.battle is not None and table.state.battle.round == 1
        assert not table.state.blocks["ger_airborne"].aloft
        assert {viewer: seen(table, viewer) for viewer in self.OUTSIDERS} == before

    def test_a_retreat_shows_a_nation_and_places(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_inf3_1", THREE)
        outcome = table.when(Retreat("soviet", "sov_guard_1", "kursk"), "soviet")
        for viewer in self.OUTSIDERS:
            text = json.dumps(facts(outcome.events, viewer, False))
            assert "sov_guard_1" not in text and "steps" not in text
            assert '"target": "kursk"' in text


class TestRhythm:
    """What the table hears of a battle depends on the blocks in it and on the dice, not on those around it [VE 5.2].

    What the rules force is seen, such as the loss of a block that finds no room (ADR 0045).
    """

    OUTSIDERS = (SPECTATOR, seat_viewer("allied"))
    AROUND = (
        "kursk: sov_inf3_1 sov_inf3_2",
        "kursk: sov_fa_yak1_1 sov_ldr_zhukov",
        "kursk: sov_tank_1(1) sov_guard_2(1)",
    )

    @pytest.mark.parametrize("viewer", [*OUTSIDERS, seat_viewer("axis")])
    def test_blocks_around_do_not_change_it(self, viewer: Viewer) -> None:
        courses = [
            course(kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", f"sov_guard_1\n{around}", THREE), viewer)
            for around in self.AROUND
        ]
        assert courses[0] == courses[1] == courses[2]
        assert len(courses[0]) > 4

    def test_outsiders_hear_dice_and_see_no_block(self) -> None:
        """Four dice for every shot, whoever fires and however strong he is; nothing of whom they hit."""
        strong, weak = (
            course(kharkov(f"ger_inf_16a({steps},from=kiev)", "sov_guard_1", THREE), SPECTATOR) for steps in (4, 2)
        )
        for heard in (strong, weak):
            rolls = [roll for _, _, shown in heard for roll in shown]
            assert rolls and all(count == 4 for _, count, _, _ in rolls)
            assert "ger_inf_16a" not in repr(heard) and "sov_guard_1" not in repr(heard)


def course(table: Table, viewer: Viewer) -> list[tuple[object, object, object]]:
    """The battle to its end, as a viewer reads it record by record: everybody fires if he can, or else holds."""
    state, heard = table.state, []
    while state.battle is not None:
        roll = OpenRoll()
        command = None
        events = GAME.react(state, roll)
        if not events:
            (choice,) = [c for seat in state.seats for c in GAME.legal(state, seat)]
            command = min(
                choice.options, key=lambda option: ("Fire Hold".find(type(option).__name__) % 99, repr(option))
            )
            events = GAME.decide(state, choice.decision.seat, command, roll)
        shown = None if command is None else fact(command, viewer, False)
        heard.append((shown, facts(events, viewer, False), roll.shown))
        state = state.copy()
        for event in events:
            state = GAME.evolve(state, event)
    return heard


class TestExplanations:
    """VE 5.3: what a roll needs, made of what the engine uses; only for those who may see the block."""

    def test_each_modifier_with_its_rule(self) -> None:
        table = scene(
            "[axis]\nmoscow: ger_inf_16a(from=smolensk)\n[soviet]\nmoscow: sov_guard_1(3)\n[control]\ngermany: smolensk",
            {"moscow": clash("axis", "soviet", land=True)},
            turn=10,
        )
        answer = explain(table.state, seat_viewer("axis"), "roll", {"block": "sov_guard_1", "target": "army"})
        assert (answer["dice"], answer["role"]) == (3, "defender")
        (target,) = answer["targets"]
        assert (target["class"], target["to_hit"], target["can_hit"]) == ("D", 2, ["ger_inf_16a"])
        assert [(m["rule"], m["amount"]) for m in target["modifiers"]] == [
            ("VE 2.3", 2),
            ("VE 3.42", -1),
            ("VE 5.31", 1),
        ]

    def test_why_not(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kiev)", "sov_inf3_1")
        answer = explain(table.state, seat_viewer("allied"), "roll", {"block": "sov_inf3_1"})
        why = {target["target"]: target.get("reason") for target in answer["targets"]}
        assert why == {
            "air": "NO_FIREPOWER",
            "army": None,
            "naval": "NOT_A_TARGET",
            "submarine": "NOT_A_TARGET",
            "convoy": "NOT_A_TARGET",
            "factory": "NOT_A_TARGET",
        }

    def test_ways_out_and_what_closes_the_others(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1\nkursk: sov_inf3_1 sov_inf3_2 sov_inf3_3")
        answer = explain(table.state, ARBITER, "retreat", {"block": "sov_guard_1"})
        closed = {entry["area"]: entry["reason"] for entry in answer["closed"]}
        assert (closed["kursk"], closed["kiev"]) == ("NO_ROOM", "NOT_FRIENDLY")
        assert "stalino" in [way["target"] for way in answer["ways"]]

    @pytest.mark.parametrize("viewer", [seat_viewer("axis"), SPECTATOR])
    def test_ways_out_are_told_to_their_own_seat_alone(self, viewer: Viewer) -> None:
        """Whether there is room tells armies from aircraft in the areas around, which are in no battle."""
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1\nkursk: sov_inf3_1 sov_inf3_2 sov_inf3_3")
        with pytest.raises(MalformedCommand) as refused:
            explain(table.state, viewer, "retreat", {"block": "sov_guard_1"})
        assert (refused.value.reason, refused.value.details) == ("UNKNOWN_BLOCK", {"block": "sov_guard_1"})
        assert explain(table.state, seat_viewer("allied"), "retreat", {"block": "sov_guard_1"})["closed"]

    def test_the_battle_for_outsiders(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1")
        assert "defenders" in explain(table.state, seat_viewer("axis"), "battle", {})
        assert set(explain(table.state, SPECTATOR, "battle", {})) == {
            "area", "number", "round", "attacker", "defender", "rule",
        }  # fmt: skip

    @pytest.mark.parametrize("block", ["sov_guard_1", "sov_guard_2", "nobody"])
    def test_unseen_blocks_do_not_exist(self, block: str) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1", THREE)
        with pytest.raises(MalformedCommand) as refused:
            explain(table.state, seat_viewer("allied"), "roll", {"block": block})
        assert (refused.value.reason, refused.value.details) == ("UNKNOWN_BLOCK", {"block": block})

    def test_bad_questions(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1\nmoscow: sov_inf3_1")
        for question, args, reason in (
            ("odds", {}, "UNKNOWN_QUESTION"),
            ("roll", {}, "MISSING_ARGUMENT"),
            ("roll", {"block": "sov_guard_1", "target": "moon"}, "UNKNOWN_TARGET"),
            ("roll", {"block": "sov_inf3_1"}, "NOT_IN_BATTLE"),
        ):
            with pytest.raises(MalformedCommand) as refused:
                explain(table.state, ARBITER, question, args)
            assert refused.value.reason == reason
