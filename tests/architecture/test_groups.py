"""Tests of one group run in one worker: the battery plays a match once for all of its tests, ports are not fought for."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("together")
def test_a_group_is_heeded_where_tests_are_spread_by_group(request: pytest.FixtureRequest) -> None:
    """The name of the group is put behind a test's id then, which is what tests are spread by."""
    assert request.node.nodeid.endswith("@together") == bool(request.config.getoption("loadgroup", default=False))
