"""What every projection store, and the reader on it, must do: embedded and in Redis alike."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import pytest
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import ARBITER, SPECTATOR, seat
from stavka.match.fold import GENESIS, Book, leaf_hash, partition_of
from stavka.match.lobby import MatchState
from stavka.views import position
from stavka.views.errors import MatchQuarantined, StoreUnavailable, UnknownMatch, VersionNotYet
from stavka.views.reader import FOLLOW_PAGE, Idle, MatchReader, Step, entry_view
from stavka.views.store import Query

from tests.adapters.views.conftest import Setting
from tests.views.ambush import SEALING, BlockMoved, BlockPlaced, CardPlanned, History, Plan, TurnBegun

MATCH = "07-01J00000000000000000000000"


def match_id(number: int) -> str:
    return f"{number % 12:02d}-01J0000000000000000000{number:04d}"


async def next_of(stream: AsyncGenerator[Step | Idle]) -> Step | Idle:
    async with asyncio.timeout(20):
        return await anext(stream)


class TestRecordsAndPositions:
    async def test_nothing_is_known_of_a_match_without_records(self, setting: Setting) -> None:
        assert await setting.store.head(MATCH) is None
        assert await setting.store.entry(MATCH) is None
        assert await setting.store.position(MATCH) is None
        assert list(await setting.store.records(MATCH, 0, 10)) == []
        with pytest.raises(UnknownMatch):
            await setting.reader.state(MATCH)

    async def test_raw_records_come_back_as_they_were(self, setting: Setting) -> None:
        history = History(MATCH).seated().turns(30)
        await setting.write(history, History(match_id(7)).seated())
        assert list(await setting.store.records(MATCH, 0, 100)) == history.raws
        assert list(await setting.store.records(MATCH, 5, 3)) == history.raws[5:8]
        assert list(await setting.store.records(MATCH, len(history.raws), 3)) == []
        found = await setting.store.head(MATCH)
        assert found is not None
        assert (found.version, found.head, found.ended) == (len(history.raws), history.head, False)

    async def test_every_version_can_be_read_in_any_order(self, setting: Setting) -> None:
        history = History(MATCH).seated()
        history.add([BlockPlaced("south", "marsh", "b1", "tank", 3)])
        history.turns(40)
        await setting.write(history)
        versions = list(range(len(history.raws) + 1))
        random.Random(3).shuffle(versions)
        small = MatchReader(setting.store, SEALING, cached_states=3)
        for version in versions:
            found = await small.state(MATCH, at_version=version)
            assert found.version == version
            assert found.head == (leaf_hash(history.raws[version - 1]) if version else GENESIS)
            if version > 4:
                assert found.state.table.turn == version - 4
        assert (await small.state(MATCH)).state.table.blocks["b1"].strength == 3
        assert (await small.state(MATCH, at_version=0)).state == MatchState(MATCH)

    async def test_a_state_that_was_given_out_does_not_move_on(self, setting: Setting) -> None:
        history = History(MATCH).seated().turns(1)
        await setting.write(history)
        before = await setting.reader.state(MATCH)
        seen = position.canonical(before.state)
        history.add([BlockPlaced("south", "marsh", "b1", "tank", 3), TurnBegun(2)])
        await setting.write(history)
        assert (await setting.reader.state(MATCH)).state.table.turn == 2
        assert position.canonical(before.state) == seen

    async def test_the_stored_position_is_one_of_the_match(self, setting: Setting) -> None:
        history = History(MATCH).seated().turns(50)
        await setting.write(history)
        stored = await setting.store.position(MATCH)
        assert stored is not None and stored.version > len(history.raws) - 17
        restored = position.decode(stored.blob)
        assert restored is not None
        found = await setting.reader.state(MATCH, at_version=stored.version)
        assert position.canonical(restored) == position.canonical(found.state)

    async def test_versions_that_have_not_come_are_refused(self, setting: Setting) -> None:
        await setting.write(History(MATCH).seated())
        for version in (4, -1):
            with pytest.raises(VersionNotYet) as refusal:
                await setting.reader.state(MATCH, at_version=version)
            assert refusal.value.details["current"] == 3

    async def test_projections_that_lag_behind_the_log_are_away(self, setting: Setting) -> None:
        for known in (0, 3):
            if known:
                await setting.write(History(MATCH).seated())
            with pytest.raises(StoreUnavailable):
                await setting.reader.state(MATCH, min_version=4, wait=0.05)

    async def test_your_own_write_is_waited_for(self, setting: Setting) -> None:
        history = History(MATCH).seated()
        reading = asyncio.create_task(setting.reader.state(MATCH, min_version=3, wait=20))
        await setting.append(history)
        assert (await reading).version >= 3

    async def test_a_big_match_reads_whole(self, setting: Setting) -> None:
        history = History(MATCH).seated().turns(3000)
        await setting.write(history)
        assert (await setting.reader.state(MATCH)).state.table.turn == 3000
        assert (await setting.reader.state(MATCH, at_version=1503)).state.table.turn == 1500
        followed = [step async for step in setting.reader.follow(MATCH, 0, ARBITER, None) if isinstance(step, Step)]
        assert [step.version for step in followed] == list(range(1, 3004))

    async def test_a_big_record_reads_whole(self, setting: Setting) -> None:
        history = History(MATCH).seated()
        history.add([TurnBegun(n) for n in range(9_000)])
        await setting.write(history)
        assert list(await setting.store.records(MATCH, 3, 1)) == history.raws[3:]


class TestLosersAndRubbish:
    async def test_records_that_lost_are_not_seen(self, setting: Setting) -> None:
        history = History(MATCH).seated().turns(2)
        rival = History(MATCH).seated()
        rival.add([TurnBegun(77)])
        first, second = history.raws[:4], history.raws[4:]
        await setting.put(MATCH, [*first, b"rubbish", first[1], rival.raws[3], *second, second[0], first[3]])
        await setting.put(MATCH, [])
        found = await setting.reader.state(MATCH, min_version=5, wait=20)
        assert found.state.table.turn == 2
        assert list(await setting.store.records(MATCH, 0, 100)) == history.raws

    async def test_a_record_that_cannot_be_applied_quarantines_its_match_alone(self, setting: Setting) -> None:
        broken, whole = History(MATCH).seated(), History(match_id(7)).seated()
        broken.add_unreadable()
        await setting.write(broken, whole.turns(1))
        with pytest.raises(MatchQuarantined):
            await setting.reader.state(MATCH)
        assert (await setting.reader.state(MATCH, at_version=3)).state.playing
        assert (await setting.reader.state(whole.match_id)).state.table.turn == 1
        listed = await setting.store.find(Query(status="quarantined"))
        assert [entry.match_id for entry in listed.entries] == [MATCH]
        assert listed.entries[0].quarantine
        stream = setting.reader.follow(MATCH, 0, ARBITER)
        with pytest.raises(MatchQuarantined):
            async for _ in stream:
                pass

    async def test_a_match_that_stands_still_is_listed_though_no_record_says_so(self, setting: Setting) -> None:
        whole, still, broken = (History(match_id(number)).seated() for number in (1, 2, 3))
        broken.add_unreadable()
        await setting.write(whole, still, broken)
        book = Book(None)
        for history in (whole, still, broken):
            for raw in history.raws:
                book.take(partition_of(history.match_id), raw)
        book.matches[still.match_id].stuck = "version 3: progress broke"
        setting.reader.heed(book)
        pages = [await setting.reader.find(Query(status="quarantined", page_size=1))]
        while pages[-1].next_page_token:
            query = Query(status="quarantined", page_size=1, page_token=pages[-1].next_page_token)
            pages.append(await setting.reader.find(query))
        assert [len(page.entries) for page in pages] == [1, 1]
        listed = {entry.match_id: entry.quarantine for page in pages for entry in page.entries}
        assert listed.keys() == {still.match_id, broken.match_id}
        assert listed[still.match_id] == "version 3: progress broke"
        playing = await setting.reader.find(Query(status="playing"))
        assert [entry.match_id for entry in playing.entries] == [whole.match_id]

    async def test_quarantine_takes_no_secrecy_away(self, setting: Setting) -> None:
        broken = History(MATCH, spectator_delay=3, players={"north": "ada"}).seated()
        broken.add_unreadable()
        await setting.write(broken)
        assert (await setting.reader.visible(MATCH, SPECTATOR)).version == 1
        entry = await setting.store.entry(MATCH)
        assert entry is not None
        assert (entry.game, entry.spectator_delay, entry.version) == ("ambush", 3, 4)
        assert entry.players["south"] == "player-south"


class TestIndex:
    async def test_matches_are_listed_newest_first_in_pages(self, setting: Setting) -> None:
        made = [History(match_id(n), created_ms=1_000 + n // 2) for n in range(25)]
        await setting.write(*made)
        seen: list[str] = []
        token = ""
        while True:
            page = await setting.store.find(Query(page_size=4, page_token=token))
            seen += [entry.match_id for entry in page.entries]
            token = page.next_page_token
            if not token:
                break
        assert seen == [m.match_id for m in sorted(made, key=lambda m: (made.index(m) // 2, m.match_id), reverse=True)]

    async def test_filters_follow_the_match(self, setting: Setting) -> None:
        one = History(match_id(1), players={"north": "ada"})
        two = History(match_id(2))
        await setting.write(one, two)

        async def found(**query: str) -> list[str]:
            return [entry.match_id for entry in (await setting.store.find(Query(**query))).entries]

        assert await found(status="open") == [two.match_id, one.match_id]
        assert await found(player="ada") == [one.match_id]
        two.seated()
        await setting.write(two)
        assert await found(status="open") == [one.match_id]
        assert await found(status="playing", player="player-north") == [two.match_id]
        two.ended()
        await setting.write(two)
        assert await found(status="playing") == []
        assert await found(status="ended", game="ambush") == [two.match_id]
        assert await found(game="chess") == []
        entry = await setting.store.entry(two.match_id)
        assert entry is not None
        assert (entry.winner, entry.version, entry.players["south"]) == ("north", 4, "player-south")

    @pytest.mark.parametrize("token", ["x", "12", "12:", ":a", "-1:a", "9" * 40 + ":a"])
    async def test_a_page_token_of_ones_own_making_is_refused(self, setting: Setting, token: str) -> None:
        with pytest.raises(MalformedCommand) as refusal:
            await setting.store.find(Query(page_token=token))
        assert refusal.value.reason == "BAD_PAGE_TOKEN"

    async def test_a_delayed_spectator_learns_no_more_from_the_index(self, setting: Setting) -> None:
        history = History(MATCH, spectator_delay=3).seated().turns(5)
        await setting.write(history)
        entry = await setting.store.entry(MATCH)
        assert entry is not None
        assert entry_view(entry, SPECTATOR).version == 5
        assert entry_view(entry, seat("north")) == entry


class TestChanges:
    async def test_a_change_wakes_every_waiter(self, setting: Setting) -> None:
        history = History(MATCH).seated()
        await setting.write(history)
        waiting = [asyncio.create_task(setting.store.changed(MATCH, 3, 20)) for _ in range(5)]
        other = asyncio.create_task(setting.store.changed(match_id(9), 0, 0.3))
        await setting.write(history.turns(1))
        assert await asyncio.gather(*waiting) == [True] * 5
        assert await other is False

    async def test_what_has_changed_already_is_told_at_once(self, setting: Setting) -> None:
        await setting.write(History(MATCH).seated())
        assert await setting.store.changed(MATCH, 2, 0.0) is True
        assert await setting.store.changed(MATCH, 3, 0.0) is False

    async def test_following_catches_up_then_goes_on_live_and_ends_with_the_match(self, setting: Setting) -> None:
        history = History(MATCH).seated().turns(FOLLOW_PAGE + 10)
        await setting.write(history)
        stream = setting.reader.follow(MATCH, 2, seat("north"), idle=20)
        there = len(history.raws)
        for version in range(3, there + 1):
            step = await next_of(stream)
            assert isinstance(step, Step)
            assert (step.version, step.head) == (version, leaf_hash(history.raws[version - 1]))
        history.add([TurnBegun(99)])
        await setting.append(history)
        step = await next_of(stream)
        assert isinstance(step, Step) and step.events == [TurnBegun(99)]
        history.ended()
        await setting.append(history)
        step = await next_of(stream)
        assert isinstance(step, Step) and step.ended
        with pytest.raises(StopAsyncIteration):
            await next_of(stream)

    async def test_old_records_are_read_in_turns_and_live_ones_at_once(self, setting: Setting) -> None:
        history = History(MATCH).seated().turns(2 * FOLLOW_PAGE)
        await setting.write(history)
        turns: list[str] = []

        @asynccontextmanager
        async def turn() -> AsyncIterator[None]:
            turns.append("begun")
            yield
            turns.append("ended")

        stream = setting.reader.follow(MATCH, 3, seat("north"), idle=20, turn=turn)
        for _ in range(2 * FOLLOW_PAGE):
            await next_of(stream)
            assert turns[-1] == "ended"
        assert turns == ["begun", "ended"] * 2
        await setting.append(history.turns(1))
        await next_of(stream)
        assert len(turns) == 4

    async def test_a_quiet_match_gives_signs_of_life(self, setting: Setting) -> None:
        history = History(MATCH).seated()
        await setting.write(history)
        stream = setting.reader.follow(MATCH, 3, seat("north"), idle=0.02)
        assert await next_of(stream) == Idle(3, history.head, False)
        assert await next_of(stream) == Idle(3, history.head, False)
        await stream.aclose()

    async def test_a_stream_from_beyond_the_end_is_refused(self, setting: Setting) -> None:
        await setting.write(History(MATCH).seated())
        with pytest.raises(VersionNotYet):
            await next_of(setting.reader.follow(MATCH, 4, ARBITER))

    async def test_spectators_lag_until_the_end(self, setting: Setting) -> None:
        history = History(MATCH, spectator_delay=4).seated().turns(5)
        await setting.write(history)
        shown = await setting.reader.visible(MATCH, SPECTATOR)
        assert (shown.version, shown.head) == (4, leaf_hash(history.raws[3]))
        stream = setting.reader.follow(MATCH, 3, SPECTATOR, idle=20)
        assert (await next_of(stream)).version == 4
        upcoming = asyncio.create_task(anext(stream))
        await setting.write(history.turns(1))
        assert (await upcoming).version == 5
        history.ended()
        await setting.write(history)
        assert [(await next_of(stream)).version for _ in range(5)] == [6, 7, 8, 9, 10]
        with pytest.raises(StopAsyncIteration):
            await next_of(stream)

    async def test_a_record_of_which_nothing_may_be_seen_is_held_back(self, setting: Setting) -> None:
        """Until one comes of which something may: then both are there, the first with neither seat nor time."""
        history = History(MATCH, spectator_delay=0).seated().turns(2)
        known = len(history.raws)
        await setting.write(history)
        others = (seat("south"), SPECTATOR)
        streams = [setting.reader.follow(MATCH, known, viewer, idle=20) for viewer in others]
        coming = [asyncio.create_task(anext(stream)) for stream in streams]
        history.add([CardPlanned("north", "flank")], Plan("north", "flank"), "north")
        await setting.write(history)
        for viewer in others:
            held = await setting.reader.visible(MATCH, viewer)
            assert (held.version, held.head) == (known, leaf_hash(history.raws[known - 1]))
        for viewer in (seat("north"), ARBITER):
            assert (await setting.reader.visible(MATCH, viewer)).version == known + 1
        both = await setting.reader.seen_by(MATCH, (seat("south"), seat("north")))
        assert (both.version, both.head) == (known + 1, history.head)
        assert not any(task.done() for task in coming)
        history.add([TurnBegun(3)])
        await setting.write(history)
        for viewer, task, stream in zip(others, coming, streams, strict=True):
            step = await task
            assert isinstance(step, Step) and step.version == known + 1
            shown = step.view(viewer)
            assert (shown["seat"], shown["topic"], shown["decided_at_ms"], shown["events"]) == ("", "", 0, [])
            assert (await next_of(stream)).version == known + 2
            await stream.aclose()

    async def test_a_slow_reader_misses_nothing_and_holds_little(self, setting: Setting) -> None:
        history = History(MATCH).seated()
        await setting.write(history)
        stream = setting.reader.follow(MATCH, 0, ARBITER, idle=20)
        assert (await next_of(stream)).version == 1
        await setting.write(history.turns(500))
        assert [(await next_of(stream)).version for _ in range(502)] == list(range(2, 504))
        await stream.aclose()


class TestTheEnd:
    async def test_an_ended_match_stays_readable_at_every_version(self, setting: Setting) -> None:
        history = History(MATCH).seated()
        history.add([BlockPlaced("south", "marsh", "b1", "tank", 3)])
        history.add([BlockMoved("south", "marsh", "hill", "b1")])
        history.turns(30).ended()
        await setting.write(history)
        assert list(await setting.store.records(MATCH, 0, 1000)) == history.raws
        assert list(await setting.store.records(MATCH, 30, 3)) == history.raws[30:33]
        found = await setting.reader.state(MATCH, at_version=5)
        assert found.ended and found.state.ended is None
        step = await setting.reader.record(MATCH, 4)
        assert step.view(SPECTATOR)["events"][0]["fields"]["block"] == "b1"
        assert (await setting.reader.state(MATCH)).state.ended is not None
