"""Control of areas [VE 4.1] [VE 1.17].

    take(draft, area, nation)       an army of `nation` stands alone in `area`: control passes to its side
    flag_of(state, nation)          the country in whose name an army takes areas
    heir_of(state, area, nation)    the country that controls an area taken by a nation's army
    owners_of(state, area)          countries that it belongs to of old

Areas change hands at once, even between rounds of a battle, and by army blocks alone.
"""

from __future__ import annotations

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc, board_of
from stavka.games.victory_in_europe.diplomacy.capture import area_taken
from stavka.games.victory_in_europe.events import ControlChanged, FactoriesSet
from stavka.games.victory_in_europe.state import CONQUERED, State
from stavka.kernel.draft import Draft


def take(draft: Draft[State], area: str, nation: str) -> None:
    """Give an area to the side of a nation's army, unless it has it already.

    Enemy factories there are destroyed [VE 11.33]; resources count from the next turn on [VE 11.2].
    """
    state = draft.state
    if board_of(state).blocs[state.control[area]] == bloc(state, nation):
        return
    heir = heir_of(state, area, flag_of(state, nation))
    draft.emit(ControlChanged(area, heir, ground.MAP.areas[area].resource > 0))
    if draft.state.factories.get(area):
        draft.emit(FactoriesSet(area, ()))
    area_taken(draft, area, heir)


def flag_of(state: State, nation: str) -> str:
    """The country in whose name a nation's army takes areas: Britain for free forces [VE 11.42]."""
    return ground.FREE_FORCES_POWER if _is_gone(state, nation) else nation


def _is_gone(state: State, country: str) -> bool:
    """Whether a power has surrendered or a minor is conquered: both for good [VE 10.0]."""
    return country in state.fallen or state.minors.get(country) == CONQUERED


def heir_of(state: State, area: str, nation: str) -> str:
    """Whoever the area belongs to of old, if that country is of the same bloc; else the nation itself."""
    blocs = board_of(state).blocs
    return next((country for country in owners_of(state, area) if blocs.get(country) == bloc(state, nation)), nation)


def owners_of(state: State, area: str) -> tuple[str, ...]:
    """Of the country whose homeland an area is and its owner of 1939 those that still stand [VE 1.16]."""
    place = ground.MAP.areas[area]
    owners = dict.fromkeys((place.homeland, place.owner))
    return tuple(country for country in owners if country in ground.COUNTRIES and not _is_gone(state, country))
