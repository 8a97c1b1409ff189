"""`stavka audit`: export a match, verify it, take one roll out for openssl."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from stavka.audit import export as files
from stavka.audit.verify import Report, verify_export
from stavka.kernel.errors import MalformedCommand
from stavka.match.fold import parse, partition_of
from stavka.match.lobby import MatchCreated
from stavka.match.rulebooks import lobby_codec

from .access import arbiter, server_options
from .console import STDERR, progress


@click.group()
def audit() -> None:
    """Read and verify the complete history of a match."""


@audit.command("verify")
@click.argument("source", metavar="MATCH|FILE")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
@server_options(required=True)
def verify_command(source: str, as_json: bool, server: str, ca: Path | None, bearer: str, data: Path | None) -> None:
    """Check chain, rolls, legality and score of a match on a server, or of an exported FILE.

    Exit code 0 when every record holds, 1 when one is wrong, 2 when there is nothing to check: no server, no file.
    """
    export = _read(source, server, ca, bearer, data)
    with progress("verifying") as advance:
        report = verify_export(export, advance)
    if as_json:
        click.echo(json.dumps(asdict(report) | {"ok": report.ok}))
    else:
        _print(report)
    sys.exit(0 if report.ok else 1)


@audit.command()
@click.argument("match_id", metavar="MATCH")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
@server_options(required=True)
def export(match_id: str, output: Path, server: str, ca: Path | None, bearer: str, data: Path | None) -> None:
    """Write the whole history of MATCH to a file of JSON lines."""
    header, records = asyncio.run(_export(match_id, server, ca, bearer, data))
    output.write_text("\n".join(files.lines(header, records)) + "\n", "utf-8")
    click.echo(f"{len(records)} records of {match_id} in {output}")


@audit.command()
@click.argument("source", metavar="MATCH|FILE")
@click.option("--version", required=True, type=click.IntRange(1), help="Record that holds the roll.")
@click.option("--roll", "ordinal", default=0, show_default=True, type=click.IntRange(0), help="Which of its rolls.")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for input, signature and key.pem.",
)
@server_options(required=True)
def roll(source: str, version: int, ordinal: int, output: Path, server: str, ca: Path | None, bearer: str, data: Path | None) -> None:  # fmt: skip
    """Take one roll out of a history, for `openssl dgst -sha256 -verify key.pem -signature signature input`."""
    records = _read(source, server, ca, bearer, data).records
    if version > len(records):
        raise click.BadParameter(f"the history has {len(records)} records", param_hint="--version")
    record, first = parse(records[version - 1]), parse(records[0])
    rolls = record.rolls if record is not None else []
    if ordinal >= len(rolls):
        raise click.BadParameter(f"record {version} has {len(rolls)} rolls", param_hint="--roll")
    if rolls[ordinal].sealed:
        raise click.ClickException("this roll is a shuffle: it is sealed; verify checks it once the match has ended")
    created = lobby_codec().decode(first.events[0]) if first is not None and first.events else None
    if not isinstance(created, MatchCreated):
        raise MalformedCommand("NO_KEY", "the first record does not create the match, so no key is named")
    output.mkdir(parents=True, exist_ok=True)
    (output / "input").write_bytes(rolls[ordinal].input)
    (output / "signature").write_bytes(rolls[ordinal].signature)
    (output / "key.pem").write_text(created.public_key, "utf-8")
    click.echo(f"{rolls[ordinal].purpose}: {list(rolls[ordinal].results)}")


def _read(source: str, server: str, ca: Path | None, bearer: str, data: Path | None) -> files.Export:
    """Records of a file, or of a match on the server when the name is a match's id and no file."""
    path = Path(source)
    if path.is_file():
        with path.open("rb") as lines:
            return files.read_as_far(lines)
    if partition_of(source) < 0:
        raise MalformedCommand("NO_SOURCE", f"{source} is neither a file nor a match id")
    return files.Export(*asyncio.run(_export(source, server, ca, bearer, data)))


async def _export(
    match_id: str, server: str, ca: Path | None, bearer: str, data: Path | None
) -> tuple[files.Header, list[bytes]]:
    async with arbiter(server, ca, bearer, data) as client:
        header, records = await client.export(match_id)
    return files.Header(header.match_id, header.version, header.head), records


def _print(report: Report) -> None:
    table = Table(show_header=False, box=None)
    for key, value in asdict(report).items():
        if key != "wrong" and value not in ("", {}):
            table.add_row(key, str(value))
    STDERR.print(table)
    if report.wrong is None:
        note = f"; {report.sealed} records are sealed until the match has ended" if report.sealed else ""
        click.echo(f"{report.match_id}: {report.versions} records hold{note}")
    else:
        click.echo(
            f"{report.match_id}: record {report.wrong['version']} is wrong: {report.wrong['reason']}: {report.wrong['message']}"
        )
