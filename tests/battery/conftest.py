"""Matches that the battery looks at: played once in a worker and kept for all of its tests.

STAVKA_BATTERY_MATCHES      matches a scenario (2 unless set; 500 is the full battery)
STAVKA_BATTERY_GAMES        games, with commas between them (all unless set)
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

import pytest
from stavka.games import GAMES

from tests.support import battery, skirmish
from tests.support.battery import Case, Step
from tests.support.runtime import installed

MATCHES = int(os.environ.get("STAVKA_BATTERY_MATCHES", "2"))
ONLY = os.environ.get("STAVKA_BATTERY_GAMES", ",".join(("skirmish", *GAMES))).split(",")
SCENARIOS = (("skirmish", "plain"),) * ("skirmish" in ONLY) + tuple(
    (name, scenario) for name in GAMES if name in ONLY for scenario in GAMES[name]().scenarios
)


@pytest.fixture(autouse=True)
def playable() -> Iterator[None]:
    """The made-up game is one of the games while the battery runs."""
    if "skirmish" in GAMES:
        yield
    else:
        with installed(skirmish.game()):
            yield


@lru_cache(maxsize=6)
def recorded(game: str, scenario: str, seed: int) -> tuple[Case, tuple[Step, ...]]:
    """A random match with all its steps."""
    case = Case(GAMES[game](), scenario)
    return case, tuple(battery.walk(case, seed, battery.bots_of(case, "random")))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that ask for `game`, `scenario` and `seed` run over all; one worker has all tests of a scenario."""
    if {"game", "scenario", "seed"} <= set(metafunc.fixturenames):
        metafunc.parametrize(
            ("game", "scenario", "seed"),
            [
                pytest.param(g, s, n, id=f"{g}-{s}-{n}", marks=pytest.mark.xdist_group(f"battery-{g}-{s}"))
                for g, s in SCENARIOS
                for n in range(1, MATCHES + 1)
            ],
        )


@pytest.fixture
def match(game: str, scenario: str, seed: int) -> tuple[Case, tuple[Step, ...]]:
    return recorded(game, scenario, seed)
