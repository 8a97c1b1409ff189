"""Answers about points, diplomatic rolls and victory, made of the very objects that the rules use [VE 11.1] [VE 10.2] [VE 9.0].

    QUESTIONS                               name -> what it answers and its arguments
    explain(state, viewer, question, args)  plain data, each item with its citation

A power's points tell steps of its convoys: they are for its own seat, and unknown to others like a power that nobody has.
Raises MalformedCommand MISSING_ARGUMENT, UNKNOWN_POWER, UNKNOWN_COUNTRY.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stavka.games.victory_in_europe.board import seat_of
from stavka.games.victory_in_europe.diplomacy import rolls
from stavka.games.victory_in_europe.diplomacy.victory import ALLIED_GOAL, AXIS_GOALS, BERLIN, holder
from stavka.games.victory_in_europe.ground import SIDE_OF_MAJOR
from stavka.games.victory_in_europe.production.ledger import DONORS
from stavka.games.victory_in_europe.production.tally import Source, aid_to, tally_of
from stavka.games.victory_in_europe.state import State
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import Viewer

QUESTIONS: Final[Mapping[str, str]] = {
    "production": "power: its points, source by source, and what it may get from others [VE 11.1]",
    "diplomacy": "country: what a roll of each seat needs, modifier by modifier [VE 10.2]",
    "victory": "who holds what decides the war [VE 9.0]",
}


def explain(state: State, viewer: Viewer, question: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer one of QUESTIONS, and no other."""
    if question == "production":
        return production(state, viewer, _word(args, "power"))
    if question == "diplomacy":
        return diplomacy(state, _word(args, "country"))
    return victory(state)


def _word(args: Mapping[str, Any], name: str) -> str:
    value = args.get(name)
    if not isinstance(value, str) or not value:
        raise MalformedCommand("MISSING_ARGUMENT", argument=name)
    return value


def production(state: State, viewer: Viewer, power: str) -> dict[str, Any]:
    """[VE 11.1] Resources, factories, convoys, events; the lesser of the first two is what the power makes."""
    side = SIDE_OF_MAJOR.get(power)
    if side is None or not viewer.may_see(frozenset((seat_of(state, side),)), bool(state.winner)):
        raise MalformedCommand("UNKNOWN_POWER", power=power)
    tally = tally_of(state, power)
    donor = DONORS.get(power)
    return {
        "power": power,
        "rule": "VE 11.1",
        "points": tally.points,
        "made": tally.made,
        "resources": _items(tally.resources),
        "factories": _items(tally.factories),
        "lend_lease_convoys": {"amount": tally.convoys, "rule": "VE 7.81"},
        "events": {"gained": tally.extra, "lost": tally.lost, "rule": "VE 3.3"},
        "pockets": dict(tally.pockets),
        "aid": {"from": donor, "sources": _items(aid_to(state, donor, power))} if donor else {},
    }


def _items(sources: tuple[Source, ...]) -> list[dict[str, Any]]:
    return [{"place": place, "amount": amount, "rule": rule} for place, amount, rule in sources]


def diplomacy(state: State, country: str) -> dict[str, Any]:
    """[VE 10.2] Every seat that has a roll for the country this turn: target number and what is added."""
    if country not in rolls.TABLE.targets:
        raise MalformedCommand("UNKNOWN_COUNTRY", country=country)
    seats = {}
    for seat in rolls.rollers(state):
        if country in rolls.candidates(state, seat):
            seats[seat] = {
                "power": rolls.roller(state, seat),
                "target": rolls.target_of(state, seat, country),
                "modifiers": [{"rule": r, "what": w, "amount": a} for r, w, a in rolls.modifiers(state, seat, country)],
            }
    return {"country": country, "rule": "VE 10.2", "neutral": rolls.is_neutral(state, country), "seats": seats}


def victory(state: State) -> dict[str, Any]:
    """[VE 9.1] [VE 9.2] [VE 9.3] Each set of cities with its holders."""
    axis = [{area: holder(state, area) for area in (BERLIN, *goal)} for goal in AXIS_GOALS]
    return {
        "axis": {"rule": "VE 9.1", "one_of": axis},
        "allied": {"rule": "VE 9.2", "all_of": {area: holder(state, area) for area in ALLIED_GOAL}},
        "at_the_end": {"rule": "VE 9.3", BERLIN: holder(state, BERLIN)},
    }
