"""Retreats by land, sea and air [VE 5.6] [VE 6.4] [VE 7.3] [VE 7.7]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.rounds import ExtendBattle
from stavka.games.victory_in_europe.battle.turns import Retreat

from tests.support.table import Table

from .scene import SUMMER_1941, SUMMER_1943, clash, fire, hold, place, retreat, scene, step, steps, ways

KIEV = "[control]\ngermany: kiev dnepropetrovsk"


def kharkov(axis: str, soviet: str, control: str = KIEV, more: str = "") -> Table:
    return scene(
        f"[axis]\nkharkov: {axis}\n[soviet]\nkharkov: {soviet}\n{more}\n{control}",
        {"kharkov": clash("axis", "soviet", land=True, reinforced=True)},
        turn=SUMMER_1941,
    )


class TestLandRetreats:
    """VE 5.6: to an adjacent friendly area, not over a border that the enemy has used, within its limit and stacking."""

    def test_friendly_neighbors_alone(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1")
        assert "kursk" in ways(table, "sov_guard_1")
        assert "dnepropetrovsk" not in ways(table, "sov_guard_1")
        table.when(Retreat("allied", "sov_guard_1", "moscow"), "allied").refused("VE 5.6", "NO_RETREAT_THERE")

    def test_not_over_a_border_of_the_attack(self) -> None:
        table = kharkov("ger_inf_16a(from=kursk)", "sov_guard_1")
        assert "kursk" not in ways(table, "sov_guard_1")

    def test_a_border_used_by_aircraft_alone_is_open(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_fa_me109_1(from=kursk)", "sov_guard_1")
        table = fire(table, "ger_fa_me109_1", "army")
        assert "kursk" in ways(table, "sov_guard_1")

    def test_reinforcements_close_it_to_the_attacker(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_tank_1(from=dnepropetrovsk)")
        table = hold(table, "sov_guard_1")
        assert ways(table, "ger_inf_16a") == ["kiev"]

    def test_while_they_are_hidden_an_aircraft_closes_it_as_well(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_fa_yak1_1(from=dnepropetrovsk)")
        table = hold(table, "sov_guard_1")
        assert ways(table, "ger_inf_16a") == ["kiev"]
        table = hold(table, "ger_inf_16a")
        assert table.state.battle.round == 2
        assert ways(table, "ger_inf_16a") == ["kiev", "dnepropetrovsk"]

    def test_the_first_round_costs_a_step(self) -> None:
        table = retreat(kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(3)"), "sov_guard_1", "kursk")
        assert (place(table, "sov_guard_1"), steps(table, "sov_guard_1")) == ("kursk", 2)

    def test_the_second_round_does_not(self) -> None:
        table = hold(kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(3)"), "sov_guard_1", "ger_inf_16a")
        assert steps(retreat(table, "sov_guard_1", "kursk"), "sov_guard_1") == 3

    def test_a_last_step_is_lost_with_the_block(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1(1)")
        assert steps(retreat(table, "sov_guard_1", "kursk"), "sov_guard_1") is None

    def test_the_limit_counts_each_round_anew(self) -> None:
        table = scene(
            "[axis]\nmoscow: ger_inf_16a(from=smolensk)\n[soviet]\nmoscow: sov_guard_1(4) sov_tank_1(3)\n"
            "[control]\ngermany: smolensk",
            {"moscow": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = retreat(table, "sov_tank_1", "vologda")
        assert "vologda" not in ways(table, "sov_guard_1")
        assert "kalinin" in ways(table, "sov_guard_1")
        table = hold(table, "sov_guard_1", "ger_inf_16a")
        assert "vologda" in ways(table, "sov_guard_1")

    def test_leaders_ignore_it(self) -> None:
        table = scene(
            "[axis]\nmoscow: ger_inf_16a(from=smolensk)\n[soviet]\nmoscow: sov_ldr_zhukov(2) sov_tank_1(3)\n"
            "[control]\ngermany: smolensk",
            {"moscow": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = retreat(table, "sov_tank_1", "vologda")
        assert "vologda" in ways(table, "sov_ldr_zhukov")

    def test_not_into_a_full_area(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1\nkursk: sov_inf3_1 sov_inf3_2 sov_inf3_3 sov_fa_yak1_1")
        assert "kursk" not in ways(table, "sov_guard_1")

    def test_a_fortress_stays(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_fort_stalingrad")
        assert ways(table, "sov_fort_stalingrad") == []

    def test_the_block_is_hidden_again_where_it_arrives(self) -> None:
        table = retreat(kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_inf3_1"), "sov_guard_1", "kursk")
        assert table.state.blocks["sov_guard_1"].shown == ()
        assert table.state.blocks["sov_inf3_1"].shown == ("axis",)


class TestAirRetreats:
    """VE 6.4: to a friendly area within the normal move that has room in the air."""

    def test_within_range(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_fa_yak1_1", more="")
        found = ways(table, "sov_fa_yak1_1")
        assert "kursk" in found and "tula" in found and "moscow" not in found
        table.when(Retreat("allied", "sov_fa_yak1_1", "moscow"), "allied").refused("VE 6.4", "NO_RETREAT_THERE")

    def test_one_aircraft_an_area(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev)", "sov_guard_1 sov_fa_yak1_1\nkursk: sov_fa_i16")
        assert "kursk" not in ways(table, "sov_fa_yak1_1")

    def test_who_has_dropped_has_come_over_no_border(self) -> None:
        """VE 2.6: over the enemy's own area, which stays open to his retreat, or over the sea."""
        table = kharkov("ger_inf_16a(from=kiev) ger_airborne(from=kursk,aloft)", "sov_guard_1(4)")
        before = ways(table, "sov_guard_1")
        table = hold(table, "sov_guard_1", "ger_inf_16a", "ger_airborne")
        assert table.state.battle is not None and table.state.battle.round == 2
        assert ways(table, "sov_guard_1") == before and "kursk" in before

    def test_nor_has_a_reinforcement_that_drops(self) -> None:
        """VE 5.6: while it is hidden it might be an army that marches; then it closes nothing, in a third round either."""
        leader = "ger_ldr_guderian(2,from=kiev)"
        table = kharkov(f"ger_inf_16a(from=kiev) {leader}", "sov_guard_1 sov_airborne(from=dnepropetrovsk,aloft)")
        table = hold(table, "sov_guard_1")
        assert ways(table, "ger_inf_16a") == ["kiev"]
        table = hold(table, "ger_inf_16a", "ger_ldr_guderian", "sov_guard_1", "sov_airborne")
        assert ways(table, "ger_inf_16a") == ["kiev", "dnepropetrovsk"]
        table = hold(table, "ger_inf_16a", "ger_ldr_guderian")
        table = step(table, ExtendBattle("axis", "ger_ldr_guderian"), "axis")
        table = hold(table, "sov_guard_1", "sov_airborne")
        assert ways(table, "ger_inf_16a") == ["kiev", "dnepropetrovsk"]

    def test_an_airborne_block_that_has_not_dropped_flies_two_areas(self) -> None:
        table = kharkov("ger_inf_16a(from=kiev) ger_airborne(from=kiev,aloft)", "sov_guard_1")
        table = hold(table, "sov_guard_1")
        assert "vinnitsa" in ways(table, "ger_airborne") or "dnepropetrovsk" in ways(table, "ger_airborne")
        assert "vinnitsa" not in ways(table, "ger_inf_16a")


