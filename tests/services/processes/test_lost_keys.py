"""A data folder whose keys are lost, damaged or others: `serve` says so in one line and touches nothing."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from stavka.client import Client, channel_to
from stavka.embedded import embedded
from stavka.gateway.identity import Role, issue
from stavka.hosting import SystemClock
from stavka.match import keys
from stavka.settings import Settings

from tests.services.processes.running import complaint, serving, stavka

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("processes")]


async def begun(data: Path) -> None:
    """A match of two players in this folder, seated and no more."""
    async with embedded(Settings(data=data, keys=data / "keys", port=0)) as server:
        now = SystemClock().now_ms()
        channel = channel_to(f"127.0.0.1:{server.port}")
        client = Client(channel, issue(server.token_key, Role.PLAYER, now_ms=now, seconds=600, player="anna"))
        match_id = (await client.create("red_vengeance", "campaign")).match_id
        for seat in ("allied", "axis"):
            await client.take_seat(match_id, seat)
        await channel.close(None)


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
    before = sorted(file.name for file in (data / "keys").glob("*")) or [] if (data / "keys").exists() else []
    told = complaint(stavka("serve", "--port", "0", "--data", str(data)))
    assert reason in told and name in told and str(data / "keys") in told
    kept = [file.name for file in (data / "keys").glob("*") if not file.name.startswith("token-")]
    assert sorted(kept) == [file for file in before if not file.startswith("token-")]


def test_the_same_folder_with_its_keys_serves(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "data")
    with serving(tmp_path / "data") as server:
        assert server.terminate() == 0
