"""What the blocks on the map amount to: who stands where, who fights whom, whose a place is [VE 1.1] [VE 4.1] [VE 4.5].

    board_of(state) -> Board                 worked out once for each position
      .at[place]                             ids of the blocks in a place, in manifest order
      .here[bloc]                            set of the places that hold a block of the bloc
      .held[bloc]                            set of the land areas that the bloc controls, contested ones included
      .contested                             set of the contested places
      .memo                                  room for what other chapters derive from the same position
    bloc(state, nation)                      whom a nation fights for: a side, or itself while it is neutral
    hostile(state, a, b)                     whether two blocs are at war with each other
    stance(state, nation, place)             friendly | enemy | neutral | contested, and vacant for a sea
    blocks_at enemies_at                     who stands in a place
    border_limit(state, a, b) -> Limit       armies a battle round, and why [VE 4.6]
    room(state, side, place, block)          how many more blocks of this one's kind may stand there [VE 4.5]
    stacker(state, side, place)              whose blocks share that room: a side's, at sea a player's [VE 7.12]
    friendly_places(state)                   side -> places friendly to it now

Blocs: Italy and the United States are blocs of their own until they enter the war, so that nobody else may enter
their areas; the Soviets are the bloc "soviet" all the time; a minor is its own bloc while neutral or under attack.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from stavka.games.victory_in_europe.ground import (
    BIT,
    BLOCKS,
    COUNTRIES,
    GRID,
    MAJORS,
    MAP,
    MINORS,
    ORDER,
    SEAS,
    SIDE_OF_MAJOR,
    STACK_KEY,
    STACK_LIMIT,
    UNLIMITED,
)
from stavka.games.victory_in_europe.season import rivers_frozen
from stavka.games.victory_in_europe.state import ALLIED, AXIS, CONQUERED, NEUTRAL, SIDES, SOVIET, Piece, State

AMERICA: Final = "united_states"
AMERICAN_HOME: Final = COUNTRIES[AMERICA].capital
FROZEN_LIMIT: Final = 2  # border limit of a frozen river without trees [VE 3.44]


class Board:
    """See the module. Never changed once built, except that `memo` fills up."""

    __slots__ = ("at", "blocs", "contested", "held", "here", "memo")

    def __init__(self, state: State) -> None:
        self.memo: dict[Any, Any] = {}
        self.blocs = blocs = _blocs(state)
        apart = {n: n for n in state.attacked} | {n: n for n in MAJORS if blocs[n] == n}
        at: dict[str, list[str]] = {}
        here: dict[str, int] = {}
        for block, piece in state.blocks.items():
            place = piece.at
            if place in at:
                at[place].append(block)
            else:
                at[place] = [block]
            who = apart.get(piece.nation, piece.side)
            if who == AMERICA and place != AMERICAN_HOME:
                who = piece.side
            here[who] = here.get(who, 0) | BIT[place]
        self.at = {
            place: tuple(sorted(blocks, key=ORDER.__getitem__)) if len(blocks) > 1 else (blocks[0],)
            for place, blocks in at.items()
        }
        self.here = here
        held: dict[str, int] = {}
        for area, country in state.control.items():
            who = blocs[country]
            held[who] = held.get(who, 0) | BIT[area]
        self.held = held
        self.contested = 0
        for place in state.clashes:
            self.contested |= BIT[place]


def board_of(state: State) -> Board:
    """The board of the present position, built when something has changed since the last call."""
    board: Board | None = state._board
    if board is None:
        board = state._board = Board(state)
    return board


def _blocs(state: State) -> dict[str, str]:
    """Country -> bloc, for powers and minors: territories control nothing."""
    found = {}
    for power, side in SIDE_OF_MAJOR.items():
        apart = power not in state.at_war and power not in state.fallen and side != SOVIET
        found[power] = power if apart else side
    for minor in MINORS:
        standing = state.minors.get(minor, NEUTRAL)
        found[minor] = minor if standing == NEUTRAL else ALLIED if standing == CONQUERED else standing
    return found


# Who is who


def bloc(state: State, nation: str) -> str:
    """Whom the areas and blocks of a nation belong to: a side, or the nation itself while it stands apart.

    Conquered nations fight on with the Allies, as free forces [VE 11.42].
    """
    return board_of(state).blocs[nation]


def bloc_of(state: State, piece: Piece) -> str:
    """Whom a block on the map fights for.

    Free forces of conquered nations fight for their side [VE 11.42]; so does what a neutral USA has away from home, which is
    its convoy to Britain: attacking that is no declaration of war [VE 7.81].
    """
    if piece.nation in state.attacked:
        return piece.nation
    if piece.nation == AMERICA and piece.at != AMERICAN_HOME:
        return piece.side
    if piece.nation in SIDE_OF_MAJOR:
        return board_of(state).blocs[piece.nation]
    return piece.side


def hostile(state: State, a: str, b: str) -> bool:
    """Whether two blocs are at war with each other. Symmetric; Allies and Soviets never are."""
    if a == AXIS or b == AXIS:
        other = b if a == AXIS else a
        if other == ALLIED:
            return True
        if other == SOVIET:
            return "soviet_union" in state.at_war
        return state.attacked.get(other) == AXIS
    return state.attacked.get(a) == b or state.attacked.get(b) == a


def enemies_of(state: State, who: str) -> tuple[str, ...]:
    """Blocs at war with a bloc, sides first."""
    return tuple(b for b in (*SIDES, *state.attacked) if b != who and hostile(state, who, b))


def seat_of(state: State, side: str) -> str:
    """The seat that plays a side."""
    return side if side in state.seats else ALLIED


def sides_of(state: State, seat: str) -> tuple[str, ...]:
    """Sides that a seat plays: the Allied player of two plays the Soviets as well."""
    return tuple(side for side in SIDES if seat_of(state, side) == seat)


def player_one(state: State) -> str:
    """ "axis" or "allied", whoever moves first this turn; the Soviets belong to the Allies here [VE 3.2]."""
    return AXIS if state.order[:1] == (AXIS,) else ALLIED


def viewers_of(state: State, block: str) -> tuple[str, ...]:
    """Seats that see a block on the map now."""
    piece = state.blocks[block]
    return (piece.seat, *piece.shown)


# Places


def blocks_at(state: State, place: str, side: str | None = None) -> tuple[str, ...]:
    """Ids of the blocks in a place, of one side or of all, in manifest order."""
    found = board_of(state).at.get(place, ())
    return found if side is None else tuple(b for b in found if state.blocks[b].side == side)


def enemies_at(state: State, place: str, who: str) -> tuple[str, ...]:
    """Blocks in a place that are at war with a bloc."""
    found = board_of(state).at.get(place, ())
    return tuple(b for b in found if hostile(state, who, bloc_of(state, state.blocks[b])))


def fights(state: State, who: str) -> bool:
    """Whether a bloc may be in battle: a side, or a garrison under attack; not a power that is neutral still."""
    return who in SIDES or who in state.attacked


def closed_from(state: State, place: str, who: str) -> frozenset[str]:
    """Spaces from which enemies have entered a contested place: nobody leaves that way [VE 4.3]."""
    if not BIT[place] & board_of(state).contested:
        return frozenset()
    return frozenset(state.blocks[b].came for b in enemies_at(state, place, who) if state.blocks[b].came)


def enemy_presence(state: State, who: str) -> int:
    """Set of the places that hold a block at war with a bloc."""
    here, found = board_of(state).here, 0
    for other in enemies_of(state, who):
        found |= here.get(other, 0)
    return found


def friendly_land(state: State, who: str) -> int:
    """Set of the land areas friendly to a bloc [VE 4.1]."""
    board = board_of(state)
    return board.held.get(who, 0) & ~board.contested


def enemy_land(state: State, who: str) -> int:
    """Set of the land areas that enemies control, contested ones aside [VE 4.1]."""
    board, found = board_of(state), 0
    for other in enemies_of(state, who):
        found |= board.held.get(other, 0)
    return found & ~board.contested


def friendly_seas(state: State, who: str) -> int:
    """Set of the seas that hold ships or aircraft of a bloc and none of its enemies [VE 1.6] [VE 7.13]."""
    return board_of(state).here.get(who, 0) & open_seas(state, who)


def open_seas(state: State, who: str) -> int:
    """Set of the friendly and the vacant seas: no enemy is there."""
    board = board_of(state)
    return SEAS & ~board.contested & ~enemy_presence(state, who)


def stance(state: State, nation: str, place: str) -> str:
    """What a place is to a nation: friendly, enemy, neutral or contested; a sea may be vacant [VE 4.1] [VE 1.6]."""
    board, who, bit = board_of(state), bloc(state, nation), BIT[place]
    if bit & board.contested:
        return "contested"
    if bit & SEAS:
        if bit & enemy_presence(state, who):
            return "enemy"
        return "friendly" if bit & board.here.get(who, 0) else "vacant"
    holder = board.blocs[state.control[place]]
    if holder == who:
        return "friendly"
    return "enemy" if hostile(state, who, holder) else "neutral"


def is_friendly(state: State, nation: str, place: str) -> bool:
    return stance(state, nation, place) == "friendly"


def is_enemy(state: State, nation: str, place: str) -> bool:
    return stance(state, nation, place) == "enemy"


def friendly_places(state: State) -> dict[str, frozenset[str]]:
    """Side -> land areas and seas friendly to it; areas of its neutral powers count with it."""
    found = {}
    for side in SIDES:
        mask = friendly_land(state, side) | friendly_seas(state, side)
        for power, owner in SIDE_OF_MAJOR.items():
            if owner == side:
                mask |= friendly_land(state, bloc(state, power)) | friendly_seas(state, bloc(state, power))
        found[side] = frozenset(GRID.codes(mask))
    return found


def contested_places(state: State) -> tuple[str, ...]:
    """Places with a battle to come, in map order."""
    return GRID.codes(board_of(state).contested)


# [VE 1.1] [VE 1.2] [VE 1.3] [VE 1.7] [VE 3.44] [VE 4.6] border limits


@dataclass(frozen=True, slots=True)
class Limit:
    """Armies that may cross a border into or out of battle in a phase or round, and why: (citation, what)."""

    value: int
    reasons: tuple[tuple[str, str], ...]


_BORDER_RULE: Final = {
    "clear": "VE 1.11",
    "forest": "VE 1.12",
    "mountain": "VE 1.13",
    "desert": "VE 1.14",
    "fortified": "VE 1.2",
    "river": "VE 1.3",
    "strait": "VE 1.7",
}


def border_key(a: str, b: str) -> str:
    """One spelling of a border for both directions."""
    return f"{a}|{b}" if a <= b else f"{b}|{a}"


def border_limit(state: State, a: str, b: str) -> Limit:
    """Border limit between two adjacent land areas, card events aside. Raises KeyError when they are not adjacent."""
    border = MAP.borders[a][b]
    if border.limit is None:
        return Limit(UNLIMITED, (("VE 13 Canada", "no limit"),))
    rule = _BORDER_RULE[border.terrain]
    if border.freezes and rivers_frozen(state):
        if border.tree_lined:
            return Limit(border.limit, ((rule, border.terrain), ("VE 1.3", "frozen, but lined with trees")))
        return Limit(FROZEN_LIMIT, ((rule, border.terrain), ("VE 3.44", "frozen")))
    return Limit(border.limit, ((rule, border.terrain),))


def crossings(state: State, side: str, a: str, b: str) -> int:
    """Armies of a side that have crossed a border into or out of battle in this move phase."""
    return state.camps[side].crossed.count(border_key(a, b))


# [VE 4.5] [VE 6.12] [VE 7.12] [VE 7.22] [VE 7.8] stacking


def stacking_limit(state: State, place: str, block: str) -> int:
    """Blocks of this one's kind that a side may have in a place [VE 4.5], or at sea a player."""
    return STACK_LIMIT[STACK_KEY[block], place]


