"""Minors that surrender, and the forces that come out of it [VE 10.0] [VE 10.1] [VE 11.42] [VE 13 Poland]."""

from __future__ import annotations

from stavka.games.victory_in_europe.diplomacy.surrender import PlaceFreeForces
from stavka.games.victory_in_europe.events import BlockPlaced, BlockRemoved, MinorTurned
from stavka.kernel.game import Command

from tests.support.table import Table

from ..field import SUMMER_1940, scene

WEST = ("germany", "britain", "france")


def after_supply(blocks: str, **more: object) -> Table:
    """What the surrenders of a turn make of a position, as far as they go by themselves."""
    return scene(blocks, phase="surrender", at_war=more.pop("at_war", WEST), **more).goes_on().after()  # type: ignore[arg-type]


class TestSurrender:
    """VE 10.0, VE 1.41"""

    def test_a_minor_falls_with_its_capital(self) -> None:
        table = after_supply(
            "[axis]\nbelgrade: ger_inf_1a\n[allied]\nzagreb: yug_inf_1a\n[control]\ngermany: belgrade\n[minors]\nallied: yugoslavia"
        )
        assert table.state.minors["yugoslavia"] == "conquered"
        assert "yug_inf_1a" not in table.state.blocks
        assert "yug_inf_1a" in table.state.camps["allied"].dead
        assert {table.state.control[a] for a in ("zagreb", "belgrade", "sarajevo", "skopje")} == {"germany"}

    def test_not_as_long_as_it_holds_the_capital(self) -> None:
        table = after_supply(
            "[axis]\nzagreb: ger_inf_1a\n[allied]\nbelgrade: yug_inf_1a\n[control]\ngermany: zagreb\n[minors]\nallied: yugoslavia"
        )
        assert table.state.minors["yugoslavia"] == "allied"
        assert "yug_inf_1a" in table.state.blocks

    def test_areas_that_an_enemy_of_the_victor_occupies_stay_his(self) -> None:
        table = after_supply(
            "[axis]\nathens: ger_inf_1a\n[allied]\ncrete: bri_inf_bef bri_fa_hurricane\n[control]\ngermany: athens\n[minors]\nallied: greece"
        )
        assert table.state.control["crete"] == "britain"
        assert table.state.blocks["bri_fa_hurricane"].at == "crete"

    CRETE = (
        "[axis]\nathens: ger_inf_1a\n[allied]\ncrete: bri_fa_hurricane bri_bb_nelson\n"
        "[control]\ngermany: athens {more}\n[minors]\nallied: greece"
    )

    def test_aircraft_and_ships_alone_hold_nothing(self) -> None:
        """They leave for the nearest friendly place."""
        table = after_supply(self.CRETE.format(more="mersa_matruh"))
        assert table.state.control["crete"] == "germany"
        assert table.state.blocks["bri_fa_hurricane"].at == "cairo"
        assert table.state.blocks["bri_bb_nelson"].at == "cairo"

    def test_without_a_refuge_in_range_they_are_lost(self) -> None:
        """Ships go out to sea."""
        table = after_supply(
            self.CRETE.format(
                more="mersa_matruh cairo cyprus suez palestine malta corsica tunis algiers marseilles montpellier"
            )
        )
        assert "bri_fa_hurricane" in table.state.camps["allied"].pool
        assert table.state.blocks["bri_bb_nelson"].at in ("aegean_sea", "east_mediterranean")

    def test_what_the_minor_took_abroad_passes_to_its_side(self) -> None:
        table = after_supply(
            "[soviet]\nbucharest: sov_inf4_1\n[control]\nsoviet_union: bucharest\nromania: odessa\n[minors]\naxis: romania",
            at_war=("germany", "britain", "soviet_union"),
        )
        assert table.state.control["odessa"] == "germany"
        assert table.state.control["constanta"] == "soviet_union"

    def test_resources_of_the_conquered_wait_a_turn(self) -> None:
        """VE 11.2"""
        table = after_supply(
            "[axis]\nbudapest: ger_inf_1a\n[control]\ngermany: budapest\n[minors]\nallied: hungary", turn=SUMMER_1940
        )
        assert "balaton" in table.state.conquests

    def test_an_attacked_neutral_falls_likewise(self) -> None:
        table = after_supply(
            "[axis]\noslo: ger_inf_1a\n[control]\ngermany: oslo", attacked={"norway": "axis"}, fought=["oslo"]
        )
        assert table.state.minors["norway"] == "conquered"
        assert table.state.control["narvik"] == "germany"
        assert "norway" not in table.state.attacked

    def test_minors_of_player_1_first(self) -> None:
        blocks = (
            "[axis]\nbelgrade: ger_inf_1a\n[soviet]\nbucharest: sov_inf4_1\n[control]\ngermany: belgrade\n"
            "soviet_union: bucharest\n[minors]\nallied: yugoslavia\naxis: romania"
        )
        for order, minors in (
            (("axis", "allied"), ["romania", "yugoslavia"]),
            (("allied", "axis"), ["yugoslavia", "romania"]),
        ):
            war = ("germany", "britain", "soviet_union")
            events = scene(blocks, phase="surrender", order=order, at_war=war).goes_on().events
            assert [event.minor for event in events if isinstance(event, MinorTurned)] == minors


