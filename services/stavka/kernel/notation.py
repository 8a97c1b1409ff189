"""Position text: a few readable lines that say what stands where. Our FEN.

    parse(text) -> Text          raises MalformedCommand, with the line number and what is wrong
    format_text(text) -> str     canonical form: parse(format_text(t)) == t
    Text(header, sections)       .value(key) .values(key) .section(name)
    Section(name, lines)         .items(space)
    Line(space, items)   Item(name, flags=())

    game red_vengeance
    turn 3 july

    [axis]
    1414: ss_2(reduced) 9_army
    2515: hungarian_1(reduced,oos)

    [control]
    allies: 1414 2515

First the header: a key and one or more values a line. Then sections; a section holds lines of a space (or any other
name), a colon and items; an item may carry flags. Blank lines and lines that begin with # are skipped. A word is any run
of printable characters other than blanks and : ( ) [ ] , # — values of the header may hold all of these but blanks.
The order of everything is kept. A key, a section, or a space within a section may appear only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from stavka.kernel.errors import MalformedCommand

MAX_QUOTED: Final = 120  # characters of a wrong line that an error repeats
WORD: Final = r"[^\s:()\[\],#]+"
_ITEM: Final = re.compile(rf"({WORD})(?:\(({WORD}(?:,{WORD})*)\))?")
_SECTION: Final = re.compile(rf"\[({WORD})\]")
_WORD: Final = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in a space, with its flags in order."""

    name: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A space (or another name) and what it holds, perhaps nothing."""

    space: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    lines: tuple[Line, ...]

    def items(self, space: str) -> tuple[Item, ...]:
        """Items of a space; () when the section has no line for it."""
        return next((line.items for line in self.lines if line.space == space), ())


@dataclass(frozen=True, slots=True)
class Text:
    """A whole position: header lines as (key, values), then the sections."""

    header: tuple[tuple[str, tuple[str, ...]], ...]
    sections: tuple[Section, ...]

    def values(self, key: str) -> tuple[str, ...]:
        """Values of a header line. Raises MalformedCommand MISSING_KEY."""
        for found, values in self.header:
            if found == key:
                return values
        raise MalformedCommand("MISSING_KEY", f"the header has no line '{key}'", key=key)

    def value(self, key: str) -> str:
        """The one value of a header line. Raises MalformedCommand MISSING_KEY, WANTS_ONE_VALUE."""
        values = self.values(key)
        if len(values) != 1:
            raise MalformedCommand("WANTS_ONE_VALUE", f"the header line '{key}' takes one value", key=key)
        return values[0]

    def section(self, name: str) -> Section:
        """A section; an empty one when the text has none of that name."""
        return next((section for section in self.sections if section.name == name), Section(name, ()))


def parse(text: str) -> Text:
    """Read a position text.

    Raises MalformedCommand with details `line` (from 1) and `text`. Reasons: HEADER_WITHOUT_VALUE, BAD_HEADER,
    BAD_SECTION, BAD_CHARACTER, LINE_WITHOUT_COLON, BAD_SPACE, BAD_ITEM, DUPLICATE_KEY, DUPLICATE_SECTION, DUPLICATE_SPACE.
    """
    header: list[tuple[str, tuple[str, ...]]] = []
    sections: list[tuple[str, list[Line]]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if not line.replace("\t", " ").isprintable():
            raise _bad("BAD_CHARACTER", number, line)
        if line.startswith("["):
            match = _SECTION.fullmatch(line)
            if match is None:
                raise _bad("BAD_SECTION", number, line)
            if any(match[1] == name for name, _ in sections):
                raise _bad("DUPLICATE_SECTION", number, line)
            sections.append((match[1], []))
        elif sections:
            entry = _line(number, line)
            if any(entry.space == other.space for other in sections[-1][1]):
                raise _bad("DUPLICATE_SPACE", number, line)
            sections[-1][1].append(entry)
        else:
            key, values = _header(number, line)
            if any(key == other for other, _ in header):
                raise _bad("DUPLICATE_KEY", number, line)
            header.append((key, values))
    return Text(tuple(header), tuple(Section(name, tuple(lines)) for name, lines in sections))


def format_text(text: Text) -> str:
    """Canonical text, ending in a newline unless empty. Raises ValueError for a word that could not be read back."""
    parts = (
        ["\n".join(f"{_word(key)} {' '.join(_values(values))}" for key, values in text.header)] if text.header else []
    )
    for section in text.sections:
        lines = [f"[{_word(section.name)}]"]
        for line in section.lines:
            lines.append(" ".join((f"{_word(line.space)}:", *(_item(item) for item in line.items))))
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n" if parts else ""


def _header(number: int, line: str) -> tuple[str, tuple[str, ...]]:
    key, *values = line.split()
    if _WORD.fullmatch(key) is None:
        raise _bad("BAD_HEADER", number, line)
    if not values:
        raise _bad("HEADER_WITHOUT_VALUE", number, line)
    return key, tuple(values)


def _line(number: int, line: str) -> Line:
    space, colon, rest = line.partition(":")
    if not colon:
        raise _bad("LINE_WITHOUT_COLON", number, line)
    if _WORD.fullmatch(space) is None:
        raise _bad("BAD_SPACE", number, line)
    items: list[Item] = []
    for word in rest.split():
        match = _ITEM.fullmatch(word)
        if match is None:
            raise _bad("BAD_ITEM", number, line, item=word)
        items.append(Item(match[1], tuple(match[2].split(",")) if match[2] else ()))
    return Line(space, tuple(items))


def _bad(reason: str, number: int, line: str, **details: object) -> MalformedCommand:
    return MalformedCommand(
        reason, f"line {number}: {reason}: {line[:MAX_QUOTED]}", line=number, text=line[:MAX_QUOTED], **details
    )


def _word(word: str) -> str:
    if _WORD.fullmatch(word) is None or not word.isprintable():
        raise ValueError(f"{word!r} is no word of a position text")
    return word


def _values(values: Iterable[str]) -> list[str]:
    found = list(values)
    if not found or any(value.split() != [value] or not value.isprintable() for value in found):
        raise ValueError(f"{found!r} are no values of a header line")
    return found


def _item(item: Item) -> str:
    flags = ",".join(_word(flag) for flag in item.flags)
    return f"{_word(item.name)}({flags})" if flags else _word(item.name)
