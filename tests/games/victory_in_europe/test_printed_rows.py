"""Victory in Europe's orders of battle: the rows that the print shows, word for word."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe import datafiles, load

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