class TestFreeForces:
    """VE 11.42"""

    FALLEN = (
        "[axis]\nwarsaw: ger_inf_1a\n[allied]\npoznan: pol_inf_2a\n{home}\n[control]\ngermany: warsaw danzig krakow"
    )

    def poland_falls(self, home: str = "") -> Table:
        return after_supply(self.FALLEN.format(home=home))

    def test_the_free_poles_stand_in_britain_at_one_step(self) -> None:
        table = self.poland_falls("krakow: pol_inf_1a")
        assert table.decisions() == [("allied", "free_forces")]
        placed = table.when(PlaceFreeForces("allied", (("pol_inf_1a", "wales"),)), "allied").includes(
            BlockPlaced("pol_inf_1a", "poland", "wales", "allied", "allied", 1, -1)
        )
        after = placed.goes_on().after()
        assert after.state.frames[-1].kind != "free_forces"
        assert "pol_inf_2a" in after.state.camps["allied"].dead

    def test_also_when_they_had_been_eliminated(self) -> None:
        table = self.poland_falls()
        assert PlaceFreeForces("allied", (("pol_inf_1a", "london"),)) in table.options("allied")

    def test_only_where_there_is_room_in_britain(self) -> None:
        table = self.poland_falls("scapa_flow: bri_inf_bef")
        for area in ("scapa_flow", "eire", "canada", "paris"):
            command: Command = PlaceFreeForces("allied", (("pol_inf_1a", area),))
            table.when(command, "allied").refused("VE 11.42", "NOT_A_PLACE_FOR_THEM")

    def test_a_single_place_needs_no_answer(self) -> None:
        taken = "germany: warsaw danzig krakow scotland scapa_flow liverpool birmingham wales southampton london"
        table = after_supply(
            f"[axis]\nwarsaw: ger_inf_1a\n[control]\n{taken}",
        )
        assert table.state.blocks["pol_inf_1a"].at == "belfast"

    def test_without_any_place_they_wait_in_the_pool(self) -> None:
        isles = "scotland scapa_flow liverpool birmingham wales southampton london belfast"
        table = after_supply(f"[axis]\nwarsaw: ger_inf_1a\n[control]\ngermany: warsaw danzig krakow {isles}")
        assert "pol_inf_1a" in table.state.camps["allied"].pool
        assert table.state.frames[-1].kind != "free_forces"

    def test_none_when_the_soviets_conquer_poland(self) -> None:
        table = after_supply(
            "[soviet]\nwarsaw: sov_inf4_1\n[control]\nsoviet_union: warsaw\n[minors]\naxis: poland",
            at_war=("germany", "britain", "soviet_union"),
        )
        assert table.state.minors["poland"] == "conquered"
        assert "pol_inf_1a" not in table.state.blocks

    def test_who_falls_is_told_apart_by_nobody(self) -> None:
        """The blocks leave in the order of their places."""
        outcome = scene(self.FALLEN.format(home="krakow: pol_inf_1a"), phase="surrender", at_war=WEST).goes_on()
        gone = [event.area for event in outcome.events if isinstance(event, BlockRemoved)]
        assert gone == sorted(gone)
