"""Commands that are a little wrong: what a careless or hostile client sends.

    mutants(command, pool, chance, count)     variants of a command, of the same type, each different from it
    normal(command, domain)                   the command without the parts that its decision leaves free

Fields are changed by their value's type: strings become other strings of the pool or nonsense, numbers move, tuples
lose, double and gain entries, maps change an entry. Mutants are of a shape that the codec lets through; few are legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final

import msgspec
from stavka.bots.chance import Chance
from stavka.kernel.game import Command

NONSENSE: Final = ("", "zzz", "9999", "axis allied", "ger-")
NUMBERS: Final = (-1, 0, 1, 2, 7, 99, 10**9)


def strings_in(value: Any) -> Iterator[str]:
    """Every string in a command's fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings_in(key)
            yield from strings_in(item)
    elif isinstance(value, tuple | list | frozenset):
        for item in value:
            yield from strings_in(item)
    elif hasattr(value, "__dataclass_fields__"):
        for field in fields(value):
            yield from strings_in(getattr(value, field.name))


def mutants(command: Any, pool: Sequence[str], chance: Chance, count: int) -> list[Command]:
    """Up to `count` variants; none for a command without fields."""
    names = [field.name for field in fields(command)]
    found: list[Command] = []
    for _ in range(count if names else 0):
        name = chance.one_of(names)
        mutant = replace(command, **{name: _other(getattr(command, name), pool, chance)})
        if mutant != command and _has_shape(mutant):
            found.append(mutant)
    return found


def _has_shape(command: Command) -> bool:
    """Whether the command could come out of the codec; others never reach the rules."""
    try:
        return bool(msgspec.convert(msgspec.to_builtins(command), type(command)) == command)
    except msgspec.ValidationError:
        return False


def _other(value: Any, pool: Sequence[str], chance: Chance) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.one_of(NUMBERS)
    if isinstance(value, str):
        return chance.one_of(pool) if pool and chance.happens(0.8) else chance.one_of(NONSENSE)
    if isinstance(value, tuple):
        return _other_tuple(value, pool, chance)
    if isinstance(value, dict) and value:
        key = chance.one_of(sorted(value))
        if chance.happens(0.3):
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _other(value[key], pool, chance)}
    if isinstance(value, dict):
        return {chance.one_of(pool): chance.one_of(pool)} if pool else value
    return value


def _other_tuple(value: tuple[Any, ...], pool: Sequence[str], chance: Chance) -> tuple[Any, ...]:
    if not value:
        return (chance.one_of(pool),) if pool else ("zzz",)
    place = chance.below(len(value))
    way = chance.below(4)
    if way == 0:
        return value[:place] + value[place + 1 :]
    if way == 1:
        return (*value, value[place])
    if way == 2:
        return tuple(reversed(value))
    return (*value[:place], _other(value[place], pool, chance), *value[place + 1 :])


def normal(command: Any, free: Sequence[str]) -> Command:
    """The command with its free fields at their defaults, and lists of names in order: which comes first means nothing."""
    given: dict[str, Any] = {}
    for field in fields(command):
        value = getattr(command, field.name)
        if field.name in free:
            given[field.name] = field.default
        elif isinstance(value, tuple) and all(isinstance(item, str) for item in value):
            given[field.name] = tuple(sorted(value))
    return replace(command, **given) if given else command
