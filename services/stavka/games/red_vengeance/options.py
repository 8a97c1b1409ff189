"""Match options: the eight optional rules [RV 14.0 to RV 14.8] and how the table is set up [RV 3.0].

OPTIONS                   option id -> OptionInfo, the first choice being the default
check_options(chosen)     every option with its value; refuses unknown options and values
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stavka.games.red_vengeance.ground import DATA
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.game import OptionInfo

OPTIONS: Final[Mapping[str, OptionInfo]] = {
    "setup": OptionInfo(
        "setup", "Ready historical set-up, or set-up by the players", "RV 3.0", ("historical", "players")
    ),
    **{
        option.id: OptionInfo(
            option.id, option.title, option.rule, favors="" if option.favors == "none" else option.favors
        )
        for option in DATA.options.values()
    },
}


def check_options(chosen: Mapping[str, str]) -> dict[str, str]:
    """The chosen value of each option, its default where none was chosen.

    Raises MalformedCommand UNKNOWN_OPTION, UNKNOWN_CHOICE.
    """
    for id, value in chosen.items():
        if id not in OPTIONS:
            raise MalformedCommand("UNKNOWN_OPTION", option=id)
        if value not in OPTIONS[id].choices:
            raise MalformedCommand("UNKNOWN_CHOICE", option=id, choice=value, choices=OPTIONS[id].choices)
    return {id: chosen.get(id, option.choices[0]) for id, option in OPTIONS.items()}
