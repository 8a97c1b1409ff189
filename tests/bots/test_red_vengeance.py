"""The heuristic for Red Vengeance: what it wants in single positions, and that it beats random play."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from stavka.bots.chance import Chance
from stavka.bots.choosers import Bot, Offer, Option, Pick
from stavka.bots.red_vengeance import SCORES
from stavka.games import GAMES
from stavka.kernel.visibility import seat as seat_viewer
from stavka.views.redact import redact

from tests.support.battery import Case, begin, bots_of, finish, rules_of, walk

CASE = Case(GAMES["red_vengeance"](), "campaign")


@cache
def heuristic() -> Bot:
    return bots_of(CASE, "heuristic")["axis"]


def view_of(**changes: Any) -> dict[str, Any]:
    """The table as the campaign begins, with pieces or steps changed."""
    view: dict[str, Any] = redact(begin(CASE), seat_viewer("axis"), False)
    for field, change in changes.items():
        view[field] = {**view[field], **change} if isinstance(change, Mapping) else change
    return view


def cleared(**placed: str) -> dict[str, Any]:
    """A view with nothing on the map but these pieces ("_" for "-" in their ids)."""
    everything = dict.fromkeys(view_of()["at"], "off")
    return view_of(at={**everything, **{piece.replace("_", "-"): place for piece, place in placed.items()}})


def chosen(view: Mapping[str, Any], seat: str, *options: Option) -> Option:
    offer = Offer("d", seat, "k", "RV 1.0", (), options)
    picked: Pick = heuristic().choose(Chance(1, seat, 1), view, [offer])
    return Option(picked.command, picked.arguments)


def attack(targets: tuple[str, ...], *attackers: str) -> Option:
    return Option("DeclareBattle", {"targets": targets, "attackers": attackers, "air": False, "naval": False})


def move(unit: str, to: str) -> Option:
    return Option("MoveUnit", {"unit": unit, "to": to, "path": ()})


END_COMBAT = Option("EndCombat", {})
END_MOVEMENT = Option("EndMovement", {})


def test_every_command_of_the_game_that_has_a_choice_is_scored() -> None:
    endings = {"EndMovement", "EndCombat", "EndAdvance", "EndReplacements"}
    assert {cls.__name__ for cls in CASE.game.commands} - endings == set(SCORES)


def test_it_attacks_with_all_it_has() -> None:
    view = cleared(sov_3="1203", sov_48="1203", ger_xii="1204")
    view["frames"] = [*view["frames"][:1], {"kind": "combat", "topic": "combat", "seat": "allied", "step": ""}]
    both, one = attack(("1204",), "sov-3", "sov-48"), attack(("1204",), "sov-3")
    assert chosen(view, "allied", one, both) == both


def test_the_axis_leaves_a_bad_attack_alone_and_makes_a_good_one() -> None:
    view = cleared(sov_3="1203", ger_xii="1204", ger_ii_ss_pz="1204", ger_iii_pz="1204")
    view["frames"] = [*view["frames"][:1], {"kind": "combat", "topic": "combat", "seat": "axis", "step": ""}]
    weak = attack(("1203",), "ger-xii")
    strong = attack(("1203",), "ger-xii", "ger-ii-ss-pz", "ger-iii-pz")
    assert chosen(view, "axis", weak, END_COMBAT) == END_COMBAT
    assert chosen(view, "axis", strong, END_COMBAT) == strong


def test_the_allies_go_west_and_do_not_stack_too_high() -> None:
    view = cleared(sov_3="1209", sov_48="1211", sov_49="1211", ger_xii="1422")
    east, west, full = move("sov-3", "1207"), move("sov-3", "1212"), move("sov-3", "1211")
    assert chosen(view, "allied", east, west, full, END_MOVEMENT) == west
    assert chosen(view, "allied", east, full, END_MOVEMENT) == END_MOVEMENT


def test_the_allies_do_not_run_alone_into_a_strong_stack() -> None:
    view = cleared(sov_3="1209", ger_xii="1212", ger_ii_ss_pz="1212")
    assert chosen(view, "allied", move("sov-3", "1211"), END_MOVEMENT) == END_MOVEMENT


def test_the_axis_garrisons_a_city_that_is_in_danger() -> None:
    view = cleared(ger_xii="1424", sov_3="1418")
    assert chosen(view, "axis", move("ger-xii", "1422"), move("ger-xii", "1423"), END_MOVEMENT) == move(
        "ger-xii", "1422"
    )


def test_a_flip_comes_before_a_removal_and_a_retreat_before_that() -> None:
    view = cleared(ger_xii="1204", ger_xxxv="1204", sov_3="1203")
    view["steps"] = {**view["steps"], "ger-xii": 1}
    view["battle"] = {"attacker": "allied", "targets": ["1204"]}
    losses = [Option("TakeLoss", {"unit": unit}) for unit in ("ger-xii", "ger-xxxv")]
    assert chosen(view, "axis", *losses) == losses[1]
    assert chosen(view, "axis", losses[0], Option("OrderRetreat", {})).command == "OrderRetreat"


def test_points_go_to_the_strongest_unit_and_infantry_points_not_to_armor_s_cost() -> None:
    view = cleared(sov_1gt="1104", sov_3="1104", ger_xii="1107")
    restore = [
        Option("RestoreUnit", {"unit": unit, "pay": pay})
        for unit, pay in (("sov-1gt", "armor"), ("sov-3", "armor"), ("sov-3", "infantry"))
    ]
    assert chosen(view, "allied", *restore, Option("EndReplacements", {})) == restore[0]
    assert chosen(view, "allied", *restore[1:], Option("EndReplacements", {})) == restore[2]


def test_it_is_given_everything_it_reads_by_the_rules_service() -> None:
    rules = rules_of(CASE)
    assert len(rules.spaces) == 850 and {p["kind"] for p in rules.pieces} == {"unit", "commander", "marker"}


def test_the_same_seed_plays_the_same_commands() -> None:
    def opening() -> list[Any]:
        found = []
        for step in walk(CASE, 5, bots_of(CASE, "heuristic")):
            found.append(step.command)
            if step.number == 60:
                return found
        raise AssertionError("the campaign is longer than this")

    assert opening() == opening()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("bots", "winner"), [("heuristic,random", "axis"), ("random,heuristic", "allied")])
def test_it_beats_random_play_with_either_side(bots: str, winner: str) -> None:
    match = finish(CASE, 1, bots_of(CASE, bots))
    assert match.result.winner == winner
    assert match.result.points[winner] >= 3
