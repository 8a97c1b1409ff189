"""A client that keeps every byte that it can reach in a match, and two servers on which the same match is played.

    Spy(live, player, role, seat)       asks for everything through gRPC and writes all answers down in its book
    Pair(...)                           two servers, one match in two worlds, played in step
    require_same(spy, other)            the books of a spy in two worlds are the same to the last byte

What no two servers could have alike is replaced by a placeholder of the same length (PLACEHOLDERS): heads, and a checkpoint's
statement and signature, which hold one. A head is a hash over commitments and boxes sealed with fresh random bytes: it
differs every time, whether the worlds do or not, and nobody can compute it without the sealing key.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
from google.protobuf.message import Message
from stavka.bots.chance import Chance
from stavka.client import Client
from stavka.client.structs import to_struct
from stavka.gateway import Role
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import IllegalAction, MalformedCommand
from stavka.kernel.game import Command, Game
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2 as audit
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from tests.services.gateway.stand import Stand, eventually
from tests.support.mutations import mutants, strings_in

PLACEHOLDERS: Final = frozenset({"head", "statement", "signature"})
_HEX: Final = re.compile(r"\b[0-9a-f]{64}\b")
ALL_FORMATS: Final = (pb.VIEW_FORMAT_POSITION, pb.VIEW_FORMAT_TEXT, pb.VIEW_FORMAT_SVG)
SEATS: Final = ("axis", "allied", "soviet")
"""Every seat that there might be; who asks tries them all."""
PROBES: Final = 24
"""Commands that are tried at each full look, all of them refused."""


@dataclass
class Spy:
    """`book`: what was asked and what came, in order; `stream`: what a watch brought by itself."""

    live: Stand
    player: str
    role: Role = Role.PLAYER
    seat: str = ""
    match_id: str = ""
    book: list[tuple[str, str]] = field(default_factory=list)
    stream: list[str] = field(default_factory=list)
    _read_to: int = 0
    _viewed_to: int = 0
    _watching: asyncio.Task[None] | None = None

    @property
    def client(self) -> Client:
        return self.live.client(self.player, self.role)

    async def watch(self) -> None:
        """Begin to watch; the first message has come."""
        self._watching = asyncio.create_task(self._watch())
        await eventually(lambda: bool(self.stream))

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)

    async def glance(self) -> None:
        """What a client asks all the time: where the match is, what is new."""
        found = await self._ask("GetMatch", pb.GetMatchRequest(match_id=self.match_id))
        await self._ask("ListMatches", pb.ListMatchesRequest())
        await self._ask("ListDecisions", pb.ListDecisionsRequest(match_id=self.match_id))
        await self._stream("ListHistory", pb.ListHistoryRequest(match_id=self.match_id, from_version=self._read_to))
        self._read_to = found.match.version
        await eventually(lambda: self.streamed >= self._read_to)
        self.book.append(("streamed", str(len(self.stream))))

    @property
    def streamed(self) -> int:
        """Version that the watch has come to."""
        return int(self.stream[-1].partition(" ")[0]) if self.stream else 0

    async def look(self, probes: Sequence[Command], questions: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Ask for everything there is."""
        await self.glance()
        for version in range(self._viewed_to, self._read_to + 2):
            await self._ask("GetView", pb.GetViewRequest(match_id=self.match_id, version=version))
        self._viewed_to = self._read_to
        await self._ask("GetView", pb.GetViewRequest(match_id=self.match_id, formats=ALL_FORMATS))
        await self._ask("GetView", pb.GetViewRequest(match_id=self.match_id, formats=[pb.VIEW_FORMAT_NOTATION]))
        for viewer in ("arbiter", "spectator", *SEATS, "nobody"):
            await self._ask("GetView", pb.GetViewRequest(match_id=self.match_id, viewer=viewer))
            await self._ask("ListLegalActions", pb.ListLegalActionsRequest(match_id=self.match_id, seat=viewer))
            await self._stream("ListHistory", pb.ListHistoryRequest(match_id=self.match_id, viewer=viewer, limit=3))
        for name, arguments in questions:
            asked = pb.ExplainRequest(match_id=self.match_id, question=name, arguments=to_struct(dict(arguments)))
            await self._ask("Explain", asked)
        await self._ask("GetCheckpoint", audit.GetCheckpointRequest(match_id=self.match_id))
        await self._stream("ExportMatch", audit.ExportMatchRequest(match_id=self.match_id))
        await self._probe(probes)

    async def _probe(self, probes: Sequence[Command]) -> None:
        """Commands that are refused: of its own seat, of others, under decisions and versions that are and are not."""
        for seat in SEATS:
            taking = pb.TakeSeatRequest(match_id=self.match_id, seat=seat, command_id=f"take.{len(self.book)}")
            await self._ask("TakeSeat", taking)
        ids = [f"probe.{len(self.book)}.{number}" for number in range(len(probes) + 8)]
        for command_id, command in zip(ids, probes, strict=False):
            await self._submit(self.seat or "axis", command, command_id)
        if not probes:
            return
        for seat in SEATS:
            if seat != self.seat:
                await self._submit(seat, probes[0], ids[-1], decision_id=f"t1.cards.card.{seat}.1.1")
        for number, version in enumerate((0, self._read_to - 1, self._read_to + 1, self._read_to + 2)):
            await self._submit(self.seat or "axis", probes[0], ids[-2 - number], expected_version=max(0, version))
        await self._submit(self.seat or "axis", probes[0], ids[-7], decision_id="t1.cards.card.axis.1.1")

    async def _submit(self, seat: str, command: Command, command_id: str, **more: Any) -> None:
        arguments = {name: getattr(command, name) for name in type(command).__dataclass_fields__}
        request = pb.SubmitCommandRequest(
            match_id=self.match_id, seat=seat, command_id=command_id, command=type(command).__name__,
            arguments=to_struct(arguments), **more,
        )  # fmt: skip
        await self._ask("SubmitCommand", request)

    async def _ask(self, method: str, request: Message) -> Any:
        client = self.client
        call = getattr(client.audit if isinstance(request, audit.GetCheckpointRequest) else client.matches, method)
        try:
            answer = await call(request, metadata=client.metadata)
        except grpc.aio.AioRpcError as error:
            self._write(method, request, refusal_text(error))
            return None
        self._write(method, request, text_of(answer))
        return answer

    async def _stream(self, method: str, request: Message) -> None:
        client = self.client
        call = getattr(client.audit if isinstance(request, audit.ExportMatchRequest) else client.matches, method)
        try:
            async for message in call(request, metadata=client.metadata):
                self._write(method, request, text_of(message))
        except grpc.aio.AioRpcError as error:
            self._write(method, request, refusal_text(error))

    async def _watch(self) -> None:
        client = self.client
        request = pb.WatchRequest(match_id=self.match_id)
        async for message in client.matches.Watch(request, metadata=client.metadata):
            version = message.record.version if message.HasField("record") else self.streamed
            self.stream.append(f"{version} {text_of(message)}")

    def _write(self, method: str, request: Message, answer: str) -> None:
        self.book.append((f"{method} {request}", answer))


