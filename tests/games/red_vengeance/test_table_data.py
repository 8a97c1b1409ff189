"""Red Vengeance's charts: terrain, weather, air power, the Baltic, replacements, victory, options; and the rulebook."""

from __future__ import annotations

from collections import Counter

from stavka.games.red_vengeance.charts import Data
from stavka.games.red_vengeance.load import rulebook


class TestTerrain:
    """RV 9.1."""

    def test_movement_costs(self, data: Data) -> None:
        """RV 6.2, RV N3: rough hexes after the chart."""
        costs = {t.id: (t.foot, t.mountain, t.mechanized) for t in data.terrain.values() if t.foot is not None}
        assert costs == {
            "clear": (1, 1, 1),
            "rough": (2, 1, 3),
            "swamp": (2, 2, 3),
            "forest": (1, 1, 2),
            "river": (0, 0, 1),
        }

    def test_defender_bonuses(self, data: Data) -> None:
        """RV N3: rough hexes after the chart."""
        bonus = {t.id: (t.defender_each, t.defender_total) for t in data.terrain.values()}
        assert {id: both for id, both in bonus.items() if both != (0, 0)} == {
            "rough": (1, 0),
            "swamp": (0, 1),
            "forest": (0, 1),
            "major_city": (0, 1),
        }

    def test_attacker_penalties(self, data: Data) -> None:
        """RV N7: armor that attacks out of a swamp is halved, as the text says."""
        penalty = {t.id: (t.attacker_each, t.attacker_armor, t.halve_armor_from) for t in data.terrain.values()}
        assert {id: all_three for id, all_three in penalty.items() if all_three != (0, 0, False)} == {
            "swamp": (0, 0, True),
            "small_city": (0, -1, False),
            "major_city": (0, -1, False),
            "fortress": (-1, 0, False),
            "river": (-1, 0, False),
        }
        assert data.terrain["fortress"].hit_from == 5
        assert data.terrain["clear"].hit_from == 6
        assert data.terrain["swamp"].snow_as == "clear"


