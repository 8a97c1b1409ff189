"""Streams: watch with resume and typed ends, history, half-open and slow readers, nothing left behind."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from stavka.bus.sqlite import SqliteLog
from stavka.client import Client, Refused, to_plain
from stavka.gateway import Limits, Role
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .proxy import proxy
from .stand import FailingLog, Stand, eventually, quarantine, stand, told

SMALL_WINDOW = (("grpc.http2.lookahead_bytes", 4096), ("grpc.http2.bdp_probe", 0))


def watching(client: Client, match_id: str, after: int = 0, viewer: str = "") -> Any:
    request = pb.WatchRequest(match_id=match_id, from_version=after, viewer=viewer)
    return client.matches.Watch(request, metadata=client.metadata)


async def test_a_watch_brings_every_record_then_live_ones_then_the_end(live: Stand) -> None:
    match_id = await live.seated()
    watch = watching(live.client("north"), match_id)
    first = await watch.read()
    fold = live.follower.book.fold_of(match_id)
    assert (first.heartbeat.version, first.heartbeat.head) == (4, fold.head)
    playing = asyncio.ensure_future(live.play(match_id))
    messages = await rest_of(watch)
    await playing
    assert [m.record.version for m in messages[:-1]] == list(range(1, 14))
    assert messages[-1].end.reason == pb.WATCH_END_REASON_MATCH_ENDED
    assert (messages[-1].end.version, messages[-1].end.head) == (13, fold.head)
    assert messages[-2].record.head == fold.head


async def test_a_watch_goes_on_from_the_version_that_it_is_given(live: Stand) -> None:
    match_id = await live.seated()
    await live.play(match_id)
    for after in (0, 5, 12, 13):
        messages = [m async for m in watching(live.client("north"), match_id, after)]
        assert [m.record.version for m in messages[1:-1]] == list(range(after + 1, 14))
        assert messages[-1].end.version == 13


async def test_a_version_that_has_not_come_is_refused(live: Stand) -> None:
    match_id = await live.seated()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watching(live.client("north"), match_id, 99).read()
    assert told(caught.value).reason == "VERSION_NOT_YET"


async def test_heartbeats_carry_the_head() -> None:
    async with stand(limits=Limits(heartbeat_seconds=0.05)) as live:
        match_id = await live.seated()
        watch = watching(live.client("north"), match_id, 4)
        head = live.follower.book.fold_of(match_id).head
        for _ in range(4):
            assert (await watch.read()).heartbeat == pb.Heartbeat(version=4, head=head)
        watch.cancel()


async def test_each_viewer_gets_his_own_records(live: Stand) -> None:
    match_id = await live.seated()
    await live.play(match_id, 1)
    eyes = {
        "north": live.client("north"),
        "south": live.client("south"),
        "spectator": live.client("watcher", Role.SPECTATOR),
        "arbiter": live.client("zoe", Role.ARBITER),
    }
    hands: dict[str, set[str]] = {}
    for name, client in eyes.items():
        records = [r async for r in client.history(match_id)]
        dealt = next(r for r in records if any(e.type == "HandDealt" for e in r.events))
        facts = [to_plain(e.fields) for e in dealt.events if e.type == "HandDealt"]
        hands[name] = {fact["side"] for fact in facts if "hand" in fact}
        chosen = next(r for r in records if r.seat == "north" and r.command.type == "ChooseCard")
        assert ("card" in chosen.command.fields.fields) == (name in ("north", "arbiter"))
        assert bool(chosen.command_id) == (name in ("north", "arbiter"))
    assert hands == {"north": {"north"}, "south": {"south"}, "spectator": set(), "arbiter": {"north", "south"}}


async def test_history_ends_where_it_is_told_to(live: Stand) -> None:
    match_id = await live.seated()
    client = live.client("north")
    assert [r.version async for r in client.history(match_id)] == [1, 2, 3, 4]
    assert [r.version async for r in client.history(match_id, after=1, limit=2)] == [2, 3]
    assert [r.version async for r in client.history(match_id, after=4)] == []


async def test_a_quarantine_ends_a_watch(live: Stand) -> None:
    match_id = await live.seated()
    watch = watching(live.client("north"), match_id, 4)
    assert (await watch.read()).HasField("heartbeat")
    await quarantine(live, match_id)
    rest = await rest_of(watch)
    assert rest[-1].end.reason == pb.WATCH_END_REASON_QUARANTINED
    with pytest.raises(Refused, match="quarantine"):
        _ = [record async for record in live.client("north").watch(match_id, after=4)]


async def test_a_watch_goes_on_by_itself_when_the_records_were_away() -> None:
    log = FailingLog()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stavka.views.embedded.RECENT_BYTES", 0)
        async with stand(log=log) as live:
            match_id = await live.seated()
            log.away = True
            watch = watching(live.client("north"), match_id)
            assert (await watch.read()).HasField("heartbeat")
            reading = asyncio.ensure_future(watch.read())
            with pytest.raises(grpc.aio.AioRpcError):
                _ = [m async for m in live.client("north").matches.ListHistory(
                    pb.ListHistoryRequest(match_id=match_id), metadata=live.client("north").metadata)]  # fmt: skip
            assert not reading.done()
            log.away = False
            assert (await asyncio.wait_for(reading, 10)).record.version == 1
            watch.cancel()


async def test_the_client_library_watches_across_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    seen: list[int] = []
    async with stand(log=SqliteLog(data)) as live:
        port = live.server.port
        match_id = await live.seated()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            client = Client(channel, live.token("north"))

            async def watch() -> None:
                async for record in client.watch(match_id):
                    seen.append(record.version)

            task = asyncio.ensure_future(watch())
            await eventually(lambda: seen == [1, 2, 3, 4])
            await live.server.stop()
            await live.log.close()
            async with stand(log=SqliteLog(data), port=port) as again:
                await again.play(match_id)
                await asyncio.wait_for(task, 20)
    assert seen == list(range(1, 14))


async def test_a_cancelled_watch_leaves_nothing_behind(live: Stand) -> None:
    match_id = await live.seated()
    before = len(asyncio.all_tasks())
    watches = [watching(live.client("north"), match_id) for _ in range(10)]
    for watch in watches:
        assert (await watch.read()).HasField("heartbeat")
    assert live.server.meter.streams == 10
    for watch in watches:
        watch.cancel()
    await eventually(lambda: live.server.meter.streams == 0)
    await eventually(lambda: len(asyncio.all_tasks()) <= before)
    assert live.server.meter._by_caller == {}


async def test_a_half_open_connection_is_noticed_and_its_streams_end() -> None:
    async with (
        stand(limits=Limits(keepalive_ms=500, keepalive_timeout_ms=500)) as live,
        proxy(live.server.port) as cable,
    ):
        match_id = await live.seated()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{cable.port}") as channel:
            watch = watching(Client(channel, live.token("north")), match_id)
            assert (await watch.read()).HasField("heartbeat")
            assert live.server.meter.streams == 1
            cable.freeze()
            await eventually(lambda: live.server.meter.streams == 0)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the heartbeats that streams make."""
    count = [0]

    def counted(version: int, head: bytes) -> pb.WatchResponse:
        count[0] += 1
        return pb.WatchResponse(heartbeat=pb.Heartbeat(version=version, head=head))

    monkeypatch.setattr("stavka.gateway.streams._heartbeat", counted)
    return count


