"""Record a match between bots as a fixture: `python -m tests.recorded.make GAME [SCENARIO] [--bots A,B] [--seed N]`.

A fixture is an export (`stavka audit export`), compressed. It is made once and kept: a later build must still fold it,
and decide every one of its decisions alike, or bump the game's ruleset.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import tempfile
from pathlib import Path

from stavka import reproducible
from stavka.audit import export
from stavka.bots.play import play
from stavka.cli.access import issuer
from stavka.cli.play import UNLIMITED
from stavka.client import connect
from stavka.embedded import embedded
from stavka.gateway.identity import Role
from stavka.settings import Settings

FOLDER = Path(__file__).parent


async def record(game: str, scenario: str, bots: tuple[str, ...], seed: int) -> Path:
    with tempfile.TemporaryDirectory() as scratch:
        settings = Settings(data=Path(scratch), keys=Path(scratch) / "keys", port=0)
        async with embedded(settings, keyring=reproducible.keyring(seed), limits=UNLIMITED) as server:
            target = f"127.0.0.1:{server.port}"
            tokens = issuer(server.token_key)
            played = await play(target, tokens, game, scenario=scenario, bots=bots, seed=seed)
            async with connect(target, issuer(server.token_key, Role.ARBITER)("recorder")) as client:
                header, records = await client.export(played.match)
    path = FOLDER / f"{game}-{played.ruleset}-{played.scenario}-{seed}.jsonl.gz"
    lines = export.lines(export.Header(header.match_id, header.version, header.head), records)
    path.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))
    print(f"{path.name}: {played.versions} records, {played.winner} wins, {path.stat().st_size} bytes")
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("scenario", nargs="?", default="")
    parser.add_argument("--bots", default="heuristic,heuristic")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(record(given.game, given.scenario, tuple(given.bots.split(",")), given.seed))
