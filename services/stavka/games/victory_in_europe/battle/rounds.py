"""The course of a battle: which is next, its rounds, who holds the field [VE 5.1] [VE 5.2] [VE 5.71] [VE 6.21] [VE 1.7].

ChooseBattle ExtendBattle EndBattle     commands
begin(draft, area)                      a battle begins: its blocks are shown to those who fight in it
is_over(state)                          whether one side has nobody left, or nothing to fight about
close_round(draft)                      what follows on a round: control, the next round, an extension, the end
extensions(state, seat)                 how the attackers may prolong the battle
conclude(draft)                         those who must have left: hide the blocks, end the battle
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.battle.after import flag_of, note_fliers, open_frames
from stavka.games.victory_in_europe.battle.battle import EXTEND, LEAVE
from stavka.games.victory_in_europe.battle.events import (
    BattleBegun,
    BattleEnded,
    BattleExtended,
    InvadersLanded,
    RolesSwapped,
    RoundBegun,
    StageReached,
)
from stavka.games.victory_in_europe.battle.field import (
    ATTACKER,
    DEFENDER,
    battle_of,
    blocks_of,
    comes_late,
    concerned,
    has_army,
    has_prey,
    is_ashore,
    party,
    rounds,
    seats_of,
    side_in,
    waiting,
)
from stavka.games.victory_in_europe.battle.fire import events
from stavka.games.victory_in_europe.battle.hits import drop
from stavka.games.victory_in_europe.battle.turns import leavers, require_own
from stavka.games.victory_in_europe.battle.ways import closing
from stavka.games.victory_in_europe.board import contested_places, player_one
from stavka.games.victory_in_europe.control import take
from stavka.games.victory_in_europe.events import (
    BlocksHidden,
    BlocksShown,
    ClashEnded,
    EffectUsed,
    StepsSet,
)
from stavka.games.victory_in_europe.ground import MINORS
from stavka.games.victory_in_europe.landing import in_flight
from stavka.games.victory_in_europe.losses import lose_steps
from stavka.games.victory_in_europe.sequence import advance
from stavka.games.victory_in_europe.state import AXIS, State
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction
from stavka.kernel.frames import FramePopped, FramePushed
from stavka.kernel.visibility import Owner, OwnSeat, Public

EXTENSION: Final = 1  # rounds for a leader's step [VE 5.71]
CARD: Final = ""


@dataclass(frozen=True, slots=True)
class ChooseBattle:
    """The battle that is fought next [VE 5.1]."""

    area: Public[str]


@dataclass(frozen=True, slots=True)
class ExtendBattle(OwnSeat):
    """Prolong the battle by a leader's step [VE 5.71], or with leader "" by the card event [VE 3.3]."""

    seat: Owner[str]
    leader: Owner[str]


@dataclass(frozen=True, slots=True)
class EndBattle(OwnSeat):
    """Let the battle end with its last round."""

    seat: Owner[str]


# [VE 5.1] [VE 6.21] the order of battles


def chooser(state: State) -> str:
    """Seat that orders the battles: Player 1."""
    return state.order[0]


def is_raid(state: State, area: str) -> bool:
    """[VE 6.21] Whether a single aircraft of Player 1, and of the seat that orders the battles, is all that attacks."""
    clash = state.clashes[area]
    if (clash.attacker == AXIS) != (player_one(state) == AXIS):
        return False
    here = party(state, area, clash.attacker, clash.defender, True)
    return len(here) == 1 and ground.is_air(here[0]) and state.blocks[here[0]].seat == chooser(state)


def battles(state: State) -> tuple[str, ...]:
    """[VE 6.21] Places that may be chosen: Player 1's air raids while there are any."""
    places = contested_places(state)
    return tuple(area for area in places if is_raid(state, area)) or places


