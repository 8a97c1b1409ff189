"""Match options and scenarios, for two players and for three [VE Deployment] [VE 12.0].

SCENARIOS                 scenario id -> ScenarioInfo; "..._three" is the same for three players
base_of(scenario)         id of its set-up in data/scenarios
OPTIONS                   option id -> OptionInfo, the first choice being the default
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stavka.games.victory_in_europe import load
from stavka.games.victory_in_europe.state import ALLIED, AXIS, SOVIET
from stavka.kernel.game import OptionInfo, ScenarioInfo

THREE: Final = "_three"
SEATS_OF_TWO: Final = (AXIS, ALLIED)
SEATS_OF_THREE: Final = (AXIS, ALLIED, SOVIET)


def base_of(scenario: str) -> str:
    return scenario.removesuffix(THREE)


def _scenarios() -> dict[str, ScenarioInfo]:
    found = {}
    for id in load.scenarios():
        sheet = load.scenario(id)
        turns = len(load.calendar().turns) - sheet.start_turn + 1
        about = " ".join(sheet.notes)
        found[id] = ScenarioInfo(id, sheet.title, SEATS_OF_TWO, turns, about)
        found[id + THREE] = ScenarioInfo(id + THREE, f"{sheet.title}, three players", SEATS_OF_THREE, turns, about)
    return found


SCENARIOS: Final[Mapping[str, ScenarioInfo]] = _scenarios()

OPTIONS: Final[Mapping[str, OptionInfo]] = {
    "deployment": OptionInfo(
        "deployment", "Players may rearrange their forces first", "VE Deployment", ("free", "fixed")
    ),
    "american_entry": OptionInfo(
        "american_entry",
        "American entry: automatic in 1942, or by diplomatic roll in 1942 too and automatic in 1943",
        "VE S 1942",
        ("automatic", "by_roll"),
        favors=AXIS,
    ),
}
