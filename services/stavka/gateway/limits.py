"""How much one caller, one match and all of them together may ask for. What is over the limit is refused early.

A caller is a player's name and role: more connections or more tokens do not give more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

from .identity import Caller
from .refusals import TooMuch

REMEMBERED_CALLERS: Final = 50_000
Key = TypeVar("Key", str, tuple[str, str])


@dataclass(frozen=True, slots=True)
class Limits:
    """All of them, with defaults for a public server.

    message_bytes: a request; anything over `hard_message_bytes` gRPC itself refuses, without details.
    calls_a_second, burst: token bucket of one caller.
    open_commands: commands of one match that wait for their outcome; `all_open_commands` of all matches.
    streams: Watch, history and export streams that one caller has open.
    outcome_seconds: how long a command's outcome is waited for when the client sets no deadline.
    heartbeat_seconds: between two signs of life of a Watch stream.
    lag: a watcher that falls back by more versions than this is told to resync; `stall_seconds`: one that takes
        nothing for so long is cut off.
    """

    message_bytes: int = 262_144
    hard_message_bytes: int = 1_048_576
    calls_a_second: float = 500.0
    burst: int = 1_000
    open_commands: int = 32
    all_open_commands: int = 2_000
    streams: int = 64
    calls: int = 8_000
    outcome_seconds: float = 30.0
    heartbeat_seconds: float = 10.0
    lag: int = 256
    stall_seconds: float = 60.0
    keepalive_ms: int = 30_000
    keepalive_timeout_ms: int = 10_000
    stop_seconds: float = 10.0


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_ms: int


@dataclass(slots=True)
class Meter:
    """What is in use now."""

    limits: Limits
    commands: int = 0
    streams: int = 0
    _buckets: dict[tuple[str, str], _Bucket] = field(default_factory=dict)
    _by_match: dict[str, int] = field(default_factory=dict)
    _by_caller: dict[tuple[str, str], int] = field(default_factory=dict)

    def take(self, caller: Caller, now_ms: int) -> None:
        """Count one call. Raises TooMuch(RATE_LIMIT)."""
        key = (caller.player, caller.role.value)
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= REMEMBERED_CALLERS:
                self._forget_idle(now_ms)
            bucket = self._buckets[key] = _Bucket(float(self.limits.burst), now_ms)
        rate = self.limits.calls_a_second / 1000
        bucket.tokens = min(self.limits.burst, bucket.tokens + max(0, now_ms - bucket.filled_ms) * rate)
        bucket.filled_ms = now_ms
        if bucket.tokens < 1:
            wait_ms = int((1 - bucket.tokens) / rate) + 1
            raise TooMuch("RATE_LIMIT", f"more than {self.limits.calls_a_second:g} calls a second", wait_ms)
        bucket.tokens -= 1

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
        for key in [k for k, b in self._buckets.items() if now_ms - b.filled_ms > full_ms]:
            del self._buckets[key]


def _give_back(counts: dict[Key, int], key: Key) -> None:
    left = counts[key] - 1
    if left:
        counts[key] = left
    else:
        del counts[key]
