"""What the combat phase remembers: the battle being fought, and what this turn has used up [VE 5.0].

Shot        a roll whose hits are being given out
Battle      the battle on top of the frames
Corps       what a seat has done after its victories
Fights      everything of the combat phase that lasts beyond one battle

What stands in Owner fields of a battle is known to the seats that fight it; what a seat does after a victory, when the
blocks are hidden again, is known to that seat alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from stavka.kernel.visibility import ItsViewers, Owner, OwnSeat, Public

TURNS = "turns"
EXTEND = "extend"
LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Shot:
    """Hits still to be taken from one roll. Stands in an owner's field only.

    block     who fired; "factory" for flak
    role      in what role
    target    target type that was declared
    hits      hits left
    spares    whether these hits cannot take the last step of an army [VE 6.3] [VE 7.6]
    """

    block: Public[str]
    role: Public[str]
    target: Public[str]
    hits: Public[int]
    spares: Public[bool]


@dataclass(frozen=True, slots=True)
class Battle(ItsViewers):
    """The battle being fought in `area`.

    number              counts the battles of a combat phase from 1
    attacker, defender  sides in these roles just now; they change when the attacker takes the area [VE 5.2]
    viewers             seats that fight here and see its blocks
    round               from 1; 0 before the first round
    blitz               begun by a blitz, so that no card event works in it [VE 5.9] [VE 3.3]
    stage               turns | extend | leave
    acted               blocks that have had their turn this round; "block@C" has let its turn in class C pass
    shot                hits that wait for their owner's choice
    landed              whether the invaders are ashore [VE 7.5]
    dropped             airborne blocks that have dropped: they came over no border [VE 2.6]
    closed              "axis|area", "others|area": adjacent areas from which armies have come, closed to enemy retreats
    spent               "side|border" once for each army that has left by it in this round [VE 5.6]
    last                number of the last round, as things stand
    carded              whether a card has prolonged the battle
    count               grows with every event of the battle, and with every block that leaves it
    """

    area: Public[str]
    number: Public[int]
    attacker: Public[str]
    defender: Public[str]
    viewers: Public[tuple[str, ...]]
    round: Public[int] = 0
    blitz: Public[bool] = False
    stage: Owner[str] = TURNS
    acted: Owner[frozenset[str]] = frozenset()
    shot: Owner[Shot | None] = None
    landed: Owner[bool] = False
    dropped: Owner[frozenset[str]] = frozenset()
    closed: Owner[frozenset[str]] = frozenset()
    spent: Owner[tuple[str, ...]] = ()
    last: Owner[int] = 0
    carded: Owner[bool] = False
    count: Owner[int] = 0


@dataclass(frozen=True, slots=True)
class Corps(OwnSeat):
    """A seat's blocks after its victories.

    late      blocks that reach a battle in its second round, brought there by a blitz [VE 5.9]
    blitzed   leaders that have blitzed this turn
    fliers    aircraft that flew to the battle just won and have not landed [VE 6.22]
    moved     blocks that have regrouped, or made their blitz move, since the last victory
    spent     "side|border" once for each army that has crossed it since the last victory [VE 5.8]
    """

    seat: Public[str]
    late: Owner[frozenset[str]] = frozenset()
    blitzed: Owner[frozenset[str]] = frozenset()
    fliers: Owner[frozenset[str]] = frozenset()
    moved: Owner[tuple[str, ...]] = ()
    spent: Owner[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Fights:
    """What is remembered between battles of one combat phase; made new by each PhaseBegun.

    fought    battles fought so far
    won       place of the last victory, where its victor may regroup
    battled   whether there was an enemy to fight: an unopposed landing gives no regroup [VE 5.8]
    goal      place that a blitz attacks or reinforces, fought next [VE 5.9]
    fresh     whether the blitz has begun that battle
    """

    fought: Public[int] = 0
    won: Public[str] = ""
    battled: Public[bool] = False
    goal: Public[str] = ""
    fresh: Public[bool] = False
    corps: Public[dict[str, Corps]] = field(default_factory=dict)
