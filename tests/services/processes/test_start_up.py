"""What keeps a process from starting is told in one line, with exit code 2, and nothing has been touched."""

from __future__ import annotations

import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from stavka.cli.serve import PROCESSES
from stavka.match import keys

from tests.services.gateway.test_server import certificate
from tests.services.processes.running import clean, complaint, serving, start, stavka
from tests.support.stack import STOP_SECONDS

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("processes")]

NOWHERE = {"KAFKA": "127.0.0.1:1", "REDIS": "redis://127.0.0.1:1/0"}


@pytest.fixture
def keyring(tmp_path: Path) -> Path:
    """A folder with all keys of a deployment."""
    folder = tmp_path / "keys"
    keys.make(folder)
    (folder / "token.key").write_bytes(secrets.token_hex(32).encode())
    return folder


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


class TestRun:
    """`stavka run PROCESS`."""

    @pytest.mark.parametrize("process", PROCESSES)
    def test_every_process_wants_a_broker_named(self, process: str, keyring: Path) -> None:
        assert "STAVKA_KAFKA" in complaint(stavka("run", process, KEYS=str(keyring)))

    @pytest.mark.parametrize("process", ["gateway", "projector"])
    def test_those_with_projections_want_a_redis_named(self, process: str, keyring: Path) -> None:
        ran = stavka("run", process, KEYS=str(keyring), KAFKA=NOWHERE["KAFKA"])
        assert "STAVKA_REDIS" in complaint(ran)

    @pytest.mark.parametrize("process", PROCESSES)
    def test_missing_keys_are_told_before_the_broker_is_waited_for(self, process: str, tmp_path: Path) -> None:
        folder = tmp_path / "none"
        assert str(folder) in complaint(stavka("run", process, KEYS=str(folder), **NOWHERE))
        assert not folder.exists()

    def test_a_gateway_wants_a_token_key(self, keyring: Path) -> None:
        (keyring / "token.key").unlink()
        assert "token.key" in complaint(stavka("run", "gateway", KEYS=str(keyring), **NOWHERE))

    def test_a_file_that_is_no_key_is_named(self, keyring: Path) -> None:
        (keyring / "roll-0.pem").write_text("no key")
        assert "roll-0.pem" in complaint(stavka("run", "combat", KEYS=str(keyring), **NOWHERE))

    def test_a_setting_that_makes_no_sense_is_named(self, keyring: Path) -> None:
        assert "STAVKA_PORT" in complaint(stavka("run", "gateway", KEYS=str(keyring), PORT="http", **NOWHERE))

    @pytest.mark.parametrize("process", ["combat", "gateway", "projector"])
    def test_a_broker_that_is_away_is_waited_for_until_told_to_stop(self, process: str, keyring: Path) -> None:
        running = subprocess.Popen(
            [sys.executable, "-m", "stavka", "run", process],
            env=clean(KEYS=str(keyring), **NOWHERE),
            stderr=subprocess.PIPE,
            text=True,
        )
        assert running.stderr is not None
        try:
            said = next(line for line in running.stderr if "does not answer" in line)
            assert NOWHERE["KAFKA"] in said
            running.send_signal(signal.SIGTERM)
            _, rest = running.communicate(timeout=STOP_SECONDS)
        finally:
            running.kill()
            running.communicate()
        assert running.returncode == 0, rest
        assert "Traceback" not in rest

    def test_a_process_that_does_not_exist_is_refused(self) -> None:
        assert "artillery" in complaint(stavka("run", "artillery", **NOWHERE))


