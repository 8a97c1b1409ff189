"""Red Vengeance's ready set-up: every unit in its place, the lines held, and what a set-up is refused for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from stavka.games.red_vengeance.charts import Data, ScenarioDatum
from stavka.games.red_vengeance.check import check_setup
from stavka.games.red_vengeance.datum import UnitDatum
from stavka.kernel.errors import DataError

from tests.games.red_vengeance.field import beside


class TestReadySetup:
    """RV 3.1 to RV 3.4."""

    def test_every_unit_that_starts_on_the_map_is_placed(self, data: Data, campaign: ScenarioDatum) -> None:
        starting = {u.id for u in data.units.values() if u.starts_on_map}
        starting |= {c.id for c in data.commanders.values() if c.arrival == 0}
        assert set(campaign.setup) == starting

    def test_stacks_hold_at_most_two_units_and_one_side(self, data: Data, campaign: ScenarioDatum) -> None:
        stacks: dict[str, list[UnitDatum]] = {}
        for id, at in campaign.setup.items():
            if id in data.units:
                stacks.setdefault(at, []).append(data.units[id])
        assert all(len(units) <= 2 and len({u.side for u in units}) == 1 for units in stacks.values())

    def test_each_line_is_held(self, data: Data, campaign: ScenarioDatum) -> None:
        held = {at for id, at in campaign.setup.items() if id in data.units}
        assert set(data.map.marked("axis_line")) <= held
        facing = {
            other.id
            for id in data.map.marked("axis_line")
            for other in beside(data, data.map.hex(id))
            if other.control == "allied"
        }
        assert facing <= held

    def test_romanians_stand_in_romania(self, data: Data, campaign: ScenarioDatum) -> None:
        for id, at in campaign.setup.items():
            if id.startswith("rom-"):
                assert data.map.hex(at).country == "romania"

    def test_turns(self, campaign: ScenarioDatum) -> None:
        months = [(t.year, t.month) for t in campaign.turn]
        assert months == [(1944, m) for m in range(6, 13)] + [(1945, m) for m in range(1, 5)]

    @pytest.mark.parametrize(
        ("changes", "key"),
        [
            ({"ger-xxviii": "0108"}, "setup.ger-xxviii"),
            ({"ger-xlii": "0107"}, "setup.ger-xlii"),
            ({"rom-3": "0206"}, "setup.rom-3"),
            ({"hun-3": "2515"}, "setup.hun-3"),
            ({"sov-28": "2602"}, "setup.sov-28"),
            ({"ger-lxix": "2925"}, "setup.ger-lxix"),
            ({"ger-vi": "0206"}, "setup"),
            ({"sov-28": "1405"}, "setup"),
            ({"sov-51": "0106"}, "setup.sov-51"),
            ({"sov-28": "9999"}, "setup.sov-28"),
        ],
    )
    def test_illegal_setups_are_refused(
        self, data: Data, campaign: ScenarioDatum, changes: dict[str, str], key: str
    ) -> None:
        with pytest.raises(DataError) as refused:
            check_setup(data, replace(campaign, setup={**campaign.setup, **changes}))
        assert (refused.value.file, refused.value.key) == ("scenarios/campaign.toml", key)

    def test_missing_unit_is_refused(self, data: Data, campaign: ScenarioDatum) -> None:
        setup = {id: at for id, at in campaign.setup.items() if id != "zhukov"}
        with pytest.raises(DataError) as refused:
            check_setup(data, replace(campaign, setup=setup))
        assert refused.value.key == "setup.zhukov"
