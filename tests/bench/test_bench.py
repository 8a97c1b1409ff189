"""The benchmark measures what it says: its script is legal, its quantiles and aims are right, its page is written."""

from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import pytest
from stavka.bus.memory import MemoryLog
from stavka.match import lobby
from stavka.match.rulebooks import rulebook, topic_of

from tests.support.runtime import runtime

from .offered import quantile
from .results import BEGIN, END, Results, Table, judged, load, write_into
from .script import ENTROPY, write

MATCH = "00-BENCH0000000000000000000C"
LINES = 60


@pytest.mark.parametrize(("game", "scenario"), [("red_vengeance", "campaign"), ("victory_in_europe", "bagration_1944")])
async def test_a_script_fits_every_match_that_is_created_with_its_rolls(
    tmp_path: Path, game: str, scenario: str
) -> None:
    script = write(game, scenario, 3, LINES)
    kinds = {cls.__name__: cls for cls in rulebook(script.game).game.commands}
    async with runtime(MemoryLog(), tmp_path) as running:
        creation = lobby.CreateMatch(script.game, script.scenario, analysis=True, script=script.rolls)
        await running.submit(MATCH, creation, player="organizer", prefix=lobby.LOBBY + ".")
        for seat in script.seats:
            await running.submit(MATCH, lobby.TakeSeat(ENTROPY), seat, prefix=lobby.LOBBY + ".")
        for line in script.lines:
            await running.until(MATCH, line.version)
            command: object = msgspec.convert(line.arguments, kinds[line.command])
            topic = topic_of(script.game, line.command)
            assert running.follower.book.fold_of(MATCH).version == line.version
            outcome = await running.submit(MATCH, command, line.seat, topic=topic)
            assert outcome.refusal is None, outcome.refusal
    assert len(script.lines) == LINES


def test_the_same_seed_writes_the_same_script() -> None:
    assert write("red_vengeance", "campaign", 4, 20) == write("red_vengeance", "campaign", 4, 20)


def test_quantiles_are_values_that_were_measured() -> None:
    times = [float(n) for n in range(1, 201)]
    assert (quantile(times, 0.5), quantile(times, 0.99), quantile(times[:1], 0.99)) == (101.0, 199.0, 1.0)
    assert math.isnan(quantile([], 0.5))


@pytest.mark.parametrize(
    ("figures", "holds", "ratio"),
    [
        ({"stack.1.closed.p50_ms": 6.0, "raw.1.closed.p50_ms": 2.0}, True, 1.0),
        ({"stack.1.closed.p50_ms": 9.0, "raw.1.closed.p50_ms": 2.0}, False, 1.5),
        ({"embedded.100.closed.a_second": 750.0}, False, 2.0),
        ({"embedded.100.closed.a_second": 3000.0}, True, 0.5),
    ],
)
def test_aims_are_held_against_their_bounds(figures: dict[str, float], holds: bool, ratio: float) -> None:
    (aim,) = judged(figures)
    assert aim.holds is holds
    assert aim.ratio == pytest.approx(ratio)


def test_an_aim_without_its_bound_is_not_judged() -> None:
    assert judged({"stack.1.closed.p50_ms": 6.0}) == []


def test_results_are_kept_and_put_into_the_page(tmp_path: Path) -> None:
    results = Results({"cores": "2"}, "1999-12-31", {"python": "3"}, quick=True)
    results.figures["embedded.1.closed.p50_ms"] = 1.25
    results.tables.append(Table("Loads", ("a", "b"), [("1|2", "3")]))
    results.save(tmp_path / "figures.json")
    kept = load(tmp_path / "figures.json")
    assert kept.figures == results.figures
    assert json.loads((tmp_path / "figures.json").read_text())["aims"][0]["measured"] == "1.25 ms"
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_into(page, kept)
    write_into(page, kept)
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert text.count("| 1\\|2 | 3 |") == 1


def test_a_page_without_its_marks_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing here")
    with pytest.raises(ValueError, match="lacks"):
        write_into(page, Results({}, "", {}, quick=True))
    assert page.read_text() == "nothing here"