class TestNavalRetreats:
    """VE 7.3: friendly ports and seas within range; else a step and the nearest port; else the ship is lost."""

    def north_sea(self, axis: str, allied: str, control: str = "", more: str = "") -> Table:
        return scene(
            f"[axis]\nnorth_sea: {axis}\n{more}\n[allied]\nnorth_sea: {allied}\n[control]\ngermany: hamburg {control}",
            {"north_sea": clash("axis", "allied")},
        )

    def test_ports_and_friendly_seas(self) -> None:
        table = self.north_sea("ger_ca_1(from=skaggerak)", "bri_ca_1", more="baltic_sea: ger_ub_1")
        table = hold(table, "bri_ca_1")
        found = ways(table, "ger_ca_1")
        assert "hamburg" in found and "baltic_sea" in found and "skaggerak" not in found
        table.when(Retreat("axis", "ger_ca_1", "london"), "axis").refused("VE 7.3", "NO_RETREAT_THERE")

    def test_a_port_has_room_for_one_ship_a_base_for_two(self) -> None:
        table = self.north_sea(
            "ger_ca_1(from=skaggerak)", "bri_ca_1\nscapa_flow: bri_ca_2 bri_ca_3\nscotland: bri_ca_4"
        )
        assert {"scapa_flow", "scotland"}.isdisjoint(ways(table, "bri_ca_1"))
        assert "london" in ways(table, "bri_ca_1")

    def test_surface_ships_do_not_pass_enemies(self) -> None:
        table = scene(
            "[axis]\nenglish_channel: ger_ca_1(from=north_sea)\nnorth_sea: ger_ub_1\nirish_sea: ger_ub_2\n"
            "bay_of_biscay: ger_ub_3\n"
            "western_approaches: ita_ub_1\n[allied]\nenglish_channel: bri_ca_1 bri_ub_1\n"
            "[control]\ngermany: london southampton le_havre calais brest",
            {"english_channel": clash("axis", "allied")},
        )
        assert ways(table, "bri_ca_1") == []
        assert "scotland" in ways(table, "bri_ub_1")

    def test_out_of_range_costs_a_step(self) -> None:
        table = scene(
            "[axis]\nwest_atlantic: ger_bb_bismarck(3,from=east_atlantic)\n[allied]\nwest_atlantic: bri_ca_1\n"
            "[control]\ngermany: hamburg",
            {"west_atlantic": clash("axis", "allied")},
        )
        table = hold(table, "bri_ca_1")
        table = fire(table, "ger_bb_bismarck", "naval")
        table = hold(table, "bri_ca_1")
        table = fire(table, "ger_bb_bismarck", "naval")
        assert (place(table, "ger_bb_bismarck"), steps(table, "ger_bb_bismarck")) == ("hamburg", 2)

    def test_without_any_port_the_ship_is_lost(self) -> None:
        table = scene(
            "[axis]\neast_black_sea: ita_ca_1(from=west_black_sea)\n[soviet]\neast_black_sea: sov_ca_1\n",
            {"east_black_sea": clash("axis", "soviet")},
        )
        table = hold(table, "sov_ca_1")
        table = fire(table, "ita_ca_1", "naval")
        table = hold(table, "sov_ca_1")
        table = fire(table, "ita_ca_1", "naval")
        assert steps(table, "ita_ca_1") is None


