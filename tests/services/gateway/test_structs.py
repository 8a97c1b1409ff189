"""Struct to plain data and back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.struct_pb2 import Struct
from hypothesis import given, settings
from hypothesis import strategies as st
from stavka.client import to_plain, to_struct

LEAVES = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text()
PLAIN = st.dictionaries(
    st.text(),
    st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8),
    max_size=4,
)


@settings(max_examples=50, deadline=None)
@given(PLAIN)
def test_plain_data_survives_the_trip(plain: dict[str, Any]) -> None:
    assert to_plain(Struct.FromString(to_struct(plain).SerializeToString())) == plain


@settings(max_examples=50, deadline=None)
@given(PLAIN)
def test_the_struct_is_the_one_that_json_makes(plain: dict[str, Any]) -> None:
    finite = all(math.isfinite(n) for n in numbers(plain))
    if finite:
        assert to_struct(plain) == json_format.ParseDict(plain, Struct())


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [n for each in value.values() for n in numbers(each)]
    if isinstance(value, list):
        return [n for each in value for n in numbers(each)]
    return [value] if isinstance(value, float) else []


def test_whole_numbers_become_int_and_others_stay() -> None:
    plain = to_plain(to_struct({"a": 3.0, "b": 2.5, "c": True, "d": -0.0}))
    assert plain == {"a": 3, "b": 2.5, "c": True, "d": 0}
    assert {key: type(value) for key, value in plain.items()} == {"a": int, "b": float, "c": bool, "d": int}


def test_tuples_and_sets_become_lists_and_empty_ones_stay() -> None:
    assert to_plain(to_struct({"t": (1, 2), "s": frozenset({"x"}), "l": [], "m": {}})) == {
        "t": [1, 2], "s": ["x"], "l": [], "m": {},
    }  # fmt: skip


@pytest.mark.parametrize("value", [b"bytes", object()])
def test_what_no_struct_holds_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        to_struct({"a": value})
