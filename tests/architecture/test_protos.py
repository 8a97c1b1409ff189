"""`buf breaking` holds the protos against the image of the last release, as `make check` runs it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

PROTO = Path(__file__).parents[2] / "proto"
BUF = Path(sys.executable).parent / "buf"


def breaking(folder: Path) -> tuple[int, str]:
    command = [str(BUF), "breaking", "--against", "released.binpb"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def changed(folder: Path, pattern: str, by: str) -> Path:
    """A copy of the protos with one place of match_service.proto changed."""
    shutil.copytree(PROTO, folder / "proto")
    file = folder / "proto" / "stavka" / "match" / "v1" / "match_service.proto"
    text, count = re.subn(pattern, by, file.read_text("utf-8"), count=1)
    assert count == 1
    file.write_text(text, "utf-8")
    return folder / "proto"


def test_clients_of_the_last_release_are_understood() -> None:
    assert breaking(PROTO) == (0, "")


def test_a_field_that_is_gone_is_noticed(tmp_path: Path) -> None:
    code, told = breaking(changed(tmp_path, r"  string command_id = \d+;\n", ""))
    assert code != 0 and "command_id" in told


def test_a_field_of_another_type_is_noticed(tmp_path: Path) -> None:
    code, told = breaking(changed(tmp_path, r"string match_id = 1;", "uint64 match_id = 1;"))
    assert code != 0 and "match_id" in told


def test_a_new_field_is_not(tmp_path: Path) -> None:
    assert breaking(changed(tmp_path, r"(message GetMatchRequest \{\n)", r"\1  string more = 99;\n")) == (0, "")
