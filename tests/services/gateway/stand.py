"""A whole embedded Stavka for tests: real gRPC on loopback, five referees, one follower, a log, the skirmish."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakValueDictionary

import grpc
from google.rpc import error_details_pb2, status_pb2
from stavka.bus.local import LocalBus
from stavka.bus.memory import MemoryLog
from stavka.client import Client
from stavka.games import GAMES
from stavka.gateway import GatewayServer, Identity, Limits, Role, Tls, TokenKey, issue
from stavka.kernel.game import Game
from stavka.match import keys, rulebooks
from stavka.match.fold import ENVELOPE
from stavka.match.follower import Follower
from stavka.match.ports import EVENTS, TOPICS, Entry, Log, LogUnavailable
from stavka.match.referee import Referee
from stavka.views.embedded import EmbeddedStore, RandomAccess
from stavka.views.reader import MatchReader
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.support.runtime import SystemEntropy, WallClock

SECRET = TokenKey("HS256", b"s" * 32, b"s" * 32)
HOUR = 3600


class Readable(Log, RandomAccess, Protocol):
    """A log that also reads at offsets."""


@dataclass
class TestClock:
    """The system's clock, moved by `ahead_ms`."""

    __test__ = False
    ahead_ms: int = 0

    def now_ms(self) -> int:
        return WallClock().now_ms() + self.ahead_ms


@dataclass
class FaultyBus:
    """A command bus that loses, holds or doubles commands on purpose; otherwise the real one."""

    inner: LocalBus
    fault: str = ""
    sent: list[bytes] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, topic: str, partition: int, match_id: str, value: bytes) -> None:
        self.sent.append(value)
        self.arrived.set()
        if self.fault == "away":
            raise LogUnavailable("the broker is away")
        if self.fault == "lost":
            return
        await self.inner.send(topic, partition, match_id, value)
        if self.fault == "doubled":
            await self.inner.send(topic, partition, match_id, value)


class FailingLog(MemoryLog):
    """A log that goes away for readers on purpose."""

    away = False

    async def end(self, topic: str, partition: int) -> int:
        if self.away:
            raise LogUnavailable("gone")
        return await super().end(topic, partition)

    async def read(self, topic: str, partition: int, offsets: Sequence[int]) -> list[Entry]:
        if self.away:
            raise LogUnavailable("gone")
        return await super().read(topic, partition, offsets)


@dataclass
class Stand:
    """A running gateway with everything behind it."""

    server: GatewayServer
    follower: Follower
    reader: MatchReader
    log: Readable
    bus: FaultyBus
    clock: TestClock
    keyring: keys.Keyring
    channel: grpc.aio.Channel

    def token(
        self, player: str, role: Role = Role.PLAYER, match_id: str = "", seat: str = "", seconds: int = HOUR
    ) -> str:
        now = self.clock.now_ms()
        return issue(SECRET, role, now_ms=now, seconds=seconds, player=player, match_id=match_id, seat=seat)

    def client(self, player: str, role: Role = Role.PLAYER, match_id: str = "", seat: str = "") -> Client:
        return Client(self.channel, self.token(player, role, match_id, seat))

    async def seated(self, *, seats: tuple[str, ...] = ("north", "south"), **wishes: Any) -> str:
        """A match of the skirmish with its seats taken by players of the seats' names, cards dealt."""
        match_id = (await self.client("organiser").create("skirmish", "plain", **wishes)).match_id
        for seat in seats:
            await self.client(seat).take_seat(match_id, seat)
        if len(seats) == 2:
            await self.until(match_id, 4)
        return match_id

    async def until(self, match_id: str, version: int) -> None:
        await self.reader.head(match_id, version, 10.0)

    async def play(self, match_id: str, rounds: int = 100) -> None:
        """Both seats choose their first card, round after round, until the match has ended."""
        for _ in range(rounds):
            if (await self.client("north").match(match_id)).HasField("result"):
                return
            before = self.follower.book.fold_of(match_id).version
            for seat in ("north", "south"):
                option = (await self.client(seat).legal(match_id, seat)).choices[0].options[0]
                await self.client(seat).act(match_id, seat, option)
            await self.until(match_id, before + 3)


