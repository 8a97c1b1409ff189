"""The Python of docs/how-to/write-a-client.md plays a whole match."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from .stand import Stand

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "write-a-client.md"


async def test_the_client_of_the_page_plays_to_the_end(live: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    code = found[1].replace("localhost:50051", f"127.0.0.1:{live.server.port}")
    for ours, theirs in (("red_vengeance", "skirmish"), ("campaign", "plain"), ("axis", "north"), ("allied", "south")):
        assert ours in code
        code = code.replace(ours, theirs)
    names: dict[str, Any] = {}
    exec(compile(code, PAGE.name, "exec"), names)
    await asyncio.wait_for(names["main"](live.token("anna")), 60)
    (fold,) = live.follower.book.matches.values()
    assert fold.state is not None
    assert fold.state.ended is not None
    assert "'RoundFought', 'match.MatchEnded'" in capsys.readouterr().out