def stacker(state: State, side: str, place: str) -> str:
    """Whose blocks share the limits of a place: the side's, but at sea all of its player's, who may play two sides."""
    return seat_of(state, side) if BIT[place] & SEAS else side


def stack_of(state: State, side: str, place: str, block: str) -> tuple[str, ...]:
    """Blocks of a side in an area that count toward the same limit as `block`, which may be among them."""
    key = STACK_KEY[block]
    return tuple(b for b in blocks_at(state, place, side) if STACK_KEY[b] == key)


def room(state: State, side: str, place: str, block: str) -> int:
    """How many more blocks of this one's kind the side may have in a place; negative when it has too many."""
    key = STACK_KEY[block]
    return STACK_LIMIT[key, place] - counts_of(state).get((stacker(state, side, place), key, place), 0)


def owed(state: State, side: str, key: str) -> dict[str, int]:
    """Place -> room that must be left for armies which moved out of it, crowd elsewhere and may be called back [VE 4.5].

    Those that stand there and have not moved can leave for them.
    """
    memo = board_of(state).memo
    known: dict[str, int] | None = memo.get(("owed", side, key))
    if known is None:
        found: Counter[str] = Counter()
        for block, origin in state.camps[side].moved.items():
            piece = state.blocks.get(block)
            if piece is None or STACK_KEY[block] != key or origin == piece.at:
                continue
            if room(state, side, piece.at, block) < 0:
                found[origin] += 1
        found.subtract({place: _waiting(state).get((side, key, place), 0) for place in found})
        known = memo["owed", side, key] = dict(+found)
    return known


