"""grpcurl for the walkthrough: from the PATH, else built once by the machine's Go."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

MODULE = "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stavka" / "bin"


class NoGrpcurl(Exception):
    """This machine has no grpcurl and cannot build it; the message says why."""


def grpcurl() -> Path:
    """Raises NoGrpcurl."""
    found = shutil.which("grpcurl", path=os.pathsep.join((os.environ.get("PATH", ""), str(CACHE))))
    if found:
        return Path(found)
    go = shutil.which("go")
    if go is None:
        raise NoGrpcurl("grpcurl is not on the PATH, and there is no Go to build it")
    built = subprocess.run(
        [go, "install", MODULE], env=os.environ | {"GOBIN": str(CACHE)}, capture_output=True, text=True
    )
    if built.returncode:
        raise NoGrpcurl(f"go install {MODULE}: {built.stderr[-500:]}")
    return CACHE / "grpcurl"
