"""Settings of a process, read once from the environment (and from the command line, which wins).

STAVKA_DATA       folder of the embedded log, and of keys unless STAVKA_KEYS says otherwise (default ./data)
STAVKA_KEYS       folder of the keys: roll-*.pem, sealing.key, token.key (default <data>/keys)
STAVKA_HOST       address that the gateway listens on (default 127.0.0.1)
STAVKA_PORT       port that the gateway listens on (default 50051)
STAVKA_TLS_CERT   certificate chain in PEM; with STAVKA_TLS_KEY turns TLS on
STAVKA_TLS_KEY    private key in PEM
STAVKA_KAFKA      bootstrap servers, such as "kafka:9092"
STAVKA_REDIS      URL, such as "redis://redis:6379/0"
STAVKA_INTAKE     faust (default) or aiokafka: how a domain process takes commands in; one for all of a group
STAVKA_INSTANCE   name of this process among its kind, the same after a restart (default: the host's name)
STAVKA_METRICS    port of the Prometheus endpoint, none when empty
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Settings:
    data: Path = Path("data")
    keys: Path = Path("data/keys")
    host: str = "127.0.0.1"
    port: int = 50051
    tls_cert: Path | None = None
    tls_key: Path | None = None
    kafka: str = ""
    redis: str = ""
    instance: str = field(default_factory=socket.gethostname)
    metrics_port: int | None = None

    @property
    def is_loopback(self) -> bool:
        return self.host in ("127.0.0.1", "::1", "localhost")


def load(environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """Settings from the environment; keyword arguments that are not None win.

    Raises ValueError naming the variable when a value makes no sense.
    """
    env = os.environ if environment is None else environment
    data = Path(given.get("data") or env.get("STAVKA_DATA") or "data")
    found: dict[str, Any] = {
        "data": data,
        "keys": Path(env.get("STAVKA_KEYS") or data / "keys"),
        "host": env.get("STAVKA_HOST") or "127.0.0.1",
        "port": _number(env, "STAVKA_PORT", 50051),
        "tls_cert": Path(env["STAVKA_TLS_CERT"]) if env.get("STAVKA_TLS_CERT") else None,
        "tls_key": Path(env["STAVKA_TLS_KEY"]) if env.get("STAVKA_TLS_KEY") else None,
        "kafka": env.get("STAVKA_KAFKA", ""),
        "redis": env.get("STAVKA_REDIS", ""),
        "instance": env.get("STAVKA_INSTANCE") or socket.gethostname(),
        "metrics_port": _number(env, "STAVKA_METRICS", None),
    }
    found |= {name: value for name, value in given.items() if value is not None}
    if (found["tls_cert"] is None) != (found["tls_key"] is None):
        raise ValueError("STAVKA_TLS_CERT and STAVKA_TLS_KEY come together or not at all")
    return Settings(**found)


def _number(env: Mapping[str, str], name: str, default: int | None) -> int | None:
    text = env.get(name, "")
    if not text:
        return default
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise ValueError(f"{name} is {text!r}, not a port")
    return int(text)
