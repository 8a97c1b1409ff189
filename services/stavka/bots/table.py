"""A bot's life at one table: wait for a decision, ask for the options, choose, submit; until the match has ended.

One `Table` acts for one seat or for several. With several it always serves the first seat, in the order given, that
has a decision open, so a match between bots goes the same way every time although everything here is asynchronous.

    refused by a rule       counted in `rejected` (a listed option should never be), then another choice is made
    stale, closed           somebody else acted: look again
    limits, lost calls      the client retries commands under the same id; questions are asked again here
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from stavka.client import Client, IllegalMove, Malformed, Refused, Stale, TooMuch, Unreachable, to_plain
from stavka.wire.gen.stavka.match.v1 import match_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .chance import Chance, command_id
from .choosers import RANDOM, Bot, Offer, Option, Pick

T = TypeVar("T")

ATTEMPTS: Final = 12  # choices at one version before a bot gives up
PATIENT: Final = 4  # attempts with the bot's own chooser; after that any legal option does
PAUSE: Final = 0.05  # seconds before a question is asked again; doubles up to PAUSE_CAP
PAUSE_CAP: Final = 2.0


class Stuck(RuntimeError):
    """Every choice of a bot was refused: the referee lists what it does not accept."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat: who asks for it and who chooses."""

    seat: str
    client: Client
    bot: Bot


@dataclass(frozen=True, slots=True)
class Move:
    """A command that was accepted, for whoever shows progress."""

    version: int
    seat: str
    command: str
    arguments: Mapping[str, Any]


OnMove = Callable[[Move], Awaitable[None]]


async def no_report(move: Move) -> None:
    """Progress that nobody looks at."""


@dataclass
class Table:
    """`chairs` in the order in which they are served. `seed` makes every choice; `commands` and `rejected` count."""

    match_id: str
    chairs: tuple[Chair, ...]
    seed: int
    on_move: OnMove = no_report
    commands: int = field(default=0, init=False)
    rejected: int = field(default=0, init=False)

    async def run(self) -> None:
        """Play until the match has ended.

        Raises Stuck; Refused: QUARANTINED, or what no patience helps against, such as a token that has expired.
        """
        seen: dict[str, int] = {}
        news = asyncio.Event()
        watching = [asyncio.create_task(self._watch(chair, seen, news)) for chair in self.chairs]
        waking = asyncio.create_task(news.wait())
        try:
            while not any(task.done() for task in watching):
                served = await self._serve()
                while all(seen.get(seat, 0) <= version for seat, version in served.items()):
                    await asyncio.wait({*watching, waking}, return_when=asyncio.FIRST_COMPLETED)
                    if any(task.done() for task in watching):
                        break
                    news.clear()
                    waking = asyncio.create_task(news.wait())
            await asyncio.gather(*watching)
        finally:
            for task in (*watching, waking):
                task.cancel()
            await asyncio.gather(*watching, waking, return_exceptions=True)

    async def _watch(self, chair: Chair, seen: dict[str, int], news: asyncio.Event) -> None:
        """Note the versions that come to a seat's eyes, until the match has ended. Others' secrets come late or never."""
        version = await self._version(chair)
        async with aclosing(chair.client.watch(self.match_id, after=version, viewer=chair.seat)) as records:
            async for record in records:
                seen[chair.seat] = record.version
                news.set()

    async def _serve(self) -> dict[str, int]:
        """Act as long as one of the chairs has a decision. Returns the version of each at which it had none."""
        while True:
            asked: dict[str, int] = {}
            for chair in self.chairs:
                salt = next(reversed(asked.values()), 0)
                found = await self._legal(chair, salt, chair.bot.limit)
                if any(choice.options for choice in found.choices):
                    if await self._is_present(asked, found.version):
                        await self._act(chair, found)
                    break
                asked[chair.seat] = found.version
            else:
                return asked

    async def _is_present(self, asked: Mapping[str, int], version: int) -> bool:
        """Whether those who had no decision have none still, so that the first of all is served first. Seats at one
        version were asked in one breath; others may each know of another one, because of what is hidden from them."""
        for chair in self.chairs:
            if asked.get(chair.seat, version) != version and await self._version(chair) != asked[chair.seat]:
                return False
        return True

    async def _version(self, chair: Chair) -> int:
        return (await self._ask(lambda: chair.client.decisions(self.match_id, chair.seat))).version

    async def _legal(self, chair: Chair, salt: int, limit: int) -> pb.ListLegalActionsResponse:
        sample = Chance(self.seed, chair.seat, salt, "sample").below(1 << 63)
        return await self._ask(lambda: chair.client.legal(self.match_id, chair.seat, limit=limit, sample_seed=sample))

    async def _act(self, chair: Chair, found: pb.ListLegalActionsResponse) -> None:
        """Choose and submit at one version until something is accepted or the match has moved on."""
        bot = chair.bot
        view: Mapping[str, Any] = {}
        if bot.needs_view:
            answer = await self._ask(lambda: chair.client.view(self.match_id, version=found.version, viewer=chair.seat))
            view = to_plain(answer.position)
        offers = [offer_of(choice) for choice in found.choices]
        for attempt in range(ATTEMPTS):
            if attempt == PATIENT:
                bot = RANDOM
                offers = [offer_of(choice) for choice in (await self._legal(chair, 0, 0)).choices]
            picked = bot.choose(Chance(self.seed, chair.seat, found.version, f"choice {attempt}"), view, offers)
            try:
                await self._submit(chair, found.version, attempt, picked)
            except Stale as error:
                if error.details.get("version") != str(found.version):
                    return  # judged on another position: look again (on this one only another id gets another answer)
            except (IllegalMove, Malformed) as error:
                self.rejected += 1
                if error.reason == "MATCH_ENDED":
                    return
            else:
                return
        raise Stuck(f"{chair.seat} at version {found.version} of {self.match_id}: {ATTEMPTS} choices were refused")

    async def _submit(self, chair: Chair, version: int, attempt: int, picked: Pick) -> None:
        accepted = await self._ask(
            lambda: chair.client.submit(
                self.match_id, chair.seat, picked.command, picked.arguments,
                command_id=command_id(self.seed, chair.seat, version, attempt), decision_id=picked.decision_id,
            )
        )  # fmt: skip
        self.commands += 1
        await self.on_move(Move(accepted.version, chair.seat, picked.command, picked.arguments))

    async def _ask(self, call: Callable[[], Awaitable[T]]) -> T:
        """One call, asked again while the server is away or busy."""
        pause = PAUSE
        while True:
            try:
                return await call()
            except (Unreachable, TooMuch) as error:
                pause = max(pause, getattr(error, "retry_after", 0.0))
            except Refused as error:
                if error.code.name != "UNAVAILABLE":
                    raise
                pause = max(pause, error.retry_after)
            await asyncio.sleep(pause)
            pause = min(2 * pause, PAUSE_CAP)


def offer_of(choice: match_pb2.Choice) -> Offer:
    """A choice of the API in plain data."""
    d = choice.decision
    options = tuple(Option(action.command, to_plain(action.arguments)) for action in choice.options)
    return Offer(
        d.decision_id, d.seat, d.kind, d.rule, tuple(d.commands), options, choice.complete, to_plain(choice.domain)
    )
