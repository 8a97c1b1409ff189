"""Questions about points, rolls and victory [VE 11.1] [VE 10.2] [VE 9.0]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.cards import CARDS
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import ARBITER, SPECTATOR, Viewer, seat

from ..field import scene
from .build import WEST, factory_floor


def ask(table: Any, viewer: Viewer, question: str, **args: str) -> Any:
    return GAME.explain(table.state, viewer, question, args)


class TestProduction:
    """VE 11.1"""

    BLOCKS = "[allied]\nconvoy_c: bri_convoy_c(3)\n[factories]\nlondon: 3\ncanada: 1"

    def test_points_source_by_source(self) -> None:
        answer = ask(factory_floor(self.BLOCKS), seat("allied"), "production", power="britain")
        assert (answer["points"], answer["made"]) == (4, 4)
        assert {"place": "convoy_c", "amount": 3, "rule": "VE 7.82"} in answer["resources"]
        assert answer["factories"][0] == {"place": "london", "amount": 3, "rule": "VE 8.6"}

    def test_aid_from_others(self) -> None:
        answer = ask(factory_floor(""), ARBITER, "production", power="france")
        assert answer["aid"] == {
            "from": "britain",
            "sources": [{"place": "britain", "amount": 1, "rule": "VE 13 France"}],
        }

    @pytest.mark.parametrize("viewer", [seat("axis"), SPECTATOR], ids=["enemy", "spectator"])
    def test_others_learn_nothing(self, viewer: Viewer) -> None:
        for power in ("britain", "atlantis"):
            with pytest.raises(MalformedCommand, match="UNKNOWN_POWER"):
                ask(factory_floor(self.BLOCKS), viewer, "production", power=power)


class TestDiplomacy:
    """VE 10.2"""

    def test_what_each_seat_needs(self) -> None:
        played = {
            "axis": next(c.id for c in CARDS.values() if c.color == "black"),
            "allied": next(c.id for c in CARDS.values() if c.color == "red"),
        }
        table = scene("[axis]\nberlin: ger_inf_1a", phase="diplomacy", at_war=WEST, played=played)
        answer = ask(table, SPECTATOR, "diplomacy", country="hungary")
        assert answer["seats"]["axis"]["target"] == 7
        assert {"rule": "VE 10.2", "what": "proximity", "amount": 1} in answer["seats"]["axis"]["modifiers"]
        assert answer["seats"]["allied"]["power"] == "soviet_union"
        assert "allied" not in ask(table, SPECTATOR, "diplomacy", country="belgium")["seats"]

    def test_unknown_countries(self) -> None:
        with pytest.raises(MalformedCommand, match="UNKNOWN_COUNTRY"):
            ask(factory_floor(""), SPECTATOR, "diplomacy", country="atlantis")
        with pytest.raises(MalformedCommand, match="MISSING_ARGUMENT"):
            ask(factory_floor(""), SPECTATOR, "diplomacy")


class TestVictory:
    """VE 9.0"""

    def test_who_holds_what(self) -> None:
        answer = ask(factory_floor("[control]\ngermany: paris"), SPECTATOR, "victory")
        assert answer["axis"]["one_of"][0] == {"berlin": "axis", "paris": "axis", "london": "allied", "cairo": "allied"}
        assert answer["allied"]["all_of"]["rome"] == "italy"
        assert answer["at_the_end"] == {"rule": "VE 9.3", "berlin": "axis"}
