"""Position notation: a state as a few readable lines, complete, and back.

    write_position(state) -> str
    read_position(text, begun) -> [PositionSet]      raises MalformedCommand with what is wrong

    game victory_in_europe
    scenario campaign_1939
    turn 5
    phase move axis
    commands {"axis":3,"allied":2}

    [axis]
    berlin: ger_inf_1a(4) ger_ldr_guderian(0)
    warsaw: ger_pz_1a(2,from=poznan,moved=poznan)
    [allied]
    warsaw: pol_inf_1a(3)
    [pools]
    axis: ger_pz_2a
    [control]
    germany: danzig poznan
    [factories]
    ruhr: 3
    [minors]
    axis: hungary

A block's flags: its steps (all, if none are given), half, aloft, coastN, from=PLACE (where it entered a battle from),
moved=PLACE (where it stood before its move of this phase), shown=SEAT. What is left out has its value at the start of the
scenario: without [control] and so on, those of the scenario; without [pools] and [dead], every
block of a major power that is not on the map waits in its pool; seats act in their order; in a move phase `at_start` is
what is friendly now. Anything else of the state is a header line of its name with compact JSON. `above` lists the frames
pushed on the phase, as kind/topic/seat/step.
"""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from stavka.games.victory_in_europe import ground
from stavka.games.victory_in_europe.board import friendly_places
from stavka.games.victory_in_europe.events import MatchBegun, PositionSet
from stavka.games.victory_in_europe.ground import BLOCKS, COUNTRIES, MAP, MINORS, ORDER, SIDE_OF_MAJOR
from stavka.games.victory_in_europe.options import base_of
from stavka.games.victory_in_europe.sequence import LAST_TURN, SEQUENCE, SETUP
from stavka.games.victory_in_europe.standing import camps_of, start_of
from stavka.games.victory_in_europe.state import ALLIED, CONQUERED, NEUTRAL, SIDES, Camp, Piece, State
from stavka.kernel.draft import Event
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.frames import Frame
from stavka.kernel.notation import Item, Line, Section, Text, format_text, parse

GAME_ID: Final = "victory_in_europe"
_APART: Final = frozenset(
    {"ruleset", "scenario", "options", "seats", "frames", "turn", "blocks", "camps", "control"}
) | {
    "factories",
    "minors",
}
"""Fields that have a form of their own; all others are header lines of compact JSON."""
_HANDS: Final = ("hand", "chosen", "offered", "crossed", "lanes", "stations", "done")
"""Fields of a camp that stand in the header line `camps`; its `moved` are flags of the blocks."""
_BEFORE_CARDS: Final = ("deployment", "year", "cards")
_BOXES: Final = {"pools": "pool", "dead": "dead"}
"""Section -> field of a camp."""
_CAMP: Final[TypeAdapter[Camp]] = TypeAdapter(Camp)
_TOPICS: Final = {phase.kind: phase.topic for phase in (*SETUP, *SEQUENCE)}


@cache
def _adapters() -> dict[str, TypeAdapter[Any]]:
    hints = typing.get_type_hints(State, include_extras=True)
    return {name: TypeAdapter(hints[name]) for name in State.__dataclass_fields__ if name not in _APART}


# Writing


def write_position(state: State) -> str:
    """Canonical text of a state; reading it gives the same state again."""
    return format_text(Text(tuple(_header(state)), tuple(_sections(state))))


def _header(state: State) -> Iterable[tuple[str, tuple[str, ...]]]:
    fresh = State()
    yield "game", (GAME_ID,)
    yield "scenario", (state.scenario,)
    if state.options:
        yield "options", tuple(f"{key}={value}" for key, value in sorted(state.options.items()))
    yield "turn", (str(state.turn),)
    if len(state.frames) > 1:
        phase = state.frames[1]
        yield "phase", tuple(word for word in (phase.kind, phase.seat or "-", phase.step) if word)
    if len(state.frames) > 2:
        yield "above", tuple("/".join((f.kind, f.topic, f.seat, f.step)) for f in state.frames[2:])
    hands = {
        side: kept
        for side, camp in state.camps.items()
        if (kept := {name: value for name in _HANDS if (value := getattr(camp, name))})
    }
    if hands:
        yield "camps", (_compact(hands),)
    for name, adapter in _adapters().items():
        value = getattr(state, name)
        if value != getattr(fresh, name):
            yield name, (_compact(adapter.dump_python(value)),)


def _compact(value: Any) -> str:
    """Canonical JSON as one word of a header line: keys and sets sorted, blanks escaped."""
    return json.dumps(_listed(value), separators=(",", ":"), sort_keys=True).replace(" ", "\\u0020")


