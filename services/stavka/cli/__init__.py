"""The command line: `stavka COMMAND`. One module a command; this one only lists them."""

from __future__ import annotations

import sys

import click

from stavka.kernel.errors import StavkaError

from .audit import audit
from .play import play
from .rules import rules
from .serve import run, serve
from .show import show
from .token import token


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="stavka")
def cli() -> None:
    """Referee for historical wargames: serve matches, play them, read and verify their histories."""


for command in (serve, run, play, audit, rules, show, token):
    cli.add_command(command)


def main() -> None:
    """Entry point. A known error is one line on standard error and exit code 2; nothing shows a traceback."""
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except click.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except StavkaError as error:
        click.echo(f"stavka: {error.reason}: {error}", err=True)
        sys.exit(2)
    except (OSError, ValueError) as error:
        click.echo(f"stavka: {error}", err=True)
        sys.exit(2)
