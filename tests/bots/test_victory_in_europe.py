"""The heuristic for Victory in Europe: what it wants in single positions, that it sees no more than its seat, that matches end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from stavka.bots.chance import Chance
from stavka.bots.choosers import Bot, Offer, Option
from stavka.bots.victory_in_europe import SCORES
from stavka.bots.victory_in_europe.atlas import Atlas
from stavka.bots.victory_in_europe.outlook import NOBODY, Force, chance_to_win
from stavka.bots.victory_in_europe.position import Position
from stavka.games import GAMES
from stavka.kernel.visibility import seat as seat_viewer
from stavka.views.redact import redact

from tests.games.victory_in_europe.twin import twin
from tests.support.battery import Case, Step, begin, bots_of, choose, finish, rules_of, walk

CASE = Case(GAMES["victory_in_europe"](), "bagration_1944")
ENDINGS = {"EndMoves", "EndRegroup", "EndBlitz", "EndBattle", "Pass"}
"""What a player does when nothing else gains anything: it scores 0."""
DRAWN = {"PlayCard", "OfferCard", "NameLeader", "SetUpMinor", "PlaceFreeForces"}
"""What it draws for."""
END_MOVES = Option("EndMoves", {})


@cache
def opening() -> tuple[Step, ...]:
    """The first decisions between two heuristics."""
    return tuple(_first(300))


def _first(count: int) -> Iterator[Step]:
    for step in walk(CASE, 1, bots_of(CASE, "heuristic")):
        yield step
        if step.number == count:
            return


@cache
def atlas() -> Atlas:
    return Atlas(rules_of(CASE))


@cache
def heuristic() -> Bot:
    return bots_of(CASE, "heuristic")["axis"]


def table(seat: str, *blocks: str, **changes: Any) -> dict[str, Any]:
    """The table of 1944 with nothing on it but "block place steps"; of the other side's, place and nation alone are seen."""
    view: dict[str, Any] = redact(begin(CASE), seat_viewer(seat), False)
    seen, unseen = {}, []
    for line in blocks:
        block, place, steps = line.split()
        nation = str(atlas().blocks[block]["nation"])
        side = {"germany": "axis", "soviet_union": "soviet"}.get(nation, "allied")
        owner = "axis" if side == "axis" else "allied"
        piece = {"at": place, "nation": nation, "side": side, "seat": owner, "came": "", "shown": []}
        if owner == seat:
            seen[block] = {**piece, "steps": int(steps), "half": False, "coast": -1, "aloft": False}
        else:
            unseen.append(piece)
    commands = {"axis": 3, "allied": 3, "soviet": 3}
    return {**view, "blocks": {"seen": seen, "unseen": unseen}, "commands": commands, "turn": 20, **changes}


def position(view: Mapping[str, Any], seat: str) -> Position:
    return Position(atlas(), view, Offer("d", seat, "move", "VE 4.0", (), ()))


def chosen(view: Mapping[str, Any], seat: str, *options: Option) -> Option:
    picked = heuristic().choose(Chance(1, seat, 1), view, [Offer("d", seat, "k", "VE 4.0", (), options)])
    return Option(picked.command, picked.arguments)


def move(block: str, *path: str) -> Option:
    return Option("MoveBlock", {"seat": "", "block": block, "path": path, "by": "move"})


def battle(area: str, attacker: str, defender: str, round_: int) -> dict[str, Any]:
    return {"area": area, "attacker": attacker, "defender": defender, "round": round_, "last": 2}


# What a battle promises


def test_more_attackers_have_better_chances_and_defenders_spoil_them() -> None:
    one, three, weak, strong = Force(4, 1.3), Force(12, 4), Force(2, 0.7), Force(10, 3.5)
    assert chance_to_win(three, weak) > 0.9 > chance_to_win(one, weak) > chance_to_win(one, strong)
    assert chance_to_win(one, strong) < 0.05
    assert chance_to_win(three, strong, rounds=1) < chance_to_win(three, strong, rounds=2)


def test_nobody_loses_against_somebody() -> None:
    assert chance_to_win(Force(1, 0.3), NOBODY) == 1.0
    assert chance_to_win(NOBODY, Force(1, 0.3)) == 0.0 == chance_to_win(NOBODY, NOBODY)


# Moves


GUARDS = ("sov_tank_1 poznan 3", "sov_guard_1 poznan 4", "sov_guard_2 poznan 4")


def test_it_attacks_with_good_odds() -> None:
    view = table("allied", *GUARDS, "ger_inf_1a berlin 4")
    options = tuple(move(b, "poznan", "berlin") for b in ("sov_tank_1", "sov_guard_1", "sov_guard_2"))
    assert chosen(view, "allied", END_MOVES, *options) in options


