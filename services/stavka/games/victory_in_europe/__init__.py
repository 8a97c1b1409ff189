"""Victory in Europe, two or three players, 1939 to 1945, hidden blocks: `GAME` is all that the platform needs of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stavka.games.victory_in_europe import load, play, setup
from stavka.games.victory_in_europe.chart import chart
from stavka.games.victory_in_europe.draw import draw
from stavka.games.victory_in_europe.explain import QUESTIONS, explain
from stavka.games.victory_in_europe.fold import EVENTS, evolve
from stavka.games.victory_in_europe.ground import BLOCKS, MAP
from stavka.games.victory_in_europe.headline import headline
from stavka.games.victory_in_europe.options import OPTIONS, SCENARIOS
from stavka.games.victory_in_europe.position import write_position
from stavka.games.victory_in_europe.state import State
from stavka.kernel.game import Game, Space


def _spaces() -> tuple[Space, ...]:
    """Every area and sea, with its facts; x is longitude, y the latitude turned southward."""
    return tuple(
        Space(
            area.id,
            area.kind,
            (area.lon, -area.lat),
            {
                "name": area.name,
                "terrain": area.terrain,
                "country": area.country,
                "homeland": area.homeland,
                "capital_of": area.capital_of,
                "major_city": area.major_city,
                "factory_max": area.factory_max,
                "resource": area.resource,
                "stacking": area.stacking,
                "borders": {
                    other: {"terrain": border.terrain, "limit": border.limit}
                    for other, border in MAP.borders.get(area.id, {}).items()
                },
                "coasts": [{"port": c.port, "kind": c.kind, "seas": list(c.seas)} for c in area.coasts],
                "sea_links": sorted(MAP.sea_links.get(area.id, {})),
            },
            "data/areas.csv",
        )
        for area in MAP.areas.values()
    )


def _pieces() -> tuple[Mapping[str, Any], ...]:
    """Every block of the manifest."""
    return tuple(
        {
            "kind": "block",
            "id": block.id,
            "name": block.name,
            "nation": block.nation,
            "type": block.type.id,
            "branch": block.type.branch,
            "steps": block.steps,
            "fire_class": block.fire_class,
            "fire": block.fire,
            "move": block.move,
            "cost": block.cost,
            "year": block.year,
            "printed": sorted(block.printed),
            "source": "data/blocks.toml",
        }
        for block in BLOCKS.values()
    )


GAME: Final = Game(
    id="victory_in_europe",
    title="Victory in Europe",
    citation="VE",
    rulesets=(setup.RULESET,),
    scenarios=SCENARIOS,
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
    rulebook=load.rulebook,
)
