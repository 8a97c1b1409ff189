"""Resources, factories, convoys: what a power may spend [VE 11.0] [VE 11.1] [VE 11.2] [VE 8.5] [VE 8.6] [VE 7.8]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.production.tally import Tally, aid_to, powers_of, tally_of
from stavka.games.victory_in_europe.state import State
from stavka.kernel.game import Setup

from ..field import SPRING_1941, SUMMER_1940, SUMMER_1942, WINTER_1940, card_with
from .build import EVERYBODY, WEST, factory_floor, ring

USA = "united_states"


def tally(power: str, blocks: str = "", **more: Any) -> Tally:
    return tally_of(factory_floor(blocks, **more).state, power)


def places(tally: Tally) -> dict[str, int]:
    return {place: amount for place, amount, _ in tally.resources}


def begun(scenario: str) -> State:
    state: State = GAME.state()
    for event in GAME.begin(Setup(1, scenario, {}, "")):
        state = GAME.evolve(state, event)
    return state


class TestPrintedTotals:
    """VE 11.0, VE 13 Germany, VE 13 Britain: what the text gives for the start of the war."""

    def test_germany_has_ten_factories_and_eleven_resources(self) -> None:
        found = tally_of(begun("campaign_1939"), "germany")
        assert sum(amount for _, amount, _ in found.factories) == 10
        assert sum(places(found).values()) == 11
        assert found.points == 10

    def test_britain_has_seven_resources(self) -> None:
        """VE 7.82"""
        found = places(tally_of(begun("campaign_1939"), "britain"))
        assert (sum(found.values()), found["canada"], found["convoy_c"]) == (7, 2, 1)

    def test_every_power_but_the_fallen_produces_for_its_seat(self) -> None:
        assert powers_of(begun("campaign_1939"), "axis") == ("germany", "italy")
        assert powers_of(begun("barbarossa_1941"), "allied") == ("britain", USA, "soviet_union")
        assert powers_of(begun("barbarossa_1941_three"), "soviet") == ("soviet_union",)


class TestSequence:
    """VE 11.1: the lesser of supplied factories and supplied resources."""

    def test_factories_limit(self) -> None:
        assert tally("germany", "[factories]\nberlin: 2").points == 2

    def test_resources_limit(self) -> None:
        assert tally("italy", "[factories]\nmilan: 3\nrome: 1").points == 3

    def test_nothing_without_the_capital(self) -> None:
        """VE 1.8: Germany has no other source."""
        found = tally("germany", "[soviet]\nberlin: sov_inf4_1\n[control]\nsoviet_union: berlin", at_war=EVERYBODY)
        assert found.points == 0

    def test_an_event_adds_and_another_takes(self) -> None:
        """VE 3.3"""
        more = card_with("extra_production", "germany")
        less = card_with("production_loss", "germany", amount=2)
        plain = tally("germany").points
        assert tally("germany", played={"axis": more, "allied": less}).points == plain + 4 - 2
        assert tally("germany", "[factories]\nberlin: 1", played={"axis": more, "allied": less}).points == 4
        assert tally("italy", played={"axis": more, "allied": less}).points == tally("italy").points


class TestResources:
    """VE 11.2, VE 8.5"""

    def test_conquered_ones_count_from_the_next_turn_on(self) -> None:
        blocks = "[control]\ngermany: metz belgium calais"
        assert "metz" not in places(tally("germany", blocks, conquests=["metz", "calais"]))
        assert places(tally("germany", blocks))["metz"] == 2

    def test_an_allys_count_at_once(self) -> None:
        assert places(tally("germany", "[minors]\naxis: hungary"))["balaton"] == 1
        assert "balaton" not in places(tally("germany"))

    def test_they_go_to_the_power_that_won_it(self) -> None:
        """VE 10.2"""
        patrons = {"patrons": {"hungary": "italy"}}
        assert "balaton" not in places(tally("germany", "[minors]\naxis: hungary", affairs=patrons))
        found = places(tally("italy", "[minors]\naxis: hungary yugoslavia", affairs=patrons, at_war=(*WEST, "italy")))
        assert found["balaton"] == 1

    def test_they_pass_through_neutrals_but_not_through_enemies(self) -> None:
        """Romania's oil comes over neutral Hungary."""
        assert places(tally("germany"))["bucharest"] == 2
        barred = ring("bucharest", side="allied", holder="britain")
        assert "bucharest" not in places(tally("germany", barred))

    def test_cut_off_from_the_capital_they_do_not_count(self) -> None:
        """Canada's resources cross the ocean."""
        assert places(tally("britain"))["canada"] == 2
        barred = ring("convoy_c", land=False)
        assert "canada" not in places(tally("britain", barred))

    def test_iran_and_iraq_count_for_the_axis_alone(self) -> None:
        """VE 13 Iran, VE 13 Iraq"""
        for holder, side, counts in (("britain", "britain", False), ("germany", "germany", True)):
            held = f"[control]\n{holder}: iran tabriz iraq mosul syria adana ankara mysia istanbul sofia"
            found = places(tally(side, f"{held}\n[minors]\naxis: romania bulgaria hungary"))
            assert ("mosul" in found) is counts
            assert ("iran" in found) is counts