def test_it_does_not_attack_with_bad_odds() -> None:
    garrison = ("ger_inf_1a berlin 4", "ger_inf_2a berlin 4", "ger_inf_3a berlin 4", "ger_ldr_model berlin 2")
    view = table("allied", "sov_inf3_1 poznan 1", *garrison)
    assert chosen(view, "allied", END_MOVES, move("sov_inf3_1", "poznan", "berlin")) == END_MOVES


def test_who_comes_later_joins_the_battle_that_has_begun() -> None:
    clash = {"attacker": "soviet", "defender": "axis", "reinforced": False, "invaded": "", "land": True}
    view = table(
        "allied", "sov_guard_1 berlin 4", "sov_guard_2 poznan 4", "ger_inf_1a berlin 4", "ger_inf_2a berlin 4",
        clashes={"berlin": clash},
    )  # fmt: skip
    join = move("sov_guard_2", "poznan", "berlin")
    assert chosen(view, "allied", END_MOVES, join, move("sov_guard_2", "poznan", "danzig")) == join


def test_it_takes_what_lies_open() -> None:
    view = table("allied", *GUARDS)
    assert chosen(view, "allied", END_MOVES, move("sov_tank_1", "poznan", "berlin")).command == "MoveBlock"


def test_the_capital_is_defended_against_who_stands_before_it() -> None:
    home = move("ger_inf_1a", "hannover", "berlin")
    view = table("axis", "ger_inf_1a hannover 4", "ger_inf_2a berlin 2", *GUARDS)
    assert chosen(view, "axis", END_MOVES, home) == home


def test_a_capital_with_nobody_before_it_needs_no_more_than_its_garrison() -> None:
    garrison = ("ger_inf_2a berlin 4", "ger_inf_3a berlin 4")
    view = table("axis", "ger_inf_1a hannover 4", *garrison)
    assert chosen(view, "axis", END_MOVES, move("ger_inf_1a", "hannover", "berlin")) == END_MOVES


def test_the_last_defender_of_a_capital_does_not_leave_it() -> None:
    view = table("axis", "ger_inf_2a berlin 4", *GUARDS)
    assert chosen(view, "axis", END_MOVES, move("ger_inf_2a", "berlin", "stettin")) == END_MOVES


def test_no_area_is_overfilled() -> None:
    full = ("ger_inf_2a berlin 1", "ger_inf_3a berlin 1", "ger_inf_4a berlin 1")
    view = table("axis", "ger_inf_1a hannover 4", *full, *GUARDS)
    assert chosen(view, "axis", END_MOVES, move("ger_inf_1a", "hannover", "berlin")) == END_MOVES


def test_the_axis_goes_east_in_spring_1941_not_before_and_not_twice() -> None:
    war = Option("DeclareWar", {"side": "axis", "country": "soviet_union"})
    peace = ("germany", "britain")
    assert chosen(table("axis", turn=8, at_war=peace), "axis", END_MOVES, war) == war
    assert chosen(table("axis", turn=7, at_war=peace), "axis", END_MOVES, war) == END_MOVES
    assert chosen(table("axis", turn=8, at_war=(*peace, "soviet_union")), "axis", END_MOVES, war) == END_MOVES


# Battles


FIRE = Option("Fire", {"seat": "axis", "block": "ger_inf_1a", "target": "army"})
LEAVE = Option("Retreat", {"seat": "axis", "block": "ger_inf_1a", "target": "stettin", "coast": -1})


def in_battle(place: str, round_: int, *others: str) -> Option:
    """What a German army of one step does in a battle against Soviet attackers."""
    blocks = ("ger_inf_1a 1", "sov_guard_1 4", *others)
    placed = tuple(f"{block} {place} {steps}" for block, steps in (line.split() for line in blocks))
    return chosen(table("axis", *placed, battle=battle(place, "soviet", "axis", round_)), "axis", FIRE, LEAVE)


def test_worn_defenders_leave_a_lost_battle_when_it_costs_nothing() -> None:
    many, friends = ("sov_guard_2 4", "sov_tank_1 3"), ("ger_inf_2a 4", "ger_inf_3a 4")
    assert in_battle("poznan", 2, *many) == LEAVE
    assert in_battle("poznan", 2, *friends) == FIRE
    assert in_battle("poznan", 1, *many) == FIRE


def test_nobody_leaves_the_capital() -> None:
    assert in_battle("berlin", 2, "sov_guard_2 4", "sov_tank_1 3") == FIRE


