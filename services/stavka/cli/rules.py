"""`stavka rules`: every section of a rulebook and where the project has it."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.table import Table

from stavka.games import GAMES
from stavka.trace import TESTS, as_plain, gaps, trace


@click.command()
@click.argument("game", required=False, type=click.Choice(list(GAMES)))
@click.option("--json", "as_json", is_flag=True, help="Print JSON: {game: [section, ...]}.")
def rules(game: str | None, as_json: bool) -> None:
    """Every section of the rulebook of GAME (of all games): title, status, where in code, data and tests."""
    chosen = {game_id: trace(GAMES[game_id]()) for game_id in ([game] if game else GAMES)}
    if as_json:
        click.echo(json.dumps({game_id: as_plain(rows) for game_id, rows in chosen.items()}, ensure_ascii=False))
        return
    console = Console()
    for game_id, rows in chosen.items():
        table = Table(title=f"{GAMES[game_id]().title}: {len(rows)} sections", title_justify="left")
        for heading in ("section", "title", "status", "code", "data", "tests"):
            table.add_column(heading, overflow="fold")
        for row in rows:
            table.add_row(
                row.section, row.title, row.status, " ".join(row.code), " ".join(row.data), " ".join(row.tests)
            )
        console.print(table)
        missing = gaps(rows, with_tests=TESTS.is_dir())
        console.print("\n".join(missing) if missing else "no gap", highlight=False)
