"""The projector process: keeps the projections equal to the log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from stavka.match.ports import PARTITIONS, Log
from stavka.views.store import ProjectionSink

from .projector import Projector
from .proof import differences, rebuild

__all__ = ["Projector", "differences", "rebuild", "serve"]


async def serve(
    log: Log,
    sink: ProjectionSink,
    sealing_key: bytes,
    partitions: Iterable[int] = range(PARTITIONS),
    settled: asyncio.Event | None = None,
) -> None:
    """Run a projector until cancelled. `settled` is set when the store has become equal to the log (readiness).

    Log or store being away is waited out. Log and sink stay the caller's to close.
    """
    await Projector(log, sink, sealing_key, partitions).run(settled)
