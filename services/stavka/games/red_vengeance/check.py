"""What several data files must agree on, and whether a ready set-up is legal [RV 3.0]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from stavka.kernel.errors import DataError

from .charts import Data, ScenarioDatum
from .datum import Commander, HexDatum, MapData, UnitDatum

STACKING_LIMIT = 2  # units a hex, divisions and commanders not counted [RV 6.3]
TURNS = 11  # [RV 4.0]
UNITS = "units.toml"


def check(data: Data) -> None:
    """Raises DataError at the first disagreement."""
    _check_start_lines(data.map)
    for unit in data.units.values():
        _check_unit(unit, data.map)
    _check_counters(data)
    for hex in _named_hexes(data):
        if hex not in data.map.index or not data.map.hex(hex).playable:
            raise DataError("data", hex, "is named in a table but is no playable hex")
    for scenario in data.scenarios.values():
        _check_turns(scenario)
        check_setup(data, scenario)


def check_setup(data: Data, scenario: ScenarioDatum) -> None:
    """The ready set-up against RV 3.1 to RV 3.4. Raises DataError naming the unit or hex at fault."""
    file = f"scenarios/{scenario.id}.toml"
    pieces: dict[str, UnitDatum | Commander] = {u.id: u for u in data.units.values() if u.starts_on_map}
    pieces.update({c.id: c for c in data.commanders.values() if c.setup})
    for id in sorted(scenario.setup.keys() ^ pieces.keys()):
        reason = "starts on the map and has no hex" if id in pieces else "does not start on the map"
        raise DataError(file, f"setup.{id}", reason)
    stacks: Counter[str] = Counter()
    for id, at in scenario.setup.items():
        piece = pieces[id]
        hex = _placed(data.map, at, file, id)
        if piece.setup != (at if piece.setup.isdigit() else hex.start):
            raise DataError(file, f"setup.{id}", f"{at} is not its set-up place ({piece.setup})")
        if isinstance(piece, UnitDatum):
            if piece.nation == "romanian" and hex.country != "romania":
                raise DataError(file, f"setup.{id}", f"{at} is outside Romania [RV 3.2]")
            stacks[at] += piece.size != "division"
            if stacks[at] > STACKING_LIMIT:
                raise DataError(
                    file,
                    f"setup.{id}",
                    f"more than {STACKING_LIMIT} units in {at} [RV 6.3]",
                )
    must_hold = set(data.map.marked("axis_line")) | {
        hex.id for hex in data.map.hexes if hex.control == "allied" and _touches(data.map, hex, "axis_line")
    }
    for at in sorted(must_hold):
        if not stacks[at]:
            raise DataError(file, "setup", f"no unit in {at} [RV 3.3, RV 3.4]")


def _placed(map: MapData, at: str, file: str, id: str) -> HexDatum:
    if at not in map.index or not map.hex(at).playable:
        raise DataError(file, f"setup.{id}", f"{at} is no playable hex")
    return map.hex(at)


def _touches(map: MapData, hex: HexDatum, mark: str) -> bool:
    return any(n >= 0 and map.hexes[n].start == mark for n in hex.neighbours)


def _check_start_lines(map: MapData) -> None:
    """Start hexes lie on their own side, and the Allied line covers the Axis line [RV 3.3, RV 7.1]."""
    controls = {
        "axis_line": "axis",
        "allied_line": "allied",
        "german_y": "both",
        "partisan": "both",
        "": None,
    }
    for hex in map.hexes:
        wanted = controls[hex.start]
        if wanted is not None and hex.control != wanted:
            raise DataError(
                "hexes.csv",
                f"hex[{hex.id}].start",
                f"{hex.start} lies in {wanted} country",
            )
        if hex.playable != (hex.control != ""):
            raise DataError(
                "hexes.csv",
                f"hex[{hex.id}].control",
                "playable hexes and only those have a control",
            )
        if (hex.country == "yugoslavia") != (hex.control == "both"):
            raise DataError("hexes.csv", f"hex[{hex.id}].control", "both is for Yugoslavia [RV 7.3]")
        if hex.control == "allied" and hex.start != "allied_line" and _touches(map, hex, "axis_line"):
            raise DataError(
                "hexes.csv",
                f"hex[{hex.id}].start",
                "beside the Axis line, must be allied_line [RV 3.3]",
            )


def _check_unit(unit: UnitDatum, map: MapData) -> None:
    key = f"unit[{unit.id}]"
    if (unit.steps == 1) != (unit.reduced == 0) or unit.reduced >= unit.strength:
        raise DataError(
            UNITS,
            f"{key}.reduced",
            "two-step units have a weaker back, one-step units none",
        )
    if unit.home and unit.home not in map.countries:
        raise DataError(UNITS, f"{key}.home", f"no country {unit.home}")
    if unit.starts_on_map != (unit.arrival in (0, "Y")):
        raise DataError(
            UNITS,
            f"{key}.setup",
            "a unit starts on the map exactly if it arrives at 0 or Y",
        )
    if unit.arrival == 1:
        raise DataError(UNITS, f"{key}.arrival", "reinforcements come from turn 2")
    marks = {"axis_line", "german_y"} if unit.side == "axis" else {"allied_line", "partisan"}
    if unit.setup and unit.setup not in marks and unit.setup not in map.index:
        raise DataError(UNITS, f"{key}.setup", f"no set-up place {unit.setup} of its side")


def _check_counters(data: Data) -> None:
    """Units, commanders and markers make up the printed counter sheet [RV 2.0]."""
    total = len(data.units) + len(data.commanders) + sum(marker.count for marker in data.markers)
    if total != data.counters:
        raise DataError(
            "markers.toml",
            "total.counters",
            f"the files hold {total} counters, not {data.counters}",
        )
    for id in data.units.keys() & data.commanders.keys():
        raise DataError("commanders.toml", f"commander[{id}]", "is a unit's id")
    for mark, side in (("axis_line", "axis"), ("allied_line", "allied")):
        hexes = len(data.map.marked("axis_line" if mark == "axis_line" else "allied_line"))
        units = sum(unit.setup == mark for unit in data.units.values())
        if not hexes <= units <= STACKING_LIMIT * hexes:
            raise DataError(
                UNITS,
                "unit",
                f"{units} {side} units cannot man {hexes} start hexes [RV 3.3, RV 3.4]",
            )


def _named_hexes(data: Data) -> Iterable[str]:
    yield from data.rebuilt.axis
    yield data.hitler.hex
    for hexes in data.reinforcements.values():
        yield from hexes
    for objective in data.victory.objective:
        yield from objective.hexes


def _check_turns(scenario: ScenarioDatum) -> None:
    if [turn.number for turn in scenario.turn] != list(range(1, TURNS + 1)):
        raise DataError(f"scenarios/{scenario.id}.toml", "turn", f"must run from 1 to {TURNS}")
