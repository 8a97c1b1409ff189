"""Attacks on minors: who sets them up, what keeps them going, what they earn [VE 10.3] [VE 13 Poland] [VE 13 France]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stavka.games.victory_in_europe.cards import CARDS
from stavka.games.victory_in_europe.diplomacy.events import DefenseRewarded, MinorAssailed
from stavka.games.victory_in_europe.diplomacy.garrison import SetUpMinor
from stavka.games.victory_in_europe.diplomacy.rolls import RollFor
from stavka.games.victory_in_europe.events import BlockPlaced, MinorTurned, PowerEntered
from stavka.games.victory_in_europe.moves import DeclareWar
from stavka.kernel.frames import FramePushed

from tests.support.table import Table

from ..field import SPRING_1941, SUMMER_1940, SUMMER_1941, move, scene

WEST = ("germany", "britain", "france")


def set_up(seat: str, places: Mapping[str, str]) -> SetUpMinor:
    return SetUpMinor(seat, tuple(places.items()))


def war(blocks: str, side: str, country: str, **more: Any) -> Table:
    """A declaration of war in the move phase of the side's player."""
    seats = more.pop("seats", "")
    seat = side if side in ("axis", "allied") or seats else "allied"
    table = scene(blocks, phase=f"move {seat}", **{"at_war": WEST, **more})
    return table.when(DeclareWar(side, country), seat).after()


class TestSettingUp:
    """VE 10.3: the enemy sets up the neutral's forces, somebody in the capital."""

    def romania(self) -> Table:
        return war(
            "[axis]\nbratislava: ger_inf_1a\nbudapest: ger_inf_2a\n[control]\ngermany: budapest", "axis", "romania"
        )

    def test_the_allies_against_the_axis(self) -> None:
        table = self.romania()
        assert table.decisions() == [("allied", "garrison")]
        places = {"rom_inf_3a": "bucharest", "rom_inf_4a": "iasi", "rom_fa": "iasi"}
        after = table.when(set_up("allied", places), "allied").includes(
            BlockPlaced("rom_inf_3a", "romania", "bucharest", "allied", "allied", 3, -1)
        )
        assert after.state.frames[-1].kind == "move"
        assert after.state.attacked == {"romania": "axis"}

    def test_the_axis_against_soviets_and_allies(self) -> None:
        soviet = war("[soviet]\nleningrad: sov_inf4_1", "soviet", "finland")
        assert soviet.decisions() == [("axis", "garrison")]
        allied = war("[allied]\npalestine: bri_inf_8a", "allied", "iraq", turn=SPRING_1941)
        assert allied.state.blocks.get("irq_inf_1a") or allied.decisions() == [("axis", "garrison")]

    def test_somebody_in_the_capital(self) -> None:
        table = self.romania()
        places = {"rom_inf_3a": "cluj", "rom_inf_4a": "iasi", "rom_fa": "iasi"}
        table.when(set_up("allied", places), "allied").refused("VE 10.3", "CAPITAL_LEFT_EMPTY")

    def test_within_the_country(self) -> None:
        table = self.romania()
        places = {"rom_inf_3a": "bucharest", "rom_inf_4a": "belgrade", "rom_fa": "iasi"}
        table.when(set_up("allied", places), "allied").refused("VE 10.3", "NOT_ITS_AREA")

    def test_its_own_forces_all_of_them(self) -> None:
        table = self.romania()
        short = {"rom_inf_3a": "bucharest", "rom_inf_4a": "iasi"}
        table.when(set_up("allied", short), "allied").refused("VE 10.3", "BLOCK_LEFT_OUT")
        foreign = {"bri_inf_bef": "iasi", **short, "rom_fa": "iasi"}
        table.when(set_up("allied", foreign), "allied").refused("VE 10.3", "NOT_ITS_BLOCK")

    def test_pairs_in_manifest_order(self) -> None:
        """VE 2.1"""
        table = self.romania()
        for places in (
            (("rom_inf_4a", "iasi"), ("rom_inf_3a", "bucharest")),
            (("rom_inf_3a", "iasi"), ("rom_inf_3a", "bucharest")),
            (("dragon", "iasi"),),
            ("ab",),
            (("rom_inf_3a",),),
        ):
            table.when(SetUpMinor("allied", places), "allied").malformed("BAD_PLACES")  # type: ignore[arg-type]

    def test_within_stacking(self) -> None:
        """VE 4.5"""
        table = war("[allied]\ngibraltar: bri_inf_bef", "allied", "spain")
        crowd = {"spa_inf_1a": "madrid", "spa_inf_2a": "majorca", "spa_inf_3a": "majorca"}
        table.when(set_up("axis", crowd), "axis").refused("VE 4.5", "OVERSTACKED")

    def test_ships_in_ports(self) -> None:
        table = war("[axis]\noslo: ger_inf_1a\n[control]\ngermany: oslo bergen trondheim narvik", "axis", "sweden")
        ashore = {"swe_inf_1a": "stockholm", "swe_inf_2a": "lulea", "swe_ca": "stockholm"}
        table.when(set_up("allied", ashore), "allied").includes(
            BlockPlaced("swe_ca", "sweden", "stockholm", "allied", "allied", 2, 0)
        )
        inland = war("[soviet]\nleningrad: sov_inf4_1", "soviet", "finland")
        assert all("fin" in block for option in inland.options("axis") for block, _ in option.places)  # type: ignore[attr-defined]

    def test_every_listed_set_up_is_accepted(self) -> None:
        table = self.romania()
        options = table.options("allied")
        assert options
        for option in options:
            assert table.when(option, "allied").error is None

    def test_a_single_choice_is_made_at_once(self) -> None:
        table = war("[axis]\nhamburg: ger_inf_1a", "axis", "denmark")
        assert table.state.blocks["den_inf_1a"].at == "denmark"
        assert table.state.frames[-1].kind == "move"

    def test_of_three_players_the_allied_one_never_the_soviet(self) -> None:
        table = scene(
            "[axis]\noslo: ger_inf_1a\n[control]\ngermany: oslo bergen trondheim narvik",
            phase="move axis", scenario="campaign_1939_three", at_war=WEST, order=("axis", "soviet", "allied"),
        )  # fmt: skip
        outcome = table.when(DeclareWar("axis", "sweden"), "axis")
        outcome.includes(FramePushed("garrison", "diplomacy", "allied", "sweden"))

    def test_only_survivors_of_an_earlier_attack(self) -> None:
        table = war("[axis]\nhamburg: ger_inf_1a\n[dead]\nallied: net_inf_1a", "axis", "netherlands")
        assert "net_inf_1a" not in table.state.blocks
        assert table.state.blocks["net_ca"].at == "netherlands"


