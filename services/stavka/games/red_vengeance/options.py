"""Match options: the eight optional rules [RV 14.0 to RV 14.8] and how the table is set up [RV 3.0].

OPTIONS                   option id -> OptionInfo, the first choice being the default
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stavka.games.red_vengeance.ground import DATA
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
