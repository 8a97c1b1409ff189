"""Composition of the movement process."""

from __future__ import annotations

from typing import Final

from stavka.hosting import run_domain
from stavka.settings import Settings

TOPIC: Final = "movement"


async def run(settings: Settings) -> None:
    """Judge the commands of this topic until told to stop."""
    await run_domain(TOPIC, settings)
