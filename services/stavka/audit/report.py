"""What a verification says: the report, and the error that names what is wrong with a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stavka.kernel.errors import StavkaError


class WrongRecord(StavkaError):
    """A record is not what an honest referee would have written."""


@dataclass
class Report:
    """What was checked. `ok` means that every record holds; `wrong` names the first that does not.

    `decisions` and `automatic` count what was decided again, `rolls` the rolls whose proof was checked, `sealed` the
    records of which a part waits for the key.
    """

    match_id: str
    versions: int = 0
    head: str = ""
    key_id: str = ""
    game: str = ""
    ruleset: str = ""
    decisions: int = 0
    automatic: int = 0
    rolls: int = 0
    sealed: int = 0
    ended: bool = False
    winner: str = ""
    points: dict[str, int] = field(default_factory=dict)
    wrong: Mapping[str, object] | None = None

    @property
    def ok(self) -> bool:
        return self.wrong is None


def require(holds: bool, reason: str, message: str) -> None:
    """Raises WrongRecord when it does not hold."""
    if not holds:
        raise WrongRecord(reason, message)
