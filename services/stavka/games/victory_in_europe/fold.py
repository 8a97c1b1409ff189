"""The fold: `evolve` applies any event of Victory in Europe to a state.

    evolve(state, event) -> state      changes the caller's own state and returns it; never judges, rolls or fails
    EVENTS                             every event type of the game

Whatever moves a block drops the state's cached board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from stavka.games.victory_in_europe import card_events as cards
from stavka.games.victory_in_europe import events as ev
from stavka.games.victory_in_europe.battle.battle import Fights
from stavka.games.victory_in_europe.battle.events import APPLY as BATTLE_APPLY
from stavka.games.victory_in_europe.diplomacy.events import APPLY as DIPLOMACY_APPLY
from stavka.games.victory_in_europe.production.events import APPLY as PRODUCTION_APPLY
from stavka.games.victory_in_europe.state import CONQUEST, RECALL, Camp, Clash, Piece, State
from stavka.kernel.frames import FLOW, Frame

Event = Any


def evolve(state: State, event: Event) -> State:
    """Apply one event to `state` itself and return it."""
    APPLY[type(event)](state, event)
    return state


# Start and flow


def _match_begun(s: State, e: ev.MatchBegun) -> None:
    s.ruleset, s.scenario, s.options, s.seats = e.ruleset, e.scenario, dict(e.options), e.seats


def _table_set(s: State, e: ev.TableSet) -> None:
    s.turn = e.turn
    s.blocks, s.control, s.factories = dict(e.blocks), dict(e.control), dict(e.factories)
    s.minors, s.at_war, s.fallen, s.entered = dict(e.minors), e.at_war, e.fallen, dict(e.entered)
    s._board = None


def _position_set(s: State, e: ev.PositionSet) -> None:
    for name in State.__dataclass_fields__:
        if name not in ("ruleset", "scenario", "options", "seats"):
            value = getattr(e.position, name)
            setattr(s, name, dict(value) if isinstance(value, dict) else value)
    s._board = None


def _camp_pitched(s: State, e: ev.CampPitched) -> None:
    s.camps[e.side] = Camp(e.side, e.seat, pool=e.pool, dead=e.dead)


def _phase_begun(s: State, e: ev.PhaseBegun) -> None:
    s.turn, s.stamp, s.moves = e.turn, s.stamp + 1, 0
    s.frames = (s.frames[0], Frame(e.phase, e.topic, e.seat))
    s._board = None
    if e.phase == "move":
        s.at_start = dict(e.at_start)
        for side, camp in s.camps.items():
            if camp.crossed or camp.moved:
                s.camps[side] = replace(camp, crossed=(), moved={}, lanes=())
    elif e.phase == "combat":
        s.fights = Fights()
    for side, camp in s.camps.items():
        if camp.done:
            s.camps[side] = replace(camp, done=False)
    if e.phase == "year":
        s.played, s.order, s.commands, s.allotted, s.effects = {}, (), {}, {}, ()
        s.landed, s.conquests, s.shifted, s.fought = frozenset(), frozenset(), {}, frozenset()


def _answered(s: State, e: ev.Answered) -> None:
    s.camps[e.seat] = replace(s.camps[e.seat], done=True)


def _match_ended(s: State, e: ev.MatchEnded) -> None:
    s.winner, s.points, s.reasons = e.winner, dict(e.points), e.reasons
    s.frames = s.frames[:1]


# Cards


def _hand_dealt(s: State, e: cards.HandDealt) -> None:
    s.camps[e.seat] = replace(s.camps[e.seat], hand=e.hand)


def _deck_left(s: State, e: cards.DeckLeft) -> None:
    s.undealt[e.deck] = e.cards


def _card_chosen(s: State, e: cards.CardChosen) -> None:
    camp = s.camps[e.seat]
    s.camps[e.seat] = replace(camp, chosen=e.card, hand=tuple(card for card in camp.hand if card != e.card))


def _card_offered(s: State, e: cards.CardOffered) -> None:
    s.camps[e.seat] = replace(s.camps[e.seat], offered=e.card)


def _offers_settled(s: State, e: cards.OffersSettled) -> None:
    seats = [seat for seat in s.seats if s.camps[seat].offered]
    given = {seat: s.camps[seat].offered for seat in seats}
    for seat in seats:
        camp, hand = s.camps[seat], s.camps[seat].hand
        if e.exchanged:
            other = next(card for giver, card in given.items() if giver != seat)
            hand = (*(card for card in hand if card != given[seat]), other)
        s.camps[seat] = replace(camp, offered="", hand=hand, done=True)


def _leader_named(s: State, e: cards.LeaderNamed) -> None:
    s.leader = e.seat


def _cards_revealed(s: State, e: cards.CardsRevealed) -> None:
    s.played, s.order, s.commands = dict(e.played), e.order, dict(e.commands)
    for seat in e.played:
        s.camps[seat] = replace(s.camps[seat], chosen="")
    s._board = None


def _event_allotted(s: State, e: ev.EventAllotted) -> None:
    s.allotted[e.area] = (*s.allotted.get(e.area, ()), e.seat)


def _effect_used(s: State, e: ev.EffectUsed) -> None:
    s.effects = (*s.effects, f"{e.seat}:{e.what}" if e.what else e.seat)
    s._board = None


# Blocks


def _block_moved(s: State, e: ev.BlockMoved) -> None:
    p = s.blocks[e.block]
    s.blocks[e.block] = Piece(e.target, p.nation, p.side, p.seat, e.came, p.shown, p.steps, p.half, e.coast, e.aloft)
    if e.moved:
        camp = s.camps[p.side]
        origin = e.target if e.by in (CONQUEST, RECALL) else e.origin
        s.camps[p.side] = replace(camp, moved={**camp.moved, e.block: origin})
        s.moves += 1
    _count_leaver(s, p.at)
    s._board = None


def _count_leaver(s: State, place: str) -> None:
    """Whoever leaves the battle being fought changes what there is to decide in it, so decisions get a new number."""
    if s.battle is not None and s.battle.area == place:
        s.battle = replace(s.battle, count=s.battle.count + 1)


def _block_placed(s: State, e: ev.BlockPlaced) -> None:
    s.blocks[e.block] = Piece(e.area, e.nation, e.side, e.seat, "", (), e.steps, False, e.coast)
    camp = s.camps[e.side]
    if e.block in camp.pool:
        s.camps[e.side] = replace(camp, pool=camp.pool - {e.block})
    s._board = None


def _steps_set(s: State, e: ev.StepsSet) -> None:
    for block, (steps, half) in e.steps.items():
        p = s.blocks[block]
        s.blocks[block] = Piece(p.at, p.nation, p.side, p.seat, p.came, p.shown, steps, half, p.coast, p.aloft)


def _block_removed(s: State, e: ev.BlockRemoved) -> None:
    piece = s.blocks.pop(e.block)
    camp = s.camps[piece.side]
    moved = {block: origin for block, origin in camp.moved.items() if block != e.block}
    pool = camp.pool | {e.block} if e.to == "pool" else camp.pool
    dead = camp.dead | {e.block} if e.to == "dead" else camp.dead
    s.camps[piece.side] = replace(camp, pool=pool, dead=dead, moved=moved)
    _count_leaver(s, piece.at)
    s._board = None


def _deployment_planned(s: State, e: ev.DeploymentPlanned) -> None:
    s.camps[e.seat] = replace(s.camps[e.seat], stations=e.places)


def _forces_deployed(s: State, e: ev.ForcesDeployed) -> None:
    for block, (area, coast) in e.places.items():
        s.blocks[block] = replace(s.blocks[block], at=area, coast=coast)
    s.camps[e.seat] = replace(s.camps[e.seat], stations={})
    s._board = None


def _pool_changed(s: State, e: ev.PoolChanged) -> None:
    s.camps[e.side] = replace(s.camps[e.side], pool=e.pool, dead=e.dead)


def _blocks_shown(s: State, e: ev.BlocksShown) -> None:
    for block in e.blocks:
        p = s.blocks[block]
        shown = tuple(seat for seat in e.viewers if seat != p.seat)
        s.blocks[block] = replace(p, shown=shown)


def _blocks_hidden(s: State, e: ev.BlocksHidden) -> None:
    for block, p in s.blocks.items():
        if p.at == e.area and (p.shown or p.came):
            s.blocks[block] = replace(p, shown=(), came="")


def _border_crossed(s: State, e: ev.BorderCrossed) -> None:
    camp = s.camps[e.side]
    s.camps[e.side] = replace(camp, crossed=(*camp.crossed, e.border))


# Areas, commands, contested places


def _control_changed(s: State, e: ev.ControlChanged) -> None:
    s.control[e.area] = e.country
    if e.conquest:
        s.conquests |= {e.area}
    s._board = None


def _factories_set(s: State, e: ev.FactoriesSet) -> None:
    if e.markers:
        s.factories[e.area] = e.markers
    else:
        s.factories.pop(e.area, None)


def _commands_spent(s: State, e: ev.CommandsSpent) -> None:
    s.commands[e.pool] = s.commands.get(e.pool, 0) - e.commands


def _clash_begun(s: State, e: ev.ClashBegun) -> None:
    s.clashes[e.area] = Clash(e.attacker, e.defender, e.reinforced, e.invaded, e.land)
    s.fought |= {e.area}
    s._board = None


def _clash_ended(s: State, e: ev.ClashEnded) -> None:
    s.clashes.pop(e.area, None)
    s.allotted.pop(e.area, None)
    s._board = None


def _lanes_kept(s: State, e: ev.LanesKept) -> None:
    s.camps[e.side] = replace(s.camps[e.side], lanes=e.seas)


def _factory_moved(s: State, e: ev.FactoryMoved) -> None:
    markers = list(s.factories[e.origin])
    markers.remove(e.steps)
    if markers:
        s.factories[e.origin] = tuple(markers)
    else:
        del s.factories[e.origin]
    s.factories[e.target] = (*s.factories.get(e.target, ()), e.steps)
    s.shifted[e.target] = (*s.shifted.get(e.target, ()), e.steps)


def _alternate_supply_opened(s: State, e: ev.AlternateSupplyOpened) -> None:
    s.alternate |= {e.power}
    s._board = None


def _side_landed(s: State, e: ev.SideLanded) -> None:
    s.landed |= {e.side}


# Powers


def _war_declared(s: State, e: ev.WarDeclared) -> None:
    s.moves += 1
    if e.country in s.minors:
        s.attacked[e.country] = e.side
    elif e.country == "soviet_union":
        s.barbarossa = s.turn
    s._board = None


def _power_entered(s: State, e: ev.PowerEntered) -> None:
    s.at_war |= {e.power}
    s.entered[e.power] = e.turn
    s._board = None


def _power_fallen(s: State, e: ev.PowerFallen) -> None:
    s.at_war -= {e.power}
    s.fallen |= {e.power}
    s._board = None


def _minor_turned(s: State, e: ev.MinorTurned) -> None:
    s.minors[e.minor] = e.standing
    s.attacked.pop(e.minor, None)
    s._board = None


APPLY: Final[dict[type, Callable[[State, Any], None]]] = {
    ev.MatchBegun: _match_begun,
    ev.TableSet: _table_set,
    ev.PositionSet: _position_set,
    ev.CampPitched: _camp_pitched,
    ev.PhaseBegun: _phase_begun,
    **FLOW,
    ev.Answered: _answered,
    ev.MatchEnded: _match_ended,
    cards.HandDealt: _hand_dealt,
    cards.DeckLeft: _deck_left,
    cards.CardChosen: _card_chosen,
    cards.CardOffered: _card_offered,
    cards.OffersSettled: _offers_settled,
    cards.LeaderNamed: _leader_named,
    cards.CardsRevealed: _cards_revealed,
    ev.EventAllotted: _event_allotted,
    ev.EffectUsed: _effect_used,
    ev.BlockMoved: _block_moved,
    ev.BlockPlaced: _block_placed,
    ev.StepsSet: _steps_set,
    ev.BlockRemoved: _block_removed,
    ev.DeploymentPlanned: _deployment_planned,
    ev.ForcesDeployed: _forces_deployed,
    ev.PoolChanged: _pool_changed,
    ev.BlocksShown: _blocks_shown,
    ev.BlocksHidden: _blocks_hidden,
    ev.BorderCrossed: _border_crossed,
    ev.ControlChanged: _control_changed,
    ev.FactoriesSet: _factories_set,
    ev.CommandsSpent: _commands_spent,
    ev.ClashBegun: _clash_begun,
    ev.ClashEnded: _clash_ended,
    ev.SideLanded: _side_landed,
    ev.LanesKept: _lanes_kept,
    ev.FactoryMoved: _factory_moved,
    ev.AlternateSupplyOpened: _alternate_supply_opened,
    ev.WarDeclared: _war_declared,
    ev.PowerEntered: _power_entered,
    ev.PowerFallen: _power_fallen,
    ev.MinorTurned: _minor_turned,
    **BATTLE_APPLY,
    **DIPLOMACY_APPLY,
    **PRODUCTION_APPLY,
}
EVENTS: Final = tuple(APPLY)
