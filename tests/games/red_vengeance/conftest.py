"""The game's data as loaded, for the tests of it."""

from __future__ import annotations

import pytest
from stavka.games.red_vengeance.charts import Data, ScenarioDatum
from stavka.games.red_vengeance.load import load


@pytest.fixture
def data() -> Data:
    return load()


@pytest.fixture
def campaign(data: Data) -> ScenarioDatum:
    return data.scenarios["campaign"]
