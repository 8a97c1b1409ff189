"""`stavka token`: issue a bearer token with the service's token key."""

from __future__ import annotations

import time
from pathlib import Path

import click

from stavka.gateway.identity import Role, issue
from stavka.settings import load

from .access import local_key


@click.command()
@click.option("--role", required=True, type=click.Choice([role.value for role in Role]))
@click.option("--player", default="", help="Name of the bearer; default: the seat, else the role.")
@click.option("--match", "match_id", default="", help="Bind the token to one match.")
@click.option("--seat", default="", help="Bind the token to one seat of the match.")
@click.option("--days", default=30, show_default=True, type=click.IntRange(1, 3650), help="Days until it expires.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Data folder of the embedded server.")
def token(role: str, player: str, match_id: str, seat: str, days: int, data: Path | None) -> None:
    """Print a signed token. The key is token.key in STAVKA_KEYS; without it, the development key that `stavka serve` made."""
    key = local_key(load(data=data))
    now = time.time_ns() // 1_000_000
    click.echo(issue(key, Role(role), now_ms=now, seconds=days * 86_400, player=player, match_id=match_id, seat=seat))