class TestTables:
    def test_historical_weather(self, data: Data) -> None:
        """RV 13.0."""
        assert Counter(data.weather.historical) == {"clear": 4, "light_mud": 2, "mud": 2, "snow": 3}
        assert data.weather.historical[4:7] == ("light_mud", "mud", "snow")
        assert data.weather.historical[9:] == ("mud", "light_mud")

    def test_random_weather(self, data: Data) -> None:
        """RV 14.7."""
        rows = [Counter(row) for row in data.weather.random]
        assert rows[0] == rows[1] == rows[2] == {"clear": 6}
        assert rows[3] == {"clear": 5, "light_mud": 1}
        assert rows[4] == rows[9] == {"clear": 2, "light_mud": 2, "mud": 2}
        assert rows[5] == {"clear": 1, "light_mud": 1, "mud": 3, "snow": 1}
        assert rows[6] == rows[7] == rows[8] == {"snow": 6}
        assert rows[10] == {"clear": 3, "light_mud": 3}

    def test_weather_effects(self, data: Data) -> None:
        """RV 13.0."""
        kinds = data.weather.kinds
        assert {k.id: k.no_exploitation for k in kinds.values()} == {
            "clear": (),
            "light_mud": ("allied",),
            "mud": ("allied", "axis"),
            "snow": (),
        }
        assert [k.id for k in kinds.values() if k.halve_movement] == ["mud"]
        assert [k.id for k in kinds.values() if k.halve_attack] == ["snow"]
        assert [k.id for k in kinds.values() if k.armor_zoc_limit] == ["light_mud", "mud"]
        assert kinds["snow"].exploitation_mp == -1

    def test_air_power(self, data: Data) -> None:
        """RV 12.1."""
        assert {(row.side, row.year): row.points for row in data.air_power} == {
            ("axis", 1944): (1, 0, 0, 0, 0, 0),
            ("axis", 1945): (),
            ("allied", 1944): (1, 1, 2, 2, 3, 3),
            ("allied", 1945): (1, 2, 3, 3, 4, 5),
        }

    def test_baltic_track(self, data: Data) -> None:
        """RV 12.22."""
        track = data.sea_control
        assert (track.advance.from_turn, track.advance.die) == (2, 5)
        found = {
            b.id: (
                b.defense_dice_combat,
                b.defense_dice_exploitation,
                b.attack_dice,
                b.supply,
                b.sea_moves,
                b.loss_from,
            )
            for b in track.boxes
        }
        assert list(found.items()) == [
            ("german_lake", (2, 2, 1, -1, 1, 7)),
            ("soviet_subs", (2, 2, 0, -1, 1, 5)),
            ("light_surface", (2, 0, 0, 1, 1, 4)),
            ("heavy_surface", (1, 0, 0, 0, 0, 7)),
        ]
        assert [b.marines for b in track.boxes] == [False, False, False, True]
        assert [b.sea_retreats for b in track.boxes] == [2, 2, 2, 0]
        assert (track.black_sea.attack_dice, track.black_sea.supply) == (1, 1)

    def test_replacements_are_the_same_for_both_sides(self, data: Data) -> None:
        """RV 10.2, RV 10.3."""
        rows = {
            side: [
                (r.first_turn, r.last_turn, r.armor, r.infantry, r.per_oil_field)
                for r in data.replacements
                if r.side == side
            ]
            for side in ("axis", "allied")
        }
        assert rows["axis"] == rows["allied"] == [(2, 7, 2, 2, 0), (8, 11, 0, 2, 1)]

    def test_arrival_hexes(self, data: Data) -> None:
        """RV 10.4, RV 10.11, RV 11.41, RV 11.43."""
        cities = {group: {data.map.hex(id).city.name for id in ids} for group, ids in data.reinforcements.items()}  # type: ignore[union-attr]
        assert cities == {
            "axis": {"Berlin", "Breslau", "Dresden", "Kiel", "Leipzig"},
            "allied": {"Odessa", "Kiev", "Minsk", "Vitebsk"},
            "yugoslav": {"Belgrade"},
            "polish": {"Warsaw"},
        }
        assert data.rebuilt.axis == data.reinforcements["axis"]
        assert data.rebuilt.allied_edge == "east"

    def test_victory(self, data: Data) -> None:
        """RV 15.1, RV 15.2."""
        assert {o.id: (o.hexes, o.points) for o in data.victory.objective} == {
            "berlin": (("1422",), 1),
            "vienna": (("2219",), 1),
            "prague": (("1922",), 1),
            "yugoslavia": ((), 1),
            "belgrade_zagreb": (("2818", "2624"), 1),
        }
        losses = data.victory.losses
        assert (losses.axis_half_points_per_removed, losses.axis_half_points_per_reduced) == (4, 2)
        assert (losses.allied_half_points_per_removed, losses.allied_half_points_per_reduced) == (2, 1)

    def test_options(self, data: Data) -> None:
        """RV 14.0."""
        assert [o.rule for o in data.options.values()] == [f"RV 14.{n}" for n in range(1, 9)]
        assert [o.favors for o in data.options.values()] == ["allied"] * 3 + ["axis"] * 3 + ["none"] * 2


class TestRulebook:
    def test_sections_are_numbered_once_and_titled(self) -> None:
        sections = rulebook()
        assert len({s.id for s in sections}) == len(sections) == 119
        assert all(s.title for s in sections)

    def test_notes_and_subsections_are_there(self) -> None:
        ids = {s.id for s in rulebook()}
        assert {"1.0", "6.42", "8.41", "8.65", "10.14", "11.27", "11.43", "12.22", "14.8", "15.4", "N1", "N7"} <= ids

    def test_headings_hold_subsections(self) -> None:
        ids = [s.id for s in rulebook()]
        for section in rulebook():
            if section.status == "heading":
                stem = section.id.removesuffix(".0") + "." if section.id.endswith(".0") else section.id
                assert any(id != section.id and id.startswith(stem) for id in ids), section.id