def choose_battle(draft: Draft[State], seat: str, command: ChooseBattle) -> None:
    """[VE 5.1] [VE 6.21] Player 1 decides the order, air raids first."""
    if command.area not in draft.state.clashes:
        raise IllegalAction("VE 5.1", "NO_SUCH_BATTLE", area=command.area)
    if command.area not in battles(draft.state):
        raise IllegalAction("VE 6.21", "RAIDS_FIRST", area=command.area)
    begin(draft, command.area)


def next_battle(draft: Draft[State]) -> None:
    """Begin what a blitz has started [VE 5.9], or the only battle left; with none left the phase is over.

    Before it is, aircraft come down that stood by at sea while others fought [VE 6.22].
    """
    state = draft.state
    if state.fights.goal in state.clashes:
        begin(draft, state.fights.goal)
    elif not state.clashes:
        if any(in_flight(state, seat) for seat in state.order):
            draft.emit(FramePushed("landing", "movement", ""))
        else:
            advance(draft)
    elif len(state.clashes) == 1:
        begin(draft, next(iter(state.clashes)))


# [VE 5.1] [VE 4.4] rounds


def begin(draft: Draft[State], area: str) -> None:
    """A battle begins with its first round."""
    state = draft.state
    clash, fights = state.clashes[area], state.fights
    viewers = seats_of(state, area, clash.attacker, clash.defender)
    blitz = fights.goal == area and fights.fresh
    draft.emit(FramePushed("battle", "combat", ""))
    draft.emit(BattleBegun(area, fights.fought + 1, clash.attacker, clash.defender, viewers, blitz))
    begin_round(draft)


def begin_round(draft: Draft[State]) -> None:
    """[VE 4.4] Whoever fights in this round is shown to the others who do."""
    state = draft.state
    battle = battle_of(state)
    everybody = [b for role in (ATTACKER, DEFENDER) for b in (*blocks_of(state, role), *waiting(state, role))]
    fighting = tuple(b for b in everybody if battle.round or not comes_late(state, b))
    last = max(battle.last, rounds(state))
    draft.emit(RoundBegun(battle.area, battle.round + 1, battle.viewers, last, closing(state, fighting)))
    fresh = tuple(block for block in fighting if not state.blocks[block].shown)
    if fresh and not is_over(state):
        draft.emit(BlocksShown(battle.area, battle.viewers, fresh))


def land_invaders(draft: Draft[State]) -> None:
    """[VE 7.5] The landing phase."""
    draft.emit(InvadersLanded(battle_of(draft.state).area))


def is_over(state: State) -> bool:
    """[VE 5.1] Whether a side has nobody left in the place or on the way to it.

    Factories hold out against bombers that are alone; with an army they are lost at once [VE 11.33].
    """
    if not blocks_of(state, ATTACKER) and not waiting(state, ATTACKER):
        return True
    if blocks_of(state, DEFENDER) or waiting(state, DEFENDER):
        return False
    return has_army(state, ATTACKER) or not has_prey(state)


def close_round(draft: Draft[State]) -> None:
    """[VE 5.1] [VE 5.2] The end of a round; airborne blocks that had no turn drop first [VE 2.6]."""
    for role in (ATTACKER, DEFENDER):
        for block in blocks_of(draft.state, role):
            drop(draft, block)
    _change_hands(draft)
    state = draft.state
    battle = battle_of(state)
    if is_over(state):
        conclude(draft)
    elif battle.round < battle.last:
        begin_round(draft)
    elif any(extensions(state, seat) for seat in battle.viewers):
        draft.emit(StageReached(battle.viewers, EXTEND))
    else:
        draft.emit(StageReached(battle.viewers, LEAVE))


def _change_hands(draft: Draft[State]) -> None:
    """[VE 5.2] Attackers who alone have armies take the area, and defend it against whoever is left.

    Aircraft and ships change no area's hands [VE 6.13] [VE 7.13].
    At sea attackers who are alone hold it against those that arrive in the second round.
    """
    state = draft.state
    battle = battle_of(state)
    if ground.is_land(battle.area):
        if not has_army(state, ATTACKER) or has_army(state, DEFENDER):
            return
        take(draft, battle.area, flag_of(state, _first_army(state)))
    elif blocks_of(state, DEFENDER) or not blocks_of(state, ATTACKER):
        return
    state = draft.state
    if blocks_of(state, DEFENDER) or waiting(state, DEFENDER):
        last = max(battle.last, rounds(state, DEFENDER))
        draft.emit(RolesSwapped(battle.area, battle.defender, battle.attacker, battle.viewers, last))


