"""The events of this chapter and how the fold applies them: APPLY maps an event type to function(state, event)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stavka.games.victory_in_europe.state import State

APPLY: dict[type, Callable[[State, Any], None]] = {}
