"""Battles as the sequence of play calls them [VE 5.0] [VE 6.2] [VE 7.2]: FRAMES, COMMANDS, react, decisions, legal.

The printed examples [VE Battle Example] [VE Sealion Example] are played roll by roll in the tests.

Frames: "combat" is the phase; "battle" the battle being fought; "regroup" and "blitz" what a victor does afterwards.

Whoever orders the battles is asked whenever more than one is left, even if the rules leave him no choice: so that
nobody can tell an air raid, which comes first, by the question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from stavka.games.victory_in_europe.battle import after, blitz, hits, rounds, turns
from stavka.games.victory_in_europe.battle.battle import EXTEND, LEAVE
from stavka.games.victory_in_europe.battle.events import InvadersLanded
from stavka.games.victory_in_europe.battle.field import DEFENDER, battle_of
from stavka.games.victory_in_europe.battle.fire import flak
from stavka.games.victory_in_europe.battle.turns import Retreat
from stavka.games.victory_in_europe.battle.ways import retreats
from stavka.games.victory_in_europe.losses import remove
from stavka.games.victory_in_europe.sequence import decision
from stavka.games.victory_in_europe.state import State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

COMBAT: Final = frozenset({"combat"})
BATTLE: Final = frozenset({"battle"})
REGROUP: Final = frozenset({after.FRAME})
BLITZ: Final = frozenset({blitz.FRAME})
FRAMES: Final = COMBAT | BATTLE | REGROUP | BLITZ

COMMANDS: Final[dict[type, Handler]] = {
    rounds.ChooseBattle: Handler(COMBAT, rounds.choose_battle),
    turns.Fire: Handler(BATTLE, turns.fire),
    turns.Retreat: Handler(BATTLE, turns.retreat),
    turns.Hold: Handler(BATTLE, turns.hold),
    turns.TakeHit: Handler(BATTLE, turns.take_hit),
    rounds.ExtendBattle: Handler(BATTLE, rounds.extend_battle),
    rounds.EndBattle: Handler(BATTLE, rounds.end_battle),
    after.Regroup: Handler(REGROUP, after.regroup),
    after.StartBlitz: Handler(REGROUP, after.start_blitz),
    after.EndRegroup: Handler(REGROUP, after.end_regroup),
    blitz.BlitzMove: Handler(BLITZ, blitz.blitz_move),
    blitz.DeclareBlitzWar: Handler(BLITZ, blitz.declare),
    blitz.EndBlitz: Handler(BLITZ, blitz.end_blitz),
}


# Automatic progress


def react(draft: Draft[State]) -> None:
    """One thing that needs nobody's choice; emits nothing when a seat must act."""
    kind = draft.state.frames[-1].kind
    if kind == "combat":
        rounds.next_battle(draft)
    elif kind == "battle":
        _go_on(draft)
    elif kind == after.FRAME:
        after.react(draft)
    else:
        blitz.react(draft)


def _go_on(draft: Draft[State]) -> None:
    """The battle goes on by itself as far as it can: flak, idle blocks, the landing, the end of a round, lost blocks."""
    state = draft.state
    battle = battle_of(state)
    if battle.shot is not None or battle.stage == EXTEND:
        return
    if battle.stage == LEAVE:
        _forced_out(draft)
    elif turns.landing_due(state) or (rounds.is_over(state) and turns.invaders_at_sea(state)):
        draft.emit(InvadersLanded(battle.area))
    elif rounds.is_over(state):
        rounds.close_round(draft)
    elif hits.FACTORY not in battle.acted and flak(state, DEFENDER):
        hits.fire_flak(draft, DEFENDER, flak(state, DEFENDER))
    elif turns.turn_of(state) is None:
        rounds.close_round(draft)
    else:
        turns.pass_idle(draft)


def _forced_out(draft: Draft[State]) -> None:
    """[VE 5.1] [VE 5.6] Who cannot leave is lost; the last one with a single way takes it; then the battle ends."""
    for block in turns.leavers(draft.state):
        if not retreats(draft.state, block):
            remove(draft, block, "retreat")
    left = turns.leavers(draft.state)
    if not left:
        rounds.conclude(draft)
    elif len(left) == 1 and len(ways := retreats(draft.state, left[0])) == 1:
        turns.leave(draft, left[0], ways[0], voluntary=False)