def _listed(value: Any) -> Any:
    """Plain data with sets as sorted lists."""
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(_listed(item) for item in value)
    return [_listed(item) for item in value] if isinstance(value, tuple | list) else value


def _sections(state: State) -> Iterable[Section]:
    for side in SIDES:
        places: dict[str, list[Item]] = {}
        for block, piece in sorted(state.blocks.items(), key=lambda item: ORDER[item[0]]):
            if piece.side == side:
                places.setdefault(piece.at, []).append(Item(block, _flags(state, block, piece)))
        yield Section(side, tuple(Line(place, tuple(places[place])) for place in MAP.areas if place in places))
    for box, name in _BOXES.items():
        lines = ((side, getattr(state.camps[side], name)) for side in SIDES if side in state.camps)
        yield Section(
            box, tuple(_line(side, sorted(blocks, key=ORDER.__getitem__)) for side, blocks in lines if blocks)
        )
    holders: dict[str, list[str]] = {}
    for area in MAP.areas:
        if area in state.control:
            holders.setdefault(state.control[area], []).append(area)
    yield Section("control", tuple(_line(country, areas) for country, areas in holders.items()))
    yield Section(
        "factories", tuple(_line(area, map(str, markers)) for area, markers in sorted(state.factories.items()))
    )
    words: dict[str, list[str]] = {}
    for minor, standing in state.minors.items():
        words.setdefault(standing, []).append(minor)
    yield Section("minors", tuple(_line(standing, minors) for standing, minors in words.items()))


def _line(name: str, items: Iterable[str]) -> Line:
    return Line(name, tuple(Item(item) for item in items))


def _flags(state: State, block: str, piece: Piece) -> tuple[str, ...]:
    flags = [str(piece.steps)]
    flags += ["half"] if piece.half else []
    flags += ["aloft"] if piece.aloft else []
    flags += [f"coast{piece.coast}"] if piece.coast >= 0 else []
    flags += [f"from={piece.came}"] if piece.came else []
    moved = state.camps[piece.side].moved
    flags += [f"moved={moved[block]}"] if block in moved else []
    return (*flags, *(f"shown={seat}" for seat in piece.shown))


# Reading


def read_position(text: str, begun: MatchBegun) -> list[Event]:
    """The state that a text describes, under the match's own scenario and options.

    Raises MalformedCommand: what the notation refuses, and BAD_POSITION with `key` and `value`.
    """
    parsed = parse(text)
    header = dict(parsed.header)
    if header.get("game", (GAME_ID,)) != (GAME_ID,):
        raise _bad("game", header["game"][0])
    start = start_of(base_of(begun.scenario))
    state = State(ruleset=begun.ruleset, scenario=begun.scenario, options=dict(begun.options), seats=begun.seats)
    state.control, state.factories, state.minors = dict(start.control), dict(start.factories), dict(start.minors)
    state.at_war, state.fallen, state.entered = start.at_war, start.fallen, dict(start.entered)
    state.turn = start.turn
    _read_tables(state, parsed)
    state.camps = camps_of(begun.seats)
    for side in SIDES:
        _read_blocks(state, side, parsed.section(side))
    for key, values in header.items():
        _read_header(state, key, values)
    _read_frames(state, header)
    _read_pools(state, parsed)
    if len(state.frames) > 1 and not state.order and state.frames[1].kind not in _BEFORE_CARDS:
        state.order = begun.seats
    if len(state.frames) > 1 and state.frames[1].kind == "move" and not state.at_start:
        state.at_start = friendly_places(state)
    known = {*SIDES, *_BOXES, "control", "factories", "minors"}
    for section in parsed.sections:
        if section.name not in known:
            raise _bad("section", section.name)
    return [PositionSet(state)]


def _bad(key: str, value: str) -> MalformedCommand:
    return MalformedCommand("BAD_POSITION", f"{key}: {value} does not fit", key=key, value=value)


def _read_header(state: State, key: str, values: tuple[str, ...]) -> None:
    if key in ("game", "scenario", "options", "phase", "above"):
        return
    if key == "turn":
        if not values[0].isdecimal() or not 0 <= int(values[0][:3]) <= LAST_TURN:
            raise _bad(key, values[0])
        state.turn = int(values[0])
    elif key == "camps":
        _read_camps(state, values[0])
    elif key in _adapters():
        try:
            setattr(state, key, _adapters()[key].validate_json(values[0]))
        except ValidationError as problem:
            raise _bad(key, values[0]) from problem
    else:
        raise _bad("header", key)


