"""Victory in Europe's data files: printed values and rows, counts, map, set-ups, decks, and the loader's complaints."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stavka.games.victory_in_europe import datafiles, load, load_map, load_setup, load_tables
from stavka.games.victory_in_europe.structures import Scenario
from stavka.kernel.errors import DataError

PRINTED_ROWS = """
# barbarossa_1941 axis
Helsinki: Finn 1A 2
Viipuri: Finn 2A 3
Oslo: Infantry 20A 1
Konigsberg: Infantry 16A 4
Konigsberg: Infantry 18A 3
Konigsberg: Panzer 4A 3
Konigsberg: Manstein 0
Warsaw: Guderian 2
# barbarossa_1941 allies
London: Infantry BEF 3
London: FA Spitfire 3
London: Montgomery 0
London: Factory 3
Birmingham: Home Guard 3
Birmingham: Polish 1A 1
Birmingham: FA Spitfire 2
Birmingham: Factory 2
# barbarossa_1941 usa
USA: Infantry 1A 1
USA: Infantry 3A 1
USA: BB Washington 1
USA: Cruiser 2
USA: Heavy Bomber (B-17) 1
USA: Factory 5
# barbarossa_1941 italy
Milan/Genoa: Infantry 1A 4
Milan/Genoa: Factory 2
Venice: Infantry 2A 3
Rome: Infantry 8A 1
Rome: Factory 1
Tripoli: Infantry 5A 3
Sicily: FA C.202 2
Sicily: Submarine 2
# barbarossa_1941 vichy
Lyon: Infantry 1A 2
Marseilles/Toulon: Cruiser 1
Algiers: ALG Infantry 1
Tunis: TUN Infantry 1
# barbarossa_1941 soviets
Belomorsk: Infantry (3-Step) 2
Leningrad: Fortress 2
Leningrad: Factory 1
Lithuania: Infantry (3-Step) 3
Lithuania: Infantry (4-Step) 3
Vilna: Tank T-34 3
Vilna: Infantry (4-Step) 3
Brest-Litovsk: Tank T-34 3
# stalingrad_1942 axis
Oulu: Infantry 20A 2
Viipuri: Finn 1A 3
Helsinki: Finn 2A 2
Oslo: Marker 0
Trondheim: Battleship 1
Berlin: Infantry 8A 2
Berlin: Panzer SS 1
Berlin: Factory 4
# stalingrad_1942 allies
London: FA Spitfire 3
London: Infantry BEF 3
London: Factory 4
Birmingham: MB Wellington 2
Birmingham: Home Guard 3
Birmingham: Polish 1A 2
Birmingham: Factory 2
Southampton: Canadian 1A 2
# stalingrad_1942 usa
USA: Patton 0
USA: Infantry 1A 2
USA: Infantry 3A 1
USA: Infantry 7A 1
USA: BB Washington 2
USA: CV Ranger 1
USA: Cruiser 3
USA: FA P-47 1
# stalingrad_1942 italy
Milan/Genoa: Factory 2
Milan/Genoa: Infantry 1A 4
Milan/Genoa: Battleship 2
Venice: Infantry 2A 3
Rome: Infantry 10A 1
Rome: Factory 1
Athens: Infantry 9A 3
El Agheila: Infantry 5A 3
# stalingrad_1942 vichy
Lyon: Infantry 1A 2
Marseilles/Toulon: Cruiser 1
Algiers: ALG Infantry 1
Tunis: TUN Infantry 1
# stalingrad_1942 soviets
Murmansk: Infantry (3-Step) 2
Kalinin: Infantry (3-Step) 3
Kalinin: Guard 1
Vologda: Infantry (3-Step) 3
Leningrad: Fortress 3
Leningrad: Factory 2
Moscow: Zhukov 2
Moscow: FA Yak-1 2
# kursk_1943 axis
Oulu: Infantry 20A 2
Viipuri: Finn 1A 3
Helsinki: Finn 2A 2
Oslo: Marker 0
Trondheim: Battleship 1
Bergen: MB He-111 3
Riga: FA Me-109 3
Warsaw: Marker 0
# kursk_1943 vichy
Lyon: Infantry 1A 2
Marseilles: Cruiser 1
# kursk_1943 allies
London: FA Spitfire 3
London: Canadian 1A 3
London: Factory 3
Southampton: Cruiser 4
Southampton: Infantry BEF 3
Liverpool: HB Lancaster 3
Liverpool: Factory 1
Liverpool: BB Nelson 3
# kursk_1943 usa
USA: Factory 12
Convoy A: Convoy A 1
Convoy A: Cruiser 3
Convoy B: Convoy B 3
Convoy B: Cruiser 3
Convoy B: CV Ranger 2
USA: Infantry 1A 2
USA: Infantry 3A 2
# kursk_1943 italy
Milan/Genoa: Factory 2
Milan/Genoa: Infantry 1A 4
Milan/Genoa: Battleship 3
Venice: Infantry 2A 3
Rome: Factory 1
Athens: Infantry 9A 3
Sicily: Infantry 10A 2
Taranto: Cruiser 3
# kursk_1943 soviets
Murmansk: Infantry (3-Step) 2
Belomorsk: Infantry (3-Step) 3
Kalinin: Guard 4
Leningrad: Fortress 3
Leningrad: Factory 2
Moscow: Zhukov 2
Moscow: FA Yak-1 3
Moscow: Guard 4
# bagration_1944 axis
Oulu: Infantry 20A 2
Viipuri: Finn 1A 3
Helsinki: Finn 2A 2
Oslo: Marker 0
Bergen: MB He-111 3
Trondheim: Battleship 1
Riga: Infantry 18A 2
Riga: Infantry 16A 3
# bagration_1944 allies
London: FA Spitfire 3
London: Canadian 1A 3
London: Factory 4
Birmingham: Polish 1A 3
Birmingham: Factory 1
Southampton: Montgomery 2
Southampton: Infantry BEF 3
English Channel: BB Nelson 4
# bagration_1944 usa
USA: Factory 12
USA: NB Catalina 2
USA: MB B-26 1
USA: FA P-51 2
USA: Infantry 9A 1
Convoy A: Convoy A 1
Convoy A: CV Ranger 2
Convoy B: Convoy B 3
# bagration_1944 soviets
Murmansk: Infantry (3-Step) 2
Belomorsk: Infantry (3-Step) 3
Leningrad: Fortress 3
Leningrad: Infantry (3-Step) 3
Leningrad: Factory 2
Novgorod: Guard 4
Novgorod: Infantry (4-Step) 3
Smolensk: Zhukov 2
"""

CUT_ROWS = """
stalingrad_1942: Prague: Factory
stalingrad_1942: USA: NB Catalina
kursk_1943: Novgorod: Infantry 18A
kursk_1943: USA: FA P-47
bagration_1944: Vilna: Infantry 3A
bagration_1944: Convoy B: Cruiser
"""

PLAYER = {
    "germany": "axis",
    "italy": "axis",
    "britain": "allies",
    "france": "allies",
    "united_states": "allies",
    "soviet_union": "soviets",
}

MAP = load.game_map()


def printed_rows() -> dict[tuple[str, str], list[tuple[str, str, int]]]:
    """(scenario, list) -> rows (location, unit, steps) in the print's order."""
    found: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for line in PRINTED_ROWS.strip().splitlines():
        if line.startswith("#"):
            scenario, key = line[1:].split()
            rows = found.setdefault((scenario, key), [])
            continue
        place, rest = line.split(": ")
        unit, steps = rest.rsplit(" ", 1)
        rows.append((place, unit, int(steps)))
    return found


