"""Position notation [RV 3.0]: a state as a few readable lines, complete, and back.

    write_position(state) -> str
    read_position(text, begun) -> PositionSet      raises MalformedCommand with what is wrong

    game red_vengeance
    phase movement allied
    turn 3
    weather clear

    [axis]
    1414: ger-xx(reduced) ger-ii-ss-pz
    [allied]
    1412: sov-1gt sov-8g(oos,spent2)
    [boxes]
    track: ger-i-ss-pz(due9)
    [control]
    allied: 1410 1411 1412

What is left out has its value at the start of a match; a piece that is not named is off the map; without [control] the
start lines decide [RV 7.1], and hexes with units belong to their side. Flags: reduced, oos, confined, rebuilt, dueN (turn),
spentN (MP in this phase). `above` lists the frames pushed on the phase, as kind/topic/seat/step; `battle` and `fight` are
compact JSON.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from stavka.games.red_vengeance.board import BIT, MINORS, side_of
from stavka.games.red_vengeance.combat.battle import Battle, Fight
from stavka.games.red_vengeance.events import MatchBegun, PositionSet
from stavka.games.red_vengeance.ground import LAND, MAP, PIECES, SEA_BOXES, UNITS, WEATHER
from stavka.games.red_vengeance.sequence import LAST_TURN, SEQUENCE, SETUP, VICTORY
from stavka.games.red_vengeance.state import AXIS, DEAD, HAND, LOST, OFF, SIDES, TRACK, State, is_on_map
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.frames import Frame
from stavka.kernel.notation import Item, Line, Section, Text, format_text, parse

BOXES: Final = (TRACK, DEAD, LOST, OFF, HAND)
INTS: Final = ("turn", "romania_rolls", "strategic", "sailed", "trucks", "air")
WORDS: Final = ("weather", "sea", "sea_supplied", "shore_supplied", "mover", "ashore", "winner")
SWITCHES: Final = ("truck_used", "arctic", "garrison", "hitler_alive")
LISTS: Final = ("visited", "bulge")
MAPS: Final = ("minors", "replacements", "points")

_TOPICS: Final = {(p.kind, p.side): p.topic for p in (*SETUP, *SEQUENCE, VICTORY)}
_FIGHT: Final[TypeAdapter[Fight]] = TypeAdapter(Fight)
_BATTLE: Final[TypeAdapter[Battle]] = TypeAdapter(Battle)
_REASONS: Final[TypeAdapter[tuple[tuple[str, str, int, str], ...]]] = TypeAdapter(tuple[tuple[str, str, int, str], ...])


# Writing


def write_position(state: State) -> str:
    """Canonical text of a state; reading it gives the same state again, the event counter aside."""
    return format_text(Text(tuple(_header(state)), tuple(_sections(state))))


def _header(state: State) -> Iterable[tuple[str, tuple[str, ...]]]:
    fresh = State()
    yield "game", ("red_vengeance",)
    yield "ruleset", (str(state.ruleset),)
    yield "scenario", (state.scenario,)
    if state.options:
        yield "options", _pairs(state.options)
    phase = state.frames[1] if len(state.frames) > 1 else None
    if phase is not None:
        yield "phase", tuple(word for word in (phase.kind, phase.seat or "-", phase.step) if word)
    if len(state.frames) > 2:
        yield "above", tuple("/".join((f.kind, f.topic, f.seat, f.step)) for f in state.frames[2:])
    for name in (*INTS, *WORDS):
        value = getattr(state, name)
        if value != getattr(fresh, name) or name in ("turn", "weather", "sea"):
            yield name, (str(value),)
    for name in SWITCHES:
        if getattr(state, name) != getattr(fresh, name):
            yield name, ("yes" if getattr(state, name) else "no",)
    for name in LISTS:
        if getattr(state, name):
            yield name, tuple(sorted(getattr(state, name)) if name == "visited" else getattr(state, name))
    for name in MAPS:
        if getattr(state, name):
            yield name, _pairs(getattr(state, name))
    if state.battle is not None:
        yield "battle", (_compact(dataclasses.asdict(state.battle)),)
    if state.fight != Fight():
        yield "fight", (_compact(dataclasses.asdict(state.fight)),)
    if state.reasons:
        yield "reasons", (_compact(state.reasons),)


def _pairs(mapping: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{key}={value}" for key, value in mapping.items())


def _compact(value: object) -> str:
    """JSON without a blank, so that it is one word of a header line."""
    text = json.dumps(value, separators=(",", ":"), default=sorted)
    return text.replace(" ", "\\u0020")


def _sections(state: State) -> Iterable[Section]:
    for side in SIDES:
        hexes: dict[str, list[Item]] = {}
        for piece in PIECES:
            place = state.at.get(piece, OFF)
            if is_on_map(place) and side_of(state, piece) == side:
                hexes.setdefault(place, []).append(Item(piece, _flags(state, piece)))
        yield Section(side, tuple(Line(code, tuple(hexes[code])) for code in sorted(hexes)))
    boxes = {box: [Item(p, _flags(state, p)) for p in PIECES if state.at.get(p, OFF) == box] for box in BOXES}
    yield Section("boxes", tuple(Line(box, tuple(items)) for box, items in boxes.items() if items and box != OFF))
    held = tuple(Item(code) for code in sorted(state.control) if state.control[code] != AXIS)
    yield Section("control", (Line("allied", held),))


def _flags(state: State, piece: str) -> tuple[str, ...]:
    flags = []
    if piece in UNITS and is_on_map(state.at[piece]) and state.steps[piece] < UNITS[piece].steps:
        flags.append("reduced")
    for name in ("oos", "confined", "rebuilt"):
        if piece in getattr(state, name):
            flags.append(name)
    if piece in state.due:
        flags.append(f"due{state.due[piece]}")
    if piece in state.spent:
        flags.append(f"spent{state.spent[piece]}")
    return tuple(flags)


# Reading


def read_position(text: str, begun: MatchBegun) -> PositionSet:
    """The state that a text describes, under the match's own scenario and options.

    Raises MalformedCommand: what the notation refuses, and BAD_POSITION with `key` and `value`.
    """
    parsed = parse(text)
    header = dict(parsed.header)
    if header.get("game", ("red_vengeance",)) != ("red_vengeance",):
        raise _bad("game", header["game"][0])
    state = State(ruleset=begun.ruleset, scenario=begun.scenario, options=dict(begun.options), turn=1)
    state.minors = dict.fromkeys(MINORS.values(), AXIS)
    state.at = dict.fromkeys(PIECES, OFF)
    state.steps = dict.fromkeys(UNITS, 0)
    for key, values in header.items():
        _read_header(state, key, values)
    _read_frames(state, header)
    for side in SIDES:
        _read_side(state, side, parsed.section(side))
    _read_boxes(state, parsed.section("boxes"))
    _read_control(state, parsed)
    for section in parsed.sections:
        if section.name not in (*SIDES, "boxes", "control"):
            raise _bad("section", section.name)
    return PositionSet(state)


def _bad(key: str, value: str) -> MalformedCommand:
    return MalformedCommand("BAD_POSITION", f"{key}: {value} does not fit", key=key, value=value)


_JSON: Final[dict[str, TypeAdapter[Any]]] = {"battle": _BATTLE, "fight": _FIGHT, "reasons": _REASONS}
_APART: Final = frozenset({"game", "ruleset", "scenario", "options", "phase", "above"})


def _read_header(state: State, key: str, values: tuple[str, ...]) -> None:
    if key in _APART:
        return
    value = values[0]
    try:
        if key in INTS:
            setattr(state, key, _number(value))
        elif key in WORDS:
            setattr(state, key, value)
        elif key in SWITCHES:
            setattr(state, key, {"yes": True, "no": False}[value])
        elif key in LISTS:
            setattr(state, key, frozenset(values) if key == "visited" else values)
        elif key in MAPS:
            pairs = dict(pair.split("=") for pair in values)
            setattr(state, key, pairs if key == "minors" else {name: _number(n) for name, n in pairs.items()})
        elif key in _JSON:
            setattr(state, key, _JSON[key].validate_json(value))
        else:
            raise _bad("header", key)
    except (KeyError, ValueError, ValidationError) as problem:
        raise _bad(key, value) from problem
    if state.weather not in WEATHER or state.sea not in SEA_BOXES or not 0 <= state.turn <= LAST_TURN:
        raise _bad(key, value)
    if set(state.minors) != set(MINORS.values()):
        raise _bad("minors", " ".join(values))


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise ValueError(text)
    return int(text)


def _read_frames(state: State, header: dict[str, tuple[str, ...]]) -> None:
    if "phase" not in header:
        return
    kind, seat, step = (*header["phase"], "", "")[:3]
    seat = "" if seat == "-" else seat
    if (kind, seat) not in _TOPICS:
        raise _bad("phase", f"{kind} {seat}")
    state.frames = (state.frames[0], Frame(kind, _TOPICS[kind, seat], seat, step))
    for word in header.get("above", ()):
        parts = word.split("/")
        if len(parts) != 4:
            raise _bad("above", word)
        state.frames = (*state.frames, Frame(*parts))


def _read_side(state: State, side: str, section: Section) -> None:
    for line in section.lines:
        if not BIT.get(line.space, 0) & LAND:
            raise _bad(side, line.space)
        for item in line.items:
            _read_piece(state, item, line.space)
            if side_of(state, item.name) != side:
                raise _bad(side, item.name)
            if item.name in UNITS:
                state.steps[item.name] = UNITS[item.name].steps - ("reduced" in item.flags)
    enemies = {state.at[p] for p in UNITS if is_on_map(state.at[p]) and side_of(state, p) != side}
    for line in section.lines:
        if line.space in enemies:
            raise _bad(side, line.space)


def _read_boxes(state: State, section: Section) -> None:
    for line in section.lines:
        if line.space not in BOXES:
            raise _bad("boxes", line.space)
        for item in line.items:
            _read_piece(state, item, line.space)
            if line.space == HAND and item.name in UNITS:
                state.steps[item.name] = UNITS[item.name].steps


def _read_piece(state: State, item: Item, place: str) -> None:
    if state.at.get(item.name) != OFF:
        raise _bad(place, item.name)  # unknown, or placed twice
    state.at[item.name] = place
    for flag in item.flags:
        word = flag.rstrip("0123456789")
        if word in ("oos", "confined", "rebuilt") and word == flag:
            setattr(state, word, getattr(state, word) | {item.name})
        elif word in ("due", "spent") and word != flag:
            getattr(state, word)[item.name] = _number(flag[len(word) :])
        elif flag != "reduced":
            raise _bad(item.name, flag)


def _read_control(state: State, parsed: Text) -> None:
    state.control = {h.id: (AXIS if h.control == "both" else h.control) for h in MAP.hexes if BIT[h.id] & LAND}
    if any(section.name == "control" for section in parsed.sections):
        state.control = dict.fromkeys(state.control, AXIS)
        for line in parsed.section("control").lines:
            for item in line.items:
                if item.name not in state.control or line.space not in SIDES:
                    raise _bad("control", item.name)
                state.control[item.name] = line.space
        return
    for unit in UNITS:
        if is_on_map(state.at[unit]):
            state.control[state.at[unit]] = side_of(state, unit)
