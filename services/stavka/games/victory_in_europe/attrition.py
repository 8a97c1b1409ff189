"""The Supply Phase [VE 8.7] [VE 1.8] [VE 9.3], and ships caught by ice [VE 3.43].

Frames "winter" and "supply". Both sides are checked, Player 1 first. Nobody but the owner learns which blocks lose a
step; a block that is eliminated leaves the map before everybody's eyes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import bloc, board_of, hostile, sides_of
from stavka.games.victory_in_europe.cards import concerns_here, event_of
from stavka.games.victory_in_europe.events import AlternateSupplyOpened, EffectUsed
from stavka.games.victory_in_europe.ground import BIT, COUNTRIES, COUNTRY_MASK, MAP
from stavka.games.victory_in_europe.load import calendar
from stavka.games.victory_in_europe.losses import lose_steps
from stavka.games.victory_in_europe.reach import URALS
from stavka.games.victory_in_europe.season import is_frozen
from stavka.games.victory_in_europe.sequence import advance, decision
from stavka.games.victory_in_europe.state import State
from stavka.games.victory_in_europe.supply import surrounded, unsupplied
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Choice, Decision
from stavka.kernel.visibility import Owner, OwnSeat, Public

FRAMES: Final = frozenset({"winter", "supply"})
BRITISH_ISLES: Final = COUNTRY_MASK["britain"]  # England, Scotland, Northern Ireland, Wales [VE 13 Britain]
WESTERN: Final = frozenset({"britain", "france", "united_states"})


@dataclass(frozen=True, slots=True)
class SpareBlocks(OwnSeat):
    """Units that an event keeps from attrition this turn [VE 3.3]."""

    seat: Public[str]
    blocks: Owner[tuple[str, ...]]


# [VE 3.43] ice


def freeze(draft: Draft[State]) -> None:
    """Ships in a sea that freezes now lose a step; the ice of the year's last turn is still there in the next one."""
    state = draft.state
    before = calendar().turns[state.turn - 2].winter if state.turn > 1 else "none"
    if before != "none":
        return
    caught = {
        block: 1
        for block, piece in state.blocks.items()
        if piece.at in MAP.freezing_seas and is_frozen(state, piece.at) and ground.is_ship(block)
    }
    lose_steps(draft, caught, "ice")


# [VE 1.8] alternate sources


def lost_capitals(state: State, seat: str) -> tuple[str, ...]:
    """Powers of a seat whose capital is taken or surrounded for the first time and that have another source."""
    found = []
    for power in MAP.alternate_supply:
        side = bloc(state, power)
        if power in state.alternate or side not in sides_of(state, seat) or power not in state.at_war:
            continue
        capital = COUNTRIES[power].capital
        taken = hostile(state, side, board_of(state).blocs[state.control[capital]])
        if taken or surrounded(state, capital, side):
            found.append(power)
    return tuple(found)


def struck_by(state: State, power: str) -> tuple[str, ...]:
    """Blocks that lose a step when a power's capital is lost [VE 13 Britain] [VE 13 Soviet Union]."""
    if power == "britain":
        return tuple(b for b, p in state.blocks.items() if p.nation in WESTERN and BIT[p.at] & BRITISH_ISLES)
    return tuple(
        b
        for b, p in state.blocks.items()
        if p.nation == power and p.at != URALS and not ground.is_fortress(b) and ground.kind(b) != "cruiser"
    )


# [VE 8.7] attrition


def starving(state: State, seat: str) -> tuple[str, ...]:
    """Blocks of a seat that lose a step now; every German block while Berlin is the enemy's [VE 9.3]."""
    found: list[str] = []
    for side in sides_of(state, seat):
        found += unsupplied(state, side)
    berlin = COUNTRIES["germany"].capital
    german = bloc(state, "germany")
    if seat == german and hostile(state, german, board_of(state).blocs[state.control[berlin]]):
        found += [b for b, p in state.blocks.items() if p.nation == "germany" and b not in found]
    return tuple(sorted(found, key=ground.ORDER.__getitem__))


def _may_spare(state: State, seat: str) -> bool:
    event = event_of(state, seat)
    return event is not None and event.kind == "supply_exception"


def _sparable(state: State, seat: str) -> tuple[tuple[str, ...], int]:
    """Starving blocks that an event may keep from harm, and how many of them [VE 3.3].

    Whoever has such an event is asked even if there is nothing to choose: the question itself tells nobody anything.
    """
    event = event_of(state, seat)
    if event is None or event.kind != "supply_exception":
        return (), 0
    able = tuple(b for b in starving(state, seat) if concerns_here(state, b, event))
    return able, min(event.units, len(able))


def _attrition(draft: Draft[State], seat: str, spared: tuple[str, ...]) -> None:
    """Losses of one seat: first those of a capital lost for the first time, then all that is out of supply."""
    struck: dict[str, int] = {}
    for power in lost_capitals(draft.state, seat):
        struck |= dict.fromkeys(struck_by(draft.state, power), 1)
        draft.emit(AlternateSupplyOpened(power))
    lose_steps(draft, struck, "capital lost")
    hungry = {b: 1 for b in starving(draft.state, seat) if b not in struck and b not in spared}
    lose_steps(draft, hungry, "out of supply")


def react(draft: Draft[State]) -> None:
    """Ice at once; supply seat by seat, unless a seat has to say which units its event spares."""
    frame = draft.state.frames[-1]
    if frame.kind == "winter":
        freeze(draft)
        advance(draft)
        return
    seat = frame.step or draft.state.order[0]
    if _may_spare(draft.state, seat):
        if not frame.step:
            draft.emit(FrameStepped(seat))
        return
    _finish(draft, seat, ())


def _finish(draft: Draft[State], seat: str, spared: tuple[str, ...]) -> None:
    _attrition(draft, seat, spared)
    order = draft.state.order
    if seat == order[-1]:
        advance(draft)
    else:
        draft.emit(FrameStepped(order[order.index(seat) + 1]))


def spare_blocks(draft: Draft[State], seat: str, command: SpareBlocks) -> None:
    """[VE 3.3] As many units as the event says."""
    able, count = _sparable(draft.state, seat)
    if tuple(b for b in able if b in command.blocks) != command.blocks or len(command.blocks) != count:
        raise IllegalAction("VE 3.3", "WRONG_UNITS_SPARED", wanted=count)
    draft.emit(EffectUsed(seat))
    _finish(draft, seat, command.blocks)


COMMANDS: Final = {SpareBlocks: Handler(FRAMES, spare_blocks)}


def decisions(state: State) -> tuple[Decision, ...]:
    frame = state.frames[-1]
    if frame.kind != "supply" or not frame.step or not _may_spare(state, frame.step):
        return ()
    prompt = "choose the units that your card keeps from attrition"
    return (decision(state, frame.step, "spare", "VE 3.3", (SpareBlocks,), "1", prompt),)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(open_, tuple(SpareBlocks(seat, blocks) for blocks in combinations(*_sparable(state, seat))))
        for open_ in decisions(state)
        if open_.seat == seat
    )