def _first_army(state: State) -> str:
    """The army in whose nation's name the attackers take the area: one of a major power before a minor's."""
    armies = [block for block in blocks_of(state, ATTACKER) if is_ashore(state, block)]
    return min(armies, key=lambda block: state.blocks[block].nation in MINORS)


# [VE 5.71] [VE 3.3] extensions


def extensions(state: State, seat: str) -> tuple[ExtendBattle, ...]:
    """[VE 5.71] Ways in which a seat of the attackers may prolong the battle: its card, then a leader's step."""
    battle = battle_of(state)
    mine = tuple(block for block in blocks_of(state, ATTACKER) if state.blocks[block].seat == seat)
    found = []
    if not battle.carded and any(concerned(state, b, e) for b in mine for e in events(state, b, "extend_battle")):
        found.append(ExtendBattle(seat, CARD))
    found += [
        ExtendBattle(seat, block)
        for block in mine
        if ground.is_leader(block) and state.blocks[block].steps > 0 and is_ashore(state, block)
    ]
    return tuple(found)


def extender(state: State) -> str:
    """Seat that may prolong the battle, the first in order, "" when none may."""
    if battle_of(state).stage != EXTEND:
        return ""
    return next((seat for seat in state.order if extensions(state, seat)), "")


def extend_battle(draft: Draft[State], seat: str, command: ExtendBattle) -> None:
    """[VE 5.71] [VE 3.3] One round for a leader's step, or what the card gives."""
    state = draft.state
    battle = battle_of(state)
    if command.leader != CARD:
        require_own(state, seat, command.leader)
    if command not in extensions(state, seat):
        raise IllegalAction("VE 5.71" if command.leader else "VE 3.3", "CANNOT_EXTEND", leader=command.leader)
    if command.leader == CARD:
        mine = (block for block in blocks_of(state, ATTACKER) if state.blocks[block].seat == seat)
        gained = max(event.amount for block in mine for event in events(state, block, "extend_battle"))
    else:
        lose_steps(draft, {command.leader: 1}, "extension")
        gained = EXTENSION
    draft.emit(BattleExtended(battle.viewers, command.leader, battle.last + gained))
    begin_round(draft)


def end_battle(draft: Draft[State], seat: str, command: EndBattle) -> None:
    """[VE 5.1] No further round: the attackers leave."""
    draft.emit(StageReached(battle_of(draft.state).viewers, LEAVE))


# [VE 5.1] [VE 5.5] the end


def conclude(draft: Draft[State]) -> None:
    """The battle is over and those who had to leave are gone: the victor's half-hits heal, the blocks stand up again."""
    state = draft.state
    battle = battle_of(state)
    winners = ATTACKER if blocks_of(state, ATTACKER) and not leavers(state) else DEFENDER
    standing = (*blocks_of(state, winners), *waiting(state, winners))
    for block in standing:
        drop(draft, block)
    state = draft.state
    halves = {block: (state.blocks[block].steps, False) for block in standing if state.blocks[block].half}
    if halves:
        draft.emit(StepsSet(battle.viewers, halves, "victory"))
    for seat in state.allotted.get(battle.area, ()):
        draft.emit(EffectUsed(seat))
    note_fliers(draft, standing)
    battled = any(state.blocks[block].shown for block in standing)
    draft.emit(BlocksHidden(battle.area))
    draft.emit(ClashEnded(battle.area))
    draft.emit(BattleEnded(battle.area, side_in(battle, winners), battled))
    draft.emit(FramePopped("battle"))
    open_frames(draft, {state.blocks[block].seat for block in standing})
