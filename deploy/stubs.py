"""Make the protobuf and gRPC stubs in services/stavka/wire/gen from proto/. Run by `make stubs`."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
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


def main(arguments: list[str]) -> int:
    """Make the stubs; with --check compare them with those that stand in the tree and exit 1 on a difference."""
    if arguments != ["--check"]:
        generate(GEN)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / "gen"
        generate(fresh)
        differing = sorted(
            {
                name
                for name in _contents(fresh) | _contents(GEN)
                if _contents(fresh).get(name) != _contents(GEN).get(name)
            }
        )
    for name in differing:
        print(f"{name} is not what proto/ gives: run make stubs", file=sys.stderr)
    return 1 if differing else 0


def _contents(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*.py*") if p.suffix in (".py", ".pyi")}


if __name__ == "__main__":
    import google.rpc  # noqa: F401  (its folder is on the include path)

    raise SystemExit(main(sys.argv[1:]))
