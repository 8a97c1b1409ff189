"""A data folder whose keys are lost, damaged or others: `serve` says so in one line and touches nothing."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from stavka.client import Client, IllegalMove, connect
from stavka.embedded import embedded
from stavka.gateway.identity import Role, issue
from stavka.hosting import SystemClock
from stavka.match import keys
from stavka.settings import Settings
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2 as pb

from tests.services.processes.running import complaint, serving, stavka

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("processes")]


@asynccontextmanager
async def table(data: Path) -> AsyncIterator[Client]:
    """A player at a server on this folder."""
    async with embedded(Settings(data=data, keys=data / "keys", port=0)) as server:
        now = SystemClock().now_ms()
        token = issue(server.token_key, Role.PLAYER, now_ms=now, seconds=600, player="anna")
        async with connect(f"127.0.0.1:{server.port}", token) as client:
            yield client


async def begun(data: Path) -> str:
    """A match of two players in this folder, seated and no more."""
    async with table(data) as client:
        match_id = (await client.create("red_vengeance", "campaign")).match_id
        for seat in ("allied", "axis"):
            await client.take_seat(match_id, seat)
        return match_id


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("lost-keys") / "data"
    asyncio.run(begun(data))
    return data


def empty_sealing(folder: Path) -> None:
    (folder / "sealing.key").write_bytes(b"")


def no_sealing(folder: Path) -> None:
    (folder / "sealing.key").unlink()


def other_sealing(folder: Path) -> None:
    (folder / "sealing.key").write_bytes(bytes(range(32)))


def no_roll(folder: Path) -> None:
    for file in folder.glob("roll-*.pem"):
        file.unlink()


def other_roll(folder: Path) -> None:
    no_roll(folder)
    other = folder.parent / "other"
    keys.make(other)
    for file in other.glob("roll-*.pem"):
        shutil.copy(file, folder)


def no_keys(folder: Path) -> None:
    shutil.rmtree(folder)


def names(folder: Path) -> list[str]:
    """Its files, but for the token key, which may be made anew."""
    return sorted(file.name for file in folder.glob("*") if not file.name.startswith("token-"))


@pytest.mark.parametrize(
    ("harm", "reason", "name"),
    [
        (empty_sealing, "BAD_KEY", "sealing.key"),
        (no_sealing, "KEY_MISSING", "sealing.key"),
        (other_sealing, "FOREIGN_KEYS", "sealing.key"),
        (no_roll, "KEY_MISSING", "roll-*.pem"),
        (other_roll, "FOREIGN_KEYS", "roll-*.pem"),
        (no_keys, "KEY_MISSING", "roll-*.pem"),
    ],
)
def test_a_folder_with_matches_wants_their_keys(
    folder: Path, tmp_path: Path, harm: Callable[[Path], None], reason: str, name: str
) -> None:
    data = tmp_path / "data"
    shutil.copytree(folder, data)
    harm(data / "keys")
    before = names(data / "keys")
    told = complaint(stavka("serve", "--port", "0", "--data", str(data)))
    assert reason in told and name in told and str(data / "keys") in told
    assert names(data / "keys") == before


def test_the_same_folder_with_its_keys_serves(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "data")
    with serving(tmp_path / "data") as server:
        assert server.terminate() == 0


async def test_an_ended_match_whose_roll_key_is_gone_is_read_but_gets_no_checkpoint(tmp_path: Path) -> None:
    data = tmp_path / "data"
    match_id = await begun(data)
    async with table(data) as client:
        await client.resign(match_id, "axis")
    other_roll(data / "keys")
    async with table(data) as client:
        assert (await client.match(match_id)).result.winner == "allied"
        with pytest.raises(IllegalMove) as refused:
            await client.ask(client.audit.GetCheckpoint, pb.GetCheckpointRequest(match_id=match_id))
    assert refused.value.reason == "UNKNOWN_KEY"
