"""Combat arithmetic: pools, modified strengths with their account, odds columns."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stavka.kernel.odds import DOUBLE, HALF, Modifier, Rounding, hits, hits_at_most, odds, strength

TABLE = ((1, 3), (1, 2), (1, 1), (2, 1), (3, 1), (4, 1))


class TestPools:
    def test_hits_are_counted_from_a_face_up_or_down(self) -> None:
        assert hits((1, 4, 5, 6, 6), 6) == 2
        assert hits((1, 4, 5, 6, 6), 5) == 3
        assert hits_at_most((1, 2, 3, 6), 2) == 2
        assert hits((), 6) == 0


class TestStrength:
    city = Modifier("RV 9.1", "armor attacks a city", -1)
    snow = Modifier("RV 13.0", "snow", factor=HALF)
    air = Modifier("RV 12.1", "air power", +1)

    def test_additions_then_subtractions_then_halving(self) -> None:
        found = strength(6, [self.snow, self.city, self.air], Rounding.UP)
        assert [step.modifier for step in found.steps] == [self.air, self.city, self.snow]
        assert [(step.before, step.after) for step in found.steps] == [(6, 7), (7, 6), (6, 3)]
        assert (found.base, found.value) == (6, 3)
        assert strength(6, [self.snow, self.city], Rounding.UP).value == 3

    @pytest.mark.parametrize(("rounding", "value"), [(Rounding.UP, 3), (Rounding.DOWN, 2), (Rounding.HALF_UP, 3)])
    def test_rounding_is_explicit(self, rounding: Rounding, value: int) -> None:
        assert strength(5, [self.snow], rounding).value == value

    def test_a_fraction_is_rounded_after_each_factor(self) -> None:
        third = Modifier("X 1", "third", factor=Fraction(1, 3))
        assert [rounding.apply(Fraction(4, 3)) for rounding in Rounding] == [2, 1, 1]
        assert strength(4, [third, Modifier("X 2", "double", factor=DOUBLE)], Rounding.UP).value == 4

    def test_the_minimum_holds_at_the_end_only(self) -> None:
        assert strength(0, [self.city], Rounding.UP).value == 0
        assert strength(1, [self.city], Rounding.UP, minimum=1).value == 1
        assert strength(0, [self.city], Rounding.UP).steps[0].after == -1

    def test_a_modifier_is_an_amount_or_a_factor(self) -> None:
        for amount, factor in ((1, HALF), (0, Fraction(-1))):
            with pytest.raises(ValueError):
                Modifier("X 1", "both", amount, factor)


class TestColumns:
    @pytest.mark.parametrize(
        ("attack", "defense", "column"),
        [(7, 2, 4), (6, 2, 4), (5, 2, 3), (1, 1, 2), (3, 4, 1), (1, 2, 1), (40, 1, 5), (3, 0, 5)],
    )
    def test_the_ratio_is_rounded_for_the_defender(self, attack: int, defense: int, column: int) -> None:
        found = odds(attack, defense, TABLE)
        assert (found.ratio, found.unshifted, found.column) == ((attack, defense), column, column)

    def test_odds_below_the_table_use_the_leftmost_column(self) -> None:
        found = odds(1, 9, TABLE)
        assert (found.unshifted, found.column) == (-1, 0)

    def test_shifts_are_summed_and_stay_on_the_table(self) -> None:
        left, right = Modifier("X 1", "river", -2), Modifier("X 2", "tanks", +1)
        assert odds(3, 1, TABLE, [left, right]).column == 3
        assert odds(3, 1, TABLE, [left, right]).shifts == (left, right)
        assert odds(1, 3, TABLE, [left]).column == 0
        assert odds(9, 1, TABLE, [right]).column == 5

    def test_a_wrong_table_or_shift_is_refused(self) -> None:
        for columns in ((), ((2, 1), (1, 1)), ((1, 1), (2, 2))):
            with pytest.raises(ValueError):
                odds(1, 1, columns)
        with pytest.raises(ValueError):
            odds(1, 1, TABLE, [Modifier("X 1", "half", factor=HALF)])

    @given(st.integers(0, 99), st.integers(1, 99))
    def test_the_column_is_the_best_whose_ratio_is_reached(self, attack: int, defense: int) -> None:
        column = odds(attack, defense, TABLE).unshifted
        reached = [attack * d >= a * defense for a, d in TABLE]
        assert reached == [index <= column for index in range(len(TABLE))]
