"""Red Vengeance, two players, eleven months of the Eastern Front: `GAME` is all that the platform needs of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from stavka.games.red_vengeance import load, play, setup
from stavka.games.red_vengeance.chart import chart
from stavka.games.red_vengeance.draw import draw
from stavka.games.red_vengeance.explain import QUESTIONS, explain
from stavka.games.red_vengeance.fold import EVENTS, evolve
from stavka.games.red_vengeance.ground import DATA, MAP
from stavka.games.red_vengeance.headline import headline
from stavka.games.red_vengeance.options import OPTIONS
from stavka.games.red_vengeance.position import write_position
from stavka.games.red_vengeance.sequence import LAST_TURN
from stavka.games.red_vengeance.state import SIDES, State
from stavka.kernel.game import Game, ScenarioInfo, Space


def _spaces() -> tuple[Space, ...]:
    """Every hex of the sheet, with its facts."""
    return tuple(
        Space(
            h.id,
            "hex",
            h.at,
            {
                "terrain": h.terrain,
                "country": h.country,
                "playable": h.playable,
                "seas": list(h.seas),
                "edges": list(h.edges),
                "start": h.start,
                "oil": h.oil,
                **({"city": h.city.name, "size": h.city.size} if h.city is not None else {}),
                **({"port": h.city.port, "fortress": h.city.fortress} if h.city is not None else {}),
            },
            h.source,
        )
        for h in MAP.hexes
    )


def _pieces() -> tuple[Mapping[str, Any], ...]:
    """Every unit, commander and marker."""
    kinds = (("unit", DATA.units.values()), ("commander", DATA.commanders.values()), ("marker", DATA.markers))
    return tuple({"kind": kind, **asdict(datum)} for kind, counters in kinds for datum in counters)


def _rulebook() -> tuple[Mapping[str, str], ...]:
    return tuple({key: str(value) for key, value in asdict(section).items()} for section in load.rulebook())


GAME: Final = Game(
    id="red_vengeance",
    title="Red Vengeance",
    citation="RV",
    rulesets=(setup.RULESET,),
    scenarios={
        id: ScenarioInfo(id, datum.title, SIDES, LAST_TURN, datum.about) for id, datum in DATA.scenarios.items()
    },
    options=OPTIONS,
    state=State,
    events=EVENTS,
    commands=play.TOPIC_OF,
    begin=setup.begin,
    decide=play.decide,
    react=play.react,
    evolve=evolve,
    decisions=play.decisions,
    legal=play.legal,
    result=play.result,
    questions=QUESTIONS,
    explain=explain,
    headline=headline,
    export=write_position,
    spaces=_spaces,
    pieces=_pieces,
    draw=draw,
    chart=chart,
    rulebook=_rulebook,
)
