from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.runtime import installed
from tests.views.ambush import game


@pytest.fixture(autouse=True, scope="module")
def ambush() -> Iterator[None]:
    with installed(game()):
        yield
