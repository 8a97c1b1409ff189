"""Matches that the battery looks at: played once in a worker and kept for all of its tests.

STAVKA_BATTERY_MATCHES      matches a scenario; 500 is the full battery. Unless set, two of a game's main scenario
                            and one of the others. From MANY on, fewer states of each match are looked at
STAVKA_BATTERY_GAMES        games, with commas between them (all unless set)
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from stavka.games import GAMES

from tests.support import battery, skirmish
from tests.support.battery import Case, Step
from tests.support.runtime import installed

HERE = Path(__file__).parent
QUICK = 2
MATCHES = int(os.environ.get("STAVKA_BATTERY_MATCHES", QUICK))
MANY = 50
ONLY = os.environ.get("STAVKA_BATTERY_GAMES", ",".join(("skirmish", *GAMES))).split(",")
SCENARIOS = (("skirmish", "plain"),) * ("skirmish" in ONLY) + tuple(
    (name, scenario) for name in GAMES if name in ONLY for scenario in GAMES[name]().scenarios
)
FIRST = dict(reversed(SCENARIOS))
"""A game's main scenario."""
SECRETS = (("victory_in_europe", "bagration_1944"), ("victory_in_europe", "bagration_1944_three"))
"""Short scenarios with hidden information, of two and of three seats: their worlds are compared whatever else is played."""


def states(few: int) -> int:
    """States of a match that a test looks at: `few`, or a quarter of them where many matches are played."""
    return few if MATCHES < MANY else max(1, few // 4)


def seeds_of(place: int) -> range:
    """Seeds of the scenario at a place of the list. One each for quick runs: every other one draws its options."""
    game, scenario = SCENARIOS[place]
    if MATCHES == QUICK and FIRST[game] != scenario:
        return range(1 + place % 2, 2 + place % 2)
    return range(1, MATCHES + 1)


def is_rare(game: str, scenario: str, seed: int) -> bool:
    """Whether slow tests look at a match: those of main scenarios, of many matches one in five."""
    return FIRST[game] == scenario and (MATCHES < MANY or seed % 5 == 0)


@pytest.fixture(autouse=True)
def playable() -> Iterator[None]:
    """The made-up game is one of the games while the battery runs."""
    if "skirmish" in GAMES:
        yield
    else:
        with installed(skirmish.game()):
            yield


@lru_cache(maxsize=1)
def recorded(game: str, scenario: str, seed: int) -> tuple[Case, tuple[Step, ...]]:
    """A random match with all its steps."""
    case = battery.drawn(GAMES[game](), scenario, seed)
    return case, tuple(battery.walk(case, seed, battery.bots_of(case, "random")))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests run over all scenarios and seeds; one worker has all tests of a match."""
    if {"game", "scenario", "seed"} <= set(metafunc.fixturenames):
        chosen = [
            (game, scenario, seed)
            for place, (game, scenario) in enumerate(SCENARIOS)
            for seed in seeds_of(place)
            if "rarely" not in metafunc.fixturenames or is_rare(game, scenario, seed)
        ]
        if metafunc.module.__name__.endswith(".test_two_worlds"):
            chosen += [(game, scenario, 1) for game, scenario in SECRETS if game not in ONLY]
        names = ["-".join(map(str, match)) for match in chosen]
        metafunc.parametrize(
            ("game", "scenario", "seed"),
            [
                pytest.param(*match, id=name, marks=pytest.mark.xdist_group(f"battery-{name}"))
                for match, name in zip(chosen, names, strict=True)
            ],
        )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one match run one after the other, so that it is played once; their own order stays drawn."""
    here = [(place, item) for place, item in enumerate(items) if isinstance(item, pytest.Function) and _match_of(item)]
    ordered = sorted((item for _, item in here), key=lambda item: str(_match_of(item)))
    for (place, _), item in zip(here, ordered, strict=True):
        items[place] = item


def _match_of(item: pytest.Function) -> tuple[str, str, int] | None:
    """Game, scenario and seed of a test of the battery."""
    chosen = getattr(item, "callspec", None)
    wanted = ("game", "scenario", "seed")
    if chosen is None or not item.path.is_relative_to(HERE) or not set(wanted) <= set(chosen.params):
        return None
    game, scenario, seed = (chosen.params[name] for name in wanted)
    return game, scenario, seed


@pytest.fixture
def rarely() -> None:
    """Asked for by tests that are too slow for every match."""


@pytest.fixture
def match(game: str, scenario: str, seed: int) -> tuple[Case, tuple[Step, ...]]:
    return recorded(game, scenario, seed)
