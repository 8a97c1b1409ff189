"""Dice: fixed vectors of the expansion, an independent re-implementation, fairness, and scripted rolls."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stavka.kernel.dice import RollScriptError, ScriptedRoll, SeededRoll, expand_dice, expand_shuffle

SEED = b"stavka"


def stranger(seed: bytes, sizes: Sequence[int]) -> list[int]:
    """The specification written down anew: one long stream, read with a cursor."""
    data, block, at, values = b"", 0, 0, []
    for m in sizes:
        width = 1 if m <= 256 else 4
        while True:
            while len(data) < at + width:
                data += hashlib.sha256(seed + block.to_bytes(8, "big")).digest()
                block += 1
            x = int.from_bytes(data[at : at + width], "big")
            at += width
            if x < 256**width - 256**width % m:
                values.append(x % m)
                break
    return values


class TestExpansion:
    def test_the_vectors_stand(self) -> None:
        assert hashlib.sha256(SEED + bytes(8)).hexdigest()[:16] == "29128015d9bee1ae"
        assert expand_dice(SEED, 20) == (6, 1, 3, 4, 2, 5, 4, 1, 4, 1, 5, 5, 6, 4, 5, 5, 6, 5, 1, 1)
        assert expand_dice(SEED, 5, 1000) == (294, 487, 427, 207, 191)
        assert expand_shuffle(SEED, 12) == (6, 2, 0, 11, 4, 9, 10, 1, 3, 8, 7, 5)

    def test_a_byte_beyond_the_last_full_round_is_dropped(self) -> None:
        """The first byte of this seed's stream is 252 or more: no fair die of six comes from it."""
        seed = next(bytes([n]) for n in range(256) if hashlib.sha256(bytes([n]) + bytes(8)).digest()[0] >= 252)
        stream = hashlib.sha256(seed + bytes(8)).digest()
        kept = next(byte for byte in stream if byte < 252)
        assert expand_dice(seed, 1) == (kept % 6 + 1,)
        assert expand_dice(seed, 1, 256) == (stream[0] + 1,)

    @given(st.binary(max_size=40), st.integers(0, 60), st.integers(1, 2000) | st.sampled_from([256, 257, 2**32]))
    def test_dice_equal_the_specification_and_stay_in_range(self, seed: bytes, count: int, sides: int) -> None:
        dice = expand_dice(seed, count, sides)
        assert list(dice) == [1 + value for value in stranger(seed, [sides] * count)]
        assert all(1 <= die <= sides for die in dice)

    @given(st.binary(max_size=40), st.integers(0, 300))
    def test_shuffles_equal_the_specification_and_are_permutations(self, seed: bytes, n: int) -> None:
        row = list(range(n))
        for i, j in zip(range(n - 1, 0, -1), stranger(seed, range(n, 1, -1)), strict=True):
            row[i], row[j] = row[j], row[i]
        assert expand_shuffle(seed, n) == tuple(row)
        assert sorted(row) == list(range(n))

    def test_impossible_rolls_are_refused(self) -> None:
        for count, sides in ((-1, 6), (1, 0), (1, 2**32 + 1)):
            with pytest.raises(ValueError):
                expand_dice(SEED, count, sides)


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def limit(cells: int) -> float:
    """Chi-square that fair chance exceeds about once in 10,000 (Wilson and Hilferty)."""
    freedom = cells - 1
    return float(freedom * (1 - 2 / (9 * freedom) + 3.72 * math.sqrt(2 / (9 * freedom))) ** 3)


class TestFairness:
    @pytest.mark.parametrize("sides", [2, 6, 10, 100, 250, 300])
    def test_every_face_comes_up_equally_often(self, sides: int) -> None:
        counts = Counter(expand_dice(b"fair dice", 200 * sides, sides))
        assert chi_square([counts[face] for face in range(1, sides + 1)]) < limit(sides)

    def test_every_order_comes_up_equally_often(self) -> None:
        counts = Counter(expand_shuffle(n.to_bytes(4, "big"), 4) for n in range(4800))
        assert len(counts) == 24
        assert chi_square(list(counts.values())) < limit(24)


class TestSeededRoll:
    def test_the_same_calls_give_the_same_results(self) -> None:
        first, second = SeededRoll(SEED), SeededRoll(SEED)
        for roll in (first, second):
            roll.dice("weather", 1)
        assert first.dice("attack", 8) == second.dice("attack", 8)
        assert first.shuffle("deck", "abcdef") == second.shuffle("deck", "abcdef")

    def test_calls_and_purposes_give_fresh_results(self) -> None:
        roll = SeededRoll(SEED)
        assert roll.dice("attack", 20) != roll.dice("attack", 20)
        assert SeededRoll(SEED).dice("attack", 20) != SeededRoll(SEED).dice("defense", 20)

    def test_a_call_expands_its_documented_seed(self) -> None:
        roll = SeededRoll(SEED)
        roll.dice("weather", 1)
        seed = hashlib.sha256(SEED + (1).to_bytes(8, "big") + b"attack").digest()
        assert roll.dice("attack", 5) == expand_dice(seed, 5)


class TestScriptedRoll:
    def test_dice_and_shuffles_come_in_order(self) -> None:
        roll = ScriptedRoll([6, 1, (3, 4), (2, 0, 1), 5])
        assert roll.dice("attack", 2) == (6, 1)
        assert roll.dice("nothing", 0) == ()
        assert roll.dice("defense", 2) == (3, 4)
        assert roll.shuffle("deck", "abc") == ("c", "a", "b")
        assert roll.remaining == 1

    @pytest.mark.parametrize(
        ("script", "count", "reason"),
        [
            ([], 1, "ROLL_SCRIPT_RAN_DRY"),
            ([1, 2], 3, "ROLL_SCRIPT_RAN_DRY"),
            ([7], 1, "ROLL_OUT_OF_RANGE"),
            ([0], 1, "ROLL_OUT_OF_RANGE"),
            ([(1, 7)], 2, "ROLL_OUT_OF_RANGE"),
            ([(1, 2, 3)], 2, "ROLL_WRONG_COUNT"),
            ([1, (2, 3)], 2, "ROLL_WRONG_COUNT"),
        ],
    )
    def test_dice_that_do_not_fit_are_refused_and_stay(
        self, script: list[int | tuple[int, ...]], count: int, reason: str
    ) -> None:
        roll = ScriptedRoll(script)
        with pytest.raises(RollScriptError) as error:
            roll.dice("battle 2215", count)
        assert (error.value.reason, error.value.purpose) == (reason, "battle 2215")
        assert roll.remaining == len(script)

    @pytest.mark.parametrize("script", [[1], [(0, 1)], [(0, 0, 1)], [(1, 2, 3)]])
    def test_no_shuffle_comes_from_what_is_no_permutation(self, script: list[int | tuple[int, ...]]) -> None:
        roll = ScriptedRoll(script)
        with pytest.raises(RollScriptError) as error:
            roll.shuffle("deck", "abc")
        assert error.value.reason == "ROLL_NOT_A_PERMUTATION"
        assert roll.remaining == 1

    def test_a_dry_script_shuffles_nothing(self) -> None:
        with pytest.raises(RollScriptError) as error:
            ScriptedRoll([]).shuffle("deck", "abc")
        assert error.value.reason == "ROLL_SCRIPT_RAN_DRY"
