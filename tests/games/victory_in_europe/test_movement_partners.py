"""Allies and Soviets in one sea, and events that minor powers share [VE 4.3] [VE 4.4] [VE 3.3]."""

from __future__ import annotations

from typing import Any

from stavka.games.victory_in_europe.board import friendly_places

from tests.support.table import Table

from .field import SUMMER_1942, card_with, move, paths, scene, spent, targets

WESTERN = ("germany", "britain", "united_states")


class TestSeaDefense:
    """VE 4.4, ruling on VE 13 Soviet Union: at sea they fight side by side, in defense as in attack."""

    def barents(self, allied: str, **more: Any) -> Table:
        return scene(
            f"[axis]\nbarents_sea: ger_ub_1(from=norwegian_sea)\n[allied]\nbarents_sea: {allied}\n[soviet]\n"
            "murmansk: sov_ca_1",
            phase="move allied",
            turn=SUMMER_1942,
            clashes={"barents_sea": {"attacker": "axis", "defender": "allied"}},
            **more,
        )

    def test_a_partner_comes_to_help(self) -> None:
        after = move(self.barents("bri_ca_1"), "sov_ca_1", "murmansk", "barents_sea").after()
        assert (after.state.blocks["sov_ca_1"].at, spent(after, "soviet")) == ("barents_sea", 1)

    def test_not_before_it_is_at_war_with_the_attacker(self) -> None:
        table = self.barents("bri_ca_1", at_war=WESTERN)
        move(table, "sov_ca_1", "murmansk", "barents_sea").refused("VE 4.2", "NOT_YOUR_BATTLE")

    def test_nor_does_it_attack_side_by_side_before_that(self) -> None:
        for at_war, joins in ((WESTERN, False), ((*WESTERN, "soviet_union"), True)):
            table = scene(
                "[axis]\nbarents_sea: ger_ca_1\n[allied]\nbarents_sea: bri_ca_1(from=norwegian_sea)\n[soviet]\n"
                "murmansk: sov_ca_1",
                phase="move allied",
                turn=SUMMER_1942,
                clashes={"barents_sea": {"attacker": "allied", "defender": "axis"}},
                at_war=at_war,
            )
            assert ("barents_sea" in targets(table, "sov_ca_1")) is joins

    def test_on_land_it_does_not(self) -> None:
        table = scene(
            "[axis]\nbergen: ger_inf_1a(from=oslo)\n[allied]\nbergen: bri_inf_bef\n[soviet]\nnarvik: sov_fa_i16\n"
            "[control]\nbritain: bergen\nsoviet_union: narvik\ngermany: oslo",
            phase="move allied",
            turn=SUMMER_1942,
            clashes={"bergen": {"attacker": "axis", "defender": "allied", "land": True}},
        )
        assert "bergen" not in targets(table, "sov_fa_i16")


class TestPinnedTogether:
    """VE 4.3: as many as attack are held, whichever side's they are."""

    def barents(self, axis: str, **more: Any) -> Table:
        return scene(
            f"[axis]\nbarents_sea: {axis}\n[allied]\nbarents_sea: bri_ca_1 bri_ca_2\n[soviet]\nbarents_sea: sov_ca_1",
            phase="move allied",
            turn=SUMMER_1942,
            clashes={"barents_sea": {"attacker": "axis", "defender": "allied"}},
            **more,
        )

    def test_two_hold_two_of_three(self) -> None:
        table = self.barents("ger_ub_1(from=norwegian_sea) ger_ca_1(from=norwegian_sea)")
        after = move(table, "sov_ca_1", "barents_sea", "white_sea").after()
        move(after, "bri_ca_1", "barents_sea", "white_sea").refused("VE 4.3", "PINNED")

    def test_three_hold_all(self) -> None:
        table = self.barents("ger_ub_1(from=norwegian_sea) ger_ca_1(from=norwegian_sea) ger_ca_2(from=norwegian_sea)")
        move(table, "sov_ca_1", "barents_sea", "white_sea").refused("VE 4.3", "PINNED")

    def test_who_is_at_peace_is_neither_held_nor_counted(self) -> None:
        table = self.barents("ger_ub_1(from=norwegian_sea) ger_ca_1(from=norwegian_sea)", at_war=WESTERN)
        move(table, "bri_ca_1", "barents_sea", "norwegian_sea").refused("VE 4.3", "PINNED")


def test_a_sea_with_ships_of_enemies_is_friendly_to_neither() -> None:
    """VE 1.6: also where no battle has come of it."""
    table = scene("[axis]\nbaltic_sea: ger_ca_1\n[soviet]\nbaltic_sea: sov_ca_1\n[allied]\nnorth_sea: bri_ca_1")

    found = friendly_places(table.state)
    assert "north_sea" in found["allied"]
    assert not any("baltic_sea" in places for places in found.values())


class TestMinorsBesideMajors:
    """VE 3.3: what an event does in the Move Phase it does for a minor's unit that stands with one of the event's power."""

    def budapest(self, more: str, kind: str, **event: Any) -> Table:
        played = {"axis": card_with(kind, "germany", **event)}
        blocks = f"[axis]\nbudapest: hun_inf_1a {more}\n[minors]\naxis: hungary"
        return scene(blocks, played=played, commands={"axis": 0, "allied": 0})

    def test_strategic_moves_for_nothing(self) -> None:
        assert targets(self.budapest("ger_inf_1a", "extra_sm"), "hun_inf_1a", "strategic")
        alone = self.budapest("\nberlin: ger_inf_1a", "extra_sm")
        assert not targets(alone, "hun_inf_1a", "strategic")
        assert targets(alone, "ger_inf_1a", "strategic")

    def test_another_minor_is_no_help(self) -> None:
        table = scene(
            "[axis]\nbudapest: hun_inf_1a rom_inf_3a\n[minors]\naxis: hungary romania",
            played={"axis": card_with("extra_sm", "germany")},
            commands={"axis": 0, "allied": 0},
        )
        assert not targets(table, "hun_inf_1a", "strategic")

    def test_one_more_over_a_border(self) -> None:
        """VE 4.6: while a British army stays behind in Metz, and not when the last has left it."""
        for stays, open_ in (("bri_inf_2a", True), ("", False)):
            table = scene(
                f"[allied]\nmetz: bri_inf_1a {stays} bel_inf_1a\n[axis]\nfrankfurt: ger_inf_1a\n[minors]\nallied: belgium",
                phase="move allied",
                played={"axis": "axis_1945_1", "allied": card_with("border_bonus", "britain")},
            )
            after = move(table, "bri_inf_1a", "metz", "frankfurt").after()
            assert (("metz", "frankfurt") in paths(after, "bel_inf_1a")) is open_
            if not open_:
                move(after, "bel_inf_1a", "metz", "frankfurt").refused("VE 4.6", "BORDER_LIMIT")