def sheet(name: str) -> datafiles.ScenarioFile:
    return datafiles.check(datafiles.ScenarioFile, datafiles.read_toml(f"scenarios/{name}.toml"), name)


def player_of(country: str, scenario: Scenario) -> str:
    """Whose friend a country is: a player, or the country itself while it is neutral."""
    standing = scenario.minors.get(country, "neutral")
    return PLAYER.get(country) or (country if standing in ("neutral", "conquered") else standing)


def owner_of_block(nation: str, scenario: Scenario) -> str:
    """Free forces of conquered nations fight for Britain [VE 11.42]."""
    gone = scenario.minors.get(nation) == "conquered" or scenario.powers.get(nation) == "surrendered"
    return "britain" if gone else nation


def neighbours(area: str) -> set[str]:
    """Everything that touches an area: by land, by coast, by sea."""
    found = set(MAP.borders.get(area, ())) | set(MAP.sea_links.get(area, ())) | set(MAP.areas[area].seas)
    return found | {land for land, _ in MAP.shores.get(area, ())}


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
        """VE 3.44: the Dniester does not."""
        frozen = [b for row in MAP.borders.values() for b in row.values() if b.freezes]
        assert frozen
        for border in frozen:
            assert border.terrain == "river"
            assert MAP.areas[border.a].late_winter and MAP.areas[border.b].late_winter
        dniester = [b for row in MAP.borders.values() for b in row.values() if b.name == "Dniester"]
        assert dniester and not any(b.freezes for b in dniester)

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
        """VE 7.16, VE 13 Denmark, VE 7.5: where ports open, and what cannot be invaded."""
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


