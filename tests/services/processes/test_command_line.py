"""What the commands say to wrong arguments, refusals and servers that are not there: one line, exit code 2."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from stavka.client import connect
from stavka.gateway.identity import Role, issue
from stavka.hosting import SystemClock
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2 as pb

from tests.services.processes.running import Serving, complaint, serving, stavka

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("processes")]

UNKNOWN = "07-01J000000000000000000000AB"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("command-line") / "data") as live:
        yield live


@pytest.fixture(scope="module")
def match_id(server: Serving) -> str:
    """A match that waits for its players."""
    token = issue(server.token_key, Role.PLAYER, now_ms=SystemClock().now_ms(), seconds=600, player="anna")

    async def create() -> str:
        async with connect(server.address, token) as client:
            return (await client.create("red_vengeance", "campaign")).match_id

    return asyncio.run(create())


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def refused(*arguments: str) -> str:
    """The one line of a command that was refused."""
    ran = stavka(*arguments)
    told = complaint(ran)
    assert len(ran.stderr.strip().splitlines()) == 1, ran.stderr
    return told


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("show", UNKNOWN), "UNKNOWN_MATCH"),
        (("show", "MATCH", "--at", "999999"), "VERSION_NOT_YET"),
        (("show", "MATCH", "--viewer", "nobody"), "VIEWER_FORBIDDEN"),
        (("show", "MATCH", "--token", "nonsense"), "BAD_TOKEN"),
        (("audit", "verify", UNKNOWN), "UNKNOWN_MATCH"),
        (("audit", "verify", "nonsense"), "NO_SOURCE"),
        (("audit", "export", "nonsense", "-o", "FILE"), "UNKNOWN_MATCH"),
        (("audit", "roll", UNKNOWN, "--version", "1", "-o", "FILE"), "UNKNOWN_MATCH"),
        (("play", "red_vengeance", "--scenario", "zzz"), "UNKNOWN_SCENARIO"),
        (("play", "red_vengeance", "--option", "a=b"), "UNKNOWN_OPTION"),
        (("play", "red_vengeance", "--bots", "nobody"), "nobody"),
    ],
)
def test_a_refusal_is_one_line(
    server: Serving, match_id: str, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    given = [{"MATCH": match_id, "FILE": str(tmp_path / "file")}.get(word, word) for word in arguments]
    assert reason in refused(*given, "--server", server.address, "--data", str(server.data))
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [("--scenario", "zzz", "UNKNOWN_SCENARIO"), ("--option", "a=b", "UNKNOWN_OPTION"), ("--bots", "nobody", "nobody")],
)
def test_a_match_of_its_own_is_refused_in_one_line_too(name: str, value: str, reason: str) -> None:
    assert reason in complaint(stavka("play", "red_vengeance", name, value))


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", UNKNOWN),
        ("audit", "verify", UNKNOWN),
        ("audit", "export", UNKNOWN, "-o", "match.jsonl"),
        ("play", "red_vengeance"),
    ],
)
def test_a_server_that_is_not_there_is_named(nobody: str, arguments: tuple[str, ...]) -> None:
    told = refused(*arguments, "--server", nobody, "--token", "a.b.c")
    assert "UNREACHABLE" in told and nobody in told


def test_without_a_token_and_without_keys_it_says_what_is_missing_and_makes_none(nobody: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    for arguments in (("show", UNKNOWN, "--server", nobody), ("token", "--role", "player")):
        told = refused(*arguments, "--data", str(data))
        assert "NO_TOKEN_KEY" in told and "--token" in told
    assert not data.exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("play", "chess"), "chess"),
        (("play", "red_vengeance", "--option", "fog"), "NAME=VALUE"),
        (("rules", "chess"), "chess"),
        (("show", UNKNOWN, "--at", "-1"), "--at"),
        (("serve", "--port", "70000"), "--port"),
        (("token", "--role", "king"), "king"),
        (("audit", "roll", "match.jsonl", "--version", "0", "-o", "roll"), "--version"),
        (("audit", "verify", "missing.jsonl"), "missing.jsonl"),
        (("besiege",), "besiege"),
    ],
)
def test_a_bad_argument_is_named(arguments: tuple[str, ...], word: str) -> None:
    assert word in complaint(stavka(*arguments))


class TestOwnFolder:
    """`play --data`: the match stays there, and its keys with it."""

    def test_a_played_folder_is_served_and_has_its_checkpoint(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        ran = stavka("play", "red_vengeance", "--seed", "7", "--json", "--data", str(data))
        assert ran.returncode == 0, ran.stderr
        played = json.loads(ran.stdout)
        with serving(data) as live:
            verified = stavka(
                "audit", "verify", played["match"], "--json", "--server", live.address, "--data", str(data)
            )
            report = json.loads(verified.stdout)
            assert verified.returncode == 0 and report["ok"] and report["head"] == played["head"]
            assert asyncio.run(checkpoint(live, played["match"])) == played["head"]
            assert live.terminate() == 0
        assert "FOREIGN_KEYS" in complaint(stavka("play", "red_vengeance", "--seed", "8", "--data", str(data)))

    def test_a_folder_with_keys_of_its_own_is_refused(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        with serving(data) as live:
            assert live.terminate() == 0
        before = {file: file.read_bytes() for file in (data / "keys").iterdir()}
        assert "FOREIGN_KEYS" in complaint(stavka("play", "red_vengeance", "--data", str(data)))
        assert {file: file.read_bytes() for file in (data / "keys").iterdir()} == before


async def checkpoint(live: Serving, match_id: str) -> str:
    token = issue(live.token_key, Role.ARBITER, now_ms=SystemClock().now_ms(), seconds=600)
    async with connect(live.address, token) as client:
        return (await client.ask(client.audit.GetCheckpoint, pb.GetCheckpointRequest(match_id=match_id))).head.hex()