class TestMajorsAttacked:
    """VE 13 Soviet Union"""

    def test_an_attack_brings_the_soviets_in(self) -> None:
        table = war("[axis]\nwarsaw: ger_inf_1a\n[control]\ngermany: warsaw", "axis", "soviet_union", turn=SUMMER_1941)
        assert table.state.entered["soviet_union"] == SUMMER_1941
        assert "soviet_union" in table.state.at_war

    def test_so_does_their_own_declaration(self) -> None:
        blocks = "[soviet]\nbrest_litovsk: sov_inf4_1\n[control]\ngermany: warsaw"
        table = war(blocks, "soviet", "germany", turn=SUMMER_1941)
        assert "soviet_union" in table.state.at_war
        assert table.state.barbarossa == 0


class TestAlliedMinors:
    """VE 13.0: to invade an ally of a major power is war on that power."""

    def test_finland_with_the_soviets(self) -> None:
        blocks = "[axis]\nnarvik: ger_inf_1a\n[control]\ngermany: narvik\n[minors]\nsoviet: finland"
        table = scene(blocks, at_war=WEST, turn=SPRING_1941)
        assert DeclareWar("axis", "finland") not in table.options("axis")
        after = table.when(DeclareWar("axis", "soviet_union"), "axis").after()
        assert "soviet_union" in after.state.at_war

    def test_a_neutral_minor_is_no_major_power(self) -> None:
        """VE 10.3"""
        table = war("[axis]\nhamburg: ger_inf_1a", "axis", "denmark")
        assert "soviet_union" not in table.state.at_war