@cache
def shared_keyring() -> keys.Keyring:
    """One for all tests of a process: making RSA keys takes longer than most of them."""
    with tempfile.TemporaryDirectory() as folder:
        return keys.make(Path(folder) / "keys")


@asynccontextmanager
async def stand(
    *, log: Readable | None = None, limits: Limits | None = None, tls: Tls | None = None,
    key: TokenKey = SECRET, serve: bool = True, port: int = 0, host: str = "127.0.0.1", clock: TestClock | None = None,
) -> AsyncIterator[Stand]:  # fmt: skip
    log = log or MemoryLog()
    keyring = shared_keyring()
    follower = Follower(log, keyring.sealing)
    reader = MatchReader(EmbeddedStore(follower, log), keyring.sealing)
    local, clock = LocalBus(), clock or TestClock()
    bus = FaultyBus(local)
    server = GatewayServer(
        follower,
        bus,
        reader,
        keyring,
        Identity(key),
        clock=clock,
        entropy=SystemEntropy(),
        limits=limits,
        tls=tls,
        address=f"{host}:{port}",
    )
    locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
    referees = [Referee(t, follower, keyring, clock, SystemEntropy(), "test", locks) for t in TOPICS]
    intakes = [asyncio.create_task(local.run(r.topic, r.handle, r.gate)) for r in referees]
    await server.start()
    if serve:
        await server.ready()
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=(("grpc.use_local_subchannel_pool", 1),))
    try:
        yield Stand(server, follower, reader, log, bus, clock, keyring, channel)
    finally:
        await channel.close(None)
        await server.stop()
        await local.close()
        await asyncio.gather(*intakes, return_exceptions=True)
        for referee in referees:
            await referee.close()
        await follower.close()
        await log.close()


@dataclass(frozen=True)
class Told:
    """What a refused call tells its client."""

    code: grpc.StatusCode
    reason: str
    metadata: dict[str, str]
    message: str
    field: str
    retry_seconds: float


def told(error: grpc.aio.AioRpcError) -> Told:
    """The status of a failed call, taken apart without the client library."""
    trailing: Any = error.trailing_metadata() or ()
    status = status_pb2.Status()
    for name, value in trailing:
        if name == "grpc-status-details-bin":
            status = status_pb2.Status.FromString(value)
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    for detail in status.details:
        assert any(detail.Unpack(each) for each in (info, bad, retry))
    assert info.domain in ("stavka", "")
    return Told(
        error.code(), info.reason, dict(info.metadata), error.details() or "",
        bad.field_violations[0].field if bad.field_violations else "",
        retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9,
    )  # fmt: skip


async def quarantine(live: Stand, match_id: str) -> None:
    """Append a record that every reader accepts and this build cannot apply."""
    fold = live.follower.book.fold_of(match_id)
    record = log_pb2.Record(
        envelope_version=ENVELOPE, match_id=match_id, base_version=fold.version, base_hash=fold.head, proposal_id="x",
        events=[log_pb2.Payload(type="Unheard", schema=1, data=b"{}")],
    )  # fmt: skip
    await live.log.append(EVENTS, int(match_id[:2]), record.SerializeToString())
    await live.until(match_id, record.base_version + 1)


@contextmanager
def swapped(game: Game) -> Iterator[None]:
    """Another game under the id of an installed one, while the block runs."""
    before = GAMES[game.id]
    GAMES[game.id] = lambda: game
    rulebooks.rulebook.cache_clear()
    try:
        yield
    finally:
        GAMES[game.id] = before
        rulebooks.rulebook.cache_clear()


async def eventually(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    """Wait until a condition holds that nothing tells about."""
    for _ in range(int(seconds / 0.01)):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"not within {seconds:g} s")
