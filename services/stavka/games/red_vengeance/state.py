"""The state of a match of Red Vengeance: what lies on the table, and what this turn has used up.

    State                       one mutable, slotted dataclass; every field is public: nothing is hidden in this game
    TRACK DEAD LOST OFF HAND    boxes off the map where a piece may be instead of in a hex
    is_on_map(at)               whether a place is a hex

A piece is a unit or a commander. `at` maps each of the pieces to a hex ("1422") or to a box. Values of the fields are
frozen, so `copy` copies the dicts alone. What follows from the pieces (zones of control, stacks) is not stored: it is
worked out by `board.board_of` and kept in the slot `_board`, which is no field: the fold says what has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from stavka.games.red_vengeance.combat.battle import Battle, Fight
from stavka.kernel.frames import Frame, Frames
from stavka.kernel.visibility import Public

AXIS: Final = "axis"
ALLIED: Final = "allied"
SIDES: Final = (AXIS, ALLIED)

TRACK: Final = "track"
"""On the turn record track: `due` says for which turn [RV 3.1]."""
DEAD: Final = "dead"
"""Removed from the map; may be rebuilt with replacement points [RV 10.1]."""
LOST: Final = "lost"
"""Out of the game for good: removed while out of supply, dead commanders [RV 10.14, RV 10.0]."""
OFF: Final = "off"
"""Kept off the map for an event: Polish "W" units, marines, units of a nation that has surrendered."""
HAND: Final = "hand"
"""Not set up yet [RV 3.2]."""


def other(side: str) -> str:
    return ALLIED if side == AXIS else AXIS


def is_on_map(place: str) -> bool:
    """Whether a place is a hex and not a box."""
    return place[:1].isdigit()


class _Derived:
    """Room for what is worked out from the fields; never serialised.

    `_board` is None, a board of the present position, or (a board of an earlier one, the pieces that have moved since).
    """

    __slots__ = ("_board",)
    _board: Any

    def forget(self) -> None:
        """Drop what was worked out: sides, bounds or many pieces have changed."""
        self._board = None

    def shifted(self, piece: str) -> None:
        """One piece has changed its place."""
        board = self._board
        if board is not None:
            self._board = (*board, piece) if type(board) is tuple else (board, piece)


@dataclass(slots=True)
class State(_Derived):
    """See the module. Sides are "axis" and "allied"; turns run from 1 (June 1944) to 11 (April 1945), 0 in set-up.

    serial          events applied so far; part of decision ids
    at              piece -> hex or box
    steps           unit -> steps left (0 when removed); commanders are not in it
    due             piece on the track -> turn in which it arrives
    control         land hex -> side that holds it by last passage [RV 7.2]; Yugoslav hexes are judged by RV 7.3 instead
    minors          romania, bulgaria, hungary -> "axis", "surrendered" or "allied"
    romania_rolls   surrender dice rolled so far [RV 11.31]
    confined        Hungarian units that may not leave Hungary [RV 11.33]
    visited         city and fortress hexes in which an Allied unit has ever been [RV 9.1, RV 11.8, RV 11.31]
    oos             units marked out of supply in their side's last Command Phase [RV 5.0]
    sea_supplied    the Axis unit that the sea supplies while the track stands on Light Surface, or ""
    shore_supplied  the Allied unit on the Black Sea that is treated as in supply [RV 12.21], or ""
    spent           piece -> MP spent in this movement phase; a piece that is not in it has not moved
    mover           the unit that moved by land last and may still sail [RV 12.22], or ""
    ashore          the unit that has just sailed and may still move by land, or ""
    strategic       strategic moves made in this movement phase [RV 6.5]
    sailed          sea moves made in this movement phase [RV 12.22]
    replacements    "armor", "infantry" -> points left to the phasing player in this Command Phase
    rebuilt         units rebuilt in this Command Phase, which may not be flipped as well [RV 10.12]
    trucks          points left of RV 14.3; truck_used: one was spent this turn
    arctic          whether the points of RV 14.2 are still to be taken
    garrison        whether the Axis player is still to receive the points of RV 14.4
    bulge           units placed by RV 14.6
    air             air power points left to the phasing player [RV 12.1]
    winner, points  once the match has ended [RV 15.0]
    """

    ruleset: Public[int] = 1
    scenario: Public[str] = ""
    options: Public[dict[str, str]] = field(default_factory=dict)
    serial: Public[int] = 0
    turn: Public[int] = 0
    weather: Public[str] = "clear"
    sea: Public[str] = "german_lake"
    frames: Public[Frames] = (Frame("match", "diplomacy"),)
    at: Public[dict[str, str]] = field(default_factory=dict)
    steps: Public[dict[str, int]] = field(default_factory=dict)
    due: Public[dict[str, int]] = field(default_factory=dict)
    control: Public[dict[str, str]] = field(default_factory=dict)
    minors: Public[dict[str, str]] = field(default_factory=dict)
    romania_rolls: Public[int] = 0
    confined: Public[frozenset[str]] = frozenset()
    visited: Public[frozenset[str]] = frozenset()
    oos: Public[frozenset[str]] = frozenset()
    sea_supplied: Public[str] = ""
    shore_supplied: Public[str] = ""
    spent: Public[dict[str, int]] = field(default_factory=dict)
    mover: Public[str] = ""
    ashore: Public[str] = ""
    strategic: Public[int] = 0
    sailed: Public[int] = 0
    replacements: Public[dict[str, int]] = field(default_factory=dict)
    rebuilt: Public[frozenset[str]] = frozenset()
    trucks: Public[int] = 0
    truck_used: Public[bool] = False
    arctic: Public[bool] = False
    garrison: Public[bool] = False
    bulge: Public[tuple[str, ...]] = ()
    air: Public[int] = 0
    hitler_alive: Public[bool] = True
    battle: Public[Battle | None] = None
    fight: Public[Fight] = field(default_factory=Fight)
    winner: Public[str] = ""
    points: Public[dict[str, int]] = field(default_factory=dict)
    reasons: Public[tuple[tuple[str, str, int, str], ...]] = ()

    def __post_init__(self) -> None:
        self.forget()

    def copy(self) -> State:
        """A state that may be changed without this one noticing."""
        twin: State = object.__new__(State)
        for name in _SCALARS:
            setattr(twin, name, getattr(self, name))
        for name in _DICTS:
            setattr(twin, name, getattr(self, name).copy())
        twin._board = self._board
        return twin


_DICTS: Final = (
    "options",
    "at",
    "steps",
    "due",
    "control",
    "minors",
    "spent",
    "replacements",
    "points",
)
_SCALARS: Final = tuple(name for name in State.__dataclass_fields__ if name not in _DICTS)
