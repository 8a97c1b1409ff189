"""What the production phase remembers [VE 11.0]."""

from __future__ import annotations

from dataclasses import dataclass

from stavka.kernel.visibility import Public


@dataclass(frozen=True, slots=True)
class Works:
    """Lasts for the match; the chapter's own events change it."""

    phase: Public[int] = 0
