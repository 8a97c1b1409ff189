"""Load on a server: matches are created, generators are sent out, and what they report is summed up."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

import msgspec
from stavka.client import Client, channel_to
from stavka.gateway.identity import Role

from .generator import Order, Report, Seated
from .script import Script
from .servers import Server

AT_ONCE: Final = 32
"""Matches that are being created at the same time."""


@dataclass(frozen=True, slots=True)
class Load:
    """One load and what came of it.

    offered     "closed" or "open"; `rate` is what was offered a second (open only)
    accepted    commands in the counted time; `a_second` of them
    p50, p99    ms from submit (open: from when it was due) to outcome
    refused     commands that were not accepted, by code and message; `again`: calls that a limit or a lost
                connection held up
    lost        share of the proposals of the load that lost their race, 0 to 1
    waited      mean ms for automatic progress, before commands that follow it
    cpu_ms      processor time of each process for one accepted command, and of the load generators
    """

    where: str
    matches: int
    offered: str
    rate: float
    accepted: int
    a_second: float
    p50: float
    p99: float
    refused: dict[str, int]
    again: dict[str, int]
    lost: float
    waited: float
    ran_dry: int
    cpu_ms: dict[str, float]
    samples: list[tuple[int, int, float]] = field(repr=False)


async def create(server: Server, script: Script, count: int, name: str) -> list[Seated]:
    """Matches that the script fits, with every seat taken. `name` makes their players."""
    channel = channel_to(server.address)
    rolls = list(script.rolls)
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> Seated:
        async with turn:
            tokens = {seat: server.token(f"{seat}-{name}-{number}") for seat in script.seats}
            organizer = Client(channel, tokens[script.seats[0]])
            created = await organizer.create(
                script.game, script.scenario, analysis=True, script=rolls, command_id=f"{name}-{number}"
            )
            for seat, token in tokens.items():
                await Client(channel, token).take_seat(created.match_id, seat, entropy="0" * 16, command_id="sit")
            watcher = server.token(f"watcher-{name}-{number}", Role.ARBITER)
            return Seated(created.match_id, tokens, watcher)

    try:
        return list(await asyncio.gather(*(one(number) for number in range(count))))
    finally:
        await channel.close(None)


def offer(
    server: Server, script: Script, slots: Sequence[list[Seated]], mode: Literal["closed", "open"], *,
    warm: float, seconds: float, rate: float = 0.0, generators: int = 1,
) -> tuple[Load, list[list[Seated]]]:  # fmt: skip
    """Send generators out and wait for them. Returns the load and the slots as they have been left."""
    before, used = server.proposals(), _cpu(server)
    shares = [list(slots[part::generators]) for part in range(generators)]
    orders = [
        Order(server.address, [asdict(line) for line in script.lines], share, mode, warm, seconds, rate / generators)
        for share in shares if share
    ]  # fmt: skip
    reports = [_collect(child) for child in [_send_out(order) for order in orders]]
    spent = {name: after - used[name] for name, after in _cpu(server).items()}
    proposals = server.proposals() - before
    left = [own for report in reports for own in report.slots]
    samples = [sample for report in reports for sample in report.samples]
    times = sorted(ms for _, _, ms in samples)
    waits = [ms for report in reports for ms in report.waited_ms]
    load = Load(
        server.where, len(slots), mode, rate, len(samples),
        len(samples) / max(1e-9, max(report.seconds for report in reports)), quantile(times, 0.5), quantile(times, 0.99),
        _summed(report.refused for report in reports), _summed(report.again for report in reports),
        proposals["stale"] / max(1, proposals["stale"] + proposals["accepted"]), statistics.fmean(waits) if waits else 0.0,
        sum(report.ran_dry for report in reports),
        {name: 1000 * seconds / max(1, _commands(left) - _commands(slots)) for name, seconds in spent.items()}, samples,
    )  # fmt: skip
    return load, left


def _commands(slots: Iterable[list[Seated]]) -> int:
    """Commands that these matches have taken, counted or not."""
    return sum(seated.at for own in slots for seated in own)


def _cpu(server: Server) -> dict[str, float]:
    used = os.times()
    return {**server.cpu_seconds(), "generator": used.children_user + used.children_system}


def _summed(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)


def quantile(times: Sequence[float], share: float) -> float:
    """Of ascending times; nan of none."""
    return times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def _send_out(order: Order) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.generator"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    child.stdin.write(json.dumps(asdict(order)).encode())
    child.stdin.close()
    return child


def _collect(child: subprocess.Popen[bytes]) -> Report:
    assert child.stdout is not None
    with child.stdout:
        told = child.stdout.read()
    if child.wait() != 0:
        raise RuntimeError(f"a load generator ended with {child.returncode}")
    return msgspec.json.decode(told, type=Report)
