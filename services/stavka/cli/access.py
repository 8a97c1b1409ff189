"""How the commands reach a server: address, tokens, certificate."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from stavka.client import Client, Unreachable, channel_to, connect
from stavka.embedded import TOKEN_KEY
from stavka.gateway.identity import DEVELOPMENT_KEY, BadKeyFile, Role, TokenKey, issue, load_key
from stavka.settings import Settings, load

DAY = 86_400  # seconds
ANSWER_SECONDS = 10.0  # within which a server takes a connection
F = TypeVar("F", bound=Callable[..., Any])


def server_options(required: bool = False) -> Callable[[F], F]:
    """--server, --ca, --token and --data of a command that talks to a server."""
    options = (
        click.option("--server", default="localhost:50051" if required else None, show_default=required, help="HOST:PORT of the gateway."),
        click.option("--ca", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Authority of the server's certificate, PEM; turns TLS on."),
        click.option("--token", "bearer", envvar="STAVKA_TOKEN", default="", help="Bearer token [env: STAVKA_TOKEN]; without it one is issued with the key in --data."),
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


def local_key(settings: Settings) -> TokenKey:
    """The token key of this machine's keys' folder; only a server makes one. Raises BadKeyFile: NO_TOKEN_KEY."""
    for name in (TOKEN_KEY, DEVELOPMENT_KEY):
        path = settings.keys / name
        if path.exists():
            return load_key(path, development=name == DEVELOPMENT_KEY)
    raise BadKeyFile(
        "NO_TOKEN_KEY", f"{settings.keys} has no key to issue a token with: name the server's folder with --data, or give --token where there is one"
    )  # fmt: skip


async def require_server(server: str, ca: Path | None) -> None:
    """Raises Unreachable when nobody takes a connection there."""
    channel = channel_to(server, certificate=certificate(ca))
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await channel.channel_ready()
    except TimeoutError as error:
        raise Unreachable(f"no server answers at {server}") from error
    finally:
        await channel.close(None)


@asynccontextmanager
async def arbiter(server: str, ca: Path | None, bearer: str, data: Path | None) -> AsyncIterator[Client]:
    """A client with the token given, else with an arbiter's token of the local key."""
    token = bearer or issuer(local_key(load(data=data)), Role.ARBITER)("command-line")
    await require_server(server, ca)
    async with connect(server, token, certificate=certificate(ca)) as client:
        yield client
