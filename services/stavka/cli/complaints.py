"""What the command line says when it cannot do what it was asked: one line for each foreseen error."""

from __future__ import annotations

from stavka.bots.table import Stuck
from stavka.client import ClientError, Refused
from stavka.kernel.errors import StavkaError
from stavka.match.ports import LogUnavailable


def complaint(error: Exception) -> str | None:
    """Reason, rule and message in one line; None for an error that nobody foresaw."""
    match error:
        case Refused() | StavkaError():
            rule = getattr(error, "rule", "")
            line = f"{error.reason} [{rule}]: {error}" if rule else f"{error.reason}: {error}"
        case ClientError():
            line = f"UNREACHABLE: {error}"
        case Stuck():
            line = f"STUCK: {error}"
        case LogUnavailable() | OSError() | ValueError():
            line = str(error)
        case _:
            return None
    return " ".join(line.split())