class TestBlocks:
    """VE 2.0 to VE 2.6."""

    def test_guard_label(self) -> None:
        """VE 2.6: the one label that is printed whole."""
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


class TestTables:
    """Charts of the back cover and the calendar."""

    def test_terrain_effects(self) -> None:
        """VE Terrain Effects."""
        rows = {name: (t.stop, t.stacking, t.border, t.defense) for name, t in load.terrain().items()}
        assert rows["clear"] == ("none", 3, 2, "none")
        assert rows["forest"] == ("enemy", 2, 1, "fire")
        assert rows["desert"] == ("none", 2, 2, "none")
        assert rows["mountain"] == ("area_or_border", 2, 1, "double")
        assert load.terrain()["river"].border_frozen == 2

    @pytest.mark.parametrize(
        ("country", "row"),
        [
            ("belgium", {"axis": 9, "allies": 7}),
            ("bulgaria", {"axis": 7, "allies": 10, "soviets": 9}),
            ("denmark", {"axis": 8, "allies": 9}),
            ("eire", {"axis": 10, "allies": 9}),
            ("finland", {"axis": 8, "allies": 9, "soviets": 10}),
            ("greece", {"axis": 9, "allies": 6, "soviets": 10}),
            ("united_states", {"allies": 7}),
        ],
    )
    def test_printed_diplomatic_rows(self, country: str, row: dict[str, int]) -> None:
        """VE 10.2, VE Diplomatic Table: no entry where no roll is allowed."""
        assert load.diplomacy().targets[country] == row

    def test_diplomatic_table_covers_all_that_can_be_won(self) -> None:
        """VE 10.2: every minor, Italy and the United States (from 1941)."""
        minors = {c.id for c in load.countries().values() if c.kind == "minor"}
        assert set(load.diplomacy().targets) == minors | {"italy", "united_states"}
        assert load.diplomacy().targets["hungary"]["axis"] == 7
        assert load.diplomacy().first_year["united_states"] == 1941
        assert load.diplomacy().no_proximity == {"italy", "united_states"}

    def test_calendar(self) -> None:
        """VE 3.1, VE 3.4: 26 turns; the first of a year is winter everywhere but in 1939, the last in Russia."""
        turns = load.calendar().turns
        assert Counter(t.year for t in turns) == {1939: 2, **dict.fromkeys(range(1940, 1946), 4)}
        assert [t.winter for t in turns[:6]] == ["none", "russia", "all", "none", "none", "russia"]
        assert {t.season for t in turns if t.winter == "all"} == {"winter"}
        calendar = load.calendar()
        assert (calendar.deck_1939, calendar.draw_1939, calendar.deck, calendar.draw) == (6, 2, 8, 4)

    def test_rulebook_index(self) -> None:
        """VE Introduction to VE Target Type: ids are unique, data sections are cited by a data file."""
        sections = load.rulebook()
        ids = [s["id"] for s in sections]
        assert len(set(ids)) == len(ids)
        texts = "".join(p.read_text("utf-8") for p in datafiles.DATA.rglob("*") if p.suffix in (".toml", ".csv"))
        missing = [s["id"] for s in sections if s["status"] == "data" and f"VE {s['id']}" not in texts]
        assert not missing
        for country in load.countries().values():
            assert country.section in ids


