"""`stavka serve`: everything in one process. `stavka run PROCESS`: one process on Kafka and Redis.

A process imports only what it runs, hence the imports inside of functions.
"""

from __future__ import annotations

import importlib
import time
from pathlib import Path

import click

from stavka.settings import Settings, load

PROCESSES = ("gateway", "movement", "combat", "supply", "diplomacy", "cards", "projector")
DAY = 86_400  # seconds


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes a free one.  [default: 50051]")
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="Folder of the log and the keys.  [default: data]"
)
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
def serve(port: int | None, data: Path | None, host: str | None) -> None:
    """Serve everything in one process, embedded: an SQLite log, no broker, nothing else to install."""
    from stavka.hosting import run_loop

    run_loop(_serve(load(port=port, data=data, host=host)))


async def _serve(settings: Settings) -> None:
    from stavka import hosting
    from stavka.embedded import embedded
    from stavka.gateway.identity import Role, issue

    hosting.set_up(settings)
    stop = hosting.stop_event()
    async with embedded(settings) as server:
        click.echo(f"Stavka serves on {settings.host}:{server.port}, data in {settings.data.resolve()}")
        if server.token_key.development:
            now = time.time_ns() // 1_000_000
            token = issue(server.token_key, Role.PLAYER, now_ms=now, seconds=DAY, player="you")
            click.echo("Tokens are signed with a development key that was made here; it works on this machine only.")
            click.echo(f"A player's token for a day (more: stavka token --role player --player NAME):\n{token}")
        way = "-plaintext" if settings.tls_cert is None else "-cacert AUTHORITY.pem"
        click.echo(f"Try: grpcurl {way} -H 'authorization: Bearer TOKEN' "
                   f"{settings.host}:{server.port} stavka.rules.v1.RulesService/ListGames")  # fmt: skip
        await hosting.until_stopped(stop, [server.failed])
    click.echo("stopped")


@click.command()
@click.argument("process", type=click.Choice(PROCESSES))
def run(process: str) -> None:
    """Run one PROCESS on Kafka and Redis. Settings come from the environment (STAVKA_KAFKA, STAVKA_REDIS, STAVKA_KEYS)."""
    settings = load()
    if not settings.kafka:
        raise click.UsageError("STAVKA_KAFKA names no broker")
    if process in ("gateway", "projector") and not settings.redis:
        raise click.UsageError("STAVKA_REDIS names no server")
    from stavka.hosting import run_loop

    module = importlib.import_module(f"stavka.{process}.process")
    run_loop(module.run(settings))
