"""A made-up game of hidden blocks and hands, and raw histories of it: what the read side has to keep apart.

Two sides place blocks in areas and move them. Everybody sees that a block of a side stands somewhere; which one it is,
of what kind and how strong, only its side, until it is revealed. Cards are planned in secret; a deck lies sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from stavka.kernel.frames import Frame, Frames
from stavka.kernel.game import Game, OptionInfo, ScenarioInfo
from stavka.kernel.visibility import Owner, Pieces, Public, Sealed
from stavka.match import lobby
from stavka.match.fold import ENVELOPE, GENESIS, leaf_hash
from stavka.match.rolls import seal_roll
from stavka.match.rulebooks import rulebook
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer, match_key

SIDES = ("north", "south")
SEALING = b"k" * 32


class _BySide:
    __slots__ = ()
    side: Any

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset({self.side})


@dataclass(frozen=True, slots=True)
class Block:
    side: Public[str]
    area: Public[str]
    kind: Owner[str]
    strength: Owner[int]
    revealed: Public[bool] = False

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset(SIDES) if self.revealed else frozenset({self.side})


@dataclass(frozen=True, slots=True)
class Hand(_BySide):
    side: Public[str]
    size: Public[int]
    cards: Owner[tuple[str, ...]]


@dataclass(slots=True)
class Table:
    frames: Public[Frames] = (Frame("plan", "cards"),)
    turn: Public[int] = 0
    blocks: Pieces[dict[str, Block]] = field(default_factory=dict)
    hands: Public[dict[str, Hand]] = field(default_factory=dict)
    deck: Sealed[tuple[str, ...]] = ()
    held: Public[frozenset[str]] = frozenset()

    def copy(self) -> Table:
        return replace(self, blocks=dict(self.blocks), hands=dict(self.hands))


@dataclass(frozen=True, slots=True)
class BlockPlaced(_BySide):
    side: Public[str]
    area: Public[str]
    block: Owner[str]
    kind: Owner[str]
    strength: Owner[int]


@dataclass(frozen=True, slots=True)
class BlockMoved(_BySide):
    side: Public[str]
    area: Public[str]
    to: Public[str]
    block: Owner[str]


@dataclass(frozen=True, slots=True)
class HandDealt(_BySide):
    side: Public[str]
    size: Public[int]
    cards: Owner[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class CardPlanned:
    """Nothing of it is open, not even that it happened."""

    side: Owner[str]
    card: Owner[str]

    @property
    def seen_by(self) -> frozenset[str]:
        return frozenset({self.side})


@dataclass(frozen=True, slots=True)
class DeckStacked:
    deck: Sealed[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class TurnBegun:
    turn: Public[int]


@dataclass(frozen=True, slots=True)
class Plan(_BySide):
    side: Owner[str]
    card: Owner[str]


@dataclass(frozen=True, slots=True)
class Move(_BySide):
    side: Public[str]
    block: Owner[str]
    to: Public[str]


EVENTS = (BlockPlaced, BlockMoved, HandDealt, CardPlanned, DeckStacked, TurnBegun)


def evolve(table: Table, event: object) -> Table:
    match event:
        case BlockPlaced(side, area, block, kind, strength):
            table.blocks[block] = Block(side, area, kind, strength)
        case BlockMoved(_, _, to, block):
            table.blocks[block] = replace(table.blocks[block], area=to)
            table.held |= {to}
        case HandDealt(side, size, cards):
            table.hands[side] = Hand(side, size, cards)
        case DeckStacked(deck):
            table.deck = deck
        case TurnBegun(turn):
            table.turn = turn
    return table


def game() -> Game:
    """The game as far as reading goes; nobody decides in it, histories are written by `History`."""
    return Game(
        id="ambush",
        title="Ambush",
        citation="AM",
        rulesets=(1,),
        scenarios={"plain": ScenarioInfo("plain", "Plain", SIDES, 9)},
        options={"fog": OptionInfo("fog", "Fog", "AM 1")},
        state=Table,
        events=EVENTS,
        commands={Plan: "cards", Move: "movement"},
        begin=lambda setup: (),
        decide=lambda table, seat, command, roll: (),
        react=lambda table, roll: (),
        evolve=evolve,
        decisions=lambda table: (),
        legal=lambda table, seat: (),
        result=lambda table: None,
        questions={},
        explain=lambda table, viewer, question, arguments: {},
        headline=lambda table: f"turn {table.turn}",
        export=lambda table: "",
        spaces=lambda: (),
        pieces=lambda: (),
        draw=lambda view: "",
        chart=lambda view: "",
        rulebook=lambda: (),
    )


class History:
    """Writes the accepted records of one match. `raws` are they; `add` makes the next one."""

    def __init__(self, match_id: str, created_ms: int = 1_000, **setup: Any) -> None:
        self.match_id = match_id
        self.raws: list[bytes] = []
        self.head = GENESIS
        self._clock = created_ms
        fields: dict[str, Any] = {"players": {}, "analysis": False, "spectator_delay": 0, **setup}
        self.add(
            [
                lobby.MatchCreated(
                    "ambush", 1, "plain", {"fog": "off"}, SIDES, fields["players"], "", fields["analysis"], (),
                    fields["spectator_delay"], "key", "pem", "commitment",
                )
            ]
        )  # fmt: skip

    def seated(self) -> History:
        for side in SIDES:
            begin = [lobby.PlayBegun()] if side == SIDES[-1] else []
            self.add([lobby.SeatTaken(side, f"player-{side}", "ab" * 8), *begin], lobby.TakeSeat("ab" * 8), side)
        return self

    def turns(self, count: int) -> History:
        for turn in range(1, count + 1):
            self.add([TurnBegun(turn)])
        return self

    def ended(self, winner: str = "north") -> History:
        key = match_key(SEALING, self.match_id).hex()
        self.add([lobby.MatchEnded(winner, {"north": 3}, (("AM 9", "north", 3, "blocks"),), key)])
        return self

    def add(
        self, events: Iterable[object], command: object | None = None, seat: str = "",
        rolls: Sequence[log_pb2.Roll] = (), command_id: str = "",
    ) -> bytes:  # fmt: skip
        codec = rulebook("ambush").codec
        version = len(self.raws)
        sealer = Sealer(match_key(SEALING, self.match_id), f"{self.match_id}/{version}")
        record = log_pb2.Record(
            envelope_version=ENVELOPE, match_id=self.match_id, base_version=version, base_hash=self.head,
            proposal_id=f"{self.match_id}/{version}", topic="cards", writer="test", ruleset="ambush/1",
            decided_at_ms=self._clock + version, seat=seat, player=f"player-{seat}" if seat else "",
            events=[codec.encode(event, sealer, f"event {n}") for n, event in enumerate(events)],
            rolls=[seal_roll(roll, sealer, n) for n, roll in enumerate(rolls)],
        )  # fmt: skip
        if command is not None:
            record.command_id = command_id or f"c{version}"
            record.command.CopyFrom(codec.encode(command, sealer, "command"))
        return self.add_raw(record.SerializeToString())

    def add_raw(self, raw: bytes) -> bytes:
        self.raws.append(raw)
        self.head = leaf_hash(raw)
        return raw

    def add_unreadable(self) -> bytes:
        """A record of the right place in the chain that no build can apply."""
        record = log_pb2.Record(
            envelope_version=ENVELOPE, match_id=self.match_id, base_version=len(self.raws), base_hash=self.head,
            events=[log_pb2.Payload(type="NeverHeardOf", schema=1, data=b"{}")],
        )  # fmt: skip
        return self.add_raw(record.SerializeToString())
