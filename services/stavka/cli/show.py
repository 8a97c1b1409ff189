"""`stavka show`: a position as text, or as a drawn map."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .access import arbiter, server_options


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--at", "version", type=click.IntRange(0), help="Version; default: the present one.")
@click.option("--viewer", default="", help="Side to look through; default: what the token may see.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write the drawn map here instead.")
@click.option("--notation", is_flag=True, help="Print the text notation instead: CreateMatch takes it as a position.")
@server_options(required=True)
def show(match_id: str, version: int | None, viewer: str, svg: Path | None, notation: bool, server: str, ca: Path | None, bearer: str, data: Path | None) -> None:  # fmt: skip
    """Show the position of MATCH: map, turn, who must act."""
    wanted = pb.VIEW_FORMAT_SVG if svg is not None else pb.VIEW_FORMAT_NOTATION if notation else pb.VIEW_FORMAT_TEXT

    async def ask() -> pb.GetViewResponse:
        async with arbiter(server, ca, bearer, data) as client:
            return await client.view(match_id, version=version, viewer=viewer, formats=[wanted])

    view = asyncio.run(ask())
    if notation and svg is None:
        click.echo(view.notation)
        return
    click.echo(f"{match_id}  version {view.version}  {view.headline}  seen by {view.viewer}")
    if svg is None:
        click.echo(view.text)
    else:
        svg.write_text(view.svg, "utf-8")
        click.echo(f"map in {svg}")
