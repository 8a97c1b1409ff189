"""The United States: mobilization and automatic entry [VE 13 United States] [VE S 1942]. Entry by roll: `diplomacy.rolls`."""

from __future__ import annotations

from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import seat_of
from stavka.games.victory_in_europe.events import BlockPlaced, FactoriesSet, PowerEntered
from stavka.games.victory_in_europe.ground import COUNTRIES
from stavka.games.victory_in_europe.load import calendar
from stavka.games.victory_in_europe.season import turn_of
from stavka.games.victory_in_europe.standing import markers_of
from stavka.games.victory_in_europe.state import ALLIED, State
from stavka.kernel.draft import Draft

USA: Final = "united_states"
_DATA: Final = COUNTRIES[USA]
MOBILIZATION_TURN: Final = next(
    turn.number for turn in calendar().turns if turn.year == _DATA.values["mobilization_year"]
)
LATE_YEARS: Final = 1  # years that the optional entry by roll delays the automatic one [VE S 1942]


def mobilizes(state: State) -> bool:
    """Whether this is the first turn of 1941; later scenarios begin with forces mobilized."""
    return state.turn == MOBILIZATION_TURN


def mobilize(draft: Draft[State]) -> None:
    """The printed forces and factories appear in the USA."""
    seat = seat_of(draft.state, ALLIED)
    for area, block, steps in _DATA.mobilization:
        if block not in draft.state.blocks:
            coast = ground.main_coast(area) if ground.is_ship(block) else -1
            draft.emit(BlockPlaced(block, USA, area, ALLIED, seat, steps, coast))
    if not draft.state.factories.get(_DATA.capital):
        draft.emit(FactoriesSet(_DATA.capital, markers_of(_DATA.mobilization_factories)))


def entry_year(state: State) -> int:
    """Year at whose start the United States are in the war whatever happens."""
    late = LATE_YEARS if state.options.get("american_entry") == "by_roll" else 0
    return _DATA.values["entry_year"] + late


def enters(state: State) -> bool:
    return USA not in state.at_war and turn_of(state).year >= entry_year(state)


def enter(draft: Draft[State]) -> None:
    """[VE 13 United States] At war with the Axis from now on; diplomatic rolls are over [VE 10.2]."""
    draft.emit(PowerEntered(USA, draft.state.turn))
