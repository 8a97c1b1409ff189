"""What the adapters of the log refuse. Everything that merely did not answer is `LogUnavailable` (ports)."""

from __future__ import annotations

from stavka.kernel.errors import StavkaError
from stavka.match.ports import MAX_RECORD_BYTES, PARTITIONS


class StartRefused(StavkaError):
    """The log cannot be used as it stands; raised at start-up only, before anything is written."""

    REASON = "START_REFUSED"

    def __init__(self, message: str) -> None:
        super().__init__(self.REASON, message)


class DataDirLocked(StartRefused):
    """Another process works on the data directory."""

    REASON = "DATA_IN_USE"


class DamagedLog(StartRefused):
    """The log file is no log, or not a whole one. The message names the file and what is wrong with it."""

    REASON = "LOG_DAMAGED"


class TopicRefused(StartRefused):
    """A broker topic would lose or reorder history: compacted, expiring, wrong partition count, too small."""

    REASON = "TOPIC_UNSOUND"


class RecordRefused(ValueError):
    """A record that no log takes: too large, or for a partition that does not exist. Nothing was appended."""


def check_record(partition: int, value: bytes) -> None:
    """Refuse what no log takes.

    Raises:
        RecordRefused: more than MAX_RECORD_BYTES bytes, or a partition outside 0..PARTITIONS-1.
    """
    if len(value) > MAX_RECORD_BYTES:
        raise RecordRefused(f"a record of {len(value)} bytes; at most {MAX_RECORD_BYTES} are kept")
    if not 0 <= partition < PARTITIONS:
        raise RecordRefused(f"partition {partition}; there are {PARTITIONS}, from 0")
