"""What is deployed agrees with what is built: compose file, image, topics, the broker's version, the starters."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from stavka.match.keys import load
from stavka.match.ports import TOPICS

from deploy import prepare
from deploy.local import kafka, redis_server
from tests.support.brokers import KafkaBroker, why_no_containers
from tests.support.brokers import redis_server as redis_for_tests

ROOT = Path(__file__).parents[3]
COMPOSE = (ROOT / "docker-compose.yml").read_text("utf-8")
PROCESSES = ("gateway", *TOPICS, "projector")


def service(name: str) -> str:
    """The lines of one service of the compose file."""
    found = re.search(rf"^  {name}:\n((?:    .*\n|\n)+)", COMPOSE, re.MULTILINE)
    assert found is not None, name
    return found.group(1)


class TestCompose:
    @pytest.mark.parametrize("name", PROCESSES)
    def test_each_process_runs_from_the_one_image(self, name: str) -> None:
        assert f'command: ["run", "{name}"]' in service(name)
        assert "<<: *stavka" in service(name)

    def test_it_has_these_services_and_no_others(self) -> None:
        names = re.findall(r"^  ([a-z]+):$", COMPOSE.split("\nservices:\n")[1].split("\nvolumes:\n")[0], re.MULTILINE)
        assert set(names) == {"kafka", "redis", "prepare", *PROCESSES}

    @pytest.mark.parametrize("name", ["STAVKA_KAFKA", "STAVKA_REDIS", "STAVKA_DATA", "STAVKA_KEYS", "STAVKA_METRICS"])
    def test_processes_get_settings_that_exist(self, name: str) -> None:
        assert f"    {name}: " in COMPOSE.split("\nservices:\n")[0]
        assert name in (ROOT / "services/stavka/settings.py").read_text("utf-8")

    def test_kafka_is_the_version_that_the_tests_run(self) -> None:
        assert f"image: apache/kafka:{kafka.kafka_version()}\n" in service("kafka")

    def test_what_the_image_copies_exists_and_reaches_the_build(self) -> None:
        dockerfile = (ROOT / "deploy/Dockerfile").read_text("utf-8")
        ignore = (ROOT / "deploy/Dockerfile.dockerignore").read_text("utf-8")
        copied = [
            source
            for line in re.findall(r"^COPY (?!--from)(.+)$", dockerfile, re.MULTILINE)
            for source in line.split()[:-1]
        ]
        assert copied
        for source in copied:
            assert (ROOT / source).exists()
            assert f"!{source}\n" in ignore


class TestPrepare:
    def test_keys_are_made_once(self, tmp_path: Path) -> None:
        prepare.make_keys(tmp_path / "keys")
        first = {path.name: path.read_bytes() for path in (tmp_path / "keys").iterdir()}
        prepare.make_keys(tmp_path / "keys")
        assert {path.name: path.read_bytes() for path in (tmp_path / "keys").iterdir()} == first
        assert load(tmp_path / "keys").signers
        assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "keys").iterdir())

    def test_no_broker_is_one_line_and_a_failure(self, tmp_path: Path) -> None:
        done = subprocess.run(
            [sys.executable, ROOT / "deploy/prepare.py", ROOT / "deploy/topics.toml"],
            env={**os.environ, "STAVKA_KEYS": str(tmp_path / "keys"), "STAVKA_KAFKA": "127.0.0.1:1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].startswith("topics: 127.0.0.1:1")
        assert "Traceback" not in done.stderr

    @pytest.mark.stack
    @pytest.mark.xdist_group("kafka")
    @pytest.mark.timeout(300)
    def test_a_prepared_place_stays_as_it_is(
        self,
        real_kafka: KafkaBroker,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("STAVKA_KEYS", str(tmp_path / "keys"))
        monkeypatch.setenv("STAVKA_KAFKA", real_kafka.bootstrap)
        assert prepare.main([str(ROOT / "deploy/topics.toml"), "--replication", "1"]) == 0
        assert capsys.readouterr().out == "0 created; all sound\n"


class TestStarters:
    @pytest.mark.stack
    @pytest.mark.xdist_group("kafka")
    @pytest.mark.timeout(300)
    def test_kafka_up_status_down(self, tmp_path: Path) -> None:
        def run(*arguments: str) -> tuple[int, str]:
            script, data = str(ROOT / "deploy/local/kafka.py"), str(tmp_path / "kafka")
            command = [sys.executable, script, *arguments, "--data", data]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            return done.returncode, done.stdout.strip()

        assert run("status") == (3, "not running")
        code, address = run("up", "--port", "0")
        try:
            assert code == 0
            assert run("up", "--port", "0") == (0, address), "a second `up` finds the first"
            assert run("status")[1].startswith(address)
        finally:
            assert run("down") == (0, "stopped")
        assert run("down") == (0, "not running")

    def test_a_machine_without_java_is_told(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        reason = kafka.why_unavailable()
        assert reason is not None
        with pytest.raises(kafka.LocalBrokerError, match=reason):
            kafka.LocalKafka(tmp_path / "kafka").start()

    def test_redis_answers_is_killed_and_comes_back(self) -> None:
        server = redis_server.LocalRedis()
        server.start()
        port = server.port
        server.kill()
        server.start()
        assert server.port == port
        server.stop()

    def test_redis_for_tests_says_what_it_is(self, capsys: pytest.CaptureFixture[str]) -> None:
        with redis_for_tests() as server:
            assert server.url in capsys.readouterr().err
            assert (server.kind == "container") == (why_no_containers() is None)
