"""A skirmish that was played and how its records are tampered with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from stavka.bus.memory import MemoryLog

from tests.support.runtime import Runtime, installed, runtime
from tests.support.skirmish import game


@pytest.fixture(autouse=True)
def skirmish() -> Iterator[None]:
    with installed(game()):
        yield


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Runtime]:
    async with runtime(MemoryLog(), tmp_path) as live:
        yield live
