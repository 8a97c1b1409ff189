"""What strikes from outside: Dresden, the Western Allies, Warsaw; and orders to attack."""

from typing import Any

import pytest
from stavka.games.red_vengeance.combat.blows import (
    CasualtiesClosed,
    CasualtiesOpened,
    DresdenBombed,
    HexRaided,
    OffensiveJudged,
    RaidsPlanned,
    RisingStruck,
    WarsawRose,
)
from stavka.games.red_vengeance.combat.declare import EndCombat
from stavka.games.red_vengeance.combat.losses import OrderRetreat, TakeLoss
from stavka.games.red_vengeance.combat.special import StrikeRising
from stavka.games.red_vengeance.events import CommanderRemoved, PhaseBegun, StepLost, UnitRemoved
from stavka.games.red_vengeance.state import DEAD
from stavka.kernel.frames import FramePopped

from tests.games.red_vengeance.combat.scene import battle, scene
from tests.support.table import Table


class TestDresden:
    """RV 11.5"""

    def test_a_die_for_each_axis_unit_there(self) -> None:
        table = scene(axis="1622: ger-i ger-x; 1623: ger-l", allied="1005: sov-3", phase="bombing allied", turn=9)
        table.goes_on([5, 6]).includes(
            DresdenBombed({"ger-x": 5, "ger-i": 6}), StepLost("ger-i", 1), PhaseBegun(9, "weather", "supply", "")
        )

    def test_the_city_is_bombed_even_when_empty(self) -> None:
        table = scene(axis="1623: ger-l", allied="1622: sov-3", phase="bombing allied", turn=9)
        table.goes_on().includes(DresdenBombed({}))

    def test_it_happens_before_the_weather_of_february_only(self) -> None:
        for turn, kind in ((8, "bombing"), (9, "weather")):
            table = scene(
                axis="2225: ger-i", allied="1005: sov-3", phase="exploitation_combat axis", turn=turn, weather="snow"
            )
            begun = [e for e in table.goes_on().events if isinstance(e, PhaseBegun)]
            assert begun[0].phase == kind


class TestWesternAllies:
    """RV 11.5"""

    def table(self, axis: str, **more: Any) -> Table:
        return scene(axis=axis, allied="1905: sov-3", turn=11, **more)

    def test_two_dice_for_each_edge_hex_with_axis_units(self) -> None:
        outcome = self.table("1425: ger-i; 1725: ger-x ger-l; 1906: ger-ii").goes_on([1, 6, 2, 3])
        outcome.includes(
            RaidsPlanned(("1425", "1725")),
            HexRaided("1425", (1, 6)),
            CasualtiesOpened("RV 11.5", "western_allies", "1425", 1),
            StepLost("ger-i", 1),
            CasualtiesClosed("1425"),
            HexRaided("1725", (2, 3)),
        )
        assert outcome.after().decisions() == [("allied", "combat")]

    def test_the_owner_chooses_in_a_stack(self) -> None:
        table = self.table("1725: ger-x ger-l; 1906: ger-ii").goes_on([6, 1]).after()
        assert table.decisions() == [("axis", "losses")]
        assert set(table.options("axis")) == {TakeLoss("ger-x"), TakeLoss("ger-l")}
        table.when(TakeLoss("ger-ii"), "axis").refused("RV 8.51", "UNIT_TAKES_NO_LOSS")
        table.when(OrderRetreat(), "axis").refused("RV 4.0", "WRONG_PHASE")
        table.when(TakeLoss("ger-l"), "axis").includes(StepLost("ger-l", 1)).goes_on().includes(
            CasualtiesClosed("1725")
        )

    def test_surplus_hits_lapse(self) -> None:
        table = self.table("1725: ger-x(reduced); 1906: ger-ii").goes_on([6, 6]).after()
        assert table.state.at["ger-x"] == DEAD
        assert table.decisions() == [("allied", "combat")]

    def test_every_edge_of_the_map(self) -> None:
        self.table("0101: ger-i; 3416: ger-x; 1906: ger-ii").goes_on([1] * 4).includes(RaidsPlanned(("0101", "3416")))

    def test_only_in_april_and_only_in_the_combat_phase(self) -> None:
        march = scene(axis="1725: ger-x; 1906: ger-ii", allied="1905: sov-3", turn=10)
        march.goes_on().lacks(RaidsPlanned)
        exploit = self.table("1725: ger-x; 1906: ger-ii", phase="exploitation_combat allied", weather="clear")
        exploit.goes_on().lacks(RaidsPlanned)

    def test_once(self) -> None:
        table = self.table("1725: ger-x; 1906: ger-ii ger-i").goes_on([1, 1]).after()
        table = table.when(battle("1906", "sov-3"), "allied").after()
        table.goes_on([1] * 10).lacks(RaidsPlanned, HexRaided)


