"""How much one caller, one match and all of them together may ask for. What is over the limit is refused early.

A caller is a player's name and role: more connections or more tokens do not give more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

from .identity import Caller
from .refusals import TooMuch

REMEMBERED_CALLERS: Final = 50_000
REST: Final = 0.001  # seconds at most between two questions of one caller
LONG_REST: Final = 0.02  # the same when he has asked several at once, or reads a history
Key = TypeVar("Key", str, tuple[str, str])


@dataclass(frozen=True, slots=True)
class Limits:
    """All of them, with defaults for a public server.

    message_bytes: a request; anything over `hard_message_bytes` gRPC itself refuses, without details.
    calls_a_second, burst: token bucket of one caller.
    calls_at_once: calls of one caller, streams apart, that have begun and not ended.
    open_commands: commands of one match that wait for their outcome; `all_open_commands` of all matches.
    streams: Watch, history and export streams that one caller has open.
    anonymous_streams: health watches and reflections that are open, of all who ask; each for `anonymous_seconds` at most.
    outcome_seconds: how long a command's outcome is waited for when the client sets no deadline.
    heartbeat_seconds: between two signs of life of a Watch stream.
    lag: a watcher that falls back by more versions than this is told to resync; `stall_seconds`: one that takes
        nothing for so long is cut off.
    """

    message_bytes: int = 262_144
    hard_message_bytes: int = 1_048_576
    calls_a_second: float = 500.0
    burst: int = 1_000
    calls_at_once: int = 8
    open_commands: int = 32
    all_open_commands: int = 2_000
    streams: int = 64
    anonymous_streams: int = 256
    anonymous_seconds: float = 600.0
    calls: int = 8_000
    outcome_seconds: float = 30.0
    heartbeat_seconds: float = 10.0
    lag: int = 256
    stall_seconds: float = 60.0
    keepalive_ms: int = 30_000
    keepalive_timeout_ms: int = 10_000
    stop_seconds: float = 10.0


@dataclass(slots=True)
class Account:
    """One caller: his token bucket, his calls in progress, and whose turn among his questions it is."""

    tokens: float
    filled_ms: int
    calls: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def taken_turn(self) -> AbstractAsyncContextManager[None]:
        """The turn of a question."""
        return self._turn(reads_much=False)

    def stream_turn(self) -> AbstractAsyncContextManager[None]:
        """The turn of a stream that reads a page of old records."""
        return self._turn(reads_much=True)

    @asynccontextmanager
    async def _turn(self, *, reads_much: bool) -> AsyncIterator[None]:
        await self.turn.acquire()
        begun = time.thread_time()
        try:
            yield
        finally:
            longest = LONG_REST if reads_much or self.calls > 1 else REST
            rest = min(time.thread_time() - begun, longest)
            asyncio.get_running_loop().call_later(rest, self.turn.release)


@dataclass(slots=True)
class Meter:
    """What is in use now."""

    limits: Limits
    commands: int = 0
    streams: int = 0
    _accounts: dict[tuple[str, str], Account] = field(default_factory=dict)
    _by_match: dict[str, int] = field(default_factory=dict)
    _by_caller: dict[tuple[str, str], int] = field(default_factory=dict)

    def take(self, caller: Caller, now_ms: int) -> Account:
        """Count one call of an account. Raises TooMuch(RATE_LIMIT)."""
        key = (caller.player, caller.role.value)
        account = self._accounts.get(key)
        if account is None:
            if len(self._accounts) >= REMEMBERED_CALLERS:
                self._forget_idle(now_ms)
            account = self._accounts[key] = Account(float(self.limits.burst), now_ms)
        rate = self.limits.calls_a_second / 1000
        account.tokens = min(self.limits.burst, account.tokens + max(0, now_ms - account.filled_ms) * rate)
        account.filled_ms = now_ms
        if account.tokens < 1:
            wait_ms = int((1 - account.tokens) / rate) + 1
            raise TooMuch("RATE_LIMIT", f"more than {self.limits.calls_a_second:g} calls a second", wait_ms)
        account.tokens -= 1
        return account

    @asynccontextmanager
    async def call(self, caller: Caller, *, takes_turns: bool) -> AsyncIterator[None]:
        """One call in progress, of a caller who was counted by `take`. Raises TooMuch(TOO_MANY_CALLS).

        A caller's questions take turns. After each, the next one waits for as long as the processor worked meanwhile, at
        most REST or LONG_REST: in that time the event loop takes in what others, and he himself, have asked.
        """
        account = self._accounts[caller.player, caller.role.value]
        if account.calls >= self.limits.calls_at_once:
            raise TooMuch("TOO_MANY_CALLS", f"{account.calls} calls of yours are in progress", 50)
        account.calls += 1
        try:
            if takes_turns:
                async with account.taken_turn():
                    yield
            else:
                yield
        finally:
            account.calls -= 1

    @contextmanager
    def command(self, match_id: str) -> Iterator[None]:
        """One command that waits for its outcome. Raises TooMuch: OPEN_COMMANDS, OVERLOADED."""
        waiting = self._by_match.get(match_id, 0)
        if waiting >= self.limits.open_commands:
            raise TooMuch("OPEN_COMMANDS", f"{waiting} commands of this match wait for their outcome", 100)
        if self.commands >= self.limits.all_open_commands:
            raise TooMuch("OVERLOADED", "too many commands wait for their outcome", 250)
        self.commands += 1
        self._by_match[match_id] = waiting + 1
        try:
            yield
        finally:
            self.commands -= 1
            _give_back(self._by_match, match_id)

    @contextmanager
    def stream(self, caller: Caller) -> Iterator[None]:
        """One open stream. Raises TooMuch(TOO_MANY_STREAMS)."""
        key = (caller.player, caller.role.value)
        if self._by_caller.get(key, 0) >= self.limits.streams:
            raise TooMuch("TOO_MANY_STREAMS", f"you have {self.limits.streams} streams open", 1_000)
        self.streams += 1
        self._by_caller[key] = self._by_caller.get(key, 0) + 1
        try:
            yield
        finally:
            self.streams -= 1
            _give_back(self._by_caller, key)

    def _forget_idle(self, now_ms: int) -> None:
        """Drop callers whose bucket is full again by now: they lose nothing."""
        full_ms = self.limits.burst / self.limits.calls_a_second * 1000
        idle = [k for k, a in self._accounts.items() if not a.calls and now_ms - a.filled_ms > full_ms]
        for key in idle:
            del self._accounts[key]


def _give_back(counts: dict[Key, int], key: Key) -> None:
    left = counts[key] - 1
    if left:
        counts[key] = left
    else:
        del counts[key]
