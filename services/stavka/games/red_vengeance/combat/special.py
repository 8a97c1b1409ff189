"""Blows from outside and orders from above [RV 11.5, RV 11.7, RV 11.9, RV 14.6].

11.5  bomb_dresden(draft)      February 1945, before the weather
      raid(draft)              the Western Allies in the Allied Combat Phase of April 1945, one map-edge hex at a time
11.7  rise(draft)              the Warsaw rising; StrikeRising(unit) names the one target when Warsaw holds no Axis unit
11.9  is_ordered_offensive(state, battle), judged in end_phase(draft)
14.6  bulge_owing(state, able) pieces of the eastern offensive that have an attack to make now
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stavka.games.red_vengeance.board import BIT, board_of, side_units, units_at
from stavka.games.red_vengeance.combat.battle import Battle
from stavka.games.red_vengeance.combat.blows import (
    CasualtiesOpened,
    DresdenBombed,
    HexRaided,
    OffensiveJudged,
    RaidsPlanned,
    RisingStruck,
    WarsawRose,
)
from stavka.games.red_vengeance.combat.leaders import hurt
from stavka.games.red_vengeance.combat.strength import DRESDEN, HIT_FROM
from stavka.games.red_vengeance.entry import DIETRICH, NEAR_WARSAW
from stavka.games.red_vengeance.events import CommanderRemoved
from stavka.games.red_vengeance.ground import CITY_HEX, DATA, GRID, MAP_EDGE
from stavka.games.red_vengeance.sequence import advance, decision
from stavka.games.red_vengeance.state import ALLIED, AXIS, TRACK, State, is_on_map
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FramePopped
from stavka.kernel.game import Choice, Decision
from stavka.kernel.odds import hits
from stavka.kernel.visibility import Public

APRIL: Final = 11
RAID_DICE: Final = 2
"""Dice for each map-edge hex with Axis units [RV 11.5]."""
WARSAW: Final = CITY_HEX["Warsaw"]
RISING_DICE: Final = 2
"""Dice against the Axis units in Warsaw [RV 11.7]."""
ORDER_TURNS: Final = (9, 10)
"""February and March 1945: the ordered offensive is due, judged at the end of the second [RV 11.9]."""
ORDERED: Final = ("ger-i-ss-pz", "ger-ii-ss-pz")
ORDER_LOSS_FROM: Final = 4
"""Die result from which an armor unit that did not attack loses a step [RV 11.9]."""
BULGE_DEADLINE: Final = 7
"""December 1944 [RV 14.6]."""


@dataclass(frozen=True, slots=True)
class StrikeRising:
    """`unit` is "" to let it be."""

    unit: Public[str]


# [RV 11.5] Dresden and the Western Allies


def bomb_dresden(draft: Draft[State]) -> None:
    """A die for each Axis unit in Dresden; a six costs it a step. The city is small from the next turn on."""
    units = [u for u in units_at(draft.state, DRESDEN) if BIT[DRESDEN] & board_of(draft.state).units[AXIS]]
    dice = {unit: draft.roll.dice(f"Dresden, {unit}", 1)[0] for unit in units}
    draft.emit(DresdenBombed(dice))
    for unit, die in dice.items():
        if die >= HIT_FROM:
            hurt(draft, unit, "bombing", out_of_supply=None)


def raids_due(state: State) -> bool:
    """Whether the Western Allies have still to strike in this phase."""
    frame = state.frames[-1]
    if state.turn != APRIL or frame.kind != "combat" or frame.seat != ALLIED:
        return False
    return not state.fight.raided or bool(state.fight.raids)


def raid(draft: Draft[State]) -> None:
    """List the map-edge hexes that hold Axis units, then strike the next one."""
    state = draft.state
    if not state.fight.raided:
        draft.emit(RaidsPlanned(GRID.codes(MAP_EDGE & board_of(state).units[AXIS])))
        return
    code = state.fight.raids[0]
    dice = draft.roll.dice(f"Western Allies, {code}", RAID_DICE)
    draft.emit(HexRaided(code, dice))
    if hits(dice, HIT_FROM):
        draft.emit(CasualtiesOpened("RV 11.5", "western_allies", code, hits(dice, HIT_FROM)))


# [RV 11.7] the Warsaw rising


def rise(draft: Draft[State]) -> None:
    """Dice against the Axis units in Warsaw, or one die against a unit near it of the Allied player's choice."""
    state, step = draft.state, draft.state.frames[-1].step
    if not step:
        held = bool(board_of(state).units[AXIS] & BIT[WARSAW])
        dice = draft.roll.dice("Warsaw rising", RISING_DICE) if held else ()
        draft.emit(WarsawRose(dice))
        if hits(dice, HIT_FROM):
            draft.emit(CasualtiesOpened("RV 11.7", "uprising", WARSAW, hits(dice, HIT_FROM)))
    elif not awaits(state):
        draft.emit(FramePopped("uprising"))