def counts_of(state: State) -> dict[tuple[str, str, str], int]:
    """(`stacker`, STACK_KEY, place) -> blocks; only where there are any."""
    memo = board_of(state).memo
    if "counts" not in memo:
        memo["counts"] = Counter(_spot(state, block) for block in state.blocks)
    counts: dict[tuple[str, str, str], int] = memo["counts"]
    return counts


def _waiting(state: State) -> dict[tuple[str, str, str], int]:
    """The same for blocks that have not moved in this phase and can."""
    memo = board_of(state).memo
    if "waiting" not in memo:
        still = (b for b, piece in state.blocks.items() if b not in state.camps[piece.side].moved and BLOCKS[b].move)
        memo["waiting"] = Counter(_spot(state, block) for block in still)
    waiting: dict[tuple[str, str, str], int] = memo["waiting"]
    return waiting


def _spot(state: State, block: str) -> tuple[str, str, str]:
    """What a block counts toward where it stands: `stacker`, STACK_KEY, place."""
    piece = state.blocks[block]
    return stacker(state, piece.side, piece.at), STACK_KEY[block], piece.at


def full_places(state: State, side: str, key: str) -> tuple[int, int]:
    """Set of the places where the side has no room for one more, and of those where it would have none even if all
    that has not moved in this phase left [VE 4.5]."""
    memo = board_of(state).memo
    found: dict[tuple[str, str], tuple[int, int]] | None = memo.get("full")
    if found is None:
        found = memo["full"] = {}
        waiting = _waiting(state)
        for spot, count in counts_of(state).items():
            limit, bit = STACK_LIMIT[spot[1], spot[2]], BIT[spot[2]]
            if count >= limit:
                full, packed = found.get(spot[:2], (0, 0))
                found[spot[:2]] = full | bit, packed | (bit if count - waiting.get(spot, 0) >= limit else 0)
    own, shared = (found.get((who, key), (0, 0)) for who in (side, seat_of(state, side)))
    return own[0] | (shared[0] & SEAS), own[1] | (shared[1] & SEAS)
