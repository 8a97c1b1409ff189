"""Fixtures: the made-up game installed, and its runtime on a log in memory. A conftest takes them in by name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from stavka.bus.memory import MemoryLog

from .runtime import Runtime, installed, runtime
from .skirmish import game


@pytest.fixture(autouse=True)
def skirmish() -> Iterator[None]:
    with installed(game()):
        yield


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Runtime]:
    async with runtime(MemoryLog(), tmp_path) as live:
        yield live
