"""Position text: what it reads, exact round trips, and errors that name the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.notation import Item, Line, Section, Text, format_text, parse

POSITION = """\
game red_vengeance
turn 3 july

[axis]
1414: ss_2(reduced) 9_army
2515: hungarian_1(reduced,oos)
0101:

[control]
allies: 1414 2515
"""


class TestReading:
    def test_header_and_sections_are_found_by_name(self) -> None:
        text = parse(POSITION)
        assert text.value("game") == "red_vengeance"
        assert text.values("turn") == ("3", "july")
        axis = text.section("axis")
        assert axis.items("1414") == (Item("ss_2", ("reduced",)), Item("9_army"))
        assert axis.items("2515") == (Item("hungarian_1", ("reduced", "oos")),)
        assert axis.items("0101") == axis.items("9999") == ()
        assert text.section("nowhere") == Section("nowhere", ())

    def test_a_header_line_that_is_missing_or_too_long_is_named(self) -> None:
        text = parse(POSITION)
        for key, reason in (("weather", "MISSING_KEY"), ("turn", "WANTS_ONE_VALUE")):
            with pytest.raises(MalformedCommand) as error:
                text.value(key)
            assert (error.value.reason, error.value.details["key"]) == (reason, key)

    def test_remarks_blank_lines_and_spacing_are_skipped(self) -> None:
        loose = POSITION.replace("[axis]", "  # who stands where\n\n\t[axis]  ").replace(" 9_army", "\t  9_army\r")
        assert parse(loose) == parse(POSITION)
        assert parse("") == parse("\n# nothing\n") == Text((), ())

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("[axis", "BAD_SECTION"),
            ("[two words]", "BAD_SECTION"),
            ("[axis]", "DUPLICATE_SECTION"),
            ("1515 ss_2", "LINE_WITHOUT_COLON"),
            (": ss_2", "BAD_SPACE"),
            ("15 15: ss_2", "BAD_SPACE"),
            ("1515: ss_2(", "BAD_ITEM"),
            ("1515: ss_2()", "BAD_ITEM"),
            ("1515: ss_2(a,)", "BAD_ITEM"),
            ("1515: (a)", "BAD_ITEM"),
            ("1515: a:b", "BAD_ITEM"),
            ("allies: 0101", "DUPLICATE_SPACE"),
            ("1515: ss\x00", "BAD_CHARACTER"),
        ],
    )
    def test_a_wrong_line_is_named_with_its_number(self, line: str, reason: str) -> None:
        with pytest.raises(MalformedCommand) as error:
            parse(POSITION + line + "\n")
        assert (error.value.reason, error.value.details["line"]) == (reason, 11)

    @pytest.mark.parametrize(
        ("line", "reason"),
        [("turn", "HEADER_WITHOUT_VALUE"), ("a:b c", "BAD_HEADER"), ("game reds", "DUPLICATE_KEY")],
    )
    def test_a_wrong_header_is_named_with_its_number(self, line: str, reason: str) -> None:
        with pytest.raises(MalformedCommand) as error:
            parse("game red_vengeance\n" + line)
        assert (error.value.reason, error.value.details["line"]) == (reason, 2)

    def test_an_error_repeats_no_more_than_the_start_of_a_line(self) -> None:
        with pytest.raises(MalformedCommand) as error:
            parse("[" + "x" * 100_000)
        assert len(str(error.value)) < 200


words = st.text(
    st.characters(categories=("L", "M", "N", "P", "S"), exclude_characters=":()[],#"), min_size=1, max_size=6
)
values = st.text(st.characters(categories=("L", "M", "N", "P", "S")), min_size=1, max_size=6)
items = st.builds(Item, words, st.lists(words, max_size=2).map(tuple))
lines = st.builds(Line, words, st.lists(items, max_size=3).map(tuple))
sections = st.builds(Section, words, st.lists(lines, max_size=3, unique_by=lambda line: line.space).map(tuple))
texts = st.builds(
    Text,
    st.lists(
        st.tuples(words, st.lists(values, min_size=1, max_size=3).map(tuple)),
        max_size=3,
        unique_by=lambda line: line[0],
    ).map(tuple),
    st.lists(sections, max_size=3, unique_by=lambda section: section.name).map(tuple),
)


class TestRoundTrip:
    def test_canonical_text_comes_out_as_it_went_in(self) -> None:
        assert format_text(parse(POSITION)) == POSITION

    @given(texts)
    def test_every_text_is_read_back(self, text: Text) -> None:
        written = format_text(text)
        assert parse(written) == text
        assert format_text(parse(written)) == written

    @given(st.text(st.characters(codec="utf-8") | st.sampled_from("[]():,# \n"), max_size=60))
    def test_any_input_is_read_or_refused(self, raw: str) -> None:
        try:
            text = parse(raw)
        except MalformedCommand as error:
            assert error.details["line"] in range(1, raw.count("\n") + 2)
        else:
            assert parse(format_text(text)) == text

    @pytest.mark.parametrize(
        "text",
        [
            Text((("a b", ("c",)),), ()),
            Text((("a", ()),), ()),
            Text((("a", ("b c",)),), ()),
            Text((), (Section("", ()),)),
            Text((), (Section("s", (Line("1:2", ()),)),)),
            Text((), (Section("s", (Line("1", (Item("i", ("x,y",)),)),)),)),
        ],
    )
    def test_what_could_not_be_read_back_is_not_written(self, text: Text) -> None:
        with pytest.raises(ValueError):
            format_text(text)