# Decisions

_Open = tuple[Decision, Callable[[], tuple[Any, ...]]]
"""A decision, and its options when they are asked for."""


def decisions(state: State) -> tuple[Decision, ...]:
    """The open decision of the top frame, if a seat must act."""
    found = _open(state)
    return () if found is None else (found[0],)


def legal(state: State, seat: str) -> tuple[Choice, ...]:
    """The same with its options."""
    found = _open(state)
    return () if found is None or found[0].seat != seat else (Choice(found[0], found[1]()),)


def _open(state: State) -> _Open | None:
    kind = state.frames[-1].kind
    if kind == "combat":
        return _order(state)
    if kind == "battle":
        return _in_battle(state)
    seat = state.frames[-1].seat
    count = f"{state.fights.fought}.{len(after.corps_of(state, seat).moved)}"
    if kind == after.FRAME:
        if not after.has_choice(state, seat):
            return None
        commands: tuple[type, ...] = (after.Regroup, after.StartBlitz, after.EndRegroup)
        ask = decision(state, seat, "regroup", "VE 5.8", commands, count, "regroup from the place that you have won")
        return ask, lambda: after.options(state, seat)
    if not blitz.has_choice(state, seat):
        return None
    commands = (blitz.BlitzMove, blitz.DeclareBlitzWar, blitz.EndBlitz)
    count += f".{state.moves}"  # grows with each declaration of war
    ask = decision(state, seat, "blitz", "VE 5.9", commands, count, "move on with blocks of the area that you have won")
    return ask, lambda: blitz.options(state, seat)


def _order(state: State) -> _Open | None:
    if state.fights.goal in state.clashes or len(state.clashes) < 2:
        return None
    count = str(state.fights.fought)
    seat = rounds.chooser(state)
    ask = decision(
        state, seat, "battle", "VE 5.1", (rounds.ChooseBattle,), count, "choose the battle to be fought next"
    )
    return ask, lambda: tuple(rounds.ChooseBattle(area) for area in rounds.battles(state))


def _in_battle(state: State) -> _Open | None:
    battle = battle_of(state)
    count = f"{battle.number}.{battle.count}"
    if battle.shot is not None:
        seat = turns.hit_seat(state)
        ask = decision(state, seat, "hit", "VE 5.4", (turns.TakeHit,), count, "choose the block that takes the hit")
        return ask, lambda: turns.hit_options(state)
    if battle.stage == EXTEND:
        seat = rounds.extender(state)
        commands: tuple[type, ...] = (rounds.ExtendBattle, rounds.EndBattle)
        ask = decision(state, seat, "extend", "VE 5.71", commands, count, "prolong the battle, or let it end")
        return ask, lambda: (*rounds.extensions(state, seat), rounds.EndBattle(seat))
    if battle.stage == LEAVE:
        return _leaving(state, count)
    if _runs_by_itself(state) or not (seat := turns.actor(state)):
        return None
    commands = (turns.Fire, turns.Retreat, turns.Hold)
    ask = decision(state, seat, "turn", "VE 5.2", commands, count, "fire or retreat with one of your blocks")
    return ask, lambda: turns.options(state, seat)


def _runs_by_itself(state: State) -> bool:
    """Whether something comes before the next battle turn."""
    flak_due = hits.FACTORY not in battle_of(state).acted and bool(flak(state, DEFENDER))
    return rounds.is_over(state) or flak_due or turns.landing_due(state)


def _leaving(state: State, count: str) -> _Open | None:
    left = {block: retreats(state, block) for block in turns.leavers(state)}
    if not left or not all(left.values()) or (len(left) == 1 and len(next(iter(left.values()))) == 1):
        return None
    seats = {state.blocks[block].seat for block in left}
    seat = next(s for s in state.order if s in seats)
    options = tuple(
        Retreat(seat, block, way.target, way.coast)
        for block, ways in left.items()
        if state.blocks[block].seat == seat
        for way in ways
    )
    ask = decision(state, seat, "retreat", "VE 5.1", (Retreat,), count, "your attack is over: lead your blocks out")
    return ask, lambda: options
