"""Every row of docs/how-to/errors.md, brought about on a running gateway."""

from __future__ import annotations

import re
from pathlib import Path

import grpc
import pytest
from stavka.kernel import notation
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .error_rows import CASES, create, raw, refused, submit
from .stand import FailingLog, Stand, stand

DOCS = Path(__file__).parents[3] / "docs" / "how-to" / "errors.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \|", re.MULTILINE)
ROWS = set(ROW.findall(DOCS.read_text("utf-8")))


@pytest.mark.parametrize(("code", "reason"), sorted(CASES), ids=lambda word: word)
async def test_a_row_of_the_table(code: str, reason: str) -> None:
    limits, run = CASES[code, reason]
    async with stand(log=FailingLog(), limits=limits) as live:
        before: dict[str, int] = {}

        async def attempt() -> None:
            try:
                await run(live)
            finally:
                before.update({m: f.version for m, f in live.follower.book.matches.items()})

        found = await refused(attempt())
        assert (found.code.name, found.reason) == (code, reason)
        assert "Traceback" not in found.message
        assert "secret" not in found.message
        if code == "INVALID_ARGUMENT":
            assert found.field
        if code == "UNAVAILABLE" or (code == "RESOURCE_EXHAUSTED" and reason != "MESSAGE_TOO_LARGE"):
            assert found.retry_seconds > 0
        if reason == "OUTCOME_UNKNOWN":
            assert found.metadata["command_id"] in ("c1", "c9")
        if reason == "INTERNAL":
            assert re.fullmatch("[0-9a-f]{8}", found.metadata["incident"])
        assert before == {m: f.version for m, f in live.follower.book.matches.items()}


def test_every_row_is_brought_about() -> None:
    told_elsewhere = {("RESOURCE_EXHAUSTED", "STALLED"), ("UNAVAILABLE", "NOT_SERVING")}  # test_streams, test_server
    assert set(CASES) | told_elsewhere == ROWS


async def test_a_position_that_cannot_be_read_has_the_words_of_the_notation(live: Stand) -> None:
    words = set(re.findall(r'"([A-Z_]{6,})"', Path(notation.__file__).read_text("utf-8")))
    page = DOCS.read_text("utf-8")
    assert "HEADER_WITHOUT_VALUE" in words
    assert [word for word in words if f"`{word}`" not in page] == []
    found = await refused(create(live, game="red_vengeance", scenario="campaign", analysis=True, position="turn\n"))
    assert (found.code.name, found.reason) == ("INVALID_ARGUMENT", "HEADER_WITHOUT_VALUE")
    assert (found.metadata["line"], found.metadata["text"]) == ("1", "turn")


async def test_the_version_asked_for_and_the_present_one_are_told_apart(live: Stand) -> None:
    found = await refused(raw(live, "GetView", pb.GetViewRequest(match_id=await live.seated(), version=99)))
    assert (found.metadata["asked"], found.metadata["current"]) == ("99", "4")
    assert "version" not in found.metadata


async def test_a_rule_of_the_game_is_named(live: Stand) -> None:
    match_id = await live.seated()
    found = await refused(submit(live, match_id, arguments={"card": 9, "side": "north"}))
    assert (found.code, found.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_IN_HAND")
    fold = live.follower.book.fold_of(match_id)
    assert found.metadata["rule"] == "SK 1.3"
    assert found.metadata["version"] == "4"
    assert found.metadata["head"] == fold.head.hex()
