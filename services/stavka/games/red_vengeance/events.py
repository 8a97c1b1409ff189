"""The events of Red Vengeance outside combat [RV 3.0 to RV 15.0]; `fold.py` applies them, `combat/events.py` has the rest.

Each event is one fact of the table and carries all that the fold needs. Places are hexes ("1422") or boxes of `state`;
sides are "axis" and "allied"; a piece is a unit or a commander.
"""

from __future__ import annotations

from dataclasses import dataclass

from stavka.games.red_vengeance.state import State
from stavka.kernel.visibility import Public

# Start and flow


@dataclass(frozen=True, slots=True)
class MatchBegun:
    ruleset: Public[int]
    scenario: Public[str]
    options: Public[dict[str, str]]


@dataclass(frozen=True, slots=True)
class TableSet:
    """The whole table at once: the boxes and hexes of all pieces and who holds the map [RV 3.1, RV 7.1]."""

    at: Public[dict[str, str]]
    steps: Public[dict[str, int]]
    due: Public[dict[str, int]]
    control: Public[dict[str, str]]
    minors: Public[dict[str, str]]
    confined: Public[tuple[str, ...]]
    sea: Public[str]
    trucks: Public[int]
    arctic: Public[bool]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """A match begun from a position text: the whole state as the text gives it."""

    position: Public[State]


@dataclass(frozen=True, slots=True)
class PhaseBegun:
    """The top of the frames becomes this phase. `turn` is the game turn it belongs to."""

    turn: Public[int]
    phase: Public[str]
    topic: Public[str]
    side: Public[str]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """Final score [RV 15.0]. `winner` is a side or "draw"; reasons are (rule, side, points, what)."""

    winner: Public[str]
    points: Public[dict[str, int]]
    reasons: Public[tuple[tuple[str, str, int, str], ...]]


# Weather and sea


@dataclass(frozen=True, slots=True)
class WeatherDetermined:
    """`die` is 0 when the historical table or a table entry without a choice decided [RV 13.0, RV 14.7]."""

    weather: Public[str]
    die: Public[int]


@dataclass(frozen=True, slots=True)
class SeaControlChecked:
    """The Allied player's die and the box that the naval marker is in now [RV 12.22]."""

    die: Public[int]
    box: Public[str]


# Supply


@dataclass(frozen=True, slots=True)
class SupplyDetermined:
    """Units of a side newly out of supply, and those that are back in it; all others stay as they were [RV 5.0]."""

    side: Public[str]
    out: Public[tuple[str, ...]]
    back: Public[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SeaSupplyGiven:
    """The one unit that the sea keeps in supply [RV 12.21, RV 12.22]; "" for none."""

    side: Public[str]
    unit: Public[str]


# Movement


@dataclass(frozen=True, slots=True)
class UnitMoved:
    """A unit went along `path` (start first). `mode`: move, strategic or exploitation; `cost` MP [RV 6.2]."""

    unit: Public[str]
    side: Public[str]
    path: Public[tuple[str, ...]]
    cost: Public[int]
    mode: Public[str]


@dataclass(frozen=True, slots=True)
class CommanderMoved:
    commander: Public[str]
    path: Public[tuple[str, ...]]
    cost: Public[int]


@dataclass(frozen=True, slots=True)
class UnitSailed:
    """From port to port. `die` is the Allied player's, 0 when the track asks for none [RV 12.22]."""

    unit: Public[str]
    side: Public[str]
    origin: Public[str]
    port: Public[str]
    cost: Public[int]
    die: Public[int]


@dataclass(frozen=True, slots=True)
class CommanderPlaced:
    """A commander put into a hex other than by movement: he joins another stack [RV 11.23, RV 11.24]."""

    commander: Public[str]
    hex: Public[str]


@dataclass(frozen=True, slots=True)
class CommanderRemoved:
    """Out of the game for good [RV 10.0]. `cause`: captured, killed or disgraced."""

    commander: Public[str]
    cause: Public[str]


@dataclass(frozen=True, slots=True)
class PlaceFirstEntered:
    """An Allied unit is in this city or fortress hex for the first time [RV 9.1, RV 11.8, RV 11.31]."""

    hex: Public[str]


@dataclass(frozen=True, slots=True)
class UnitConfined:
    """A Hungarian unit has entered Hungary and may not leave it again [RV 11.33]."""

    unit: Public[str]


# Losses and returns


@dataclass(frozen=True, slots=True)
class StepLost:
    """`left` steps remain, at least 1: a unit that loses its last step is removed instead [RV 8.51]."""

    unit: Public[str]
    left: Public[int]


@dataclass(frozen=True, slots=True)
class UnitRemoved:
    """`box` is where the counter goes: dead (may be rebuilt), lost (not) or off (its nation is out) [RV 8.51, RV 10.14]."""

    unit: Public[str]
    box: Public[str]
    cause: Public[str]


@dataclass(frozen=True, slots=True)
class HitlerDied:
    """`cause`: no_hit, hit, surrounded, entered; `die` is 0 for the last, which needs none [RV 11.27]."""

    cause: Public[str]
    die: Public[int]


@dataclass(frozen=True, slots=True)
class ReplacementsReceived:
    """RP of the side whose Command Phase it is [RV 10.2, RV 10.3]."""

    side: Public[str]
    armor: Public[int]
    infantry: Public[int]


@dataclass(frozen=True, slots=True)
class ExtraReplacementsTaken:
    """Infantry RP of an optional rule: `source` is arctic [RV 14.2] or greece [RV 14.4]."""

    side: Public[str]
    infantry: Public[int]
    source: Public[str]


@dataclass(frozen=True, slots=True)
class UnitRestored:
    """A reduced unit is at full strength again. `paid`: armor, infantry or trucks [RV 10.1, RV 14.3]."""

    unit: Public[str]
    steps: Public[int]
    paid: Public[str]


@dataclass(frozen=True, slots=True)
class UnitRebuilt:
    """A removed unit is back on the map with one step [RV 10.1]. `paid`: armor or infantry."""

    unit: Public[str]
    side: Public[str]
    hex: Public[str]
    steps: Public[int]
    paid: Public[str]


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """A unit or commander put on the map: set-up, reinforcement, or for an event [RV 3.0, RV 10.4].

    `steps` is 0 for a commander; `side` takes control of the hex and is "" for a commander and in set-up.
    """

    piece: Public[str]
    side: Public[str]
    hex: Public[str]
    steps: Public[int]


@dataclass(frozen=True, slots=True)
class ReinforcementScheduled:
    """A piece goes on the turn track: withdrawn, or released by an event [RV 10.5, RV 12.22, RV 14.6]."""

    piece: Public[str]
    turn: Public[int]


@dataclass(frozen=True, slots=True)
class BulgePlaced:
    """All pieces of the winter offensive that are on the map so far [RV 14.6]."""

    pieces: Public[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class AirPowerRolled:
    """`die` is 0 for a side that does not roll in that year [RV 12.1]."""

    side: Public[str]
    die: Public[int]
    points: Public[int]


# Minor powers


@dataclass(frozen=True, slots=True)
class RomaniaWavered:
    """A surrender die and what was subtracted from it [RV 11.31]."""

    die: Public[int]
    modifier: Public[int]


@dataclass(frozen=True, slots=True)
class NationSurrendered:
    """`garrison`: the German garrison of Greece is set free by it [RV 14.4]."""

    nation: Public[str]
    garrison: Public[bool]


@dataclass(frozen=True, slots=True)
class NationDefected:
    nation: Public[str]
