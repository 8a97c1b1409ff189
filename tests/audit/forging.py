"""What a forger does: go on with a history, its chain in order."""

from __future__ import annotations

from collections.abc import Sequence

from stavka.match.fold import leaf_hash
from stavka.match.rulebooks import lobby_codec
from stavka.wire.gen.stavka.log.v1 import log_pb2


def continued(
    records: list[bytes],
    *,
    events: Sequence[object] = (),
    command: log_pb2.Payload | None = None,
    command_id: str = "",
    seat: str = "",
    player: str = "",
) -> list[bytes]:
    """The records with one more, well chained, that holds these events of the runtime."""
    before = log_pb2.Record.FromString(records[-1])
    record = log_pb2.Record(
        envelope_version=1,
        match_id=before.match_id,
        base_version=len(records),
        base_hash=leaf_hash(records[-1]),
        proposal_id="ab" * 16,
        ruleset=before.ruleset or "skirmish/1",
        command_id=command_id,
        seat=seat,
        player=player,
        command=command,
        events=[lobby_codec().encode(event) for event in events],
    )
    return [*records, record.SerializeToString()]


def command(name: str, data: str) -> log_pb2.Payload:
    return log_pb2.Payload(type=name, schema=1, data=data.encode())
