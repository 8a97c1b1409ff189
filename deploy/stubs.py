"""Make the protobuf and gRPC stubs in services/stavka/wire/gen from proto/. Run by `make stubs`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
GEN = ROOT / "services" / "stavka" / "wire" / "gen"


def generate(out: Path) -> None:
    """Write the stubs of every proto file below PROTO to `out`, as an importable package."""
    import grpc_tools

    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    files = sorted(str(p.relative_to(PROTO)) for p in PROTO.rglob("*.proto"))
    bundled = Path(grpc_tools.__file__).parent / "_proto"
    googleapis = Path(sys.modules["google"].__path__[0]).parent  # google/rpc/*.proto of googleapis-common-protos
    plugin = Path(sys.executable).parent / "protoc-gen-mypy_grpc"  # typed servicers and stubs
    code = protoc.main(
        [
            "protoc",
            f"-I{PROTO}",
            f"-I{bundled}",
            f"-I{googleapis}",
            f"--python_out={out}",
            f"--pyi_out={out}",
            f"--grpc_python_out={out}",
            f"--plugin=protoc-gen-mypy_grpc={plugin}",
            f"--mypy_grpc_out={out}",
            *files,
        ]
    )
    if code:
        raise SystemExit(code)
    for path in [*out.rglob("*.py"), *out.rglob("*.pyi")]:
        text = re.sub(
            r"^from stavka\.(\w+)\.v1 import", r"from stavka.wire.gen.stavka.\1.v1 import", path.read_text(), flags=re.M
        )
        path.write_text(text)
    for folder in {p.parent for p in out.rglob("*.py")}:
        while folder != out.parent:
            (folder / "__init__.py").touch()
            folder = folder.parent


if __name__ == "__main__":
    import google.rpc  # noqa: F401  (its folder is on the include path)

    generate(GEN)
