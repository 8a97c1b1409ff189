"""The command line: `stavka COMMAND`. One module a command; this one only lists them."""

from __future__ import annotations

import logging
import sys
from importlib import import_module

import click
import structlog

COMMANDS = ("serve", "run", "play", "audit", "rules", "show", "token")
MODULES = {"run": "serve"}
"""Commands that live in another command's module."""


class Lazy(click.Group):
    """A group whose commands are imported when they are asked for: a process starts in half the time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="stavka")
def cli() -> None:
    """Referee for historical wargames: serve matches, play them, read and verify their histories."""


def main() -> None:
    """Entry point. A known error is one line on standard error and exit code 2: no server, its refusals, bad files.

    Standard output is for results: warnings go to standard error (a server sets up its own logs).
    """
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
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
    except Exception as error:
        from .complaints import complaint

        line = complaint(error)
        if line is None:
            raise
        click.echo(f"stavka: {line}", err=True)
        sys.exit(2)
