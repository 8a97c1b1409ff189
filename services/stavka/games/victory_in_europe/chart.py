"""The table as text for a terminal, from any viewer's plain data.

    chart(view) -> str      turn, commands, areas with blocks by country, seas, battles
    places_of(view)         place -> what stands there as this viewer sees it

A block that the viewer sees is its name and steps; of all others there is the nation and how many of it stand there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from stavka.games.victory_in_europe.ground import BLOCKS, COUNTRIES, MAP, ORDER
from stavka.games.victory_in_europe.headline import PHASES, SEAT_TITLES
from stavka.games.victory_in_europe.load import calendar
from stavka.kernel.errors import MalformedCommand

LABELS: Final = {
    "germany": "Ger",
    "italy": "Ita",
    "britain": "Bri",
    "france": "Fra",
    "united_states": "USA",
    "soviet_union": "Sov",
}


@dataclass(slots=True)
class Stack:
    """What a viewer sees in a place: his own and revealed blocks as (id, steps), others as nation -> how many."""

    known: list[tuple[str, int]] = field(default_factory=list)
    hidden: Counter[str] = field(default_factory=Counter)


def places_of(view: Mapping[str, Any]) -> dict[str, Stack]:
    """Raises MalformedCommand NOT_A_VIEW when the data is not a view of this game."""
    try:
        found: dict[str, Stack] = {}
        for block, piece in view["blocks"]["seen"].items():
            found.setdefault(piece["at"], Stack()).known.append((block, piece["steps"]))
        for piece in view["blocks"]["unseen"]:
            found.setdefault(piece["at"], Stack()).hidden[piece["nation"]] += 1
    except (KeyError, TypeError) as problem:
        raise MalformedCommand("NOT_A_VIEW", str(problem)) from problem
    for stack in found.values():
        stack.known.sort(key=lambda entry: ORDER[entry[0]])
    return found


def title(view: Mapping[str, Any]) -> str:
    """Season, phase and commands."""
    if view.get("winner"):
        return f"Ended: {SEAT_TITLES[view['winner']]}"
    turn = calendar().turns[max(view["turn"], 1) - 1]
    phase = view["frames"][1] if len(view["frames"]) > 1 else None
    what = f"{SEAT_TITLES.get(phase['seat'], '')} {PHASES[phase['kind']]}".strip() if phase else "not begun"
    return f"{turn.season.title()} {turn.year}, {what}"


def chart(view: Mapping[str, Any]) -> str:
    places = places_of(view)
    lines = [title(view), *_table(view), ""]
    for country in COUNTRIES.values():
        areas = [area for area in country.areas if area in places or area in view["factories"]]
        if country.id == "vichy" or not areas:
            continue
        lines.append(country.name)
        lines += (f"  {_area(view, area, places.get(area, Stack()))}" for area in areas)
    seas = [area.id for area in MAP.areas.values() if not area.is_land and area.id in places]
    if seas:
        lines.append("At sea")
        lines += (f"  {MAP.areas[sea].name}: {_stack(places[sea])}{_fight(view, sea)}" for sea in seas)
    return "\n".join(lines) + "\n"


def _table(view: Mapping[str, Any]) -> Iterator[str]:
    """Order of play, cards, commands, hand."""
    if view["order"]:
        order = ", ".join(SEAT_TITLES[seat] for seat in view["order"])
        commands = ", ".join(f"{SEAT_TITLES[pool]} {count}" for pool, count in view["commands"].items())
        yield f"Order: {order}. Commands left: {commands}."
    for side, camp in view["camps"].items():
        if camp.get("hand"):
            yield f"{SEAT_TITLES[side]} hand: {', '.join(camp['hand'])}"


def _area(view: Mapping[str, Any], area: str, stack: Stack) -> str:
    holder = view["control"][area]
    held = "" if holder == MAP.areas[area].homeland else f" [{COUNTRIES[holder].name}]"
    factories = view["factories"].get(area, ())
    works = f" factory {'+'.join(map(str, factories))}" if factories else ""
    return f"{MAP.areas[area].name}{held}:{works} {_stack(stack)}{_fight(view, area)}".rstrip()


def _stack(stack: Stack) -> str:
    known = [f"{LABELS.get(BLOCKS[b].nation, '')} {BLOCKS[b].name} {steps}".strip() for b, steps in stack.known]
    hidden = [f"{count} {LABELS.get(nation, COUNTRIES[nation].name)}" for nation, count in sorted(stack.hidden.items())]
    return ", ".join((*known, *hidden))


def _fight(view: Mapping[str, Any], place: str) -> str:
    clash = view["clashes"].get(place)
    return f"  <{SEAT_TITLES[clash['attacker']]} attack>" if clash else ""
