"""The proof that projections equal the log: fold the log afresh, read everything back from the store, compare."""

from __future__ import annotations

from collections.abc import Iterable

from stavka.match.fold import MatchFold, Verdict, advance, judge, partition_of
from stavka.match.ports import EVENTS, Log
from stavka.views import position
from stavka.views.store import ProjectionSink
from stavka.wire.gen.stavka.log.v1 import log_pb2

from .fold import Projection
from .projector import Projector
from .stretch import stretch

PAGE = 512  # records


async def rebuild(log: Log, sink: ProjectionSink, sealing_key: bytes, partitions: Iterable[int]) -> list[str]:
    """Forget the projections of these partitions, write them again from the log, and prove them.

    Returns:
        Differences, one line each; none when the store equals the fold.

    Raises:
        LogUnavailable, StoreUnavailable: begin again.
    """
    wanted = frozenset(partitions)
    await sink.delete({match_id: None for match_id in await sink.heads() if partition_of(match_id) in wanted})
    await Projector(log, sink, sealing_key, wanted).settle()
    return await differences(log, sink, sealing_key, wanted)


async def differences(log: Log, sink: ProjectionSink, sealing_key: bytes, partitions: Iterable[int]) -> list[str]:
    """Where the store differs from the log's fold as it stands when this begins. Versions that came since are left out.

    For every match: each record by its place in the hash chain, the position folded from the store's records, the
    stored position, and the index entry. Raises as `rebuild`.
    """
    wanted = frozenset(partitions)
    stored = [match_id for match_id in await sink.heads() if partition_of(match_id) in wanted]
    projection = Projection(sealing_key)
    async for chunk in stretch(log, {}, {partition: await log.end(EVENTS, partition) for partition in wanted}):
        projection.fold(chunk)
    found = [f"{match_id}: not in the log" for match_id in sorted(set(stored) - set(projection.book.matches))]
    for match_id in sorted(projection.book.matches):
        found += [f"{match_id}: {what}" for what in await _differs(match_id, projection, sink, sealing_key)]
    return found


async def _differs(match_id: str, projection: Projection, sink: ProjectionSink, sealing_key: bytes) -> list[str]:
    due = projection.book.matches[match_id]
    entry, stored = await sink.entry(match_id), await sink.position(match_id)
    if entry is None or stored is None:
        return ["not in the store"]
    found: list[str] = []
    fold = MatchFold(match_id)
    while fold.version < due.version:
        raws = await sink.records(match_id, fold.version, min(PAGE, due.version - fold.version))
        if not raws:
            return [*found, f"record {fold.version + 1} is missing"]
        for raw in raws:
            record = log_pb2.Record.FromString(raw)
            if judge(fold, record) is not Verdict.ACCEPTED:
                return [*found, f"record {fold.version + 1} is not the log's"]
            advance(fold, record, raw, sealing_key)
            if fold.version == stored.version and fold.state is not None:
                restored = position.decode(stored.blob)
                if restored is None or position.canonical(restored) != position.canonical(fold.state):
                    found.append(f"the stored position at version {fold.version} is not the fold's")
    if fold.head != due.head:
        found.append(f"head {fold.head.hex()} instead of {due.head.hex()}")
    if due.state is not None and (
        fold.state is None or position.canonical(fold.state) != position.canonical(due.state)
    ):
        found.append(f"the position at version {due.version} is not the fold's")
    if entry.version == due.version and entry != projection.entry(match_id):
        found.append("the index entry is not the fold's")
    if entry.version < due.version:
        found.append(f"it stands at version {entry.version} instead of {due.version}")
    return found
