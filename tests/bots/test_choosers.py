"""Bots choose among what they are offered, by nothing but their seed, the version and what the API returned."""

from __future__ import annotations

import pytest
from stavka.bots.chance import Chance, command_id
from stavka.bots.choosers import RANDOM, Bot, Offer, Option, Pick, Rules, choose_any, erratic
from stavka.bots.registry import UnknownBot, bot

OPTIONS = tuple(Option("Move", {"to": str(n)}) for n in range(6))
OFFER = Offer("d1", "north", "move", "SK 1.1", ("Move",), OPTIONS)
EMPTY = Offer("d2", "north", "wait", "SK 1.2", ("Move",), ())


def test_the_same_seed_seat_and_version_make_the_same_choice() -> None:
    picks = [choose_any(Chance(7, "north", 12), {}, [OFFER]) for _ in range(3)]
    assert picks[0] == picks[1] == picks[2]
    others = {str(choose_any(Chance(7, "north", version), {}, [OFFER])) for version in range(50)}
    assert len(others) == len(OPTIONS)


def test_an_offer_without_options_is_never_answered() -> None:
    assert all(choose_any(Chance(1, "north", n), {}, [EMPTY, OFFER]).decision_id == "d1" for n in range(20))
    with pytest.raises(ValueError, match="below 0"):
        choose_any(Chance(1, "north", 1), {}, [EMPTY])


def test_every_number_is_as_likely() -> None:
    chance = Chance(3, "south", 1)
    counts = [0] * 5
    for _ in range(5000):
        counts[chance.below(5)] += 1
    assert all(880 < count < 1120 for count in counts)


def test_command_ids_fit_the_api_and_differ_by_attempt() -> None:
    ids = {command_id(10**9, "allied", version, attempt) for version in (1, 99_999) for attempt in range(3)}
    assert len(ids) == 6
    assert all(len(i) <= 64 and set(i) <= set("abcdefghijklmnopqrstuvwxyz0123456789._:-") for i in ids)


def test_the_erratic_bot_is_mostly_sound() -> None:
    first = Bot("first", lambda chance, view, offers: Pick("d1", "Move", {"to": "0"}))
    made = [erratic(first).choose(Chance(1, "north", n), {}, [OFFER]).arguments["to"] for n in range(600)]
    assert 440 < made.count("0") < 540


def test_a_bot_that_no_game_has_is_refused() -> None:
    assert bot("random", Rules("skirmish", "plain")) is RANDOM
    for name in ("heuristic", "erratic", "grandmaster"):
        with pytest.raises(UnknownBot, match=name):
            bot(name, Rules("skirmish", "plain"))