class TestAmphibiousRetreats:
    """VE 7.7: from a coast over friendly seas to a friendly coast."""

    def test_over_a_sea_with_a_friendly_ship(self) -> None:
        table = scene(
            "[axis]\ncrete: ger_inf_16a(from=aegean_sea)\naegean_sea: ita_ca_1\n"
            "[allied]\ncrete: bri_inf_bef\neast_mediterranean: bri_ca_1\n[control]\nbritain: crete\n[minors]\nconquered: greece",
            {"crete": clash("axis", "allied", invaded="aegean_sea")},
            turn=SUMMER_1941,
        )
        assert {"cairo", "cyprus"} & set(ways(table, "bri_inf_bef"))

    def test_not_over_a_vacant_one(self) -> None:
        table = scene(
            "[axis]\ncrete: ger_inf_16a(from=aegean_sea)\naegean_sea: ita_ca_1\n"
            "[allied]\ncrete: bri_inf_bef\n[control]\nbritain: crete\n[minors]\nconquered: greece",
            {"crete": clash("axis", "allied", invaded="aegean_sea")},
            turn=SUMMER_1941,
        )
        assert ways(table, "bri_inf_bef") == []

    def test_the_invaders_go_back_over_their_own_sea(self) -> None:
        table = scene(
            "[axis]\ncrete: ger_inf_16a(from=aegean_sea)\naegean_sea: ita_ca_1\n"
            "[allied]\ncrete: bri_inf_bef\n[control]\nbritain: crete\ngermany: athens\n[minors]\nconquered: greece",
            {"crete": clash("axis", "allied", invaded="aegean_sea")},
            turn=SUMMER_1941,
        )
        table = fire(table, "bri_inf_bef", "army")
        assert "athens" in ways(table, "ger_inf_16a")

    def test_none_before_the_landing(self) -> None:
        """VE 7.5: aircraft act first; once ashore the way over land is open as well."""
        table = scene(
            "[axis]\nle_havre: ger_inf_1a\n[allied]\nle_havre: bri_inf_bef(3,from=english_channel) bri_fa_hurricane(from=english_channel)\n"
            "english_channel: bri_ca_1\n[control]\ngermany: le_havre paris\nbritain: brest",
            {"le_havre": clash("allied", "axis", invaded="english_channel")},
            turn=SUMMER_1943,
            order=("allied", "axis"),
        )
        table.when(Retreat("allied", "bri_inf_bef", "brest"), "allied").refused("VE 5.2", "NOT_ITS_TURN")
        table = hold(table, "bri_fa_hurricane", "ger_inf_1a")
        assert {"brest", "southampton"} <= set(ways(table, "bri_inf_bef"))
        assert place(retreat(table, "bri_inf_bef", "brest"), "bri_inf_bef") == "brest"
