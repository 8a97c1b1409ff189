"""Positions as text: what is written is read again, and what does not fit is named [VE 2.0]."""

from __future__ import annotations

import pytest
from stavka.bots.chance import Chance
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.state import State
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.game import Setup

from .battle.scene import SUMMER_1941, clash, hold, scene

STEPS = 400  # of a random match, among them all phases


def read(text: str, scenario: str = "campaign_1939") -> State:
    state: State = GAME.state()
    for event in GAME.begin(Setup(1, scenario, {}, text)):
        state = GAME.evolve(state, event)
    return state


@pytest.mark.parametrize("scenario", ["campaign_1939", "stalingrad_1942_three"])
def test_every_position_of_a_match_is_read_as_it_was_written(scenario: str) -> None:
    state, roll = GAME.state(), SeededRoll(scenario.encode())
    for event in GAME.begin(Setup(1, scenario, {})):
        state = GAME.evolve(state, event)
    seen = set()
    for number in range(STEPS):
        events = GAME.react(state, roll)
        if not events:
            seat = sorted({d.seat for d in GAME.decisions(state)})[0]
            options = [o for choice in GAME.legal(state, seat) for o in choice.options]
            events = GAME.decide(state, seat, Chance(7, seat, number).one_of(options), roll)
        for event in events:
            state = GAME.evolve(state, event)
        if state.frames[-1].kind not in seen or number % 20 == 0:
            seen.add(state.frames[-1].kind)
            text = GAME.export(state)
            again = read(text, scenario)
            assert again == state, state.frames
            assert GAME.export(again) == text
    assert {"cards", "move"} <= seen


def test_a_battle_remembers_who_has_dropped() -> None:
    """VE 2.6"""
    table = scene(
        "[axis]\nkharkov: ger_inf_16a(from=kiev) ger_airborne(from=kursk,aloft)\n[soviet]\nkharkov: sov_guard_1(4)\n"
        "[control]\ngermany: kiev",
        {"kharkov": clash("axis", "soviet", land=True)},
        turn=SUMMER_1941,
    )
    state = hold(table, "sov_guard_1", "ger_airborne").state
    assert state.battle is not None and state.battle.dropped == {"ger_airborne"}
    assert read(GAME.export(state)) == state


def test_what_is_left_out_is_as_at_the_start() -> None:
    state = read("game victory_in_europe\nturn 1\n[axis]\nberlin: ger_inf_1a")
    assert state.blocks["ger_inf_1a"].steps == 4
    assert state.control["paris"] == "france"
    assert state.factories["berlin"] == (4,)
    assert "bri_inf_bef" in state.camps["allied"].pool


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("game red_vengeance", "game"),
        ("game victory_in_europe\nturn 40", "turn"),
        ("game victory_in_europe\nturn x", "turn"),
        ("game victory_in_europe\nphase tea", "phase"),
        ("game victory_in_europe\nphase move axis\nabove x", "above"),
        ("game victory_in_europe\nmoon full", "header"),
        ('game victory_in_europe\ncommands {"axis":"many"}', "commands"),
        ('game victory_in_europe\ncamps {"mars":{}}', "camps"),
        ("game victory_in_europe\n[mars]\nberlin: ger_inf_1a", "section"),
        ("game victory_in_europe\n[axis]\natlantis: ger_inf_1a", "axis"),
        ("game victory_in_europe\n[axis]\nberlin: ger_inf_99a", "berlin"),
        ("game victory_in_europe\n[axis]\nberlin: ger_inf_1a\nhamburg: ger_inf_1a", "hamburg"),
        ("game victory_in_europe\n[axis]\nberlin: bri_inf_bef", "axis"),
        ("game victory_in_europe\n[axis]\nberlin: ger_inf_1a(5)", "ger_inf_1a"),
        ("game victory_in_europe\n[axis]\nberlin: ger_inf_1a(0)", "ger_inf_1a"),
        ("game victory_in_europe\n[axis]\nberlin: ger_inf_1a(flying)", "ger_inf_1a"),
        ("game victory_in_europe\n[control]\nmars: berlin", "control"),
        ("game victory_in_europe\n[control]\ngermany: north_sea", "control"),
        ("game victory_in_europe\n[factories]\nberlin: many", "factories"),
        ("game victory_in_europe\n[minors]\naxis: germany", "minors"),
        ("game victory_in_europe\n[pools]\nmars: ger_inf_1a", "pools"),
        ("game victory_in_europe\n[axis]\nberlin: ger_inf_1a\n[dead]\naxis: ger_inf_1a", "axis"),
    ],
)
def test_what_does_not_fit_is_refused(line: str, key: str) -> None:
    with pytest.raises(MalformedCommand) as refused:
        read(line)
    assert refused.value.reason == "BAD_POSITION"
    assert refused.value.details["key"] == key
