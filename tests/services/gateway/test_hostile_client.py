"""A client that writes down everything it can reach cannot tell two worlds apart [VE 2.0] [VE 3.2] [VE 4.4] [VE 5.2].

The same match of Victory in Europe is played on two servers. In the second one, blocks of one seat stand in each other's
places (by its own secret deployment) and its hand is another; all else is done alike. The others and the public ask for
all that there is, and every answer, refusal and message of theirs is the same to the last byte.

What makes the worlds comparable and has nothing to do with what is hidden: one clock that stands still, one keyring,
scripted dice, and hands that are dealt by hand instead of by the signature of a head.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Final

import pytest
from stavka.bots.chance import Chance
from stavka.client import to_plain
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.cards import OfferCard
from stavka.games.victory_in_europe.ground import BLOCKS
from stavka.games.victory_in_europe.production.chapter import Produce
from stavka.games.victory_in_europe.setup import Deploy, blocks_of, groups_of
from stavka.games.victory_in_europe.state import Piece, State
from stavka.gateway import Limits, Role
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import IllegalAction
from stavka.kernel.visibility import Viewer
from stavka.match.rolls import SignedRoll
from stavka.reproducible import EPOCH_MS

from tests.games.victory_in_europe.twin import listed, renamed
from tests.support.hostile import Pair, Spy, require_same, text_of

from .stand import Stand, TestClock, eventually, stand, swapped

WORLD: ContextVar[int] = ContextVar("world")
SECRET: ContextVar[str] = ContextVar("secret")
PATIENT: Final = Limits(calls_a_second=1e6, burst=1_000_000, heartbeat_seconds=3600.0)
SCRIPT: Final = tuple(random.Random(4).choices(range(1, 7), k=4000))
EXCHANGES: Final = 6
LOOK_EVERY: Final = 25
GLANCE_EVERY: Final = 5
DEALT: Final = {"axis": ("axis", 1), "soviet": ("allied", 0)}
"""Secret seat -> the deck, and the place in it of a card of its hand that is another one in the second world."""
PRODUCTION: Final = """
game victory_in_europe
turn 8
phase production
at_war ["britain","germany","italy"]

[axis]
berlin: ger_inf_1a(2)
[allied]
london: bri_inf_bef(2)
"""


class StandingClock(TestClock):
    def now_ms(self) -> int:
        return EPOCH_MS


@pytest.fixture(autouse=True)
def dealt_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decks are the same in both worlds, but for one card of the secret seat's hand."""
    real = SignedRoll.shuffle

    def shuffle(self: SignedRoll, purpose: str, items: Sequence[Any]) -> tuple[Any, ...]:
        real(self, purpose, items)
        cards = list(SeededRoll(b"hands").shuffle(purpose, items))
        deck, place = DEALT.get(SECRET.get(), ("", 0))
        if WORLD.get() == 1 and deck and purpose.startswith(deck):
            cards[place], cards[-1] = cards[-1], cards[place]
        return tuple(cards)

    monkeypatch.setattr(SignedRoll, "shuffle", shuffle)


@asynccontextmanager
async def world(number: int) -> AsyncIterator[Stand]:
    WORLD.set(number)
    async with stand(limits=PATIENT, clock=StandingClock()) as live:
        yield live


@asynccontextmanager
async def pair(scenario: str, secret: str, delay: int = 0, position: str = "") -> AsyncIterator[Pair]:
    """A match in two worlds with its spies, before anybody has deployed."""
    SECRET.set(secret)
    seats = GAME.scenarios[scenario].seats
    async with world(0) as first, world(1) as second:
        ids = set()
        for live in (first, second):
            made = await live.client("organiser").create(
                GAME.id,
                scenario,
                analysis=True,
                script=SCRIPT,
                spectator_delay=delay,
                command_id="two-worlds",
                position=position,
            )
            ids.add(made.match_id)
            for seat in seats:
                await live.client(seat).take_seat(made.match_id, seat, entropy="ab" * 16, command_id=f"sit.{seat}")
        (match_id,) = ids
        watchers = [(seat, Role.PLAYER, seat) for seat in seats if seat != secret]
        watchers.append(("watcher", Role.SPECTATOR, ""))
        spies = tuple((Spy(first, *who, match_id=match_id), Spy(second, *who, match_id=match_id)) for who in watchers)
        playing = Pair(
            GAME, match_id, (first, second), secret, spies,
            renamed=lambda command, names: listed(renamed(command, names)), spared=out_of_battle,
        )  # fmt: skip
        await playing.settled()
        for both in spies:
            for spy in both:
                await spy.watch()
        try:
            yield playing
        finally:
            for both in spies:
                for spy in both:
                    await spy.close()


def out_of_battle(state: State, names: frozenset[str]) -> bool:
    """Whether none of these blocks is in a battle, which would show it."""
    return not any(b in names and (p.at in state.clashes or p.shown) for b, p in state.blocks.items())


