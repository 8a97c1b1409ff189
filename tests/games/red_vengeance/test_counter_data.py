"""Red Vengeance's counters: how many, printed strengths, nations, commanders."""

from __future__ import annotations

from collections import Counter

from stavka.games.red_vengeance.charts import Data
from stavka.games.red_vengeance.datum import UnitDatum


def profile(unit: UnitDatum) -> tuple[int, int, int]:
    return unit.strength, unit.movement, unit.reduced


class TestCounters:
    """RV 2.0."""

    def test_counters_add_up_to_140(self, data: Data) -> None:
        markers = sum(marker.count for marker in data.markers)
        assert (len(data.units), len(data.commanders), markers) == (128, 4, 8)
        assert data.counters == 140

    def test_one_naval_marker(self, data: Data) -> None:
        """RV 12.22, RV N2: it shows who controls the Baltic."""
        assert [marker.count for marker in data.markers if marker.id == "naval"] == [1]

    def test_printed_strengths(self, data: Data) -> None:
        """RV 8.43, RV 9.1, RV 9.2."""
        profiles: dict[tuple[str, str], Counter[tuple[int, int, int]]] = {}
        for unit in data.units.values():
            profiles.setdefault((unit.nation, unit.branch), Counter())[profile(unit)] += 1
        assert any(full[:2] == (4, 3) for full in profiles["soviet", "infantry"])
        assert set(profiles["soviet", "armor"]) == {(6, 5, 3)}
        assert any(full[1:] == (5, 2) for full in profiles["german", "armor"])
        assert profiles["german", "infantry"].most_common(1)[0][0] == (3, 3, 2)

    def test_backs_are_half_the_front_rounded_up(self, data: Data) -> None:
        for unit in data.units.values():
            assert unit.reduced == (0 if unit.steps == 1 else (unit.strength + 1) // 2), unit.id

    def test_minor_nations(self, data: Data) -> None:
        """RV 3.2, RV 11.43."""
        nations = Counter(unit.nation for unit in data.units.values())
        assert (nations["hungarian"], nations["romanian"], nations["bulgarian"], nations["polish"]) == (3, 2, 1, 2)
        assert sorted(str(u.arrival) for u in data.units.values() if u.nation == "polish") == ["0", "W"]
        hungarians = [u.setup for u in data.units.values() if u.nation == "hungarian"]
        assert sorted(hungarians) == ["2215", "2313", "axis_line"]
        assert data.units["bul-1"].setup == "3113"

    def test_one_marine_division_a_side(self, data: Data) -> None:
        """RV 11.6."""
        marines = [u for u in data.units.values() if u.branch == "marine"]
        assert sorted((u.nation, u.size, u.steps) for u in marines) == [
            ("german", "division", 1),
            ("soviet", "division", 1),
        ]
        assert all(u.size != "division" and u.steps == 2 for u in data.units.values() if u.branch != "marine")

    def test_german_units_are_corps_and_all_others_armies(self, data: Data) -> None:
        for unit in data.units.values():
            if unit.size != "division":
                assert unit.size == ("corps" if unit.nation == "german" else "army")

    def test_guards_are_soviet_infantry_with_movement_four(self, data: Data) -> None:
        """RV 6.6."""
        guards = [u for u in data.units.values() if u.is_guards]
        assert len(guards) == 11
        assert all(u.branch == "infantry" and u.nation == "soviet" and u.movement == 4 for u in guards)

    def test_ss_panzer_corps(self, data: Data) -> None:
        """RV 10.5, RV 11.9: II SS is on the map before November, I SS comes in February."""
        first, second = data.units["ger-i-ss-pz"], data.units["ger-ii-ss-pz"]
        assert first.ss and second.ss
        assert first.branch == second.branch == "armor"
        assert (first.arrival, second.arrival) == (9, 0)

    def test_axis_starts_with_more_armor(self, data: Data) -> None:
        armor = Counter(u.side for u in data.units.values() if u.branch == "armor" and u.starts_on_map)
        assert armor["axis"] > armor["allied"] > 0

    def test_both_lines_can_be_manned_within_stacking(self, data: Data) -> None:
        for mark in ("axis_line", "allied_line"):
            assert 34 <= sum(u.setup == mark for u in data.units.values()) <= 68

    def test_reinforcements_have_a_turn_and_no_setup(self, data: Data) -> None:
        for unit in data.units.values():
            assert unit.starts_on_map == (unit.arrival in (0, "Y")), unit.id
            assert unit.arrival != 1, unit.id


class TestCommanders:
    """RV 11.21 to RV 11.27."""

    def test_printed_modifiers_and_movement(self, data: Data) -> None:
        """RV N1, RV N4: as the text has them, for the counters bear names only; each has allowances of his own."""
        found = {c.id: (c.attack, c.defense, c.movement, c.exploitation, c.arrival) for c in data.commanders.values()}
        assert found == {
            "zhukov": (2, 2, 5, 3, 0),
            "konev": (2, 1, 5, 3, 0),
            "tito": (1, 2, 4, 1, 0),
            "dietrich": (1, 1, 6, 3, 9),
        }

    def test_hitler(self, data: Data) -> None:
        hitler = data.hitler
        assert (hitler.hex, hitler.attack, hitler.defense, hitler.defense_with_ss) == ("1422", 1, 1, 2)
        assert (hitler.suicide_attack_without_hit, hitler.suicide_hit, hitler.suicide_surrounded) == (6, 5, 4)
