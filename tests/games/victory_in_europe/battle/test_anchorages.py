"""Vacant seas that a ship regroups to [VE 7.4]: they lie before its own coast [VE 7.16] or beyond an open strait [VE 7.14]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe.battle.after import Regroup

from tests.support.table import Table

from .scene import clash, fire, hold, scene


def anchorages(table: Table, block: str) -> set[str]:
    return {o.target for o in table.options("axis") if isinstance(o, Regroup) and o.block == block}


class TestOfItsOwnCoast:
    """VE 7.16: Denmark has Esbjerg, Aalborg and Copenhagen; nobody goes overland from one to the other."""

    @pytest.mark.parametrize(("coast", "sea"), [(0, "north_sea"), (1, "skaggerak"), (2, "baltic_sea")])
    def test_before_the_port_alone(self, coast: int, sea: str) -> None:
        table = scene(
            f"[axis]\ndenmark: ger_inf_1a ger_ca_1(3,coast{coast})\n[allied]\ndenmark: bri_inf_bef(1,from=skaggerak)\n"
            "[control]\ngermany: denmark\n[minors]\nconquered: denmark",
            {"denmark": clash("allied", "axis", invaded="skaggerak")},
            order=("allied", "axis"),
        )
        table = fire(hold(table, "ger_ca_1"), "ger_inf_1a", "army", 1)
        assert anchorages(table, "ger_ca_1") & {"north_sea", "skaggerak", "baltic_sea"} == {sea}
        others = {"north_sea", "skaggerak", "baltic_sea"} - {sea}
        for other in others:
            table.when(Regroup("axis", "ger_ca_1", other), "axis").refused("VE 7.4", "CANNOT_REGROUP_THERE")


class TestBeyondStraits:
    """VE 7.14: from the Skaggerak to the Baltic past Denmark, not around it by the Kiel Canal."""

    @pytest.mark.parametrize(("holder", "open_"), [("germany", True), ("denmark", False)])
    def test_past_a_friendly_denmark(self, holder: str, open_: bool) -> None:
        table = scene(
            f"[axis]\nskaggerak: ger_ca_1(from=baltic_sea)\n[allied]\nskaggerak: bri_ca_1(1)\n[control]\n{holder}: denmark",
            {"skaggerak": clash("axis", "allied")},
        )
        table = fire(hold(table, "bri_ca_1"), "ger_ca_1", "naval", 1)
        found = anchorages(table, "ger_ca_1")
        assert "north_sea" in found
        assert ("baltic_sea" in found) is open_