class TestPolishHomeArmy:
    """RV 11.7"""

    def rising(self, axis: str) -> Table:
        return scene(axis=axis, allied="1412: sov-3", phase="movement allied", above="uprising/combat/allied/", turn=3)

    def test_it_strikes_the_garrison(self) -> None:
        outcome = self.rising("1414: ger-i").goes_on([6, 5])
        outcome.includes(
            WarsawRose((6, 5)),
            CasualtiesOpened("RV 11.7", "uprising", "1414", 1),
            StepLost("ger-i", 1),
            FramePopped("uprising"),
        )
        assert outcome.after().state.fight.risen

    def test_the_owner_chooses(self) -> None:
        table = self.rising("1414: ger-i ger-x").goes_on([6, 1]).after()
        assert table.decisions() == [("axis", "losses")]
        table = table.when(TakeLoss("ger-x"), "axis").after().goes_on().includes(FramePopped("uprising"))
        assert table.state.frames[-1].kind == "movement"

    def test_two_hits_remove_a_unit(self) -> None:
        self.rising("1414: ger-i").goes_on([6, 6]).includes(UnitRemoved("ger-i", DEAD, "uprising"))

    def test_without_a_garrison_the_allied_player_names_a_unit(self) -> None:
        table = self.rising("1416: ger-i; 1516: ger-x; 1417: ger-l").goes_on().after()
        assert table.decisions() == [("allied", "rising")]
        assert set(table.options("allied")) == {StrikeRising(""), StrikeRising("ger-i"), StrikeRising("ger-x")}
        table.when(StrikeRising("ger-l"), "allied").refused("RV 11.7", "NO_TARGET_NEAR_WARSAW")
        table.when(StrikeRising("ger-x"), "allied", rolls=[6]).then(
            RisingStruck("ger-x", 6), StepLost("ger-x", 1), FramePopped("uprising")
        )
        table.when(StrikeRising("ger-x"), "allied", rolls=[5]).then(RisingStruck("ger-x", 5), FramePopped("uprising"))

    def test_he_may_let_it_be(self) -> None:
        table = self.rising("1416: ger-i").goes_on().after()
        table.when(StrikeRising(""), "allied").then(RisingStruck("", 0), FramePopped("uprising"))

    def test_it_passes_when_nobody_is_near(self) -> None:
        self.rising("1417: ger-l").goes_on().includes(WarsawRose(()), FramePopped("uprising"))

    def test_in_the_middle_of_a_battle_the_battle_goes_on_afterwards(self) -> None:
        """An advance comes within two hexes of Warsaw."""
        table = scene(axis="1412: ger-i(reduced); 1414: ger-x", allied="1411: sov-3 sov-5")
        table = table.when(battle("1412", "sov-3 sov-5"), "allied").after()
        table = table.goes_on([6] + [1] * 7 + [1] * 2).after()
        advance = next(o for o in table.options("allied") if getattr(o, "unit", "") == "sov-3")
        table = table.when(advance, "allied").after()
        assert table.state.frames[-1].kind == "uprising"
        table = table.goes_on([1, 6]).includes(WarsawRose((1, 6)), StepLost("ger-x", 1))
        assert table.decisions() == [("allied", "advance")]


class TestOrderedOffensive:
    """RV 11.9"""

    AXIS = "1906: ger-i-ss-pz ger-ii-ss-pz dietrich"

    def march(self, **more: Any) -> Table:
        return scene(self.AXIS, "1905: sov-3", turn=10, **{"weather": "mud", "phase": "combat axis", **more})

    def test_not_attacking_costs_dietrich_and_steps(self) -> None:
        self.march().when(EndCombat(), "axis", rolls=[4, 3]).includes(
            OffensiveJudged(False, {"ger-i-ss-pz": 4, "ger-ii-ss-pz": 3}),
            CommanderRemoved("dietrich", "disgraced"),
            StepLost("ger-i-ss-pz", 1),
        )

    @pytest.mark.parametrize(("turn", "weather"), [(9, "snow"), (10, "mud")])
    def test_one_attack_of_all_three_in_february_or_march_obeys(self, turn: int, weather: str) -> None:
        table = scene(self.AXIS, "1905: sov-3", turn=turn, weather=weather, phase="combat axis")
        table = table.when(battle("1905", "ger-i-ss-pz ger-ii-ss-pz"), "axis").after()
        assert table.state.fight.order_obeyed

    def test_two_of_them_do_not(self) -> None:
        table = self.march().when(battle("1905", "ger-i-ss-pz"), "axis").after()
        assert not table.state.fight.order_obeyed

    def test_nor_an_attack_in_april(self) -> None:
        table = scene(self.AXIS, "1905: sov-3", turn=11, phase="combat axis", weather="light_mud")
        table = table.when(battle("1905", "ger-i-ss-pz ger-ii-ss-pz"), "axis").after()
        assert not table.state.fight.order_obeyed

    def test_obeyed_costs_nothing(self) -> None:
        self.march(fight='{"order_obeyed":true}').when(EndCombat(), "axis").includes(OffensiveJudged(True, {}))

    def test_judged_after_exploitation_combat_when_there_is_any(self) -> None:
        dry = self.march(weather="clear")
        table = dry.when(EndCombat(), "axis").lacks(OffensiveJudged)
        assert not table.state.fight.order_judged
        late = self.march(weather="clear", phase="exploitation_combat axis")
        late.when(EndCombat(), "axis", rolls=[1, 1]).includes(CommanderRemoved("dietrich", "disgraced"))

    def test_not_in_february(self) -> None:
        table = scene(self.AXIS, "1905: sov-3", turn=9, weather="snow", phase="exploitation_combat axis")
        table.when(EndCombat(), "axis").lacks(OffensiveJudged)

    def test_dead_pieces_pay_nothing(self) -> None:
        table = scene("1906: ger-i-ss-pz", "1905: sov-3", turn=10, weather="mud", phase="combat axis")
        outcome = table.when(EndCombat(), "axis", rolls=[6])
        outcome.includes(OffensiveJudged(False, {"ger-i-ss-pz": 6}), StepLost("ger-i-ss-pz", 1))
        outcome.lacks(CommanderRemoved)

    def test_the_eastern_offensive_takes_its_place(self) -> None:
        """RV 14.6"""
        table = scene(
            self.AXIS, "1905: sov-3", turn=10, weather="mud", phase="combat axis", options={"eastern_bulge": "on"}
        )
        table.when(EndCombat(), "axis").lacks(OffensiveJudged)
