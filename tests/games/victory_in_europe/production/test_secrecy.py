"""Production is simultaneous and unseen [VE 11.0] [VE 11.1]; options are never empty [VE 11.4]."""

from __future__ import annotations

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.events import Answered, BlockPlaced, FactoriesSet, StepsSet
from stavka.games.victory_in_europe.production.chapter import Produce
from stavka.games.victory_in_europe.production.events import ProductionClosed, ProductionPlanned
from stavka.games.victory_in_europe.state import State
from stavka.kernel.dice import ScriptedRoll
from stavka.kernel.game import Setup
from stavka.kernel.visibility import Visibility, classification

from tests.support.table import Table

from ..field import SUMMER_1942
from .build import EVERYBODY, THREE, built, factory_floor, orders, plan, steps

BLOCKS = "[axis]\nkonigsberg: ger_inf_1a(1)\n[allied]\nlondon: bri_inf_bef(1)"


class TestAtOnce:
    """VE 11.1"""

    def test_everybody_is_asked_in_any_order(self) -> None:
        table = factory_floor(BLOCKS)
        for first, second in (("axis", "allied"), ("allied", "axis")):
            after = plan(table, first).after()
            assert [seat for seat, _ in after.decisions()] == [second]
            assert not after.goes_on().events
            assert plan(after, second).after().goes_on().events

    def test_no_decision_changes_when_another_seat_answers(self) -> None:
        table = factory_floor(BLOCKS)
        before = {d.seat: d for d in GAME.decisions(table.state)}
        after = plan(table, "axis").after()
        assert GAME.decisions(after.state) == (before["allied"],)
        assert GAME.legal(after.state, "allied") == GAME.legal(table.state, "allied")

    def test_nothing_of_a_plan_is_public(self) -> None:
        outcome = plan(factory_floor(BLOCKS), "axis", "germany ger_inf_1a", "germany factory munich")
        assert [type(event) for event in outcome.events] == [ProductionPlanned, Answered]
        for event in outcome.events:
            kind: type = type(event)
            assert set(classification(kind).values()) == {Visibility.OWNER}
            assert event.seen_by == {"axis"}  # type: ignore[attr-defined]

    def test_plans_and_their_number_look_the_same_to_others(self) -> None:
        """The works hold one plan a seat from the start; what is in it is its seat's alone."""
        before, after = factory_floor(BLOCKS), plan(factory_floor(BLOCKS), "axis", "germany ger_inf_1a").after()
        seats = [[p.seat for p in table.state.works.plans] for table in (before, after)]
        assert seats[0] == seats[1]
        assert after.state.works.plans[0].seen_by == {"axis"}
        assert after.state.blocks == before.state.blocks

    def test_a_second_answer_is_refused(self) -> None:
        table = plan(factory_floor(BLOCKS), "axis").after()
        plan(table, "axis").refused("VE 11.1", "NOT_YOUR_DECISION")

    def test_no_answer_for_another_seat(self) -> None:
        factory_floor(BLOCKS).when(Produce("axis", ()), "allied").malformed("FOREIGN_SEAT")

    def test_all_is_carried_out_together(self) -> None:
        table = plan(factory_floor(BLOCKS), "axis", "germany ger_inf_1a", "germany ger_inf_3a berlin").after()
        table = plan(table, "allied", "britain bri_inf_bef", "britain factory london").after()
        after = table.goes_on().includes(
            StepsSet(("axis",), {"ger_inf_1a": (2, False)}, "production"),
            BlockPlaced("ger_inf_3a", "germany", "berlin", "axis", "axis", 1, -1),
            StepsSet(("allied",), {"bri_inf_bef": (2, False)}, "production"),
            FactoriesSet("london", (4,)),
            ProductionClosed(table.state.turn),
        )
        assert all(not p.orders for p in after.state.works.plans)
        assert after.state.frames[1].kind != "production"

    def test_points_are_not_saved(self) -> None:
        table = built(factory_floor(BLOCKS))
        assert table.state.works == State().works

    def test_what_is_seen_comes_in_the_order_of_places(self) -> None:
        wanted = ["germany ger_inf_3a prague", "germany ger_inf_1a berlin"]
        seen = []
        for texts in (wanted, wanted[::-1]):
            table = plan(plan(factory_floor(""), "axis", *texts).after(), "allied").after()
            seen.append([e.area for e in table.goes_on().events if isinstance(e, BlockPlaced)])
        assert seen[0] == seen[1] == ["berlin", "prague"]

    def test_the_loan_is_for_the_partners_alone(self) -> None:
        """VE 7.81"""
        table = factory_floor(BLOCKS, scenario=THREE, turn=SUMMER_1942, at_war=EVERYBODY)
        assert table.state.works.loan.seen_by == {"allied", "soviet"}


class TestOptions:
    """VE 11.4: whole plans, each of which is accepted; the domain lists every single order."""

    @pytest.mark.parametrize(
        "scenario", ["campaign_1939", "barbarossa_1941", "stalingrad_1942", "kursk_1943", "bagration_1944"]
    )
    def test_every_plan_of_every_seat_is_accepted(self, scenario: str) -> None:
        table = self.floor(scenario)
        for seat in table.state.seats:
            choice = GAME.legal(table.state, seat)[0]
            assert choice.options[0] == Produce(seat, ())
            assert len(choice.options) > 2
            assert not choice.complete
            for option in choice.options:
                assert GAME.decide(table.state, seat, option, ScriptedRoll(()))
            for single, _ in choice.domain["offers"]:
                assert GAME.decide(table.state, seat, Produce(seat, (tuple(single),)), ScriptedRoll(()))

    def test_single_orders_outside_of_the_domain_are_refused(self) -> None:
        table = factory_floor(BLOCKS)
        listed = {tuple(single) for single, _ in GAME.legal(table.state, "axis")[0].domain["offers"]}
        for text in (
            "germany ger_inf_1a berlin",
            "italy ger_inf_1a",
            "germany ger_ub_1 berlin",
            "germany factory oslo",
        ):
            assert orders([text])[0] not in listed
            assert plan(table, "axis", text).error is not None

    def test_a_plan_spends_what_there_is(self) -> None:
        table = self.floor("campaign_1939")
        spent = [plan for option in GAME.legal(table.state, "axis")[0].options for plan in [option.orders]]  # type: ignore[attr-defined]
        assert max(len(found) for found in spent) >= 4

    def test_a_seat_without_anything_still_answers(self) -> None:
        table = factory_floor("[factories]\nlondon: 1\n[dead]\naxis: ger_inf_1a")
        assert table.options("axis")
        assert steps(built(factory_floor(BLOCKS)), "ger_inf_1a") == 1

    def floor(self, scenario: str) -> Table:
        """The first production of a scenario, as its set-up stands."""
        state = GAME.state()
        for event in GAME.begin(Setup(1, scenario, {}, "")):
            state = GAME.evolve(state, event)
        text = GAME.export(state)
        lines = [line for line in text.splitlines() if not line.startswith("phase")]
        state = GAME.state()
        setup = Setup(1, scenario, {}, "\n".join((*lines[:1], "phase production - build", *lines[1:])))
        for event in GAME.begin(setup):
            state = GAME.evolve(state, event)
        return Table(GAME, state)
