"""A load generator: a process of its own that submits written-down commands over gRPC and times their outcomes.

    python -m tests.bench.generator < order.json > report.json

It knows no rules and asks the server nothing but this: after a command that leads to automatic progress it polls
GetMatch until the match has come to the version of its next command. That wait is counted in `waited_ms`, apart.

closed   every slot submits its next command when the last one has been answered
open     commands are due evenly, slot after slot; an outcome's time counts from the moment its command was due, also
         when the slot's last answer came late. Waiting for automatic progress moves the slot's later commands back.

Requests are bytes, put together of parts made beforehand, so that a call costs little more than gRPC itself.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import grpc
import msgspec
from stavka.client.structs import to_struct
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

CHANNELS: Final = 4
DEADLINE: Final = 60.0  # seconds
BUSY: Final = 0.05  # seconds before a command is sent again that a limit or a lost call held up
POLL: Final = 0.001  # seconds between two looks at a match; doubles up to POLL_CAP
POLL_CAP: Final = 0.02
AGAIN: Final = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED}
)


@dataclass
class Seated:
    """A match that is played, the tokens of its seats, that of somebody who sees every version, and the script's next line."""

    match_id: str
    tokens: dict[str, str]
    watcher: str
    at: int = 0


@dataclass
class Order:
    """What to do. A slot is one live match at a time: when the script is through, the slot's next match follows.

    `rate` is commands a second of all slots together (open only); `warm` and `seconds` are seconds, of which the
    first are not counted.
    """

    address: str
    script: list[dict[str, Any]]
    slots: list[list[Seated]]
    mode: Literal["closed", "open"]
    warm: float
    seconds: float
    rate: float = 0.0


@dataclass
class Report:
    """Outcomes inside of the counted time. `samples`: (slot, line, ms), one for each accepted command."""

    seconds: float = 0.0
    samples: list[tuple[int, int, float]] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    again: dict[str, int] = field(default_factory=dict)
    waited_ms: list[float] = field(default_factory=list)
    ran_dry: int = 0
    slots: list[list[Seated]] = field(default_factory=list)


@dataclass
class Run:
    """One run. Times are of the event loop's clock, in seconds."""

    order: Order
    report: Report
    submit: Sequence[Callable[..., Awaitable[bytes]]]
    look: Sequence[Callable[..., Awaitable[bytes]]]
    parts: list[bytes]
    begin: float = 0.0
    end: float = 0.0

    def counts(self, now: float) -> bool:
        return self.begin <= now < self.end


async def slot(run: Run, number: int) -> None:
    """Play the slot's matches until the time is over."""
    clock = asyncio.get_running_loop().time
    start, played = clock(), 0
    step = len(run.order.slots) / run.order.rate if run.order.rate else 0.0
    due = start + step * number / len(run.order.slots)
    for seated in run.order.slots[number]:
        while seated.at < len(run.parts):
            line = run.order.script[seated.at]
            if step:
                await asyncio.sleep(max(0.0, due - clock()))
            if played == 0 or run.order.script[seated.at - 1]["version"] + 1 != line["version"]:
                waited = await _until(run, number, seated, line["version"])
                due = max(due, clock())
                if run.counts(clock()):
                    run.report.waited_ms.append(waited * 1000)
            since = due if step else clock()
            if clock() >= run.end:
                return
            refusal = await _submit(run, number, seated, line["seat"])
            now = clock()
            if refusal:
                run.report.refused[refusal] = run.report.refused.get(refusal, 0) + 1
                break  # the match has left the script: go on with another one
            if run.counts(now):
                run.report.samples.append((number, seated.at, (now - since) * 1000))
            seated.at += 1
            due += step
            played += 1
    run.report.ran_dry += 1


async def _submit(run: Run, number: int, seated: Seated, seat: str) -> str:
    """Submit the match's next line until its outcome is known; the refusal's code, or "" when it was accepted."""
    ids = pb.SubmitCommandRequest(match_id=seated.match_id, command_id=f"line-{seated.at}").SerializeToString()
    metadata = (("authorization", f"Bearer {seated.tokens[seat]}"),)
    while True:
        try:
            await run.submit[number % CHANNELS](run.parts[seated.at] + ids, metadata=metadata, timeout=DEADLINE)
        except grpc.aio.AioRpcError as error:
            if error.code() not in AGAIN:
                return f"{error.code().name}: {error.details()}"
            code = error.code().name
            run.report.again[code] = run.report.again.get(code, 0) + 1
            await asyncio.sleep(BUSY)
        else:
            return ""


async def _until(run: Run, number: int, seated: Seated, version: int) -> float:
    """Wait until the match has come to a version; seconds that it took."""
    clock = asyncio.get_running_loop().time
    request = pb.GetMatchRequest(match_id=seated.match_id).SerializeToString()
    metadata = (("authorization", f"Bearer {seated.watcher}"),)
    start, pause = clock(), POLL
    while clock() < max(run.end, start + DEADLINE):
        try:
            answer = await run.look[number % CHANNELS](request, metadata=metadata, timeout=DEADLINE)
            if pb.GetMatchResponse.FromString(answer).match.version >= version:
                return clock() - start
        except grpc.aio.AioRpcError as error:
            if error.code() not in AGAIN:
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, POLL_CAP)
    raise TimeoutError(f"{seated.match_id} has not come to version {version} in {DEADLINE:g} s")


async def carry_out(order: Order) -> Report:
    options = (("grpc.use_local_subchannel_pool", 1),)
    channels = [grpc.aio.insecure_channel(order.address, options=options) for _ in range(CHANNELS)]
    service = "/stavka.match.v1.MatchService/"
    parts = [
        pb.SubmitCommandRequest(
            seat=line["seat"], command=line["command"], arguments=to_struct(line["arguments"])
        ).SerializeToString()
        for line in order.script
    ]
    run = Run(
        order, Report(slots=order.slots), [c.unary_unary(service + "SubmitCommand", None, None) for c in channels],
        [c.unary_unary(service + "GetMatch", None, None) for c in channels], parts,
    )  # fmt: skip
    try:
        for channel in channels:
            await channel.channel_ready()
        run.begin = asyncio.get_running_loop().time() + order.warm
        run.end = run.begin + order.seconds
        await asyncio.gather(*(slot(run, number) for number in range(len(order.slots))))
        ended = asyncio.get_running_loop().time()
    finally:
        for channel in channels:
            await channel.close(None)
    run.report.seconds = min(ended, run.end) - run.begin
    return run.report


def main() -> None:
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    json.dump(asdict(asyncio.run(carry_out(order))), sys.stdout)


if __name__ == "__main__":
    main()
