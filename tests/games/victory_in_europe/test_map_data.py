"""Victory in Europe's map: areas, borders, coasts, special links, resources, factories."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from stavka.games.victory_in_europe import datafiles, load

from .atlas import MAP, neighbours


class TestMap:
    """VE 1.0 to VE 1.9."""

    def test_counts(self) -> None:
        """VE 1.0, VE 1.6, VE 1.61, VE 7.11: four oceans and four convoy zones."""
        assert Counter(a.kind for a in MAP.areas.values()) == {"land": 152, "sea": 27, "ocean": 4, "convoy": 4}

    def test_borders_and_sea_links_are_symmetric(self) -> None:
        """VE 1.1."""
        for table in (MAP.borders, MAP.sea_links):
            for here, row in table.items():
                assert here not in row
                for there, link in row.items():
                    assert table[there][here] is link

    def test_everything_is_reachable(self) -> None:
        """VE 1.0."""
        seen, todo = {"berlin"}, ["berlin"]
        while todo:
            for near in neighbours(todo.pop()) - seen:
                seen.add(near)
                todo.append(near)
        assert seen == set(MAP.areas)

    def test_stacking_follows_terrain(self) -> None:
        """VE 1.11, VE 1.12, VE 1.13, VE 1.14, VE 1.15; no limit in Canada, the USA and the Urals (VE 13 Canada)."""
        for area in MAP.areas.values():
            if not area.is_land:
                assert area.stacking == 3
            elif area.id in ("canada", "usa", "urals"):
                assert area.stacking is None
            elif area.small_island:
                assert area.stacking == 1
            else:
                assert area.stacking == load.terrain()[area.terrain].stacking
        islands = {a.id for a in MAP.areas.values() if a.small_island}
        assert islands == {"gibraltar", "malta", "majorca", "rhodes", "scapa_flow"}

    def test_border_limits_follow_border_terrain(self) -> None:
        """VE 1.1, VE 1.14, VE 1.2, VE 1.3, VE 13 Egypt, VE 13 Gibraltar, VE 13 Soviet Union."""
        special = {("cairo", "mersa_matruh"): 1, ("gibraltar", "granada"): 1, ("canada", "usa"): None}
        for row in MAP.borders.values():
            for border in row.values():
                expected = load.terrain()[border.terrain].border
                if "urals" in (border.a, border.b):
                    expected = 1
                assert border.limit == special.get((border.a, border.b), expected), border

    def test_rivers_freeze_only_inside_the_late_winter(self) -> None:
        """VE 3.44: the Dniester does not; VE 13 Soviet Union: nor does the Kama where the Urals begin."""
        frozen = [b for row in MAP.borders.values() for b in row.values() if b.freezes]
        assert frozen
        for border in frozen:
            assert border.terrain == "river"
            assert MAP.areas[border.a].late_winter and MAP.areas[border.b].late_winter
        dniester = [b for row in MAP.borders.values() for b in row.values() if b.name == "Dniester"]
        assert dniester and not any(b.freezes for b in dniester)
        assert not any(border.freezes for border in MAP.borders["urals"].values())

    @pytest.mark.parametrize(
        ("country", "areas"),
        [("egypt", 3), ("greece", 2), ("baltic_states", 2), ("eastern_poland", 3), ("vichy", 7), ("denmark", 1)],
    )
    def test_printed_numbers_of_areas(self, country: str, areas: int) -> None:
        """VE 13 Egypt, VE 13 Greece, VE 13 Baltic States, VE 13 Poland, VE 13 France, VE 13 Denmark."""
        assert len(load.countries()[country].areas) == areas

    def test_mountain_areas_that_the_print_names(self) -> None:
        """VE 13 Albania, VE 13 Britain, VE 13 Greece."""
        for area in ("albania", "scotland", "wales", "athens", "crete"):
            assert MAP.areas[area].terrain == "mountain"

    def test_coasts(self) -> None:
        """VE 1.43, VE 7.16, VE 13 Denmark, VE 7.5: where ports open, and what cannot be invaded."""
        assert [c.seas for c in MAP.areas["denmark"].coasts] == [("north_sea",), ("skaggerak",), ("baltic_sea",)]
        assert len(MAP.areas["gothenburg"].coasts) == len(MAP.areas["granada"].coasts) == 2
        assert set(MAP.areas["brest"].seas) == {"english_channel", "bay_of_biscay"}
        for area in ("netherlands", "usa", "canada", "newfoundland"):
            assert not any(coast.invadable_from for coast in MAP.areas[area].coasts)
        assert MAP.areas["hamburg"].coasts[0].invadable_from == {"baltic_sea"}

    def test_red_ports_lie_in_the_middle_east_and_cannot_be_invaded(self) -> None:
        """VE 1.45, VE 8.8."""
        red = {a.id for a in MAP.areas.values() if any(c.kind == "red" for c in a.coasts)}
        assert red and red <= MAP.middle_east
        assert not any(c.invadable_from for a in red for c in MAP.areas[a].coasts if c.kind == "red")

    def test_passages(self) -> None:
        """VE 7.14, VE 13 Turkey, VE 13 Gibraltar, VE 13 Germany, VE 13 Denmark."""
        by_id = {p.id: (here, there) for here, row in MAP.sea_links.items() for there, p in row.items() if p}
        assert set(by_id["dardanelles"]) == {"aegean_sea", "sea_of_marmara"}
        assert set(by_id["bosporus"]) == {"sea_of_marmara", "west_black_sea"}
        assert set(by_id["gibraltar"]) == {"gulf_of_cadiz", "west_mediterranean"}
        assert set(by_id["kiel_canal"]) == {"north_sea", "baltic_sea"}
        assert set(by_id["denmark"]) == {"skaggerak", "baltic_sea"}

    def test_special_links(self) -> None:
        """VE 1.62, VE 1.8, VE 1.9, VE 3.43."""
        assert set(MAP.leads["trondheim"]) == {"bergen", "narvik"}
        assert MAP.alternate_supply == {"britain": "canada", "soviet_union": "urals"}
        assert MAP.lake_supply == {"leningrad": ("kalinin",), "kalinin": ("leningrad",)}
        assert "kalinin" not in MAP.borders["leningrad"]
        assert MAP.freezing_seas == {"gulf_of_bothnia", "gulf_of_finland", "white_sea"}

    def test_every_area_is_drawn(self) -> None:
        """VE 1.0: one polygon an area, and nothing else."""
        drawing = json.loads((datafiles.DATA / "areas.geojson").read_text("utf-8"))
        assert sorted(f["id"] for f in drawing["features"]) == sorted(MAP.areas)

    def test_printed_spellings_lead_to_the_area(self) -> None:
        """VE 13 France, VE 13 Turkey, VE Sealion Example."""
        for name, area in {"Portsmouth": "southampton", "Milan/Genoa": "milan", "Mysiia": "mysia"}.items():
            assert MAP.by_name[name] == area
        assert MAP.by_name["Marseilles/Toulon"] == MAP.by_name["Toulon"] == "marseilles"

    def test_neutrals_of_one_capital(self) -> None:
        """VE 13 Bulgaria, VE 13 Spain, VE 13 Switzerland, VE 13 Syria: nobody's, and Syria is no part of Vichy."""
        capitals = {"bulgaria": "sofia", "spain": "madrid", "switzerland": "switzerland", "syria": "syria"}
        for name, capital in capitals.items():
            country = load.countries()[name]
            assert (country.kind, country.side, country.capital) == ("minor", "neutral", capital)
            assert MAP.areas[capital].country == name
        assert "syria" not in load.countries()["vichy"].areas
        assert len(load.countries()["switzerland"].areas) == len(load.countries()["syria"].areas) == 1

    def test_french_africa_goes_to_vichy(self) -> None:
        """VE 13 Morocco, VE 13 Tunisia: French at first; the Mareth line is a fortified border."""
        for name, area in {"morocco": "morocco", "tunisia": "tunis"}.items():
            country = load.countries()[name]
            assert (country.kind, country.owner) == ("territory", "france")
            assert area in load.countries()["vichy"].areas and MAP.areas[area].owner == "france"
        mareth = MAP.borders["tripoli"]["tunis"]
        assert (mareth.name, mareth.terrain, mareth.limit) == ("Mareth line", "fortified", 1)

    def test_homelands(self) -> None:
        """VE 1.16, VE 11.31: every factory city lies in a homeland or a conquerable country."""
        for area in ("vienna", "prague", "bratislava"):
            assert MAP.areas[area].homeland == "germany"
        for area in ("belfast", "canada", "newfoundland"):
            assert MAP.areas[area].homeland == "britain"
        for area in ("riga", "lithuania", "bessarabia", "vilna", "cairo"):
            assert not MAP.areas[area].homeland