def secret_exchanges(state: State, seat: str, chance: Chance) -> dict[str, str]:
    """Pairs of blocks of one nation, of different kinds if possible, that may stand in each other's places."""
    names: dict[str, str] = {}
    for group in groups_of(state, seat):
        blocks = list(blocks_of(state, group))
        for _ in range(400):
            a, b = chance.one_of(blocks), chance.one_of(blocks)
            same = BLOCKS[a].nation == BLOCKS[b].nation and BLOCKS[a].type.branch == BLOCKS[b].type.branch
            if a == b or {a, b} & names.keys() or not same or BLOCKS[a].type.id == BLOCKS[b].type.id:
                continue
            if places_of(state, seat, {**names, a: b, b: a}) is not None:
                names |= {a: b, b: a}
            if len(names) >= 2 * EXCHANGES:
                return names
    return names


def places_of(state: State, seat: str, names: dict[str, str]) -> Deploy | None:
    """The deployment that makes these exchanges, None where the rules refuse it."""
    command = Deploy(seat, tuple((a, state.blocks[b].at) for a, b in names.items()))
    try:
        GAME.decide(state, seat, command, SeededRoll(b""))
    except IllegalAction:
        return None
    return command


async def begin(playing: Pair, chance: Chance) -> None:
    """All deploy; the secret seat otherwise in the second world."""
    state = playing.state(0)
    names = secret_exchanges(state, playing.secret, chance)
    assert len(names) >= EXCHANGES
    theirs = places_of(state, playing.secret, names)
    assert theirs is not None
    playing.names = names
    await playing.act(playing.secret, Deploy(playing.secret, ()), theirs)
    for seat in state.seats:
        if seat != playing.secret:
            await playing.act(seat, Deploy(seat, ()), Deploy(seat, ()))


def differing(playing: Pair) -> int:
    """Blocks of the map that the second world has elsewhere."""
    ours, theirs = playing.state(0).blocks, playing.state(1).blocks
    return sum(theirs.get(block) != piece for block, piece in ours.items())


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("scenario", "secret", "delay", "commands"),
    [
        ("barbarossa_1941", "axis", 0, 140),
        ("bagration_1944_three", "axis", 5, 70),
        ("bagration_1944_three", "soviet", 0, 70),
    ],
)
async def test_it_cannot_tell_two_worlds_apart(scenario: str, secret: str, delay: int, commands: int) -> None:
    chance = Chance(11, secret, 0, scenario)
    async with pair(scenario, secret, delay) as playing:
        strangers = [*BLOCKS, *playing.state(0).control, "germany", "france", "axis", "no_such_thing"]
        await playing.look(chance, strangers)
        await begin(playing, chance)
        strangers += list(playing.names) * 20  # about these he asks as often as about all others together
        phases = set()
        for number in range(commands):
            if number % LOOK_EVERY == 0:
                await playing.look(chance, strangers)
            if not await playing.step(chance):
                break
            if number % GLANCE_EVERY == 0:
                await playing.glance()
            phases.add(playing.state(0).frames[1].kind)
        await playing.look(chance, strangers)
        assert differing(playing) >= EXCHANGES
        assert number > commands / 2 and phases >= ({"move", "combat", "production"} if commands > 100 else {"move"})
        for spy, other in playing.spies:
            assert len(spy.book) > 300
            require_same(spy, other)