class TestImports:
    """VE 13 Germany, VE 13 Romania, VE 13 Sweden, VE 13 Soviet Union, VE 13 Norway"""

    def test_romania_only_while_neutral_or_axis(self) -> None:
        assert places(tally("germany"))["bucharest"] == 2
        assert "bucharest" not in places(tally("germany", "[minors]\nallied: romania"))
        assert places(tally("germany", "[minors]\naxis: romania"))["bucharest"] == 2
        assert "bucharest" not in places(tally("germany", attacked={"romania": "axis"}))

    def test_the_soviet_resource_until_war(self) -> None:
        assert places(tally("germany"))["soviet_union"] == 1
        assert "soviet_union" not in places(tally("germany", at_war=EVERYBODY))

    @pytest.mark.parametrize(
        ("turn", "control", "counts"),
        [
            (SUMMER_1940, "britain: narvik", True),
            (WINTER_1940, "britain: narvik", False),
            (WINTER_1940, "britain: denmark", False),
            (WINTER_1940, "germany: denmark oslo", True),
        ],
        ids=["summer", "winter and Norway", "winter and Denmark", "winter alone"],
    )
    def test_swedish_ore_in_winter(self, turn: int, control: str, counts: bool) -> None:
        assert ("lulea" in places(tally("germany", f"[control]\n{control}", turn=turn))) is counts

    def test_a_neutral_under_attack_is_nobodys_ally(self) -> None:
        """VE 10.3: Norway with the Axis at Narvik; Denmark that the Allies hold."""
        more: dict[str, Any] = {"turn": WINTER_1940, "attacked": {"norway": "axis"}}
        assert "lulea" in places(tally("germany", "[control]\ngermany: narvik", **more))
        assert "lulea" not in places(tally("germany", "[control]\ngermany: narvik\nbritain: denmark", **more))

    def test_it_adds_nothing_to_the_allies(self) -> None:
        found = tally("britain", "[control]\nbritain: narvik", turn=WINTER_1940)
        assert "lulea" not in places(found)

    def test_the_way_must_be_open(self) -> None:
        """VE 8.5"""
        barred = ring("lulea", side="allied", holder="britain")
        assert "lulea" not in places(tally("germany", barred))


class TestFactories:
    """VE 8.6, VE 11.32"""

    def test_moved_ones_rest(self) -> None:
        assert tally("germany", "[factories]\nberlin: 2\nruhr: 3", shifted={"ruhr": [3]}).points == 2

    def test_those_that_were_there_before_do_not(self) -> None:
        blocks = "[factories]\nurals: 2 2\nmoscow: 1"
        found = tally("soviet_union", blocks, at_war=EVERYBODY, turn=SUMMER_1942, shifted={"urals": [2]})
        assert (found.points, dict(found.pockets)) == (3, {"urals": 2})

    def test_nor_does_a_moved_one_lower_others_when_it_is_bombed(self) -> None:
        assert tally("germany", "[factories]\nberlin: 2\nruhr: 1", shifted={"ruhr": [3]}).points == 2

    def test_unsupplied_ones_do_not_produce(self) -> None:
        blocks = f"[factories]\nberlin: 2\nprague: 2\n{ring('prague', side='allied', holder='britain')}"
        assert [area for area, _, _ in tally("germany", blocks).factories] == ["berlin"]

    def test_the_urals_and_leningrad_keep_theirs_to_themselves(self) -> None:
        """VE 13 Soviet Union, VE 1.9"""
        free = tally("soviet_union", "[factories]\nurals: 2\nleningrad: 1\nmoscow: 1", at_war=EVERYBODY)
        assert dict(free.pockets) == {"urals": 2}
        cut_off = f"[factories]\nurals: 2\nleningrad: 1\nmoscow: 1\n{ring('leningrad')}"
        behind = tally("soviet_union", cut_off, at_war=EVERYBODY)
        assert dict(behind.pockets) == {"urals": 2, "leningrad": 1}
        assert behind.points == 4