class TestPrintedRows:
    """VE S 1941, VE S 1942, VE S 1943, VE S 1944: the orders of battle as far as the print goes."""

    def test_there_are_160_whole_rows(self) -> None:
        assert sum(len(rows) for rows in printed_rows().values()) == 160

    @pytest.mark.parametrize("key", list(printed_rows()), ids="-".join)
    def test_rows_stand_as_printed_and_in_order(self, key: tuple[str, str]) -> None:
        """Nothing is missing, changed or falsely marked as printed."""
        scenario, title = key
        rows = sheet(scenario).order_of_battle[title]  # type: ignore[index]
        marked = [(place, unit, steps) for place, unit, _, steps, source in rows if source == "printed"]
        assert marked == printed_rows()[key]

    @pytest.mark.parametrize("line", CUT_ROWS.strip().splitlines())
    def test_cut_rows_keep_what_is_left_of_them(self, line: str) -> None:
        scenario, place, unit = line.split(": ")
        rows = [row for page in sheet(scenario).order_of_battle.values() for row in page]
        assert any((row[0], row[1]) == (place, unit) and row[4] != "printed" for row in rows)

    def test_printed_notes(self) -> None:
        """VE S 1941, VE S 1943: who is dead, how many cards are held."""
        assert [load.scenario(s).cards_in_hand for s in load.scenarios()] == [2, 3, 3, 2, 3]
        assert [load.scenario(s).three_player_soviet_cards for s in load.scenarios()] == [1, 2, 2, 1, 1]
        assert "ger_airborne" in load.scenario("barbarossa_1941").eliminated
        assert "ita_inf_10a" in load.scenario("barbarossa_1941").pools["italy"]
        assert {"ger_pz_dak", "ita_inf_5a"} <= set(load.scenario("kursk_1943").eliminated)
        assert any(u.block == "ita_inf_8a" and u.area == "kharkov" for u in load.scenario("stalingrad_1942").units)
        assert [load.scenario(s).usa_entry_option for s in load.scenarios()] == [False, False, True, False, False]
        assert load.scenario("bagration_1944").control["rome"] == "germany"


