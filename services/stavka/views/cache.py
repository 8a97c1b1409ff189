"""The states that a reader has folded lately, least recently used ones dropped first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class VersionCache(Generic[T]):
    """Values by (match id, version); at most `size` of them, at least 1."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[tuple[str, int], T] = OrderedDict()
        self._versions: dict[str, set[int]] = {}

    def nearest(self, match_id: str, version: int) -> T | None:
        """The value of the latest version up to and including `version`."""
        found = max((v for v in self._versions.get(match_id, ()) if v <= version), default=None)
        if found is None:
            return None
        self._values.move_to_end((match_id, found))
        return self._values[match_id, found]

    def get(self, match_id: str, version: int) -> T | None:
        """The value of exactly this version."""
        if (match_id, version) not in self._values:
            return None
        self._values.move_to_end((match_id, version))
        return self._values[match_id, version]

    def put(self, match_id: str, version: int, value: T) -> None:
        self._values[match_id, version] = value
        self._values.move_to_end((match_id, version))
        self._versions.setdefault(match_id, set()).add(version)
        while len(self._values) > self._size:
            (old_match, old_version), _ = self._values.popitem(last=False)
            self._versions[old_match].discard(old_version)
            if not self._versions[old_match]:
                del self._versions[old_match]

    def __len__(self) -> int:
        return len(self._values)
