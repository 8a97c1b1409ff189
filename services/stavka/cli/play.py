"""`stavka play`: a whole match between bots, with progress, and its result."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from stavka import reproducible
from stavka.bots.play import Played, Progress, nobody
from stavka.bots.play import play as play_match
from stavka.embedded import embedded
from stavka.games import GAMES
from stavka.gateway.limits import Limits
from stavka.settings import Settings, load

from .access import certificate, issuer, local_key, require_server, server_options
from .console import STDERR

UNLIMITED = Limits(calls_a_second=1e9, burst=1_000_000_000)  # the bots of one's own process need no limit
KEYS = ("match", "game", "ruleset", "versions", "events", "head", "winner", "points", "seconds", "rejected")


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--scenario", default="", help="Scenario; default: the game's first.")
@click.option(
    "--bots",
    default="random",
    show_default=True,
    help="Bots by seat: random, heuristic. The last one serves the seats left.",
)
@click.option(
    "--seed", default=0, show_default=True, help="Seed of every choice; without --server also of keys and dice."
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Match option; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: " + ", ".join(KEYS) + ".")
@server_options()
def play(
    game: str, scenario: str, bots: str, seed: int, options: tuple[str, ...], as_json: bool,
    server: str | None, ca: Path | None, bearer: str, data: Path | None,
) -> None:  # fmt: skip
    """Play a match of GAME between bots, on an embedded server of its own or on --server."""
    chosen = dict(_option(text) for text in options)
    names = tuple(name.strip() for name in bots.split(","))
    with Live(Text("starting"), console=STDERR, transient=True, refresh_per_second=8) as live:

        def show(progress: Progress) -> None:
            line = f"{progress.match_id}  version {progress.version}  {progress.seat}: {progress.command}"
            live.update(Group(Text(line), Text(progress.text, no_wrap=True)))

        arguments: dict[str, Any] = {
            "scenario": scenario,
            "bots": names,
            "seed": seed,
            "options": chosen,
            "on_progress": show if STDERR.is_terminal else nobody,
        }
        if server is None:
            played = asyncio.run(_play_embedded(game, data, arguments))
        else:
            token_for = (lambda _: bearer) if bearer else issuer(local_key(load(data=data)))
            played = asyncio.run(_play_there(game, server, ca, token_for, arguments))
    click.echo(json.dumps(summary(played))) if as_json else _print(played)


def summary(played: Played) -> dict[str, object]:
    """The JSON object of `--json`."""
    plain = asdict(played) | {"ruleset": f"{played.game}/{played.ruleset}", "seconds": round(played.seconds, 3)}
    return {key: plain[key] for key in KEYS}


async def _play_there(
    game: str, server: str, ca: Path | None, token_for: Callable[[str], str], arguments: dict[str, Any]
) -> Played:
    await require_server(server, ca)
    return await play_match(server, token_for, game, certificate=certificate(ca), **arguments)


async def _play_embedded(game: str, data: Path | None, arguments: dict[str, Any]) -> Played:
    """On a server of its own whose keys, clock and entropy follow from the seed; kept in `data` when given.

    The keys are kept there too, so that the folder can be served. It must be empty, or of the same seed.
    """
    seed: int = arguments["seed"]
    with tempfile.TemporaryDirectory(prefix="stavka-play-") as scratch:
        folder = data or Path(scratch)
        settings = Settings(data=folder, keys=folder / "keys", port=0)
        async with embedded(
            settings, keyring=reproducible.keyring(seed), clock=reproducible.StoppedClock(),
            entropy=reproducible.SeededEntropy(seed, "referee"), limits=UNLIMITED,
        ) as server:  # fmt: skip
            create_id = f"play-{seed}"
            return await play_match(
                f"127.0.0.1:{server.port}", issuer(server.token_key), game, create_id=create_id, **arguments
            )


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE")
    return name, value


def _print(played: Played) -> None:
    table = Table(show_header=False, box=None)
    for key, value in summary(played).items():
        table.add_row(key, str(value))
    STDERR.print(table)
    click.echo(f"{played.winner} wins {played.match}" if played.winner != "draw" else f"{played.match} is a draw")
