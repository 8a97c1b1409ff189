"""Reading TOML and CSV so that every complaint names file, key and reason."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from stavka.kernel.errors import DataError

T = TypeVar("T")


class Identified(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=Identified)


def read_toml(folder: Path, file: str) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return tomllib.loads((folder / file).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(file, "file", f"cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(file, "file", f"is no TOML: {error}") from error


def read_csv(folder: Path, file: str, columns: tuple[str, ...]) -> list[dict[str, str]]:
    """The rows of a CSV file whose header must be `columns`."""
    try:
        with (folder / file).open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines)
            if tuple(reader.fieldnames or ()) != columns:
                raise DataError(file, "header", f"must be {','.join(columns)}")
            rows = list(reader)
    except OSError as error:
        raise DataError(file, "file", f"cannot be read: {error.strerror}") from error
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise DataError(file, f"line {number}", f"must have {len(columns)} fields")
    return rows


def parse(adapter: TypeAdapter[T], raw: object, file: str) -> T:
    """`raw`, as TOML gives it, as the adapter's type; nothing is converted but arrays to tuples."""
    try:
        return adapter.validate_json(json.dumps(raw, default=str), strict=True)
    except ValidationError as error:
        raise _data_error(error, raw, file, "") from error


def parse_row(adapter: TypeAdapter[T], row: Mapping[str, str], file: str, key: str) -> T:
    """A CSV row, all strings, as the adapter's type; numbers are converted."""
    try:
        return adapter.validate_python(row)
    except ValidationError as error:
        raise _data_error(error, row, file, key) from error


def by_id(items: Iterable[Item], file: str, key: str) -> Mapping[str, Item]:
    """Items by their id, in order; an id may stand once."""
    found: dict[str, Item] = {}
    for item in items:
        if item.id in found:
            raise DataError(file, f"{key}[{item.id}]", "stands twice")
        found[item.id] = item
    return MappingProxyType(found)


def _data_error(error: ValidationError, raw: object, file: str, key: str) -> DataError:
    first = error.errors()[0]
    path = key
    here = raw
    for step in first["loc"]:
        if isinstance(step, int) and isinstance(here, list) and step < len(here):
            here = here[step]
            path += f"[{_label(here, step)}]"
        else:
            here = here.get(step) if isinstance(here, Mapping) else None
            path += f".{step}" if path else str(step)
    return DataError(file, path, f"{first['msg']}, not {first['input']!r}")


def _label(item: object, number: int) -> str:
    """What to call the item of a list: its id or hex if it has one, else its place counted from 0."""
    if isinstance(item, Mapping):
        for name in ("id", "hex", "number"):
            if name in item:
                return str(item[name])
    return str(number)