class TestVichyAttacked:
    """VE 13 France: it joins the other side, with its printed forces."""

    def test_it_joins_the_allies_against_the_axis(self) -> None:
        table = war(
            "[axis]\nparis: ger_inf_1a", "axis", "vichy", scenario="stalingrad_1942", turn=13, fallen=["france"],
        )  # fmt: skip
        assert table.state.minors["vichy"] == "allied"
        assert table.state.attacked == {}
        assert {b: (p.at, p.steps) for b, p in table.state.blocks.items() if p.nation == "vichy"} == {
            "vic_inf_1a": ("lyon", 2), "vic_ca": ("marseilles", 1), "vic_inf_alg": ("algiers", 1), "vic_inf_tun": ("tunis", 1),
        }  # fmt: skip

    VICHY = "[control]\nvichy: lyon marseilles montpellier corsica tunis algiers morocco\ngermany: paris"

    def test_it_joins_the_axis_against_the_allies_at_its_printed_strength(self) -> None:
        blocks = f"[allied]\nspanish_morocco: bri_inf_bef\n{self.VICHY}\nbritain: spanish_morocco"
        table = scene(blocks, phase="move allied", at_war=("germany", "britain"), fallen=["france"])
        after = table.when(DeclareWar("allied", "vichy"), "allied").after()
        assert after.state.minors["vichy"] == "axis"
        assert {b: p.steps for b, p in after.state.blocks.items() if p.nation == "vichy"} == {
            "vic_inf_1a": 3, "vic_ca": 2, "vic_inf_alg": 2, "vic_inf_tun": 2,
        }  # fmt: skip

    def test_forces_whose_place_is_lost_do_not_appear(self) -> None:
        blocks = (
            "[axis]\nparis: ger_inf_1a\n[control]\nvichy: lyon marseilles montpellier corsica\ngermany: paris\n"
            "britain: tunis algiers morocco"
        )
        table = war(blocks, "axis", "vichy", at_war=("germany", "britain"), fallen=["france"])
        assert {b for b, p in table.state.blocks.items() if p.nation == "vichy"} == {"vic_inf_1a", "vic_ca"}
        assert {"vic_inf_alg", "vic_inf_tun"} <= table.state.camps["allied"].dead


def ending(blocks: str, **more: Any) -> Table:
    return scene(blocks, phase="turn_end", **{"at_war": WEST, **more}).goes_on().after()


class TestMaintenance:
    """VE 10.3: attacked every turn, or neutral again."""

    FINLAND = "[axis]\nhelsinki: fin_inf_1a(1)\nviipuri: fin_inf_2a"

    def test_left_alone_it_turns_neutral_and_its_forces_go_home(self) -> None:
        table = ending(self.FINLAND, attacked={"finland": "soviet"})
        assert table.state.minors["finland"] == "neutral"
        assert table.state.attacked == {}
        assert not table.state.blocks
        assert "fin_inf_1a" not in table.state.camps["axis"].dead

    def test_a_battle_keeps_the_war_going(self) -> None:
        table = ending(self.FINLAND, attacked={"finland": "soviet"}, fought=["viipuri"])
        assert table.state.attacked == {"finland": "soviet"}
        assert "fin_inf_1a" in table.state.blocks

    def test_so_does_an_area_taken_without_one(self) -> None:
        table = ending(self.FINLAND, attacked={"finland": "soviet"}, affairs={"assailed": {"finland": SUMMER_1940}})
        assert table.state.attacked == {"finland": "soviet"}
        earlier = ending(
            self.FINLAND, attacked={"finland": "soviet"}, affairs={"assailed": {"finland": SUMMER_1940 - 1}}
        )
        assert earlier.state.attacked == {}

    def test_taking_an_area_is_remembered(self) -> None:
        blocks = "[soviet]\nbelomorsk: sov_inf4_1\n[axis]\nhelsinki: fin_inf_1a"
        table = scene(blocks, phase="move allied", at_war=WEST, attacked={"finland": "soviet"})
        move(table, "sov_inf4_1", "belomorsk", "oulu").includes(MinorAssailed("finland", SUMMER_1940))

    def test_what_the_attacker_took_stays_his(self) -> None:
        table = ending("[soviet]\noulu: sov_inf4_1\n[control]\nsoviet_union: oulu", attacked={"finland": "soviet"})
        assert table.state.control["oulu"] == "soviet_union"
        assert table.state.control["helsinki"] == "finland"

    def test_attacked_again_it_is_whole_again(self) -> None:
        table = ending(self.FINLAND, attacked={"finland": "soviet"})
        table = scene("[soviet]\nleningrad: sov_inf4_1", phase="move allied", at_war=WEST)
        after = table.when(DeclareWar("soviet", "finland"), "allied").after()
        placed = after.when(after.options("axis")[0], "axis").events
        assert [event.steps for event in placed if isinstance(event, BlockPlaced)] == [3, 3]


class TestSurvivors:
    """VE 10.2, VE 10.3: whoever defends a neutral that survives rolls better for it."""

    def judged(self, **more: Any) -> Any:
        return scene("[allied]\noslo: nor_inf_1a", phase="surrender", at_war=WEST, **more).goes_on()

    def test_a_survivor_of_an_attack(self) -> None:
        self.judged(attacked={"norway": "axis"}, fought=["oslo"]).includes(DefenseRewarded("norway", "allied"))

    def test_not_one_that_was_only_threatened(self) -> None:
        self.judged(attacked={"norway": "axis"}).lacks(DefenseRewarded)

    def test_not_twice(self) -> None:
        for affairs in ({"defended": {"norway": "allied"}}, {"spent": ["norway"]}):
            self.judged(attacked={"norway": "axis"}, fought=["oslo"], affairs=affairs).lacks(DefenseRewarded)