class TestServe:
    """`stavka serve`."""

    def test_one_process_works_on_a_data_folder(self, tmp_path: Path) -> None:
        with serving(tmp_path / "data") as first:
            told = complaint(stavka("serve", "--port", "0", "--data", str(tmp_path / "data")))
            assert "DATA_IN_USE" in told and str(first.process.pid) in told
            assert first.terminate() == 0
        with serving(tmp_path / "data") as again:
            assert again.terminate() == 0

    def test_a_port_that_is_taken_is_named(self, tmp_path: Path, taken_port: int) -> None:
        told = complaint(stavka("serve", "--port", str(taken_port), "--data", str(tmp_path / "data")))
        assert "CANNOT_LISTEN" in told and str(taken_port) in told

    def test_a_data_folder_that_is_a_file_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "data").touch()
        assert str(tmp_path / "data") in complaint(stavka("serve", "--port", "0", "--data", str(tmp_path / "data")))

    def test_a_file_that_is_no_log_is_left_as_it_is(self, tmp_path: Path) -> None:
        log = tmp_path / "data" / "log.sqlite3"
        log.parent.mkdir()
        log.write_text("letters from the front")
        told = complaint(stavka("serve", "--port", "0", "--data", str(log.parent)))
        assert "LOG_DAMAGED" in told and str(log) in told
        assert log.read_text() == "letters from the front"

    def test_a_damaged_page_is_found_and_the_file_left_as_it_is(self, tmp_path: Path) -> None:
        with serving(tmp_path / "data") as server:
            assert server.terminate() == 0
        log = tmp_path / "data" / "log.sqlite3"
        whole = log.read_bytes()
        damaged = whole[:4096] + b"\xff" * 64 + whole[4160:]
        log.write_bytes(damaged)
        ran = stavka("serve", "--port", "0", "--data", str(log.parent))
        complaint(ran)
        assert "LOG_DAMAGED" in ran.stderr and str(log) in ran.stderr
        assert log.read_bytes() == damaged

    def test_a_token_key_that_is_too_short_is_named(self, tmp_path: Path) -> None:
        key = tmp_path / "data" / "keys" / "token.key"
        key.parent.mkdir(parents=True)
        key.write_text("short")
        told = complaint(stavka("serve", "--port", "0", "--data", str(tmp_path / "data")))
        assert "BAD_KEY_FILE" in told and str(key) in told

    def test_a_development_key_serves_this_machine_only(self, tmp_path: Path) -> None:
        ran = stavka("serve", "--port", "0", "--host", "0.0.0.0", "--data", str(tmp_path / "data"))
        assert "DEVELOPMENT_KEY" in complaint(ran)

    def test_a_certificate_needs_its_key(self, tmp_path: Path) -> None:
        ran = stavka("serve", "--port", "0", "--data", str(tmp_path / "data"), TLS_CERT=str(tmp_path / "cert.pem"))
        assert "STAVKA_TLS_KEY" in complaint(ran)

    @pytest.mark.parametrize("bad", ["cert", "key", "pair"])
    def test_a_bad_certificate_is_named(self, tmp_path: Path, bad: str) -> None:
        files = tls_files(tmp_path)
        if bad == "pair":
            files["key"].write_bytes(certificate()[1])
        else:
            files[bad].write_text("letters from the front")
        settings = {"TLS_CERT": str(files["cert"]), "TLS_KEY": str(files["key"])}
        told = complaint(stavka("serve", "--port", "0", "--data", str(tmp_path / "data"), **settings))
        assert "BAD_CERTIFICATE" in told
        assert str(files["key" if bad == "pair" else bad]) in told

    @pytest.mark.parametrize("tls", [True, False])
    def test_what_it_says_to_try_fits_how_it_serves(self, tmp_path: Path, tls: bool) -> None:
        files = tls_files(tmp_path)
        settings = {"TLS_CERT": str(files["cert"]), "TLS_KEY": str(files["key"])} if tls else {}
        server = start(tmp_path / "data", 0, settings)
        assert server.process.stdout is not None
        tried = next(line for line in server.process.stdout if line.startswith("Try: "))
        assert server.terminate() == 0
        assert ("-plaintext" in tried, "-cacert" in tried) == (not tls, tls)


def tls_files(folder: Path) -> dict[str, Path]:
    """A certificate and its key."""
    found = {"cert": folder / "cert.pem", "key": folder / "key.pem"}
    for path, data in zip(found.values(), certificate(), strict=True):
        path.write_bytes(data)
    return found