@pytest.mark.parametrize("name", load.scenarios())
class TestSetups:
    """VE Deployment: each ready set-up is legal."""

    def test_steps_and_years(self, name: str) -> None:
        """VE 2.1, VE 2.2."""
        scenario = load.scenario(name)
        year = load.calendar().turns[scenario.start_turn - 1].year
        for unit in scenario.units:
            block = load.blocks()[unit.block]
            assert (0 if block.type.id == "leader" else 1) <= unit.steps <= block.steps
            assert block.year <= year

    def test_stacking(self, name: str) -> None:
        """VE 1.1, VE 1.15, VE 4.5, VE 5.7, VE 6.12, VE 7.12, VE 7.22, VE 7.8."""
        stacks: Counter[tuple[str, str]] = Counter()
        for unit in load.scenario(name).units:
            kind = load.blocks()[unit.block].type
            branch = "leader" if kind.id == "leader" else kind.branch
            stacks[unit.area, "naval" if branch == "convoy" else branch] += 1
            assert branch in ("air", "naval", "convoy") or MAP.areas[unit.area].is_land
        for (place, branch), count in stacks.items():
            area = MAP.areas[place]
            limit = {"leader": 1, "air": 1, "army": area.stacking}.get(branch, 3)
            if branch == "naval" and area.is_land:
                limit = 2 if any(c.kind == "base" for c in area.coasts) else min(1, len(area.coasts))
            if place != "usa" and limit is not None:
                assert count <= limit, (place, branch)

    def test_units_stand_on_friendly_ground(self, name: str) -> None:
        """VE 4.1, VE 1.17."""
        scenario = load.scenario(name)
        for unit in scenario.units:
            if MAP.areas[unit.area].is_land:
                nation = owner_of_block(load.blocks()[unit.block].nation, scenario)
                holder = scenario.control[unit.area]
                assert player_of(holder, scenario) == player_of(nation, scenario), unit

    def test_seas_hold_one_side(self, name: str) -> None:
        """VE 1.6."""
        scenario = load.scenario(name)
        holders: dict[str, set[str]] = {}
        for unit in scenario.units:
            if not MAP.areas[unit.area].is_land:
                nation = owner_of_block(load.blocks()[unit.block].nation, scenario)
                holders.setdefault(unit.area, set()).add(player_of(nation, scenario))
        assert all(len(players) == 1 for players in holders.values())

    def test_convoys_sail_in_their_zone(self, name: str) -> None:
        """VE 7.8."""
        for unit in load.scenario(name).units:
            block = load.blocks()[unit.block]
            if block.type.id == "convoy":
                assert unit.area == unit.block.split("_", 1)[1]
                assert MAP.convoy_zones[unit.area].builder == block.nation

    def test_factories_within_their_city(self, name: str) -> None:
        """VE 1.42, VE 11.31, VE 13 United States."""
        scenario = load.scenario(name)
        for factory in scenario.factories:
            assert 1 <= factory.steps <= MAP.areas[factory.area].factory_max
            assert scenario.control[factory.area] == factory.owner
        if scenario.powers["united_states"] == "neutral":
            assert sum(f.steps for f in scenario.factories if f.owner == "united_states") <= 8

    def test_blocks_are_conserved(self, name: str) -> None:
        """VE 2.1: on the map, in one pool, or gone with a conquered nation; never in two places."""
        scenario = load.scenario(name)
        places = Counter(u.block for u in scenario.units)
        places.update(scenario.eliminated)
        for pool in scenario.pools.values():
            places.update(pool)
        assert max(places.values()) == 1
        for block in set(load.blocks()) - set(places):
            nation = load.blocks()[block].nation
            assert scenario.minors.get(nation) or scenario.powers.get(nation) == "surrendered"

    def test_control_covers_the_land(self, name: str) -> None:
        """VE 4.1: every land area, and no country that is gone holds one."""
        scenario = load.scenario(name)
        assert set(scenario.control) == {a.id for a in MAP.areas.values() if a.is_land}
        gone = {c for c, s in scenario.minors.items() if s == "conquered"}
        gone |= {c for c, s in scenario.powers.items() if s == "surrendered"}
        assert not gone & set(scenario.control.values())

    def test_axis_land_is_supplied(self, name: str) -> None:
        """VE 8.1: no Axis or Soviet army block starts cut off by land or vacant sea, but for the city of Leningrad."""
        scenario = load.scenario(name)
        capital = {"axis": ("berlin", "rome"), "soviets": ("moscow", "urals")}
        hostile_seas: dict[str, set[str]] = {}
        for unit in scenario.units:
            if not MAP.areas[unit.area].is_land:
                nation = owner_of_block(load.blocks()[unit.block].nation, scenario)
                hostile_seas.setdefault(unit.area, set()).add(player_of(nation, scenario))
        for player, roots in capital.items():
            todo = [root for root in roots if player_of(scenario.control[root], scenario) == player]
            seen = set(todo)
            while todo:
                here = todo.pop()
                for near in neighbours(here) | set(MAP.lake_supply.get(here, ())):
                    land = MAP.areas[near].is_land
                    open_ = (
                        player_of(scenario.control[near], scenario) == player
                        if land
                        else hostile_seas.get(near, {player}) == {player}
                    )
                    if near not in seen and open_:
                        seen.add(near)
                        todo.append(near)
            for unit in scenario.units:
                block = load.blocks()[unit.block]
                if block.type.branch == "army" and player_of(block.nation, scenario) == player:
                    assert unit.area in seen, unit

    def test_deployment_groups_name_known_things(self, name: str) -> None:
        """VE Deployment, VE 13 Poland."""
        for group in load.scenario(name).deployments:
            assert set(group.nations) <= set(load.countries())
            assert set(group.areas) <= set(MAP.areas)
            assert set(group.at_least_one) <= set(group.areas)


