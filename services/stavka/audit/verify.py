"""Verification of a match's records: what a stranger can check, alone, offline.

For every record, in order: the chain (version, hash), the seal (when the match has ended), every roll (signature by
the match's key over the canonical input, and its expansion), the legality (the committed command decided again, or
the automatic step made again, under the record's ruleset, with the recorded rolls, gives exactly the recorded
events), and at the end the score. The first wrong record is named; nothing after it is looked at. Whatever goes wrong
while a record is checked makes it the wrong one: no record of an honest referee breaks a verifier.

While a match with hidden information goes on, sealed decisions cannot be opened: chain, open rolls, and whatever the
runtime says of seats and script are checked, and the report says how many records wait for the key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from google.protobuf.message import DecodeError

from stavka.kernel.errors import CorruptHistory
from stavka.match.lobby import MatchEnded
from stavka.match.rulebooks import PREFIX, lobby_codec
from stavka.wire.gen.stavka.log.v1 import log_pb2

from .auditor import Auditor
from .export import Export, Header
from .report import Report, WrongRecord

__all__ = ["Report", "WrongRecord", "verify", "verify_export"]

Progress = Callable[[int, int], None]


def verify_export(export: Export, progress: Progress | None = None) -> Report:
    """Check what could be read of a file; a line that could not is its record's fault."""
    header = export.header or Header("", 0, b"")
    if export.broken is None:
        return verify(header.match_id, export.records, header.head, progress, versions=header.versions)
    report = verify(header.match_id, export.records, None, progress) if export.records else Report(header.match_id)
    if report.wrong is None:
        version = 0 if export.header is None else len(export.records) + 1
        report.wrong = {"version": version, "reason": export.broken.reason, "message": str(export.broken)}
    return report


def verify(
    match_id: str,
    records: Sequence[bytes],
    head: bytes | None = None,
    progress: Progress | None = None,
    *,
    versions: int | None = None,
) -> Report:
    """Check the raw records 1..n of a match. `head` and `versions` are what the source says the last ones are, if it
    says so."""
    report = Report(match_id)
    auditor = Auditor(match_id, _disclosed_key(records), report)
    for number, raw in enumerate(records, start=1):
        wrong = auditor.fault(raw)
        if wrong is not None:
            report.wrong = {"version": number, "reason": wrong.reason, "message": str(wrong)}
            return report
        report.versions, report.head = number, auditor.head.hex()
        if progress is not None:
            progress(number, len(records))
    if not records:
        report.wrong = {"version": 0, "reason": "NO_RECORDS", "message": "there is nothing to verify"}
    elif head is not None and head != auditor.head:
        message = (
            f"the head after version {len(records)} is {auditor.head.hex()}, not {head.hex()}: records are missing"
        )
        report.wrong = {"version": len(records), "reason": "HEAD_MISMATCH", "message": message}
    elif versions is not None and versions != len(records):
        message = f"there are {len(records)} records, not {versions}"
        report.wrong = {"version": len(records), "reason": "VERSIONS_MISMATCH", "message": message}
    return report


def _disclosed_key(records: Sequence[bytes]) -> bytes | None:
    """The key that the first end among the records discloses; None when there is no end, or no key to be read in it."""
    for raw in records:
        try:
            payloads = log_pb2.Record.FromString(raw).events
        except DecodeError:
            continue
        for payload in payloads:
            if payload.type == PREFIX + MatchEnded.__name__:
                try:
                    return bytes.fromhex(lobby_codec().decode(payload).seal_key)
                except (CorruptHistory, ValueError):
                    return None
    return None
