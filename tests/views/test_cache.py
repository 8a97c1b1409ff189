"""The cache of folded states."""

from __future__ import annotations

from stavka.views.cache import VersionCache


class TestVersionCache:
    def test_the_nearest_version_is_the_latest_not_beyond(self) -> None:
        cache: VersionCache[str] = VersionCache(9)
        for version in (3, 7, 5):
            cache.put("m", version, f"v{version}")
        assert cache.nearest("m", 6) == "v5"
        assert cache.nearest("m", 7) == "v7"
        assert cache.nearest("m", 2) is None
        assert cache.nearest("other", 9) is None
        assert cache.get("m", 6) is None

    def test_what_was_used_least_lately_goes_first(self) -> None:
        cache: VersionCache[int] = VersionCache(2)
        cache.put("a", 1, 1)
        cache.put("b", 1, 2)
        assert cache.get("a", 1) == 1
        cache.put("c", 1, 3)
        assert cache.get("b", 1) is None
        assert cache.nearest("b", 9) is None
        assert cache.nearest("a", 9) == 1
        assert len(cache) == 2
