"""The events that chapters share; `fold.py` applies them. Cards, battles, production and diplomacy have their own.

A block's id stands only in Owner fields. `viewers` are the seats that may see an event's Owner fields: the block's own
seat, and those to which a battle has revealed it (`board.viewers_of`). What is public of an event is what everybody at
the table sees: that a block of a nation goes from here to there. An event without public fields does not exist for
those who may not see it.
"""

from __future__ import annotations

from dataclasses import dataclass

from stavka.games.victory_in_europe.state import Piece, State
from stavka.kernel.visibility import ItsViewers, Owner, OwnSeat, Pieces, Public, Sealed

# Start and flow


@dataclass(frozen=True, slots=True)
class MatchBegun:
    ruleset: Public[int]
    scenario: Public[str]
    options: Public[dict[str, str]]
    seats: Public[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class TableSet:
    """The whole table at once, hands aside [VE Deployment]."""

    turn: Public[int]
    blocks: Pieces[dict[str, Piece]]
    control: Public[dict[str, str]]
    factories: Public[dict[str, tuple[int, ...]]]
    minors: Public[dict[str, str]]
    at_war: Public[frozenset[str]]
    fallen: Public[frozenset[str]]
    entered: Public[dict[str, int]]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """A match begun from a position text: the whole state as the text gives it."""

    position: Sealed[State]


@dataclass(frozen=True, slots=True)
class CampPitched(OwnSeat):
    """A side's force pool and its blocks that are gone for good; `seat` commands the side."""

    side: Public[str]
    seat: Public[str]
    pool: Owner[frozenset[str]]
    dead: Owner[frozenset[str]]


@dataclass(frozen=True, slots=True)
class PhaseBegun:
    """The frame above "match" becomes this phase. `at_start`: side -> places friendly to it now, in move phases."""

    turn: Public[int]
    phase: Public[str]
    topic: Public[str]
    seat: Public[str]
    at_start: Public[dict[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Answered(OwnSeat):
    """A seat has answered the present simultaneous decision. Nobody else learns of it."""

    seat: Owner[str]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """How the match ended [VE 9.0]. `winner` is a seat; reasons are (rule, seat, points, what)."""

    winner: Public[str]
    points: Public[dict[str, int]]
    reasons: Public[tuple[tuple[str, str, int, str], ...]]


# Card events at work


@dataclass(frozen=True, slots=True)
class EventAllotted:
    """A seat's card event works in this battle; "" when it lets the event pass [VE 3.3]."""

    seat: Public[str]
    area: Public[str]


@dataclass(frozen=True, slots=True)
class EffectUsed:
    """A card's effect, or a part of it, is used up. `what` tells two parts of one card apart."""

    seat: Public[str]
    what: Public[str] = ""


# Blocks


@dataclass(frozen=True, slots=True)
class BlockMoved(ItsViewers):
    """A block goes from one place to another, `by` move, rebase, retreat ... `came`: see Piece.

    `moved`: this was its move of the move phase.
    """

    viewers: Owner[tuple[str, ...]]
    block: Owner[str]
    nation: Public[str]
    origin: Public[str]
    target: Public[str]
    came: Public[str]
    coast: Owner[int]
    moved: Owner[bool]
    by: Owner[str]
    aloft: Owner[bool] = False


@dataclass(frozen=True, slots=True)
class BlockPlaced(OwnSeat):
    """A block enters the map: built, set up, deployed."""

    block: Owner[str]
    nation: Public[str]
    area: Public[str]
    side: Public[str]
    seat: Public[str]
    steps: Owner[int]
    coast: Owner[int]


@dataclass(frozen=True, slots=True)
class StepsSet(ItsViewers):
    """Steps and half-hits of blocks: block -> (steps, half). Others do not learn that anything has happened."""

    viewers: Owner[tuple[str, ...]]
    steps: Owner[dict[str, tuple[int, bool]]]
    cause: Owner[str]


@dataclass(frozen=True, slots=True)
class BlockRemoved(ItsViewers):
    """A block leaves the map. `to` is "pool", "dead", or "home" for a neutral's block that may come back."""

    viewers: Owner[tuple[str, ...]]
    block: Owner[str]
    nation: Public[str]
    area: Public[str]
    to: Owner[str]
    cause: Owner[str]


@dataclass(frozen=True, slots=True)
class DeploymentPlanned(OwnSeat):
    """A seat has said which of its blocks are to stand elsewhere before play: block -> area. Nobody else learns of it."""

    seat: Owner[str]
    places: Owner[dict[str, str]]


@dataclass(frozen=True, slots=True)
class ForcesDeployed(OwnSeat):
    """A seat's forces stand now: block -> (area, coast) for itself, and nation -> area -> how many blocks for all.

    So nobody learns which of a nation's blocks changed places with which, or whether any did.
    """

    seat: Public[str]
    standing: Public[dict[str, dict[str, int]]]
    places: Owner[dict[str, tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class PoolChanged(OwnSeat):
    """Blocks enter or leave a camp's pool and its dead; `seat` is the camp's."""

    side: Owner[str]
    seat: Owner[str]
    pool: Owner[frozenset[str]]
    dead: Owner[frozenset[str]]


@dataclass(frozen=True, slots=True)
class BlocksShown(ItsViewers):
    """Blocks stand face up for these seats [VE 5.2]; `viewers` are those seats and the owners'."""

    area: Public[str]
    viewers: Public[tuple[str, ...]]
    blocks: Owner[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BlocksHidden:
    """All blocks in a place stand upright again and forget where they came from."""

    area: Public[str]


@dataclass(frozen=True, slots=True)
class BorderCrossed(OwnSeat):
    """An army has crossed a border into or out of battle; `border` as `board.border_key` spells it [VE 4.6]."""

    side: Owner[str]
    seat: Owner[str]
    border: Owner[str]


# Areas, commands, contested places


@dataclass(frozen=True, slots=True)
class ControlChanged:
    """`country` controls the area now; `conquest`: its resources count from the next turn on only [VE 11.2]."""

    area: Public[str]
    country: Public[str]
    conquest: Public[bool] = False


@dataclass(frozen=True, slots=True)
class FactoriesSet:
    """Steps of each factory marker in an area; () when none is left."""

    area: Public[str]
    markers: Public[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class CommandsSpent:
    pool: Public[str]
    commands: Public[int]
    reason: Public[str]


@dataclass(frozen=True, slots=True)
class ClashBegun:
    """A place is contested [VE 4.2]; or, for one that is already: its Clash as it stands now."""

    area: Public[str]
    attacker: Public[str]
    defender: Public[str]
    reinforced: Public[bool] = False
    invaded: Public[str] = ""
    land: Public[bool] = False


@dataclass(frozen=True, slots=True)
class ClashEnded:
    """A place is contested no longer."""

    area: Public[str]


@dataclass(frozen=True, slots=True)
class SideLanded:
    """A side has made its sea invasion of this turn [VE 7.5]."""

    side: Public[str]


@dataclass(frozen=True, slots=True)
class LanesKept(OwnSeat):
    """`seas`: those that an invasion crosses, and last the coast where it lands [VE 7.5]."""

    side: Owner[str]
    seat: Owner[str]
    seas: Owner[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FactoryMoved:
    """A factory marker goes from one city to another [VE 11.32]."""

    origin: Public[str]
    target: Public[str]
    steps: Public[int]


@dataclass(frozen=True, slots=True)
class AlternateSupplyOpened:
    """A power is supplied from its alternate source from now on [VE 1.8]."""

    power: Public[str]


# Powers


@dataclass(frozen=True, slots=True)
class WarDeclared:
    """`side` attacks a neutral country; a minor is under attack, a major enters the war against it [VE 10.3]."""

    side: Public[str]
    country: Public[str]


@dataclass(frozen=True, slots=True)
class PowerEntered:
    """A major power enters the war [VE 13 Italy] [VE 13 Soviet Union] [VE 13 United States]."""

    power: Public[str]
    turn: Public[int]


@dataclass(frozen=True, slots=True)
class PowerFallen:
    """A major power has surrendered."""

    power: Public[str]


@dataclass(frozen=True, slots=True)
class MinorTurned:
    """A minor's standing: a side, "neutral" or "conquered"; it is under attack no longer."""

    minor: Public[str]
    standing: Public[str]
