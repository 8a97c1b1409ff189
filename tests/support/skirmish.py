"""A made-up game for tests of the platform: hidden hands, a secret simultaneous choice, dice, a few rounds.

Two sides, `north` and `south`, hold five cards of value 1-5 from a shuffled deck each. Every round both choose a card
face down, at once; then each rolls a die and adds his card; the higher total scores. After three rounds it is over.
The choice is owned by the cards topic, the fight by combat, so that two processes take turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from stavka.kernel.dice import Roll
from stavka.kernel.draft import Draft
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.frames import Frame, Frames
from stavka.kernel.game import Choice, Decision, Game, OptionInfo, Result, ScenarioInfo, Setup
from stavka.kernel.visibility import Owner, Public, Sealed, Viewer

ROUNDS = 3
SIDES = ("north", "south")


@dataclass(frozen=True, slots=True)
class Camp:
    side: Public[str]
    score: Public[int] = 0
    hand: Owner[tuple[int, ...]] = ()
    chosen: Owner[int] = 0

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset({self.side})


@dataclass(slots=True)
class Table:
    frames: Public[Frames] = ()
    round: Public[int] = 0
    camps: Public[dict[str, Camp]] = field(default_factory=dict)
    deck: Sealed[tuple[int, ...]] = ()

    def copy(self) -> Table:
        return Table(self.frames, self.round, dict(self.camps), self.deck)


@dataclass(frozen=True, slots=True)
class ChooseCard:
    card: Owner[int]
    side: Public[str]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset({self.side})


@dataclass(frozen=True, slots=True)
class CampPitched:
    side: Public[str]


@dataclass(frozen=True, slots=True)
class HandDealt:
    side: Public[str]
    hand: Owner[tuple[int, ...]]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset({self.side})


@dataclass(frozen=True, slots=True)
class DeckLeft:
    deck: Sealed[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class CardChosen:
    side: Public[str]
    card: Owner[int]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset({self.side})


@dataclass(frozen=True, slots=True)
class RoundFought:
    cards: Public[dict[str, int]]
    dice: Public[dict[str, int]]
    winner: Public[str]


CHOOSE = Frame("choose", "cards")
FIGHT = Frame("fight", "combat")


def evolve(table: Table, event: object) -> Table:
    match event:
        case CampPitched(side):
            table.camps[side] = Camp(side)
            table.frames = (CHOOSE,)
        case HandDealt(side, hand):
            table.camps[side] = replace(table.camps[side], hand=hand)
        case DeckLeft(deck):
            table.deck = deck
            table.round = 1
        case CardChosen(side, card):
            camp = table.camps[side]
            place = camp.hand.index(card)
            table.camps[side] = replace(camp, chosen=card, hand=camp.hand[:place] + camp.hand[place + 1 :])
            if all(c.chosen for c in table.camps.values()):
                table.frames = (FIGHT,)
        case RoundFought(_, _, winner):
            for side, camp in table.camps.items():
                table.camps[side] = replace(camp, chosen=0, score=camp.score + (side == winner))
            table.round += 1
            table.frames = (CHOOSE,)
    return table


def begin(setup: Setup) -> Sequence[object]:
    if setup.position:
        raise MalformedCommand("BAD_POSITION", "this game has no positions")
    return [CampPitched(side) for side in SIDES]


def decide(table: Table, seat: str, command: object, roll: Roll) -> Sequence[object]:
    if not isinstance(command, ChooseCard):
        raise MalformedCommand("UNKNOWN_COMMAND", "cards are chosen")
    camp = table.camps[seat]
    if table.frames[-1] != CHOOSE or camp.chosen or not table.round:
        raise IllegalAction("SK 1.1", "WRONG_PHASE")
    if command.side != seat:
        raise IllegalAction("SK 1.2", "NOT_YOUR_CARD")
    if command.card not in camp.hand:
        raise IllegalAction("SK 1.3", "NOT_IN_HAND")
    return [CardChosen(seat, command.card)]


def react(table: Table, roll: Roll) -> Sequence[object]:
    draft = Draft(table, evolve, roll)
    if not table.round:
        deck = roll.shuffle("deck", (1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 3, 3))
        draft.emit(HandDealt("north", deck[:5]))
        draft.emit(HandDealt("south", deck[5:10]))
        draft.emit(DeckLeft(deck[10:]))
    elif table.frames[-1] == FIGHT:
        north, south = roll.dice(f"round {table.round}", 2)
        cards = {side: camp.chosen for side, camp in table.camps.items()}
        gap = north + cards["north"] - south - cards["south"]
        winner = "north" if gap > 0 else "south" if gap < 0 else ""
        draft.emit(RoundFought(cards, {"north": north, "south": south}, winner))
    return draft.events


def decisions(table: Table) -> tuple[Decision, ...]:
    if not table.round or table.round > ROUNDS or table.frames[-1] != CHOOSE:
        return ()
    return tuple(
        Decision(f"r{table.round}.choose.{camp.side}", camp.side, "choose", "SK 1.1", ("ChooseCard",), "choose a card")
        for camp in table.camps.values()
        if not camp.chosen
    )


def legal(table: Table, seat: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(d, tuple(ChooseCard(card, seat) for card in dict.fromkeys(table.camps[seat].hand)))
        for d in decisions(table)
        if d.seat == seat
    )


def result(table: Table) -> Result | None:
    if table.round <= ROUNDS:
        return None
    points = {side: camp.score for side, camp in table.camps.items()}
    best = max(points.values())
    winners = [side for side, score in points.items() if score == best]
    return Result(
        winners[0] if len(winners) == 1 else "draw", points, tuple(("SK 2", s, p, "rounds") for s, p in points.items())
    )


def explain(table: Table, viewer: Viewer, question: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"rule": "SK 1", "round": table.round}


def game() -> Game:
    return Game(
        id="skirmish",
        title="Skirmish",
        citation="SK",
        rulesets=(1,),
        scenarios={"plain": ScenarioInfo("plain", "Plain", SIDES, ROUNDS)},
        options={"fog": OptionInfo("fog", "Fog", "SK 3")},
        state=Table,
        events=(CampPitched, HandDealt, DeckLeft, CardChosen, RoundFought),
        commands={ChooseCard: "cards"},
        begin=begin,
        decide=decide,
        react=react,
        evolve=evolve,
        decisions=decisions,
        legal=legal,
        result=result,
        questions={"round": "which round it is"},
        explain=explain,
        headline=lambda table: f"round {table.round}",
        export=lambda table: f"round {table.round}",
        spaces=lambda: (),
        pieces=lambda: (),
        draw=lambda view: "<svg xmlns='http://www.w3.org/2000/svg'/>",
        chart=lambda view: "a field",
        rulebook=lambda: ({"id": "1.1", "title": "Choice", "status": "code", "ruling": ""},),
    )
