"""What a person at a terminal sees of a match that is being played: the map, the turn, who must act."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from tests.services.processes.running import clean

pytestmark = [pytest.mark.timeout(120), pytest.mark.xdist_group("processes")]

ROWS, COLUMNS = 60, 160


def test_a_match_is_seen_while_it_is_played() -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    command = [sys.executable, "-m", "stavka", "play", "red_vengeance", "--bots", "heuristic", "--seed", "5"]
    playing = subprocess.Popen(command, env=clean() | {"TERM": "xterm"}, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    seen = ""
    try:
        while not all(word in seen for word in ("June 1944", "To act: ", "Ber", "allied: ")) and (
            part := os.read(ours, 65536)
        ):
            seen += part.decode("utf-8", "replace")
    finally:
        playing.terminate()
        playing.wait(30)
        os.close(ours)
    assert all(word in seen for word in ("June 1944", "To act: ", "Ber", "allied: "))
