"""France, Vichy, Italy, the United States [VE 13 France] [VE 13 Algeria] [VE 13 Italy] [VE 13 United States] [VE S 1942]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.diplomacy.surrender import PlaceFreeForces
from stavka.games.victory_in_europe.events import BlockPlaced, FactoriesSet, PowerEntered, PowerFallen
from stavka.games.victory_in_europe.production.tally import tally_of
from stavka.kernel.frames import FramePopped
from stavka.kernel.game import Setup

from tests.support.table import Table

from ..field import FALL_1941, SUMMER_1940, WINTER_1942, scene

WEST = ("germany", "britain", "france")
PARIS = "[axis]\nparis: ger_inf_1a\n[allied]\n{allies}\n[control]\ngermany: paris {more}"
WINTER_1941, WINTER_1943 = 7, 15


def surrenders(blocks: str, **more: Any) -> Table:
    return scene(blocks, phase="surrender", **{"at_war": WEST, **more}).goes_on().after()


def france(allies: str = "metz: fra_inf_1a", more: str = "", **header: Any) -> Table:
    return surrenders(PARIS.format(allies=allies, more=more), **header)


class TestFranceFalls:
    """VE 13 France: Paris lost and no British block on the mainland."""

    def test_vichy_is_formed_and_germany_gets_the_rest(self) -> None:
        table = france()
        assert table.state.fallen == {"france"}
        zone = ("lyon", "marseilles", "montpellier", "corsica", "tunis", "algiers", "morocco")
        assert {table.state.control[area] for area in zone} == {"vichy"}
        rest = ("metz", "calais", "le_havre", "brest", "bordeaux", "paris")
        assert {table.state.control[area] for area in rest} == {"germany"}

    def test_french_forces_and_factories_are_gone(self) -> None:
        table = france("metz: fra_inf_1a fra_fort_maginot\nconvoy_d: fra_convoy_d", turn=SUMMER_1940)
        assert not [b for b, p in table.state.blocks.items() if p.nation == "france"]
        assert {"fra_inf_1a", "fra_convoy_d", "fra_inf_2a"} <= table.state.camps["allied"].dead
        assert "lyon" not in table.state.factories

    def test_not_while_paris_holds(self) -> None:
        table = surrenders("[axis]\nberlin: ger_inf_1a\n[allied]\nmetz: fra_inf_1a")
        assert table.state.fallen == frozenset()

    @pytest.mark.parametrize(
        ("place", "falls"), [("brest", False), ("corsica", True), ("algiers", True), ("london", True)]
    )
    def test_a_british_block_on_the_mainland_keeps_her_going(self, place: str, falls: bool) -> None:
        table = france(f"{place}: bri_inf_bef")
        assert ("france" in table.state.fallen) is falls

    def test_two_free_french_in_britain(self) -> None:
        """VE 11.42"""
        table = france("metz: fra_inf_3a")
        assert table.decisions() == [("allied", "free_forces")]
        placed = table.when(PlaceFreeForces("allied", (("fra_inf_3a", "wales"), ("fra_ca_1", "southampton"))), "allied")
        placed.then(
            BlockPlaced("fra_ca_1", "france", "southampton", "allied", "allied", 1, 0),
            BlockPlaced("fra_inf_3a", "france", "wales", "allied", "allied", 1, -1),
            FramePopped("free_forces"),
        )

    def test_both_of_them_at_once(self) -> None:
        """VE 11.42: in the order of places, which does not tell who is who."""
        table = france()
        for places in ((("fra_inf_3a", "wales"),), (("fra_ca_1", "wales"),), ()):
            table.when(PlaceFreeForces("allied", places), "allied").refused("VE 11.42", "NOT_A_PLACE_FOR_THEM")

    def test_areas_of_the_zone_under_an_allied_army_stay_allied(self) -> None:
        table = france("tunis: bri_inf_8a\nalgiers: bri_ca_1\ngibraltar: bri_fort_gibraltar")
        assert table.state.control["tunis"] == "britain"
        assert table.state.control["algiers"] == "vichy"
        assert table.state.blocks["bri_ca_1"].at != "algiers"

    def test_french_conquests_abroad_pass_to_britain(self) -> None:
        table = surrenders(
            "[axis]\nparis: ger_inf_1a\n[control]\ngermany: paris\nfrance: tripoli", at_war=(*WEST, "italy")
        )
        assert table.state.control["tripoli"] == "britain"

    def test_with_lyon_lost_there_is_no_vichy(self) -> None:
        table = france(more="lyon")
        table = table.when(table.options("allied")[0], "allied").after().goes_on().after()
        assert table.state.minors["vichy"] == "conquered"
        assert table.state.control["tunis"] == "germany"

    def test_italy_keeps_what_she_holds_of_it(self) -> None:
        table = surrenders(
            "[axis]\nparis: ger_inf_1a\n[control]\ngermany: paris\nitaly: marseilles", at_war=(*WEST, "italy")
        )
        assert table.state.control["marseilles"] == "italy"


class TestVichySurrenders:
    """VE 13 France: with Lyon, or with an Allied Paris."""

    ZONE = "lyon marseilles montpellier corsica tunis algiers morocco"

    def vichy(self, control: str, blocks: str = "", minors: str = "", **more: Any) -> Table:
        text = f"{blocks}\n[control]\n{control}\n[minors]\n{minors}"
        return surrenders(text, at_war=("germany", "britain", "united_states"), fallen=["france"], **more)

    def test_lyon_taken_by_the_axis(self) -> None:
        left = "marseilles montpellier corsica tunis algiers morocco"
        table = self.vichy(f"germany: paris lyon\nvichy: {left}", "[allied]\ntunis: vic_inf_tun", "allied: vichy")
        assert table.state.minors["vichy"] == "conquered"
        assert table.state.control["tunis"] == "germany"
        assert "vic_inf_tun" in table.state.camps["allied"].dead

    def test_paris_taken_by_the_allies(self) -> None:
        table = self.vichy(f"united_states: paris\nvichy: {self.ZONE}")
        assert table.state.minors["vichy"] == "conquered"
        assert table.state.control["algiers"] == "united_states"

    def test_not_to_its_own_friends(self) -> None:
        table = self.vichy(f"united_states: paris\nvichy: {self.ZONE}", minors="allied: vichy")
        assert table.state.minors["vichy"] == "allied"

    def test_what_its_enemies_occupy_stays_theirs(self) -> None:
        table = self.vichy(
            "germany: corsica\nunited_states: paris\nvichy: lyon marseilles montpellier tunis algiers morocco",
            "[axis]\nmarseilles: ger_inf_1a", "axis: vichy",
        )  # fmt: skip
        assert table.state.control["corsica"] == "germany"
        assert table.state.control["marseilles"] == "germany"
        assert table.state.control["lyon"] == "united_states"

    def test_untouched_it_stands(self) -> None:
        table = self.vichy(f"germany: paris\nvichy: {self.ZONE}")
        assert table.state.minors["vichy"] == "neutral"

    def test_before_the_fall_of_france_lyon_is_french(self) -> None:
        assert surrenders("[axis]\nlyon: ger_inf_1a\n[control]\ngermany: lyon").state.minors["vichy"] == "neutral"


class TestItalySurrenders:
    """VE 13 Italy: Rome, or all Libya with a neighbor of Rome."""

    WAR = ("germany", "italy", "britain")
    LIBYA = "tripoli el_agheila benghazi tobruk"

    def italy(self, control: str, blocks: str = "", **more: Any) -> Table:
        text = f"{blocks}\n[control]\n{control}"
        return surrenders(text, **{"at_war": self.WAR, **more})

    def test_rome(self) -> None:
        table = self.italy("britain: rome", "[axis]\nmilan: ita_inf_1a\ntaranto: ita_bb_1\n[allied]\nrome: bri_inf_8a")
        assert table.state.fallen == {"italy"}
        assert "ita_inf_1a" in table.state.camps["axis"].dead
        assert table.state.camps["axis"].pool.isdisjoint({"ita_inf_2a", "ita_ca_1"})
        assert {table.state.control[a] for a in ("milan", "sicily", "albania", "tripoli")} == {"britain"}
        assert "milan" not in table.state.factories

    @pytest.mark.parametrize(
        ("lost", "falls"), [(LIBYA + " naples", True), (LIBYA, False), ("tripoli el_agheila benghazi naples", False)]
    )
    def test_libya_and_a_neighbor_of_rome(self, lost: str, falls: bool) -> None:
        assert ("italy" in self.italy(f"britain: {lost}").state.fallen) is falls

    def test_what_germans_occupy_is_german(self) -> None:
        table = self.italy("britain: rome", "[axis]\nmilan: ger_inf_1a ita_inf_1a\nvenice: ger_fa_me109_1")
        assert table.state.control["milan"] == "germany"
        assert table.state.control["venice"] == "britain"
        assert table.state.blocks["ger_fa_me109_1"].at != "venice"

    def test_what_she_had_taken_returns_to_its_owners(self) -> None:
        table = self.italy("soviet_union: rome\nitaly: cairo", at_war=(*self.WAR, "soviet_union"))
        assert table.state.control["cairo"] == "soviet_union"
        western = self.italy("united_states: rome\nitaly: cairo", at_war=(*self.WAR, "united_states"))
        assert western.state.control["cairo"] == "britain"

    def test_minors_that_she_won_fall_with_her(self) -> None:
        blocks = "[axis]\nsofia: bul_inf_1a\nvarna: ger_inf_1a\n[minors]\naxis: bulgaria hungary"
        table = self.italy("britain: rome", blocks, affairs={"patrons": {"bulgaria": "italy", "hungary": "germany"}})
        assert table.state.minors["bulgaria"] == "conquered"
        assert (table.state.control["sofia"], table.state.control["varna"]) == ("britain", "germany")
        assert table.state.minors["hungary"] == "axis"

    def test_neutral_italy_does_not_surrender(self) -> None:
        events = scene("[control]\nbritain: rome", phase="surrender", at_war=WEST).goes_on()
        events.lacks(PowerFallen)


class TestUnitedStates:
    """VE 13 United States, VE S 1942"""

    def year(self, turn: int, options: str = "", **more: Any) -> Any:
        head = f"[allied]\nlondon: bri_inf_bef\n{options}"
        return scene(head, phase="year", turn=turn, **{"at_war": WEST, "order": [], **more}).goes_on()

    def test_mobilization_at_the_start_of_1941(self) -> None:
        outcome = self.year(WINTER_1941)
        table = outcome.includes(FactoriesSet("usa", (4,)))
        assert {b for b, p in table.state.blocks.items() if p.nation == "united_states"} == {
            "usa_inf_1a", "usa_inf_3a", "usa_bb_washington", "usa_ca_1", "usa_hb_b17",
        }  # fmt: skip
        assert all(p.at == "usa" for p in table.state.blocks.values() if p.nation == "united_states")

    def test_at_no_other_time(self) -> None:
        self.year(WINTER_1941 + 1).lacks(BlockPlaced, FactoriesSet)
        self.year(WINTER_1941 - 1).lacks(BlockPlaced, FactoriesSet)

    def test_automatic_entry_in_1942(self) -> None:
        self.year(FALL_1941).lacks(PowerEntered)
        self.year(WINTER_1942).includes(PowerEntered("united_states", WINTER_1942))

    def test_no_second_entry(self) -> None:
        self.year(WINTER_1942, at_war=(*WEST, "united_states")).lacks(PowerEntered)

    @pytest.mark.parametrize(("turn", "enters"), [(WINTER_1942, False), (WINTER_1943, True)])
    def test_entry_by_roll_delays_it_by_a_year(self, turn: int, enters: bool) -> None:
        state = GAME.state()
        text = f"game victory_in_europe\nturn {turn}\nphase year\n[allied]\nlondon: bri_inf_bef"
        for event in GAME.begin(Setup(1, "campaign_1939", {"american_entry": "by_roll"}, text)):
            state = GAME.evolve(state, event)
        events = Table(GAME, state).goes_on().events
        assert any(isinstance(event, PowerEntered) for event in events) is enters

    def test_the_option_leaves_them_out_of_the_1942_scenario(self) -> None:
        for choice, at_war in (("automatic", True), ("by_roll", False)):
            state = GAME.state()
            for event in GAME.begin(Setup(1, "stalingrad_1942", {"american_entry": choice}, "")):
                state = GAME.evolve(state, event)
            assert ("united_states" in state.at_war) is at_war


class TestAlgeria:
    """VE 13 Algeria: its resource goes to Germany while it is Vichy's."""

    @pytest.mark.parametrize(("holder", "counts"), [("vichy", True), ("britain", False)])
    def test_resource(self, holder: str, counts: bool) -> None:
        table = scene(
            f"[axis]\nberlin: ger_inf_1a\n[control]\n{holder}: algiers\ngermany: paris",
            phase="production", at_war=("germany", "britain"), fallen=["france"],
        )  # fmt: skip
        found = [place for place, _, _ in tally_of(table.state, "germany").resources]
        assert ("algiers" in found) is counts