async def stuck(made: list[int]) -> None:
    """Wait until a stream has made no heartbeat for a while, though they are due every half millisecond."""
    last = [0, 0]

    def stands_still() -> bool:
        last[1] = last[1] + 1 if made[0] == last[0] else 0
        last[0] = made[0]
        return last[1] > 40

    await eventually(stands_still, 60)


async def test_a_reader_that_fell_far_behind_is_told_to_resync(made: list[int]) -> None:
    async with stand(limits=Limits(heartbeat_seconds=0.0005, lag=5)) as live:
        match_id = await live.seated()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{live.server.port}", options=SMALL_WINDOW) as channel:
            watch = watching(Client(channel, live.token("north")), match_id, 4)
            await stuck(made)
            await live.play(match_id)
            await asyncio.sleep(1.0)  # what a slow reader does
            last = (await rest_of(watch))[-1]
            assert last.end.reason == pb.WATCH_END_REASON_RESYNC
            assert last.end.version == 13


async def test_a_reader_that_takes_nothing_is_cut_off(made: list[int]) -> None:
    async with stand(limits=Limits(heartbeat_seconds=0.0005, stall_seconds=0.5)) as live:
        match_id = await live.seated()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{live.server.port}", options=SMALL_WINDOW) as channel:
            watch = watching(Client(channel, live.token("north")), match_id, 4)
            await stuck(made)
            await eventually(lambda: live.server.meter.streams == 0)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await rest_of(watch)
            found = told(caught.value)
            assert (found.code, found.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "STALLED")
            assert found.retry_seconds > 0


async def rest_of(watch: Any) -> list[Any]:
    """Every message up to the end of the stream."""
    messages: list[Any] = []
    while message := await watch.read():  # what ends it is false
        messages.append(message)
    return messages