class TestCampaignStart:
    """VE Introduction, VE 13 Poland, VE 13 Bessarabia."""

    def test_who_is_at_war(self) -> None:
        """VE Introduction."""
        powers = load.scenario("campaign_1939").powers
        assert {p for p, standing in powers.items() if standing == "at_war"} == {"germany", "britain", "france"}
        assert load.scenario("campaign_1939").minors == {"poland": "allies"}

    def test_soviet_markers_of_the_pact(self) -> None:
        """VE 13 Baltic States, VE 13 Bessarabia, VE 13 Poland, VE 13 Soviet Union."""
        scenario = load.scenario("campaign_1939")
        for area in ("riga", "lithuania", "vilna", "brest_litovsk", "lvov", "bessarabia"):
            assert scenario.control[area] == "soviet_union"
            assert MAP.areas[area].homeland == ""

    def test_a_pole_stands_in_warsaw(self) -> None:
        """VE 13 Poland, VE 10.3."""
        scenario = load.scenario("campaign_1939")
        poles = {u.area for u in scenario.units if load.blocks()[u.block].nation == "poland"}
        assert "warsaw" in poles and poles <= set(load.countries()["poland"].areas)


class TestDecks:
    """VE 3.1, VE 3.3, VE 3.31."""

    @pytest.mark.parametrize("player", ["axis", "allied"])
    def test_54_cards_six_then_eight_a_year(self, player: str) -> None:
        """VE 3.1."""
        years = Counter(card.year for card in load.deck(player))
        assert years == {1939: 6, **dict.fromkeys(range(1940, 1946), 8)}
        assert len({card.title for card in load.deck(player)}) == 54

    def test_colors(self) -> None:
        """VE 3.31: each year has cards of both powers of a side."""
        for player, colors in {"axis": {"black", "green"}, "allied": {"blue", "red"}}.items():
            for year in range(1939, 1946):
                assert {c.color for c in load.deck(player) if c.year == year} == colors

    @pytest.mark.parametrize(
        ("player", "commands", "sums"),
        [
            ("axis", [17, 24, 25, 22, 18, 15, 12], {3, 4, 5}),
            ("allied", [12, 17, 19, 24, 27, 30, 30], {4, 5, 6}),
        ],
    )
    def test_balance(self, player: str, commands: list[int], sums: set[int]) -> None:
        """VE 3.2: sums of command numbers by year, and no card much better than another of its deck."""
        deck = load.deck(player)
        assert [sum(c.cm for c in deck if c.year == year) for year in range(1939, 1946)] == commands
        assert {c.cm + c.weight for c in deck} == sums

    def test_events_keep_to_their_owner(self) -> None:
        """VE 3.3, VE 3.31: losses hit the enemy, all else the owner's own nations."""
        own = {"axis": {"germany", "italy"}, "allied": {"britain", "france", "united_states", "soviet_union"}}
        for player, majors in own.items():
            for card in load.deck(player):
                nations = set(card.event.nations) & set(PLAYER)
                hostile = card.event.kind in ("step_loss", "production_loss")
                assert not nations & (majors if hostile else set(PLAYER) - majors), card.id
                if card.color == "red" and not hostile:
                    assert nations <= {"soviet_union"}

    def test_whole_vocabulary_is_used(self) -> None:
        """VE 3.3."""
        used = {card.event.kind for player in ("axis", "allied") for card in load.deck(player)}
        assert used == set(load.EVENT_KINDS)

    def test_the_card_that_the_print_mentions(self) -> None:
        """VE 3.3: Shock 41 and Zhukov leave the Urals early in 1941."""
        card = next(c for c in load.deck("allied") if c.event.kind == "release_unit")
        assert card.year == 1941
        assert set(card.event.blocks) == {"sov_shock_41", "sov_ldr_zhukov"}
        at = {u.block: u.area for u in load.scenario("barbarossa_1941").units}
        assert at["sov_shock_41"] == at["sov_ldr_zhukov"] == "urals"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str, str], None]]:
    """A copy of the data with one replacement in one file; the loaders read it until the test ends."""
    readers = [
        load_map.game_map,
        *(getattr(load_tables, n) for n in ("unit_types", "blocks", "terrain", "countries", "diplomacy", "calendar")),
        load_setup.scenario,
        load_setup.deck,
        datafiles.read_toml,
    ]

    def forget() -> None:
        for reader in readers:
            reader.cache_clear()  # type: ignore[attr-defined]

    shutil.copytree(datafiles.DATA, tmp_path / "data")

    def replace(file: str, old: str, new: str) -> None:
        path = tmp_path / "data" / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    monkeypatch.setattr(datafiles, "DATA", tmp_path / "data")
    forget()
    yield replace
    monkeypatch.undo()
    forget()


