"""Small battlefields for the combat tests.

    scene(axis, allied, ...) -> Table      pieces as in the position notation, lines joined by ";"

Ground around Zhitomir, all of it clear and without rivers unless said: 1906 (Axis stand) has 1905 to its east, 1805
(the city) north-east, 2005 (a city) south-east, 1806 north-west, 1907 west, and 2006 across a river south-west.
"""

from __future__ import annotations

from collections.abc import Mapping

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
