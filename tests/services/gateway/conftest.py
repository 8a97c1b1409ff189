from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.skirmish_table import skirmish

from .stand import Stand, stand

__all__ = ["live", "skirmish"]


@pytest.fixture
async def live() -> AsyncIterator[Stand]:
    async with stand() as running:
        yield running
