"""Card events of the Production Phase [VE 3.3]."""

from __future__ import annotations

from typing import Any

from stavka.games.victory_in_europe.cards import CARDS
from stavka.games.victory_in_europe.events import BlockMoved, BlockPlaced

from tests.support.table import Table

from ..field import SUMMER_1941, card_with
from .build import THREE, WEST, built, factory_floor, plan, steps

PANZERS = next(
    c for c in CARDS.values() if c.event.kind == "free_steps" and "panzer" in c.event.types and c.event.amount == 2
)
SHOCK = next(c for c in CARDS.values() if c.event.kind == "release_unit")


class TestFreeSteps:
    """VE 3.3: steps without points, one a unit, for the units that the card names."""

    BLOCKS = "[axis]\nberlin: ger_pz_1a(1) ger_pz_2a(1) ger_inf_1a(1)\nruhr: ger_pz_3a(1)\n[factories]\nberlin: 1"

    def floor(self, blocks: str = BLOCKS, card: str = PANZERS.id) -> Table:
        return factory_floor(blocks, played={"axis": card})

    def test_they_cost_nothing(self) -> None:
        after = built(self.floor(), axis=["card ger_pz_1a", "card ger_pz_2a"])
        assert (steps(after, "ger_pz_1a"), steps(after, "ger_pz_2a")) == (2, 2)

    def test_as_many_as_the_card_says(self) -> None:
        orders = [f"card ger_pz_{n}a" for n in (1, 2, 3)]
        plan(self.floor(), "axis", *orders).refused("VE 3.3", "EVENT_USED_UP")

    def test_it_is_the_units_step_of_this_turn(self) -> None:
        blocks = self.BLOCKS.replace("berlin: 1", "berlin: 4")
        plan(self.floor(blocks), "axis", "card ger_pz_1a", "germany ger_pz_1a").refused("VE 11.4", "ONE_STEP_A_UNIT")
        plan(self.floor(blocks), "axis", "card ger_pz_1a", "card ger_pz_1a").refused("VE 11.4", "ONE_STEP_A_UNIT")

    def test_for_its_units_alone(self) -> None:
        plan(self.floor(), "axis", "card ger_inf_1a").refused("VE 3.3", "NOT_FOR_THIS_UNIT")

    def test_a_minors_units_with_a_block_of_the_power(self) -> None:
        """VE 3.3"""
        card = next(
            c
            for c in CARDS.values()
            if c.event.kind == "free_steps" and c.event.nations == ("germany",) and "infantry" in c.event.types
        )
        blocks = "[axis]\nbudapest: hun_inf_1a(1) ger_pz_1a\nbalaton: hun_inf_2a(1)\n[minors]\naxis: hungary"
        table = self.floor(blocks, card.id)
        assert plan(table, "axis", "card hun_inf_1a").error is None
        plan(table, "axis", "card hun_inf_2a").refused("VE 3.3", "NOT_FOR_THIS_UNIT")

    def test_on_the_map_only(self) -> None:
        for what in ("card ger_pz_4a", "card bri_inf_bef", "card ger_pz_4a berlin"):
            plan(self.floor(), "axis", what).refused("VE 3.3", "NOT_ON_THE_MAP")

    def test_supplied_and_below_full_strength(self) -> None:
        blocks = self.BLOCKS.replace("ger_pz_1a(1)", "ger_pz_1a")
        plan(self.floor(blocks), "axis", "card ger_pz_1a").refused("VE 11.4", "FULL_STRENGTH")

    def test_only_with_such_a_card(self) -> None:
        other = card_with("extra_production", "germany")
        for table in (self.floor(card=other), factory_floor(self.BLOCKS)):
            plan(table, "axis", "card ger_pz_1a").refused("VE 3.3", "NO_SUCH_EVENT")
        plan(self.floor(), "axis", "card factory berlin").refused("VE 3.3", "NO_SUCH_EVENT")


class TestRelease:
    """VE 3.3: Shock 41 and Zhukov come out of the Urals, or of the pool, whatever else forbids it."""

    def floor(self, blocks: str = "", **more: Any) -> Table:
        return factory_floor(blocks, turn=SUMMER_1941, played={"allied": SHOCK.id}, **{"at_war": WEST, **more})

    def test_from_the_urals_with_its_steps(self) -> None:
        table = self.floor("[soviet]\nurals: sov_shock_41(2) sov_ldr_zhukov(1)")
        after = built(table, allied=["card sov_shock_41 moscow", "card sov_ldr_zhukov moscow"])
        assert {b: (after.state.blocks[b].at, steps(after, b)) for b in SHOCK.event.blocks} == {
            "sov_shock_41": ("moscow", 2), "sov_ldr_zhukov": ("moscow", 1),
        }  # fmt: skip

    def test_the_move_shows_no_more_than_a_nation(self) -> None:
        table = plan(self.floor("[soviet]\nurals: sov_shock_41(2)"), "allied", "card sov_shock_41 moscow").after()
        events = plan(table, "axis").after().goes_on().events
        moved = next(event for event in events if isinstance(event, BlockMoved))
        assert (moved.nation, moved.origin, moved.target, moved.seen_by) == (
            "soviet_union", "urals", "moscow", frozenset({"allied"}),
        )  # fmt: skip

    def test_from_the_pool_at_the_cards_steps_a_leader_at_his_last(self) -> None:
        table = plan(self.floor(), "allied", "card sov_shock_41 gorky", "card sov_ldr_zhukov moscow").after()
        table = plan(table, "axis").after()
        table.goes_on().includes(
            BlockPlaced("sov_shock_41", "soviet_union", "gorky", "soviet", "allied", 1, -1),
        )
        assert steps(table.goes_on().after(), "sov_ldr_zhukov") == 0

    def test_only_to_the_areas_of_the_card_in_friendly_hands(self) -> None:
        plan(self.floor(), "allied", "card sov_shock_41 kiev").refused("VE 3.3", "NOT_A_PLACE_FOR_IT")
        lost = self.floor("[control]\ngermany: gorky", at_war=(*WEST, "soviet_union"))
        plan(lost, "allied", "card sov_shock_41 gorky").refused("VE 3.3", "NOT_A_PLACE_FOR_IT")

    def test_within_stacking(self) -> None:
        """VE 4.5"""
        table = self.floor("[soviet]\nmoscow: sov_inf4_1 sov_inf4_2")
        plan(table, "allied", "card sov_shock_41 moscow").refused("VE 4.5", "OVERSTACKED")

    def test_only_the_blocks_of_the_card(self) -> None:
        plan(self.floor(), "allied", "card sov_inf4_1 moscow").refused("VE 3.3", "NOT_FOR_THIS_UNIT")

    def test_not_from_another_place_or_from_the_dead(self) -> None:
        away = self.floor("[soviet]\nkiev: sov_shock_41(2)")
        plan(away, "allied", "card sov_shock_41 moscow").refused("VE 3.3", "NOT_IN_URALS_OR_POOL")
        dead = self.floor("[dead]\nsoviet: sov_shock_41")
        plan(dead, "allied", "card sov_shock_41 moscow").refused("VE 3.3", "NOT_IN_URALS_OR_POOL")

    def test_by_the_soviet_player_of_three(self) -> None:
        table = self.floor(scenario=THREE)
        assert plan(table, "soviet", "card sov_shock_41 moscow").error is None
        plan(table, "allied", "card sov_shock_41 moscow").refused("VE 3.3", "NO_SUCH_EVENT")