class TestPoland:
    """VE 13 Poland"""

    POLES = "[allied]\nwarsaw: pol_inf_1a\npoznan: pol_inf_2a"

    def test_not_attacked_it_turns_neutral(self) -> None:
        table = ending(self.POLES)
        assert table.state.minors["poland"] == "neutral"
        assert not table.state.blocks

    def test_attacked_it_fights_on(self) -> None:
        table = ending(self.POLES, fought=["poznan"])
        assert table.state.minors["poland"] == "allied"
        taken = ending(self.POLES, affairs={"assailed": {"poland": SUMMER_1940}})
        assert taken.state.minors["poland"] == "allied"

    def test_taking_a_polish_area_is_an_attack(self) -> None:
        table = scene("[axis]\nstettin: ger_inf_1a", at_war=WEST)
        move(table, "ger_inf_1a", "stettin", "poznan").includes(MinorAssailed("poland", SUMMER_1940))

    def test_back_by_a_roll_it_is_an_ally_like_others(self) -> None:
        table = ending(self.POLES, affairs={"patrons": {"poland": "britain"}})
        assert table.state.minors["poland"] == "allied"

    def test_neutral_poland_may_be_rolled_for(self) -> None:
        played = {"allied": next(card.id for card in CARDS.values() if card.color == "blue")}
        table = scene("[minors]\nneutral: poland", phase="diplomacy", at_war=WEST, played=played, order=("allied",))
        assert RollFor("poland") in table.options("allied")

    def test_a_neutral_has_no_ground_abroad(self) -> None:
        """VE 4.1: what it took is its owner's again; what it only guards stays with whoever controls it."""
        blocks = (
            "[allied]\nwarsaw: pol_inf_1a\nkonigsberg: pol_inf_2a\nstettin: pol_fa\n"
            "[control]\npoland: konigsberg breslau\nbritain: stettin"
        )
        table = ending(blocks)
        control = table.state.control
        assert (control["konigsberg"], control["breslau"], control["stettin"]) == ("germany", "germany", "britain")
        assert control["warsaw"] == control["poznan"] == "poland"
        fighting = ending(blocks, fought=["poznan"])
        assert fighting.state.control["konigsberg"] == "poland"

    def test_its_allies_hold_what_they_guard_there(self) -> None:
        table = ending(f"{self.POLES}\nkonigsberg: bri_inf_bef\n[control]\npoland: konigsberg")
        assert table.state.control["konigsberg"] == "britain"

    def test_ground_of_a_country_that_is_gone_is_britains(self) -> None:
        """VE 10.0: Hungary conquered; neutral Romania takes its own back."""
        table = ending(f"{self.POLES}\n[control]\npoland: budapest cluj\n[minors]\nconquered: hungary")
        assert (table.state.control["budapest"], table.state.control["cluj"]) == ("britain", "romania")

    def test_guests_hold_their_ground_or_leave(self) -> None:
        table = ending(f"{self.POLES}\ndanzig: bri_inf_bef\nkrakow: bri_fa_hurricane")
        assert table.state.control["danzig"] == "britain"
        assert "bri_fa_hurricane" not in table.state.blocks or table.state.blocks["bri_fa_hurricane"].at == "danzig"


class TestEntries:
    """VE 13 Italy: the fall of a great capital brings her in at once."""

    def test_paris_taken(self) -> None:
        table = scene("[axis]\ncalais: ger_inf_1a\n[control]\ngermany: calais", at_war=WEST)
        move(table, "ger_inf_1a", "calais", "paris").includes(PowerEntered("italy", SUMMER_1940))

    def test_no_other_place(self) -> None:
        table = scene("[axis]\ncalais: ger_inf_1a\n[control]\ngermany: calais", at_war=WEST)
        move(table, "ger_inf_1a", "calais", "le_havre").lacks(PowerEntered)

    def test_not_twice_and_not_after_her_surrender(self) -> None:
        blocks = "[axis]\ncalais: ger_inf_1a\n[control]\ngermany: calais"
        for more in ({"at_war": (*WEST, "italy")}, {"at_war": WEST, "fallen": ["italy"]}):
            move(scene(blocks, **more), "ger_inf_1a", "calais", "paris").lacks(PowerEntered)


def test_an_attacked_minor_does_not_join_the_enemy() -> None:
    """VE 10.3"""
    table = war("[axis]\nhamburg: ger_inf_1a", "axis", "denmark")
    assert table.state.minors["denmark"] == "neutral"
    outcome = scene("[axis]\nhamburg: ger_inf_1a", at_war=WEST).when(DeclareWar("axis", "denmark"), "axis")
    outcome.lacks(MinorTurned)
