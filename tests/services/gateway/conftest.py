from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.runtime import installed
from tests.support.skirmish import game

from .stand import Stand, stand


@pytest.fixture(autouse=True)
def skirmish() -> Iterator[None]:
    with installed(game()):
        yield


@pytest.fixture
async def live() -> AsyncIterator[Stand]:
    async with stand() as running:
        yield running
