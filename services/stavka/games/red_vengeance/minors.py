"""Minor nations [RV 11.3 to RV 11.43, RV 14.1, RV 14.4]: wavering, surrender, defection, Poland.

unit_removed(draft, unit)            a Romanian loss may end Romania's war [RV 11.31]
city_first_controlled(draft, hex)    so may the first Allied control of Constanta and of Ploesti
check_surrenders(draft, entered)     Bulgaria, and Hungary under the option, judged at once [RV 11.32, RV 14.1]
react(draft)                         what the Allied Command Phase brings: capitals taken [RV 11.31, RV 11.34], Poland
"""

from __future__ import annotations

from typing import Final

from stavka.games.red_vengeance.board import BIT, MINORS, board_of, side_units
from stavka.games.red_vengeance.control import controls
from stavka.games.red_vengeance.events import (
    NationDefected,
    NationSurrendered,
    PiecePlaced,
    RomaniaWavered,
    UnitRemoved,
)
from stavka.games.red_vengeance.ground import CITY_HEX, COUNTRY, UNITS
from stavka.games.red_vengeance.sequence import advance
from stavka.games.red_vengeance.state import ALLIED, AXIS, DEAD, LOST, OFF, State, is_on_map
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

WAVERS_AT: Final = 1  # die result, less the modifier, at which Romania surrenders [RV 11.31]
OIL_CITIES: Final = (CITY_HEX["Constanta"], CITY_HEX["Ploesti"])
WAITING_BOX: Final = {"romania": DEAD, "bulgaria": DEAD, "hungary": LOST}
"""Country -> where its other units go when it changes sides: only one Hungarian unit ever comes back [RV 11.34, RV 14.1]."""
NATION_OF: Final = {country: nation for nation, country in MINORS.items()}
CAPITAL: Final = {"romania": "Bucharest", "bulgaria": "Sofia", "hungary": "Budapest"}

FRAMES: Final = frozenset({"politics"})
COMMANDS: Final[dict[type, Handler]] = {}


def react(draft: Draft[State]) -> None:
    """The Allied Command Phase: capitals that have fallen, then the second Polish army."""
    defections(draft)
    polish_army(draft)
    advance(draft)


def decisions(state: State) -> tuple[Decision, ...]:
    return ()


def legal(state: State) -> tuple[Choice, ...]:
    return ()


# [RV 11.31] Romania


def unit_removed(draft: Draft[State], unit: str) -> None:
    if UNITS[unit].nation == "romanian":
        _waver(draft)


def city_first_controlled(draft: Draft[State], code: str) -> None:
    if code in OIL_CITIES:
        _waver(draft)


def _waver(draft: Draft[State]) -> None:
    state = draft.state
    if state.minors["romania"] != AXIS:
        return
    modifier = state.romania_rolls
    (die,) = draft.roll.dice(f"Romania wavers, event {modifier + 1}", 1)
    draft.emit(RomaniaWavered(die, modifier))
    if die - modifier <= WAVERS_AT:
        _surrender(draft, "romania")


def _surrender(draft: Draft[State], country: str) -> None:
    """All units of the nation leave the map at once; they wait for its defection [RV 11.34]."""
    state = draft.state
    garrison = country == "bulgaria" and state.options.get("greek_garrison") == "on"  # [RV 14.4]
    draft.emit(NationSurrendered(country, garrison))
    for unit, datum in UNITS.items():
        if datum.nation == NATION_OF[country] and is_on_map(draft.state.at[unit]):
            draft.emit(UnitRemoved(unit, OFF, "surrender"))
    check_surrenders(draft)


# [RV 11.32] Bulgaria [RV 14.1] Hungary


def check_surrenders(draft: Draft[State], entered: str = "") -> None:
    """Bulgaria, and with Magyar Honor Hungary, give up once Romania has and a Soviet unit is in the country.

    `entered`: a hex that a Soviet unit is just coming to, though its move may lead on.
    """
    for country in ("bulgaria", "hungary"):
        state = draft.state
        may = country == "bulgaria" or state.options.get("magyar_honor") == "on"
        if not may or state.minors["romania"] == AXIS or state.minors[country] != AXIS:
            continue
        if BIT.get(entered, 0) & COUNTRY[country] or _soviets_in(state, country):
            _surrender(draft, country)


def _soviets_in(state: State, country: str) -> bool:
    land = COUNTRY[country]
    if not board_of(state).units[ALLIED] & land:
        return False
    return any(UNITS[u].nation == "soviet" and BIT[state.at[u]] & land for u in side_units(state, ALLIED))


# [RV 11.34] defection


def defections(draft: Draft[State]) -> None:
    """Romania when Bucharest is Allied; then Bulgaria when Sofia is; with Magyar Honor Hungary when Budapest is [RV 14.1].

    A nation still with the Axis surrenders first [RV 11.31]. One of its units comes to the capital at full strength, the
    others wait among the removed units of the Allied player and are rebuilt like his [RV 10.1]; Hungary's are out for good.
    """
    for country in ("romania", "bulgaria", "hungary"):
        state = draft.state
        if country == "hungary" and state.options.get("magyar_honor") != "on":
            continue
        capital = CITY_HEX[CAPITAL[country]]
        if state.minors[country] == ALLIED or not controls(state, ALLIED, capital):
            continue
        if country != "romania" and state.minors["romania"] == AXIS:
            continue
        if state.minors[country] == AXIS:
            _surrender(draft, country)
        draft.emit(NationDefected(country))
        _welcome(draft, country, capital)


def _welcome(draft: Draft[State], country: str, capital: str) -> None:
    box = WAITING_BOX[country]
    units = [u for u, d in UNITS.items() if d.nation == NATION_OF[country] and draft.state.at[u] != LOST]
    for place, unit in enumerate(units):
        if place == 0:
            draft.emit(PiecePlaced(unit, ALLIED, capital, UNITS[unit].steps))
        elif draft.state.at[unit] != box:
            draft.emit(UnitRemoved(unit, box, "defection"))


# [RV 11.43] Poland


def polish_army(draft: Draft[State]) -> None:
    """The second Polish army appears in Warsaw in the first Allied Command Phase with Warsaw in Allied hands."""
    warsaw = CITY_HEX["Warsaw"]
    for unit, datum in UNITS.items():
        if datum.arrival == "W" and draft.state.at[unit] == OFF and controls(draft.state, ALLIED, warsaw):
            draft.emit(PiecePlaced(unit, ALLIED, warsaw, datum.steps))
