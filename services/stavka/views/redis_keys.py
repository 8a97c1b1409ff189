"""How matches stand in Redis: keys, scripts, packing. All keys of a match share one hash tag, hence one slot.

stavka:{<match>}:s      hash    v version, head, e index entry (JSON), b position, bv its version, av archived versions
stavka:{<match>}:x      stream  one entry a record, id <version>-0, field r: the raw record
stavka:{<match>}:a      string  records 1..av, packed, once the match has ended; the stream holds none of them then
stavka:{<match>}:s:c    channel the new version, as a hint that there is one
stavka:index:...        sorted sets of match ids by time of creation (ms); a match may stand in a set that it has
                        left, never be missing from one that it is in: whoever lists looks at the entry
stavka:index:epoch      a random word; another one, or none, means that Redis has lost what it held (as does a new run id)
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import msgspec

from .store import ENDED, OPEN, PLAYING, Entry

EPOCH: Final = "stavka:index:epoch"
ALL: Final = "stavka:index:all"
WAKE_PATTERN: Final = "stavka:{*}:s:c"

SAVE: Final = """
-- KEYS state, stream, archive
-- ARGV head, entry, position, base, record, head before it, record, head before it, ...
local cur = tonumber(redis.call('HGET', KEYS[1], 'v') or '0')
local base = tonumber(ARGV[4])
local new = base + (#ARGV - 4) / 2
if new < cur then return 'old' end
if new == cur then
  if redis.call('HGET', KEYS[1], 'head') == ARGV[1] then return 'old' end
  return 'fork'
end
if base > cur then return 'gap' end
local first = 5 + 2 * (cur - base)
if cur == 0 then
  redis.call('DEL', KEYS[2], KEYS[3])
elseif redis.call('HGET', KEYS[1], 'head') ~= ARGV[first + 1] then
  return 'fork'
end
for i = first, #ARGV, 2 do
  cur = cur + 1
  redis.call('XADD', KEYS[2], string.format('%d-0', cur), 'r', ARGV[i])
end
redis.call('HSET', KEYS[1], 'v', string.format('%d', new), 'head', ARGV[1])
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'e', ARGV[2]) end
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'b', ARGV[3], 'bv', string.format('%d', new)) end
redis.call('PUBLISH', KEYS[1] .. ':c', string.format('%d', new))
return 'saved'
"""

ARCHIVE: Final = """
-- KEYS state, stream, archive   ARGV version, packed records 1..version
if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('HSET', KEYS[1], 'av', ARGV[1])
redis.call('DEL', KEYS[2])
return 1
"""

DELETE: Final = """
-- KEYS state, stream, archive   ARGV head that it must have, or ''
if ARGV[1] ~= '' and redis.call('HGET', KEYS[1], 'head') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
return 1
"""

_PACKED: Final = msgspec.msgpack.Decoder(list[bytes])
_ENTRY: Final = msgspec.json.Decoder(Entry)
_EARLIER: Final = {PLAYING: (OPEN,), ENDED: (OPEN, PLAYING)}


def state_key(match_id: str) -> str:
    return f"stavka:{{{match_id}}}:s"


def keys_of(match_id: str) -> tuple[str, str, str]:
    """State, stream and archive: KEYS of the scripts."""
    return state_key(match_id), f"stavka:{{{match_id}}}:x", f"stavka:{{{match_id}}}:a"


def match_of_channel(channel: bytes) -> str:
    return channel.decode()[len("stavka:{") : -len("}:s:c")]


def game_key(game: str) -> str:
    return f"stavka:index:game:{game}"


def status_key(status: str) -> str:
    return f"stavka:index:status:{status}"


def player_key(player: str) -> str:
    return f"stavka:index:player:{player}"


def index_keys(entry: Entry) -> list[str]:
    """Every set that a match stands in."""
    players = sorted({player for player in entry.players.values() if player})
    return [ALL, game_key(entry.game), status_key(entry.status), *(player_key(player) for player in players)]


def left_keys(entry: Entry) -> list[str]:
    """The sets that a match of this status has left for good."""
    return [status_key(status) for status in _EARLIER.get(entry.status, ())]


def pack(records: Sequence[bytes]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(list(records)))


def unpack(packed: bytes) -> list[bytes]:
    return _PACKED.decode(zlib.decompress(packed))


def dump_entry(entry: Entry) -> bytes:
    return msgspec.json.encode(entry)


def load_entry(data: bytes) -> Entry:
    return _ENTRY.decode(data)
