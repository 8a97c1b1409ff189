"""Victory in Europe's blocks and kinds of units: printed labels, targets, and who has how many of them."""

from __future__ import annotations

from collections import Counter

import pytest
from stavka.games.victory_in_europe import load


class TestBlocks:
    """VE 2.0 to VE 2.6."""

    def test_guard_label(self) -> None:
        """VE 2.4, VE 2.6: the one label that is printed whole, movement rating included."""
        guard = load.blocks()["sov_guard_1"]
        assert (guard.steps, guard.fire_class, guard.fire, guard.cost, guard.move, guard.year) == (
            4,
            "D",
            2,
            2,
            2,
            1942,
        )
        assert guard.printed == {"name", "steps", "fire", "cost", "move", "year"}

    @pytest.mark.parametrize(
        ("block", "label"),
        [
            ("ger_fa_me109_1", "A2"),
            ("sov_fa_i16", "B1"),
            ("ger_pz_4a", "C2"),
            ("sov_tank_1", "C2"),
            ("ger_db_ju87", "B2"),
            ("bri_hb_lancaster", "B2"),
            ("ger_nb_fw200", "B2"),
            ("usa_cv_ranger", "B2"),
            ("ger_inf_16a", "D2"),
        ],
    )
    def test_printed_firepower(self, block: str, label: str) -> None:
        """VE 2.3, VE 6.3, VE 7.21, VE Battle Example."""
        found = load.blocks()[block]
        assert f"{found.fire_class}{found.fire}" == label

    def test_fixed_firepower_against_one_target(self) -> None:
        """VE 7.21, VE 13 Malta, VE 11.33."""
        assert load.blocks()["ger_ub_1"].fire_at == {"convoy": "B2", "naval": "B1"}
        assert load.blocks()["bri_bb_nelson"].fire_at == {"submarine": "C1"}
        assert load.blocks()["bri_fort_malta"].fire_at == {"naval": "C3"}
        assert load.unit_types()["factory"].fire_at == {"air": "A1"}

    def test_other_printed_ratings(self) -> None:
        """VE 2.5, VE 5.7, VE 6.1, VE 7.8: leaders, convoys, medium bombers."""
        for block in load.blocks().values():
            if block.type.id == "leader":
                assert (block.steps, block.cost) == (2, 2)
            if block.type.id == "convoy":
                assert block.cost == 1
            if block.type.id == "medium_bomber":
                assert block.move == 4

    def test_what_is_never_rebuilt(self) -> None:
        """VE 2.2: but battlecruisers are."""
        assert {t.id for t in load.unit_types().values() if not t.rebuildable} == {"airborne", "battleship", "fortress"}
        assert Counter(b.type.id for b in load.blocks().values())["battlecruiser"] == 2

    def test_tanks_are_german_or_soviet(self) -> None:
        """VE 2.6: only they have armor, one battlecruiser each for Britain and Germany."""
        for block in load.blocks().values():
            if block.type.id in ("panzer", "tank"):
                assert block.nation in ("germany", "soviet_union")

    def test_treated_as_infantry(self) -> None:
        """VE 2.6."""
        kinds = {t.id for t in load.unit_types().values() if t.infantry}
        assert kinds == {"infantry", "airborne", "shock", "marine", "cavalry", "guard"}

    def test_target_table(self) -> None:
        """VE 5.4, VE Target Type: the printed rows."""
        types = load.unit_types()
        rows = {
            "fighter": ({"air"}, {"army", "naval", "submarine"}),
            "heavy_bomber": ({"factory"}, {"air", "army"}),
            "medium_bomber": ({"factory", "army"}, set()),
            "dive_bomber": ({"army"}, {"air", "naval", "submarine"}),
            "naval_bomber": ({"naval", "submarine"}, {"air", "army"}),
            "carrier": ({"naval", "submarine"}, {"air", "army"}),
            "submarine": ({"convoy"}, {"naval"}),
            "battleship": ({"naval"}, {"air", "army"}),
        }
        for name, (primary, secondary) in rows.items():
            assert (types[name].primary, types[name].secondary) == (primary, secondary), name
        assert {t.id for t in types.values() if t.bombards} == {"carrier", "battleship", "battlecruiser"}

    def test_every_minor_has_a_garrison(self) -> None:
        """VE 2.1, VE 10.3, VE 13 France: Vichy's is printed."""
        nations = Counter(b.nation for b in load.blocks().values())
        for country in load.countries().values():
            assert (country.kind == "territory") == (nations[country.id] == 0)
        vichy = load.countries()["vichy"].deploy
        assert [(area, steps) for area, _, steps in vichy] == [
            ("lyon", 3),
            ("marseilles", 2),
            ("algiers", 2),
            ("tunis", 2),
        ]
        for area, block, steps in vichy:
            assert load.blocks()[block].steps == steps, area
