"""Projections in Redis: version-guarded, disposable, rebuilt from the log whenever something is missing.

    store = RedisStore("redis://127.0.0.1:6379/0")      a ProjectionSink; reading processes use its reading half

Keys and scripts are in `redis_keys`. A command that Redis does not answer, or refuses (out of memory, still loading),
raises StoreUnavailable; repeating any of them is harmless, because every write is guarded by the match's version.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import NoScriptError, RedisError

from stavka.match.fold import GENESIS, leaf_hash

from . import redis_keys as keys
from .cache import VersionCache
from .errors import StoreUnavailable
from .index import matches, page_size, read_token, token
from .store import ENDED, Entry, Head, Page, Position, Query, Saved, StoredHead, Update
from .wakeups import Wakeups

CONNECTIONS: Final = 64
LOOK_AGAIN: Final = 1.0  # seconds between looks while wake-ups come
LOOK_BLIND: Final = 0.02  # the same while there is no subscription
LISTED: Final = 200  # ids looked at in one go
OPEN_ARCHIVES: Final = 4

_SHA: Final = {
    script: hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
    for script in (keys.SAVE, keys.ARCHIVE, keys.DELETE)
}


class RedisStore:
    """`ProjectionSink` on one Redis or Valkey. One event loop; close it."""

    def __init__(self, url: str) -> None:
        common: dict[str, Any] = {
            "protocol": 3,
            "socket_connect_timeout": 2.0,
            "health_check_interval": 15,
            "decode_responses": False,
        }
        pool = BlockingConnectionPool.from_url(
            url, max_connections=CONNECTIONS, timeout=2.0, socket_timeout=2.0,
            retry=Retry(ExponentialWithJitterBackoff(base=0.01, cap=0.5), 3), **common,
        )  # fmt: skip
        self._redis = Redis(connection_pool=pool)
        self._listener = Redis.from_url(
            url, socket_timeout=None, retry=Retry(ExponentialWithJitterBackoff(), 0), **common
        )
        self._wakeups = Wakeups(lambda: self._listener.pubsub(ignore_subscribe_messages=False))
        self._archives: VersionCache[list[bytes]] = VersionCache(OPEN_ARCHIVES)
        self._indexed: dict[str, frozenset[str]] = {}

    # Reading.

    async def head(self, match_id: str) -> Head | None:
        version, head, entry = await self._do("HMGET", keys.state_key(match_id), "v", "head", "e")
        if version is None:
            return None
        if entry is None:
            raise StoreUnavailable(f"match {match_id} is being rebuilt")
        known = keys.load_entry(entry)
        return Head(int(version), head, known.status == ENDED, known.spectator_delay, known.quarantine)

    async def entry(self, match_id: str) -> Entry | None:
        entry = await self._do("HGET", keys.state_key(match_id), "e")
        return None if entry is None else keys.load_entry(entry)

    async def position(self, match_id: str) -> Position | None:
        version, at, blob = await self._do("HMGET", keys.state_key(match_id), "v", "bv", "b")
        if version is None:
            return None
        return Position(0, b"") if at is None or blob is None else Position(int(at), blob)

    async def records(self, match_id: str, after: int, limit: int) -> Sequence[bytes]:
        state, stream, archive = keys.keys_of(match_id)
        found, archived = await self._all(
            [("XRANGE", stream, f"({after}-0", "+", "COUNT", limit), ("HGET", state, "av")]
        )
        packed = int(archived or 0)
        streamed = _contiguous(found, max(after, packed))
        if after >= packed:
            return streamed
        opened = self._archives.get(match_id, packed)
        if opened is None:
            data = await self._do("GET", archive)
            if data is None:
                raise StoreUnavailable(f"match {match_id} is being rebuilt")
            opened = keys.unpack(data)
            self._archives.put(match_id, packed, opened)
        return [*opened[after : after + limit], *streamed][:limit]

    async def find(self, query: Query) -> Page:
        before = read_token(query.page_token)
        size = page_size(query)
        top = before[0] if before else "+inf"
        key = keys.ALL
        for value, key_of in (
            (query.player, keys.player_key),
            (query.status, keys.status_key),
            (query.game, keys.game_key),
        ):
            if value:
                key = key_of(value)
                break
        found: list[Entry] = []
        offset = 0
        while len(found) <= size:
            ids = await self._do("ZRANGE", key, top, "-inf", "BYSCORE", "REV", "LIMIT", offset, LISTED)
            entries = await self._all([("HGET", keys.state_key(match_id.decode()), "e") for match_id in ids])
            for entry in (keys.load_entry(data) for data in entries if data is not None):
                if matches(entry, query) and (before is None or (entry.created_ms, entry.match_id) < before):
                    found.append(entry)
            if len(ids) < LISTED:
                break
            offset += LISTED
        return Page(tuple(found[:size]), token(found[size - 1]) if len(found) > size else "")

    async def changed(self, match_id: str, after: int, timeout: float) -> bool:
        clock = asyncio.get_running_loop().time
        deadline = clock() + timeout
        while True:
            hint = self._wakeups.register(match_id)
            try:
                if int(await self._do("HGET", keys.state_key(match_id), "v") or 0) > after:
                    return True
                left = min(deadline - clock(), LOOK_AGAIN if self._wakeups.subscribed else LOOK_BLIND)
                if left <= 0:
                    return False
                await asyncio.wait({hint}, timeout=left)
                if hint.done() and hint.result() > after:
                    return True
            finally:
                hint.cancel()

    async def close(self) -> None:
        await self._wakeups.close()
        await self._listener.aclose()
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()

    # Writing.

    async def save(self, updates: Sequence[Update]) -> Sequence[Saved]:
        news = [update.entry for update in updates if update.entry is not None and self._is_news(update)]
        await self._all(
            [("ZADD", key, entry.created_ms, entry.match_id) for entry in news for key in keys.index_keys(entry)]
        )
        answers = await self._scripts(
            keys.SAVE, [(keys.keys_of(update.match_id), _arguments(update)) for update in updates]
        )
        saved = [Saved(answer.decode()) for answer in answers]
        await self._all([("ZREM", key, entry.match_id) for entry in news for key in keys.left_keys(entry)])
        for entry in news:
            self._indexed[entry.match_id] = frozenset(keys.index_keys(entry))
        return saved

    async def archive(self, match_id: str) -> None:
        version = int(await self._do("HGET", keys.state_key(match_id), "v") or 0)
        records = await self.records(match_id, 0, version) if version else ()
        if version and len(records) == version:
            await self._scripts(keys.ARCHIVE, [(keys.keys_of(match_id), (version, keys.pack(records)))])

    async def delete(self, matches: Mapping[str, bytes | None]) -> None:
        ids = list(matches)
        for start in range(0, len(ids), LISTED):
            some = ids[start : start + LISTED]
            entries = await self._all([("HGET", keys.state_key(match_id), "e") for match_id in some])
            gone = await self._scripts(
                keys.DELETE, [(keys.keys_of(match_id), (matches[match_id] or b"",)) for match_id in some]
            )
            commands: list[tuple[Any, ...]] = []
            for match_id, data, is_gone in zip(some, entries, gone, strict=True):
                if is_gone:
                    sets = keys.index_keys(keys.load_entry(data)) if data is not None else [keys.ALL]
                    commands += [("ZREM", key, match_id) for key in sets]
                    self._indexed.pop(match_id, None)
            await self._all(commands)

    async def rebuild(self, match_id: str) -> None:
        await self.delete({match_id: None})
        await self._do("DEL", keys.EPOCH)

    async def heads(self) -> Mapping[str, StoredHead]:
        found: dict[str, StoredHead] = {}
        ids = [match_id.decode() for match_id in await self._do("ZRANGE", keys.ALL, 0, -1)]
        for start in range(0, len(ids), LISTED):
            some = ids[start : start + LISTED]
            answers = await self._all([("HMGET", keys.state_key(i), "v", "head", "av", "e") for i in some])
            for match_id, (version, head, archived, entry) in zip(some, answers, strict=True):
                found[match_id] = StoredHead(
                    int(version or 0), head or GENESIS, entry is not None, archived is not None and archived == version
                )
        return found

    async def epoch(self) -> str:
        await self._do("SET", keys.EPOCH, secrets.token_hex(8), "NX")
        word = (await self._do("GET", keys.EPOCH) or b"").decode()
        # A Redis that came back from an older snapshot has the word, and another run id.
        return f"{(await self._do('INFO', 'server'))['run_id']}/{word}"

    def _is_news(self, update: Update) -> bool:
        """Whether the index may have to learn of it: new here, or rebuilt, or in other sets than before."""
        assert update.entry is not None
        return update.base == 0 or self._indexed.get(update.match_id) != frozenset(keys.index_keys(update.entry))

    async def _scripts(self, script: str, calls: Sequence[tuple[Sequence[str], Sequence[Any]]]) -> list[Any]:
        commands = [("EVALSHA", _SHA[script], len(names), *names, *arguments) for names, arguments in calls]
        try:
            return await self._all(commands)
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, NoScriptError):
                raise
        await self._do("SCRIPT LOAD", script)
        return await self._all(commands)

    async def _do(self, *command: Any) -> Any:
        client: Any = self._redis  # its execute_command is untyped
        return await _answer(command[0], client.execute_command(*command))

    async def _all(self, commands: Iterable[tuple[Any, ...]]) -> list[Any]:
        """Answers of commands sent at once; no transaction. Raises for the first that failed."""
        pipeline: Any = self._redis.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        answers: list[Any] = await _answer("pipeline", pipeline.execute()) if len(pipeline) else []
        return answers


async def _answer(what: str, asking: Awaitable[Any]) -> Any:
    """The answer of Redis. Before Python 3.12 the client's `wait_for` swallows a cancellation that comes as its write
    completes; then it is raised here, or the task that was told to end would go on."""
    task = asyncio.current_task()
    before = task.cancelling() if task is not None else 0
    try:
        return await asking
    except (RedisError, OSError) as error:
        raise StoreUnavailable(f"{what}: {error}") from error
    finally:
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError


def _contiguous(found: Sequence[tuple[bytes, Mapping[bytes, bytes]]], after: int) -> list[bytes]:
    """The records of stream entries that go on from version `after` without a hole."""
    raws: list[bytes] = []
    for key, fields in found:
        version = int(key[:-2])  # "<version>-0"
        if version == after + len(raws) + 1:
            raws.append(fields[b"r"])
        elif version > after:
            break
    return raws


def _arguments(update: Update) -> list[Any]:
    """ARGV of the script that saves."""
    arguments: list[Any] = [
        update.head,
        b"" if update.entry is None else keys.dump_entry(update.entry),
        update.blob,
        update.base,
    ]
    before = update.base_head
    for raw in update.records:
        arguments += [raw, before]
        before = leaf_hash(raw)
    return arguments