def _read_camps(state: State, word: str) -> None:
    try:
        for side, fields in TypeAdapter(dict[str, dict[str, Any]]).validate_json(word).items():
            state.camps[side] = _with(state.camps[side], {n: v for n, v in fields.items() if n in _HANDS})
    except (ValidationError, KeyError) as problem:
        raise _bad("camps", word) from problem


def _with(camp: Camp, fields: Mapping[str, Any]) -> Camp:
    """A camp with some fields replaced by plain data."""
    return _CAMP.validate_python({**dataclasses.asdict(camp), **fields})


def _read_frames(state: State, header: dict[str, tuple[str, ...]]) -> None:
    if "phase" not in header:
        return
    kind, seat, step = (*header["phase"], "", "")[:3]
    if kind not in _TOPICS:
        raise _bad("phase", kind)
    state.frames = (state.frames[0], Frame(kind, _TOPICS[kind], "" if seat == "-" else seat, step))
    for word in header.get("above", ()):
        parts = word.split("/")
        if len(parts) != 4:
            raise _bad("above", word)
        state.frames = (*state.frames, Frame(*parts))


def _read_blocks(state: State, side: str, section: Section) -> None:
    for line in section.lines:
        if line.space not in MAP.areas:
            raise _bad(side, line.space)
        for item in line.items:
            if item.name not in BLOCKS or item.name in state.blocks:
                raise _bad(line.space, item.name)
            if SIDE_OF_MAJOR.get(BLOCKS[item.name].nation, side) != side:
                raise _bad(side, item.name)
            state.blocks[item.name] = _piece(state, side, line.space, item)


def _piece(state: State, side: str, place: str, item: Item) -> Piece:
    block = BLOCKS[item.name]
    ship = ground.branch(item.name) == "naval" and ground.is_land(place)
    steps, came, half, aloft = block.steps, "", "half" in item.flags, "aloft" in item.flags
    coast, shown = ground.main_coast(place) if ship else -1, []
    for flag in item.flags:
        name, _, value = flag.partition("=")
        if flag.isdecimal() and int(flag[:2]) <= block.steps:
            steps = int(flag[:2])
        elif flag.startswith("coast") and flag[5:].isdecimal() and int(flag[5:]) < len(MAP.areas[place].coasts):
            coast = int(flag[5:])
        elif name == "from" and value in MAP.areas:
            came = value
        elif name == "moved" and value in MAP.areas:
            camp = state.camps[side]
            state.camps[side] = dataclasses.replace(camp, moved={**camp.moved, item.name: value})
        elif name == "shown" and value in state.seats:
            shown.append(value)
        elif flag not in ("half", "aloft"):
            raise _bad(item.name, flag)
    if not steps and not ground.is_leader(item.name):
        raise _bad(item.name, "0")
    seat = side if side in state.seats else ALLIED
    return Piece(place, block.nation, side, seat, came, tuple(shown), steps, half, coast, aloft)


def _read_tables(state: State, parsed: Text) -> None:
    names = {section.name for section in parsed.sections}
    if "control" in names:
        for line in parsed.section("control").lines:
            for item in line.items:
                if line.space not in COUNTRIES or item.name not in state.control:
                    raise _bad("control", f"{line.space} {item.name}")
                state.control[item.name] = line.space
    if "factories" in names:
        state.factories = {}
        for line in parsed.section("factories").lines:
            if line.space not in state.control or not all(item.name.isdecimal() for item in line.items):
                raise _bad("factories", line.space)
            state.factories[line.space] = tuple(int(item.name[:2]) for item in line.items)
    for line in parsed.section("minors").lines:
        for item in line.items:
            if line.space not in (*SIDES, NEUTRAL, CONQUERED) or item.name not in MINORS:
                raise _bad("minors", f"{line.space} {item.name}")
            state.minors[item.name] = line.space


def _read_pools(state: State, parsed: Text) -> None:
    if not set(_BOXES) & {section.name for section in parsed.sections}:
        for block, datum in BLOCKS.items():
            if block not in state.blocks and datum.nation in SIDE_OF_MAJOR:
                camp = state.camps[SIDE_OF_MAJOR[datum.nation]]
                state.camps[camp.side] = dataclasses.replace(camp, pool=camp.pool | {block})
        return
    seen: set[str] = set(state.blocks)
    for box, field in _BOXES.items():
        for line in parsed.section(box).lines:
            if line.space not in SIDES:
                raise _bad(box, line.space)
            for item in line.items:
                if item.name not in BLOCKS or item.name in seen:
                    raise _bad(line.space, item.name)
                seen.add(item.name)
            state.camps[line.space] = _with(state.camps[line.space], {field: [item.name for item in line.items]})
