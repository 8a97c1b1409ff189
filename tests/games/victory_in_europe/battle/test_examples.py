"""The two printed examples, move by move [VE Battle Example] [VE Sealion Example]."""

from __future__ import annotations

from stavka.games.victory_in_europe.battle.after import StartBlitz
from stavka.games.victory_in_europe.battle.rounds import ChooseBattle

from .scene import (
    SUMMER_1941,
    clash,
    end_regroup,
    fire,
    place,
    retreat,
    scene,
    step,
    steps,
    take_hit,
)


class TestSovietsDefending:
    """VE Battle Example: two rounds on clear ground, then the Germans must leave (VE 5.1)."""

    def test_every_roll_and_hit_as_printed(self) -> None:
        table = scene(
            """
            [axis]
            kharkov: ger_fa_me109_1(3,from=kiev) ger_pz_4a(3,from=kiev) ger_inf_16a(4,from=kiev)
            [soviet]
            kharkov: sov_fa_i16(1) sov_tank_1(2) sov_guard_1(3)
            [control]
            germany: kiev
            """,
            {"kharkov": clash("axis", "soviet", land=True)},
            turn=SUMMER_1941,
        )
        table = fire(table, "ger_fa_me109_1", "air", 1, 2)  # two hits, one of them forfeit
        assert steps(table, "sov_fa_i16") is None
        table = fire(table, "sov_tank_1", "army", 2)
        assert steps(table, "ger_inf_16a") == 3
        table = fire(table, "ger_pz_4a", "army", 1)
        assert steps(table, "sov_guard_1") == 2
        table = fire(table, "sov_guard_1", "army")
        table = fire(table, "ger_inf_16a", "army")

        table = fire(table, "ger_fa_me109_1", "army", 1, 2)  # a 2 misses a secondary target
        assert table.state.battle.round == 2
        table = take_hit(table, "sov_guard_1")  # as strong as the tank
        assert (steps(table, "sov_guard_1"), steps(table, "sov_tank_1")) == (1, 2)
        table = fire(table, "sov_tank_1", "army", 2)
        table = take_hit(table, "ger_inf_16a")  # as strong as the panzers
        assert steps(table, "ger_inf_16a") == 2
        table = fire(table, "ger_pz_4a", "army", 2)
        assert steps(table, "sov_tank_1") == 1
        table = fire(table, "sov_guard_1", "army", 1)
        assert steps(table, "ger_pz_4a") == 2
        table = fire(table, "ger_inf_16a", "army", 1)
        table = take_hit(table, "sov_guard_1")
        assert (steps(table, "sov_guard_1"), steps(table, "sov_tank_1")) == (None, 1)

        assert table.decisions() == [("axis", "retreat")]
        table = retreat(table, "ger_pz_4a", "kiev")
        table = retreat(table, "ger_inf_16a", "kiev")
        assert place(table, "ger_fa_me109_1") == "kiev"  # the only way left
        assert table.state.control["kharkov"] == "soviet_union"
        assert not table.state.clashes
        assert (steps(table, "ger_pz_4a"), steps(table, "ger_inf_16a"), steps(table, "ger_fa_me109_1")) == (2, 2, 3)


class TestOperationSealion:
    """VE Sealion Example, with our ruling: VE 5.4 wins, so the invaders end as infantry 2 and leader 2."""

    def test_every_roll_and_hit_as_printed(self) -> None:
        table = scene(
            """
            [axis]
            english_channel: ger_ub_1(2) ger_ca_1(3)
            southampton: ger_inf_16a(from=english_channel) ger_ldr_rundstedt(from=english_channel) ger_fa_me109_1(from=wales)
            [allied]
            english_channel: bri_bb_nelson(3,from=north_sea)
            southampton: bri_inf_bef(2) bri_ca_1(2,coast0) bri_fa_spitfire_1(2,from=london)
            [control]
            germany: le_havre brest calais paris
            """,
            {
                "english_channel": clash("allied", "axis"),
                "southampton": clash("axis", "allied", reinforced=True, invaded="english_channel"),
            },
        )
        table = step(table, ChooseBattle("english_channel"), "axis")

        table = fire(table, "ger_ub_1", "naval", 1)
        assert steps(table, "bri_bb_nelson") == 2
        table = fire(table, "ger_ca_1", "naval")
        table = fire(table, "bri_bb_nelson", "naval", 3)
        assert steps(table, "ger_ca_1") == 2
        table = fire(table, "ger_ub_1", "naval")
        assert table.state.battle.round == 2
        table = fire(table, "ger_ca_1", "naval", 2)
        assert steps(table, "bri_bb_nelson") == 1
        table = fire(table, "bri_bb_nelson", "naval", 3)
        assert (steps(table, "ger_ca_1"), steps(table, "ger_ub_1")) == (1, 2)
        table = retreat(table, "bri_bb_nelson", "scapa_flow", 0)
        assert place(table, "bri_bb_nelson") == "scapa_flow"

        table = end_regroup(table, "axis")
        assert table.state.battle.area == "southampton"
        table = fire(table, "ger_fa_me109_1", "army")  # at the BEF; the Spitfires are not here yet
        table = fire(table, "bri_ca_1", "naval")  # at the invaders, who land now
        assert table.state.battle.landed
        table = fire(table, "bri_inf_bef", "army", 1)
        assert steps(table, "ger_inf_16a") == 3
        table = fire(table, "ger_inf_16a", "army", 1)
        table = fire(table, "ger_ldr_rundstedt", "army")
        assert steps(table, "bri_inf_bef") == 1

        assert table.state.battle.round == 2
        table = fire(table, "bri_fa_spitfire_1", "army", 1)
        assert (steps(table, "ger_inf_16a"), steps(table, "ger_ldr_rundstedt")) == (2, 2)
        table = fire(table, "ger_fa_me109_1", "air")
        table = fire(table, "bri_ca_1", "air", 2)
        table = fire(table, "bri_inf_bef", "army")
        table = fire(table, "ger_ldr_rundstedt", "army")
        table = fire(table, "ger_inf_16a", "army", 2)
        assert steps(table, "bri_inf_bef") is None

        assert table.state.control["southampton"] == "germany"
        assert steps(table, "bri_ca_1") is None  # no way out: scuttled
        table = retreat(table, "bri_fa_spitfire_1", "london")
        assert (steps(table, "ger_inf_16a"), steps(table, "ger_ldr_rundstedt")) == (2, 2)
        blitzes = [option for option in table.options("axis") if isinstance(option, StartBlitz)]
        assert blitzes == [StartBlitz("axis", "ger_ldr_rundstedt")]
