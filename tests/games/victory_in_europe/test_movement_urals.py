"""Armies that leave the Urals [VE 13 Soviet Union]."""

from __future__ import annotations

from stavka.games.victory_in_europe.events import ClashBegun, CommandsSpent, ControlChanged

from tests.support.table import Table

from .field import SUMMER_1941, SUMMER_1942, move, paths, scene, targets


class TestOutOfTheUrals:
    """VE 13 Soviet Union: strategically, or into an enemy area next to them (ruling: whether or not it is defended)."""

    def table(self, kazan: str = "", turn: int = SUMMER_1942, commands: int = 3) -> Table:
        return scene(
            f"[axis]\nkuibyshev: ger_inf_3a\n{kazan}[soviet]\nurals: sov_tank_1 sov_tank_2\n"
            "[control]\ngermany: kazan kuibyshev gorky",
            phase="move allied",
            turn=turn,
            order=("allied", "axis"),
            commands={"axis": 3, "allied": 3, "soviet": commands},
        )

    def test_an_undefended_enemy_area_costs_a_strategic_move_and_is_taken(self) -> None:
        move(self.table(), "sov_tank_1", "urals", "kazan").includes(
            CommandsSpent("soviet", 1, "strategic"), ControlChanged("kazan", "soviet_union")
        )

    def test_each_army_pays(self) -> None:
        after = move(self.table(commands=1), "sov_tank_1", "urals", "kazan").after()
        move(after, "sov_tank_2", "urals", "kuibyshev").refused("VE 3.2", "NOT_ENOUGH_COMMANDS")

    def test_a_defended_one_costs_the_battle_and_lets_one_army_in(self) -> None:
        """VE 4.6"""
        table = self.table("kazan: ger_inf_1a\n")
        after = move(table, "sov_tank_1", "urals", "kazan").includes(
            CommandsSpent("soviet", 1, "battle"), ClashBegun("kazan", "soviet", "axis", land=True)
        )
        move(after, "sov_tank_2", "urals", "kazan").refused("VE 4.6", "BORDER_LIMIT")

    def test_there_it_ends(self) -> None:
        """Gorky, vacant and the enemy's, is next to Kazan; tanks have three areas."""
        assert targets(self.table(), "sov_tank_1") == {"kazan", "kuibyshev"}
        move(self.table(), "sov_tank_1", "urals", "kazan", "gorky").refused("VE 4.2", "OUT_OF_REACH")

    def test_friendly_ground_is_reached_strategically_alone(self) -> None:
        table = self.table()
        assert ("urals", "vologda") not in paths(table, "sov_tank_1")
        assert "vologda" in targets(table, "sov_tank_1", "strategic")

    def test_nobody_walks_into_them(self) -> None:
        table = scene("[soviet]\nkazan: sov_tank_1", phase="move allied", turn=SUMMER_1942)
        assert "urals" not in targets(table, "sov_tank_1")
        assert "urals" in targets(table, "sov_tank_1", "strategic")

    def test_not_before_1942_without_a_german_attack(self) -> None:
        move(self.table(turn=SUMMER_1941), "sov_tank_1", "urals", "kazan").refused("VE 13 Soviet Union", "URALS_CLOSED")
