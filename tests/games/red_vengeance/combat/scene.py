"""Small battlefields for the combat tests.

    scene(axis, allied, ...) -> Table      pieces as in the position notation, lines joined by ";"
    battle(targets, attackers, ...)        the command, ids and hexes joined by blanks
    fought(table, targets, attackers, hits) the battle declared and rolled, with so many hits for (attacker, defender)
    pools(table, targets, attackers)       dice of both sides
    ends(table, unit)                      hexes in which a retreating unit may end

Ground around Zhitomir, all of it clear and without rivers unless said: 1906 (Axis stand) has 1905 to its east, 1805
(the city) north-east, 2005 (a city) south-east, 1806 north-west, 1907 west, and 2006 across a river south-west.
"""

from __future__ import annotations

from collections.abc import Mapping

from stavka.games.red_vengeance.combat.declare import DeclareBattle, plan
from stavka.games.red_vengeance.combat.retreat import withdrawal
from stavka.games.red_vengeance.combat.strength import Pool, attack_pool, defense_pool

from tests.support.table import Table, given


def scene(
    axis: str,
    allied: str,
    *,
    phase: str = "combat allied",
    turn: int = 3,
    weather: str = "clear",
    options: Mapping[str, str] | None = None,
    boxes: str = "",
    control: str = "",
    **header: str | int,
) -> Table:
    """A table in the given phase; `header` gives further header lines of the notation."""
    lines = ["game red_vengeance", f"phase {phase}", f"turn {turn}", f"weather {weather}"]
    lines += [f"{key} {value}" for key, value in header.items()]
    for name, text in (("axis", axis), ("allied", allied), ("boxes", boxes), ("control", control)):
        if text or name in ("axis", "allied"):
            lines += ["", f"[{name}]", *(line.strip() for line in text.split(";") if line.strip())]
    return given("\n".join(lines) + "\n", options)


def battle(targets: str, attackers: str, *, air: bool = False, naval: bool = False) -> DeclareBattle:
    return DeclareBattle(tuple(targets.split()), tuple(attackers.split()), air, naval)


def pools(table: Table, targets: str, attackers: str, **more: bool) -> tuple[Pool, Pool]:
    """Dice of attacker and defender in a battle of the phasing side."""
    found = plan(table.state, table.state.frames[1].seat, battle(targets, attackers, **more))
    return attack_pool(table.state, found), defense_pool(table.state, found)


def fought(table: Table, targets: str, attackers: str, hits: tuple[int, int], *, then: tuple[int, ...] = ()) -> Table:
    """The battle declared and rolled: the attacker suffers hits[0], the defender hits[1]. `then`: dice that follow.

    Dice that hit are sixes, the others ones; automatic progress goes on until a side must choose.
    """
    ours, theirs = pools(table, targets, attackers)
    assert hits[1] <= ours.dice, "the attacker has too few dice"
    assert hits[0] <= theirs.total, "the defender has too few dice"
    attack = [6] * hits[1] + [1] * (ours.dice - hits[1])
    defense = [6] * hits[0] + [1] * (theirs.total - hits[0])
    seat = table.state.frames[1].seat
    return table.when(battle(targets, attackers), seat).after().goes_on([*attack, *defense, *then]).after()


def ends(table: Table, unit: str) -> set[str]:
    """Hexes in which a retreating unit may end."""
    return set(withdrawal(table.state, unit).paths)