class TestEconomy:
    """VE 1.5, VE 11.0: printed totals."""

    def total(self, country: str) -> int:
        return sum(a.resource for a in MAP.areas.values() if a.is_land and a.owner == country)

    def test_germany_has_eleven_resources(self) -> None:
        """VE 11.0, VE 13 Germany, VE 13 Sweden, VE 13 Romania: imports included."""
        imports = {
            c.id: amount for c in load.countries().values() for power, _, amount in c.exports if power == "germany"
        }
        assert imports == {"sweden": 2, "romania": 2, "soviet_union": 1}
        assert self.total("germany") + sum(imports.values()) == 11

    def test_britain_has_seven_resources(self) -> None:
        """VE 7.82: four at home, two in Canada, one by convoy."""
        home = [a for a in MAP.areas.values() if a.country == "britain"]
        assert sum(a.resource for a in home) == 4
        assert MAP.areas["canada"].resource == 2
        convoy = next(u for u in load.scenario("campaign_1939").units if u.block == "bri_convoy_c")
        assert self.total("britain") + convoy.steps == 7

    def test_factories_of_1939(self) -> None:
        """VE 11.0, VE 13 Canada, VE 13 Soviet Union."""
        owners: Counter[str] = Counter()
        for factory in load.scenario("campaign_1939").factories:
            owners[factory.owner] += factory.steps
        assert owners["germany"] == load.countries()["germany"].values["factories_1939"] == 10
        assert owners["britain"] == 7
        at = {f.area: f.steps for f in load.scenario("campaign_1939").factories}
        assert at["canada"] == at["urals"] == 2

    def test_factories_of_the_united_states(self) -> None:
        """VE 13 United States."""
        assert load.countries()["united_states"].values["factories_while_neutral"] == 8
        totals = [sum(f.steps for f in load.scenario(s).factories if f.area == "usa") for s in load.scenarios()]
        assert totals == [0, 5, 8, 12, 12]
        assert MAP.areas["usa"].resource == MAP.areas["usa"].factory_max == 16

    def test_resources_lie_between_one_and_sixteen(self) -> None:
        """VE 1.5, VE 1.42, VE 13 Hungary."""
        values = [a.resource for a in MAP.areas.values() if a.resource]
        assert min(values) == 1 and max(values) == 16
        assert MAP.areas["balaton"].resource == 1
        assert all(a.factory_max > 0 for a in MAP.areas.values() if a.major_city)

    def test_capitals(self) -> None:
        """VE 1.41: one in each country that is not a territory."""
        for country in load.countries().values():
            if country.kind == "territory":
                assert not country.capital and country.owner
            else:
                assert MAP.areas[country.capital].capital_of in (country.id, "vichy")
