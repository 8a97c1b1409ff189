"""What the adapters of the log refuse. Everything that merely did not answer is `LogUnavailable` (ports)."""

from __future__ import annotations

from stavka.match.ports import MAX_RECORD_BYTES


class StartRefused(Exception):
    """The log cannot be used as it stands; raised at start-up only, before anything is written."""


class DataDirLocked(StartRefused):
    """Another process works on the data directory."""


class DamagedLog(StartRefused):
    """The log file is no log, or not a whole one. The message names the file and what is wrong with it."""


class TopicRefused(StartRefused):
    """A broker topic would lose or reorder history: compacted, expiring, wrong partition count, too small."""


class RecordTooLarge(ValueError):
    """A record of more than MAX_RECORD_BYTES. Nothing was appended."""


def check_record(value: bytes) -> None:
    """Refuse a record that no log takes.

    Raises:
        RecordTooLarge: more than MAX_RECORD_BYTES bytes.
    """
    if len(value) > MAX_RECORD_BYTES:
        raise RecordTooLarge(f"a record of {len(value)} bytes; at most {MAX_RECORD_BYTES} are kept")
