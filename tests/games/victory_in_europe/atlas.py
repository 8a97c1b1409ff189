"""The map that the tests of data look at, what touches what on it, and the player of each great power."""

from __future__ import annotations

from stavka.games.victory_in_europe import load

PLAYER = {
    "germany": "axis",
    "italy": "axis",
    "britain": "allies",
    "france": "allies",
    "united_states": "allies",
    "soviet_union": "soviets",
}

MAP = load.game_map()


def neighbours(area: str) -> set[str]:
    """Everything that touches an area: by land, by coast, by sea."""
    found = set(MAP.borders.get(area, ())) | set(MAP.sea_links.get(area, ())) | set(MAP.areas[area].seas)
    return found | {land for land, _ in MAP.shores.get(area, ())}
