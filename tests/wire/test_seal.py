"""Sealed values: what they hide, and that nothing else fits their commitment."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stavka.kernel.errors import CorruptHistory
from stavka.wire.codec import to_json
from stavka.wire.seal import MARK, PAD, Sealer, match_key

KEY = match_key(b"k" * 32, "07-x")
VALUES = st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=4), max_leaves=8)


@given(VALUES)
def test_what_was_sealed_comes_out(value: object) -> None:
    data = to_json(value)
    assert Sealer(KEY).open(Sealer(KEY, "a").seal("event 0 card", data)) == data


@given(st.text(max_size=30), st.text(max_size=30))
def test_short_values_have_boxes_of_one_length(one: str, other: str) -> None:
    sealer = Sealer(KEY, "a")
    boxes = [
        sealer.seal(str(n), to_json(text.encode("ascii", "ignore").decode())) for n, text in enumerate((one, other))
    ]
    assert len({len(box[MARK]["box"]) for box in boxes}) == 1


def test_the_same_value_never_looks_the_same_twice() -> None:
    boxes = [Sealer(KEY, attempt).seal(place, b'"pz-4"')[MARK] for attempt in "ab" for place in ("event 0", "event 1")]
    assert len({box["box"] for box in boxes}) == len({box["commitment"] for box in boxes}) == 4


def test_another_value_does_not_pass_for_the_one_committed_to() -> None:
    sealed = Sealer(KEY, "a").seal("event 0", b'"pz-4"')
    other = Sealer(KEY, "a").seal("event 1", b'"pz-5"')
    swapped = {MARK: {"commitment": sealed[MARK]["commitment"], "box": other[MARK]["box"]}}
    with pytest.raises(CorruptHistory) as refused:
        Sealer(KEY).open(swapped)
    assert refused.value.reason == "COMMITMENT_BROKEN"


@pytest.mark.parametrize("box", ["", "!!", base64.b64encode(bytes(PAD)).decode()])
def test_a_damaged_box_does_not_open(box: str) -> None:
    with pytest.raises(CorruptHistory) as refused:
        Sealer(KEY).open({MARK: {"commitment": "", "box": box}})
    assert refused.value.reason == "SEAL_BROKEN"


def test_every_match_has_a_key_of_its_own() -> None:
    assert match_key(b"k" * 32, "07-x") != match_key(b"k" * 32, "07-y")