class TestDataErrors:
    """A wrong file is refused with its name and the key."""

    @pytest.mark.parametrize(
        ("file", "old", "new", "call", "key"),
        [
            (
                "areas.csv",
                "liverpool,Liverpool,land,clear",
                "liverpool,Liverpool,land,swamp",
                load.game_map,
                "row 3.terrain",
            ),
            ("borders.csv", "adana,ankara", "adana,nowhere", load.game_map, "adana-nowhere"),
            ("borders.csv", "adana,erzurum", "adana,ankara", load.game_map, "adana-ankara"),
            (
                "coasts.csv",
                "scotland,Glasgow,port,north_sea",
                "atlantis,Glasgow,port,north_sea",
                load.game_map,
                "atlantis",
            ),
            ("map.toml", 'gives = "pp"', 'gives = "gold"', load.game_map, "convoy_zone.0.gives"),
            ("blocks.toml", 'fire = "D2"', 'fire = "E2"', load.blocks, "germany.blocks.0.fire"),
            ("blocks.toml", 'id = "ger_inf_2a"', 'id = "ger_inf_1a"', load.blocks, "ger_inf_1a"),
            ("types.toml", 'branch = "air"', 'branch = "space"', load.unit_types, "fighter.branch"),
            ("terrain.toml", "border = 2", "edge = 2", load.terrain, "clear.border"),
            ("diplomacy.toml", "axis = 9", "axis = 19", load.diplomacy, "row.0.axis"),
            ("calendar.toml", "number = 2", "number = 3", load.calendar, "turn"),
            ("countries.toml", 'capital = "berlin"', 'capital = "bonn"', load.countries, "germany"),
            ("map.toml", "middle_east", "middle east", load.game_map, "file"),
        ],
    )
    def test_tables(
        self,
        broken: Callable[[str, str, str], None],
        file: str,
        old: str,
        new: str,
        call: Callable[[], object],
        key: str,
    ) -> None:
        broken(file, old, new)
        with pytest.raises(DataError) as caught:
            call()
        assert (caught.value.file, caught.value.key) == (file, key)

    @pytest.mark.parametrize(
        ("old", "new", "key"),
        [
            ('"ger_inf_4a", 4', '"ger_inf_3a", 4', "ger_inf_3a"),
            ('"Stettin", "Infantry 4A"', '"Shangri-La", "Infantry 4A"', "order_of_battle.axis: Shangri-La"),
            ("start_turn = 1", "start_turn = 99", "start_turn"),
            ('"history"]', '"hearsay"]', "order_of_battle.axis.0.4"),
        ],
    )
    def test_scenarios(self, broken: Callable[[str, str, str], None], old: str, new: str, key: str) -> None:
        broken("scenarios/campaign_1939.toml", old, new)
        with pytest.raises(DataError) as caught:
            load.scenario("campaign_1939")
        assert (caught.value.file, caught.value.key) == ("scenarios/campaign_1939.toml", key)

    @pytest.mark.parametrize(
        ("old", "new", "key"),
        [
            ('kind = "extra_sm"', 'kind = "free_lunch"', "axis_1939_1"),
            ('kind = "extend_battle"', 'kind = "winter_fire"', "axis_1939_2.event"),
            ("cm = 4", "cm = 5", "years.0.card.0.cm"),
            ('id = "axis_1939_2"', 'id = "axis_1939_1"', "id"),
            ('types = ["dive_bomber"]', 'types = ["zeppelin"]', "axis_1939_3"),
        ],
    )
    def test_decks(self, broken: Callable[[str, str, str], None], old: str, new: str, key: str) -> None:
        broken("cards_axis.toml", old, new)
        with pytest.raises(DataError) as caught:
            load.deck("axis")
        assert (caught.value.file, caught.value.key) == ("cards_axis.toml", key)

    def test_no_such_scenario_or_deck(self) -> None:
        for call in (lambda: load.scenario("waterloo"), lambda: load.deck("neutral")):
            with pytest.raises(DataError):
                call()
