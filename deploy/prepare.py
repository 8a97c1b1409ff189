"""Run once before the processes: make the keys that are missing, create the topics that are missing, check them.

    STAVKA_KEYS=/keys STAVKA_KAFKA=kafka:9092 python prepare.py topics.toml [--replication N]

Running it again changes nothing. Keys that exist are never touched.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path

from stavka.bus.topics import main as topics
from stavka.match import keys

TOKEN_BYTES = 32


def make_keys(folder: Path) -> None:
    """Keys of rolls and seals, and the secret that tokens are signed with."""
    keys.make(folder)
    token = folder / "token.key"
    if not token.exists():
        keys.write_whole(token, secrets.token_hex(TOKEN_BYTES).encode())


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="prepare.py")
    parser.add_argument("topics", type=Path)
    parser.add_argument("--replication", default=None)
    chosen = parser.parse_args(arguments)
    make_keys(Path(os.environ.get("STAVKA_KEYS", "/keys")))
    replication = [] if chosen.replication is None else ["--replication", chosen.replication]
    return topics([str(chosen.topics), *replication])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