def test_a_leader_prolongs_what_is_nearly_won_and_nothing_else() -> None:
    prolong = Option("ExtendBattle", {"seat": "allied", "leader": "sov_ldr_konev"})
    end = Option("EndBattle", {"seat": "allied"})
    ours = ("sov_guard_1 berlin 4", "sov_guard_2 berlin 4", "sov_ldr_konev berlin 2", "sov_tank_1 berlin 3")
    many = ("ger_inf_1a berlin 4", "ger_inf_2a berlin 4", "ger_inf_3a berlin 4")
    fought = battle("berlin", "soviet", "axis", 2)
    assert chosen(table("allied", *ours, many[0], battle=fought), "allied", prolong, end) == prolong
    assert chosen(table("allied", *ours, *many, battle=fought), "allied", prolong, end) == end


# Diplomacy


def test_it_rolls_for_what_is_worth_most_times_the_chance() -> None:
    def roll(country: str, targets: Mapping[str, int]) -> Option:
        domain = {name: {"target": target, "modifiers": []} for name, target in targets.items()}
        options = (Option("RollFor", {"country": "hungary"}), Option("RollFor", {"country": "portugal"}))
        offer = Offer("d", "axis", "roll", "VE 10.2", (), options, domain=domain)
        picked = heuristic().choose(Chance(1, "axis", 1), table("axis"), [offer])
        assert picked.arguments["country"] == country
        return Option(picked.command, picked.arguments)

    roll("hungary", {"hungary": 7, "portugal": 10})
    roll("portugal", {"hungary": 12, "portugal": 2})


# What it knows


def test_what_it_scores_are_commands_of_the_game_and_all_that_need_a_choice() -> None:
    commands = {cls.__name__ for cls in CASE.game.commands}
    assert set(SCORES) <= commands
    assert commands - set(SCORES) == ENDINGS | DRAWN


def test_goals_pull_less_the_farther_away_they_are() -> None:
    pull = atlas().spread({"berlin": 10.0}, 0.5, by_sea=False)
    assert pull["berlin"] == 10.0 and all(pull[near] == 5.0 for near in atlas().near["berlin"])
    assert "london" not in pull and pull["moscow"] < pull["warsaw"]
    assert atlas().spread({"berlin": 10.0}, 0.5, by_sea=True)["london"] > 0


def test_each_side_is_drawn_to_what_the_other_holds() -> None:
    allied, axis = (position(table(seat), seat) for seat in ("allied", "axis"))
    assert allied.pull["warsaw"] > allied.pull["moscow"] and axis.pull["minsk"] > axis.pull["ruhr"]
    assert "berlin" in allied.hostile & axis.friendly and "moscow" in axis.hostile & allied.friendly


def test_blocks_that_it_cannot_see_count_as_average_ones() -> None:
    """In a world that differs in hidden things alone it makes the same choice."""
    compared = 0
    for step in opening():
        if step.command is None:
            continue
        made = twin(step.before, seat_viewer(step.seat), Chance(step.number, step.seat, 0))
        if made is None or made[0] == step.before:
            continue
        bots = bots_of(CASE, "heuristic")
        ours = choose(CASE, step.before, step.seat, bots[step.seat], 1, step.number)
        assert ours == choose(CASE, made[0], step.seat, bots[step.seat], 1, step.number)
        compared += 1
        if compared == 15:
            return
    raise AssertionError("the twins hardly ever differed")


def test_commands_are_spent_on_battles_before_anything_else() -> None:
    ended = next(step for step in opening() if type(step.command).__name__ == "EndMoves" and step.seat == "allied")
    assert any(clash.attacker in ("allied", "soviet") for clash in ended.before.clashes.values())


def test_the_same_seed_plays_the_same_commands() -> None:
    assert [step.command for step in _first(60)] == [step.command for step in opening()[:61]]


# Whole matches: an option that is not legal would end them with an error


@pytest.mark.timeout(300)
@pytest.mark.parametrize("scenario", ["bagration_1944", "bagration_1944_three"])
def test_a_whole_match_ends_by_the_rules(scenario: str) -> None:
    case = Case(CASE.game, scenario)
    match = finish(case, 1, bots_of(case, "heuristic"))
    assert match.result.winner in case.seats
    assert match.steps < 2000


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("bots", "winner"), [("heuristic,random", "axis"), ("random,heuristic", "allied")])
def test_it_beats_random_play_with_either_side(bots: str, winner: str) -> None:
    assert finish(CASE, 1, bots_of(CASE, bots)).result.winner == winner
