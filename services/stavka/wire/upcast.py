"""Upcasters: pure functions that lift the stored plain data of an older schema to the next one.

UPCASTS maps a game's id to {(stored type, schema): function from schema to schema + 1}. Stored records are never
rewritten; every reader lifts while reading. Each entry has a stored sample in tests/wire/samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .codec import Upcast

UPCASTS: Final[Mapping[str, Mapping[tuple[str, int], Upcast]]] = {}