def rising_targets(state: State) -> tuple[str, ...]:
    """Axis units within 2 hexes of Warsaw."""
    return tuple(u for u in side_units(state, AXIS) if BIT[state.at[u]] & NEAR_WARSAW)


def strike_rising(draft: Draft[State], seat: str, command: StrikeRising) -> None:
    if command.unit and command.unit not in rising_targets(draft.state):
        raise IllegalAction("RV 11.7", "NO_TARGET_NEAR_WARSAW", unit=command.unit)
    die = draft.roll.dice(f"Warsaw rising, {command.unit}", 1)[0] if command.unit else 0
    draft.emit(RisingStruck(command.unit, die))
    if die >= HIT_FROM:
        hurt(draft, command.unit, "uprising", out_of_supply=None)
    draft.emit(FramePopped("uprising"))


COMMANDS: Final[dict[type, Handler]] = {StrikeRising: Handler(frozenset({"uprising"}), strike_rising)}


def awaits(state: State) -> bool:
    """Whether the Allied player has a unit to name."""
    return state.frames[-1].step == "target" and bool(rising_targets(state))


def decisions(state: State) -> tuple[Decision, ...]:
    return (decision(state, ALLIED, "rising", "RV 11.7", (StrikeRising,), "Name an Axis unit near Warsaw, or none."),)


def legal(state: State) -> tuple[Choice, ...]:
    options = tuple(StrikeRising(unit) for unit in ("", *rising_targets(state)))
    return tuple(Choice(d, options) for d in decisions(state))


# [RV 11.9] the ordered offensive


def is_ordered_offensive(state: State, battle: Battle) -> bool:
    """Whether Dietrich and both SS panzer corps of the order attack together, in February or March."""
    return (
        state.turn in ORDER_TURNS and DIETRICH in battle.leaders and all(unit in battle.attackers for unit in ORDERED)
    )


def end_phase(draft: Draft[State]) -> None:
    """Begin the next phase; after the last Axis attack of March the ordered offensive is judged first."""
    state, frame = draft.state, draft.state.frames[1]
    last = frame.kind == "exploitation_combat" or AXIS in DATA.weather.kinds[state.weather].no_exploitation
    if frame.seat == AXIS and state.turn == ORDER_TURNS[-1] and last and state.options.get("eastern_bulge") != "on":
        _judge_offensive(draft)
    advance(draft)


def _judge_offensive(draft: Draft[State]) -> None:
    """Without the offensive Dietrich goes, and each of the two corps loses a step on 4 to 6."""
    state = draft.state
    if state.fight.order_obeyed:
        draft.emit(OffensiveJudged(True, {}))
        return
    corps = [unit for unit in ORDERED if is_on_map(state.at[unit])]
    dice = {unit: draft.roll.dice(f"ordered offensive, {unit}", 1)[0] for unit in corps}
    draft.emit(OffensiveJudged(False, dice))
    if is_on_map(state.at[DIETRICH]) or state.at[DIETRICH] == TRACK:
        draft.emit(CommanderRemoved(DIETRICH, "disgraced"))
    for unit, die in dice.items():
        if die >= ORDER_LOSS_FROM:
            hurt(draft, unit, "fuehrer_order", out_of_supply=None, shocks_hitler=False)


# [RV 14.6] the offensive in the east


def bulge_owing(state: State, ours: Mapping[str, int]) -> tuple[str, ...]:
    """Pieces that owe an attack of this phase's kind and could make it now; `ours` are the units able to attack.

    They have until December; Dietrich attacks with the units of his hex.
    """
    frame = state.frames[1]
    if not state.bulge or frame.seat != AXIS or state.turn != BULGE_DEADLINE:
        return ()
    done = state.fight.bulge_attacked if frame.kind == "combat" else state.fight.bulge_exploited
    hexes = {state.at[unit] for unit in ours}
    ready = [p for p in state.bulge if p in ours or (p == DIETRICH and state.at.get(p) in hexes)]
    return tuple(p for p in ready if p not in done and p not in state.fight.attacked)
