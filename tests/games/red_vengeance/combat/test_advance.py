"""Advance after combat."""

from stavka.games.red_vengeance.combat.advance import AdvanceUnit, EndAdvance, candidates
from stavka.games.red_vengeance.combat.events import BattleEnded, UnitAdvanced
from stavka.games.red_vengeance.combat.losses import OrderRetreat, TakeLoss
from stavka.games.red_vengeance.combat.retreat import RetreatUnit
from stavka.games.red_vengeance.events import HitlerDied, PlaceFirstEntered

from tests.games.red_vengeance.combat.scene import fought, scene
from tests.support.table import Table

WEAK = "1906: ger-i(reduced)"


class TestAdvance:
    """RV 8.7"""

    def won(self, allied: str = "1905: sov-3 sov-5; 1805: sov-13", axis: str = WEAK) -> Table:
        return fought(scene(axis=axis, allied=allied), "1906", "sov-3 sov-5 sov-13", (0, 1))

    def test_surviving_attackers_take_the_hex(self) -> None:
        table = (
            self.won()
            .when(AdvanceUnit("sov-3", "1906"), "allied")
            .then(UnitAdvanced("sov-3", "allied", ("1905", "1906"), ()))
        )
        assert (table.state.at["sov-3"], table.state.control["1906"]) == ("1906", "allied")

    def test_as_many_as_the_stacking_limit_allows(self) -> None:
        table = self.won().when(AdvanceUnit("sov-3", "1906"), "allied").after()
        table = table.when(AdvanceUnit("sov-13", "1906"), "allied").after().goes_on().after()
        assert table.state.battle is None
        assert table.state.at["sov-5"] == "1905"

    def test_each_unit_one_hex(self) -> None:
        table = self.won().when(AdvanceUnit("sov-3", "1906"), "allied").after()
        table.when(AdvanceUnit("sov-3", "1906"), "allied").refused("RV 8.7", "UNIT_CANNOT_ADVANCE")

    def test_only_into_the_vacated_hex(self) -> None:
        self.won().when(AdvanceUnit("sov-3", "1806"), "allied").refused("RV 8.7", "NO_ADVANCE_THERE")

    def test_enemy_zoc_does_not_matter(self) -> None:
        table = self.won(axis=f"{WEAK}; 1907: ger-l; 1806: ger-ii", allied="1905: sov-3 sov-5; 1805: sov-13 sov-22")
        table.when(AdvanceUnit("sov-13", "1906"), "allied").after()

    def test_only_attackers_of_this_battle(self) -> None:
        table = fought(scene(axis=WEAK, allied="1905: sov-3; 1805: sov-13"), "1906", "sov-3", (0, 1))
        table.when(AdvanceUnit("sov-13", "1906"), "allied").refused("RV 8.7", "UNIT_CANNOT_ADVANCE")

    def test_not_while_a_defender_is_left(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied="1905: sov-3"), "1906", "sov-3", (0, 1))
        assert table.state.battle is None

    def test_after_a_retreat_of_the_defenders(self) -> None:
        table = fought(scene(axis="1906: ger-i", allied="1905: sov-3 sov-5"), "1906", "sov-3 sov-5", (0, 2))
        table = table.when(OrderRetreat(), "axis").after().when(RetreatUnit("ger-i", "1907"), "axis").after()
        assert set(candidates(table.goes_on().after().state)) == {"sov-3", "sov-5"}

    def test_an_attacker_that_retreated_does_not_advance(self) -> None:
        table = scene(axis="1906: ger-i(reduced) ger-x(reduced)", allied="1905: sov-3 sov-5")
        table = fought(table, "1906", "sov-3 sov-5", (2, 3))
        table = table.when(TakeLoss("sov-3"), "allied").after().when(OrderRetreat(), "allied").after()
        table = table.when(RetreatUnit("sov-3", "1904"), "allied").after()
        table = table.when(RetreatUnit("sov-5", "1904"), "allied").after().goes_on().after()
        assert table.state.battle is None

    def test_it_is_no_duty(self) -> None:
        self.won().when(EndAdvance(), "allied").includes(BattleEnded(1))

    def test_not_before_the_losses(self) -> None:
        table = fought(scene(axis="1906: ger-i ger-x", allied="1905: sov-3 sov-5"), "1906", "sov-3 sov-5", (1, 1))
        table.when(AdvanceUnit("sov-3", "1906"), "allied").refused("RV 8.7", "WRONG_STEP")
        table.when(EndAdvance(), "allied").refused("RV 8.7", "WRONG_STEP")

    def test_defenders_never_advance(self) -> None:
        table = scene(axis="1906: ger-i-ss-pz ger-iv-ss-pz", allied="1905: sov-marine")
        table = fought(table, "1906", "sov-marine", (1, 0))
        assert table.state.battle is None

    def test_soviet_units_stay_out_of_yugoslav_mountains(self) -> None:
        """RV 11.42"""
        table = fought(scene(axis="2919: ger-lxix(reduced)", allied="2818: sov-3 sov-5"), "2919", "sov-3", (0, 1))
        assert table.state.battle is None

    def test_a_third_soviet_unit_stays_out_of_yugoslavia(self) -> None:
        """RV 11.42"""
        field = "2519: sov-3 sov-5; 2717: sov-13"
        table = fought(scene(axis="2619: ger-lxix(reduced)", allied=field), "2619", "sov-3 sov-5", (0, 1))
        table = table.when(AdvanceUnit("sov-3", "2619"), "allied").after()
        assert candidates(table.state) == {}


class TestCommandersAdvance:
    """RV 8.7"""

    def test_with_a_unit_of_their_stack(self) -> None:
        table = fought(scene(axis=WEAK, allied="1905: sov-3 sov-5 zhukov konev"), "1906", "sov-3", (0, 1))
        assert {o.commanders for o in table.options("allied") if isinstance(o, AdvanceUnit)} == {
            (),
            ("zhukov",),
            ("konev",),
            ("zhukov", "konev"),
        }
        table = table.when(AdvanceUnit("sov-3", "1906", ("konev",)), "allied").after()
        assert (table.state.at["konev"], table.state.at["zhukov"]) == ("1906", "1905")

    def test_nobody_is_left_alone(self) -> None:
        table = fought(scene(axis=WEAK, allied="1905: sov-3 zhukov"), "1906", "sov-3", (0, 1))
        table.when(AdvanceUnit("sov-3", "1906"), "allied").refused("RV 8.7", "COMMANDERS_CANNOT_PART")
        assert table.when(AdvanceUnit("sov-3", "1906", ("zhukov",)), "allied").after().state.at["zhukov"] == "1906"


class TestWhatEntryBringsAbout:
    """RV 7.2"""

    def test_an_advance_into_berlin_ends_hitler(self) -> None:
        """RV 11.27"""
        table = scene(axis="1422: ger-i(reduced)", allied="1421: sov-1gt", visited="1418")
        table = fought(table, "1422", "sov-1gt", (0, 1), then=(1,))
        table.when(AdvanceUnit("sov-1gt", "1422"), "allied").includes(
            PlaceFirstEntered("1422"), HitlerDied("entered", 0)
        )