def text_of(message: Message) -> str:
    """A message as its size and its bytes, placeholders put in."""
    size = message.ByteSize()
    covered = type(message)()
    covered.CopyFrom(message)
    _cover(covered)
    return f"{size} {covered.SerializeToString(deterministic=True).hex()}"


def _cover(message: Message) -> None:
    for descriptor, value in message.ListFields():
        if descriptor.name in PLACEHOLDERS and isinstance(value, bytes):
            setattr(message, descriptor.name, bytes(len(value)))
        elif descriptor.message_type is not None:
            for part in _messages_in(value):
                _cover(part)


def _messages_in(value: Any) -> Iterator[Message]:
    if isinstance(value, Message):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _messages_in(item)
    elif not isinstance(value, str | bytes | int | float):
        for item in value:
            yield from _messages_in(item)


def refusal_text(error: grpc.aio.AioRpcError) -> str:
    """Everything that comes with a refusal, the raw bytes of its trailer too."""
    trailers = sorted((key, value) for key, value in error.trailing_metadata() or ())
    shown = [(k, v.decode("latin-1") if isinstance(v, bytes) else v) for k, v in trailers]
    return _HEX.sub("0" * 64, f"{error.code()} {error.details()} {shown}")


def require_same(spy: Spy, other: Spy) -> None:
    """Raises AssertionError at the first answer or message that differs."""
    who = spy.seat or spy.role.value
    for (asked, ours), (asked_too, theirs) in zip(spy.book, other.book, strict=False):
        assert asked == asked_too, f"{who} asks other things: {asked} / {asked_too}"
        assert ours == theirs, f"{who}: {asked}\n{_around(ours, theirs)}"
    assert len(spy.book) == len(other.book)
    assert spy.stream == other.stream, f"{who}: streams differ"


def _around(ours: str, theirs: str) -> str:
    """The first difference of two texts, hexadecimal ones made readable."""
    ours, theirs = _readable(ours), _readable(theirs)
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
    return f"{ours[max(0, at - 200) : at + 200]!r}\n{theirs[max(0, at - 200) : at + 200]!r}"


def _readable(text: str) -> str:
    size, _, data = text.partition(" ")
    try:
        return f"{size} {bytes.fromhex(data).decode('latin-1')}"
    except ValueError:
        return text


# Two worlds in step


