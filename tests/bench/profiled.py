"""`python -m tests.bench.profiled FILE serve ...`: the command line under a profiler, FILE written at its end.

Only the main thread's own processor time counts, so waiting and other processes do not; nor does the import of the
package, which a server does once.
"""

from __future__ import annotations

import cProfile
import sys
import time

import stavka.embedded  # noqa: F401 (imported before the profile begins)
from stavka.cli import main
from stavka.games import GAMES
from stavka.match.rulebooks import rulebook


def run() -> None:
    path = sys.argv.pop(1)
    for game in GAMES:
        rulebook(game)
    profile = cProfile.Profile(time.thread_time)
    profile.enable()
    try:
        main()
    finally:
        profile.disable()
        profile.dump_stats(path)


if __name__ == "__main__":
    run()
