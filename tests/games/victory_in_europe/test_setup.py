"""How a match begins, free deployment, the sequence of play [VE Deployment] [VE Game Turn] [VE S 1941] to [VE S 1944]."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import pytest
from stavka.games.victory_in_europe import GAME, play
from stavka.games.victory_in_europe.events import ForcesDeployed
from stavka.games.victory_in_europe.ground import BLOCKS, main_coast
from stavka.games.victory_in_europe.moves import EndMoves, MoveBlock
from stavka.games.victory_in_europe.setup import Deploy
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.frames import FrameStepped
from stavka.kernel.game import Setup
from stavka.kernel.visibility import SPECTATOR, Viewer, seat
from stavka.views.redact import facts, redact

from tests.support.table import Outcome, Table, given

from .field import scene

FIVE = ("campaign_1939", "barbarossa_1941", "stalingrad_1942", "kursk_1943", "bagration_1944")
ALL = tuple(GAME.scenarios)


def begun(scenario: str, **options: str) -> Table:
    return given(begun=f"victory_in_europe/{scenario}", options=options)


def seen_by(viewer: Viewer, outcome: Outcome) -> object:
    """What a viewer has of a step: the events, and the state after it."""
    return facts(outcome.events, viewer, False), redact(outcome.after().state, viewer, False)


class TestBeginning:
    """VE Deployment VE 2.1"""

    @pytest.mark.parametrize("entry", ["automatic", "by_roll"])
    @pytest.mark.parametrize("scenario", ALL)
    def test_every_block_is_somewhere_once(self, scenario: str, entry: str) -> None:
        state = begun(scenario, american_entry=entry).state
        places: Counter[str] = Counter(list(state.blocks))
        for camp in state.camps.values():
            places.update((*camp.pool, *camp.dead))
        at_home = {b for b, datum in BLOCKS.items() if state.minors.get(datum.nation) == "neutral"} - set(places)
        places.update(at_home)
        assert set(places) == set(BLOCKS)
        assert set(places.values()) == {1}

    @pytest.mark.parametrize("scenario", FIVE)
    def test_there_is_a_match_for_two_and_for_three(self, scenario: str) -> None:
        """VE 12.0"""
        assert GAME.scenarios[scenario].seats == ("axis", "allied")
        three = begun(f"{scenario}_three").state
        assert three.seats == ("axis", "allied", "soviet")
        assert {p.seat for p in three.blocks.values() if p.side == "soviet"} == {"soviet"}
        assert {p.seat for p in begun(scenario).state.blocks.values() if p.side == "soviet"} == {"allied"}

    @pytest.mark.parametrize(
        ("setup", "reason"),
        [
            (Setup(9, "campaign_1939", {}), "UNKNOWN_RULESET"),
            (Setup(1, "waterloo_1815", {}), "UNKNOWN_SCENARIO"),
            (Setup(1, "campaign_1939", {"fog": "on"}), "UNKNOWN_OPTION"),
            (Setup(1, "campaign_1939", {"deployment": "maybe"}), "UNKNOWN_CHOICE"),
        ],
    )
    def test_nonsense_is_refused(self, setup: Setup, reason: str) -> None:
        with pytest.raises(MalformedCommand) as refused:
            GAME.begin(setup)
        assert refused.value.reason == reason

    def test_the_usa_may_have_to_roll_in_1942(self) -> None:
        """VE S 1942"""
        assert "united_states" in begun("stalingrad_1942").state.at_war
        assert "united_states" not in begun("stalingrad_1942", american_entry="by_roll").state.at_war
        assert "united_states" in begun("kursk_1943", american_entry="by_roll").state.at_war

    def test_a_neutral_usa_keeps_its_forces_at_home(self) -> None:
        """VE S 1942 VE 13 United States VE 7.81: but for the convoy to Britain; that to the Soviets is not built yet."""

        def americans(choice: str) -> dict[str, str]:
            state = begun("stalingrad_1942", american_entry=choice).state
            return {b: p.at for b, p in state.blocks.items() if p.nation == "united_states" and p.at != "usa"}

        abroad = {
            "usa_convoy_a": "convoy_a",
            "usa_convoy_b": "convoy_b",
            "usa_ca_2": "convoy_b",
            "usa_hb_b17": "belfast",
        }
        assert americans("automatic") == abroad
        assert americans("by_roll") == {"usa_convoy_b": "convoy_b"}
        state = begun("stalingrad_1942", american_entry="by_roll").state
        assert "usa_convoy_a" in state.camps["allied"].pool
        assert state.blocks["usa_ca_2"].coast == state.blocks["usa_ca_1"].coast >= 0


class TestFreeDeployment:
    """VE Deployment"""

    SWAP: ClassVar[dict[str, str]] = {"ger_inf_3a": "stettin", "ger_inf_4a": "konigsberg"}

    def test_in_1939_the_allies_deploy_first(self) -> None:
        """VE 13 Poland"""
        table = begun("campaign_1939")
        assert table.decisions() == [("allied", "deployment")]
        table = table.when(Deploy("allied", ()), "allied").after().goes_on().includes(FrameStepped("second"))
        assert table.decisions() == [("axis", "deployment")]

    def test_later_all_deploy_at_once(self) -> None:
        table = begun("barbarossa_1941_three")
        assert sorted(table.decisions()) == [(s, "deployment") for s in ("allied", "axis", "soviet")]
        after = table.when(Deploy("soviet", ()), "soviet").after()
        assert sorted(after.decisions()) == [("allied", "deployment"), ("axis", "deployment")]

    def axis_turn(self) -> Table:
        table = begun("campaign_1939")
        return table.when(Deploy("allied", ()), "allied").after().goes_on().after()

    def test_blocks_trade_places_when_all_have_answered(self) -> None:
        planned = self.axis_turn().when(Deploy("axis", tuple(self.SWAP.items())), "axis").lacks(ForcesDeployed)
        assert planned.state.blocks["ger_inf_3a"].at == "konigsberg"
        after = planned.goes_on().after().state
        assert (after.blocks["ger_inf_3a"].at, after.blocks["ger_inf_4a"].at) == ("stettin", "konigsberg")
        assert not after.camps["axis"].stations

    def test_a_ship_comes_to_the_main_coast_of_its_port(self) -> None:
        swap = (("ger_ub_1", "hamburg"), ("ger_ca_1", "north_sea"))
        after = self.axis_turn().when(Deploy("axis", swap), "axis").after().goes_on().after().state
        assert [(after.blocks[b].at, after.blocks[b].coast) for b, _ in swap] == [
            ("hamburg", main_coast("hamburg")), ("north_sea", -1),
        ]  # fmt: skip

    def test_which_of_a_nations_blocks_trade_places_is_their_owners_secret(self) -> None:
        before = self.axis_turn()
        plain = before.when(Deploy("axis", ()), "axis")
        swapped = before.when(Deploy("axis", tuple(self.SWAP.items())), "axis")
        for mine, theirs in ((plain, swapped), (plain.after().goes_on(), swapped.after().goes_on())):
            for viewer in (seat("allied"), SPECTATOR):
                assert seen_by(viewer, mine) == seen_by(viewer, theirs)
            assert seen_by(seat("axis"), mine) != seen_by(seat("axis"), theirs)

    ACROSS: ClassVar[dict[str, str]] = {"ger_inf_11a": "budapest", "hun_inf_1a": "iasi"}

    def test_blocks_of_allies_trade_places_too(self) -> None:
        """VE S 1941"""
        table = begun("barbarossa_1941")
        after = table.when(Deploy("axis", tuple(self.ACROSS.items())), "axis").after()
        assert {block: after.state.blocks[block].at for block in self.ACROSS} != self.ACROSS
        shown = after.when(Deploy("allied", ()), "allied").after().goes_on()
        assert {block: shown.after().state.blocks[block].at for block in self.ACROSS} == self.ACROSS

    def test_where_how_many_of_a_nation_stand_is_public_when_all_have_answered(self) -> None:
        """VE 2.0: an enemy sees the color of a block."""
        table = begun("barbarossa_1941")
        after = table.when(Deploy("axis", tuple(self.ACROSS.items())), "axis")
        assert seen_by(seat("allied"), after) == seen_by(seat("allied"), table.when(Deploy("axis", ()), "axis"))
        events = after.after().when(Deploy("allied", ()), "allied").after().goes_on().events
        (standing,) = (e.standing for e in events if isinstance(e, ForcesDeployed) and e.seat == "axis")
        assert standing["hungary"] == {"budapest": 1, "iasi": 1}
        assert standing["germany"]["budapest"] == 1

    def test_each_place_keeps_its_number_of_blocks(self) -> None:
        begun("barbarossa_1941").when(Deploy("axis", (("hun_inf_1a", "iasi"),)), "axis").refused(
            "VE Deployment", "PLACES_MUST_KEEP_THEIR_NUMBERS"
        )

    def test_powers_at_peace_stay_apart(self) -> None:
        """VE 13 United States"""
        swap = Deploy("allied", (("usa_inf_1a", "birmingham"), ("bri_home_guard", "usa")))
        begun("barbarossa_1941").when(swap, "allied").refused("VE Deployment", "CANNOT_STAND_THERE")
        begun("stalingrad_1942", american_entry="by_roll").when(swap, "allied").refused(
            "VE Deployment", "CANNOT_STAND_THERE"
        )
        begun("stalingrad_1942").when(swap, "allied").after()

    @pytest.mark.parametrize(
        ("places", "rule", "reason"),
        [
            ({"ger_inf_3a": "stettin"}, "VE Deployment", "PLACES_MUST_KEEP_THEIR_NUMBERS"),
            ({"ger_inf_3a": "tripoli", "ita_inf_5a": "konigsberg"}, "VE Deployment", "PLACES_MUST_KEEP_THEIR_NUMBERS"),
            ({"bri_inf_bef": "london"}, "VE Deployment", "CANNOT_BE_DEPLOYED"),
            ({"ger_inf_3a": "north_sea", "ger_ub_1": "konigsberg"}, "VE Deployment", "CANNOT_STAND_THERE"),
            (
                {
                    "ger_inf_3a": "hamburg",
                    "ger_bc_scharnhorst": "konigsberg",
                    "ger_inf_1a": "hamburg",
                    "ger_ca_1": "frankfurt",
                },
                "VE Deployment",
                "CANNOT_STAND_THERE",
            ),
            ({"ger_db_ju87": "stettin", "ger_inf_4a": "konigsberg"}, "VE 4.5", "OVERSTACKED"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, places: dict[str, str], rule: str, reason: str) -> None:
        self.axis_turn().when(Deploy("axis", tuple(places.items())), "axis").refused(rule, reason)

    def test_poles_go_anywhere_in_their_country_but_warsaw_is_held(self) -> None:
        """VE 13 Poland"""
        table = begun("campaign_1939")
        after = table.when(Deploy("allied", (("pol_inf_2a", "danzig"),)), "allied").after().goes_on().after()
        assert after.state.blocks["pol_inf_2a"].at == "danzig"
        table.when(Deploy("allied", (("pol_inf_2a", "vilna"),)), "allied").refused(
            "VE Deployment", "NOT_A_DEPLOYMENT_AREA"
        )
        table.when(
            Deploy(
                "allied",
                (
                    ("pol_inf_1a", "danzig"),
                    ("pol_fa", "krakow"),
                ),
            ),
            "allied",
        ).refused("VE Deployment", "AREA_LEFT_EMPTY")

    def test_places_can_be_fixed(self) -> None:
        table = begun("barbarossa_1941", deployment="fixed")
        assert table.decisions() == []
        assert table.goes_on().after().state.frames[1].kind != "deployment"

    def test_a_block_stands_in_one_place(self) -> None:
        twice = (("ger_inf_3a", "stettin"), ("ger_inf_3a", "konigsberg"))
        self.axis_turn().when(Deploy("axis", twice), "axis").malformed("BLOCK_TWICE")
        self.axis_turn().when(Deploy("axis", (("ger_inf_3a",),)), "axis").malformed("NOT_PAIRS")  # type: ignore[arg-type]

    def test_every_sample_is_accepted(self) -> None:
        table = begun("kursk_1943")
        for name in ("axis", "allied"):
            assert len(table.options(name)) > 1
            for option in table.options(name):
                table.when(option, name).after()


class TestSequence:
    """VE Game Turn VE [1] VE [2] VE [3] VE [4] VE [5] VE [6]"""

    def test_a_turn_goes_through_its_phases_in_order(self) -> None:
        table = begun("campaign_1939", deployment="fixed")
        state, roll, seen = table.state, SeededRoll(b"sequence"), []
        while state.turn == 1:
            phase = state.frames[1]
            if not seen or seen[-1] != (phase.kind, phase.seat):
                seen.append((phase.kind, phase.seat))
            events = GAME.react(state, roll)
            if not events:
                name = GAME.decisions(state)[0].seat
                options = [o for choice in GAME.legal(state, name) for o in choice.options]
                command = next((o for o in options if isinstance(o, EndMoves)), options[0])
                events = GAME.decide(state, name, command, roll)
            for event in events:
                state = GAME.evolve(state, event)
                phase = state.frames[min(1, len(state.frames) - 1)]
                if seen[-1] != (phase.kind, phase.seat) and state.turn == 1:
                    seen.append((phase.kind, phase.seat))
        first, second = state.order or [s for k, s in seen if k == "move"]
        assert seen == [
            ("deployment", ""), ("year", ""), ("cards", ""), ("winter", ""), ("move", first), ("move", second),
            ("landing", ""), ("events", ""), ("combat", ""), ("supply", ""), ("surrender", ""), ("victory", ""),
            ("diplomacy", ""), ("production", ""), ("turn_end", ""),
        ]  # fmt: skip

    def test_commands_are_checked_before_their_chapter_sees_them(self) -> None:
        table = scene("[axis]\nberlin: ger_inf_1a", phase="move axis")
        table.when(Deploy("axis", ()), "axis").refused("VE Game Turn", "WRONG_PHASE")
        table.when(EndMoves(), "allied").refused("VE 4.2", "NOT_YOUR_DECISION")
        table.when(EndMoves(), "soviet").malformed("UNKNOWN_SEAT")
        table.when(MoveBlock("allied", "ger_inf_1a", ("berlin", "leipzig")), "axis").malformed("FOREIGN_SEAT")
        table.when("no command", "axis").malformed("UNKNOWN_COMMAND")

    def test_each_topic_has_its_commands(self) -> None:
        assert {play.TOPIC_OF[MoveBlock], play.TOPIC_OF[Deploy]} == {"movement", "diplomacy"}
