"""How the commands reach a server: address, tokens, certificate."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from stavka.client import Client, connect
from stavka.embedded import token_key
from stavka.gateway.identity import Role, TokenKey, issue
from stavka.settings import load

DAY = 86_400  # seconds
F = TypeVar("F", bound=Callable[..., Any])


def server_options(required: bool = False) -> Callable[[F], F]:
    """--server, --ca, --token and --data of a command that talks to a server."""
    options = (
        click.option("--server", default="localhost:50051" if required else None, show_default=required, help="HOST:PORT of the gateway."),
        click.option("--ca", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Authority of the server's certificate, PEM; turns TLS on."),
        click.option("--token", "bearer", envvar="STAVKA_TOKEN", default="", help="Bearer token; without it one is issued with the key in --data."),
        click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Data folder whose keys issue tokens."),
    )  # fmt: skip

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def issuer(key: TokenKey, role: Role = Role.PLAYER) -> Callable[[str], str]:
    """A function from a player's name to a token for a day."""
    return lambda player: issue(key, role, now_ms=time.time_ns() // 1_000_000, seconds=DAY, player=player)


def certificate(ca: Path | None) -> bytes | None:
    return ca.read_bytes() if ca is not None else None


@asynccontextmanager
async def arbiter(server: str, ca: Path | None, bearer: str, data: Path | None) -> AsyncIterator[Client]:
    """A client with the token given, else with an arbiter's token of the local key."""
    token = bearer or issuer(token_key(load(data=data)), Role.ARBITER)("command-line")
    async with connect(server, token, certificate=certificate(ca)) as client:
        yield client