@dataclass
class Pair:
    """One match on two servers. `secret`: the seat whose blocks `names` stand elsewhere in the second world."""

    game: Game
    match_id: str
    worlds: tuple[Stand, Stand]
    secret: str
    spies: tuple[tuple[Spy, Spy], ...]
    names: dict[str, str] = field(default_factory=dict)
    renamed: Callable[[Any, Mapping[str, str]], Any] = lambda command, names: command
    spared: Callable[[Any, frozenset[str]], bool] = lambda state, names: True
    commands: int = 0

    def state(self, world: int) -> Any:
        found = self.worlds[world].follower.book.fold_of(self.match_id).state
        assert found is not None
        return found.table

    async def settled(self) -> None:
        """Until both worlds wait for a seat."""
        for world in (0, 1):
            await eventually(lambda world=world: self._waits(world))  # type: ignore[misc]

    def _waits(self, world: int) -> bool:
        state = self.state(world)
        return state is not None and (bool(self.game.decisions(state)) or self.game.result(state) is not None)

    async def act(self, seat: str, ours: Command, theirs: Command) -> None:
        """The same seat acts in both worlds."""
        self.commands += 1
        for stand, command in zip(self.worlds, (ours, theirs), strict=True):
            arguments = {name: getattr(command, name) for name in type(command).__dataclass_fields__}
            await stand.client(seat).submit(
                self.match_id, seat, type(command).__name__, arguments, command_id=f"c{self.commands}"
            )
        await self.settled()

    async def step(self, chance: Chance) -> bool:
        """One command by one of the seats that must act, alike for the spies in both worlds. Whether there was one."""
        state = self.state(0)
        seats = sorted({d.seat for d in self.game.decisions(state)})
        seat = chance.one_of(seats)
        options = [option for choice in self.game.legal(state, seat) for option in choice.options]
        for _ in range(60):
            ours = chance.one_of(options)
            theirs = self.renamed(ours, self.names) if seat == self.secret else ours
            after = [self.after(world, seat, c) for world, c in enumerate((ours, theirs))]
            if seat != self.secret:
                assert (after[0] is None) == (after[1] is None), f"{seat} may {ours} in one world only"
            if all(s is not None and self.spared(s, frozenset(self.names)) for s in after):
                await self.act(seat, ours, theirs)
                return True
        return False

    def after(self, world: int, seat: str, command: Command) -> Any:
        """The state that a command and what follows by itself would lead to; None when it is refused."""
        state, roll = self.state(world).copy(), SeededRoll(b"ahead")
        try:
            events = self.game.decide(state, seat, command, roll)
        except (IllegalAction, MalformedCommand):
            return None
        for event in events:
            state = self.game.evolve(state, event)
        return state

    async def glance(self) -> None:
        for pair in self.spies:
            for spy in pair:
                await spy.glance()

    async def look(self, chance: Chance, strangers: Sequence[str]) -> None:
        """Every spy asks for everything; what he tries is the same in both worlds and refused in the first."""
        for pair in self.spies:
            probes = self._refused(pair[0], chance, strangers)
            asked = questions(self.game, chance, strangers)
            for spy in pair:
                await spy.look(probes, asked)

    def _refused(self, spy: Spy, chance: Chance, strangers: Sequence[str]) -> list[Command]:
        state = self.state(0)
        seat = spy.seat or self.secret
        options = [o for choice in self.game.legal(state, seat) for o in choice.options][:6] if spy.seat else []
        known = [replacement for kind in self.game.commands for replacement in _blanks(kind, seat, strangers, chance)]
        words = [*strangers, *{word for option in options for word in strings_in(option)}]
        tried = [m for option in options for m in mutants(option, words, chance, 4)] + known
        refused = [c for c in tried if self.after(0, seat, c) is None]
        return refused[:PROBES] if len(refused) <= PROBES else [chance.one_of(refused) for _ in range(PROBES)]


def _blanks(kind: type, seat: str, strangers: Sequence[str], chance: Chance) -> Iterator[Command]:
    """A command of every type about some piece or place of others, as far as its fields are all text."""
    names = list(kind.__dataclass_fields__)
    values = {name: seat if name == "seat" else chance.one_of(strangers) for name in names}
    if all(field_.type in ("Owner[str]", "Public[str]") for field_ in kind.__dataclass_fields__.values()):
        yield kind(**values)


def questions(game: Game, chance: Chance, strangers: Sequence[str]) -> list[tuple[str, Mapping[str, Any]]]:
    """Every question, about the words at hand."""
    found: list[tuple[str, Mapping[str, Any]]] = []
    for name, about in game.questions.items():
        found.append((name, {}))
        listed = re.match(r"([a-z]+(?:, [a-z]+)*)(?: \(|:)", about)
        for _ in range(3 if listed else 0):
            assert listed is not None
            found.append((name, {key: chance.one_of(strangers) for key in listed[1].split(", ")}))
    return found
