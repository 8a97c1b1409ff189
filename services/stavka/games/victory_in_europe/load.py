"""The data of Victory in Europe as the rules use it: frozen, slotted, cross-checked, read once.

    game_map()       areas, borders, coasts, seas, passages            [VE 1.0]
    unit_types()     target table                                      [VE 5.4]
    blocks()         every block by id                                 [VE 2.0]
    terrain()        terrain effects by name                           [VE 1.1]
    countries()      majors, minors, territories                       [VE 13.0]
    diplomacy()      diplomatic table                                  [VE 10.2]
    calendar()       the 26 game turns                                 [VE 3.1]
    scenario(id)     a set-up; `scenarios()` lists the ids             [VE Scenarios]
    rulebook()       index of sections, titles, rulings
    deck(player)     54 command cards of "axis" or "allied"            [VE 3.3]

Areas, blocks, countries are named by their ids everywhere. A data file that is wrong raises DataError (file, key,
reason); nothing else is raised.
"""

from __future__ import annotations

from .load_map import game_map
from .load_setup import EVENT_KINDS, deck, scenario, scenarios
from .load_tables import blocks, calendar, countries, diplomacy, rulebook, terrain, unit_types

__all__ = [
    "EVENT_KINDS",
    "blocks",
    "calendar",
    "countries",
    "deck",
    "diplomacy",
    "game_map",
    "rulebook",
    "scenario",
    "scenarios",
    "terrain",
    "unit_types",
]
