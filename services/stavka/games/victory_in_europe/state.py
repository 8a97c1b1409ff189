"""The state of a match of Victory in Europe, and who may see which part of it.

    State       one mutable, slotted dataclass
    Piece       a block on the map: place and nationality are public, all else is its owner's
    Camp        what a side keeps behind its screen: hand, chosen card, force pool, dead blocks
    Clash       a contested area: who began it, who paid for it

Sides are "axis", "allied" and "soviet". Seats are the same words: two players are "axis" and "allied" (who plays the
Soviets as well), three are all of them. Nations are countries of data/countries.toml. A block that is not in `blocks`
is in a camp's `pool` or `dead`, or waits with its neutral nation.

The order of a dict means nothing: a state that is read again has its keys sorted. Values of the fields are frozen, so `copy` copies the dicts alone. What follows from the blocks (who stands where) is
not stored: `board.board_of` works it out and keeps it in the slot `_board`, which is no field and which every event
that moves a block drops.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from stavka.games.victory_in_europe.battle.battle import Battle, Fights
from stavka.games.victory_in_europe.diplomacy.affairs import Affairs
from stavka.games.victory_in_europe.production.works import Works
from stavka.kernel.frames import Frame, Frames
from stavka.kernel.visibility import Owner, OwnSeat, Pieces, Public, Sealed

AXIS: Final = "axis"
ALLIED: Final = "allied"
SOVIET: Final = "soviet"
SIDES: Final = (AXIS, ALLIED, SOVIET)

NEUTRAL: Final = "neutral"
CONQUERED: Final = "conquered"
"""Out of the war for good: conquered minors, surrendered majors."""

CONQUEST: Final = "conquest"
RECALL: Final = "recall"
"""How a block has moved that cannot be called back: it took areas on its way, or has been called back [VE 4.5]."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A block on the map.

    at        area or sea
    nation    whose label it carries
    side      side that it fights for
    seat      seat that commands it
    came      in a contested place: the space from which it entered; otherwise ""
    shown     seats other than its own to which a battle has revealed it, for as long as it stays revealed
    steps     steps left; 0 is a leader's last one [VE 5.7]
    half      whether it carries a half-hit [VE 5.5]
    aloft     an airborne block that drops on its first battle turn: an air target until then [VE 2.6]
    coast     index into the area's coasts for a ship in port [VE 7.16]; -1 at sea and for all others
    """

    at: Public[str]
    nation: Public[str]
    side: Public[str]
    seat: Public[str]
    came: Public[str]
    shown: Public[tuple[str, ...]]
    steps: Owner[int]
    half: Owner[bool] = False
    coast: Owner[int] = -1
    aloft: Owner[bool] = False

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset((self.seat, *self.shown))


@dataclass(frozen=True, slots=True)
class Camp(OwnSeat):
    """A side's things that others may not see.

    hand       cards still to be played this year
    chosen     the card lying face down, "" before the choice [VE 3.2]
    offered    three players: the card offered for exchange ("" none, "-" no exchange wanted) [VE 12.0]
    pool       blocks of the force pool: those that may be built, now or in a later year [VE 2.1]
    dead       blocks that never come back [VE 2.2]
    moved      block that has moved in this move phase -> where it can be called back to: where it stood before, or stands
    crossed    borders that armies have crossed into or out of battle in this move phase, once for each army [VE 4.6]
    lanes      this move phase's sea invasion: the seas that it crosses, where a ship of each must stay, and the coast [VE 7.5]
    stations   blocks that the seat deploys elsewhere, until all have answered: block -> area [VE Deployment]
    done       whether the present simultaneous decision has been answered
    """

    side: Public[str]
    seat: Public[str]
    hand: Owner[tuple[str, ...]] = ()
    chosen: Owner[str] = ""
    offered: Owner[str] = ""
    pool: Owner[frozenset[str]] = frozenset()
    dead: Owner[frozenset[str]] = frozenset()
    moved: Owner[dict[str, str]] = field(default_factory=dict)
    crossed: Owner[tuple[str, ...]] = ()
    lanes: Owner[tuple[str, ...]] = ()
    stations: Owner[dict[str, str]] = field(default_factory=dict)
    done: Owner[bool] = False


@dataclass(frozen=True, slots=True)
class Clash:
    """A contested area or sea: a battle to be fought in this turn's combat phase [VE 4.2] [VE 5.1].

    attacker   side that entered; defender the other one
    reinforced whether the defender (or the attacker, if he moved first) has paid to bring more blocks in [VE 4.4]
    invaded    sea from which a sea invasion has come, or "" [VE 7.5]
    land       on land: whether anybody but the invaders from the sea may come without paying once more; so it is False
               only for a sea invasion that no attack over land has joined, as its price tells everybody [VE 7.5]
    """

    attacker: Public[str]
    defender: Public[str]
    reinforced: Public[bool] = False
    invaded: Public[str] = ""
    land: Public[bool] = False


class _Derived:
    """Room for what is worked out from the fields; never serialised."""

    __slots__ = ("_board",)
    _board: Any


@dataclass(slots=True)
class State(_Derived):
    """See the module. Turns run from 1 (summer 1939) to 26 (fall 1945), 0 before play.

    seats       seats of the match in order; two or three
    stamp       number of the present phase over the whole match; grows with every PhaseBegun
    moves       moves made and wars declared in this phase; part of decision ids
    blocks      blocks on the map
    camps       side -> Camp, always all three
    undealt     cards of this year that nobody holds
    played      seat -> card face up this turn
    order       seats in the order in which they act this turn; the first is Player 1 [VE 3.2]
    leader      seat that plays the Allied card this turn, of three players [VE 12.0]
    commands    pool -> commands left this turn; pools are sides, "allied" serves both until the Soviets have one
    allotted    area -> seats whose card event works there [VE 3.3]
    effects     card effects used up this turn, as "seat" or "seat:what"
    control     land area -> country that controls it [VE 4.1]
    factories   area -> steps of each factory marker there
    minors      minor country -> side, "neutral" or "conquered"
    attacked    neutral country under attack -> side that attacks it [VE 10.3]
    at_war      major powers at war; those that surrendered are in neither this nor any other list but `fallen`
    fallen      major powers that have surrendered
    entered     power -> turn in which it entered the war, 0 for those at war from the start
    clashes     contested place -> Clash
    fought      places in which a battle has begun this turn [VE 10.3]
    at_start    side -> places friendly to it when the present move phase began [VE 4.7] [VE 7.5]
    landed      sides that have made their sea invasion this turn [VE 7.5]
    shifted     area -> steps of each marker moved there this turn, which does not produce [VE 11.32]
    alternate   powers that are supplied from their alternate source for good [VE 1.8]
    barbarossa  turn of the Axis declaration of war on the Soviets, 0 before it [VE 13 Soviet Union]
    conquests   areas with resources taken in this turn, which count from the next one on [VE 11.2]
    """

    ruleset: Public[int] = 1
    scenario: Public[str] = ""
    options: Public[dict[str, str]] = field(default_factory=dict)
    seats: Public[tuple[str, ...]] = ()
    turn: Public[int] = 0
    stamp: Public[int] = 0
    moves: Public[int] = 0
    frames: Public[Frames] = (Frame("match", "diplomacy"),)
    blocks: Pieces[dict[str, Piece]] = field(default_factory=dict)
    camps: Public[dict[str, Camp]] = field(default_factory=dict)
    undealt: Sealed[dict[str, tuple[str, ...]]] = field(default_factory=dict)
    played: Public[dict[str, str]] = field(default_factory=dict)
    order: Public[tuple[str, ...]] = ()
    leader: Public[str] = ""
    commands: Public[dict[str, int]] = field(default_factory=dict)
    allotted: Public[dict[str, tuple[str, ...]]] = field(default_factory=dict)
    effects: Public[tuple[str, ...]] = ()
    control: Public[dict[str, str]] = field(default_factory=dict)
    factories: Public[dict[str, tuple[int, ...]]] = field(default_factory=dict)
    minors: Public[dict[str, str]] = field(default_factory=dict)
    attacked: Public[dict[str, str]] = field(default_factory=dict)
    at_war: Public[frozenset[str]] = frozenset()
    fallen: Public[frozenset[str]] = frozenset()
    entered: Public[dict[str, int]] = field(default_factory=dict)
    clashes: Public[dict[str, Clash]] = field(default_factory=dict)
    fought: Public[frozenset[str]] = frozenset()
    at_start: Public[dict[str, frozenset[str]]] = field(default_factory=dict)
    landed: Public[frozenset[str]] = frozenset()
    shifted: Public[dict[str, tuple[int, ...]]] = field(default_factory=dict)
    alternate: Public[frozenset[str]] = frozenset()
    barbarossa: Public[int] = 0
    conquests: Public[frozenset[str]] = frozenset()
    battle: Public[Battle | None] = None
    fights: Public[Fights] = field(default_factory=Fights)
    works: Public[Works] = field(default_factory=Works)
    affairs: Public[Affairs] = field(default_factory=Affairs)
    winner: Public[str] = ""
    points: Public[dict[str, int]] = field(default_factory=dict)
    reasons: Public[tuple[tuple[str, str, int, str], ...]] = ()

    def __post_init__(self) -> None:
        self._board = None

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
    "blocks",
    "camps",
    "undealt",
    "played",
    "commands",
    "allotted",
    "control",
    "factories",
    "minors",
    "attacked",
    "entered",
    "clashes",
    "at_start",
    "shifted",
    "points",
)
_SCALARS: Final = tuple(name for name in State.__dataclass_fields__ if name not in _DICTS)