class TestConvoys:
    """VE 7.8, VE 7.81, VE 7.82"""

    def test_resource_convoys_give_their_steps(self) -> None:
        assert places(tally("britain", "[allied]\nconvoy_c: bri_convoy_c(3)"))["convoy_c"] == 3
        assert places(tally("france", "[allied]\nconvoy_d: fra_convoy_d(2)"))["convoy_d"] == 2

    def test_a_convoy_that_cannot_reach_home_gives_none(self) -> None:
        text = f"[allied]\nconvoy_c: bri_convoy_c(3)\n{ring('convoy_c', land=False)}"
        assert "convoy_c" not in places(tally("britain", text))

    def test_lend_lease_takes_american_resources(self) -> None:
        text = "[allied]\nconvoy_a: usa_convoy_a(3)\nconvoy_b: usa_convoy_b(4)\n[factories]\nusa: 4 4 4 4"
        found = tally(USA, text, turn=SUMMER_1942, at_war=EVERYBODY)
        assert (found.convoys, found.points) == (7, 16)
        fewer = tally(USA, text.replace("4 4 4 4", "4"), turn=SUMMER_1942, at_war=EVERYBODY)
        assert fewer.points == 11

    def test_britain_gets_its_own_if_it_reaches_london(self) -> None:
        text = "[allied]\nconvoy_b: usa_convoy_b(2)\n{more}"
        free = factory_floor(text.format(more=""), turn=SPRING_1941).state
        assert aid_to(free, USA, "britain") == (("convoy_b", 2, "VE 7.81"),)
        barred = "[axis]\nwest_atlantic: ger_ub_1\neast_atlantic: ger_ub_2\nsouth_atlantic: ger_ub_3\nnorth_atlantic: ger_ca_1"
        cut = factory_floor(text.format(more=barred), turn=SPRING_1941).state
        assert aid_to(cut, USA, "britain") == ()

    @pytest.mark.parametrize(
        ("turn", "more", "amount"),
        [
            (SUMMER_1942, "", 3),
            (SUMMER_1942, "[axis]\nbarents_sea: ger_ca_1", 0),
            (SUMMER_1942, "[axis]\nmurmansk: ger_inf_20a\n[control]\ngermany: murmansk", 3),
            (11, "[axis]\nmurmansk: ger_inf_20a\n[control]\ngermany: murmansk", 0),
            (SUMMER_1942, "[control]\ngermany: belomorsk vologda archangel kalinin", 0),
        ],
        ids=["open", "the sea barred", "by Archangel", "Archangel in winter", "no way on to Moscow"],
    )
    def test_the_soviets_by_murmansk_or_archangel(self, turn: int, more: str, amount: int) -> None:
        """VE 13 Soviet Union"""
        state = factory_floor(f"[allied]\nconvoy_a: usa_convoy_a(3)\n{more}", turn=turn, at_war=EVERYBODY).state
        assert sum(steps for _, steps, _ in aid_to(state, USA, "soviet_union")) == amount

    def test_nothing_for_the_soviets_before_both_are_at_war(self) -> None:
        text = "[allied]\nconvoy_a: usa_convoy_a(3)"
        for war in ((*WEST, USA), (*WEST, "soviet_union")):
            assert aid_to(factory_floor(text, turn=SUMMER_1942, at_war=war).state, USA, "soviet_union") == ()


class TestAid:
    """VE 13 France, VE 13 Italy, VE 13 Iran, VE 13 Canada"""

    def test_one_point_from_britain_to_france(self) -> None:
        assert aid_to(factory_floor("").state, "britain", "france") == (("britain", 1, "VE 13 France"),)

    def test_not_without_a_line_from_london_to_paris(self) -> None:
        assert aid_to(factory_floor(ring("paris")).state, "britain", "france") == ()

    def test_two_from_germany_to_italy_at_war(self) -> None:
        joined = "[control]\ngermany: switzerland"
        assert aid_to(factory_floor(joined).state, "germany", "italy") == ()
        state = factory_floor(joined, at_war=(*WEST, "italy")).state
        assert aid_to(state, "germany", "italy") == (("germany", 2, "VE 13 Italy"),)
        split = "[control]\nbritain: venice innsbruck"
        assert aid_to(factory_floor(split, at_war=(*WEST, "italy")).state, "germany", "italy") == ()

    @pytest.mark.parametrize(
        ("control", "open_"),
        [
            ("britain: iran\nsoviet_union: tabriz", True),
            ("britain: iran tabriz", True),
            ("soviet_union: iran tabriz", True),
            ("britain: iran\ngermany: tabriz", False),
            ("britain: tabriz", False),
        ],
        ids=["shared", "British", "Soviet", "barred", "neutral"],
    )
    def test_one_by_iran(self, control: str, open_: bool) -> None:
        state = factory_floor(f"[control]\n{control}", turn=SUMMER_1942, at_war=EVERYBODY).state
        assert (("iran", 1, "VE 13 Iran") in aid_to(state, USA, "soviet_union")) is open_

    def test_four_to_canada_once_it_is_britains_source(self) -> None:
        text = "[allied]\nconvoy_b: usa_convoy_b(3)\nconvoy_c: bri_convoy_c(2)\n[factories]\nusa: 4 4\n[control]\n"
        more: dict[str, Any] = {"turn": SUMMER_1942, "at_war": EVERYBODY}
        assert aid_to(factory_floor(text, **more).state, USA, "britain") == (("convoy_b", 3, "VE 7.81"),)
        state = factory_floor(f"{text}germany: london", alternate=["britain"], **more).state
        assert aid_to(state, USA, "britain") == (("canada", 4, "VE 13 Canada"),)
        assert (tally_of(state, USA).convoys, tally_of(state, USA).points) == (3, 11)
        assert places(tally_of(state, USA))["convoy_c"] == 2
        assert "convoy_c" not in places(tally_of(state, "britain"))
