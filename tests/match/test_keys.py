"""The keys' folder: whole or refused, never silently made up for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from stavka import reproducible
from stavka.bus.memory import MemoryLog
from stavka.match import keys, lobby
from stavka.match.custody import Custody, quarantine_foreign
from stavka.match.follower import Follower
from stavka.match.keys import BadKeys, Keyring, UnknownKey
from stavka.match.ports import PARTITIONS

from tests.support.runtime import Runtime, runtime

MATCH = "07-01J000000000000000000000AB"


def test_a_folder_keeps_its_keys_for_their_owner_only(tmp_path: Path) -> None:
    made = keys.make(tmp_path / "keys")
    assert keys.make(tmp_path / "keys").is_like(made)
    assert keys.load(tmp_path / "keys").is_like(made)
    files = sorted((tmp_path / "keys").iterdir())
    assert [file.name for file in files] == [f"roll-{made.current}.pem", "sealing.key"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_what_a_kill_left_unfinished_is_no_key_and_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / ".sealing.key.unfinished").write_bytes(b"half")
    (tmp_path / ".roll-0.pem.unfinished").write_bytes(b"-----BEGIN")
    made = keys.make(tmp_path)
    assert len(made.sealing) == 32
    assert list(made.signers) == [made.current]


def test_an_interrupted_start_is_finished_but_a_lost_sealing_key_is_not_made_again(tmp_path: Path) -> None:
    made = keys.make(tmp_path)
    roll = tmp_path / f"roll-{made.current}.pem"
    roll.unlink()
    again = keys.make(tmp_path)
    assert again.sealing == made.sealing
    assert again.current != made.current
    (tmp_path / "sealing.key").unlink()
    with pytest.raises(BadKeys) as refused:
        keys.make(tmp_path)
    assert refused.value.reason == "KEY_MISSING"
    assert not (tmp_path / "sealing.key").exists()


@pytest.mark.parametrize("size", [0, 1, 31, 33])
def test_a_sealing_key_of_another_length_is_refused(tmp_path: Path, size: int) -> None:
    keys.make(tmp_path)
    (tmp_path / "sealing.key").write_bytes(bytes(size))
    for take in (keys.make, keys.load):
        with pytest.raises(BadKeys) as refused:
            take(tmp_path)
        assert refused.value.reason == "BAD_KEY"
        assert "sealing.key" in str(refused.value)


@pytest.mark.parametrize("lost", ["sealing.key", "roll-*.pem"])
def test_a_key_that_is_missing_is_named(tmp_path: Path, lost: str) -> None:
    keys.make(tmp_path)
    for file in tmp_path.glob(lost):
        file.unlink()
    with pytest.raises(BadKeys) as refused:
        keys.load(tmp_path)
    assert refused.value.reason == "KEY_MISSING"
    assert lost in str(refused.value)


def test_a_roll_key_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    (file,) = [tmp_path / f"roll-{keys.make(tmp_path).current}.pem"]
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(BadKeys) as refused:
        keys.make(tmp_path)
    assert refused.value.reason == "BAD_KEY"
    assert file.name in str(refused.value)


def test_given_keys_are_kept_in_an_empty_folder_only(tmp_path: Path) -> None:
    given = reproducible.keyring(7)
    keys.keep(tmp_path / "empty", given)
    assert keys.load(tmp_path / "empty").is_like(given)
    keys.keep(tmp_path / "empty", given)
    made = keys.make(tmp_path / "other")
    with pytest.raises(BadKeys) as refused:
        keys.keep(tmp_path / "other", given)
    assert refused.value.reason == "FOREIGN_KEYS"
    assert keys.load(tmp_path / "other").is_like(made)


def test_a_key_that_is_not_held_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownKey):
        keys.make(tmp_path).signer("0123456789abcdef")


class TestCustody:
    """Matches of a log, looked at with keys that are not theirs."""

    @pytest.fixture
    async def table(self, tmp_path: Path) -> AsyncIterator[Runtime]:
        async with runtime(MemoryLog(), tmp_path) as live:
            await live.submit(MATCH, lobby.CreateMatch("skirmish", "plain"), player="organiser", prefix="match.")
            for seat in ("north", "south"):
                await live.submit(MATCH, lobby.TakeSeat("ab" * 8), seat, prefix="match.")
            await live.until(MATCH, 4)
            yield live

    async def look(self, table: Runtime, keyring: Keyring) -> BadKeys | None:
        follower, custody = Follower(table.log, keyring.sealing), Custody(keyring)
        follower.listeners.append(custody)
        follower.start(range(PARTITIONS))
        await follower.caught_up(range(PARTITIONS))
        await follower.close()
        try:
            custody.require(Path("keys"))
        except BadKeys as error:
            return error
        return None

    async def test_its_own_keys_are_accepted(self, table: Runtime) -> None:
        assert await self.look(table, table.keyring) is None

    @pytest.mark.parametrize(
        ("change", "name"),
        [
            (lambda ring, other: Keyring(ring.signers, ring.current, other.sealing), "sealing.key"),
            (lambda ring, other: Keyring(other.signers, other.current, ring.sealing), "roll-*.pem"),
        ],
    )
    async def test_another_key_is_refused(
        self, table: Runtime, tmp_path: Path, change: Callable[[Keyring, Keyring], Keyring], name: str
    ) -> None:
        refused = await self.look(table, change(table.keyring, keys.make(tmp_path / "other")))
        assert refused is not None
        assert refused.reason == "FOREIGN_KEYS"
        assert name in str(refused) and MATCH in str(refused)

    async def test_an_ended_match_needs_its_roll_key_no_more(self, table: Runtime, tmp_path: Path) -> None:
        await table.submit(MATCH, lobby.Resign(), "north", prefix="match.")
        other = keys.make(tmp_path / "other")
        assert await self.look(table, Keyring(other.signers, other.current, table.keyring.sealing)) is None
        assert await self.look(table, Keyring(table.keyring.signers, table.keyring.current, other.sealing)) is not None

    async def test_a_reader_without_refusal_puts_it_into_quarantine_with_the_reason(
        self, table: Runtime, tmp_path: Path
    ) -> None:
        other = keys.make(tmp_path / "other")
        follower = Follower(table.log, other.sealing)
        follower.listeners.append(quarantine_foreign(other))
        follower.start(range(PARTITIONS))
        await follower.caught_up(range(PARTITIONS))
        await follower.close()
        fold = follower.book.fold_of(MATCH)
        assert fold.state is None
        assert "WRONG_SEAL_KEY" in fold.quarantine