class TestLeaksMadeOnPurpose:
    """The same client tells the worlds apart as soon as anything of them shows."""

    async def test_a_block_that_shows_its_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Piece, "seen_by", frozenset(("axis", "allied")))
        await require_leak()

    async def test_a_refusal_that_knows_where_a_block_is(self) -> None:
        def decide(state: State, seat: str, command: Any, roll: Any) -> Sequence[Any]:
            try:
                return GAME.decide(state, seat, command, roll)
            except IllegalAction as error:
                piece = state.blocks.get(getattr(command, "block", ""))
                raise IllegalAction(error.rule, error.reason, at=piece.at if piece else "") from error

        with swapped(replace(GAME, decide=decide)):
            await require_leak()

    async def test_a_list_that_is_longer_in_one_world(self) -> None:
        def explain(state: State, viewer: Viewer, question: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
            strong = sum(p.steps > 2 and p.at in ("warsaw", "krakow", "breslau") for p in state.blocks.values())
            return {**GAME.explain(state, viewer, question, args), "x": "." * strong}

        with swapped(replace(GAME, explain=explain)):
            await require_leak()


async def require_leak() -> None:
    """The books of the spies differ."""
    chance = Chance(11, "axis", 0, "leak")
    async with pair("barbarossa_1941", "axis") as playing:
        await begin(playing, chance)
        for _ in range(6):
            await playing.step(chance)
        await playing.look(chance, [*playing.names])
        with pytest.raises(AssertionError):
            for spy, other in playing.spies:
                require_same(spy, other)


class TestSecretAnswers:
    """Whether the other seat has answered a simultaneous decision shows nowhere before all have [VE Deployment] [VE 11.1]."""

    @pytest.mark.parametrize("early", ["axis", "allied"])
    async def test_nobody_sees_that_another_has_deployed(self, early: str) -> None:
        async with pair("barbarossa_1941", "nobody") as playing:
            await answered_in_one_world(playing, early, Deploy(early, ()))
            late = "allied" if early == "axis" else "axis"
            for live in playing.worlds[:1]:
                await live.client(late).submit(playing.match_id, late, "Deploy", {"seat": late, "places": []})
            await eventually(lambda: playing.state(0).frames[1].kind != "deployment")
            spy = next(spy for spy, _ in playing.spies if spy.seat == late)
            await eventually(lambda: spy.streamed >= playing.worlds[0].follower.book.fold_of(playing.match_id).version)

    @pytest.mark.parametrize("early", ["axis", "allied"])
    async def test_nobody_sees_that_another_has_laid_down_what_it_builds(self, early: str) -> None:
        async with pair("barbarossa_1941", "nobody", position=PRODUCTION) as playing:
            await answered_in_one_world(playing, early, Produce(early, ()))

    @pytest.mark.parametrize("early", ["allied", "soviet"])
    async def test_nobody_sees_that_a_partner_has_offered_a_card(self, early: str) -> None:
        async with pair("barbarossa_1941_three", "nobody") as playing:
            for seat in ("axis", "allied", "soviet"):
                await playing.act(seat, Deploy(seat, ()), Deploy(seat, ()))
            assert playing.state(0).frames[-1].step == "exchange"
            await answered_in_one_world(playing, early, OfferCard(early, "-"))

    async def test_a_retry_does_not_tell_that_another_has_answered_since(self) -> None:
        async with pair("barbarossa_1941_three", "nobody") as playing:
            await playing.act("allied", Deploy("allied", ()), Deploy("allied", ()))
            live = playing.worlds[0]
            before, retried = live.follower.book.fold_of(playing.match_id).version, f"c{playing.commands}"
            await live.client("soviet").submit(playing.match_id, "soviet", "Deploy", {"seat": "soviet", "places": []})
            assert live.follower.book.fold_of(playing.match_id).version > before
            arguments = {"seat": "allied", "places": []}
            answers = [
                await world.client("allied").submit(playing.match_id, "allied", "Deploy", arguments, command_id=retried)
                for world in playing.worlds
            ]
            assert text_of(answers[0]) == text_of(answers[1])
            assert answers[0].version == before

    async def test_a_card_laid_face_down_is_seen_and_its_face_is_not(self) -> None:
        """VE 3.2: what everybody at the table sees."""
        async with pair("barbarossa_1941", "nobody") as playing:
            for seat in ("axis", "allied"):
                await playing.act(seat, Deploy(seat, ()), Deploy(seat, ()))
            card = playing.state(0).camps["axis"].hand[0]
            live = playing.worlds[0]
            await live.client("axis").submit(playing.match_id, "axis", "PlayCard", {"seat": "axis", "card": card})
            seen = [record async for record in live.client("allied").history(playing.match_id)][-1]
            assert (seen.seat, seen.command.type, to_plain(seen.command.fields)) == (
                "axis",
                "PlayCard",
                {"seat": "axis"},
            )
            assert card not in text_of(seen) and card.encode().hex() not in text_of(seen)

    async def test_it_would_show_if_records_were_not_held_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("stavka.match.fold.reads", lambda *_: True)
        monkeypatch.setattr("stavka.views.reader.reads", lambda *_: True)
        async with pair("barbarossa_1941", "nobody") as playing:
            with pytest.raises(AssertionError):
                await answered_in_one_world(playing, "axis", Deploy("axis", ()))

    async def test_versions_that_are_held_back_do_not_make_a_command_stale(self) -> None:
        """Who names the version that he knows of is not told by a refusal that there is a later one."""
        async with pair("barbarossa_1941", "nobody") as playing:
            live = playing.worlds[0]
            known = (await live.client("allied").match(playing.match_id)).version
            await live.client("axis").submit(playing.match_id, "axis", "Deploy", {"seat": "axis", "places": []})
            assert live.follower.book.fold_of(playing.match_id).version == known + 1
            arguments = {"seat": "allied", "places": []}
            accepted = await live.client("allied").submit(
                playing.match_id, "allied", "Deploy", arguments, expected_version=known
            )
            assert accepted.version == known + 2


async def answered_in_one_world(playing: Pair, early: str, command: Any) -> None:
    """In the first world a seat answers, in the second it does not: the others and the public get the same."""
    chance = Chance(5, early, 0, "early")
    strangers = [*BLOCKS, *playing.state(0).control]
    await playing.look(chance, strangers)
    live = playing.worlds[0]
    arguments = {name: getattr(command, name) for name in type(command).__dataclass_fields__}
    before = live.follower.book.fold_of(playing.match_id).version
    await live.client(early).submit(playing.match_id, early, type(command).__name__, arguments)
    assert live.follower.book.fold_of(playing.match_id).version > before
    others = tuple(both for both in playing.spies if both[0].seat != early)
    assert len(others) == len(playing.spies) - 1
    playing.spies = others
    await playing.look(chance, strangers)
    for spy, other in others:
        require_same(spy, other)
